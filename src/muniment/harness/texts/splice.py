"""One change of a text, and its undoing in a text that somebody may have edited since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_NEAR = 48
"""Characters on each side by which a change is found again."""


@dataclass(frozen=True, slots=True)
class Splice:
    """`removed` stood at `start`, `inserted` stands there now, between `before` and `after`."""

    start: int
    removed: str
    inserted: str
    before: str = ""
    after: str = ""


def splice(text: str, start: int, end: int, inserted: str) -> Splice:
    """The change that puts `inserted` in the place of what stands from `start` to `end`."""
    near = text[max(0, start - _NEAR) : start], text[end : end + _NEAR]
    return Splice(start, text[start:end], inserted, *near)


def applied(text: str, changes: Iterable[Splice]) -> str:
    """The text with the changes made, one after the other."""
    for change in changes:
        text = text[: change.start] + change.inserted + text[change.start + len(change.removed) :]
    return text


def unapplied(text: str, changes: Sequence[Splice]) -> str | None:
    """The text without the changes, each found by what stands around it; None if one of them is not found for sure."""
    for change in reversed(changes):
        start = _found(text, change)
        if start is None:
            return None
        text = text[:start] + change.removed + text[start + len(change.inserted) :]
    return text


def _found(text: str, change: Splice) -> int | None:
    """Where the change stands: with as much of its surroundings as is still there, and nowhere else."""
    for near in (_NEAR, 16, 4, 0):
        before = change.before[max(0, len(change.before) - near) :]
        sought = before + change.inserted + change.after[:near]
        if not sought or (near == 0 and len(change.inserted) < _NEAR):
            return None
        first = text.find(sought)
        if first >= 0:
            return first + len(before) if text.find(sought, first + 1) < 0 else None
    return None
