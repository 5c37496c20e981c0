"""Rows of scoped SQL as text: tab separated under a line of names, every value on its line and nothing in it a command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.views.rows import escaped

Value = str | int | float | bytes | None


def text(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """The names, then a line for each row; nothing where there are no columns."""
    lines = ["\t".join(map(escaped, columns)), *("\t".join(map(cell, row)) for row in rows)]
    return "".join(f"{line}\n" for line in lines)


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
