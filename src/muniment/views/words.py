"""Small pieces of text that several views share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo

from muniment.model.time import local
from muniment.views.rows import escaped

_SECOND, _MINUTE, _HOUR = 1000, 60_000, 3_600_000


def size(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, cap: int) -> tuple[str, tuple[str, ...]]:
    """The text on one line, at most `cap` characters of it, and the mark that says how much is missing."""
    missing = len(text) - cap
    return (escaped(text), ()) if missing <= 0 else (escaped(text[:cap]), (f"cut:+{missing}",))


def day_and_time(at: str, zone: tzinfo) -> str:
    """`2026-03-05 14:00:09+01:00` in the reader's zone."""
    return local(at, zone)


def clock(at: str, zone: tzinfo) -> str:
    """`14:00:09` in the reader's zone."""
    return local(at, zone)[11:19]


def between(start: str, end: str | None, zone: tzinfo) -> str:
    """A range of time for people; open where it has no end."""
    return f"{local(start, zone)} to {local(end, zone) if end is not None else 'now'}"


def length(ms: int) -> str:
    """`240 ms`, `1.2 s`, `3 min`, `2.5 h`."""
    if ms < _SECOND:
        return f"{ms} ms"
    if ms < _MINUTE:
        return f"{ms / _SECOND:.1f} s"
    return f"{ms / _MINUTE:.0f} min" if ms < _HOUR else f"{ms / _HOUR:.1f} h"


def counted(n: int, one: str, many: str = "") -> str:
    """`1 session`, `3 sessions`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def fitted(lines: Iterable[str], budget: int) -> tuple[list[str], int]:
    """The lines that fit one after the other into so many bytes (each with its line end), and the bytes left."""
    taken = []
    for line in lines:
        need = size(line) + 1
        if need > budget:
            break
        taken.append(line)
        budget -= need
    return taken, budget


def within(lines: Sequence[str], budget: int | None) -> tuple[str, int]:
    """The lines within the budget (None: all of them) with a last one that counts the others, and how many those are."""
    if budget is None:
        return "".join(f"{line}\n" for line in lines), 0
    shown, _ = fitted(lines, budget)
    while shown and (left := len(lines) - len(shown)):
        trailer = f"-- {counted(left, 'more line')}"
        if sum(size(line) + 1 for line in shown) + size(trailer) + 1 <= budget:
            return "".join(f"{line}\n" for line in (*shown, trailer)), left
        if len(shown) == 1:
            break
        shown.pop()
    return "".join(f"{line}\n" for line in shown), len(lines) - len(shown)
