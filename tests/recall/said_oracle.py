"""What the lane of what was said has to score, written down plainly: every sum over every turn, with no index and no pool.

It follows the text of the formula (docs/explanation/search.md), not the code, and is meant for stores so small that every
turn that holds a word of the question is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

BEFORE, AFTER = (0.5, 0.3, 0.15), (0.4, 0.15, 0.05)
B, SHORT = 0.7, 60
LEAST_K1, MOST_K1, SCALE = 0.8, 3.0, 0.15
PAIR, SESSION, MANY = 0.2, 0.2, 0.5
ASKS, WISHES, OTHER_SPEAKER, NOT_USER = 0.8, 1.2, 0.78, 0.5


@dataclass(frozen=True)
class Said:
    """One turn: the words that an index has of it (its speaker's name is one), and what is known of it."""

    session: str
    seq: int
    tokens: tuple[str, ...]
    speaker: str = ""
    role: str = "user"
    text: str = ""
    """What was said, as it is put into the store."""
    asks: bool = False
    wishes: bool = False

    @property
    def words(self) -> int:
        """How long it is."""
        return max(1, len(self.tokens))


class Word(NamedTuple):
    """A word that is asked for: which tokens count as it, what it weighs beside what it tells, and its several forms.

    A turn that holds two forms of a word counts for each of them where it is counted how many turns hold the word.
    """

    counts: Callable[[str], bool]
    weight: float = 1.0
    forms: tuple[str, ...] = ()

    def holding(self, turns: Sequence[Said]) -> int:
        """How many turns hold it."""
        if self.forms:
            return sum(form in turn.tokens for turn in turns for form in self.forms)
        return sum(any(map(self.counts, turn.tokens)) for turn in turns)


@dataclass(frozen=True)
class Asks:
    """A question. `named` is the one speaker that it names."""

    words: Sequence[Word]
    pairs: Sequence[tuple[str, str]] = ()
    named: str = ""
    is_first_person: bool = False
    wants_many: bool = False


def word(text: str, weight: float = 1.0) -> Word:
    """Just this token."""
    return Word(lambda token: token == text, weight)


def tells(turns: int, holding: int) -> float:
    """What a word tells that so many of the turns hold."""
    return math.log(1 + (turns - holding + 0.5) / (holding + 0.5))


def is_near(turn: Said, first: str, second: str) -> bool:
    """Do two words stand side by side, or with one between?"""
    at = {w: [n for n, token in enumerate(turn.tokens) if token == w] for w in (first, second)}
    return any(0 < abs(a - b) <= 2 for a in at[first] for b in at[second])


def scores(turns: Sequence[Said], asked: Asks) -> dict[tuple[str, int], float]:
    """(session, seq) to score, of every turn that has any."""
    mean = max(1.0, sum(len(t.tokens) for t in turns) / len(turns))
    k1 = min(max(SCALE * math.sqrt(mean), LEAST_K1), MOST_K1)
    worth: dict[tuple[str, int], float] = {}
    for turn in turns:
        told = 0.0
        for each in asked.words:
            felt = _felt(turns, turn, each, mean, asked)
            told += each.weight * tells(len(turns), each.holding(turns)) * (k1 + 1) * felt / (felt + k1)
        for first, second in asked.pairs:
            side_by_side = sum(is_near(t, first, second) for t in turns)
            told += PAIR * tells(len(turns), side_by_side) * is_near(turn, first, second)
        if told > 0:
            worth[turn.session, turn.seq] = told * _factor(turn, asked, turns)
    return _lifted(worth)


def _felt(turns: Sequence[Said], turn: Said, each: Word, mean: float, asked: Asks) -> float:
    """How often a word stands in a turn, with what its neighbours lend."""
    session = sorted((t for t in turns if t.session == turn.session), key=lambda t: t.seq)
    place = session.index(turn)
    takes = 1.0 if turn.words <= SHORT else SHORT / turn.words
    share = takes * (MANY if asked.wants_many else 1.0)
    felt = _own(turn, each, mean)
    for distance in (1, 2, 3):
        if place >= distance and session[place - distance].words <= SHORT:
            felt += share * BEFORE[distance - 1] * _own(session[place - distance], each, mean)
        if place + distance < len(session):
            felt += share * AFTER[distance - 1] * _own(session[place + distance], each, mean)
    return felt


def _own(turn: Said, each: Word, mean: float) -> float:
    return sum(map(each.counts, turn.tokens)) / (1 - B + B * turn.words / mean)


def _factor(turn: Said, asked: Asks, turns: Sequence[Said]) -> float:
    factor = ASKS if turn.asks else 1.0
    if asked.named:
        return factor * (1.0 if turn.speaker == asked.named else OTHER_SPEAKER)
    if asked.is_first_person and any(t.role == "assistant" for t in turns):
        factor *= 1.0 if turn.role == "user" else NOT_USER
        factor *= WISHES if turn.wishes else 1.0
    return factor


def _lifted(worth: dict[tuple[str, int], float]) -> dict[tuple[str, int], float]:
    """The better a session's three best turns are, beside the best session's, the more all of it is worth."""
    sessions = {session for session, _ in worth}
    means = {s: sum(sorted((v for (o, _), v in worth.items() if o == s), reverse=True)[:3]) / 3 for s in sessions}
    top = max(means.values(), default=1.0)
    return {place: value * (1 + SESSION * means[place[0]] / top) for place, value in worth.items()}
