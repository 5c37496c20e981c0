"""Truth on read: a fact that carries the hash of a file is compared with the file as it is now.

Nothing is written to the store. What was hashed is remembered in this process by (size, mtime, inode).
"""

from __future__ import annotations

import hashlib
import os
from typing import NamedTuple

from muniment.model.time import to_ms
from muniment.storage.sqlite.whole import SqliteStore

OUTSIDE = "outside"
_CHUNK = 1 << 20
_NEWEST = """SELECT f.observed_at, f.anchor_sha256, e.id FROM facts f INDEXED BY facts_written JOIN shown h ON h.uid = f.uid
    JOIN sessions e ON e.n = h.session WHERE f.object = ? AND f.predicate = 'touched' ORDER BY f.observed_at DESC, f.id LIMIT 1"""


class _Written(NamedTuple):
    """The newest write of a path that the store knows of."""

    at_ms: int
    anchor: str | None
    session: str


class _Seen(NamedTuple):
    size: int
    mtime_ns: int
    inode: int
    sha256: str


class Freshness:
    """Compares anchors with the files of one work tree."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._seen: dict[str, _Seen] = {}
        self._keys: dict[int, str] = {}
        self._newest: dict[int, _Written | None] = {}
        self._version: object = None

    def begin(self, store: SqliteStore) -> None:
        """Call before each question: what was read from the store is forgotten if the store has changed."""
        version = store.db.version()
        if version != self._version:
            self._version = version
            self._keys.clear()
            self._newest.clear()

    def mark(self, store: SqliteStore, path: int, anchor: str, observed_ms: int) -> str | None:
        """None if the file is as it was, else `stale:<session>` or `stale:outside`."""
        key = self._keys.get(path)
        if key is None:
            row = store.db.one("SELECT key FROM entities WHERE n = ?", (path,))
            key = self._keys[path] = row[0] if row else ""
        now = self.sha256(key)
        return None if now == anchor else f"stale:{self._culprit(store, path, observed_ms, now)}"

    def sha256(self, key: str) -> str | None:
        """The hash of a file by its key, or None if there is no such file."""
        full = key if key.startswith("/") or key[1:2] == ":" else f"{self._root}/{key}"
        try:
            at = os.stat(full)
        except OSError:
            return None
        seen = self._seen.get(full)
        if seen is not None and seen[:3] == (at.st_size, at.st_mtime_ns, at.st_ino):
            return seen.sha256
        found = _hash(full)
        if found is not None:
            self._seen[full] = _Seen(at.st_size, at.st_mtime_ns, at.st_ino, found)
        return found

    def _culprit(self, store: SqliteStore, path: int, observed_ms: int, now: str | None) -> str:
        """The session whose later write explains what the file holds now; else it was changed outside."""
        if path not in self._newest:
            row = store.db.one(_NEWEST, (path,))
            self._newest[path] = _Written(to_ms(row[0]), row[1], row[2]) if row else None
        newest = self._newest[path]
        if newest is None or newest.at_ms <= observed_ms or newest.anchor not in (None, now):
            return OUTSIDE
        return newest.session


def _hash(path: str) -> str | None:
    try:
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()
    except OSError:
        return None
