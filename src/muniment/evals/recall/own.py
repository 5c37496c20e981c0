"""Labelled questions asked of the store that is there: one's own history, and figures that are about it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from muniment import Memory, MunimentError
from muniment.errors import UsageError
from muniment.evals.recall.asking import place
from muniment.evals.recall.data import Question
from muniment.evals.recall.loaders import Label
from muniment.evals.recall.metrics import DEPTH
from muniment.evals.recall.tally import Method

_ROOM = 1 << 20

Place = tuple[Path, Path]
"""A folder of the project, and the home in which its memory lives."""


def measure(labels: Sequence[Label], at: Place) -> tuple[dict[str, float], list[str]]:
    """The figures over all labels, and what of them could not be found in the store."""
    method, problems = Method(), []
    start = time.perf_counter()
    with Memory.open(at[0], at[1]) as memory:
        for label in labels:
            gold, missing = _receipts(memory, label)
            problems += missing
            if gold:
                _add(method, Question(label.question, label.category, gold), ranked(memory, label.question))
    if not method.rows:
        raise UsageError("no label names anything that is in this store", hint="; ".join(problems[:3]), about="labels")
    numbers = method.numbers() | {"questions": float(len(method.rows)), "labels_not_found": float(len(problems))}
    return numbers | {"seconds": time.perf_counter() - start}, problems


def ranked(memory: Memory, question: str) -> list[str]:
    """The receipts of events that a question finds, best first, each once."""
    found = memory.search(question, budget=_ROOM, limit=DEPTH, floor=False)
    return list(dict.fromkeys(place(hit.receipt) for hit in found))


def _add(method: Method, question: Question, order: Sequence[str]) -> None:
    sessions = {receipt: receipt.rpartition(":")[0] for receipt in (*order, *question.gold)}
    method.add(question, order, sessions)


def _receipts(memory: Memory, label: Label) -> tuple[frozenset[str], list[str]]:
    """Where the relevant records stand, and those that are not there."""
    found, missing = set(), []
    for name in label.relevant:
        try:
            found.add(place(memory.read(name).receipt))
        except MunimentError as error:
            missing.append(f"{name}: {error.message}")
    return frozenset(found), missing
