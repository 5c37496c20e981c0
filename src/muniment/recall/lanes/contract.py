"""What a lane is, and what it may ask of a store.

A lane ranks events by one kind of evidence and knows nothing of the other lanes. To add one, write a file with a class that
has a `name` and a `rank`, and name it in `lanes.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, TypeVar

from muniment.model.stored import Around, Position, Sought, Speakers, Spread, Turn

W = TypeVar("W")


class Range(NamedTuple):
    """A time that the question names, [since, until). `is_year_open`: the same days of any year may be meant."""

    since: str
    until: str
    is_year_open: bool


class Term(NamedTuple):
    """One word of a question in all its forms, which count as one; words that only keep talk going weigh less.

    `is_time`: it says when, so that a turn need not hold it to answer. `is_name`: it is part of a proper name.
    """

    forms: tuple[str, ...]
    weight: float = 1.0
    is_time: bool = False
    is_name: bool = False


class Pair(NamedTuple):
    """Two words side by side in a question; `is_topic` if neither only keeps talk going."""

    first: str
    second: str
    is_topic: bool = True


@dataclass(frozen=True, slots=True)
class Question:
    """A question, or one part of it, as lanes read it.

    `pairs` are words that stand side by side in it. `wants_many`: it asks for several things, which stand in several places.
    """

    words: str
    terms: tuple[Term, ...]
    pairs: tuple[Pair, ...] = ()
    is_first_person: bool = False
    wants_many: bool = False
    named: tuple[str, ...] = ()
    ranges: tuple[Range, ...] = ()
    shape: str = "other"
    is_context: bool = False
    """Several sentences: something to be reminded of, rather than a question."""
    is_keywords: bool = False
    """So few words that each has to be taken as it is."""
    by_character: bool = True
    """Are the characters of a script without spaces looked for one by one too?"""


class Reach(Protocol):
    """What lanes may ask: words to events, turns to neighbours, events to facts. One snapshot, no writing."""

    def stems(self, text: str) -> list[str]:
        """The words of a text as the index of turns holds them, in order."""
        ...

    def stems_of(self, word: str) -> list[str]:
        """The same of a word that is written as the index has it."""
        ...

    def extent(self) -> tuple[int, int]:
        """How many turns there are, and how many words they have together."""
        ...

    def spread(self, stem: str) -> Spread:
        """How a word is spread over the turns."""
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

    def newest(self, expression: str, cap: int, share: float = 1.0) -> list[int]:
        """At most `cap` turns that match a full-text expression, those archived last first; of the newest share of all turns."""
        ...

    def rarest(self, index: Literal["work", "fact"], text: str, most: int) -> Sought | None:
        """The rarest words of a text that stand in an index at all; None if none does."""
        ...

    def holds_work(self, event: int, expression: str) -> bool:
        """Does this tool call or result match a full-text expression?"""
        ...

    def work(self, sought: Sought, cap: int) -> list[tuple[int, float]]:
        """At most `cap` tool calls and results that match, best first, with their score."""
        ...

    def turns(self, events: Iterable[int]) -> Mapping[int, Turn]:
        """The turns among these events."""
        ...

    def around(self, turns: Iterable[int], count: int) -> Mapping[int, Around]:
        """Each of these turns with up to `count` turns before and after it in its session."""
        ...

    def windows(self, turns: Iterable[int], count: int, made: Callable[[Around], W]) -> Mapping[int, W]:
        """The same, as what `made` makes of each, which is remembered."""
        ...

    def speakers(self) -> Speakers:
        """Everybody who has turns."""
        ...

    def said_between(self, since: str, until: str, cap: int) -> list[int]:
        """At most `cap` turns said within a range of time, the latest first."""
        ...

    def positions(self, events: Iterable[int]) -> Mapping[int, Position]:
        """Where each event is shown, and when that was said or done."""
        ...

    def facts_with(self, sought: Sought, cap: int, *, told: bool = True) -> list[tuple[int, int, float]]:
        """(event, fact, score) of at most `cap` open facts that match, best first."""
        ...

    def facts_about(self, name: str, cap: int) -> list[tuple[int, int]]:
        """(event, fact) of at most `cap` open facts about the entity of that name, the newest first."""
        ...


Scores = dict[int, float]
"""Event number to score; what is not in it was not found by the lane."""


class Held(NamedTuple):
    """A word (or two side by side), what it weighs, and the turns that hold it with how often."""

    words: tuple[str, ...]
    weight: float
    events: Mapping[int, int]
    is_pair: bool = False
    is_topic: bool = True
    """Does it carry a topic, rather than keep talk going?"""


class Group(NamedTuple):
    """One word of the question as the index holds it: its stems, what it weighs, and how it is spread."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    weight: float
    spread: Spread
    is_time: bool = False
    is_name: bool = False

    @property
    def is_topic(self) -> bool:
        """Does it carry a topic, rather than keep talk going or say when?"""
        return self.weight >= 1 and not self.is_time


@dataclass(slots=True)
class Looked:
    """All that was found of a question's words: among `turns` turns, of which `person` are a person's, with `uses` words.

    `pairs` counts for each pair of words the turns in which they stand side by side. `is_partial`: common words were looked
    up beside rare ones or among the newest turns alone.
    """

    groups: list[Group]
    held: list[Held]
    turns: int
    person: int
    uses: int
    pairs: list[int] = field(default_factory=list)
    is_partial: bool = False
    best_share: float = 0.0
    """The greatest share of what the question's words tell that one turn holds."""
    together: float = 0.0
    """Of the topic word that is met least with the others: the greatest share of what they tell that stands about it."""

    @property
    def unknown(self) -> tuple[str, ...]:
        """Words of the question that stand nowhere."""
        return tuple(group.words[0] for group in self.groups if not group.spread.turns)


@dataclass(slots=True)
class Ranked:
    """What one lane found. `facts` are the facts that made it find an event."""

    scores: Scores = field(default_factory=dict)
    words: Looked | None = None
    """What the question's words were found to be, where the lane goes by words."""
    facts: Mapping[int, int] = field(default_factory=dict)
    is_sure: bool = False
    """Was just what the question names found, so that its other words need not be known here?"""


class Lane(Protocol):
    """One kind of evidence."""

    name: str

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:
        """The events that this lane has found, each with a score above 0, the greater the better.

        `found` is what lanes before it found, the likeliest first, for lanes that only weigh.
        """
        ...


class WeighedLane(Lane, Protocol):
    """A lane that knows what it is worth for a question, beside the others, which weigh 1 together."""

    def weight(self, question: Question) -> float:
        """Its weight."""
        ...
