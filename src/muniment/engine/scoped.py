"""The verb `sql`: one SELECT over what a profile grants of this workspace. Nothing is written, and the engine holds the wall."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from muniment.engine import deliveries, profiles
from muniment.engine.core import Engine
from muniment.errors import ScopeError, UsageError
from muniment.model import notation
from muniment.model.profile import Profile
from muniment.model.time import to_ms
from muniment.storage.sqlite.scoped import Delivered, Rows, ScopedConnection, Sources

__all__ = ["Rows", "Scoped", "scoped"]

_JOURNAL_MOST = 16 << 20
"""Bytes of the journal that are looked at, from its end."""
_TEXTS = ("session", "at", "surface", "moment", "agent_role", "query")


class Scoped:
    """One profile's view of one workspace. It opens the store when first asked, and again if its file was replaced."""

    def __init__(self, engine: Engine, profile: Profile) -> None:
        self._engine, self.profile = engine, profile
        self._connection: ScopedConnection | None = None
        self._file: tuple[int, int] | None = None

    def sql(self, query: str) -> Rows:
        """The rows of one SELECT. QueryRefusedError, always in the same words, for whatever is not granted."""
        if not isinstance(query, str):
            raise UsageError(f"query must be a text, not {query!r}", about="query")
        return self._opened().query(query)

    def close(self) -> None:
        """Let go of the store. Harmless when closed already."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> ScopedConnection:
        if self._engine.settings.server:
            hint = (
                "on a server the wall is the role that asks: connect as the tenant's own (`muniment server tenant add`)"
            )
            raise ScopeError("profiles of scoped SQL are for stores in files", hint=hint, about=self.profile.name)
        file = _identity(self._engine.path)
        if self._connection is None or file is None or file != self._file:
            self.close()
            store = self._engine.store()  # checks the file, and says what is wrong with it
            sources = Sources(self._engine.unpack, self._now, _Journal(deliveries.path_of(self._engine)).fresh)
            self._connection = ScopedConnection(self._engine.path, self.profile, sources, is_frozen=store.db.is_frozen)
            self._file = file
        return self._connection

    def _now(self) -> tuple[int, str]:
        now = self._engine.now()
        return to_ms(now), now


def scoped(engine: Engine, profile: str) -> Scoped:
    """What the profile of that name sees."""
    return Scoped(engine, profiles.profile(engine, profile))


class _Journal:
    """The journal of deliveries as rows, from where it was read last."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at: int | None = None

    def fresh(self) -> Iterator[Delivered]:
        try:
            with self._path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if self._at is None:
                    file.seek(max(0, size - _JOURNAL_MOST))
                    if size > _JOURNAL_MOST:
                        file.readline()
                else:
                    file.seek(self._at)
                yield from self._rows(file)
        except OSError:  # nothing was ever delivered
            return

    def _rows(self, file: Any) -> Iterator[Delivered]:
        self._at = file.tell()
        for line in file:
            if not line.endswith(b"\n"):
                return
            self._at += len(line)
            told = _object(line)
            if told:
                yield _row(told)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        told = notation.read(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _row(told: dict[str, Any]) -> Delivered:
    texts = [told.get(name) for name in _TEXTS]
    size, arm = told.get("bytes"), told.get("arm")
    return (
        *(text if isinstance(text, str) else None for text in texts), *(_listed(told.get(n)) for n in ("fact_ids", "events")),
        size if isinstance(size, int) else None, arm if isinstance(arm, str) else None,
    )  # fmt: skip


def _listed(told: Any) -> str:
    return json.dumps(told if isinstance(told, list) else [])


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
