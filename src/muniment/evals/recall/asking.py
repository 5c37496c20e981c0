"""One chat in a memory of its own, asked through the public names as any program would ask."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from muniment import Memory
from muniment.evals.recall.data import Turn
from muniment.evals.recall.metrics import DEPTH

_ROOM = 1 << 20
"""Bytes that no ranking of `DEPTH` previews needs."""


class Asked(NamedTuple):
    """What one question got: the turns in order, what it cost, and whether the answer was "nothing found"."""

    order: list[str]
    bytes: int
    ms: float
    confidence: float | None
    is_refused: bool

    @property
    def tokens(self) -> float:
        """Four bytes of UTF-8 count as one token: a rule that needs no model's word list and is right to a quarter."""
        return self.bytes / 4


class Store:
    """A chat, taken in; its turns are known by the receipts that answers name."""

    def __init__(self, memory: Memory, turns: Sequence[Turn]) -> None:
        self._memory = memory
        self._ids: dict[str, str] = {}
        start = time.perf_counter()
        report = memory.ingest(turn.given() for turn in turns)
        self.seconds = time.perf_counter() - start
        self.kept = report.kept
        for turn in turns:
            session = report.sessions.get(turn.session)
            if session is not None:
                self._ids[f"{session}:{turn.seq}"] = turn.id

    def rank(self, question: str) -> list[str]:
        """The ids of turns, best first, whether or not the answer would have been given."""
        return self._order(self._memory.search(question, budget=_ROOM, limit=DEPTH, floor=False))

    def ask(self, question: str, budget: int | None = None) -> Asked:
        """The question as a person asks it; with a `budget`, with as many rows as that holds."""
        start = time.perf_counter_ns()
        if budget is None:
            answer = self._memory.search(question)
        else:
            answer = self._memory.search(question, budget=budget, limit=DEPTH, floor=False)
        ms = (time.perf_counter_ns() - start) / 1e6
        return Asked(self._order(answer), answer.bytes, ms, answer.confidence, answer.reason is not None)

    def _order(self, answer: Any) -> list[str]:
        found = (self._ids.get(place(hit.receipt)) for hit in answer)
        return list(dict.fromkeys(id_ for id_ in found if id_ is not None))


def place(receipt: str) -> str:
    """The event of a receipt, without the span in it."""
    return receipt.partition("@")[0]
