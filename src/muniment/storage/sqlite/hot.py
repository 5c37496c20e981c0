"""The few reads that a hook has time for: a bare connection, rows as they were rendered, nothing imported that costs.

The connection takes part in the locking as every other does, never writes, and gives up on a lock after a moment.
"""

from __future__ import annotations

import os

import apsw

from muniment.errors import (
    BusyError,
    DamagedStoreError,
    MunimentError,
    NewerStoreError,
    NotFoundError,
    ShapeError,
    StoreError,
)
from muniment.storage.sqlite.schema import APPLICATION_ID, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from muniment.model.ports import Bare

_BUSY_MS = 60
_MAGIC = b"SQLite format 3\0"
_OPEN = "l.from_ms <= :now AND (l.until_ms IS NULL OR l.until_ms > :now)"
_COLUMNS = """SELECT l.id, l.line, l.from_ms, l.is_state, l.object, l.anchor, l.origin, e.kind, l.predicate, l.rank_key
    FROM lines l INDEXED BY"""
_BY = {
    "predicate": f"{_COLUMNS} lines_predicate JOIN entities e ON e.n = l.subject WHERE l.predicate = :key AND l.band = :band",
    "type": f"{_COLUMNS} lines_type JOIN entities e ON e.n = l.subject WHERE l.type = :key AND l.band = :band",
    "session": f"{_COLUMNS} lines_session JOIN entities e ON e.n = l.subject WHERE l.session = :key AND l.is_state = 0"
    " AND l.band = :band",
    "session_states": f"{_COLUMNS} lines_session JOIN entities e ON e.n = l.subject WHERE l.session = :key"
    " AND l.is_state = 1 AND l.band = :band",
}  # fmt: skip
_ASKED = f"""SELECT l.id, l.line, l.from_ms, l.is_state, l.object, l.anchor, l.origin, 'person', l.predicate, l.rank_key
    FROM (SELECT * FROM lines l INDEXED BY lines_predicate WHERE l.predicate = 'asked' AND l.band = 0 AND {_OPEN}
    ORDER BY l.rank_key DESC, l.id LIMIT :depth) l WHERE l.origin = 'person' ORDER BY l.rank_key DESC, l.id LIMIT :limit"""  # noqa: S608
_PINNED = f"""{_COLUMNS} lines_pinned JOIN entities e ON e.n = l.subject WHERE l.is_pinned = 1 AND {_OPEN}
    ORDER BY l.band, l.from_ms DESC, l.id LIMIT :limit"""
PATH_STATE = """SELECT e.key, l.from_ms, l.anchor, s.id FROM entities e LEFT JOIN lines l ON l.n = (SELECT w.n FROM lines w
    INDEXED BY lines_written WHERE w.object = e.n AND w.predicate = 'touched' ORDER BY w.from_ms DESC, w.id LIMIT 1)
    LEFT JOIN sessions s ON s.n = l.session WHERE e.n = ?"""
"""The key of a path, and the time, the anchor and the session of its newest write."""
_LAST = """SELECT s.n, s.id, s.harness, s.source_uri FROM lines l INDEXED BY lines_newest JOIN sessions s ON s.n = l.session
    WHERE l.from_ms <= :now AND s.harness <> :own AND s.parent IS NULL
    ORDER BY l.from_ms DESC, l.id LIMIT 1"""
_NAMED = "SELECT n, id, harness, source_uri FROM sessions WHERE id = ?"
_ENDED = "SELECT order_at, seq FROM positions WHERE session = ? ORDER BY seq DESC LIMIT 1"
_TURNS = """SELECT e.kind, p.seq, p.uid FROM positions p JOIN shown h ON h.uid = p.uid AND h.session = p.session AND h.seq = p.seq
    JOIN events e ON e.n = h.event WHERE p.session = ? ORDER BY p.seq DESC LIMIT 30"""
_SOURCE = "SELECT json_extract(cursor, '$.size') FROM sources WHERE uri = ?"

_IDENTITY = ("application_id", "user_version")

Row = tuple["Any", ...]


class Reads:
    """Reads over one connection of whoever asks; `snapshot` makes them one state of the store."""

    def __init__(self, db: Bare) -> None:
        self._db = db

    def rows(self, by: str, key: str | int, now: int, limit: int, band: int = 0) -> list[Row]:
        """(id, row, from_ms, is_state, object, anchor, origin, kind of the subject, predicate, rank key), best first."""
        args = {"key": key, "now": now, "band": band, "limit": limit}
        return self._all(f"{_BY[by]} AND {_OPEN} ORDER BY l.rank_key DESC, l.id LIMIT :limit", args)

    def pinned(self, now: int, limit: int) -> list[Row]:
        """The same of what a person pinned, the firmest and newest first."""
        return self._all(_PINNED, {"now": now, "limit": limit})

    def asked_by_people(self, now: int, depth: int, limit: int) -> list[Row]:
        """The same of what people asked, among the best `depth` questions of anybody; read until there are enough."""
        return self._all(_ASKED, {"now": now, "depth": depth, "limit": limit})

    def last_session(self, now: int, own: str, name: str | None = None) -> Row | None:
        """(number, id, harness, source) of the session of the newest open row, sub-agents and `own` harness aside; or of
        the one that is named."""
        return self._one(_NAMED, (name,)) if name else self._one(_LAST, {"now": now, "own": own})

    def end_of(self, session: int) -> Row | None:
        """(time, seq) of the last record of a session."""
        return self._one(_ENDED, (session,))

    def turns_of(self, session: int) -> list[Row]:
        """(kind, seq, uid) of the last records of a session, newest first."""
        return self._all(_TURNS, (session,))

    def sessions(self, own: str) -> int:
        """How many sessions there are, those of the `own` harness aside."""
        return int((self._one("SELECT count(*) FROM sessions WHERE harness <> ?", (own,)) or (0,))[0])

    def read_of(self, uri: str) -> int | None:
        """Bytes of a source that it had when it was read."""
        row = self._one(_SOURCE, (uri,))
        return row[0] if row and isinstance(row[0], int) else None

    def path_state(self, path: int) -> Row:
        """(key, from_ms, anchor, session) of the newest write of a path."""
        return self._one(PATH_STATE, (path,)) or ("", None, None, None)

    def _all(self, sql: str, args: Sequence[Any] | dict[str, Any]) -> list[Row]:
        return list(self._db.execute(sql, args))

    def _one(self, sql: str, args: Sequence[Any] | dict[str, Any]) -> Row | None:
        row: Row | None = self._db.execute(sql, args).fetchone()
        return row


class Glance:
    """One look at a store by its path: `with Glance(path) as reads`. A MunimentError says why there is none."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._db: apsw.Connection | None = None

    def __enter__(self) -> Reads:
        try:
            self._db = _open(self._path)
            self._db.execute("BEGIN")
            return Reads(self._db)
        except (apsw.Error, OSError) as error:
            self.close()
            raise ours(error, self._path) from error

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        if isinstance(error, apsw.Error | UnicodeDecodeError):
            raise ours(error, self._path) from error

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            self._db.close(force=True)
            self._db = None


def ours(error: Exception, path: str) -> MunimentError:
    """The engine's error as one of ours."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return BusyError("the store was busy", about=path)
    if isinstance(error, OSError | apsw.CantOpenError | apsw.IOError):
        return StoreError(f"the store could not be read: {error}", about=path)
    return DamagedStoreError(f"the store is damaged: {error}", hint="`muniment verify` tells what is sound", about=path)


def _open(path: str) -> apsw.Connection:
    if not os.path.exists(path):
        raise NotFoundError(f"no store at {path}", about=path)
    db = _connected(path)
    try:
        _check(db, path)
    except BaseException:
        db.close(force=True)
        raise
    return db


def _check(db: apsw.Connection, path: str) -> None:
    (application, *_), (version, *_) = (db.execute(f"PRAGMA {name}").fetchone() or (0,) for name in _IDENTITY)
    if application != APPLICATION_ID:
        raise DamagedStoreError("the file is not a store of muniment", about=path)
    if version > VERSION:
        raise NewerStoreError(f"the store has format {version}, this program knows {VERSION}", about=path)
    if version < VERSION:
        raise ShapeError(f"the store has format {version} and is brought to {VERSION} by the next command", about=path)


def _connected(path: str) -> apsw.Connection:
    """Open for reading; without locks where the place takes none and no log would have to be read with the file."""
    has_log = _size(path + "-wal") > 0
    if not has_log and not os.access(os.path.dirname(path), os.W_OK):
        frozen = apsw.Connection(
            f"file:{_quoted(path)}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
        _unlock(frozen, path)
        return frozen
    may_write = os.access(path, os.W_OK)
    db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE if may_write else apsw.SQLITE_OPEN_READONLY)
    _unlock(db, path)
    # Whoever closes last would copy the log into the file: a hook has no time for that.
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(has_log))
    db.set_busy_timeout(_BUSY_MS)
    db.execute("PRAGMA query_only = 1")
    return db


def _unlock(db: apsw.Connection, path: str) -> None:
    """Give it its key, if it has one; that is loaded only where a file is not plain."""
    with open(path, "rb") as file:
        head = file.read(100)
    if not head.startswith(_MAGIC):
        from muniment.storage.sqlite import encryption

        if encryption.check(head, path):
            encryption.unlock(db, path)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _quoted(path: str) -> str:
    text = path.replace("\\", "/").replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return text if text.startswith("/") else f"/{text}"
