"""A store as it would be without one turn: how a question that was asked in it can be asked of the rest of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeVar

from muniment.model.stored import Around, Position, Sought, Speakers, Spread, Turn
from muniment.recall.lanes.contract import Reach, W

_Value = TypeVar("_Value")


class Hidden:
    """What lanes may ask, with one event left out of every answer."""

    def __init__(self, reach: Reach, hidden: int) -> None:
        self._reach = reach
        self._hidden = hidden
        self._turn = reach.turns([hidden]).get(hidden)
        self._is_person = self._turn is not None and self._turn.speaker in reach.speakers().persons

    def stems(self, text: str) -> list[str]:
        """As the index has them."""
        return self._reach.stems(text)

    def stems_of(self, word: str) -> list[str]:
        """As the index has them."""
        return self._reach.stems_of(word)

    def extent(self) -> tuple[int, int]:
        """One turn less, and its words."""
        turns, uses = self._reach.extent()
        return (turns, uses) if self._turn is None else (turns - 1, max(uses - self._turn.words, 0))

    def spread(self, stem: str) -> Spread:
        """Without what the turn has of it."""
        found = self._reach.spread(stem)
        uses = self._reach.postings(stem).get(self._hidden, 0) if found.turns else 0
        if not uses:
            return found
        return Spread(found.turns - 1, found.person - self._is_person, found.uses - uses)

    def postings(self, stem: str) -> Mapping[int, int]:
        """Without the turn."""
        return self._less(self._reach.postings(stem))

    def count_beginning(self, start: str) -> int:
        """At most so many: the turn may be among them."""
        return self._reach.count_beginning(start)

    def postings_beginning(self, start: str) -> Mapping[int, int]:
        """Without the turn."""
        return self._less(self._reach.postings_beginning(start))

    def newest(self, expression: str, cap: int, share: float = 1.0) -> list[int]:
        """Without the turn."""
        return [n for n in self._reach.newest(expression, cap + 1, share) if n != self._hidden][:cap]

    def rarest(self, index: Literal["work", "fact"], text: str, most: int) -> Sought | None:
        """As the indexes of work and facts have them."""
        return self._reach.rarest(index, text, most)

    def holds_work(self, event: int, expression: str) -> bool:
        """Turns are no work."""
        return self._reach.holds_work(event, expression)

    def work(self, sought: Sought, cap: int) -> list[tuple[int, float]]:
        """Turns are no work."""
        return self._reach.work(sought, cap)

    def turns(self, events: Iterable[int]) -> Mapping[int, Turn]:
        """Without the turn."""
        return self._less(self._reach.turns(events))

    def around(self, turns: Iterable[int], count: int) -> Mapping[int, Around]:
        """Without the turn, so that its neighbours are one fewer."""
        found = self._less(self._reach.around(turns, count))
        return {event: Around(self._rest(a.before), a.turn, self._rest(a.after)) for event, a in found.items()}

    def windows(self, turns: Iterable[int], count: int, made: Callable[[Around], W]) -> Mapping[int, W]:
        """Made of what is left of each; not remembered, since another turn is hidden soon."""
        return {event: made(around) for event, around in self.around(turns, count).items()}

    def _rest(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        return tuple(turn for turn in turns if turn.event != self._hidden)

    def speakers(self) -> Speakers:
        """Everybody, with their turns as they are."""
        return self._reach.speakers()

    def said_between(self, since: str, until: str, cap: int) -> list[int]:
        """Without the turn."""
        return [n for n in self._reach.said_between(since, until, cap) if n != self._hidden]

    def positions(self, events: Iterable[int]) -> Mapping[int, Position]:
        """As they are."""
        return self._reach.positions(events)

    def facts_with(self, sought: Sought, cap: int, *, told: bool = True) -> list[tuple[int, int, float]]:
        """Without the facts that were drawn from the turn."""
        return [row for row in self._reach.facts_with(sought, cap, told=told) if row[0] != self._hidden]

    def facts_about(self, name: str, cap: int) -> list[tuple[int, int]]:
        """Without the facts that were drawn from the turn."""
        return [row for row in self._reach.facts_about(name, cap) if row[0] != self._hidden]

    def _less(self, found: Mapping[int, _Value]) -> Mapping[int, _Value]:
        return {n: value for n, value in found.items() if n != self._hidden} if self._hidden in found else found
