"""What was said and done, as search sees it: the words of every shown event, and where each turn stands.

What people and agents say (turns) is indexed by stem, a person's words in a column of their own, and has a speaker, a
length and neighbours; tool calls, results and what a harness notes (work) are indexed as they are and have none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from muniment.model.event import Role
from muniment.model.ports import Rows
from muniment.model.stored import Searchable
from muniment.storage.sqlite.text_rows import TextRows
from muniment.storage.sqlite.vectors import VectorTable

_INSERT_TURN = """INSERT OR REPLACE INTO turns (event, session, seq, speaker, words, asks, wishes)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""


class TurnTable:
    """Keeps the text indexes and the table of turns. Every method runs inside the caller's transaction."""

    def __init__(self, db: Rows, vectors: VectorTable, texts: TextRows) -> None:
        self._db = db
        self._texts = texts
        self._vectors = vectors
        self._speakers: dict[tuple[str, str], int] = {}

    def begin_batch(self) -> None:
        """Forget what another process may have changed since the last transaction."""
        self._speakers.clear()

    def put(self, event: int, words: Searchable, session: int, seq: int) -> None:
        """Make a current revision searchable where it is shown."""
        self.put_many([(event, words, session, seq)])

    def put_many(self, rows: Sequence[tuple[int, Searchable, int, int]]) -> None:
        """The same for many, index by index: each is then found warm."""
        work = [(event, (words.text,)) for event, words, _, _ in rows if words.speaker is None]
        said = [(event, words, session, seq, who) for event, words, session, seq in rows if (who := words.speaker)]
        turns = [
            (event, session, seq, self._speaker(who), len(words.text.split()), words.asks, words.wishes)
            for event, words, session, seq, who in said
        ]
        texts = [(event, (w.text, None) if who[0] == Role.USER else (None, w.text)) for event, w, _, _, who in said]
        self._texts.put("work", work)
        self._texts.put("said", texts)
        self._db.many(_INSERT_TURN, turns)
        counted = Counter(turn[3] for turn in turns)
        self._db.many("UPDATE speakers SET turns = turns + ? WHERE n = ?", [(n, who) for who, n in counted.items()])

    def drop(self, event: int) -> None:
        """The revision is current no more, or shown elsewhere."""
        turn = self._db.one("DELETE FROM turns WHERE event = ? RETURNING speaker", (event,))
        if turn is not None:
            self._db.run("UPDATE speakers SET turns = turns - 1 WHERE n = ?", (turn[0],))
            self._texts.drop("said", event)
            self._vectors.drop([event])
        else:
            self._texts.drop("work", event)

    def move(self, event: int, session: int, seq: int) -> None:
        """The event is shown at another place."""
        self._db.run("UPDATE turns SET session = ?, seq = ? WHERE event = ?", (session, seq, event))

    def _speaker(self, who: tuple[str, str]) -> int:
        if who not in self._speakers:
            self._db.run("INSERT OR IGNORE INTO speakers (role, name) VALUES (?, ?)", who)
            row = self._db.one("SELECT n FROM speakers WHERE role = ? AND name = ?", who)
            if row is None:
                raise LookupError("a speaker just written cannot be found")
            self._speakers[who] = int(row[0])
        return self._speakers[who]
