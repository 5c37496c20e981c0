"""Sources that are not read line by line: whole JSON documents, and SQLite databases of other programs.

Such a source holds sections, one a session; a section has records, each of which gives one event or is skipped. A
document is read whole when it changed. Of a database only the sections are read that changed, by a stamp that the
adapter takes of each (a time of change, a count, a digest); ids make the repetition of a section harmless.
"""

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.lines import LineAdapter, State, kept, open_regular, with_uri
from muniment.capture.transcripts.opencode_parts import as_raw
from muniment.capture.transcripts.turns import TurnAdapter
from muniment.model.event import SessionInfo, Skipped
from muniment.model.ids import hash128

MAGIC = b"SQLite format 3\0"
# What a document in an unexpected shape may raise while it is taken apart.
_DRIFT = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError)


class Section(NamedTuple):
    """One session of a source: what its state begins with, what is known of it, and its records in order."""

    state: State
    info: SessionInfo | None
    records: Iterable[Any]


def emit(adapter: LineAdapter, section: Section, source: Source) -> Iterator[Item]:
    """The events of a section. A record's ordinal is its place in the section."""
    if section.info is not None:
        yield with_uri(section.info, source.path)
    for ordinal, record in enumerate(section.records):
        raw = as_raw(record)
        if len(raw) > source.max_record_bytes:
            yield Skipped("oversize", ordinal, str(len(raw)))
        elif isinstance(record, dict):
            for item in adapter.guarded(record, raw, ordinal, ordinal, section.state):
                yield with_uri(item, source.path) if type(item) is SessionInfo else item
        else:
            yield kept(raw, "", "malformed", ordinal, section.state)


def counted(items: Iterable[Item], ordinal: list[int]) -> Iterator[Item]:
    """The same items; `ordinal[0]` rises by the records among them."""
    for item in items:
        if type(item) is not SessionInfo:
            ordinal[0] += item.count if type(item) is Skipped else 1
        yield item


class DocumentAdapter(TurnAdapter):
    """Base of adapters whose sessions are JSON documents, rewritten whole."""

    @abstractmethod
    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The sessions in a document. A shape that it cannot be raises ValueError."""

    def beside(self, path: Path) -> Iterable[Path]:  # noqa: ARG002 - for those who override
        """Other files that tell of the same session: when one changes, the document is read again."""
        return ()

    def decoded(self, data: bytes, path: Path) -> tuple[Any, int]:  # noqa: ARG002 - for those who override
        """The document, and how many pieces of the file could not be read."""
        return json.loads(data.decode("utf-8-sig", "surrogatepass")), 0

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """All records when the document changed since `cursor`, else its checkpoint alone."""
        try:
            with open_regular(source.path) as handle:
                found = os.fstat(handle.fileno())
                stamp = [list(stamp_of(path)) for path in self.beside(source.path)]
                seen = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
                if cursor is not None and cursor[:4] == seen and cursor.state.get("beside", []) == stamp:
                    yield Checkpoint(cursor)
                    return
                if found.st_size > source.max_record_bytes:
                    yield Skipped("oversize", 0, str(found.st_size))
                    yield Checkpoint(Cursor(*seen, found.st_size, 1, state={"beside": stamp}))
                    return
                data = handle.readall()
        except OSError as error:
            yield Skipped("unreadable", 0, str(error), 0)
            return
        yield from self._changed(source, data, cursor, seen, stamp)

    def _changed(
        self, source: Source, data: bytes, cursor: Cursor | None, seen: tuple[int, int, int, int], stamp: list[Any]
    ) -> Iterator[Item]:
        digest, ordinal = hash128(data).hex(), [0]
        state = {"beside": stamp}
        if cursor is not None and cursor.head == digest and cursor.state.get("beside", []) == stamp:
            yield Checkpoint(cursor._replace(device=seen[0], inode=seen[1], size=seen[2], mtime_ns=seen[3]))
            return
        try:
            document, bad = self.decoded(data, source.path)
            sections = list(self.sections(document, source.path))
        except _DRIFT as error:
            if not source.finished:
                # Perhaps it is being written: the cursor stays where it is and the next read tries again.
                yield Skipped("unfinished", 0, str(len(data)))
                return
            sections, ordinal = [], [1]
            yield Skipped("malformed", 0, str(error))
        else:
            if cursor is not None:
                yield Reset("the document has been written anew")
            if bad:
                ordinal = [bad]
                yield Skipped("malformed", 0, "operations", bad)
        for section in sections:
            yield from counted(emit(self, section, source), ordinal)
        yield Checkpoint(Cursor(*seen, len(data), ordinal[0], digest, digest, state))


class ForeignRows:
    """A read-only look at a database of another program: rows as dicts, text as text whatever its bytes."""

    def __init__(self, source: Source) -> None:
        try:
            self._connection = source.open_database(source.path)
        except OSError:
            raise
        except Exception as error:  # the driver is lent, so that its exceptions have no name here
            raise OSError(str(error)) from error
        self.memo: dict[str, Any] = {}

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def rows(self, sql: str, *params: Any) -> list[dict[str, Any]]:
        """The rows of a query. Columns are named by the last words of what stands between SELECT and FROM."""
        names = [part.split()[-1].rpartition(".")[2] for part in sql.split("FROM", 1)[0][6:].split(",")]
        try:
            return [dict(zip(names, map(plain, row), strict=True)) for row in self._connection.execute(sql, params)]
        except OSError:
            raise
        except Exception as error:  # the driver is lent, so that its exceptions have no name here
            raise OSError(str(error)) from error

    def table(self, name: str) -> list[str]:
        """The columns of a table; none where it does not exist."""
        return [str(row["name"]) for row in self.rows("SELECT name FROM pragma_table_info(?)", name)]

    def whole(self, table: str, rest: str, *params: Any) -> list[dict[str, Any]]:
        """Rows of a table with all the columns that it has, in the words of `rest` (WHERE, ORDER BY)."""
        columns = [name for name in self.table(table) if not {",", '"'} & set(name)]
        quoted = ", ".join(f'"{name}" AS c{number}' for number, name in enumerate(columns))
        found = self.rows(f'SELECT {quoted} FROM "{table}" {rest}', *params) if columns else []  # noqa: S608
        return [dict(zip(columns, row.values(), strict=True)) for row in found]


def plain(value: Any) -> Any:
    """A column's value; bytes are read as UTF-8, so that every byte can be had back."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


class StoreAdapter(TurnAdapter):
    """Base of adapters whose sessions are in an SQLite database, edited in place."""

    tables: tuple[str, ...] = ()
    """Of these tables the database must have one."""

    @abstractmethod
    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """The sessions, each with a stamp that moves when anything in it changes, in a stable order."""

    @abstractmethod
    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:
        """One session."""

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """The sessions that changed since `cursor`, each as a whole."""
        stamp = [list(stamp_of(source.path.with_name(source.path.name + tail))) for tail in ("", "-wal")]
        known: Mapping[str, str] = cursor.state.get("keys", {}) if cursor else {}
        if cursor is not None and cursor.state.get("files") == stamp:
            yield Checkpoint(cursor)
            return
        identity = _identity(source.path)
        if cursor is not None and cursor.inode and identity != (cursor.device, cursor.inode):
            yield Reset("replaced")
            known, cursor = {}, None
        ordinal = [cursor.ordinal if cursor else 0]
        db = None
        try:
            db = ForeignRows(source)
            yield from self._pass(db, source, dict(known), (identity, ordinal, stamp))
        except OSError as error:
            # No checkpoint with the stamp of the file: the next pass tries again, whether or not it changes.
            yield Skipped("unreadable", 0, str(error), 0)
        finally:
            if db is not None:
                db.close()

    def _pass(self, db: ForeignRows, source: Source, known: dict[str, str], place: tuple[Any, ...]) -> Iterator[Item]:
        identity, ordinal, stamp = place
        if self.tables and not any(db.table(name) for name in self.tables):
            raise OSError(f"none of the tables {', '.join(self.tables)}")
        for found in self.changed(db, source, known):
            yield from counted(found, ordinal)
            yield Checkpoint(_place(identity, ordinal[0], {"keys": dict(known)}))
        yield Checkpoint(_place(identity, ordinal[0], {"keys": known, "files": stamp}))

    def changed(self, db: ForeignRows, source: Source, known: dict[str, str]) -> Iterator[Iterator[Item]]:
        """The items of each session whose stamp is not the one in `known`, which is brought up to date."""
        stamps = {key: hash128(mark).hex()[:16] for key, mark in self.keys(db)}
        for key in known.keys() - stamps.keys():
            del known[key]
        for key, mark in stamps.items():
            if known.get(key) != mark:
                known[key] = mark
                section = self.section(db, key, source)
                yield emit(self, section, source) if section is not None else iter(())


def _place(identity: tuple[int, int], ordinal: int, state: State) -> Cursor:
    return Cursor(device=identity[0], inode=identity[1], ordinal=ordinal, state=state)


def stamp_of(path: Path) -> tuple[int, int]:
    """Size and time of a file, zeros where there is none. A log of no bytes is none: reading alone may create it."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return (status.st_size, status.st_mtime_ns) if status.st_size else (0, 0)


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def load(path: Path, most: int = 1 << 22) -> Any:
    """A small JSON file beside a session; None where there is none that can be read."""
    try:
        if path.stat().st_size > most:
            return None
        return json.loads(path.read_bytes().decode("utf-8-sig", "replace"))
    except (OSError, ValueError, RecursionError):
        return None
