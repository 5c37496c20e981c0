"""Rows put down again with more of them covered, and the file made anew so that nothing of the old ones is left in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from muniment.model.fact import Verdict
from muniment.model.kept import Row
from muniment.model.ports import Rows
from muniment.model.stored import Prepared
from muniment.model.tables import Events

_EVENT = """UPDATE events SET content_hash = ?, text_blob = ?, raw_blob = ?, parts = ?, native_id = ?, parent_id = ?,
    model = ?, flags = ?, masks = ?, speaker = ? WHERE n = ?"""
_FIRST_SEEN = """SELECT e.n, (SELECT s.id FROM positions p JOIN sessions s ON s.n = p.session WHERE p.uid = e.uid
    ORDER BY s.id, p.seq LIMIT 1), (SELECT p.seq FROM positions p JOIN sessions s ON s.n = p.session WHERE p.uid = e.uid
    ORDER BY s.id, p.seq LIMIT 1) FROM events e ORDER BY e.n"""
TEXTS = {
    "sessions": ("id", "harness", "harness_version", "agent", "agent_role", "parent", "cwd", "root", "source_uri"),
    "skips": ("reason", "detail"),
}
"""Columns of other primary and local tables in which somebody's words may stand."""


class MaskTable:
    """What runs inside the caller's transaction, but for `scrub`, which comes after it."""

    def __init__(self, db: Rows, events: Events) -> None:
        self._db = db
        self._events = events

    def events(self) -> list[tuple[int, str | None, int | None]]:
        """(row, session, seq) of every content of an event, where it was seen."""
        return [(n, session, seq) for n, session, seq in self._db.rows(_FIRST_SEEN)]

    def put(self, n: int, event: Prepared) -> None:
        """This content in place of the one in that row. What the old one had is let go; vectors of its words as well."""
        same = "SELECT 1 FROM events WHERE uid = ? AND content_hash = ? AND n <> ?"
        old = self._db.one("SELECT text_blob, raw_blob FROM events WHERE n = ?", (n,)) or ()
        self._db.run("DELETE FROM vectors WHERE event = ?", (n,))
        self._db.run("DELETE FROM vector_pages")
        self._db.run("UPDATE vector_models SET epoch = epoch + 1")
        if self._db.one(same, (event.uid, event.content_hash, n)) is not None:
            self._db.run("DELETE FROM events WHERE n = ?", (n,))
        else:
            text, raw = self._events.put_blob(event.text.encode("utf-8")), self._events.put_blob(event.raw)
            self._db.run(_EVENT, (
                event.content_hash, text, raw, event.parts, event.native_id, event.parent_id, event.model, event.flags,
                event.masks, event.speaker, n,
            ))  # fmt: skip
        for blob in old:
            self._events.drop_blob(blob)

    def texts(self, table: str) -> Iterator[tuple[Row, tuple[str | None, ...]]]:
        """(what names a row, its texts) of one of the tables in `TEXTS`."""
        columns = ", ".join(TEXTS[table])
        names = "n" if table == "sessions" else "uri, offset"
        width = len(names.split(", "))
        for row in self._db.rows(f"SELECT {names}, {columns} FROM {table}"):  # noqa: S608 - names from above
            yield row[:width], row[width:]

    def put_texts(self, table: str, name: Row, texts: Sequence[str | None]) -> None:
        """The texts of one row, anew. Two sessions that would have one name stay apart."""
        columns = ", ".join(f"{column} = ?" for column in TEXTS[table])
        where = "n = ?" if table == "sessions" else "uri = ? AND offset = ?"
        given: list[Any] = list(texts)
        if table == "sessions" and self._db.one("SELECT 1 FROM sessions WHERE id = ? AND n <> ?", (texts[0], name[0])):
            given[0] = f"{texts[0]}-{name[0]}"
        self._db.run(f"UPDATE {table} SET {columns} WHERE {where}", (*given, *name))  # noqa: S608 - names from above

    def put_verdict(self, old: bytes, v: Verdict) -> None:
        """A verdict with what may be kept of it, in place of the one of that id."""
        sql = "UPDATE OR REPLACE verdicts SET id = ?, target = ?, value = ?, reason = ?, draft = ? WHERE id = ?"
        self._db.run(sql, (v.id, v.target, v.value, v.reason, v.draft, old))

    def put_cursor(self, uri: str, cursor: str) -> None:
        """What a reader remembers of a source, anew."""
        self._db.run("UPDATE sources SET cursor = ? WHERE uri = ?", (cursor, uri))

    def forget_looks(self) -> None:
        """The last looks at addresses: an address may be called otherwise now, and they can be taken again."""
        self._db.run("DELETE FROM checks")

    def cursors(self) -> list[tuple[str, str]]:
        """(source, what its reader remembers)."""
        return [(uri, cursor) for uri, cursor in self._db.rows("SELECT uri, cursor FROM sources")]

    def has_remains(self) -> bool:
        """Are there free pages, or a log, in which bytes of old rows may lie?"""
        free = self._db.one("PRAGMA freelist_count")
        return bool(free and free[0])

    def scrub(self) -> bool:
        """Write the file anew and empty its log; False while other readers hold the old pages."""
        try:
            self._db.db.execute("VACUUM")
            log, _ = self._db.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except (apsw.BusyError, apsw.LockedError):
            return False
        return int(log) <= 0
