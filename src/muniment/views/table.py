"""Rows of scoped SQL as text: tab separated under a line of names, every value on its line and nothing in it a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.views.rows import escaped
from muniment.views.words import size

Value = str | int | float | bytes | None


def text(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """The names, then a line for each row; nothing where there are no columns."""
    return "\t".join(map(escaped, columns)) + "\n" + "".join(map(text_of, rows))


def fitted(columns: Sequence[str], rows: Sequence[Sequence[Value]], room: int) -> tuple[str, int]:
    """The same, as far as `room` bytes go, and how many rows that are."""
    told = text(columns, ())
    used = size(told)
    if used > room:
        return "", 0
    lines = [told]
    for row in rows:
        line = text_of(row)
        used += size(line)
        if used > room:
            break
        lines.append(line)
    return "".join(lines), len(lines) - 1


def text_of(row: Sequence[Value]) -> str:
    """One row with its line end."""
    return "\t".join(map(cell, row)) + "\n"


def cell(value: Value) -> str:
    """One value. NULL is empty, as is the empty text."""
    shown = plain(value)
    return "" if shown is None else escaped(shown) if isinstance(shown, str) else str(shown)


def plain(value: Value) -> str | int | float | None:
    """A value as JSON has it: bytes in hexadecimal, and what is no number as text."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):  # noqa: PLR0124 - NaN
        return str(value)
    return value
