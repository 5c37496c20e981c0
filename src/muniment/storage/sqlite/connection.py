"""Opening a store: named errors, bytes untouched, never an empty store in the place of a damaged one."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

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
from muniment.storage.sqlite import encryption, mounts, schema
from muniment.storage.sqlite.lock import WriteLock

_HEADER = 100
_MAGIC = b"SQLite format 3\0"
_BUSY_MS = 10_000
_RETRY_S = 0.01
_CACHE_KIB = 64 * 1024
_RECOVER = (
    "keep the file; `muniment verify` tells what is sound, `muniment index` into a fresh home rebuilds from transcripts"
)
UNREADABLE = (apsw.Error, UnicodeDecodeError)
"""What a query may raise: the engine does not look into a text, whose bytes may be damaged."""
_BLOCKED = (apsw.CantOpenError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError)
_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class Opened(NamedTuple):
    """A connection; why it cannot write, if so; and whether it takes no locks, since nobody is writing."""

    db: apsw.Connection
    refusal: MunimentError | None = None
    is_frozen: bool = False


# --- errors -----------------------------------------------------------------------------------------------------------


def translate(error: Exception, path: Path, db: apsw.Connection | None = None) -> MunimentError:
    """The engine's error as one of ours, naming the file. `db` tells what the system said to the engine."""
    about = str(path)
    if isinstance(error, apsw.NotADBError | apsw.CorruptError | apsw.FormatError | UnicodeDecodeError):
        return DamagedStoreError(f"{path.name} is damaged: {error}", hint=_RECOVER, about=about)
    if isinstance(error, apsw.FullError) or (isinstance(error, apsw.IOError) and _errno(db) in _FULL):
        return FullDiskError(
            "no room left to write; nothing of this call was stored", hint="free space, try again", about=about
        )
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return BusyError(f"the store is busy: {error}", hint="try again; nothing was written", about=about)
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError):
        return ReadOnlyStoreError(
            f"the store cannot be written: {error}", hint="check owner and mode of file and folder", about=about
        )
    if isinstance(error, apsw.CantOpenError):
        return StoreError(
            f"the store cannot be opened: {error}", hint="check the path and its permissions", about=about
        )
    if isinstance(error, apsw.IOError):
        return StoreError(f"reading or writing the store failed: {error}", hint="check the disk", about=about)
    return StoreError(f"{type(error).__name__}: {error}", hint=_RECOVER, about=about)


def _errno(db: apsw.Connection | None) -> int:
    with contextlib.suppress(apsw.Error):
        return db.system_errno if db is not None else 0
    return 0


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise the engine's errors as ours."""
    try:
        yield
    except UNREADABLE as error:
        raise translate(error, path) from error


@contextlib.contextmanager
def translated_os(path: Path, verb: str) -> Iterator[None]:
    """Raise the system's errors as ours; `verb` is what was being done ("made", "opened", "locked")."""
    try:
        yield
    except OSError as error:
        about, why = str(path), error.strerror or str(error)
        if error.errno in _FULL:
            raise FullDiskError(
                f"no room left; the store cannot be {verb}", hint="free space, try again", about=about
            ) from error
        if error.errno in _DENIED:
            hint = "check owner and mode of file and folder"
            raise ReadOnlyStoreError(f"the store cannot be {verb}: {why}", hint=hint, about=about) from error
        raise StoreError(
            f"the store cannot be {verb}: {why}", hint="check the path and the disk", about=about
        ) from error


# --- opening ----------------------------------------------------------------------------------------------------------


def open_store(path: Path, lock: WriteLock, read_only: bool = False) -> Opened:
    """An existing store, checked before the first write. NotFoundError if there is none.

    Where the file or its folder cannot be written, or no room is left for the files that readers share, the store is
    opened for reading alone, provided that it has no log which would have to be read with it.
    """
    _check_header(path)
    refusal = None if _may_write(path) else _refused(path, "its file is write-protected")
    if refusal is not None and not log_size(path):
        return _frozen(path, refusal)
    with translated(path):
        db = apsw.Connection(
            str(path), flags=apsw.SQLITE_OPEN_READWRITE if refusal is None else apsw.SQLITE_OPEN_READONLY
        )
    try:
        encryption.unlock(db, str(path))
        _prepare(db, path, lock, may_write=refusal is None and not read_only)
    except UNREADABLE as error:
        ours = _why(error, path, db)
        db.close()
        if log_size(path) or not isinstance(error, _BLOCKED):
            raise ours from error
        return _frozen(path, ours)
    except BaseException:
        db.close()
        raise
    if read_only:
        refusal = _refused(path, "it was opened for reading")
    elif refusal is None and db.readonly("main"):
        refusal = _refused(path, "the system opens its file for reading alone")
    return Opened(db, refusal)


def _prepare(db: apsw.Connection, path: Path, lock: WriteLock, *, may_write: bool) -> None:
    """Check and set up a connection that takes part in the locking.

    Who only reads has such a handle too where the place allows it, since it cleans up after itself.
    """
    # Whoever closes last copies the log into the file: not into one that turns out to be damaged, or not ours.
    has_log = log_size(path) > 0
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(has_log))
    db.set_busy_timeout(_BUSY_MS)
    _check_identity(db, path)
    _settings(db, path, writes=may_write)
    _upgrade(db, path, lock, may_write=may_write)
    _check_shape(db, path)
    db.pragma("foreign_keys", True)
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(has_log and not may_write))
    db.pragma("query_only", not may_write)


def _frozen(path: Path, refusal: MunimentError) -> Opened:
    """Read the file alone, without locks. Sound for as long as no log appears beside it: nobody writes without one."""
    from urllib.parse import quote  # 2 ms to import, and hardly anybody needs it

    uri = f"file:{quote(path.resolve().as_posix())}?immutable=1"
    with translated(path):
        db = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            encryption.unlock(db, str(path))
            _check_identity(db, path)
            _settings(db, path, writes=False)
            if db.pragma("user_version") < schema.VERSION:
                raise _old(path, db.pragma("user_version"))
            _check_shape(db, path)
        except BaseException:
            db.close()
            raise
    return Opened(db, refusal, is_frozen=True)


def _refused(path: Path, why: str) -> ReadOnlyStoreError:
    return ReadOnlyStoreError(
        f"the store cannot be written: {why}", hint="check owner and mode of file and folder", about=str(path)
    )


def _may_write(path: Path) -> bool:
    """May this process? (The plain question is asked for who started it, who may be somebody else.)"""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _why(error: Exception, path: Path, db: apsw.Connection) -> MunimentError:
    """Why the store cannot be opened, where the engine may say only that it cannot make its files."""
    if isinstance(error, _BLOCKED) and not _may_write(path.parent):
        return _refused(path, "its folder is write-protected")
    return translate(error, path, db)


def _old(path: Path, version: int) -> ReadOnlyStoreError:
    message = f"this store has format {version} and cannot be brought to {schema.VERSION}, since it cannot be written"
    return ReadOnlyStoreError(message, hint="make the file and its folder writable, once", about=str(path))


def log_size(path: Path) -> int:
    """Bytes of what has to be read with a store: its write-ahead log, or the journal of a write that was cut off."""
    total = 0
    for suffix in ("-wal", "-journal"):
        with contextlib.suppress(OSError):
            total += path.with_name(path.name + suffix).stat().st_size
    return total


# --- checks -----------------------------------------------------------------------------------------------------------


def _check_header(path: Path) -> None:
    """What can be told from the first bytes, before the engine touches the file."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEADER)
    except FileNotFoundError as error:
        raise NotFoundError(
            f"no store at {path}", hint="run `muniment index` or `muniment add` first", about=str(path)
        ) from error
    except OSError as error:
        with translated_os(path, "read"):
            raise error
    if encryption.check(head, str(path)):
        return
    if len(head) < _HEADER or not head.startswith(_MAGIC):
        what = "is empty" if size == 0 else "does not begin like a database"
        raise DamagedStoreError(f"{path.name} {what}", hint=_RECOVER, about=str(path))
    _check_owner(path, int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big"))
    page = int.from_bytes(head[16:18], "big")
    wanted = int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page)
    settled = head[24:28] == head[92:96] and not log_size(path)
    if settled and size < wanted:
        raise DamagedStoreError(f"{path.name} is cut short: {size} bytes of {wanted}", hint=_RECOVER, about=str(path))


def _check_identity(db: apsw.Connection, path: Path) -> None:
    """The same as the engine sees it, log included."""
    _check_owner(path, db.pragma("application_id"), db.pragma("user_version"))


def _check_owner(path: Path, application: int, version: int) -> None:
    if application != schema.APPLICATION_ID:
        raise DamagedStoreError(f"{path.name} is not a store of muniment", hint=_RECOVER, about=str(path))
    if version > schema.VERSION:
        raise NewerStoreError(
            f"this store has format {version}; this program knows up to {schema.VERSION}",
            hint="upgrade muniment; the store was left as it is",
            about=str(path),
        )


def _settings(db: apsw.Connection, path: Path, *, writes: bool) -> None:
    if writes:
        _set_journal(db, "delete" if mounts.is_network(mounts.mount_type(path)) else "wal")
        db.pragma("synchronous", "FULL")
        db.pragma("journal_size_limit", 64 * 1024 * 1024)
    db.pragma("cache_size", -_CACHE_KIB)
    db.pragma("temp_store", "MEMORY")
    db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    db.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)


def _set_journal(db: apsw.Connection, mode: str) -> None:
    """The first to open a store after a crash recovers its log, and the engine turns away whoever else asks meanwhile."""
    until = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            if db.pragma("journal_mode") != mode:
                db.pragma("journal_mode", mode)
            return
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(_RETRY_S)


def _upgrade(db: apsw.Connection, path: Path, lock: WriteLock, *, may_write: bool) -> None:
    version = db.pragma("user_version")
    if version >= schema.VERSION:
        return
    if not may_write:
        raise _old(path, version)
    if version == 0:
        raise ShapeError(f"{path.name} says that it has no tables", hint=_RECOVER, about=str(path))
    from muniment.storage.sqlite.creating import migrate

    with lock.held():
        migrate(db, schema.MIGRATIONS)


def _check_shape(db: apsw.Connection, path: Path) -> None:
    """The tables themselves, not only the record of the migrations."""
    known = [name for name, _ in schema.MIGRATIONS[: db.pragma("user_version")]]
    for problem in shape_problems(db):
        raise ShapeError(
            f"{path.name}: {problem}",
            hint="the file was changed by another program; restore a copy or rebuild from transcripts",
            about=str(path),
        )
    unknown = [str(r[0]) for r in db.execute("SELECT name FROM migrations ORDER BY name") if r[0] not in known]
    if unknown:
        raise NewerStoreError(
            f"this store was brought to {unknown[-1]}, which this program does not know",
            hint="upgrade muniment; the store was left as it is",
            about=str(path),
        )


def shape_problems(db: apsw.Connection) -> Iterator[str]:
    """What of the tables differs from what the record of the migrations says."""
    have = {r[0]: r[1] for r in db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    for name, sql in _shape(schema.MIGRATIONS[: db.pragma("user_version")]).items():
        if have.get(name) != sql:
            yield f"{name} is {'missing' if name not in have else 'not as recorded'}"
    if "migrations" in have:
        done = {r[0] for r in db.execute("SELECT name FROM migrations")}
        for name, _ in schema.MIGRATIONS[: db.pragma("user_version")]:
            if name not in done:
                yield f"the record of {name} is missing"


def _shape(migrations: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, str]:
    """Every table and index as the migrations leave it. Those that only create are their own description."""
    statements = [s for _, each in migrations for s in each]
    if all(s.startswith("CREATE ") for s in statements):
        return {s.split("USING")[0].split("(")[0].split(" ON ")[0].split()[-1]: s for s in statements}
    with contextlib.closing(apsw.Connection(":memory:")) as db:
        for statement in statements:
            db.execute(statement)
        return dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))
