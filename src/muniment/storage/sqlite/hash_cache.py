"""A disposable cache of file hashes, beside the stores and no part of any: whatever is wrong with it, it is just empty."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import apsw

_TABLE = """CREATE TABLE IF NOT EXISTS hashes (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT"""
_GET = "SELECT sha256 FROM hashes WHERE path = ? AND size = ? AND mtime_ns = ? AND inode = ?"
_BUSY_MS = 50


class HashCache:
    """SHA-256 by (path, size, mtime, inode). Opened when first asked; never raises."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: apsw.Connection | None = None
        self._is_off = False

    def get(self, path: str, at: os.stat_result) -> str | None:
        """The hash of a file as it is, if it is known."""
        with contextlib.suppress(apsw.Error, OSError):
            db = self._open()
            row = db.execute(_GET, (path, at.st_size, at.st_mtime_ns, at.st_ino)).fetchone() if db else None
            return str(row[0]) if row else None
        return None

    def put(self, path: str, at: os.stat_result, sha256: str) -> None:
        """Remember a hash."""
        with contextlib.suppress(apsw.Error, OSError):
            db = self._open()
            if db is not None:
                row = (path, at.st_size, at.st_mtime_ns, at.st_ino, sha256)
                db.execute("INSERT OR REPLACE INTO hashes VALUES (?, ?, ?, ?, ?)", row)

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None:
            with contextlib.suppress(apsw.Error):
                self._db.close()
            self._db = None

    def _open(self) -> apsw.Connection | None:
        if self._db is None and not self._is_off:
            self._is_off = True
            db = apsw.Connection(str(self._path))
            db.set_busy_timeout(_BUSY_MS)
            db.pragma("synchronous", "OFF")
            db.execute(_TABLE)
            os.chmod(self._path, 0o600)
            self._db, self._is_off = db, False
        return self._db
