"""Rows as a Markdown list, each with its receipt."""

from __future__ import annotations

import re
from collections.abc import Iterable

from muniment.views.rows import COLUMNS

_ACTIVE = re.compile(r"([\\`*_\[\]<>#|!~])")


def listing(rows: Iterable[str], trailer: str = "") -> str:
    """One item a row: what it says, since when, its marks, receipt and id as code. `trailer` closes the list."""
    items = [_item(row.split("\t", len(COLUMNS) - 1)) for row in rows]
    tail = f"\n{plain(trailer)}\n" if trailer else ""
    return "".join(f"{item}\n" for item in items) + (tail if items else tail.lstrip())


def _item(cells: list[str]) -> str:
    predicate, subject, value, rung, role, receipt, valid_from, id_, marks = cells
    said = f"- **{plain(predicate)}** {plain(value)} ({plain(subject)}; {role}, rung {rung}, since {valid_from})"
    marked = f" *{plain(marks)}*" if marks else ""
    return f"{said}{marked} {code(receipt)} {code(id_)}"


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _ACTIVE.sub(r"\\\1", text)


def code(text: str) -> str:
    """Code that survives backticks inside: the fence is longer than any run of them."""
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * (max(runs, default=0) + 1)
    return f"{fence} {text} {fence}" if runs else f"`{text}`"
