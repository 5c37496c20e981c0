"""The SQLite store: opening, transactions, and the small reads that everything else uses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from muniment.errors import MunimentError
from muniment.storage.sqlite.connection import create, open_store, translate, translated
from muniment.storage.sqlite.lock import WriteLock

LOCK_TIMEOUT = 30.0

Row = tuple[Any, ...]
Pack = Callable[[bytes], bytes]
Unpack = Callable[[bytes, int], bytes]


class Database:
    """One open database file: checked queries, and `writing()`, the only way to a transaction."""

    def __init__(self, path: Path, *, read_only: bool = False, lock_timeout: float = LOCK_TIMEOUT) -> None:
        self.path = path
        self.read_only = read_only
        self.db = open_store(path, read_only)
        self._lock = WriteLock(path.with_name(path.name + ".lock"), lock_timeout)
        self._durable = True

    @classmethod
    def open_or_create(cls, path: Path, lock_timeout: float = LOCK_TIMEOUT) -> Database:
        """Open the store at `path`, making it first if nothing is there."""
        if not path.exists():
            create(path)
        return cls(path, lock_timeout=lock_timeout)

    def close(self) -> None:
        """Close the file. Harmless when closed already."""
        with translated(self.path):
            self.db.close()

    @contextlib.contextmanager
    def writing(self, durable: bool = True) -> Iterator[None]:
        """One transaction: all of it or nothing. `durable` syncs at commit (a person's words and verdicts)."""
        with self._lock.held(), self._translated():
            self._set_durable(durable)
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """One snapshot for several reads."""
        with self._translated():
            if self.db.in_transaction:
                yield
                return
            self.db.execute("BEGIN")
            try:
                yield
            finally:
                self._roll_back()

    def _roll_back(self) -> None:
        with contextlib.suppress(apsw.Error):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")

    def _set_durable(self, durable: bool) -> None:
        if durable != self._durable:
            self.db.execute("PRAGMA synchronous=" + ("FULL" if durable else "NORMAL"))
            self._durable = durable

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except MunimentError:
            raise
        except apsw.Error as error:
            raise translate(error, self.path) from error

    def rows(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """All rows of a query."""
        try:
            return list(self.db.execute(sql, args))
        except apsw.Error as error:
            raise translate(error, self.path) from error

    def one(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Row | None:
        """The first row of a query, or None."""
        try:
            return self.db.execute(sql, args).fetchone()
        except apsw.Error as error:
            raise translate(error, self.path) from error

    def stream(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """The rows of a query, read as they are asked for."""
        try:
            yield from self.db.execute(sql, args)
        except apsw.Error as error:
            raise translate(error, self.path) from error

    def version(self) -> tuple[int, int]:
        """Changes whenever another connection, or this one, has written."""
        return int(self.db.execute("PRAGMA data_version").fetchone()[0]), self.db.total_changes()

    def run(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> int:
        """Execute one statement; the number of rows it changed."""
        self.db.execute(sql, args)
        return int(self.db.changes())

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute one statement for each row."""
        if rows:
            self.db.executemany(sql, rows)

    def insert(self, sql: str, args: Sequence[Any]) -> int:
        """Insert one row; its row number."""
        self.db.execute(sql, args)
        return int(self.db.last_insert_rowid())

    def upgrade_wal(self) -> None:
        """Copy the write-ahead log into the main file (after a long batch, or before the file is copied)."""
        with translated(self.path):
            self.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
