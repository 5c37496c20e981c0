"""What holds now comes first: the later of two statements about one thing, and pairs that speak against each other.

Facts know what replaced them; turns do not, so here two turns are taken for statements about one thing where the question
asks for a value that holds now, both are the same speaker's, both match the same of the question, and the later one has a
number that the earlier one has not, or says that something changed. A pair is only reordered and marked; nothing is closed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from muniment.model.english import FUNCTION, LIGHT
from muniment.recall.lanes.contract import Held
from muniment.recall.shapes import wants_many

TOP = 10
"""Hits among which order is looked at."""
_SHARE, _OF_EACH, _AGAINST = 0.15, 0.25, 0.35
_SAME_TOPIC = 2
"""Words of the question that two statements about one thing have to share, where it has as many."""
_CLOSEST = 2
"""Hits that get the later statement most like them before others are put in order."""
_READ = 20_000
"""Characters of a statement that are looked at."""
_TOKEN = re.compile(r"[^\W_][\w'.]*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|[\u3002\uff01\uff1f]")
_PAST = re.compile(
    r"\b(?:first(?:ly)? (?:time|say|said|mention\w*|plan\w*)|initially|originally|previous(?:ly)?|formerly|used to|at first"
    r"|history|in (?:what|which) order|between|ago|earlier|both|passed|differ\w*|compar\w*|across|in total|altogether"
    r"|combined)\b"
)
_NOW = re.compile(r"\b(?:now|currently|current|latest|most recent(?:ly)?|nowadays|still|these days|up to date)\b")
_ASKS_VALUE = re.compile(
    r"^(?:what|which|when|where|who|how (?:many|much|long|often|old|far|big|tall|fast|high|soon))\b"
)
_COUNTS = re.compile(r"\bhow (?:many|much)\b")
_COUNTED_THEN = re.compile(r"\b(?:was|were|had|passed)\b")
_HAPPENED = re.compile(r"\b(?:did|was|were|had|happened|said|went)\b")
_NUMBER = re.compile(
    r"\d+(?:[.,:]\d+)*%?|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|once|twice"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)
_CHANGED = re.compile(
    r"\b(?:chang(?:ed|ing|es?)|reschedul\w+|postpon\w+|extend(?:ed|ing)|increas(?:ed|ing)|decreas(?:ed|ing)|updat(?:ed|ing|e)"
    r"|revis(?:ed|ing)|no longer|any ?more|actually|these days|nowadays|from now on|correction|instead of"
    r"|changed my mind|switch(?:ed|ing)|migrat(?:ed|ing)|replac(?:ed|ing)"
    r"|(?:moved|pushed|bumped|raised|lowered|brought|dropped|grown?|went) (?:it |them )?(?:up |down |back |forward )?(?:to|from)"
    r"|now (?:at|have|has|is|am|are|use|uses)|is now|are now)\b"
)
_DENIES = re.compile(
    r"\b(?:never|haven't|hasn't|hadn't|(?:have|has|had|did) not|didn't|not yet|yet to|no longer|without ever"
    r"|(?:do|does|am|is|are|was|were)(?:n't| not)(?! sure| certain| know| want))\b"
)
_YES_OR_NO = re.compile(r"^(?:have|has|had|did|do|does|am|is|are|was|were|can|could|will|would|should)\b")


@dataclass(frozen=True, slots=True)
class Statement:
    """A hit as this module sees it: who said it when, its words in lower case, and whether it states a lasting wish."""

    event: int
    speaker: tuple[str, str]
    at: tuple[str, str, int]
    """When, and where in which session: what came later in a session is later, also where no clock says so."""
    text: str
    wishes: bool


def asks_for_value(words: str) -> bool:
    """Does a question ask for something that holds now and may have been otherwise?"""
    low = words.lower().strip()
    if _PAST.search(low):
        return False
    if _NOW.search(low):
        return True
    if not _ASKS_VALUE.search(low):
        return False
    return not _COUNTED_THEN.search(low) if _COUNTS.search(low) else not (_HAPPENED.search(low) or wants_many(low))


def compares(words: str) -> bool:
    """Is a question such that hits have to be looked at beside each other?"""
    return asks_for_value(words) or _YES_OR_NO.search(words.lower().strip()) is not None


def current_first(words: str, statements: Sequence[Statement], held: Sequence[Held]) -> list[tuple[int, int]]:
    """(later, earlier) places to be put in this order, one after the other: the later goes right before the earlier.

    The first hits get the one later statement that is most like them before anything else, so that a later word about
    something near does not come between.
    """
    if not asks_for_value(words):
        return []
    top = statements[:TOP]
    shares, likeness = _Shares(held), _Likeness(words, top)
    order, moves, settled = list(range(len(top))), list[tuple[int, int]](), set[int]()
    for earlier in list(order):
        later = [b for b in order[order.index(earlier) + 1 :] if _is_update(top[earlier], top[b], shares)]
        if later and len(settled) < _CLOSEST and earlier not in settled:
            best = max(later, key=lambda b: (likeness.of(earlier, b), -b))
            _before(order, best, earlier, moves)
            settled.add(best)
    while pair := next(_out_of_order(order, top, shares, settled), None):
        _before(order, *pair, moves)
    return moves


def _before(order: list[int], later: int, earlier: int, moves: list[tuple[int, int]]) -> None:
    order.remove(later)
    order.insert(order.index(earlier), later)
    moves.append((later, earlier))


def _out_of_order(
    order: Sequence[int], top: Sequence[Statement], shares: _Shares, settled: set[int]
) -> Iterator[tuple[int, int]]:
    """(later, earlier) where the later still stands behind the earlier."""
    for place, earlier in enumerate(order):
        for later in order[place + 1 :] if earlier not in settled else ():
            if _is_update(top[earlier], top[later], shares):
                yield later, earlier


def against(words: str, statements: Sequence[Statement], held: Sequence[Held]) -> list[tuple[int, int]]:
    """Pairs among the first hits of which one denies what the other says, where the question can be answered by yes or no."""
    if not _YES_OR_NO.search(words.lower().strip()):
        return []
    shares, top = _Shares(held), statements[:TOP]
    denies = [_DENIES.search(s.text) is not None for s in top]
    return [
        (a, b)
        for a in range(len(top)) for b in range(a + 1, len(top))
        if denies[a] != denies[b] and top[a].speaker == top[b].speaker and shares.both(top[a], top[b]) >= _AGAINST
    ]  # fmt: skip


def _is_update(first: Statement, second: Statement, shares: _Shares) -> bool:
    """Is the second, which is ranked lower, the later word about the same thing?"""
    if first.speaker != second.speaker or second.at <= first.at or first.wishes:
        return False
    shared = shares.both(first, second)
    if shared < _SHARE or shared < _OF_EACH * max(shares.of(first), shares.of(second)):
        return False
    old, new = set(_NUMBER.findall(first.text)), set(_NUMBER.findall(second.text))
    return bool(old and new - old) or _CHANGED.search(second.text) is not None


class _Likeness:
    """How alike two statements are where they speak of what is asked: shared words of their sentences, rare ones first."""

    def __init__(self, words: str, statements: Sequence[Statement]) -> None:
        asked = {w for w in _TOKEN.findall(words.lower()) if w not in FUNCTION and w not in LIGHT}
        self._bags = [self._sentence(s.text, asked) for s in statements]
        counts = Counter(word for bag in self._bags for word in bag)
        self._weight = {word: math.log(1 + len(statements) / count) for word, count in counts.items()}

    def of(self, one: int, other: int) -> float:
        """The cosine of their words' weights."""
        a, b = self._bags[one], self._bags[other]
        return self._sum(a & b) / (math.sqrt(self._sum(a) * self._sum(b)) or 1.0)

    def _sum(self, words: Iterable[str]) -> float:
        return sum(self._weight[word] for word in sorted(words))

    @staticmethod
    def _sentence(text: str, asked: set[str]) -> frozenset[str]:
        """The words of the sentence that holds most of what is asked."""
        bags = [frozenset(_TOKEN.findall(s)) - FUNCTION for s in _SENTENCE.split(text[:_READ])]
        return max(bags, key=lambda bag: (len(bag & asked), -len(bag)))


class _Shares:
    """How much of what the question's words tell a turn holds."""

    def __init__(self, held: Sequence[Held]) -> None:
        words = [h for h in held if not h.is_pair]
        self._words = [h for h in words if h.is_topic] or words
        self._all = sum(h.weight for h in self._words) or 1.0
        self._of: dict[int, Mapping[int, float]] = {}

    def of(self, one: Statement) -> float:
        """The share of one turn."""
        return sum(self._matched(one).values()) / self._all

    def both(self, one: Statement, other: Statement) -> float:
        """The share of what both hold; nothing where it is one word of several, since a word alone makes no topic."""
        a, b = self._matched(one), self._matched(other)
        shared = [weight for n, weight in a.items() if n in b]
        return sum(shared) / self._all if len(shared) >= min(_SAME_TOPIC, len(self._words)) else 0.0

    def _matched(self, one: Statement) -> Mapping[int, float]:
        if one.event not in self._of:
            self._of[one.event] = {n: h.weight for n, h in enumerate(self._words) if one.event in h.events}
        return self._of[one.event]
