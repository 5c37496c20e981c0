"""How statements about one key of a state predicate settle into intervals.

A pure function of the set of statements and verdicts: order of arrival, repetition and place do not matter. The order
in which statements are taken is (at, tie); who may end whom depends on standing and on the authority of the origin.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from muniment.model.event import AUTHORITY

_FIRM = {"confirmed": 1, "hypothesis": 0}


class Statement(NamedTuple):
    """One saying of a value. `at` is when it was said (running maximum of its session), `tie` its event and place.

    `ref` names the fact it stands for (a confirmation repeats a fact's statement under the confirmer's origin).
    """

    at: str
    tie: bytes
    origin: str
    value: str
    standing: str = "confirmed"
    since: str | None = None
    until: str | None = None
    ref: bytes = b""


class Ruling(NamedTuple):
    """A verdict on one claim: retract, restore, suspect, clear or end (superseded by something of another key); or `doubt`,
    what the world says of the evidence of the facts in `refs`.

    `origin` is the channel of who gave it; it binds only statements that this authority may end. `refs` narrows it to
    some facts of the claim (a whole session or source, say); empty means all.
    """

    at: str
    kind: str
    value: str
    origin: str = "person"
    refs: frozenset[bytes] = frozenset()


class Interval(NamedTuple):
    """[start, end) in which a value held, with every statement that supports it."""

    start: str
    end: str | None
    value: str
    members: tuple[Statement, ...]

    @property
    def shown(self) -> Statement:
        """The statement that represents it: best standing, then authority, then earliest."""
        return min(self.members, key=lambda s: (-_FIRM[s.standing], -AUTHORITY[s.origin], s.at, s.tie))


class Settled(NamedTuple):
    """The outcome: disjoint intervals in time order, and pairs (refused statement, interval it contradicts)."""

    intervals: list[Interval]
    contradictions: list[tuple[Statement, Statement]]


def may_end(new: Statement, old: Statement, world: bool) -> bool:
    """May `new` end `old`? A person's is ended by a person, or by a tool where the predicate is about the world."""
    if _FIRM[new.standing] < _FIRM[old.standing]:
        return False
    return outranks(new.origin, old.origin) or (world and new.origin == "tool" and old.origin == "person")


def outranks(new: str, old: str) -> bool:
    """Has origin `new` the authority to overrule origin `old`?"""
    if old == "person":
        return new == "person"
    return AUTHORITY[new] >= AUTHORITY[old]


def settle(
    statements: Iterable[Statement], rulings: Iterable[Ruling] = (), known: str | None = None, world: bool = True
) -> Settled:
    """The intervals of one key as known at `known` (None: everything that was ever said)."""
    rulings = sorted(r for r in rulings if known is None or r.at <= known)
    intervals: list[Interval] = []
    contradictions: list[tuple[Statement, Statement]] = []
    for s in sorted(statements, key=lambda s: (s.at, s.tie)):
        if (known is None or s.at <= known) and not is_retracted(s, rulings):
            intervals = _take(intervals, _ended(s, rulings), world, contradictions)
    return Settled(intervals, contradictions)


def is_retracted(s: Statement, rulings: Sequence[Ruling]) -> bool:
    """The last retraction or restoration at or after the statement decides; of two at one time, the retraction."""
    return _decided(s, rulings, "retract", "restore")


def is_suspect(s: Statement, rulings: Sequence[Ruling]) -> bool:
    """Suspected after it was said and not confirmed since, or doubted because what it leans on in the world is not there."""
    return _decided(s, rulings, "suspect", "clear") or any(r.kind == "doubt" and s.ref in r.refs for r in rulings)


def is_ended(s: Statement, rulings: Sequence[Ruling]) -> bool:
    """Was something else put in its place?"""
    return any(r.kind == "end" and _binds(r, s) for r in rulings)


def _decided(s: Statement, rulings: Sequence[Ruling], kind: str, undone: str) -> bool:
    """Does the last ruling of two opposite kinds say `kind`? One ruling is overruled only by an authority that may."""
    last = None
    for r in sorted((r for r in rulings if r.kind in (kind, undone)), key=lambda r: (r.at, r.kind == kind)):
        if _binds(r, s) and (last is None or outranks(r.origin, last.origin)):
            last = r
    return last is not None and last.kind == kind


def _binds(r: Ruling, s: Statement) -> bool:
    return r.value == s.value and s.at <= r.at and (not r.refs or s.ref in r.refs) and outranks(r.origin, s.origin)


def _ended(s: Statement, rulings: Sequence[Ruling]) -> Statement:
    ends = [r.at for r in rulings if r.kind == "end" and _binds(r, s)]
    return s._replace(until=min([*ends, s.until] if s.until else ends)) if ends else s


def _take(
    intervals: list[Interval], s: Statement, world: bool, contradictions: list[tuple[Statement, Statement]]
) -> list[Interval]:
    """One more statement; see the rules in the documentation of settling."""
    start = s.since if s.since is not None else s.at
    ahead = [p.start for p in intervals if p.start > max(start, s.at) and _stays(p, s, world)]
    end = min((e for e in (*ahead, s.until) if e is not None), default=None)
    if end is not None and end <= start:
        return intervals
    hit = [p for p in intervals if (p.end is None or p.end > start) and (end is None or p.start < end)]
    same, others = [p for p in hit if p.value == s.value], [p for p in hit if p.value != s.value]
    barred = [p for p in others if not may_end(s, p.shown, world)]
    if barred:
        contradictions.extend((s, p.shown) for p in barred)
        return _support_only(intervals, same, s)
    return _cut([p for p in intervals if p not in hit], others, _merged(same, s, start, end))


def _stays(ahead: Interval, new: Statement, world: bool) -> bool:
    """An interval that begins after `new` was said stays if it may not be ended, or is a plan that `new` does not outweigh."""
    plan = any(m.since == ahead.start for m in ahead.members)
    return not may_end(new, ahead.shown, world) or (plan and _weight(new) <= _weight(ahead.shown))


def _weight(s: Statement) -> tuple[int, int]:
    return _FIRM[s.standing], AUTHORITY[s.origin]


def _support_only(intervals: list[Interval], same: list[Interval], s: Statement) -> list[Interval]:
    if not same:
        return intervals
    grown = same[-1]._replace(members=(*same[-1].members, s))
    return [grown if p is same[-1] else p for p in intervals]


def _merged(same: list[Interval], s: Statement, start: str, end: str | None) -> Interval:
    """The same value again is a support: one interval with all its receipts, never shortened."""
    members = (*itertools.chain.from_iterable(p.members for p in same), s)
    start = min([start, *(p.start for p in same)])
    ends = [p.end for p in same if p.end is not None]
    open_ended = end is None or len(ends) < len(same)
    return Interval(start, None if open_ended or end is None else max([end, *ends]), s.value, members)


def _cut(kept: list[Interval], others: list[Interval], new: Interval) -> list[Interval]:
    for p in others:
        if p.start < new.start:
            kept.append(p._replace(end=new.start))
        if new.end is not None and (p.end is None or p.end > new.end):
            kept.append(p._replace(start=new.end))
    return sorted([*kept, new], key=lambda p: p.start)


def as_of(intervals: Sequence[Interval], at: str) -> Interval | None:
    """The interval that holds at an instant."""
    return next((p for p in intervals if p.start <= at and (p.end is None or at < p.end)), None)
