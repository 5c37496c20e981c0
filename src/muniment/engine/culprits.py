"""Who did it: the commit, the session or the person behind what changed at an address."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from muniment.engine.git import Change
from muniment.engine.world import WorkTree
from muniment.errors import MissingExtraError
from muniment.lifecycle import spans, symbols
from muniment.lifecycle.spans import Pair, Span
from muniment.lifecycle.world import CannotLookError, Look
from muniment.model.address import FILE_KINDS, OK, Address, span_of
from muniment.model.entity import Entity
from muniment.model.ports import Store

OUTSIDE = "outside"
"""Nobody that the store knows of."""
_LOOKED_UP = 200
"""Changes that are looked up line by line, where more than one commit touched a file."""
_SHORT = 12


class Culprit(NamedTuple):
    """`by` is the short id of a commit, a session or `outside`; the rest is what is known beside it."""

    by: str
    commit: str = ""
    author: str = ""
    at: str = ""
    title: str = ""
    session: str = ""


class Culprits:
    """Finds them for one check: the history of all files that changed since a commit is read in one go."""

    def __init__(self, store: Store, world: WorkTree, broken: Iterable[tuple[Address, Look]]) -> None:
        self._store = store
        self._world = world
        self._paths: dict[str, set[str]] = {}
        for address, look in broken:
            if address.kind in FILE_KINDS and (commit := address.token("git")):
                self._paths.setdefault(commit, set()).update({address.path, _path(look.place) or address.path})
        self._logs: dict[str, list[tuple[Change, frozenset[str]]]] = {}
        self._dirty: frozenset[str] | None = None
        self._heads: dict[tuple[str, str, str], Pair] = {}
        self._looked_up = 0

    def of(self, address: Address, look: Look) -> Culprit:
        """Who changed what an address names."""
        if address.kind not in FILE_KINDS:
            return Culprit(OUTSIDE)
        path, commit = _path(look.place) or address.path, address.token("git")
        change = self._commit(address, commit, path) if commit and not self._is_uncommitted(address, path) else None
        if change is None:
            session = self._session(path) or self._session(address.path)
            return Culprit(session or OUTSIDE, session=session)
        session = self._store.evidence.committer(change.commit)
        return Culprit(change.commit[:_SHORT], change.commit, change.author, change.at, change.title, session)

    def _commit(self, address: Address, commit: str, path: str) -> Change | None:
        if commit not in self._logs:
            self._logs[commit] = self._world.git.log(commit, sorted(self._paths.get(commit, ())))
        own = [change for change, paths in self._logs[commit] if paths & {address.path, path}]
        if len(own) <= 1 or self._looked_up >= _LOOKED_UP or address.kind == "file":
            return own[0] if own else None
        self._looked_up += 1
        return self._precisely(address, commit, path) or own[0]

    def _precisely(self, address: Address, commit: str, path: str) -> Change | None:
        """The commit that changed how often the first lost line stands there."""
        try:
            pair = self._world.pair(commit, address.path, path)
        except CannotLookError:
            return None
        _, first, last = span_of(address.place)
        cited = pair.old[first - 1 : last] if first else ()
        lost = [line for line in cited if line not in pair.new and spans.weight([line]) > 1]
        return self._world.git.last_with(commit, path, max(lost, key=len)) if lost else None

    def _is_uncommitted(self, address: Address, path: str) -> bool:
        """Is what stands there in the work tree not what the commit has that is checked out?"""
        if self._dirty is None:
            self._dirty = self._world.git.dirty()
        if not {path, address.path} & self._dirty:
            return False
        try:
            head = self._world.then(self._world.head or "", path)
            return head is None or self._cited(address, path, head) != self._cited(address, path, self._world.now(path))
        except (CannotLookError, MissingExtraError):
            return False

    def _cited(self, address: Address, path: str, data: bytes | None) -> object:
        """What a version of a file has at an address."""
        if data is None or address.kind == "file":
            return data
        if address.kind == "symbol":
            found = symbols.find(path, data, address.place.partition("#")[2])
            return found.structure if found is not None else None
        pair, (_, first, last) = self._pair(address, path, data), span_of(address.place)
        return pair.now(Span(first, last)) if pair.kept(Span(first, last)) is None else OK

    def _pair(self, address: Address, path: str, data: bytes) -> Pair:
        commit = address.token("git")
        if data is self._world.now(path):
            return self._world.pair(commit, address.path, path)
        key = (commit, address.path, path)
        if key not in self._heads:
            then = self._world.then(commit, address.path) or b""
            self._heads[key] = Pair(spans.lines_of(then), spans.lines_of(data))
        return self._heads[key]

    def _session(self, path: str) -> str:
        number = self._store.facts.find_entity(Entity("path", path))
        return (self._store.walks.path_state(number).session or "") if number is not None else ""


def _path(place: str) -> str:
    return span_of(place)[0].split("#", 1)[0]
