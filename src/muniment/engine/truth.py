"""Truth on read: a fact that carries the hash of a file is compared with the file as it is now.

Nothing is written to the store. What was hashed is remembered by (size, mtime, inode): in this process, and for files
that take longer to hash than to look up, in a disposable cache beside the stores.
"""

from __future__ import annotations

import os
import stat
import time
from typing import NamedTuple

from muniment.model.stored import PathState
from muniment.storage.sqlite.hash_cache import HashCache
from muniment.storage.sqlite.whole import SqliteStore

OUTSIDE = "outside"
_CHUNK = 1 << 20
RACY_NS = 2_000_000_000
"""A file changed this lately may change again within the same tick of its file system's clock: it is hashed each time."""
CACHED_FROM = 1 << 18
"""Bytes from which a file's hash is worth keeping between processes."""


class _Seen(NamedTuple):
    size: int
    mtime_ns: int
    inode: int
    sha256: str


class Freshness:
    """Compares anchors with the files of one work tree."""

    def __init__(self, root: str, cache: HashCache) -> None:
        self._root = root
        self._cache = cache
        self._seen: dict[str, _Seen] = {}
        self._paths: dict[int, PathState] = {}
        self._version: object = None

    def begin(self, store: SqliteStore) -> None:
        """Call before each question: what was read from the store is forgotten if the store has changed."""
        version = store.db.version()
        if version != self._version:
            self._version = version
            self._paths.clear()

    def mark(self, store: SqliteStore, path: int, anchor: str, observed_ms: int) -> str | None:
        """None if the file is as it was, else `stale:<session>` or `stale:outside`.

        The culprit is the session whose later write explains what the file holds now.
        """
        state = self._paths.get(path)
        if state is None:
            state = self._paths[path] = store.walks.path_state(path)
        now = self.sha256(state.key)
        if now == anchor:
            return None
        from muniment.views.rows import escaped  # what is as it was needs no word for it

        explained = state.written_ms is not None and state.written_ms > observed_ms and state.anchor in (None, now)
        culprit = state.session if explained else OUTSIDE
        return f"stale:{escaped(culprit or OUTSIDE).replace(' ', '_')}"  # a mark is one word of one row

    def sha256(self, key: str) -> str | None:
        """The hash of a file by its key, or None if there is no such file."""
        full = key if key.startswith("/") or key[1:2] == ":" else f"{self._root}/{key}"
        try:
            at = os.stat(full)
        except (OSError, ValueError):  # ValueError: a name with a NUL in it
            return None
        if not stat.S_ISREG(at.st_mode):
            return None  # a pipe or a device would never end
        seen = self._seen.get(full)
        if seen is not None and seen[:3] == (at.st_size, at.st_mtime_ns, at.st_ino):
            return seen.sha256
        if time.time_ns() - at.st_mtime_ns < RACY_NS:
            return _hash(full)
        found = self._hashed(full, at)
        if found is not None:
            self._seen[full] = _Seen(at.st_size, at.st_mtime_ns, at.st_ino, found)
        return found

    def close(self) -> None:
        """Let go of the cache."""
        self._cache.close()

    def _hashed(self, full: str, at: os.stat_result) -> str | None:
        if at.st_size < CACHED_FROM:
            return _hash(full)
        known = self._cache.get(full, at)
        if known is None and (found := _hash(full)) is not None:
            self._cache.put(full, at, found)
            return found
        return known


def _hash(path: str) -> str | None:
    from hashlib import sha256  # here, because only answers that cite files need it

    try:
        digest = sha256()
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
        return digest.hexdigest()
    except OSError:
        return None
