"""The reads that search is made of: words to events, turns to their neighbours, events to their facts.

The statistics are the full-text engine's own (how many turns hold a word, how long turns are), so they cost nothing to keep.
Every read runs over the caller's snapshot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from muniment.storage.sqlite.store import Database

_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2"])
_VOCABULARIES = """CREATE VIRTUAL TABLE IF NOT EXISTS temp.said_words USING fts5vocab(main, 'said_text', 'row');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.said_places USING fts5vocab(main, 'said_text', 'instance')"""
_TURN = "SELECT event, session, seq, speaker, words, asks FROM turns"
_MANY = "(SELECT value FROM json_each(?))"
_AROUND = """SELECT a.event, b.event, b.session, b.seq, b.speaker, b.words, b.asks
    FROM json_each(?1) p CROSS JOIN turns a ON a.event = p.value CROSS JOIN turns b ON b.event IN (
        SELECT * FROM (SELECT event FROM turns c WHERE c.session = a.session AND (c.seq, c.event) < (a.seq, a.event)
            ORDER BY c.seq DESC, c.event DESC LIMIT ?2)
        UNION ALL SELECT * FROM (SELECT event FROM turns c WHERE c.session = a.session
            AND (c.seq, c.event) > (a.seq, a.event) ORDER BY c.seq, c.event LIMIT ?2))
    ORDER BY a.event, b.seq, b.event"""


class Turn(NamedTuple):
    """Where a turn stands, whose it is, how many words it has, and whether it only asks."""

    event: int
    session: int
    seq: int
    speaker: int
    words: int
    asks: bool


class Speaker(NamedTuple):
    """Somebody who has turns; `name` is empty where the source has none."""

    n: int
    role: str
    name: str


class SearchReads:
    """What the lanes ask a store."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._prepared: apsw.Connection | None = None
        self._tokenizer: apsw.FTS5Tokenizer | None = None
        self._counts: dict[str, int] = {}
        self._version: tuple[int, int] | None = None

    # -- words

    def prepare(self) -> None:
        """Call before a search begins its snapshot: what rolls back would take the views of the index with it."""
        if self._prepared is not self._db.db:
            self._db.db.execute(_VOCABULARIES)
            self._tokenizer = self._db.db.fts5_tokenizer(_TOKENIZER[0], list(_TOKENIZER[1]))
            self._prepared = self._db.db

    def begin(self) -> None:
        """Call first within the snapshot: what is known of words holds until somebody writes."""
        version = self._db.version()
        if version != self._version:
            self._counts.clear()
            self._version = version

    def stems(self, text: str) -> list[str]:
        """The words of a text as the index of turns holds them, in order."""
        if self._tokenizer is None:
            raise RuntimeError("prepare() was not called")
        data = text.encode("utf-8", "replace")
        found = self._tokenizer(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
        return [str(token) for token in found]

    def extent(self) -> tuple[int, float]:
        """How many turns there are, and how many words one has on average."""
        row = self._db.one("SELECT block FROM said_text_data WHERE id = 1")
        turns, position = _varint(row[0], 0) if row and row[0] else (0, 0)
        words, _ = _varint(row[0], position) if row and turns else (0, 0)
        return turns, max(1.0, words / turns) if turns else 1.0

    def count(self, stem: str) -> int:
        """How many turns hold a word."""
        if stem not in self._counts:
            row = self._db.one("SELECT doc FROM temp.said_words WHERE term = ?", (stem,))
            self._counts[stem] = int(row[0]) if row else 0
        return self._counts[stem]

    def postings(self, stem: str) -> Counter[int]:
        """The turns that hold a word, and how often each does."""
        rows = self._db.db.execute("SELECT doc FROM temp.said_places WHERE term = ?", (stem,)).fetchall()
        return Counter([row[0] for row in rows])

    def newest(self, expression: str, cap: int) -> list[int]:
        """At most `cap` turns that match a full-text expression, those archived last first."""
        sql = "SELECT rowid FROM said_text WHERE said_text MATCH ? ORDER BY rowid DESC LIMIT ?"
        return [row[0] for row in self._db.rows(sql, (expression, cap))]

    def work(self, expression: str, cap: int) -> list[tuple[int, float]]:
        """At most `cap` tool calls and results that match, best first, with their score."""
        sql = "SELECT rowid, -rank FROM work_text WHERE work_text MATCH ? ORDER BY rank, rowid LIMIT ?"
        return [(row[0], row[1]) for row in self._db.rows(sql, (expression, cap))]

    # -- turns

    def turns(self, events: Iterable[int]) -> dict[int, Turn]:
        """The turns among these events."""
        found = self._db.rows(f"{_TURN} WHERE event IN {_MANY}", (_json(events),))
        return {row[0]: Turn(*row) for row in found}

    def around(self, turns: Iterable[int], count: int) -> dict[int, list[Turn]]:
        """For each turn, up to `count` turns before and after it in its session, in order."""
        found: dict[int, list[Turn]] = {}
        for row in self._db.db.execute(_AROUND, (_json(turns), count)):
            found.setdefault(row[0], []).append(Turn(*row[1:]))
        return found

    def speakers(self) -> list[Speaker]:
        """Everybody who has turns, in an order that does not depend on arrival."""
        return [Speaker(*row) for row in self._db.rows("SELECT n, role, name FROM speakers ORDER BY role, name")]

    def said_between(self, since: str, until: str, cap: int) -> list[int]:
        """At most `cap` turns said within a range of time, the latest first."""
        sql = """SELECT e.n FROM events e JOIN turns t ON t.event = e.n WHERE e.at >= ? AND e.at < ?
            ORDER BY e.at DESC, e.uid LIMIT ?"""
        return [row[0] for row in self._db.rows(sql, (since, until, cap))]


def _json(values: Iterable[int]) -> str:
    return f"[{','.join(map(str, values))}]"


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A number as SQLite writes it (big-endian groups of seven bits), and where the next one begins."""
    value = 0
    for offset in range(8):
        byte = data[position + offset]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - the top bit says that more follows
            return value, position + offset + 1
    return value << 8 | data[position + 8], position + 9
