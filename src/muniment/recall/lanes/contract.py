"""What a lane is, and what it may ask of a store.

A lane ranks events by one kind of evidence and knows nothing of the other lanes. To add one, write a file with a class that
has a `name` and a `rank`, and name it in `lanes.registry`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from muniment.model.stored import Speaker, Turn


class Range(NamedTuple):
    """A time that the question names, [since, until). `is_year_open`: the same days of any year may be meant."""

    since: str
    until: str
    is_year_open: bool


class Term(NamedTuple):
    """One word of a question in all its forms, which count as one; words that only keep talk going weigh less."""

    forms: tuple[str, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question, or one part of it, as lanes read it.

    `pairs` are words that stand side by side in it. `wants_many`: it asks for several things, which stand in several places.
    """

    words: str
    terms: tuple[Term, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    is_first_person: bool = False
    wants_many: bool = False
    named: tuple[str, ...] = ()
    ranges: tuple[Range, ...] = ()
    shape: str = "other"


class Reach(Protocol):
    """What lanes may ask: words to events, turns to neighbours, events to facts. One snapshot, no writing."""

    def stems(self, text: str) -> list[str]:
        """The words of a text as the index of turns holds them, in order."""
        ...

    def extent(self) -> tuple[int, float]:
        """How many turns there are, and how many words one has on average."""
        ...

    def count(self, stem: str) -> int:
        """How many turns hold a word."""
        ...

    def postings(self, stem: str) -> Mapping[int, int]:
        """The turns that hold a word, and how often each does."""
        ...

    def count_beginning(self, start: str) -> int:
        """How many turns hold words that begin so, at most."""
        ...

    def postings_beginning(self, start: str) -> Mapping[int, int]:
        """The turns that hold words that begin so, and how often."""
        ...

    def newest(self, expression: str, cap: int) -> list[int]:
        """At most `cap` turns that match a full-text expression, those archived last first."""
        ...

    def rarest(self, index: Literal["work", "fact"], text: str, most: int) -> str | None:
        """A full-text expression of the rarest words of a text that stand in an index at all; None if none does."""
        ...

    def work(self, expression: str, cap: int) -> list[tuple[int, float]]:
        """At most `cap` tool calls and results that match, best first, with their score."""
        ...

    def turns(self, events: Iterable[int]) -> Mapping[int, Turn]:
        """The turns among these events."""
        ...

    def around(self, turns: Iterable[int], count: int) -> Mapping[int, Sequence[int]]:
        """For each turn, up to `count` turns before and after it in its session, in order."""
        ...

    def speakers(self) -> list[Speaker]:
        """Everybody who has turns."""
        ...

    def said_between(self, since: str, until: str, cap: int) -> list[int]:
        """At most `cap` turns said within a range of time, the latest first."""
        ...

    def order_times(self, events: Iterable[int]) -> Mapping[int, str]:
        """When each event was said or done."""
        ...

    def facts_with(self, expression: str, cap: int) -> list[tuple[int, int, float]]:
        """(event, fact, score) of at most `cap` open facts that match a full-text expression, best first."""
        ...

    def facts_about(self, name: str, cap: int) -> list[tuple[int, int]]:
        """(event, fact) of at most `cap` open facts about the entity of that name, the newest first."""
        ...


Scores = dict[int, float]
"""Event number to score; what is not in it was not found by the lane."""


@dataclass(slots=True)
class Ranked:
    """What one lane found. `is_partial` says that common words were looked up among the newest turns alone; `unknown` are
    words that stand nowhere, `facts` the facts that made it find an event."""

    scores: Scores = field(default_factory=dict)
    is_partial: bool = False
    unknown: tuple[str, ...] = ()
    facts: Mapping[int, int] = field(default_factory=dict)


class Lane(Protocol):
    """One kind of evidence."""

    name: str

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:
        """The events that this lane has found, each with a score above 0, the greater the better.

        `found` is what lanes before it found, for lanes that only weigh.
        """
        ...
