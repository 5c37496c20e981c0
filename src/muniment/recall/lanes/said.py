"""The lane of what people and agents said: BM25 over turns, scored in the context of the turns around them.

The formula is BM25 (Robertson and Zaragoza, 2009) in its many-field form: the frequencies of a word in the turn and in its
neighbours are weighted and added before they saturate, each divided by the length of its own turn, so that a long neighbour
neither drowns a turn nor helps it. Three things that only a conversation has come as factors: whose turn it is, whether it
only asks, and whether its session speaks of the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from muniment.recall.lanes.contract import Question, Ranked, Reach, Scores, Speaker, Turn


@dataclass(frozen=True, slots=True)
class Weights:
    """The constants of the formula. Set on development data alone (`muniment bench recall --part dev`)."""

    k1: float = 1.2
    b: float = 0.6
    before: tuple[float, ...] = (0.5, 0.3)
    after: tuple[float, ...] = (0.4, 0.1)
    short: int = 60
    """Words of a turn that may lend its words to the turns after it."""
    other_speaker: float = 0.7
    not_user: float = 0.5
    asks: float = 0.8
    pool: int = 60
    """Turns that are scored in context, with their neighbours."""


WEIGHTS = Weights()
_LEAST_POSTINGS, _MOST_POSTINGS, _SHARE = 4_000, 50_000, 0.06
"""Postings that one question may read: a share of the turns, within bounds. The rarest words come first."""
_NEWEST = 1_000


class SaidLane:
    """Turns that hold the question's words, or stand beside turns that do."""

    name = "said"

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self._weights = weights

    def rank(self, question: Question, reach: Reach) -> Ranked:
        """Every turn of the pool with its score."""
        words = _Words.find(question, reach)
        if not words.found:
            return Ranked()
        context = _Context(self._weights, words, reach)
        scores = context.scores()
        factors = _Factors(self._weights, question, reach.speakers())
        return Ranked({event: score * factors.of(context.turns[event]) for event, score in scores.items()}, words.is_partial)


@dataclass(slots=True)
class _Words:
    """For each word of the question: how much it tells, and the turns that hold it with how often."""

    found: list[tuple[float, Mapping[int, int]]]
    average: float
    is_partial: bool

    @classmethod
    def find(cls, question: Question, reach: Reach) -> _Words:
        """Look the words up, the rarest first, until the allowance is used; the rest only beside those or newest."""
        turns, average = reach.extent()
        groups = [(stems, sum(map(reach.count, stems))) for stems in _stemmed(question, reach)]
        known = sorted((g for g in groups if g[1]), key=lambda g: g[1])
        allowance = min(max(_LEAST_POSTINGS, int(turns * _SHARE)), _MOST_POSTINGS)
        found: list[tuple[float, Mapping[int, int]]] = []
        rare: list[str] = []
        is_partial = False
        for stems, count in known:
            if count <= allowance:
                allowance -= count
                held = _merged([reach.postings(stem) for stem in stems])
                rare.extend(stems)
            else:
                held, is_partial = _beside(stems, rare, reach), True
            found.append((_idf(turns, count if count > len(held) else len(held)), held))
        return cls(found, average, is_partial)


def _stemmed(question: Question, reach: Reach) -> list[tuple[str, ...]]:
    """The question's words as groups of stems, each group once."""
    groups: dict[tuple[str, ...], None] = {}
    for forms in question.terms:
        stems = dict.fromkeys(stem for form in forms for stem in reach.stems(form))
        groups[tuple(stems)] = None
    return [g for g in groups if g]


def _merged(postings: Sequence[Mapping[int, int]]) -> Mapping[int, int]:
    if len(postings) == 1:
        return postings[0]
    merged: dict[int, int] = {}
    for each in postings:
        for event, count in each.items():
            merged[event] = merged.get(event, 0) + count
    return merged


def _beside(stems: Sequence[str], rare: Sequence[str], reach: Reach) -> Mapping[int, int]:
    """Where a common word stands together with a rare one, or else in the newest turns."""
    near = f" AND ({_any(rare)})" if rare else ""
    return dict.fromkeys(reach.newest(f"({_any(stems)}){near}", _NEWEST), 1)


def _any(stems: Sequence[str]) -> str:
    return " OR ".join(f'"{stem}"' for stem in stems)


def _idf(turns: int, count: int) -> float:
    return math.log(1 + (turns - count + 0.5) / (count + 0.5))


class _Context:
    """The pool: the turns that the words alone rank first, and their neighbours."""

    def __init__(self, weights: Weights, words: _Words, reach: Reach) -> None:
        self._weights = weights
        self._words = words
        self._lends: dict[int, dict[int, tuple[float, bool]]] = {}
        """For each turn the turns that it lends its words to: with which weight, and only if it is short?"""
        pool = reach.turns(_best(words, weights.pool))
        self.turns: dict[int, Turn] = dict(pool)
        for event, others in reach.around(pool, len(weights.before)).items():
            self._place(pool[event], others)

    def _place(self, turn: Turn, others: Sequence[Turn]) -> None:
        place = (turn.seq, turn.event)
        before = [o for o in reversed(others) if (o.seq, o.event) < place]
        after = [o for o in others if (o.seq, o.event) > place]
        for weight, other in zip(self._weights.before, before, strict=False):
            self._lend(other, turn, weight, short=True)
        for weight, other in zip(self._weights.before, after, strict=False):
            self._lend(turn, other, weight, short=True)
        for weight, other in zip(self._weights.after, after, strict=False):
            self._lend(other, turn, weight, short=False)
        for weight, other in zip(self._weights.after, before, strict=False):
            self._lend(turn, other, weight, short=False)

    def _lend(self, giver: Turn, taker: Turn, weight: float, *, short: bool) -> None:
        self.turns.setdefault(giver.event, giver)
        self.turns.setdefault(taker.event, taker)
        self._lends.setdefault(giver.event, {})[taker.event] = (weight, short)

    def scores(self) -> Scores:
        """The sum over the words, each saturated over the turn and its context."""
        k1, total = self._weights.k1, Scores()
        for idf, held in self._words.found:
            for event, frequency in self._frequencies(held).items():
                total[event] = total.get(event, 0.0) + idf * frequency * (k1 + 1) / (frequency + k1)
        return total

    def _frequencies(self, held: Mapping[int, int]) -> Mapping[int, float]:
        """How often a word stands in each turn of the pool, with what its neighbours lend."""
        b, average, felt = self._weights.b, self._words.average, dict[int, float]()
        for event in held.keys() & self.turns.keys():
            turn = self.turns[event]
            own = held[event] / (1 - b + b * max(turn.words, 1) / average)
            felt[event] = felt.get(event, 0.0) + own
            is_short = turn.words <= self._weights.short
            for taker, (weight, short) in self._lends.get(event, {}).items():
                if is_short or not short:
                    felt[taker] = felt.get(taker, 0.0) + weight * own
        return felt


def _best(words: _Words, pool: int) -> Iterable[int]:
    """The turns that hold the most telling words; ties by number, so that the pool is the same each time."""
    score: dict[int, float] = {}
    for idf, held in words.found:
        for event, count in held.items():
            score[event] = score.get(event, 0.0) + idf * count / (count + 1)
    if len(score) <= pool:
        return score
    return sorted(score, key=lambda event: (-score[event], event))[:pool]


class _Factors:
    """What a turn is worth for being somebody's, and for only asking."""

    def __init__(self, weights: Weights, question: Question, speakers: Sequence[Speaker]) -> None:
        self._weights = weights
        self._of: dict[int, float] = {}
        words = question.words.casefold()
        meant = {s.n for s in speakers if s.name and _is_named(s.name, words)}
        if len({s.name for s in speakers if s.n in meant}) == 1:
            self._of = {s.n: 1.0 if s.n in meant else weights.other_speaker for s in speakers}
        elif not meant and question.is_first_person and any(s.role == "assistant" for s in speakers):
            self._of = {s.n: 1.0 if s.role == "user" else weights.not_user for s in speakers}

    def of(self, turn: Turn) -> float:
        """The product of what holds for this turn."""
        return self._of.get(turn.speaker, 1.0) * (self._weights.asks if turn.asks else 1.0)


def _is_named(name: str, words: str) -> bool:
    first = name.casefold().split()[0]
    position = words.find(first)
    while position >= 0:
        end = position + len(first)
        if not words[position - 1 : position].isalnum() and not words[end : end + 1].isalnum():
            return True
        position = words.find(first, position + 1)
    return False
