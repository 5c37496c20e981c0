"""The verb `diff`: what changed in what we believe between two moments.

Both are moments of knowing: what had been said and decided by then, as it was held to be true at that time.
"""

from __future__ import annotations

from dataclasses import dataclass

from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.engine.wording import start as instant
from muniment.errors import UsageError
from muniment.model.vocabulary import VOCABULARY

_WHOLE = 1 << 40
_STATES = "p:" + ",".join(name for name, verb in VOCABULARY.items() if verb.state)
_COLUMNS = 9


@dataclass(frozen=True, slots=True)
class Belief:
    """A statement that held at one of the moments: its row, without the marks."""

    id: str
    predicate: str
    subject: str
    value: str
    receipt: str
    since: str


@dataclass(frozen=True, slots=True)
class Change:
    """One question that was answered in another way: what it was before, what it was after; one of them may be nothing."""

    before: tuple[Belief, ...]
    after: tuple[Belief, ...]

    @property
    def kind(self) -> str:
        """new, gone or changed."""
        return "changed" if self.before and self.after else "new" if self.after else "gone"


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed from one moment to another, by subject and predicate."""

    start: str
    end: str
    changes: tuple[Change, ...]
    same: int
    is_partial: bool
    """Was there more than is compared at once? Then a narrower selector tells the rest."""


def diff(engine: Engine, start: str, end: str, selector: str = "") -> Diff:
    """What was believed at `start` and at `end` and is not the same. `selector` narrows what is compared.

    UsageError where a time makes no sense, or the first is not before the second.
    """
    first, second = instant(engine, start) or "", instant(engine, end) or ""
    if not first or not first < second:
        raise UsageError("the first moment must be before the second", hint="--from EARLIER --to LATER", about=start)
    (before, cut), (after, cut_too) = (_held(engine, selector, at) for at in (first, second))
    keys = sorted({*before, *after})
    changes = [
        Change(_only(before.get(key, {}), after.get(key, {})), _only(after.get(key, {}), before.get(key, {})))
        for key in keys
        if set(before.get(key, {})) != set(after.get(key, {}))
    ]
    same = sum(len(set(before.get(key, {})) & set(after.get(key, {}))) for key in keys)
    return Diff(first, second, tuple(changes), same, cut or cut_too)


Held = dict[tuple[str, str], dict[str, Belief]]
"""By (subject, predicate with topic), then by value."""


def _held(engine: Engine, selector: str, at: str) -> tuple[Held, bool]:
    found: Held = {}
    answer = query(engine, f"{selector} {_STATES}".strip(), _WHOLE, as_of=at, known=at)
    for row in answer.rows:
        cells = row.split("\t", _COLUMNS - 1)
        belief = Belief(cells[7], cells[0], cells[1], cells[2], cells[5], cells[6])
        found.setdefault((belief.subject, belief.predicate), {})[belief.value] = belief
    return found, answer.is_partial or answer.left_out > 0


def _only(these: dict[str, Belief], others: dict[str, Belief]) -> tuple[Belief, ...]:
    return tuple(belief for value, belief in sorted(these.items()) if value not in others)
