"""The verb `blast`: how far something reached. What derives from it, which sessions were given it in answer to what, what it was
used for, and which files were touched in those sessions afterwards.

Deliveries are known from the journal, which notes answers to sessions that have a name; the report is no more complete than it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.engine import deliveries, finding, lineage, uses
from muniment.engine.core import Engine
from muniment.engine.sources import named
from muniment.errors import NotFoundError, UsageError
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact

_WRITTEN = """f.predicate = 'touched' AND (e.id = ? OR e.id LIKE '%.' || ? OR e.id LIKE '%.' || ? || '/%')
    AND f.observed_at >= ?"""
MOST = 100_000
"""Facts that one report begins with."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A fact: one that was asked about, or one that derives from it by way of `via`."""

    id: str
    standing: str
    predicate: str
    text: str
    via: str | None = None


@dataclass(frozen=True, slots=True)
class GivenTo:
    """An answer that carried some of the facts: to which session, when, by which door, to what question."""

    session: str
    at: str
    surface: str
    query: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Used:
    """What a fact was used for: opened, returned, success or failure, and what was noted."""

    id: str
    how: str
    at: str
    session: str | None
    note: str


@dataclass(frozen=True, slots=True)
class TouchedAfter:
    """A file that was written in a session after it was given one of the facts."""

    path: str
    session: str
    at: str
    receipt: str


@dataclass(frozen=True, slots=True)
class Blast:
    """How far something reached."""

    of: str
    facts: tuple[Reached, ...]
    derived: tuple[Reached, ...]
    given: tuple[GivenTo, ...]
    sessions: tuple[str, ...]
    used: tuple[Used, ...]
    files: tuple[TouchedAfter, ...]


def blast(
    engine: Engine, id: str | None = None, *, session: str | None = None, source: str | None = None, origin: str | None = None
) -> Blast:  # fmt: skip
    """The reach of a fact, or of all that came from a session, a source (a session, a URL, an origin) or an origin.

    UsageError unless one of them is given, NotFoundError where nothing came from it.
    """
    asked = [each for each in (id, session, source, origin) if each is not None]
    if len(asked) != 1:
        raise UsageError("the reach of what?", hint="an id, or one of session, source, origin", about="blast")
    store = engine.store()
    with store.reading():
        facts = [finding.fact(engine, asked[0])] if id is not None else named(store, asked[0], MOST)
        if not facts:
            raise NotFoundError(f"nothing came from {asked[0]}", about=asked[0])
        return _reach(engine, store, asked[0], facts)


def _reach(engine: Engine, store: Store, asked: str, facts: list[StoredFact]) -> Blast:
    roots = [f.row.id for f in facts]
    via = lineage.descendants(store, roots)
    derived = store.facts.facts(via)
    all_ = {show(id_) for id_ in (*roots, *via)}
    given = list(_given(deliveries.path_of(engine), all_))
    first: dict[str, str] = {}
    for each in given:
        first.setdefault(each.session, each.at)
    return Blast(
        asked,
        tuple(_reached(f) for f in facts),
        tuple(_reached(f, show(via[f.row.id])) for f in derived),
        tuple(given), tuple(first), tuple(_used(uses.path_of(engine), all_)), tuple(_touched(store, first)),
    )  # fmt: skip


def _reached(fact: StoredFact, via: str | None = None) -> Reached:
    return Reached(show(fact.row.id), fact.standing, fact.row.predicate, fact.row.value, via)


def _given(journal: Path, ids: set[str]) -> Iterator[GivenTo]:
    for told in _entries(journal):
        carried = tuple(i for i in told.get("fact_ids") or () if i in ids)
        if carried:
            yield GivenTo(
                str(told["session"]), str(told["at"]), str(told["surface"]), str(told.get("query") or ""), carried
            )


def _used(journal: Path, ids: set[str]) -> Iterator[Used]:
    for told in _entries(journal):
        if told.get("fact") in ids:
            yield Used(
                str(told["fact"]), str(told["how"]), str(told["at"]), told.get("session"), str(told.get("note") or "")
            )


def _entries(journal: Path) -> Iterator[dict[str, Any]]:
    """The whole entries of a journal, in their order; one that is torn is passed over."""
    try:
        lines: Iterable[bytes] = journal.read_bytes().splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict) and "at" in told:
            yield told


def _touched(store: Store, since: dict[str, str]) -> Iterator[TouchedAfter]:
    """Files written in these sessions, as harnesses or we name them, after the first answer came."""
    for session, at in since.items():
        for fact in reversed(store.facts.select(_WRITTEN, (session, session, session, at), MOST)):
            row = fact.row
            yield TouchedAfter(row.value, session, row.observed_at, f"{fact.session}:{fact.seq}")
