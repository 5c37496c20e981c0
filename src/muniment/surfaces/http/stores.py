"""The memories behind the keys: opened when first asked for, lent to one request at a time, closed after a write."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from muniment import Memory, config
from muniment.engine.core import Caller, Engine, Settings
from muniment.errors import NotFoundError
from muniment.model.event import Origin
from muniment.model.scope import workspace_of
from muniment.surfaces.http.keys import Key

_IDLE = 8
"""Open memories that wait for the next request of the same caller."""
Place = tuple[str, str]
"""A home and a folder: what names a store."""


@dataclass
class Stores:
    """Memories that wait, and one lock for each store: writes of this server take turns, so that a revision that names
    the state it has seen is compared with that state and no later one."""

    zone: str | None = None
    _idle: dict[tuple[Place, Caller], list[Memory]] = field(default_factory=dict)
    _locks: dict[Place, threading.RLock] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def lent(self, key: Key, caller: Caller, *, writes: bool) -> Iterator[Memory]:
        """A memory for one request. One that wrote is closed, so that what shows it is rendered again."""
        waiting = (place(key), caller)
        with self._guard:
            kept = self._idle.get(waiting, [])
            memory = kept.pop() if kept else None
        memory = memory or opened(key, caller, self.zone)
        try:
            yield memory
        except BaseException:
            memory.close()
            raise
        if writes or not self._put_back(waiting, memory):
            memory.close()

    def _put_back(self, waiting: tuple[Place, Caller], memory: Memory) -> bool:
        with self._guard:
            if sum(map(len, self._idle.values())) >= _IDLE:
                return False
            self._idle.setdefault(waiting, []).append(memory)
            return True

    def lock(self, key: Key) -> threading.RLock:
        """The lock of the key's store."""
        with self._guard:
            return self._locks.setdefault(place(key), threading.RLock())

    def close(self) -> None:
        """Close what waits."""
        with self._guard:
            idle, self._idle = [m for kept in self._idle.values() for m in kept], {}
        for memory in idle:
            memory.close()


def place(key: Key) -> Place:
    """What names the store that a key opens."""
    return key.home, key.folder


def caller_of(key: Key, *, vouched: bool) -> Caller:
    """Who speaks by a key. The key decides, and a word beside it counts only as far as the key lets it."""
    is_person = key.speaks == "person" or (vouched and key.may_vouch)
    if is_person:
        return Caller(Origin.PERSON, f"http:{key.name}", "http")
    return Caller(Origin(key.speaks), None, "http")


def opened(key: Key, caller: Caller, zone: str | None) -> Memory:
    """The memory that a key opens; NotFoundError where its folder went away."""
    if not os.path.isdir(key.folder):
        raise NotFoundError("the folder of this key's project is gone", about=key.name)
    settings = config.read(os.environ, Path.home(), sys.platform, home=key.home, zone=zone)
    given = Settings(settings.home, settings.zone, **config.seams(settings.home, os.environ, Path.home()))
    return Memory(Engine(workspace_of(key.folder), given), caller, may_vouch=key.speaks == "person" or key.may_vouch)
