"""What a search gets: hits with all that is known of each, and why it is these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muniment.recall.abstention import FLOOR
from muniment.recall.answer import Hit


@dataclass(frozen=True, slots=True)
class Placed:
    """One candidate as fusion ranked it. `id` is a fact's id, or an event's receipt; `lanes` maps a lane to (rank, score)."""

    id: str
    receipt: str
    score: float
    lanes: Mapping[str, tuple[int, float]]
    fate: str = "shown"
    """shown, cut (by the budget or the limit), near-copy:RECEIPT, seen, superseded:ID, or below (the pool)."""


@dataclass(frozen=True, slots=True)
class Explained:
    """How an answer came to be: how the question was read, what each lane brought, what was left out and why."""

    shape: str
    parts: tuple[str, ...]
    terms: tuple[str, ...]
    unknown: tuple[str, ...]
    """Words of the question that stand nowhere in the store."""
    ranges: tuple[tuple[str, str], ...]
    weights: Mapping[str, float]
    placed: tuple[Placed, ...]
    filtered: Mapping[str, int]
    """How many candidates were left out by standing, and by which."""
    signals: Mapping[str, float]
    """What abstention looked at."""
    signal: float | None = None
    """What that comes to; the floor is held against it."""
    floor: float = FLOOR
    is_own_floor: bool = False


@dataclass(frozen=True)
class Finding:
    """The answer to a search, within its budget.

    `reason` is set when nothing is shown, `nearest` is then the hit that came closest. `confidence` (0 to 1) is how likely
    it is that the store holds an answer at all. `left_out` counts what was found and not shown.
    """

    text: str
    hits: tuple[Hit, ...]
    budget: int
    left_out: int = 0
    cursor: str | None = None
    reason: str | None = None
    nearest: Hit | None = None
    confidence: float = 1.0
    is_partial: bool = False
    warnings: tuple[str, ...] = ()
    explained: Explained | None = None
    why_not: str | None = None
    doubt: str | None = None
    """Which words of the question no turn holds; rows are shown all the same."""
    turns: tuple[Hit, ...] = ()
    """Source turns beside the hits, if they were asked for; each has the mark `for:RECEIPT` of its hit."""

    @property
    def bytes(self) -> int:
        """The size of the text in UTF-8."""
        return len(self.text.encode("utf-8"))

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)
