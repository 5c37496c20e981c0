"""An answer of `query` in which one outside source would take more than its part: laid out again, each source in its turn.

Every source keeps its own place in the handle, so that what has to wait comes later, once, and is counted until then.
Hardly any answer comes here: facts of outside sources are hypotheses, and those stay out unless they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from muniment.engine.handle import Handle, Position
from muniment.model.selector import Selector
from muniment.model.stored import Hit
from muniment.recall import hydrate
from muniment.recall.shares import OUTSIDE, fair

NAMING = frozenset({"origin", "source", "session", "id", "method"})
"""Who names one of these asks for a source, and gets it."""
_SUSPECT = 1

_APART = "~"


def is_named(parsed: Selector) -> bool:
    """Does the question ask for one source by name?"""
    return any(term.key in NAMING and not term.negated for term in parsed.terms)


class Shared:
    """The rows of one question from its handle on, taken class by class: the others, suspects apart, each outside source."""

    def __init__(self, handle: Handle, *, with_suspect: bool) -> None:
        self._handle = handle
        self._with_suspect = with_suspect
        self._known = dict(handle.outside)
        self._met: dict[str, list[Hit]] = {}
        self._behind = 0
        self._rest: Iterator[Hit] = iter(())
        """Rows met that an earlier part of the answer has shown."""

    @property
    def earliest(self) -> Position | None:
        """Where reading has to begin so that nothing that waits is passed over."""
        return _earliest([self._handle.firm, *(at for source, at in self._known.items() if source[0] != _APART)])

    @property
    def earliest_suspect(self) -> Position | None:
        """The same for suspects, where those stand apart."""
        return _earliest([self._handle.suspect, *(at for source, at in self._known.items() if source[0] == _APART)])

    def fill(
        self, firm: Iterator[Hit], suspect: Iterable[Hit], render: Callable[[Hit], str], budget: int
    ) -> tuple[list[Hit], list[str], bool]:
        """As `hydrate.fill`, with no more than its part for each outside source."""
        apart = list(self._fresh(suspect))
        inside = [hit for hit in apart if hit.origin not in OUTSIDE]
        outside = [hit for hit in apart if hit.origin in OUTSIDE]
        self._rest = chain(self._fresh(firm), outside)
        return hydrate.fill(fair(self._rest, lambda hit: hit.origin), inside, render, budget)

    def _fresh(self, hits: Iterable[Hit]) -> Iterator[Hit]:
        for hit in hits:
            source = self._source(hit)
            start = self._handle.suspect if self._is_apart(hit) else self._handle.firm
            after = self._known.get(source, start) if source else start
            if after is not None and (hit.score, hit.id) <= (-after.score, after.id):
                self._behind += 1
                continue
            if source:
                self._met.setdefault(source, []).append(hit)
            yield hit

    def _source(self, hit: Hit) -> str:
        if hit.origin not in OUTSIDE:
            return ""
        return f"{_APART}{hit.origin}" if self._is_apart(hit) else hit.origin

    def passed(self, total: int) -> int:
        """How many of the rows counted from the earliest place were not shown yet. Reads on to the last one shown."""
        for _ in self._rest:
            pass
        return total - self._behind

    def after(self, hits: list[Hit], shown: int) -> Handle:
        """The same question behind the first `shown` of these."""
        handle = self._handle
        taken = hits[:shown]
        firm = _last((h for h in taken if h.origin not in OUTSIDE and not self._is_apart(h)), handle.firm)
        suspect = _last((h for h in taken if h.origin not in OUTSIDE and self._is_apart(h)), handle.suspect)
        given = {hit.id for hit in taken}
        places: dict[str, Position | None] = dict(self._known)
        for source, met in self._met.items():
            start = self._known.get(source, handle.suspect if source[0] == _APART else handle.firm)
            places[source] = _last((h for h in met if h.id in given), start)
        return handle._replace(firm=firm, suspect=suspect, outside=tuple(sorted(places.items())))

    def _is_apart(self, hit: Hit) -> bool:
        return self._with_suspect and hit.band == _SUSPECT


def _last(hits: Iterable[Hit], start: Position | None) -> Position | None:
    last = start
    for hit in hits:
        last = Position(-hit.score, hit.id)
    return last


def _earliest(places: list[Position | None]) -> Position | None:
    known = [place for place in places if place is not None]
    return None if len(known) < len(places) else max(known, key=lambda p: (p.score, _turned(p.id)))


def _turned(id_: bytes) -> bytes:
    """Ids count from the other end than scores do."""
    return bytes(255 - byte for byte in id_)
