"""`load`: what another store exported, or conversations that no harness wrote."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from muniment.errors import UsageError
from muniment.model.event import Origin
from muniment.surfaces.cli import output, progress
from muniment.surfaces.cli.invocation import Invocation

STREAM = "-"


def load(run: Invocation) -> int:
    """Take in a file or, where PATH is a dash, stdin."""
    return _conversation(run) if run.words.format == "conversation" else _export(run)


def _export(run: Invocation) -> int:
    """The union with what another store exported."""
    from muniment.engine import transfer

    if run.words.trust is not None:
        hint = "an export says itself whose words are in it"
        raise UsageError("--trust is for conversations", hint=hint, about="--trust")
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


def _conversation(run: Invocation) -> int:
    """Turns, one JSON object a line. A person at a terminal vouches for the roles unless told otherwise."""
    from muniment.engine import ingesting

    caller = run.caller()
    is_person = caller.origin == Origin.PERSON
    trust = run.words.trust or ("conversation" if is_person else "import")
    with _bar(run) as show:
        report = ingesting.ingest(run.engine, caller, _source(run), trust, may_vouch=is_person, progress=show)
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


def _source(run: Invocation) -> Path | BinaryIO:
    return sys.stdin.buffer if run.words.path == STREAM else Path(run.words.path)


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def _bar(run: Invocation) -> AbstractContextManager[progress.Progress | None]:
    return progress.bar(run.config.progress and not run.json)
