"""`load memory-json`: the store of a `memory.sh` skill as statements of ours, each at the time and from the source it names.

Whoever owns the store may vouch for its sources (`trust="conversation"`, recorded with each): what it says came from the user
is then a person's. Otherwise all of it is an import. An entry is named by what it says, so loading again adds what is new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from muniment.capture import old_memory
from muniment.capture.old_memory import Entry, Unfit
from muniment.engine import commanding, stating, wording
from muniment.engine.archiving import Archivist
from muniment.engine.core import Caller, Engine
from muniment.engine.extraction import OWN_HARNESS
from muniment.engine.given import demand_regular
from muniment.errors import MunimentError, NotFoundError, NothingChangedError, RefusedError, UsageError
from muniment.gate.intake import name
from muniment.model.event import AUTHORITY, Origin, SessionInfo
from muniment.model.ids import hash128, show
from muniment.model.stored import Prepared
from muniment.model.time import canonical
from muniment.model.vocabulary import predicate

TRUSTS = ("conversation", "import")
_LARGEST = 256 << 20
_TOLD = 20


@dataclass(slots=True)
class MemoryReport:
    """What was taken over. Every entry is kept or skipped for a reason: read = kept + the sum of skipped."""

    read: int = 0
    kept: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    known: int = 0
    """Of those kept, that were here."""
    facts: int = 0
    proposed: int = 0
    superseded: int = 0
    corrected: int = 0
    ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Taken(NamedTuple):
    entry: Entry
    event: Prepared


def load(engine: Engine, caller: Caller, path: Path, trust: str, *, may_vouch: bool) -> MemoryReport:
    """Take over a file. RefusedError where the caller may not vouch, NothingChangedError where nothing was new."""
    if trust not in TRUSTS:
        raise UsageError(f"unknown trust {trust!r}", hint="trust: " + ", ".join(TRUSTS), about="trust")
    if trust == TRUSTS[0] and not may_vouch:
        message = f"a caller of origin {caller.origin} cannot vouch for whose words a store holds"
        raise RefusedError(message, hint="take it in with trust import, or let its owner do it", about="trust")
    report = MemoryReport()
    taken = _taken(engine, _read(path), Origin.PERSON if trust == TRUSTS[0] else Origin.IMPORT, report)
    store = engine.store(create=True)
    fresh = [t for t in taken if not store.events.revisions(t.event.uid)]
    report.known = len(taken) - len(fresh)
    if not fresh:
        reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(report.skipped.items()))
        told = f"nothing is new: {report.read} entries read, {report.known} known{f'; skipped: {reasons}' if reasons else ''}"
        raise NothingChangedError(told, hint="; ".join(report.notes[:3]), about=str(path))
    _write(engine, fresh, report)
    _decide(engine, caller, fresh, taken, report)
    return report


def _read(path: Path) -> list[Entry | Unfit]:
    if not path.exists():
        raise NotFoundError(f"no such file: {path}", hint="the memory.json of the skill", about=str(path))
    demand_regular(path)
    if path.stat().st_size > _LARGEST:
        raise UsageError(f"{path} is larger than {_LARGEST} bytes", about=str(path))
    try:
        return list(old_memory.entries(path.read_text(encoding="utf-8", errors="replace")))
    except RecursionError:
        problem = "it is nested too deep"
    except ValueError as error:
        problem = str(error)
    hint = "a list of entries, or an object that holds one; each with its content"
    raise UsageError(f"{path} is no store of a memory skill: {problem}", hint=hint, about=str(path))


def _taken(engine: Engine, given: Iterable[Entry | Unfit], most: Origin, report: MemoryReport) -> list[_Taken]:
    """The entries as events, each once."""
    session = f"memory-json-{engine.settings.new_name().lower()}"
    found: dict[bytes, _Taken] = {}
    for number, entry in enumerate(given, 1):
        report.read += 1
        if isinstance(entry, Unfit):
            _skip(report, number, entry)
            continue
        event = _event(engine, entry, most, (session, len(found)))
        if event.uid in found:
            _skip(report, number, Unfit("twice", f"it says the same as entry {found[event.uid].event.seq + 1}"))
            continue
        found[event.uid] = _Taken(entry, event)
    report.kept = len(found)
    return list(found.values())


def _skip(report: MemoryReport, number: int, unfit: Unfit) -> None:
    report.skipped[unfit.reason] += 1
    if len(report.notes) < _TOLD:
        report.notes.append(f"entry {number}: {unfit.reason}{f': {name(unfit.detail)}' if unfit.detail else ''}")


def _event(engine: Engine, entry: Entry, most: Origin, place: tuple[str, int]) -> Prepared:
    origin = wording.origin_of(entry.source)
    origin = min(origin or Origin.IMPORT, most, key=lambda o: AUTHORITY[o])
    caller = Caller(origin, vouched=TRUSTS[0] if most == Origin.PERSON else None)
    statement = stating.Statement(
        entry.type, entry.content, tags=entry.tags, source_url=entry.source_url, context=entry.context,
        standing="confirmed" if entry.is_sure else "hypothesis",
    )  # fmt: skip
    words = stating.words_of(statement)
    if not stating.may_say(predicate(words["predicate"] or ""), origin):
        words["proposes"] = "add"
    at = (canonical(entry.at, engine.settings.zone) if entry.at else None) or engine.now()
    native = f"memory-json/{hash128('entry', entry.id, entry.type, entry.content, most).hex()}"
    command = f"load memory-json {entry.id}".rstrip()
    return commanding.event(caller, (*place, native), min(at, engine.now()), command, [(entry.content, words)])


def _write(engine: Engine, fresh: list[_Taken], report: MemoryReport) -> None:
    events = [t.event for t in fresh]
    info = SessionInfo(events[0].session, OWN_HARNESS, cwd=name(engine.workspace.root))
    done = Archivist(engine.store()).write({info.id: (info, info.cwd)}, events, durable=True).derived
    report.facts, report.proposed = len(done.stored), done.proposed
    report.ids = list(map(show, done.stored))


def _decide(
    engine: Engine, caller: Caller, fresh: list[_Taken], taken: list[_Taken], report: MemoryReport
) -> None:  # fmt: skip
    """What the old store had decided: what took another's place, and what was wrong and why."""
    facts = {t.entry.id: fact for t in taken if t.entry.id and (fact := _fact(engine, t)) is not None}
    for one in fresh:
        old, new = facts.get(one.entry.id), facts.get(one.entry.superseded_by or "")
        try:
            if old is not None and one.entry.correction is not None:
                claim, reason = one.entry.correction
                stating.correct(engine, caller, old, claim, reason or "corrected in the old store")
                report.corrected += 1
            elif old is not None and new is not None:
                stating.supersede(engine, caller, old, new, "superseded in the old store")
                report.superseded += 1
        except MunimentError as problem:
            report.notes.append(f"entry {name(one.entry.id)}: {problem.message}")


def _fact(engine: Engine, taken: _Taken) -> str | None:
    return next(iter(map(show, engine.store().facts.of_event(taken.event.uid))), None)
