"""Reads that find what does not fit together: of the file, of primary rows, and of derived rows among themselves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from muniment.model.ids import show
from muniment.model.kept import Fault, Row
from muniment.model.stored import Line
from muniment.storage.sqlite.connection import shape_problems
from muniment.storage.sqlite.transfer import derived_tables
from muniment.storage.sqlite.whole import SqliteStore

_NAMED = re.compile(r"(?:index|table|of|in) (?:main\.)?(\w+)|sqlite_autoindex_(\w+?)_\d+")
_MOST_FAULTS = 100
_LINE = ", ".join(Line._fields)
_EVENT = """SELECT n, uid, content_hash, role, origin, kind, at, parts, text_blob, raw_blob, speaker FROM events
    ORDER BY uid, content_hash"""
_FACT = """SELECT id, uid, span_start, span_end, text_hash, literal, method FROM facts ORDER BY uid, id"""
_NOWHERE = {
    "seen at {1}:{2} but not archived": """SELECT p.uid, s.id, p.seq FROM positions p JOIN sessions s ON s.n = p.session
        WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.uid = p.uid)""",
    "archived but seen in no session": """SELECT DISTINCT e.uid FROM events e
        WHERE NOT EXISTS (SELECT 1 FROM positions p WHERE p.uid = e.uid)""",
    "archived from another harness than its session's": """SELECT DISTINCT e.uid FROM events e JOIN positions p ON p.uid = e.uid
        JOIN sessions s ON s.n = p.session WHERE e.harness <> s.harness""",
    "gave a verdict but is not archived": """SELECT DISTINCT v.uid FROM verdicts v
        WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.uid = v.uid)""",
    "gave a verdict that is kept under another time or origin": """SELECT DISTINCT v.uid FROM verdicts v
        WHERE EXISTS (SELECT 1 FROM events e WHERE e.uid = v.uid)
        AND NOT EXISTS (SELECT 1 FROM events e WHERE e.uid = v.uid AND e.at = v.at AND e.origin = v.origin)""",
}
_STRAY = {
    "an interval of a key without facts": """SELECT key FROM intervals i WHERE NOT EXISTS
        (SELECT 1 FROM facts f WHERE f.key = i.key)""",
    "a line of a fact that is not there": """SELECT id FROM lines l WHERE NOT EXISTS
        (SELECT 1 FROM facts f WHERE f.n = l.fact)""",
    "a fact of an event that is shown nowhere": """SELECT id FROM facts f WHERE NOT EXISTS
        (SELECT 1 FROM shown h WHERE h.uid = f.uid)""",
    "a turn that is shown elsewhere or nowhere": """SELECT coalesce((SELECT uid FROM events WHERE n = event),
        zeroblob(16)) FROM turns t WHERE NOT EXISTS (SELECT 1 FROM events e JOIN shown h ON h.uid = e.uid
        WHERE e.n = t.event AND h.event = t.event AND h.session = t.session AND h.seq = t.seq)""",
    "shown, but not archived": "SELECT uid FROM shown h WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.uid = h.uid)",
    "a link from or to a fact that is not there": """SELECT fact FROM links WHERE NOT EXISTS
        (SELECT 1 FROM facts f WHERE f.id = fact) OR NOT EXISTS (SELECT 1 FROM facts f WHERE f.id = other)""",
    "a tag of a fact that is not there": """SELECT fact FROM tags WHERE NOT EXISTS
        (SELECT 1 FROM facts f WHERE f.id = fact)""",
    "evidence of a fact that is not there": """SELECT fact FROM evidence WHERE NOT EXISTS
        (SELECT 1 FROM facts f WHERE f.id = fact)""",
}
# The row numbers that a text index knows stand in its own table of sizes.
_UNINDEXED = {
    "said_text": ("SELECT event FROM turns", "SELECT id FROM said_text_docsize"),
    "work_text": ("SELECT event FROM shown EXCEPT SELECT event FROM turns", "SELECT id FROM work_text_docsize"),
    "fact_text": ("SELECT n FROM lines", "SELECT id FROM fact_text_docsize"),
}


class Inspection:
    """Looks at a store; changes nothing."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._db = store.db

    def file_faults(self) -> Iterator[Fault]:
        """What the engine itself finds: pages, indexes, constraints, text indexes, references, shapes of tables."""
        for (text,) in self._db.rows(f"PRAGMA integrity_check({_MOST_FAULTS})"):
            if text != "ok":
                yield Fault(os.path.basename(self._db.place), text, _is_derived(text))
        for table, row, parent, _ in self._db.rows("PRAGMA foreign_key_check")[:_MOST_FAULTS]:
            yield Fault(
                table, f"row {row} of {table} refers to a row of {parent} that is not there", table in derived_tables()
            )
        for text in shape_problems(self._db.db):
            yield Fault(os.path.basename(self._db.place), text, False)

    def nowhere(self) -> Iterator[tuple[str, str]]:
        """(uid, what is wrong) of primary rows that refer to nothing."""
        for text, sql in _NOWHERE.items():
            for row in self._db.stream(sql):
                yield row[0].hex(), text.format(*row)

    def stray(self) -> Iterator[tuple[str, str]]:
        """(id, what it is) of derived rows that belong to nothing."""
        for text, sql in _STRAY.items():
            for (id_,) in self._db.stream(sql):
                yield show(id_), text

    def events(self) -> Iterator[Row]:
        """Every content of every event, without its bytes."""
        return self._db.stream(_EVENT)

    def has_call(self, call_id: str, uid: bytes, *, is_result: bool) -> bool:
        """Is a call of an event in the index of calls?"""
        sql = "SELECT 1 FROM calls WHERE call_id = ? AND uid = ? AND is_result = ?"
        return self._db.one(sql, (call_id, uid, int(is_result))) is not None

    def call_count(self) -> int:
        """How many calls the index has."""
        return int((self._db.one("SELECT count(*) FROM calls") or (0,))[0])

    def shown_of(self, uid: bytes) -> Row | None:
        """(event, session, seq) as it is stored."""
        return self._db.one("SELECT event, session, seq FROM shown WHERE uid = ?", (uid,))

    def unindexed(self) -> Iterator[tuple[str, int, bool]]:
        """(text index, row, is it missing) where an index and its rows differ."""
        for index, (rows, known) in _UNINDEXED.items():
            for (n,) in self._db.stream(f"SELECT * FROM ({rows}) EXCEPT {known}"):  # noqa: S608 - texts above
                yield index, n, True
            for (n,) in self._db.stream(f"{known} EXCEPT SELECT * FROM ({rows})"):  # noqa: S608 - as above
                yield index, n, False

    def facts(self) -> Iterator[Row]:
        """(id, uid, span start, span end, text hash, literal, method) of every fact, by event."""
        return self._db.stream(_FACT)

    def settle_keys(self) -> Iterator[bytes]:
        """Every settle key."""
        for (key,) in self._db.stream("SELECT DISTINCT key FROM facts WHERE key IS NOT NULL ORDER BY key"):
            yield key

    def occurrences(self) -> Iterator[bytes]:
        """Ids of the facts that never settle."""
        for (id_,) in self._db.stream("SELECT id FROM facts WHERE key IS NULL ORDER BY id"):
            yield id_

    def lines_of(self, fact: int) -> list[Line]:
        """The rendered rows of a fact."""
        sql = f"SELECT {_LINE} FROM lines WHERE fact = ? ORDER BY from_ms, line"  # noqa: S608 - the columns of a line
        return [Line(*row) for row in self._db.rows(sql, (fact,))]


def _is_derived(text: str) -> bool:
    """Is a complaint about a table or index that a rebuild empties and fills again?"""
    tables = derived_tables()
    names = [a or b for a, b in _NAMED.findall(text)]
    return bool(names) and all(any(n == t or n.startswith(f"{t}_") for t in tables) for n in names)
