"""What a lane is, and what it may ask of a store.

A lane ranks events by one kind of evidence and knows nothing of the other lanes. To add one, write a file with a class that
has a `name` and a `rank`, and name it in `lanes.registry`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class Range(NamedTuple):
    """A time that the question names, [since, until). `is_year_open`: the same days of any year may be meant."""

    since: str
    until: str
    is_year_open: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question, or one part of it, as lanes read it. `terms` are its words, each with its inflections."""

    words: str
    terms: tuple[tuple[str, ...], ...]
    is_first_person: bool = False
    named: tuple[str, ...] = ()
    ranges: tuple[Range, ...] = ()
    shape: str = "other"


class Turn(Protocol):
    """Where a turn stands, whose it is, how many words it has, and whether it only asks."""

    @property
    def event(self) -> int: ...
    @property
    def session(self) -> int: ...
    @property
    def seq(self) -> int: ...
    @property
    def speaker(self) -> int: ...
    @property
    def words(self) -> int: ...
    @property
    def asks(self) -> bool: ...


class Speaker(Protocol):
    """Somebody who has turns; `name` is empty where the source has none."""

    @property
    def n(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def name(self) -> str: ...


class Reach(Protocol):
    """What lanes may ask: words to events, turns to neighbours, events to facts. One snapshot, no writing."""

    def stems(self, text: str) -> list[str]: ...
    def extent(self) -> tuple[int, float]: ...
    def count(self, stem: str) -> int: ...
    def postings(self, stem: str) -> Mapping[int, int]: ...
    def newest(self, expression: str, cap: int) -> list[int]: ...
    def work(self, expression: str, cap: int) -> list[tuple[int, float]]: ...
    def turns(self, events: Iterable[int]) -> Mapping[int, Turn]: ...
    def around(self, turns: Iterable[int], count: int) -> Mapping[int, list[Turn]]: ...
    def speakers(self) -> list[Speaker]: ...
    def said_between(self, since: str, until: str, cap: int) -> list[int]: ...


Scores = dict[int, float]
"""Event number to score; what is not in it was not found by the lane."""


@dataclass(slots=True)
class Ranked:
    """What one lane found. `is_partial` says that common words were looked up among the newest turns alone."""

    scores: Scores = field(default_factory=dict)
    is_partial: bool = False


class Lane(Protocol):
    """One kind of evidence."""

    name: str

    def rank(self, question: Question, reach: Reach) -> Ranked:
        """The events that this lane has found, each with a score above 0, the greater the better."""
        ...
