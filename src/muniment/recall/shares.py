"""No outside source crowds out the rest: of an answer's ten or more places at most a tenth go to each.

Outside is what came from the web, out of a repository, from another agent or by an import that nobody vouches for. What
waits is not lost: it is counted with what did not fit, and comes with the parts of the answer that follow. Where nothing
else is left, an answer has at most nine places of it.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from muniment.model.event import OUTSIDE

__all__ = ["OUTSIDE", "PART", "fair", "is_crowded"]

PART = 10
"""One place in this many; below so many places nothing is held back."""

T = TypeVar("T")


def is_crowded(origins: Sequence[str]) -> bool:
    """Is there a beginning of ten places or more, of which one outside source has more than a tenth?"""
    held: Counter[str] = Counter()
    for place, origin in enumerate(origins, 1):
        if origin in OUTSIDE:
            held[origin] += 1
        if place >= PART and any(count * PART > place for count in held.values()):
            return True
    return False


def fair(ranked: Iterable[T], origin: Callable[[T], str]) -> Iterator[T]:
    """The same in the order in which they may fill an answer: each outside one not before its source has a place left.

    Where all others are shown, so many of what waits follow that there are nine; then, or when no source has a place
    left, it ends.
    """
    line = _Line()
    for each in ranked:
        yield from line.due()
        source = origin(each)
        if source not in OUTSIDE or line.has_place(source):
            line.place(source)
            yield each
        else:
            line.wait(source, each)
    if line.places >= PART - 1:
        yield from line.due()
        return
    yield from (line.first(line.waiting) for _ in range(min(PART - 1 - line.places, line.length)))


class _Line:
    """Who waits, by source, in the order of rank; and how many places are taken."""

    def __init__(self) -> None:
        self.places = self.length = 0
        self.waiting: dict[str, deque[tuple[int, Any]]] = {}
        self._held: Counter[str] = Counter()
        self._number = 0

    def has_place(self, source: str) -> bool:
        """Would the next place still leave this source with no more than its part?"""
        return (self._held[source] + 1) * PART <= self.places + 1

    def place(self, source: str) -> None:
        """The next place is taken."""
        self.places += 1
        self._held[source] += 1

    def wait(self, source: str, each: Any) -> None:
        """It has to."""
        self.waiting.setdefault(source, deque()).append((self._number, each))
        self._number += 1
        self.length += 1

    def due(self) -> Iterator[Any]:
        """Those whose turn it is, the best first."""
        while able := [source for source, line in self.waiting.items() if line and self.has_place(source)]:
            source = min(able, key=lambda s: self.waiting[s][0][0])
            self.place(source)
            yield self.first([source])

    def first(self, sources: Iterable[str]) -> Any:
        """The best of those of these sources, who waits no longer."""
        best = min((s for s in sources if self.waiting[s]), key=lambda s: self.waiting[s][0][0])
        self.length -= 1
        return self.waiting[best].popleft()[1]
