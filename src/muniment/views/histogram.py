"""Counts along a line, as text: one row a step, with a bar, and a rule where something cuts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_BAR, _ROWS = 40, 32


def lines(counts: Mapping[float, int], width: float, cut: float, name: str) -> Iterator[str]:
    """`counts` by the lower edge of steps so wide. Steps are put together until they fit a screen."""
    if not counts:
        return
    low, high = min(counts), max(counts)
    step = width
    while (high - low) / step >= _ROWS:
        step *= 2
    first = low // step * step
    rows = [first + n * step for n in range(int((high - first) // step) + 1)]
    sums = [sum(count for edge, count in counts.items() if row <= edge < row + step) for row in rows]
    is_cut = False
    for row, count in zip(rows, sums, strict=True):
        if not is_cut and cut < row + step / 2:
            is_cut = True
            yield f"{cut:8.2f} {'':>7}  -- {name}"
        bar = "#" * -(-count * _BAR // max(sums))
        yield f"{row:8.2f} {count:7}  {bar}".rstrip()
    if not is_cut:
        yield f"{cut:8.2f} {'':>7}  -- {name}"
