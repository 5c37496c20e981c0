"""The world of one work tree, as evidence is checked against it: files and git here; the rest is handed in.

What will be asked is loaded ahead in a few calls of git (`load`); what only a changed file needs is asked when it is.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property

from muniment.engine.git import Git, Object
from muniment.engine.outer import Outer
from muniment.lifecycle import spans
from muniment.lifecycle.spans import Pair
from muniment.lifecycle.world import CannotLookError

LARGEST = 64 << 20
"""Bytes of a file that is looked into."""
_RENAMES_FOLLOWED = 400
"""Files that are followed commit by commit, where one comparison does not find them."""
_COMMITS_SEARCHED = 64


class WorkTree:
    """Files as they are and as commits have them."""

    def __init__(self, root: str, outer: Outer) -> None:
        self._root = root
        self._outer = outer
        self.git = Git(root)
        self._commits: dict[str, str | None] = {}
        self._objects: dict[tuple[str, str], Object | None] = {}
        self._blobs: dict[str, bytes] = {}
        self._now: dict[str, bytes | None] = {}
        self._ids: dict[str, str] = {}
        self._pairs: dict[tuple[str, str], Pair] = {}
        self._renames: dict[str, dict[str, str]] = {}
        self._where: dict[tuple[str, str], str | None] = {}
        self._changes: dict[str, frozenset[str]] = {}
        self._indexed: set[str] = set()
        self._holders: dict[str, list[str]] = defaultdict(list)
        self._behind: dict[str, bool] = {}
        self._gone: dict[tuple[str, str, str], bool] = {}
        self._followed = 0

    @cached_property
    def head(self) -> str | None:
        """The commit that is checked out."""
        return self.git.head()

    def load(self, places: Iterable[tuple[str, str]]) -> None:
        """Learn of all these files (commit, path) at once which are there, and read those that are not as they were."""
        asked = sorted(set(places))
        named = {c for c, _ in asked if c not in self._commits}
        self._commits.update(dict.fromkeys(named) | self.git.known(named))
        new = [p for p in asked if p not in self._objects and self._commits[p[0]]]
        self._objects.update(dict.fromkeys(new) | self.git.objects(new))
        found = [(p, o) for p in new if (o := self._objects[p]) is not None]
        wanted = {o.id for (_, path), o in found if o.size <= LARGEST and self._id(path, len(o.id)) != o.id}
        self._blobs.update(self.git.contents(wanted - self._blobs.keys()))

    def _object(self, commit: str, path: str) -> Object | None:
        if (commit, path) not in self._objects:
            self.load([(commit, path)])
        if not self._commits[commit]:
            raise CannotLookError(f"commit {commit[:12]} is not here")
        return self._objects[commit, path]

    # -- then and now

    def then(self, commit: str, path: str) -> bytes | None:
        """A file as a commit has it."""
        found = self._object(commit, path)
        if found is None:
            return None
        if found.size > LARGEST:
            raise CannotLookError(f"{path} is larger than {LARGEST} bytes")
        if self._is_now(path, found) and (now := self.now(path)) is not None:
            return now
        if found.id not in self._blobs:
            self._blobs.update(self.git.contents([found.id]))
        if found.id not in self._blobs:
            raise CannotLookError(f"{path} of commit {commit[:12]} is not here")
        return self._blobs[found.id]

    def now(self, path: str) -> bytes | None:
        """A file as it is."""
        if path not in self._now:
            self._now[path] = _read(self.full(path))
        return self._now[path]

    def full(self, path: str) -> str:
        """Where a file is."""
        return path if path.startswith("/") or path[1:2] == ":" else f"{self._root}/{path}"

    def is_same(self, commit: str, path: str) -> bool:
        """Is the file byte for byte what the commit has?"""
        found = self._object(commit, path)
        return found is not None and self._is_now(path, found)

    def _is_now(self, path: str, found: Object) -> bool:
        return self._id(path, len(found.id)) == found.id

    def _id(self, path: str, width: int) -> str:
        """The id that git would give a file as it is; empty if there is none."""
        if path not in self._ids:
            try:
                data = self.now(path)
            except CannotLookError:
                data = None
            name = "sha1" if width == 40 else "sha256"
            head = b"blob %d\0" % len(data) if data is not None else b""
            self._ids[path] = hashlib.new(name, head + data).hexdigest() if data is not None else ""
        return self._ids[path]

    # -- moved

    def where(self, commit: str, path: str) -> str | None:
        """Where a file of a commit is now."""
        if os.path.lexists(self.full(path)):
            return path
        if (commit, path) not in self._where:
            self._where[commit, path] = self._renamed(commit, path)
        return self._where[commit, path]

    def _renamed(self, commit: str, path: str) -> str | None:
        full = self._commits.get(commit) or self.git.commit(commit)
        if full is None:
            raise CannotLookError(f"commit {commit[:12]} is not here")
        if full not in self._renames:
            self._renames[full] = self.git.renamed(full)
        found = self._renames[full].get(path) or self._twin(full, path)
        if found is None and self._followed < _RENAMES_FOLLOWED:
            self._followed += 1
            found = self.git.renamed_since(full, path)
        return found if found is not None and os.path.lexists(self.full(found)) else None

    def _twin(self, commit: str, path: str) -> str | None:
        """A file that git does not know yet and that is what is gone, byte for byte."""
        old = self._object(commit, path)
        return next((p for p in self._untracked if old is not None and self._is_now(p, old)), None)

    @cached_property
    def _untracked(self) -> list[str]:
        return self.git.untracked()

    def pair(self, commit: str, path: str, where: str) -> Pair:
        """The lines of a file then and now."""
        old = self._object(commit, path)
        key = (old.id if old is not None else "", where)
        if key not in self._pairs:
            then, now = self.then(commit, path), self.now(where)
            self._pairs[key] = Pair(spans.lines_of(then or b""), spans.lines_of(now or b""))
        return self._pairs[key]

    def was_gone(self, commit: str, path: str, lines: Sequence[str]) -> bool:
        """Did a commit since change how often the longest of these lines stands in a file? A move does not."""
        key = (self._commits.get(commit) or commit, path, _telling(lines))
        if key[0] not in self._behind:
            self._behind[key[0]] = self.git.is_ancestor(key[0])
        if not self._behind[key[0]]:
            return False  # history was written anew: what it says of lines is when they were written down
        if key not in self._gone and len(self._gone) < _RENAMES_FOLLOWED:
            self._gone[key] = self.git.last_with(*key) is not None
        return self._gone.get(key, False)

    def holding(self, commit: str, lines: Sequence[str]) -> list[str]:
        """Files that are not as they were at a commit and hold a line."""
        line, changed = _telling(lines), self._changed(commit)
        if len(line) < _TELLS:
            return []
        for path in changed - self._indexed:
            self._index(path)
        return sorted(p for p in self._holders.get(line, ()) if p in changed)

    def _index(self, path: str) -> None:
        self._indexed.add(path)
        try:
            data = self.now(path)
        except CannotLookError:
            return
        for line in set(spans.lines_of(data)) if data is not None and b"\0" not in data[:8000] else ():
            if len(line) >= _TELLS:
                self._holders[line].append(path)

    def _changed(self, commit: str) -> frozenset[str]:
        full = self._commits.get(commit) or commit
        if full not in self._changes:
            is_too_many = len(self._changes) >= _COMMITS_SEARCHED
            self._changes[full] = frozenset() if is_too_many else frozenset(self.git.changed(full))
        return self._changes[full]

    def defining(self, commit: str, path: str, name: str) -> list[str]:
        """Changed files of the same language that hold a name."""
        suffix, wanted = os.path.splitext(path)[1], name.encode()
        alike = [p for p in sorted(self._changed(commit)) if p != path and p.endswith(suffix)]
        found = []
        for each in alike:
            try:
                data = self.now(each)
            except CannotLookError:
                continue
            if data is not None and wanted in data:
                found.append(each)
        return found

    # -- the rest

    def table(self, database: str, name: str) -> str | None:
        """The schema of a table."""
        return self._outer.table(database if "://" in database else self.full(database), name)

    def url(self, url: str) -> bytes | None:
        """What a page of the web says."""
        return self._outer.url(url)

    def ticket(self, tracker: str, name: str) -> str | None:
        """The state of a ticket: of a state file in the project, or by a declared command."""
        is_file = os.path.lexists(self.full(tracker))
        return self._outer.ticket_in(self.now(tracker), name) if is_file else self._outer.ticket(tracker, name)

    def command(self, name: str) -> tuple[int, bytes]:
        """What a declared command says."""
        return self._outer.command(name)

    def page(self, uuid: str) -> str | None:
        """The version of a page."""
        return self._outer.page(uuid)


_TELLS = 12


def _telling(lines: Sequence[str]) -> str:
    """The longest line: the one that is least often found by chance."""
    return max(lines, key=len, default="")


def _read(full: str) -> bytes | None:
    try:
        at = os.lstat(full)
        if stat.S_ISLNK(at.st_mode):
            return os.fsencode(os.readlink(full))  # as git has it; what it points to is another file
        if not stat.S_ISREG(at.st_mode):
            return None
        if at.st_size > LARGEST:
            raise CannotLookError(f"{full} is larger than {LARGEST} bytes")
        with open(full, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as error:
        raise CannotLookError(f"{full} cannot be read: {error.strerror}") from error
