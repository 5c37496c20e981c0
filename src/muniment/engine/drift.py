"""The drift report: which facts lean on what is not there any more, what changed, and which commit, session or person did it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import Any, NamedTuple

from muniment.engine import attaching
from muniment.engine.core import Engine
from muniment.engine.doubts import Doubts
from muniment.engine.verdicts import VerdictBook
from muniment.engine.world import WorkTree
from muniment.errors import MissingExtraError
from muniment.lifecycle import spans, symbols
from muniment.lifecycle.world import CannotLookError
from muniment.model import address
from muniment.model.address import BROKEN, Address, span_of
from muniment.model.fact import Verdict
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact

MOST = 200
"""Addresses that one report tells of."""
_LINES = 40
_OPEN = frozenset({"confirmed", "hypothesis", "suspect"})


class Leaning(NamedTuple):
    """A fact that leans on a changed address."""

    id: str
    text: str
    standing: str
    origin: str
    receipt: str


@dataclass(frozen=True, slots=True)
class Drift:
    """One address that changed or is gone, who did it, and the facts that it makes doubtful. `diff`: of what was cited."""

    address: str
    state: str
    place: str
    by: str
    commit: str
    author: str
    at: str
    title: str
    session: str
    found_at: str
    receipt: str
    facts: tuple[Leaning, ...]
    diff: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drifts:
    """The report: the newest findings first. `facts` and `addresses` count all, also what is beyond the cap."""

    drifts: tuple[Drift, ...] = ()
    addresses: int = 0
    facts: int = 0


def drifts(engine: Engine, most: int = MOST, *, with_diff: bool = True) -> Drifts:
    """What is in doubt now because of its evidence. What a person confirmed since is not."""
    store = engine.store()
    with store.reading():
        broken = [v for v in store.evidence.verdicts() if json.loads(v.draft)["state"] in BROKEN]
        suspects = store.evidence.suspects(v.target for v in broken)
        found = [v for v in broken if v.target in suspects]
        told = tuple(_in_doubt(store, found, most)) if most else ()
    named = {fact for facts in suspects.values() for fact in facts}
    if with_diff and told:
        world = attaching.tree(engine)
        told = tuple(_with_diff(world, each) for each in told)
    return Drifts(told, len(found), len(named))


def _in_doubt(store: Store, found: Sequence[Verdict], most: int) -> Iterator[Drift]:
    """The first of them that a fact is in doubt for; a fact may be suspect for another reason, and this one silenced."""
    doubts = Doubts(store, VerdictBook(store.facts.verdicts())) if found else None
    for verdict in found:
        if most <= 0 or doubts is None:
            return
        name = bytes.fromhex(verdict.target)
        facts = store.facts.facts(store.evidence.citing(name))
        mine = doubts.by(name, [f for f in facts if f.standing in _OPEN])
        if mine:
            most -= 1
            yield _drift(store, verdict, mine)


def _drift(store: Store, verdict: Verdict, facts: Sequence[StoredFact]) -> Drift:
    told: dict[str, Any] = json.loads(verdict.draft)
    place = store.events.place_of(verdict.uid)
    return Drift(
        told["address"], told["state"], told["place"], told["by"], told["commit"], told["author"], told["at"], told["title"],
        told["session"], verdict.at, f"{place[0]}:{place[1]}" if place else "", tuple(_leaning(f) for f in facts),
    )  # fmt: skip


def _leaning(fact: StoredFact) -> Leaning:
    row = fact.row
    receipt = f"{fact.session}:{fact.seq}@{row.span_start}-{row.span_end}"
    return Leaning(show(row.id), row.value, fact.standing, row.origin, receipt)


# --- what changed


def _with_diff(world: WorkTree, drift: Drift) -> Drift:
    try:
        return replace(drift, diff=tuple(_cut(_diff(world, address.parse(drift.address), drift.place))))
    except (CannotLookError, MissingExtraError):
        return drift


def _diff(world: WorkTree, a: Address, place: str) -> Iterator[str]:
    then, now = _versions(world, a, place)
    for line in unified_diff(then, now, lineterm="", n=1):
        if not line.startswith(("---", "+++", "@@")):
            yield line


def _versions(world: WorkTree, a: Address, place: str) -> tuple[list[str], list[str]]:
    """(what was cited, what stands there now), as far as anybody knows."""
    commit = a.token("git")
    if a.kind == "ticket":
        now = world.ticket(*a.place.rsplit("#", 1))
        return [a.token("state")], [now] if now is not None else []
    if a.kind == "table":
        return [], (world.table(*a.place.rsplit("#", 1)) or "").splitlines()
    if not commit or a.kind not in address.FILE_KINDS:
        return [], []
    where = span_of(place)[0].split("#", 1)[0] or a.path
    if a.kind == "symbol":
        name = a.place.partition("#")[2]
        return _definition(a.path, world.then(commit, a.path), name), _definition(where, world.now(where), name)
    pair = world.pair(commit, a.path, where)
    if a.kind == "file":
        return list(pair.old), list(pair.new)
    _, first, last = span_of(a.place)
    return list(pair.old[first - 1 : last]), pair.now(spans.Span(first, last))


def _definition(path: str, data: bytes | None, name: str) -> list[str]:
    found = symbols.find(path, data, name) if data is not None else None
    return spans.lines_of(data)[found.first - 1 : found.last] if found is not None and data is not None else []


def _cut(lines: Iterator[str]) -> list[str]:
    listed = [line.encode("utf-8", "replace").decode("utf-8") for line in lines]
    more = len(listed) - _LINES
    return listed if more <= 0 else [*listed[:_LINES], f"... {more} more lines"]
