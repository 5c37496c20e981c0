"""OpenCode (and Kilo, which grew out of it): one SQLite database for all sessions, whose rows are edited in place.

A row of `part` is a record. It is read again whenever its `time_updated` moves, so each content is a revision.
Several processes write one database, and a row becomes visible when its transaction commits, not at the time that
it bears: the last seconds are therefore always looked at again (`_OVERLAP`), and what was seen there is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts import opencode_export
from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.opencode_marks import Marks
from muniment.capture.transcripts.opencode_messages import COLUMNS, SessionMessages
from muniment.capture.transcripts.opencode_parts import (
    Message,
    Part,
    Session,
    as_raw,
    item,
    mapping,
    open_text,
    own,
    session_name,
    session_of,
)
from muniment.capture.transcripts.sections import counted
from muniment.model.event import Skipped

_MAGIC = b"SQLite format 3\0"
_TREE = re.compile(rb'\s*\{\s*"id"\s*:\s*"ses_')
_PAGE = 20_000

_FRESH = """
SELECT id, session_id, CAST(coalesce(time_updated, 0) AS INTEGER) AS t
FROM part WHERE typeof(id) = 'text' AND (t, id) > (?, ?) ORDER BY t, id LIMIT ?"""
_ORDER = "SELECT id FROM part WHERE session_id IS ? ORDER BY id"
_ROW = """
SELECT id, message_id, session_id, time_created, time_updated, CAST(data AS BLOB) FROM part WHERE id = ?"""
_SESSION = "SELECT * FROM session WHERE id = ?"
_FIRST = "SELECT CAST(data AS BLOB) FROM part WHERE session_id = ? ORDER BY id LIMIT 8"
_MESSAGE = "SELECT CAST(data AS BLOB) FROM message WHERE id = ?"
_LATER = "SELECT EXISTS (SELECT 1 FROM message WHERE session_id = ? AND id > ?)"
_TABLE = "SELECT name FROM pragma_table_info(?)"
_ELSEWHERE = "SELECT count(*) FROM session_message"
_COLUMNS = ("id", "message_id", "session_id", "time_created", "time_updated", "data")


class Unreadable(Exception):
    """The database cannot be read: damaged, locked, or not of this harness."""


class OpenCode:
    """Reads `opencode.db`, the JSON tree of 2025 where there is no database, and files made by `opencode export`."""

    name = "opencode"
    checked: tuple[str, ...] = ("1.18.33",)
    variable = "OPENCODE_DB"

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The XDG data folder, which this harness uses on macOS and Windows as well, and a database named apart."""
        data = variables.get("XDG_DATA_HOME")
        folder = (Path(data) if data else home / ".local" / "share") / self.name
        yield folder
        named = variables.get(self.variable)
        if named and named != ":memory:":
            yield folder / named

    def sources(self, place: Path) -> Iterator[Path]:
        """The databases (one a release channel; a Kilo of early 2026 still says opencode); failing these, the tree."""
        if place.is_file():
            yield place
            return
        found = sorted(p for p in place.glob("*.db") if p.name.startswith((self.name, "opencode")))
        yield from found or sorted((place / "storage" / "session").glob("*/*.json"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """A database by its name and first bytes, an export or a session of the tree by its first keys."""
        if head.startswith(_MAGIC):
            return path.name.startswith(self.name) and path.suffix == ".db"
        return opencode_export.is_export(head) or (bool(_TREE.match(head)) and "storage" in path.parts)

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """Every part that was written or edited since `cursor`."""
        if source.path.suffix == ".json":
            yield from opencode_export.read(self.name, source, cursor)
            return
        stamp = _stamp(source.path)
        if cursor and cursor.size and stamp == (cursor.size, cursor.mtime_ns, cursor.state.get("wal")):
            yield Checkpoint(cursor)
            return
        marks = Marks.load(cursor.state if cursor else {})
        if cursor and _replaced(source.path, cursor):
            yield Reset("replaced")
            cursor, marks = None, Marks()
        yield from self._pass(source, marks, cursor.ordinal if cursor else 0, stamp)

    def _pass(self, source: Source, marks: Marks, ordinal: int, stamp: _Stamp) -> Iterator[Item]:
        reading = None
        try:
            reading = _Reading(self.name, source, marks, ordinal)
            yield from reading.items(_written_ms(stamp))
            yield Checkpoint(reading.cursor(stamp))
        except (Unreadable, OSError) as error:
            # No checkpoint with the stamp of the file: the next pass tries again, whether or not it changes.
            yield Skipped("unreadable", 0, str(error), 0)
        finally:
            if reading:
                reading.close()


class Kilo(OpenCode):
    """The same store under another name; the VS Code extension uses it too since spring 2026."""

    name = "kilo"
    checked: tuple[str, ...] = ("0.8.0", "7.7.9")
    variable = "KILO_DB"

    def recognises(self, path: Path, head: bytes) -> bool:
        """Only databases: its exports cannot be told from those of OpenCode."""
        return head.startswith(_MAGIC) and super().recognises(path, head)


_Stamp = tuple[int, int, Any]
_Row = tuple[dict[str, Any], bytes]


class _Reading:
    """One pass over one database."""

    def __init__(self, harness: str, source: Source, marks: Marks, ordinal: int) -> None:
        self._harness, self._source, self._marks, self._ordinal = harness, source, marks, ordinal
        self._messages: dict[str, Message] = {}
        self._sessions: dict[str, Session] = {}
        self._db: Any = None
        try:
            self._db = source.open_database(source.path)
            self._columns_of("part")
            self._session_columns = self._columns_of("session")
        except Unreadable:
            self.close()
            raise
        except Exception as error:  # the driver is lent, so that its exceptions have no name here
            raise Unreadable(str(error)) from error

    def close(self) -> None:
        """Give the connection back."""
        if self._db is not None:
            self._db.close()

    def cursor(self, stamp: _Stamp | None = None) -> Cursor:
        """How far this pass has come; `stamp` says that it reached the end of the file as it then was."""
        return _cursor(self._source.path, self._marks, self._ordinal, stamp)

    def items(self, written_ms: int) -> Iterator[Item]:
        """New and edited rows in batches, each in the order of the sessions; then texts that their message closed."""
        told: set[str] = set()
        while page := self._rows(_FRESH, (*self._marks.reached, _PAGE)):
            ordinals = self._ordinals(page)
            for batch in self._batches(page):
                yield from self._emit(batch, ordinals, told)
                self._marks.settle(written_ms)
                yield Checkpoint(self.cursor())
        yield from self._waiting(told)
        yield from self._elsewhere()

    def _batches(self, page: list[tuple[Any, ...]]) -> Iterator[list[_Row]]:
        batch: list[_Row] = []
        size = 0
        for part_id, _, time in page:
            row = self._row(part_id)
            raw = as_raw(row) if row else b""
            if self._marks.fresh(part_id, time, raw) and row:
                batch.append((row, raw))
                size += len(raw)
            if size >= self._source.batch_bytes:
                yield batch
                batch, size = [], 0
        yield batch

    def _emit(self, rows: list[_Row], ordinals: Mapping[Any, int], told: set[str]) -> Iterator[Item]:
        self._messages.clear()
        for row in sorted(rows, key=lambda row: (str(row[0]["session_id"]), ordinals.get(row[0]["id"], 0))):
            yield from self._record(row, ordinals.get(row[0]["id"], 0), told)

    def _record(self, record: _Row, seq: int, told: set[str]) -> Iterator[Item]:
        row, raw = record
        self._ordinal += 1
        session = self._session(str(row["session_id"]))
        if session.info.id not in told:
            told.add(session.info.id)
            yield session.info
        if len(raw) > self._source.max_record_bytes:
            yield Skipped("oversize", seq, str(len(raw)))
            return
        part = Part(str(row["id"]), seq, mapping(row["data"]), raw, row["time_created"], row["time_updated"])
        self._marks.wait(part.id, self._open(row))
        yield item(part, self._message(row), session)

    def _open(self, row: dict[str, Any]) -> bool:
        return open_text(mapping(row["data"]), self._message(row))

    def _waiting(self, told: set[str]) -> Iterator[Item]:
        """A row is not touched when its message is completed, so that what was left open is looked at again."""
        self._messages.clear()
        rows = [row for part_id in self._marks.waiting if (row := self._row(part_id))]
        self._marks.waiting = [row["id"] for row in rows]
        ordinals = self._ordinals([(row["id"], row["session_id"]) for row in rows])
        for row in rows:
            if not self._open(row):
                yield from self._record((row, as_raw(row)), ordinals.get(row["id"], 0), told)

    def _ordinals(self, page: Iterable[tuple[Any, ...]]) -> dict[Any, int]:
        wanted = {key[0] for key in page}
        found: dict[Any, int] = {}
        for session in {key[1] for key in page}:
            ids = enumerate(row[0] for row in self._rows(_ORDER, (session,)))
            found.update({part_id: seq for seq, part_id in ids if part_id in wanted})
        return found

    def _row(self, part_id: Any) -> dict[str, Any] | None:
        # `data` comes as bytes, because a driver may refuse text that is not UTF-8.
        rows = self._rows(_ROW, (part_id,))
        return dict(zip(_COLUMNS, map(_plain, rows[0]), strict=True)) if rows else None

    def _message(self, row: dict[str, Any]) -> Message:
        message_id = str(row["message_id"])
        if message_id not in self._messages:
            rows = self._rows(_MESSAGE, (message_id,))
            message = Message(message_id, mapping(_plain(rows[0][0])) or {} if rows else {})
            if not message.closed and self._rows(_LATER, (row["session_id"], message_id))[0][0]:
                message = Message(message_id, message.data, superseded=True)
            self._messages[message_id] = message
        return self._messages[message_id]

    def _session(self, session_id: str) -> Session:
        if session_id not in self._sessions:
            row = self._session_row(session_id)
            parent = row.get("parent_id")
            grand = self._session_row(str(parent)).get("parent_id") if parent else None
            name = session_name(str(parent), str(grand) if grand else None) if parent else None
            session = session_of(row, self._harness, name, self._source.path.absolute().as_uri())
            self._sessions[session_id] = session._replace(own=self._own(session_id) or self._own(parent))
        return self._sessions[session_id]

    def _own(self, session_id: Any) -> bool:
        return own(mapping(_plain(row[0])) for row in self._rows(_FIRST, (session_id,)))

    def _session_row(self, session_id: str) -> dict[str, Any]:
        rows = self._rows(_SESSION, (session_id,))
        found = zip(self._session_columns, map(_plain, rows[0]), strict=False) if rows else ()
        return {"id": session_id, **dict(found)}

    def _elsewhere(self) -> Iterator[Item]:
        """Sessions in the table of a later layout; said so where even that has another shape."""
        columns = {row[0] for row in self._rows(_TABLE, ("session_message",))}
        if columns >= COLUMNS:
            ordinal = [self._ordinal]
            found = SessionMessages(self._harness).read_changed(self._source, self._marks.newer)
            yield from counted(found, ordinal)
            self._ordinal = ordinal[0]
        elif columns and (count := self._rows(_ELSEWHERE)[0][0]):
            yield Skipped("newer layout", 0, f"{count} rows in session_message", 0)

    def _columns_of(self, table: str) -> list[str]:
        found = [str(row[0]) for row in self._rows(_TABLE, (table,))]
        if "id" not in found:
            raise Unreadable(f"no table {table}")
        return found

    def _rows(self, sql: str, params: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return list(self._db.execute(sql, params))
        except Exception as error:  # the driver is lent, so that its exceptions have no name here
            raise Unreadable(str(error)) from error


def _plain(value: Any) -> Any:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _stamp(path: Path) -> _Stamp:
    """What tells that nothing was written. A log of no bytes is none: reading alone may create it."""
    wal = _size_and_time(path.with_name(path.name + "-wal"))
    return (*_size_and_time(path), list(wal) if wal[0] else None)


def _size_and_time(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def _written_ms(stamp: _Stamp) -> int:
    return max(stamp[1], stamp[2][1] if stamp[2] else 0) // 1_000_000


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def _replaced(path: Path, cursor: Cursor) -> bool:
    return bool(cursor.inode) and _identity(path) != (cursor.device, cursor.inode)


def _cursor(path: Path, marks: Marks, ordinal: int, stamp: _Stamp | None = None) -> Cursor:
    device, inode = _identity(path)
    size, mtime_ns, wal = stamp or (0, 0, None)
    state = {**marks.state(), "wal": wal}
    return Cursor(device=device, inode=inode, size=size, mtime_ns=mtime_ns, ordinal=ordinal, state=state)
