"""What one has without us, in the same run: BM25 of the turns as they are, and grep. One more is one more class."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import Protocol

from muniment.errors import MunimentError
from muniment.evals.recall.data import Turn
from muniment.evals.recall.metrics import DEPTH

_WORD = re.compile(r"\w+")
_DULL = frozenset(
    "a an the this that these those and or but if so than then as of at by for from in into on onto to with about over "
    "under up down out off i me my mine we us our you your he him his she her it its they them their who whom whose which "
    "what when where why how am is are was were be been being do does did have has had will would shall should can could "
    "may might must not no nor any some there here just also very too only own same such more most other each few both all "
    "between during before after again once s t d m ll re ve don didn doesn isn wasn aren weren hasn haven couldn "
    "wouldn".split()
)
"""Words that nearly every English sentence has."""


class Baseline(Protocol):
    """Ranks the turns of one chat by the words of a question."""

    def __init__(self, turns: Sequence[Turn]) -> None: ...

    def rank(self, question: str) -> list[str]:
        """Ids of turns, best first, at most `DEPTH`."""
        ...


class Bm25:
    """SQLite's full-text search with the Porter stemmer: any word of the question, ranked by BM25."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._ids = [turn.id for turn in turns]
        self._db = sqlite3.connect(":memory:")
        try:
            self._db.execute("CREATE VIRTUAL TABLE turns USING fts5 (text, tokenize = 'porter unicode61')")
        except sqlite3.OperationalError as error:
            message = f"this Python's sqlite3 has no full-text search: {error}"
            raise MunimentError(message, hint="leave --baselines out") from error
        self._db.executemany("INSERT INTO turns (text) VALUES (?)", [(turn.line,) for turn in turns])

    def rank(self, question: str) -> list[str]:
        """By BM25; of equals the earlier."""
        words = words_of(question)
        if not words:
            return []
        query = " OR ".join(f'"{word}"' for word in words)
        sql = f"SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY rank, rowid LIMIT {DEPTH}"  # noqa: S608 - a number
        return [self._ids[row - 1] for (row,) in self._db.execute(sql, (query,))]


class Grep:
    """Each word of the question looked for in every turn, as a whole word in any case: the more of them the better."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = [(turn.id, frozenset(_WORD.findall(turn.line.lower()))) for turn in turns]

    def rank(self, question: str) -> list[str]:
        """By how many of the words stand there; of equals the newest."""
        words = frozenset(words_of(question))
        found = []
        for place, (id_, there) in enumerate(self._turns):
            if count := len(words & there):
                found.append((-count, -place, id_))
        return [id_ for _, _, id_ in sorted(found)[:DEPTH]]


BASELINES: dict[str, type[Baseline]] = {"bm25": Bm25, "grep": Grep}
"""Name: class."""


def words_of(question: str) -> list[str]:
    """The words of a question, once each, without those that say nothing (unless there are no others)."""
    words = list(dict.fromkeys(_WORD.findall(question.lower())))
    return [word for word in words if word not in _DULL] or words
