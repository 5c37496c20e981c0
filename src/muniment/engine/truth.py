"""Truth on read: a fact that carries the hash of a file is compared with the file as it is now.

Nothing is written to the store. What was hashed is remembered by (size, mtime, inode): in this process, and for files
that take longer to hash than to look up, in a disposable cache beside the stores.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from typing import Any, NamedTuple

from muniment.model.ports import Store
from muniment.model.stored import PathState
from muniment.storage.sqlite.hash_cache import HashCache

OUTSIDE = "outside"
_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL})
"""What says that no such file can be there, and not that it cannot be looked at."""
UNREADABLE = "unchecked"
"""The mark of a row whose file is there and cannot be read: nobody can say whether it is as it was."""
_CHUNK = 1 << 20
_REMEMBERED = 10_000
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
        self._paths: dict[int, tuple[str, PathState, str]] = {}
        self._now: dict[str, str | None] = {}
        """The hashes of the files that this question has looked at: one answer sees one state of each."""
        self._version: object = None
        self.memo: dict[Any, Any] = {}
        """What else was read of the store; empty after `begin` if anybody has written since."""

    def begin(self, store: Store) -> None:
        """Call before each question: what was read from the store is forgotten if the store has changed."""
        self._now.clear()
        version = store.db.version()
        if version != self._version:
            self._version = version
            self._paths.clear()
            self.memo.clear()
        elif len(self.memo) > _REMEMBERED:
            self.memo.clear()

    def mark(self, store: Store, path: int, anchor: str, observed_ms: int) -> str | None:
        """None if the file is as it was, else `stale:<session>` or `stale:outside`.

        The culprit is the session whose later write explains what the file holds now.
        """
        known = self._paths.get(path)
        if known is None:
            known = self._paths[path] = self._known(store.walks.path_state(path))
        full, state, culprit = known
        if full not in self._now:
            self._now[full] = self._sha256(full)
        now = self._now[full]
        if now == anchor:
            return None
        if now == UNREADABLE:
            return UNREADABLE
        explained = state.written_ms is not None and state.written_ms > observed_ms and state.anchor in (None, now)
        return f"stale:{culprit if explained else OUTSIDE}"

    def _known(self, state: PathState) -> tuple[str, PathState, str]:
        """Where the file is, what the store knows of it, and the session that wrote it last as one word of one row."""
        from muniment.views.rows import escaped  # only answers that cite files need it

        return self._full(state.key), state, escaped(state.session or OUTSIDE).replace(" ", "_")

    def sha256(self, key: str) -> str | None:
        """The hash of a file by its key, or None if there is no such file."""
        return self._sha256(self._full(key))

    def full(self, key: str) -> str:
        """Where the file of a key is."""
        return self._full(key)

    def _full(self, key: str) -> str:
        return key if key.startswith("/") or key[1:2] == ":" else f"{self._root}/{key}"

    def _sha256(self, full: str) -> str | None:
        try:
            at = os.stat(full)
        except ValueError:  # a name with a NUL in it
            return None
        except OSError as error:
            return None if error.errno in _ABSENT else UNREADABLE
        seen = self._seen.get(full)
        if seen is not None and seen.size == at.st_size and seen.mtime_ns == at.st_mtime_ns and seen.inode == at.st_ino:
            return seen.sha256
        if not stat.S_ISREG(at.st_mode):
            return None  # a pipe or a device would never end
        if time.time_ns() - at.st_mtime_ns < RACY_NS:
            return _hash(full, at.st_size)
        found = self._hashed(full, at)
        if found not in (None, UNREADABLE):
            self._seen[full] = _Seen(at.st_size, at.st_mtime_ns, at.st_ino, found)
        return found

    def close(self) -> None:
        """Let go of the cache."""
        self._cache.close()

    def _hashed(self, full: str, at: os.stat_result) -> str | None:
        if at.st_size < CACHED_FROM:
            return _hash(full, at.st_size)
        known = self._cache.get(full, at)
        if known is None and (found := _hash(full, at.st_size)) is not None:
            self._cache.put(full, at, found)
            return found
        return known


def _hash(path: str, size: int) -> str | None:
    """`size` is what it is expected to have: room for more than that would cost a small file most of its time."""
    from hashlib import sha256  # here, because only answers that cite files need it

    try:
        digest, room = sha256(), min(size + 1, _CHUNK)
        with open(path, "rb", buffering=0) as file:
            while chunk := file.read(room):
                digest.update(chunk)
        return digest.hexdigest()
    except (FileNotFoundError, IsADirectoryError):
        return None
    except OSError:
        return UNREADABLE
