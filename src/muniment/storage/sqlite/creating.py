"""Making a store and bringing an old one up to date. Both happen whole or not at all, also if the process is killed."""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path

import apsw

from muniment.storage.sqlite import encryption, schema
from muniment.storage.sqlite.connection import translated, translated_os
from muniment.storage.sqlite.lock import WriteLock

Migrations = tuple[tuple[str, tuple[str, ...]], ...]


def create(path: Path, lock: WriteLock) -> None:
    """Make a new store beside its place and move it there whole, so that a half-made one is never found. Idempotent.

    The writers' lock makes one process of many the maker. So whatever lies beside is what a killed one left: it goes.
    """
    with translated_os(path, "made"):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.new")
    with lock.held(), translated_os(path, "made"):
        if path.exists():
            return
        try:
            _remove(fresh)
            _build(fresh, path)
            os.rename(fresh, path)
            _sync_folder(path.parent)
        finally:
            _remove(fresh)


def _build(fresh: Path, path: Path) -> None:
    """A whole store at `fresh`, on the disk and readable by nobody else from its first byte."""
    os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    with translated(path), contextlib.closing(apsw.Connection(str(fresh), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        encryption.unlock(db, str(path))
        # A journal would be one more file to be left behind; this one file is thrown away whole.
        db.pragma("journal_mode", "MEMORY")
        db.execute(f"PRAGMA page_size=4096; PRAGMA application_id={schema.APPLICATION_ID}")
        migrate(db, schema.MIGRATIONS)


def migrate(db: apsw.Connection, migrations: Migrations) -> list[str]:
    """Apply what is missing, each in its own transaction with its record; returns the names applied.

    What is missing is asked inside the transaction: another process may have been first.
    """
    applied = []
    for number, (name, statements) in enumerate(migrations, 1):
        db.execute("BEGIN IMMEDIATE")
        try:
            if number > db.pragma("user_version"):
                _apply(db, number, name, statements)
                applied.append(name)
            db.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(apsw.Error):
                if db.in_transaction:
                    db.execute("ROLLBACK")
            raise
    return applied


def _apply(db: apsw.Connection, number: int, name: str, statements: tuple[str, ...]) -> None:
    for statement in statements:
        db.execute(statement)
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    db.execute("INSERT INTO migrations VALUES (?, ?)", (name, now))
    db.execute(f"PRAGMA user_version={number}")


def _remove(fresh: Path) -> None:
    for each in (fresh, fresh.with_name(fresh.name + "-journal")):
        with contextlib.suppress(OSError):
            os.unlink(each)


def _sync_folder(folder: Path) -> None:
    """The name of a new file is safe when its folder is (where folders can be synced: not on Windows)."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
