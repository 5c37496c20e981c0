"""A second opinion on settling: one key drawn on a ruler of whole moments, instead of cut and joined as intervals.

Every value that holds is a block of moments. A statement looks which blocks it meets, and either paints over them or
may not. Written from the rules in words and on purpose without the product's algebra of ends; `HORIZON` is for ever.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import NamedTuple

HORIZON = 100
CLASS = {"person": 3, "tool": 2, "model": 1, "agent": 1, "repository": 1, "web": 0, "import": 0, "harness": 0}


class Said(NamedTuple):
    """A statement. `name` is its event and place: it breaks ties of time and is what rulings refer to."""

    at: int
    name: str
    origin: str
    value: str
    is_firm: bool = True
    since: int | None = None
    until: int | None = None

    @property
    def weight(self) -> tuple[bool, int]:
        return self.is_firm, CLASS[self.origin]


class Ruled(NamedTuple):
    """A ruling: retract, restore, suspect, clear or end. `names` narrows it to some statements; empty means all."""

    at: int
    kind: str
    value: str
    origin: str = "person"
    names: frozenset[str] = frozenset()


@dataclass
class Block:
    """Moments in which a value holds, without a gap, and who says so."""

    value: str
    moments: range
    members: list[Said] = field(default_factory=list)

    def shown(self) -> Said:
        by_age = sorted(self.members, key=lambda s: (s.at, s.name))
        return max(by_age, key=lambda s: s.weight)  # of equals, max keeps the first

    def seen(self) -> tuple[int, int | None, str, tuple[str, ...]]:
        end = self.moments.stop
        return (
            self.moments.start,
            None if end > HORIZON else end,
            self.value,
            tuple(sorted(s.name for s in self.members)),
        )


def has_right(new: str, old: str) -> bool:
    return new == "person" if old == "person" else CLASS[new] >= CLASS[old]


def may_end(new: Said, old: Said, world: bool) -> bool:
    if old.is_firm and not new.is_firm:
        return False
    return has_right(new.origin, old.origin) or (world and (new.origin, old.origin) == ("tool", "person"))


def concerns(ruling: Ruled, said: Said) -> bool:
    named = not ruling.names or said.name in ruling.names
    return ruling.value == said.value and ruling.at >= said.at and named and has_right(ruling.origin, said.origin)


def is_ruled(said: Said, rulings: list[Ruled], kind: str, undone: str) -> bool:
    """Is the statement retracted (or suspect)? Who is overruled stays so unless one with the right speaks again."""
    holds, by = False, ""
    for ruling in sorted((r for r in rulings if concerns(r, said)), key=lambda r: (r.at, r.kind == kind)):
        if ruling.kind in (kind, undone) and (not by or has_right(ruling.origin, by)):
            holds, by = ruling.kind == kind, ruling.origin
    return holds


def settle(said: list[Said], ruled: list[Ruled], known: int | None = None, world: bool = True) -> list[Block]:
    """The blocks, in the order of time."""
    rulings = [r for r in ruled if known is None or r.at <= known]
    blocks: list[Block] = []
    for s in sorted(said, key=lambda s: (s.at, s.name)):
        if (known is None or s.at <= known) and not is_ruled(s, rulings, "retract", "restore"):
            blocks = _told(blocks, s, [r.at for r in rulings if r.kind == "end" and concerns(r, s)], world)
    return sorted(blocks, key=lambda b: b.moments.start)


def _told(blocks: list[Block], s: Said, ends: list[int], world: bool) -> list[Block]:
    start = s.at if s.since is None else s.since
    stop = min([HORIZON + 1, *ends, *([] if s.until is None else [s.until]), *_walls(blocks, s, start, world)])
    painted = range(start, stop)
    met = [b for b in blocks if _overlap(b.moments, painted)]
    same = [b for b in met if b.value == s.value]
    if not painted:
        return blocks
    if not all(may_end(s, b.shown(), world) for b in met if b.value != s.value):
        if same:
            max(same, key=lambda b: b.moments.start).members.append(s)
        return blocks
    joined = range(
        min(b.moments.start for b in [*same, Block("", painted)]),
        max(b.moments.stop for b in [*same, Block("", painted)]),
    )
    rest = [piece for b in met if b.value != s.value for piece in _around(b, joined)]
    return [
        *(b for b in blocks if b not in met),
        *rest,
        Block(s.value, joined, [m for b in same for m in b.members] + [s]),
    ]


def _walls(blocks: list[Block], s: Said, start: int, world: bool) -> list[int]:
    """Where a block begins later that does not give way: one that may not be ended, or a plan as weighty as this."""
    found = []
    for b in blocks:
        begins = b.moments.start
        if begins > start and begins > s.at:
            is_plan = any(m.since == begins for m in b.members)
            if not may_end(s, b.shown(), world) or (is_plan and s.weight <= b.shown().weight):
                found.append(begins)
    return found


def _overlap(a: range, b: range) -> bool:
    return max(a.start, b.start) < min(a.stop, b.stop)


def _around(b: Block, hole: range) -> list[Block]:
    """What is left of a block on both sides of a hole."""
    sides = (
        range(b.moments.start, min(b.moments.stop, hole.start)),
        range(max(b.moments.start, hole.stop), b.moments.stop),
    )
    return [Block(b.value, side, list(b.members)) for side in sides if side]


def as_of(blocks: list[Block], moment: int) -> str | None:
    """The value that holds at a moment."""
    return next((b.value for b in blocks if moment in b.moments), None)


# --- histories ------------------------------------------------------------------------------------------------------


def history(rng: random.Random) -> tuple[list[Said], list[Ruled]]:
    """Up to eight statements of three values by everybody, with plans, backdatings, ends and rulings."""
    said = [_said(rng, f"e{i}") for i in range(rng.randint(1, 8))]
    ruled = [_ruled(rng, said) for _ in range(rng.choice([0, 0, 1, 2, 4]))]
    return said, ruled


def _said(rng: random.Random, name: str) -> Said:
    at = rng.randint(1, 30)
    since = rng.choice([None, None, None, rng.randint(0, at), at + rng.randint(1, 5)])
    begin = at if since is None else since
    until = rng.choice([None, None, begin + rng.randint(1, 9)])
    return Said(at, name, rng.choice(list(CLASS)), rng.choice("ABC"), rng.random() < 0.7, since, until)


def _ruled(rng: random.Random, said: list[Said]) -> Ruled:
    kind = rng.choice(["retract", "retract", "restore", "end", "suspect", "clear"])
    names = rng.choice([frozenset[str](), frozenset[str](), frozenset({rng.choice(said).name})])
    return Ruled(
        rng.randint(1, 30), kind, rng.choice("ABC"), rng.choice(["person", "person", "tool", "agent", "import"]), names
    )


# --- what an answer shows -------------------------------------------------------------------------------------------


def contested(blocks: list[Block]) -> list[Block]:
    """The pair that is shown until a person speaks again: a person's state that a tool ended, and what holds now."""
    theirs = [i for i, b in enumerate(blocks) if any(m.origin == "person" for m in b.members)]
    if not theirs or theirs[-1] == len(blocks) - 1 or blocks[-1].moments.stop <= HORIZON:
        return []
    last, after = blocks[theirs[-1]], blocks[theirs[-1] + 1]
    was_ended = last.moments.stop == after.moments.start and any(m.origin == "tool" for m in after.members)
    own_end = any(m.until == last.moments.stop for m in last.members)
    return [last, blocks[-1]] if was_ended and not own_end and last.value != blocks[-1].value else []


def shown_at(blocks: list[Block], ruled: list[Ruled], moment: int, known: int | None) -> set[tuple[str, str]]:
    """(value, standing) of what an answer about a moment shows."""
    rulings = [r for r in ruled if known is None or r.at <= known]
    held = [b for b in blocks if moment in b.moments]
    said = {b.value for b in held}  # what is in force again by then is not shown beside itself
    pair = [b for b in contested(blocks) if b.moments.start <= moment and b.value not in said]
    return {(b.value, standing(b, rulings)) for b in [*held, *pair]}


def standing(block: Block, rulings: list[Ruled]) -> str:
    best = block.shown()
    equals = [m for m in block.members if m.is_firm == best.is_firm]
    if all(is_ruled(m, rulings, "suspect", "clear") for m in equals):
        return "suspect"
    return "confirmed" if best.is_firm else "hypothesis"
