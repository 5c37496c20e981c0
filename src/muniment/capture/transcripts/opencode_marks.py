"""What an adapter remembers of a database whose rows are edited in place: how far it read, and what it left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

_OVERLAP = 10_000
"""Milliseconds. A writer waits up to five seconds for the lock, after it has taken the time for its row."""

_MOST = 4_096


@dataclass(slots=True)
class Marks:
    """Rows up to `floor` (time of update, id) are done with; of those after it `seen` holds time and digest by id."""

    floor: tuple[int, str] = (-1, "")
    seen: dict[str, tuple[int, str]] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    reached: tuple[int, str] = (-1, "")
    newer: dict[str, str] = field(default_factory=dict)
    """Sessions of the later layout, by a stamp of each."""

    @classmethod
    def load(cls, state: Mapping[str, Any]) -> Marks:
        """The marks of a cursor; a state that is not ours is none, so that everything is read again."""
        try:
            time, part_id = state["floor"]
            floor = int(time), str(part_id)
            seen = {str(k): (int(t), str(d)) for k, (t, d) in state["seen"].items()}
            newer = {str(k): str(v) for k, v in state.get("newer", {}).items()}
            return cls(floor, seen, [str(w) for w in state["waiting"]], floor, newer)
        except (KeyError, TypeError, ValueError, AttributeError):
            return cls()

    def state(self) -> dict[str, Any]:
        """For the cursor: JSON values only."""
        seen = {part_id: list(mark) for part_id, mark in self.seen.items()}
        state = {"floor": list(self.floor), "seen": seen, "waiting": self.waiting}
        return {**state, "newer": dict(self.newer)} if self.newer else state

    def fresh(self, part_id: str, time: int, raw: bytes) -> bool:
        """Is this content of the row new? Remembers it."""
        # The digest, because a row may be edited twice within one millisecond.
        digest = blake2b(raw, digest_size=8).hexdigest()
        known = self.seen.get(part_id)
        self.seen[part_id] = (time, digest)
        self.reached = max(self.reached, (time, part_id))
        return known is None or known[1] != digest

    def settle(self, written_ms: int) -> None:
        """Forget what is too old to be joined by a late row.

        The file's own time bounds it: one row with a time in the future must not hide all that follow.
        """
        limit = min(self.reached[0], written_ms) - _OVERLAP
        marks = sorted((time, part_id) for part_id, (time, _) in self.seen.items())
        spare = len(marks) - _MOST
        old = [mark for n, mark in enumerate(marks) if mark[0] < limit or n < spare]
        for mark in old:
            del self.seen[mark[1]]
        self.floor = max([self.floor, *old])

    def wait(self, part_id: str, is_open: bool) -> None:
        """Keep or drop a row among those that only their message can close."""
        if is_open and part_id not in self.waiting:
            self.waiting.append(part_id)
        elif not is_open and part_id in self.waiting:
            self.waiting.remove(part_id)
