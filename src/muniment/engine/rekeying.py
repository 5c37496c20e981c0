"""The verb `rekey`: every store of a home under another key, each whole or not at all; running it again goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from muniment.engine.core import DATABASE, Caller
from muniment.errors import NotFoundError, ScopeError
from muniment.model.event import Origin
from muniment.storage.sqlite import encryption
from muniment.storage.sqlite.lock import WriteLock
from muniment.storage.sqlite.store import LOCK_TIMEOUT


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """Which stores were encrypted anew, and which had the new key already; are they encrypted now?"""

    stores: tuple[str, ...]
    known: tuple[str, ...]
    encrypted: bool


def rekey(home: Path, caller: Caller, old: str | None, new: str | None) -> Rekeyed:
    """Put every store of a home under the new key; None takes the encryption away. Only a person may.

    WrongKeyError if the old key does not open one, BusyError if another program has one open: those before it are done.
    """
    if caller.origin != Origin.PERSON:
        raise ScopeError("only a person may change the key of a memory", hint="run it in a terminal of yours")
    paths = list(_stores(home))
    if not paths:
        raise NotFoundError(
            f"there is no store in {home} yet", hint="nothing has to be encrypted anew", about=str(home)
        )
    done = {path: encryption.rekey(path, _lock(path), old, new) for path in paths}
    named = {path: path.relative_to(home).as_posix() for path in paths}
    return Rekeyed(
        tuple(named[p] for p in paths if done[p]), tuple(named[p] for p in paths if not done[p]), new is not None
    )


def _stores(home: Path) -> Iterator[Path]:
    yield from sorted((home / "workspaces").glob(f"*/{DATABASE}"))
    yield from sorted((home / "person").glob(DATABASE))


def _lock(path: Path) -> WriteLock:
    return WriteLock(path.with_name(f"{path.name}.lock"), LOCK_TIMEOUT)
