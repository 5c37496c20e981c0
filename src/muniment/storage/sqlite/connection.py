"""Opening a store: named errors, bytes untouched, never an empty store in the place of a damaged one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw

from muniment.errors import (
    BusyError,
    DamagedStoreError,
    FullDiskError,
    MunimentError,
    NewerStoreError,
    NotFoundError,
    ReadOnlyStoreError,
    ShapeError,
    StoreError,
)
from muniment.storage.sqlite import mounts, schema

_HEADER = 100
_MAGIC = b"SQLite format 3\0"
_BUSY_MS = 10_000
_CACHE_KIB = 64 * 1024
_RECOVER = "keep the file; `muniment verify` tells what is sound, `muniment index` into a fresh home rebuilds from transcripts"


def translate(error: Exception, path: Path) -> MunimentError:
    """The engine's error as one of ours, naming the file."""
    about = str(path)
    if isinstance(error, apsw.NotADBError | apsw.CorruptError | apsw.FormatError):
        return DamagedStoreError(f"{path.name} is damaged: {error}", hint=_RECOVER, about=about)
    if isinstance(error, apsw.FullError):
        return FullDiskError("no room left to write; nothing of this call was stored", hint="free space, try again", about=about)
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return BusyError(f"the store is busy: {error}", hint="try again; nothing was written", about=about)
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return ReadOnlyStoreError(f"the store cannot be written: {error}", hint="check owner and mode of the folder", about=about)
    if isinstance(error, apsw.CantOpenError):
        return StoreError(f"the store cannot be opened: {error}", hint="check the path and its permissions", about=about)
    if isinstance(error, apsw.IOError):
        return StoreError(f"reading or writing the store failed: {error}", hint="check the disk", about=about)
    return StoreError(f"{type(error).__name__}: {error}", hint=_RECOVER, about=about)


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise the engine's errors as ours."""
    try:
        yield
    except apsw.Error as error:
        raise translate(error, path) from error


def create(path: Path) -> None:
    """Make a new store beside its place and move it there whole, so that a half-made one is never found. Idempotent."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with translated(path):
            db = apsw.Connection(str(fresh))
            db.execute(f"PRAGMA page_size=4096; PRAGMA application_id={schema.APPLICATION_ID}")
            migrate(db, schema.MIGRATIONS)
            db.close()
        os.chmod(fresh, 0o600)
        with contextlib.suppress(FileExistsError):
            os.link(fresh, path) if hasattr(os, "link") else os.rename(fresh, path)
    except OSError as error:
        raise _os_error(error, path) from error
    finally:
        with contextlib.suppress(OSError):
            os.unlink(fresh)


def _os_error(error: OSError, path: Path) -> MunimentError:
    import errno

    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return FullDiskError("no room left to make the store", hint="free space, try again", about=str(path))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return ReadOnlyStoreError(f"the store cannot be made: {error.strerror}", hint="check the folder's mode", about=str(path))
    return StoreError(f"the store cannot be made: {error}", about=str(path))


def migrate(db: apsw.Connection, migrations: tuple[tuple[str, tuple[str, ...]], ...]) -> list[str]:
    """Apply what is missing, each in its own transaction with its record; returns the names applied."""
    applied = []
    for number, (name, statements) in enumerate(migrations, 1):
        if number <= db.pragma("user_version"):
            continue
        with db:
            for statement in statements:
                db.execute(statement)
            now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            db.execute("INSERT INTO migrations VALUES (?, ?)", (name, now))
            db.execute(f"PRAGMA user_version={number}")
        applied.append(name)
    return applied


def open_store(path: Path, read_only: bool = False) -> apsw.Connection:
    """An existing store, checked before the first write. NotFoundError if there is none."""
    _check_header(path)
    flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE
    with translated(path):
        db = apsw.Connection(str(path), flags=flags)
        try:
            db.set_busy_timeout(_BUSY_MS)
            _check_identity(db, path)
            _settings(db, path, read_only)
            if not read_only and db.pragma("user_version") < schema.VERSION:
                migrate(db, schema.MIGRATIONS)
            _check_shape(db, path)
        except BaseException:
            db.close()
            raise
        return db


def _check_header(path: Path) -> None:
    """What can be told from the first bytes, before the engine touches the file."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEADER)
    except FileNotFoundError as error:
        raise NotFoundError(f"no store at {path}", hint="run `muniment index` or `muniment add` first", about=str(path)) from error
    except OSError as error:
        raise _os_error(error, path) from error
    if len(head) < _HEADER or not head.startswith(_MAGIC):
        what = "is empty" if size == 0 else "does not begin like a database"
        raise DamagedStoreError(f"{path.name} {what}", hint=_RECOVER, about=str(path))
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    wal = path.with_name(path.name + "-wal")
    settled = head[24:28] == head[92:96] and not (wal.exists() and wal.stat().st_size)
    if settled and size < pages * (65536 if page == 1 else page):
        raise DamagedStoreError(f"{path.name} is cut short: {size} bytes of {pages * page}", hint=_RECOVER, about=str(path))


def _check_identity(db: apsw.Connection, path: Path) -> None:
    if db.pragma("application_id") != schema.APPLICATION_ID:
        raise DamagedStoreError(f"{path.name} is not a store of muniment", hint=_RECOVER, about=str(path))
    version = db.pragma("user_version")
    if version > schema.VERSION:
        raise NewerStoreError(
            f"this store has format {version}; this program knows up to {schema.VERSION}",
            hint="upgrade muniment; the store was left as it is",
            about=str(path),
        )


def _settings(db: apsw.Connection, path: Path, read_only: bool) -> None:
    if not read_only:
        db.pragma("journal_mode", "DELETE" if mounts.is_network(mounts.mount_type(path)) else "WAL")
        db.pragma("synchronous", "FULL")
        db.pragma("foreign_keys", True)
        db.pragma("journal_size_limit", 64 * 1024 * 1024)
    db.pragma("cache_size", -_CACHE_KIB)
    db.pragma("temp_store", "MEMORY")
    db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)


def _check_shape(db: apsw.Connection, path: Path) -> None:
    """The tables themselves, not only the record of the migrations."""
    for problem in shape_problems(db):
        raise ShapeError(
            f"{path.name}: {problem}",
            hint="the file was changed by another program; restore a copy or rebuild from transcripts",
            about=str(path),
        )


def shape_problems(db: apsw.Connection) -> Iterator[str]:
    """What of the tables differs from what the record of the migrations says."""
    have = {r[0]: r[1] for r in db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    for _, statements in schema.MIGRATIONS[: db.pragma("user_version")]:
        for statement in statements:
            name = statement.split("USING")[0].split("(")[0].split(" ON ")[0].split()[-1]
            if have.get(name) != statement:
                yield f"{name} is {'missing' if name not in have else 'not as recorded'}"
