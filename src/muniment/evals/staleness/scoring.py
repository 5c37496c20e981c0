"""What facts cited, what became of it, and what was said of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Cited(NamedTuple):
    """A fact: its text, the address, the path and when (seconds) it was cited; `is_endangered` is the truth at B."""

    text: str
    address: str
    kind: str
    path: str
    at: float
    is_endangered: bool
    is_put_back: bool = False
    """Sound, though its lines were changed and changed back in between."""


@dataclass(frozen=True, slots=True)
class Score:
    """Counts: endangered facts that were flagged and not, sound ones that were flagged and not, and those nobody can say of."""

    hit: int = 0
    missed: int = 0
    false: int = 0
    right: int = 0
    unknown: int = 0

    @property
    def recall(self) -> float:
        """Of the endangered ones, how many were flagged."""
        return self.hit / (self.hit + self.missed) if self.hit + self.missed else 1.0

    @property
    def false_flags(self) -> float:
        """Of the sound ones, how many were flagged."""
        return self.false / (self.false + self.right) if self.false + self.right else 0.0

    def __add__(self, other: Score) -> Score:
        return Score(*(a + b for a, b in zip(_counts(self), _counts(other), strict=True)))


def _counts(score: Score) -> tuple[int, int, int, int, int]:
    return score.hit, score.missed, score.false, score.right, score.unknown


def score(facts: Iterable[Cited], flagged: frozenset[str], unknown: frozenset[str] = frozenset()) -> Score:
    """How flags, by the text of facts, compare with the truth."""
    hit = missed = false = right = open_ = 0
    for fact in facts:
        if fact.text in unknown:
            open_ += 1
        elif fact.is_endangered:
            hit, missed = (hit + 1, missed) if fact.text in flagged else (hit, missed + 1)
        else:
            false, right = (false + 1, right) if fact.text in flagged else (false, right + 1)
    return Score(hit, missed, false, right, open_)


def by_age(facts: Sequence[Cited], touched: dict[str, float]) -> frozenset[str]:
    """Prune by age, at the threshold that does best on this very truth: the oldest go, by how long ago the file was touched."""
    aged = sorted(facts, key=lambda f: (touched.get(f.path, f.at), f.text))
    best, chosen = -1.0, 0
    for cut in range(len(aged) + 1):
        found = score(facts, frozenset(f.text for f in aged[:cut]))
        if found.recall - found.false_flags > best:
            best, chosen = found.recall - found.false_flags, cut
    return frozenset(f.text for f in aged[:chosen])
