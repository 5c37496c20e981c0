"""H(q, B): as many rows as fit a budget of bytes, in order, with an honest trailer.

The budget is on the final UTF-8 text, never a byte over. At 0 there is no text, only the handle. What does not fit is
counted, up to a limit. A budget too small for a row and the trailer gives rows first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

COUNT_LIMIT = 1000
SUSPECT_SHARE = 10
"""One part in this many of the budget is kept for suspect rows, if there are any."""

T = TypeVar("T")
Render = Callable[[T], str]


def size(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def fill(firm: Iterator[T], suspect: Iterable[T], render: Render[T], budget: int) -> tuple[list[T], list[str], bool]:
    """Hits and their rows: firm ones first, then suspect ones, of which a tenth of the budget is kept free.

    The third value says whether there was anything that did not fit.
    """
    if budget <= 0:
        return [], [], True
    held, held_rows, held_more = _take(iter(suspect), render, budget // SUSPECT_SHARE)
    kept = sum(size(r) + 1 for r in held_rows)
    hits, rows, more = _take(firm, render, budget - kept)
    if not more and held_more:
        held, held_rows, held_more = _take(iter(suspect), render, budget - sum(size(r) + 1 for r in rows))
    return hits + held, rows + held_rows, more or held_more


def _take(hits: Iterator[T], render: Render[T], budget: int) -> tuple[list[T], list[str], bool]:
    taken: list[T] = []
    rows: list[str] = []
    for hit in hits:
        row = render(hit)
        budget -= (len(row) if row.isascii() else size(row)) + 1
        if budget < 0:
            return taken, rows, True
        taken.append(hit)
        rows.append(row)
    return taken, rows, False


def close(rows: list[str], trailer: Callable[[int], str], budget: int, least: int = 0) -> tuple[str, int]:
    """The text with its trailer, and how many rows it holds. `trailer(n)` is the trailer if n rows are shown.

    `least` is what any trailer takes, where there has to be one: rows that leave no room for that are given up before
    a trailer is made.
    """
    shown = len(rows)
    total = size("\n".join(rows)) + bool(rows)
    while least and shown > 1 and total + least + 1 > budget:
        shown -= 1
        total -= size(rows[shown]) + 1
    end = trailer(shown)
    while end and shown > 1 and total + size(end) + 1 > budget:
        shown -= 1
        total -= size(rows[shown]) + 1
        end = trailer(shown)
    fits = bool(end) and total + size(end) + 1 <= budget
    if not fits:
        shown = len(rows)
    parts = [*rows[:shown], end] if fits else rows
    return "\n".join([*parts, ""]) if parts else "", shown
