"""`load`: what another store exported, or conversations and trajectories that no harness of ours wrote."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from muniment.errors import UsageError
from muniment.model.event import Origin
from muniment.surfaces.cli import output, progress
from muniment.surfaces.cli.invocation import Invocation

if TYPE_CHECKING:
    from muniment.engine.core import Caller
    from muniment.engine.ingesting import IngestReport

STREAM = "-"


def load(run: Invocation) -> int:
    """Take in a file or, where PATH is a dash, stdin."""
    return _export(run) if run.words.format == "jsonl" else _told_by_others(run)


def _export(run: Invocation) -> int:
    """The union with what another store exported."""
    from muniment.engine import transfer

    if run.words.trust is not None:
        hint = "an export says itself whose words are in it"
        raise UsageError("--trust is for conversations and trajectories", hint=hint, about="--trust")
    with _bar(run) as show:
        report = transfer.load_jsonl(run.engine, _source(run), show)
    if run.json:
        output.record(output.plain(report))
        return output.OK
    new = {name: n for name, n in report.new.items() if n}
    output.line(f"new: {_told(new)}; {report.known} rows were here; {report.facts} facts came of it")
    if report.masked:
        output.say(f"muniment: {report.masked} events were masked again on the way in")
    return output.OK


def _told_by_others(run: Invocation) -> int:
    """Turns or trajectories. A person at a terminal vouches for the roles unless told otherwise."""
    caller = run.caller()
    is_person = caller.origin == Origin.PERSON
    trust = run.words.trust or ("conversation" if is_person else "import")
    with _bar(run) as show:
        report = _take(run, caller, trust, is_person, show)
    for note in report.notes:
        output.say(f"muniment: {note}")
    if run.json:
        output.record(output.plain(report))
        return output.OK
    skipped = sum(report.skipped.values())
    reasons = f" ({output.grouped(report.skipped)})" if skipped else ""
    output.line(f"read {report.read} = kept {report.kept} + skipped {skipped}{reasons}")
    sessions = len(report.sessions)
    new = f"new: {report.new_events} events in {sessions} session{'s' * (sessions != 1)}"
    output.line(f"{new}; {report.known_events} were here; {report.facts} facts came of it")
    return output.OK


def _take(run: Invocation, caller: Caller, trust: str, may_vouch: bool, show: progress.Progress | None) -> IngestReport:
    from muniment.engine import ingesting, retracing

    take = retracing.load_atif if run.words.format == "atif" else ingesting.ingest
    return take(run.engine, caller, _source(run), trust, may_vouch=may_vouch, progress=show)


def _source(run: Invocation) -> Path | BinaryIO:
    return sys.stdin.buffer if run.words.path == STREAM else Path(run.words.path)


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def _bar(run: Invocation) -> AbstractContextManager[progress.Progress | None]:
    return progress.bar(run.config.progress and not run.json)
