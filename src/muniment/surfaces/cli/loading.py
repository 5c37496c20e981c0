"""`load`: what another store exported, turns and trajectories that no harness of ours wrote, rules, an older skill's store."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from muniment.errors import UsageError
from muniment.model.event import Origin
from muniment.surfaces.cli import output, page_words, paging, progress
from muniment.surfaces.cli.invocation import Invocation

if TYPE_CHECKING:
    from muniment.engine.core import Caller
    from muniment.engine.ingesting import IngestReport

STREAM = "-"


def load(run: Invocation) -> int:
    """Take in a file or, where PATH is a dash, stdin."""
    if run.words.format == "rules":
        return _rules(run)
    if len(run.words.path) != 1:
        raise UsageError("give one file", hint=f"muniment load {run.words.format} PATH", about="PATH")
    if run.words.format in page_words.FORMATS:
        _demand_no_trust(run, "a page is the repository's word")
        return paging.load(run)
    return {"jsonl": _export, "memory-json": _old_memory}.get(run.words.format, _told_by_others)(run)


def _rules(run: Invocation) -> int:
    """Instruction files, into proposals."""
    from muniment.engine import loading_rules

    _demand_no_trust(run, "a rule that a file holds is the repository's word")
    report = loading_rules.load(run.engine, [Path(path) for path in run.words.path])
    for note in report.notes:
        output.say(f"muniment: {note}")
    if run.json:
        output.record(output.plain(report))
        return output.OK
    for id_ in report.ids:
        output.line(f"proposed\t{id_}")
    files = ", ".join(f"{file} {count}" for file, count in report.files.items())
    output.say(f"muniment: read {report.read} rules ({files}), {report.known} known; `muniment review` shows them")
    return output.OK


def _old_memory(run: Invocation) -> int:
    """The store of a memory.sh skill. A person at a terminal vouches for its sources unless told otherwise."""
    from muniment.engine import taking_over

    caller = run.caller()
    is_person = caller.origin == Origin.PERSON
    trust = run.words.trust or ("conversation" if is_person else "import")
    report = taking_over.load(run.engine, caller, Path(run.words.path[0]), trust, may_vouch=is_person)
    for note in report.notes:
        output.say(f"muniment: {note}")
    if run.json:
        output.record(output.plain(report))
        return output.OK
    for id_ in report.ids:
        output.line(f"stored\t{id_}")
    skipped = sum(report.skipped.values())
    reasons = f" ({output.grouped(report.skipped)})" if skipped else ""
    output.say(f"muniment: read {report.read} = kept {report.kept} + skipped {skipped}{reasons}")
    decided = f"{report.proposed} proposed, {report.superseded} superseded, {report.corrected} corrected"
    output.say(f"muniment: {report.known} were here; {report.facts} facts came of it; {decided}")
    return output.OK


def _demand_no_trust(run: Invocation, hint: str) -> None:
    if run.words.trust is not None:
        raise UsageError("--trust is for conversations, trajectories and memory-json", hint=hint, about="--trust")


def _export(run: Invocation) -> int:
    """The union with what another store exported."""
    from muniment.engine import transfer

    _demand_no_trust(run, "an export says itself whose words are in it")
    transfer.demand_person(run.caller())
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
    return sys.stdin.buffer if run.words.path[0] == STREAM else Path(run.words.path[0])


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def _bar(run: Invocation) -> AbstractContextManager[progress.Progress | None]:
    return progress.bar(run.config.progress and not run.json)
