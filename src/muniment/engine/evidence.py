"""The verb `check`: each address that facts lean on is looked at, and what changed is flagged. Nothing is ever deleted.

What a look found is remembered beside the facts, so that the next one asks only about files that are not as they were. What
it changes of facts is a verdict, appended by the channel of a tool: so it is the same after a rebuild, and in every copy.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from muniment.engine import attaching
from muniment.engine.core import Caller, Engine
from muniment.engine.culprits import Culprit, Culprits
from muniment.engine.doubts import Found, found_in
from muniment.engine.world import WorkTree
from muniment.errors import NotFoundError
from muniment.lifecycle.judging import look
from muniment.lifecycle.world import CannotLookError, Look
from muniment.model.address import BROKEN, FILE_KINDS, STATES, UNKNOWN, Address, span_of
from muniment.model.event import Origin
from muniment.model.fact import Action, Verdict
from muniment.model.ids import hash128
from muniment.model.kept import Checked
from muniment.model.ports import Store

if TYPE_CHECKING:
    from muniment.engine.commanding import Command

WORLD = Caller(Origin.TOOL, door="check")
"""A finding is no word of whoever asked for it."""
_RACY_NS = 2_000_000_000
_ALWAYS = frozenset({"url", "command", "page"})
"""Kinds of which only a look can tell."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found. `looked`: addresses that were not as when they were looked at last; `states` of all."""

    addresses: int = 0
    looked: int = 0
    states: Mapping[str, int] = field(default_factory=dict)
    without_evidence: int = 0
    suspect: tuple[str, ...] = ()
    """Facts that this check made suspect."""
    healed: tuple[str, ...] = ()
    """Facts whose evidence is back."""
    receipt: str = ""
    unknown: tuple[tuple[str, str], ...] = ()
    """(address, why nobody can say), of those that were looked at."""


class _Seen(NamedTuple):
    """One address in one check."""

    name: bytes
    address: Address
    look: Look
    stamp: str


def check(engine: Engine, since: str | None = None) -> Report:
    """Look at all evidence; with `since`, only at files that are not as that commit has them."""
    store = engine.store()
    world = attaching.tree(engine)
    with store.reading():
        known, listed, told = store.evidence.checked(), store.evidence.all(), store.evidence.found()
    known = {n: c for n, c in known.items() if c.state not in BROKEN or n.hex() in told}
    if since is not None:
        listed = _touched(world, since, listed, known)
    stamps = _Stamps(world)
    todo = [(n, a) for n, a in listed if not stamps.holds(a, known.get(n))]
    seen = _looked(world, stamps, todo)
    report = _put(engine, world, store, seen)
    states = Counter(dict.fromkeys(STATES, 0))
    now = {s.name: s.look.state for s in seen}
    states.update(now.get(n) or (known[n].state if n in known else UNKNOWN) for n, _ in listed)
    return Report(
        len(listed), len(seen), dict(states), store.evidence.without(), *report,
        tuple((s.address.text, s.look.why) for s in seen if s.look.state == UNKNOWN),
    )  # fmt: skip


def _touched(
    world: WorkTree, since: str, listed: Sequence[tuple[bytes, Address]], known: Mapping[bytes, Checked]
) -> list[tuple[bytes, Address]]:  # fmt: skip
    commit = world.git.commit(since)
    if commit is None:
        raise NotFoundError(f"no such commit: {since}", hint="--since takes a commit, a branch or a tag", about=since)
    paths = set(world.git.touched(commit))
    return [(n, a) for n, a in listed if a.kind in FILE_KINDS and paths & set(_paths(a, known.get(n)))]


def _looked(world: WorkTree, stamps: _Stamps, todo: Sequence[tuple[bytes, Address]]) -> list[_Seen]:
    """A look at each; what git is asked is asked ahead, for all of them."""
    cited = ((a.token("git"), a.path) for _, a in todo if a.kind in FILE_KINDS and a.token("git"))
    world.load(cited)
    seen = []
    for name, address in todo:
        found = look(address, world)
        seen.append(_Seen(name, address, found, stamps.of(address, found.state, found.place)))
    return seen


def _put(
    engine: Engine, world: WorkTree, store: Store, seen: Sequence[_Seen]
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Remember what was seen; where it changes what can be relied on, say so by verdicts: (suspect, healed, receipt)."""
    last = {bytes.fromhex(t): f for t, f in _last(store).items()} if seen else {}
    new = [s for s in seen if _is_news(s.look, last.get(s.name))]
    culprits = Culprits(store, world, [(s.address, s.look) for s in new if s.look.state in BROKEN])
    by = {s.name: culprits.of(s.address, s.look) for s in new if s.look.state in BROKEN}
    at = engine.now()
    notes = [_note(s, by.get(s.name), last.get(s.name), at) for s in seen]
    if not new:
        with store.writing(durable=False):
            store.evidence.note(notes, at)
        return (), (), ""
    from muniment.engine.commanding import Command  # what writes is loaded where something is written

    counted = Counter(s.look.state for s in new)  # no places: they go with their verdicts, should these be erased
    command = Command(engine, WORLD, "check", ", ".join(f"{n} {state}" for state, n in sorted(counted.items())), {})
    verdicts = [_verdict(command, s, by.get(s.name), store.evidence.citing(s.name)) for s in new]
    before = _standings(store, verdicts)
    command.write(verdicts, then=lambda _: store.evidence.note(notes, at), only_proposes=True)
    after = _standings(store, verdicts)
    fell = [i for i, s in after.items() if s == "suspect" and before.get(i) != "suspect"]
    rose = [i for i, s in after.items() if s != "suspect" and before.get(i) == "suspect"]
    return tuple(sorted(fell)), tuple(sorted(rose)), command.receipt


def _standings(store: Store, verdicts: Iterable[Verdict]) -> dict[str, str]:
    return dict(store.evidence.standings({i for v in verdicts for i in v.value.split()}))


def _last(store: Store) -> dict[str, Found]:
    """What was found last at each address, by its name in hexadecimal; not what was undone."""
    return {v.target: found_in(v) for v in store.evidence.verdicts()}


def _is_news(found: Look, last: Found | None) -> bool:
    """Does it change what can be relied on? What nobody can say changes nothing."""
    if found.state in BROKEN:
        return last is None or (last.state, last.now) != (found.state, found.now)
    return found.state != UNKNOWN and last is not None and last.state in BROKEN


def _note(seen: _Seen, by: Culprit | None, last: Found | None, at: str) -> Checked:
    who = by.by if by is not None else last.by if last is not None and seen.look.state in BROKEN else ""
    return Checked(seen.name, seen.look.state, seen.look.now, seen.look.place, who, seen.stamp, at)


def _reason(seen: _Seen, by: Culprit | None) -> str:
    what = f"{seen.address.place} is {seen.look.state}"
    if by is None:
        return f"{what} again" if not seen.look.place else f"{what} to {seen.look.place}"
    who = f" by {by.author}" if by.author else ""
    return f"{what} ({f'commit {by.by}' if by.commit else by.by}{who})"


def _verdict(command: Command, seen: _Seen, by: Culprit | None, citing: Sequence[bytes]) -> Verdict:
    told = {
        "address": seen.address.text, "state": seen.look.state, "now": seen.look.now, "place": seen.look.place,
        **(by or Culprit(""))._asdict(),
    }  # fmt: skip
    name = seen.name.hex()
    return Verdict(
        hash128("verdict", Action.CHECK, name, command.event.uid), Action.CHECK.value, "evidence", name,
        " ".join(i.hex() for i in citing), _reason(seen, by), command.event.uid, command.at, WORLD.origin.value,
        json.dumps(told, ensure_ascii=False, sort_keys=True),
    )  # fmt: skip


# --- what has to be the same for a look to hold


def _paths(address: Address, last: Checked | None) -> list[str]:
    """The files that a look at an address was about."""
    if address.kind == "table":
        database = address.place.rpartition("#")[0]
        return [] if "://" in database else [database, f"{database}-wal"]
    if address.kind == "ticket":
        return [address.place.rpartition("#")[0]]
    place = span_of(last.place)[0].split("#", 1)[0] if last is not None and last.place else ""
    return [address.path] if place in ("", address.path) else [address.path, place]


class _Stamps:
    """Sizes, times and places of files, each looked at once; by content where a time may deceive."""

    def __init__(self, world: WorkTree) -> None:
        self._world = world
        self._stats: dict[str, os.stat_result | None] = {}
        self._now = time.time_ns()
        self._around: str | None = None

    def holds(self, address: Address, last: Checked | None) -> bool:
        """Is all that a look saw as it was?"""
        if last is None or not last.stamp or address.kind in _ALWAYS:
            return False
        if last.state == UNKNOWN and address.anchor:
            return False
        stamps, _, around = last.stamp.partition(" @")
        if around and around != self._whole():
            return False
        paths, kept = _paths(address, last), stamps.split(" ")
        return len(paths) == len(kept) and all(self._holds(p, s) for p, s in zip(paths, kept, strict=True))

    def of(self, address: Address, state: str, place: str) -> str:
        """What a look saw."""
        paths = _paths(address, Checked(b"", state, place=place))
        stamps = " ".join(map(self._stamp, paths))
        return f"{stamps} @{self._whole()}" if state in BROKEN else stamps or ("" if address.kind in _ALWAYS else "-")

    def _holds(self, path: str, stamp: str) -> bool:
        return self._content(path) == stamp if stamp.startswith("#") else _stamp(self._stat(path)) == stamp

    def _stamp(self, path: str) -> str:
        at = self._stat(path)
        is_racy = at is not None and self._now - at.st_mtime_ns < _RACY_NS
        return self._content(path) if is_racy else _stamp(at)

    def _content(self, path: str) -> str:
        try:
            data = self._world.now(path)
        except CannotLookError:
            data = None
        return f"#{hash128(data).hex()}"

    def _stat(self, path: str) -> os.stat_result | None:
        if path not in self._stats:
            try:
                self._stats[path] = os.lstat(self._world.full(path))
            except (OSError, ValueError):
                self._stats[path] = None
        return self._stats[path]

    def _whole(self) -> str:
        """All that may hold what is gone from where it was: the commit, and what is not committed."""
        if self._around is None:
            paths = sorted({*self._world.git.dirty(), *self._world.git.untracked()})
            self._around = hash128(self._world.head or "", *(f"{p} {self._stamp(p)}" for p in paths)).hex()
        return self._around


def _stamp(at: os.stat_result | None) -> str:
    return f"{at.st_size}.{at.st_mtime_ns}.{at.st_ino}" if at is not None else "-"
