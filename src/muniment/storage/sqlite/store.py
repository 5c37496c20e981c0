"""The SQLite store: opening, transactions, and the small reads that everything else uses."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from muniment.errors import DamagedStoreError, MunimentError, StoreError
from muniment.model.kept import Row
from muniment.storage.sqlite.connection import UNREADABLE, log_size, open_store, translate
from muniment.storage.sqlite.lock import WriteLock

LOCK_TIMEOUT = 30.0
MAPPED = 1 << 31
"""Bytes of the file that readers map."""
_PUZZLING = (ValueError, KeyError, TypeError, IndexError, AttributeError)
"""What comes of reading a row that nobody wrote like that."""


Pack = Callable[[bytes], bytes]
Unpack = Callable[[bytes, int], bytes]


class Database:
    """One open database file: checked queries, and `writing()`, the only way to a transaction."""

    failures = UNREADABLE

    def __init__(self, path: Path, *, read_only: bool = False, lock_timeout: float = LOCK_TIMEOUT) -> None:
        self.path = path
        self._asked_read_only = read_only
        self._lock = _lock(path, lock_timeout)
        self._open()

    @classmethod
    def open_or_create(cls, path: Path, lock_timeout: float = LOCK_TIMEOUT) -> Database:
        """Open the store at `path`, making it first if nothing is there."""
        if not path.exists():
            from muniment.storage.sqlite.creating import create

            create(path, _lock(path, lock_timeout))
        return cls(path, lock_timeout=lock_timeout)

    def _open(self) -> None:
        self._file, self._stamp = _identity(self.path), _stamp(self.path)
        self.db, self._refusal, self._is_frozen = open_store(self.path, self._lock, self._asked_read_only)
        self._durable = True
        self._mapped = 0

    @property
    def place(self) -> str:
        """Where the store is, for people."""
        return str(self.path)

    @property
    def read_only(self) -> bool:
        """Can nothing be written here, because it was asked so or because the place does not allow it?"""
        return self._refusal is not None

    def is_free(self) -> bool:
        """Would a write at this moment wait for nobody?"""
        return self._lock.is_free()

    @property
    def is_frozen(self) -> bool:
        """Is the file read without locks, since nobody can write beside it?"""
        return self._is_frozen

    def close(self) -> None:
        """Close the file. Harmless when closed already."""
        with self._translated():
            self.db.close()

    @contextlib.contextmanager
    def writing(self, durable: bool = True) -> Iterator[None]:
        """One transaction: all of it or nothing. `durable` syncs at commit (a person's words and verdicts)."""
        self._demand_writable()
        with self._lock.held(), self._translated():
            self._demand_same_file()
            self._set_durable(durable)
            self._map(0)
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
            self._thaw()
            self._map(MAPPED)
            self.db.execute("BEGIN")
            try:
                yield
            except _PUZZLING as error:
                raise self._puzzled(error) from error
            finally:
                self._roll_back()

    def _puzzled(self, error: Exception) -> StoreError:
        """Rows that make no sense to who reads them: damage that the engine does not see, or a mistake of ours."""
        message = f"what is stored cannot be understood: {type(error).__name__}: {error}"
        hint = "`muniment verify` tells what is sound; if it finds nothing wrong, please report this"
        return StoreError(message, hint=hint, about=str(self.path))

    def _demand_writable(self) -> None:
        """What stood against writing when the file was opened may be gone by now: ask again."""
        if self._refusal is not None and not self._asked_read_only and not self.db.in_transaction:
            self._reopen()
        if self._refusal is not None:
            raise type(self._refusal)(self._refusal.message, hint=self._refusal.hint, about=self._refusal.about)

    def _demand_same_file(self) -> None:
        """What is written to a file that was removed or replaced would be lost with it."""
        if _identity(self.path) != self._file:
            message = f"{self.path.name} was removed or replaced while it was open; nothing was written"
            raise StoreError(
                message, hint="start again: the file that is there now will be opened", about=str(self.path)
            )

    def _thaw(self) -> None:
        """A file read without locks may change once somebody writes beside it."""
        if self._is_frozen and (log_size(self.path) or _stamp(self.path) != self._stamp):
            self._reopen()

    def _reopen(self) -> None:
        old = self.db
        self._open()
        old.close()

    def _roll_back(self) -> None:
        with contextlib.suppress(apsw.Error):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")

    def _map(self, size: int) -> None:
        """Read through a memory map; write without one, so that a long pass does not count the file as its memory."""
        if size != self._mapped:
            self.db.pragma("mmap_size", size)
            self._mapped = size

    def _set_durable(self, durable: bool) -> None:
        if durable != self._durable:
            self.db.execute("PRAGMA synchronous=" + ("FULL" if durable else "NORMAL"))
            self._durable = durable

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise self.failed(error) from error

    def cursor(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """The rows of a query as the engine gives them: whoever reads them turns `failures` into what `failed` says."""
        return self.db.execute(sql, args)

    def failed(self, error: Exception) -> MunimentError:
        """The error as ours. A file found damaged gets nothing copied into it any more when this handle closes."""
        ours = translate(error, self.path, self.db)
        if isinstance(ours, DamagedStoreError):
            with contextlib.suppress(apsw.Error):
                self.db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        return ours

    @contextlib.contextmanager
    def decoding(self) -> Iterator[None]:
        """What was stored can be decoded; where it cannot, its bytes are no longer those that were written."""
        try:
            yield
        except _PUZZLING as error:
            hint = "`muniment verify` tells what is sound"
            raise DamagedStoreError(f"{self.path.name} is damaged: {error}", hint=hint, about=str(self.path)) from error

    def rows(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """All rows of a query."""
        try:
            return list(self.db.execute(sql, args))
        except UNREADABLE as error:
            raise self.failed(error) from error

    def one(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Row | None:
        """The first row of a query, or None."""
        try:
            return self.db.execute(sql, args).fetchone()
        except UNREADABLE as error:
            raise self.failed(error) from error

    def stream(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """The rows of a query, read as they are asked for."""
        try:
            yield from self.db.execute(sql, args)
        except UNREADABLE as error:
            raise self.failed(error) from error

    def version(self) -> tuple[int, int]:
        """Changes whenever another connection, or this one, has written."""
        row = self.one("PRAGMA data_version")
        return int(row[0]) if row else 0, self.db.total_changes()

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
        return self.last_row()

    def last_row(self) -> int:
        """The number of the row inserted last."""
        return int(self.db.last_insert_rowid())

    @contextlib.contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The connection while nobody else writes, outside a transaction: for what works on the whole file."""
        self._demand_writable()
        with self._lock.held(), self._translated():
            self._demand_same_file()
            self._map(0)
            yield self.db

    def journal(self) -> str:
        """How what is written is kept from being torn."""
        return str((self.one("PRAGMA journal_mode") or ("",))[0])

    def upgrade_wal(self) -> None:
        """Copy the write-ahead log into the main file (after a long batch, or before the file is copied)."""
        with self._translated():
            self.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)


def _lock(path: Path, timeout: float) -> WriteLock:
    return WriteLock(path.with_name(path.name + ".lock"), timeout)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns
