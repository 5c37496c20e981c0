"""`--explain`: how a question was read, what each lane brought, and what became of each candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Protocol

from muniment.views.found import when
from muniment.views.rows import escaped

ROWS = 40
"""Candidates that the table lists; --json has all of them."""
_NOT_FOUND = "-"


class Placed(Protocol):
    """A candidate with its places."""

    @property
    def receipt(self) -> str:
        """Where it stands."""
        ...

    @property
    def id(self) -> str:
        """The fact's id, or the receipt again."""
        ...

    @property
    def score(self) -> float:
        """As fused."""
        ...

    @property
    def lanes(self) -> Mapping[str, tuple[int, float]]:
        """Rank and score in each lane that found it."""
        ...

    @property
    def fate(self) -> str:
        """What became of it."""
        ...


class Account(Protocol):
    """How an answer came to be."""

    @property
    def shape(self) -> str:
        """What the question asks for."""
        ...

    @property
    def parts(self) -> Sequence[str]:
        """Questions that it was taken apart into."""
        ...

    @property
    def terms(self) -> Sequence[str]:
        """Words that were looked for."""
        ...

    @property
    def unknown(self) -> Sequence[str]:
        """Words that stand nowhere."""
        ...

    @property
    def ranges(self) -> Sequence[tuple[str, str]]:
        """Times that it names."""
        ...

    @property
    def weights(self) -> Mapping[str, float]:
        """Of the lanes."""
        ...

    @property
    def filtered(self) -> Mapping[str, int]:
        """Left out by standing."""
        ...

    @property
    def signals(self) -> Mapping[str, float]:
        """What abstention looked at."""
        ...

    @property
    def signal(self) -> float | None:
        """What that comes to."""
        ...

    @property
    def floor(self) -> float:
        """What it has to reach."""
        ...

    @property
    def is_own_floor(self) -> bool:
        """Is the floor from the configuration?"""
        ...

    @property
    def placed(self) -> Sequence[Placed]:
        """Every candidate, in order."""
        ...


def render(account: Account, zone: tzinfo) -> str:
    """The account as text: one line for each side of it, then the table of candidates."""
    lines = [f"{name:<10} {escaped(told)}" for name, told in _sides(account, zone) if told]
    return "".join(f"{line}\n" for line in (*lines, "", *_table(account)))


def _sides(account: Account, zone: tzinfo) -> list[tuple[str, str]]:
    fates = Counter(placed.fate.partition(":")[0] for placed in account.placed)
    return [
        ("shape", account.shape),
        ("parts", "; ".join(account.parts)),
        ("words", " ".join(account.terms)),
        ("unknown", " ".join(account.unknown)),
        ("times", "; ".join(f"{when(a, zone)} to {when(b, zone)}" for a, b in account.ranges)),
        ("weights", _numbers(account.weights)),
        ("signals", _numbers(account.signals)),
        ("floor", _floor(account)),
        ("filtered", _counts(account.filtered)),
        ("fates", _counts(fates)),
    ]


def _floor(account: Account) -> str:
    if account.signal is None:
        return ""
    side = "reaches" if account.signal >= account.floor else "is below"
    return f"{account.signal:.2f} {side} {account.floor:g}, the {'configured' if account.is_own_floor else 'shipped'} floor"


def _numbers(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in sorted(values.items()))


def _counts(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(values.items()))


def _table(account: Account) -> list[str]:
    """One line a candidate: its place, its score, its rank and score in each lane, its fate, and what names it."""
    lanes = sorted({lane for placed in account.placed for lane in placed.lanes})
    rows = [["rank", "score", *lanes, "fate", "receipt", "id"]]
    for rank, placed in enumerate(account.placed[:ROWS], 1):
        found = [_cell(placed.lanes.get(lane)) for lane in lanes]
        id_ = _NOT_FOUND if placed.id == placed.receipt else placed.id
        rows.append([str(rank), f"{placed.score:.4f}", *found, escaped(placed.fate), escaped(placed.receipt), id_])
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    more = len(account.placed) - ROWS
    return [*lines, f"-- {more} more; --json has them"] if more > 0 else lines


def _cell(found: tuple[int, float] | None) -> str:
    return _NOT_FOUND if found is None else f"{found[0]} ({found[1]:.3g})"
