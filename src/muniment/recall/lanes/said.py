"""The lane of what people and agents said: BM25 over turns, scored in the context of the turns around them.

The formula is BM25 in its many-field form (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): how often a
word stands in the turn and in its neighbours is weighted and added before it saturates, each divided by the length of its own
turn, so that a long neighbour neither drowns a turn nor helps it, and a long turn takes little from its neighbours. To that
comes what only a conversation has: words that stand side by side, whose turn it is, whether it only asks or states what
holds from now on, and whether its session speaks of the same.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from muniment.model.english import FUNCTION
from muniment.model.stored import Around, Speakers, Turn
from muniment.recall.lanes.contract import Held, Looked, Question, Ranked, Reach, Scores
from muniment.recall.lanes.words import SMALL, lookup, tells


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the formula. Set on development data alone (see docs/explanation/search.md)."""

    k1: tuple[float, float, float] = (0.8, 3.0, 0.15)
    """Least, most, and what the square root of the mean length is multiplied with: long turns repeat themselves."""
    b: float = 0.7
    before: tuple[float, ...] = (0.5, 0.3, 0.15)
    after: tuple[float, ...] = (0.4, 0.15, 0.05)
    short: int = 60
    """Words of a turn that may lend its words to the turns after it, and of one that takes all that is lent."""
    side_by_side: float = 0.2
    other_speaker: float = 0.78
    not_user: float = 0.5
    asks: float = 0.8
    wishes: float = 1.2
    session: float = 0.2
    many: float = 0.5
    """What is left of the neighbours' weight where a question asks for several things."""
    pool: int = 80
    """Turns that are scored in context, with their neighbours."""
    pool_of_many: int = 40
    """The same in a store of many turns, where those that hold the most words stand out more."""
    kept: int = 100
    """Turns that stay after that."""


WEIGHTS = Weights()
_BEST_OF_SESSION = 3
_PAIR = 0.2
"""What two words side by side tell beside one word, for being in the pool."""
_DIGITS = 10
"""Of a score: what neighbours lend is added up in the order of row numbers, which must not show."""
_TIED = 1_000
"""Turns at the edge of the pool that are told apart by when they were said; of more, those archived first are taken."""


class SaidLane:
    """Turns that hold the question's words, or stand beside turns that do."""

    name = "said"

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self._weights = weights
        self._window = partial(_window, weights)

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:  # noqa: ARG002 - it finds by itself
        """Every turn of the pool with its score, in nats: a word weighs what it tells."""
        words = lookup(question, reach)
        if not words.held:
            return Ranked(words=words)
        context = _Context(self._weights, self._window, question, words, reach)
        scores = _head(context.scores(), self._weights.kept)
        speakers = reach.speakers()
        words.best_share = context.best_share(speakers.persons)
        words.together = context.together()
        worth = Factors(self._weights, question, speakers).applied(scores, context.turns)
        return Ranked(_lifted(worth, context.turns, self._weights.session), words)


class _Context:
    """The pool: the turns that the words alone rank first, and their neighbours."""

    def __init__(
        self, weights: Weights, window: Callable[[Around], Window], question: Question, words: Looked, reach: Reach
    ) -> None:
        unknown = sum(not group.spread.turns and group.is_topic for group in words.groups)
        self._unknown = unknown * tells(words.turns, 0)
        """What the topic words that stand nowhere would tell."""
        average = max(1.0, words.uses / max(words.turns, 1))
        self._norm = (1 - weights.b, weights.b / average)
        least, most, scale = weights.k1
        self._k1 = min(max(scale * math.sqrt(average), least), most)
        self._side_by_side = weights.side_by_side
        self._share = weights.many if question.wants_many else 1.0
        pool = _best(words.held, weights.pool if words.turns <= SMALL else weights.pool_of_many, reach)
        self._windows = reach.windows(pool, len(weights.before), window)
        self.turns: dict[int, Turn] = {}
        for each in self._windows.values():
            self.turns.update(each.turns)
        self._lends = self._lent({event for held in words.held for event in held.events.keys() & self.turns.keys()})
        """For each turn that holds a word the turns that it lends its words to, with their weight."""
        self._held = [(held, held.events.keys() & self.turns.keys()) for held in words.held]
        """Each word with the turns here that hold it."""

    def _lent(self, holding: set[int]) -> Mapping[int, Sequence[tuple[int, float]]]:
        """A turn of the pool lends to all its neighbours, a turn outside it only to those in the pool."""
        lends: dict[int, Sequence[tuple[int, float]]] = {event: each.lends for event, each in self._windows.items()}
        outside: dict[int, list[tuple[int, float]]] = {}
        for event, each in self._windows.items():
            for n in each.takes.keys() & holding:
                if n not in lends:
                    outside.setdefault(n, []).append((event, each.takes[n]))
        return lends | outside

    def scores(self) -> Scores:
        """The sum over the words, each saturated over the turn and its context."""
        k1, total = self._k1, Scores()
        known = total.get
        for held, here in self._held:
            if held.is_pair:
                for event in here:
                    total[event] = known(event, 0.0) + self._side_by_side * held.weight
                continue
            top = held.weight * (k1 + 1)
            for event, frequency in self._frequencies(held.events, here).items():
                total[event] = known(event, 0.0) + top * frequency / (frequency + k1)
        return total

    def best_share(self, persons: frozenset[int]) -> float:
        """The greatest share of what the question's topic words tell that one turn of a person (if any has one) holds."""
        share: dict[int, float] = {}
        for held, here in self._topics():
            for event in here:
                if not persons or self.turns[event].speaker in persons:
                    share[event] = share.get(event, 0.0) + held.weight
        whole = sum(held.weight for held, _ in self._topics())
        return max(share.values(), default=0.0) / (whole + self._unknown or 1.0)

    def _topics(self) -> list[tuple[Held, set[int]]]:
        return [(held, here) for held, here in self._held if held.is_topic and not held.is_pair]

    def together(self) -> float:
        """Of the topic word that is met least with the others: the greatest share of what they tell that stands with it,
        in a turn of the pool or beside one. 0 if one stands nowhere, 1 if there are no others.
        """
        topics = self._topics()
        if self._unknown or not topics:
            return 0.0
        bits: dict[int, int] = {}
        for n, (_, here) in enumerate(topics):
            for event in here:
                bits[event] = bits.get(event, 0) | 1 << n
        weights = [held.weight for held, _ in topics]
        most = [0.0] * len(topics)
        for there in {
            functools.reduce(operator.or_, [bits.get(n, 0) for n in w.beside]) for w in self._windows.values()
        }:
            told = sum(weight for n, weight in enumerate(weights) if there >> n & 1)
            most = [max(met, told) if there >> n & 1 else met for n, met in enumerate(most)]
        whole = sum(weights)
        others = [(met - weight, whole - weight) for met, weight in zip(most, weights, strict=True)]
        return min(max(met, 0.0) / all_ if all_ > 0 else 1.0 for met, all_ in others)

    def _frequencies(self, events: Mapping[int, int], here: Iterable[int]) -> Mapping[int, float]:
        """How often a word stands in each turn of the pool, with what its neighbours lend."""
        (flat, slope), turns, lends, felt = self._norm, self.turns, self._lends, dict[int, float]()
        known = felt.get
        for event in here:
            own = events[event] / (flat + slope * (turns[event].words or 1))
            felt[event] = known(event, 0.0) + own
            lent = self._share * own
            for taker, weight in lends.get(event, ()):
                felt[taker] = known(taker, 0.0) + weight * lent
        return felt


class Window(NamedTuple):
    """A turn with its neighbours, which `lends` to them and `takes` from them by these weights.

    `beside` are the turn, the one before it and the one after it.
    """

    turns: Mapping[int, Turn]
    lends: Sequence[tuple[int, float]]
    takes: Mapping[int, float]
    beside: tuple[int, ...]


def _window(weights: Weights, around: Around) -> Window:
    """What a turn and its neighbours are to each other, whatever is asked."""
    before, turn, after = around
    lent = [*_lending(weights, turn, before, is_ahead=False), *_lending(weights, turn, after, is_ahead=True)]
    near = (turn, *before, *after)
    return Window(
        {each.event: each for each in near},
        [(n, weight) for n, weight, _ in lent if weight],
        {n: weight for n, _, weight in lent if weight},
        (turn.event, *(each.event for each in (*before[:1], *after[:1]))),
    )


def _lending(
    weights: Weights, turn: Turn, others: Sequence[Turn], *, is_ahead: bool
) -> Iterator[tuple[int, float, float]]:
    """(neighbour, what the turn lends it, what it lends the turn). A long turn lends to none after it and takes little."""
    to, back = (weights.before, weights.after) if is_ahead else (weights.after, weights.before)
    short = weights.short
    lends, takes = not is_ahead or turn.words <= short, min(1.0, short / (turn.words or 1))
    for other, there, here in zip(others, to, back, strict=False):
        is_lent = is_ahead or other.words <= short
        yield other.event, lends * there * min(1.0, short / (other.words or 1)), is_lent * here * takes


def _best(held: Sequence[Held], pool: int, reach: Reach) -> dict[int, None]:
    """The turns that hold the most telling words, of those that tell the same the ones said first."""
    score = _told(held, pool)
    if len(score) <= pool:
        return dict.fromkeys(score)
    least = sorted(score.values(), reverse=True)[pool - 1]
    above = [event for event, told in score.items() if told > least]
    tied = sorted(event for event, told in score.items() if told == least)
    if pool - len(above) < len(tied) <= _TIED:
        tied.sort(key=reach.positions(tied).__getitem__)
    return dict.fromkeys([*above, *tied[: pool - len(above)]])


def _told(held: Sequence[Held], pool: int) -> Scores:
    """What the words of each turn tell. Turns that can no longer be among the first `pool` are left out (MaxScore, Turtle and
    Flood, 1995): what is left tells less than so many of those that were met.
    """
    score, left = Scores(), sum(each.weight for each in held if not each.is_pair)
    known = score.get
    for each in sorted(held, key=lambda h: not h.is_pair):
        weight = each.weight * (_PAIR if each.is_pair else 1.0)
        half, events = weight / 2, each.events
        is_late = len(events) > pool < len(score) and sum(told > left for told in score.values()) >= pool
        for event in score.keys() & events.keys() if is_late else events:
            count = events[event]
            score[event] = known(event, 0.0) + (half if count == 1 else weight * count / (count + 1))
        left -= 0.0 if each.is_pair else weight
    return score


def _head(scores: Scores, count: int) -> Scores:
    """The best of them, with those that are as good as the last, rounded."""
    least = round(sorted(scores.values(), reverse=True)[min(count, len(scores)) - 1], _DIGITS) if scores else 0.0
    near = least - 10.0**-_DIGITS
    return {
        event: told for event, score in scores.items() if score >= near and (told := round(score, _DIGITS)) >= least
    }


def _lifted(worth: Scores, turns: Mapping[int, Turn], weight: float) -> Scores:
    """A session whose best turns are good lifts the others that it has."""
    by_session: dict[int, list[float]] = {}
    for event, score in worth.items():
        by_session.setdefault(turns[event].session, []).append(score)
    means = {s: sum(sorted(v)[-_BEST_OF_SESSION:]) / _BEST_OF_SESSION for s, v in by_session.items()}
    top = max(means.values(), default=0.0)
    if top <= 0:
        return worth
    lift = {session: 1 + weight * mean / top for session, mean in means.items()}
    return {event: score * lift[turns[event].session] for event, score in worth.items()}


class Factors:
    """What a turn is worth for being somebody's, for only asking, and for saying what holds from now on."""

    def __init__(self, weights: Weights, question: Question, speakers: Speakers) -> None:
        self._asks = weights.asks
        self._wishes = 1.0
        self._others = 1.0
        self._meant: Container[int] = ()
        words = question.words.casefold()
        meant = [s for s in speakers.beginning_with(words) if is_named(s.name, words)]
        if len({s.name for s in meant}) == 1:
            self._meant, self._others = {s.n for s in meant}, weights.other_speaker
        elif not meant and question.is_first_person and speakers.has_assistant:
            self._meant, self._others = speakers.persons, weights.not_user
            self._wishes = weights.wishes

    @classmethod
    def for_question(cls, question: Question, reach: Reach) -> Factors:
        """With the weights of the lane, for lanes that score turns otherwise."""
        return cls(WEIGHTS, question, reach.speakers())

    def applied(self, scores: Scores, turns: Mapping[int, Turn]) -> Scores:
        """Each score times the product of what holds for its turn."""
        worth = Scores()
        for event, score in scores.items():
            _, _, _, speaker, _, asks, wishes = turns[event]
            factor = 1.0 if speaker in self._meant else self._others
            if asks:
                factor *= self._asks
            if wishes:
                factor *= self._wishes
            worth[event] = score * factor
        return worth


def is_named(name: str, words: str) -> bool:
    """Does a question (in lower case) hold somebody's first name as a word? A word of grammar is nobody's name."""
    first = name.casefold().split()[0]
    if first in FUNCTION:
        return False
    position = words.find(first)
    while position >= 0:
        end = position + len(first)
        if not words[position - 1 : position].isalnum() and not words[end : end + 1].isalnum():
            return True
        position = words.find(first, position + 1)
    return False
