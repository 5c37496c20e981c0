"""What a question gets: rows within the budget, and everything that a caller may want to know about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

_COLUMNS = 9
_STANDINGS = frozenset({"suspect", "hypothesis", "superseded", "retracted", "expired"})


@dataclass(frozen=True, slots=True)
class Hit:
    """One fact in an answer; the proof is part of it. `lanes` maps a lane to (rank, score)."""

    id: str
    kind: str
    receipt: str
    text: str
    score: float
    lanes: dict[str, tuple[int, float]]
    origin: str
    role: str
    standing: str
    checked_at: str | None
    marks: tuple[str, ...]
    row: str


class Ranked(Protocol):
    """What an answer needs to know of a row beside its text. The least score comes first."""

    @property
    def score(self) -> int:
        """The rank turned round, in millionths of a halving, as of the reader's clock."""
        ...

    @property
    def origin(self) -> str:
        """How the words came to be."""
        ...


class Found(NamedTuple):
    """A row as hydration made it: its text, and its score (millionths of a halving, as of the reader's clock)."""

    row: str
    score: int
    origin: str
    checked_at: str | None


@dataclass(frozen=True)
class Answer:
    """Rows of facts that are still true, ranked, cut at a byte budget.

    `left_out` counts what did not fit, to 1,000; `left_out_is_exact` says whether that is all. `reason` is set when
    there is nothing to show. `is_partial` says that a row cap ended the walk.
    """

    text: str
    rows: Sequence[str]
    ranked: Sequence[Ranked]
    budget: int
    left_out: int = 0
    left_out_is_exact: bool = True
    cursor: str | None = None
    reason: str | None = None
    is_partial: bool = False

    @property
    def bytes(self) -> int:
        """The size of the text in UTF-8."""
        return len(self.text.encode("utf-8"))

    @cached_property
    def found(self) -> tuple[Found, ...]:
        """The rows with their scores; made when they are looked at, since most answers are printed as they are."""
        return tuple(Found(row, -r.score, r.origin, None) for row, r in zip(self.rows, self.ranked, strict=False))

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        """The rows one by one."""
        return tuple(hit(f, rank) for rank, f in enumerate(self.found, 1))

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.rows)


def hit(found: Found, rank: int) -> Hit:
    """A row as a hit, the `rank`-th of its answer."""
    cells = found.row.split("\t", _COLUMNS - 1)
    marks = tuple(cells[8].split(" ")) if len(cells) == _COLUMNS and cells[8] else ()
    standing = next((m for m in marks if m in _STANDINGS), "confirmed")
    score = 2.0 ** (found.score / 1_000_000)
    lanes = {"prior": (rank, score)}
    return Hit(
        cells[7],
        "fact",
        cells[5],
        cells[2],
        score,
        lanes,
        found.origin,
        cells[4],
        standing,
        found.checked_at,
        marks,
        found.row,
    )
