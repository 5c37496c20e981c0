"""One chat in a memory of its own, asked through the public names as any program would ask."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from muniment import Memory
from muniment.errors import MunimentError
from muniment.evals.recall.data import Turn
from muniment.evals.recall.metrics import DEPTH

_COPY = "near-copy"
_SCRAP = 200
"""Bytes of an answer of which the ranking alone is looked at: its previews need not be made."""


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
    """A chat, taken in; its turns are known by the receipts that answers name. `how` is what every question is asked with."""

    def __init__(self, memory: Memory, ids: Mapping[str, str], how: Mapping[str, Any]) -> None:
        self._memory = memory
        self._ids = ids
        self._how = how

    def rank(self, question: str) -> list[str]:
        """The ids of the first turns, best first, as a budget without end would show them, floor or not."""
        found = self._memory.search(question, budget=_SCRAP, limit=DEPTH, floor=False, explain=True, **self._how)
        if found.explained is None:
            raise MunimentError("a search that was to be explained was not", hint="please report this")
        placed = (each.receipt for each in found.explained.placed if not each.fate.startswith(_COPY))
        return self._turns(list(placed)[:DEPTH])

    def ask(self, question: str, budget: int | None = None) -> Asked:
        """The question as a person asks it; with a `budget`, with as many rows as that holds."""
        start = time.perf_counter_ns()
        if budget is None:
            answer = self._memory.search(question, **self._how)
        else:
            answer = self._memory.search(question, budget=budget, limit=DEPTH, floor=False, **self._how)
        ms = (time.perf_counter_ns() - start) / 1e6
        return Asked(self._order(answer), answer.bytes, ms, answer.confidence, answer.reason is not None)

    def _order(self, answer: Any) -> list[str]:
        return self._turns(hit.receipt for hit in answer)

    def _turns(self, receipts: Iterable[str]) -> list[str]:
        found = (self._ids.get(place(receipt)) for receipt in receipts)
        return list(dict.fromkeys(id_ for id_ in found if id_ is not None))


class Taken(NamedTuple):
    """What taking a chat in came to: receipts and the turns they are, how many, and how long it took."""

    ids: dict[str, str]
    kept: int
    seconds: float


def take_in(memory: Memory, turns: Sequence[Turn]) -> Taken:
    """The turns of a chat into a memory that has none of them."""
    start = time.perf_counter()
    report = memory.ingest(turn.given() for turn in turns)
    seconds = time.perf_counter() - start
    sessions = report.sessions
    ids = {f"{sessions[turn.session]}:{turn.seq}": turn.id for turn in turns if turn.session in sessions}
    return Taken(ids, report.kept, seconds)


def place(receipt: str) -> str:
    """The event of a receipt, without the span in it."""
    return receipt.partition("@")[0]
