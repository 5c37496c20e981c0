"""Writes that wait for the store: one small file each in the home's spool, masked, replayed with the time and names they had.

Whatever of such a write did reach the store before it failed has the same names, so replaying it adds nothing twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from muniment.engine.core import Caller, Engine, random_name
from muniment.errors import ReadOnlyStoreError
from muniment.gate.masks import mask
from muniment.model.ids import hash128, show

FOLDER = "written"
VERBS = frozenset({"add", "ingest"})
_MOST = 4 << 20
"""Bytes of one write that may wait."""


@dataclass(frozen=True, slots=True)
class Write:
    """A write as it was asked for, when and by whom; `seed` names what it makes."""

    verb: str
    given: Mapping[str, Any]
    at: str
    seed: str
    origin: str
    vouched: str | None


def write(engine: Engine, verb: str, given: Mapping[str, Any], caller: Caller) -> Write:
    """A write that begins now."""
    return Write(verb, given, engine.now(), random_name(), caller.origin, caller.vouched)


@contextmanager
def pinned(engine: Engine, one: Write) -> Iterator[None]:
    """Within this block the engine's clock and the names that it makes are those of the write."""
    before, numbers = engine.settings, count()
    engine.settings = replace(
        before, clock=lambda: one.at, new_name=lambda: show(hash128("written", one.seed, str(next(numbers))))
    )
    try:
        yield
    finally:
        engine.settings = before


def folder(engine: Engine) -> Path:
    """Where the writes of the engine's workspace wait."""
    return engine.settings.home / "spool" / FOLDER / engine.workspace.id


def put(engine: Engine, one: Write) -> Path:
    """Keep a write, whole or not at all, and on the disk before anybody is told. ReadOnlyStoreError if it cannot be kept."""
    place = folder(engine)
    path = place / f"{one.at.replace(':', '')}-{one.seed}.json"
    try:
        told = json.dumps(
            {"v": 1, **{name: getattr(one, name) for name in Write.__slots__}, "given": _masked(one.given)}
        )
        if len(told) > _MOST:
            raise OSError(None, "it is too large to wait")
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_suffix(".part")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(told)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except (OSError, TypeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        hint = "give it again when the store is back"
        raise ReadOnlyStoreError(f"the write cannot wait in {place}: {why}", hint=hint, about=str(place)) from error
    return path


def waiting(engine: Engine) -> list[Path]:
    """The files of writes that wait, the oldest first."""
    try:
        return sorted(path for path in folder(engine).iterdir() if path.suffix == ".json")
    except OSError:
        return []


def drain(engine: Engine, caller: Caller, do: Callable[[Write], None]) -> int:
    """Do what waits, oldest first, and let each go that was done. Only what this very caller gave: a file beside the store
    must not lend anybody another's authority. Stops at the first error; how many were done."""
    done = 0
    for path in waiting(engine):
        one = _read(path)
        if one is None or (one.origin, one.vouched) != (caller.origin, caller.vouched):
            continue
        with pinned(engine, one):
            do(one)
        path.unlink(missing_ok=True)
        done += 1
    return done


def refuse(engine: Engine, one: Write) -> None:
    """Set a write aside that no store would take: it is kept, and waits no more."""
    for path in waiting(engine):
        if path.stem.endswith(one.seed):
            path.replace(path.with_suffix(".refused"))


def _read(path: Path) -> Write | None:
    try:
        told = json.loads(path.read_text(encoding="ascii"))
        one = Write(**{name: told[name] for name in Write.__slots__})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return one if one.verb in VERBS else None


def _masked(value: Any) -> Any:
    """No secret waits on the disk."""
    if isinstance(value, str):
        return mask(value)[0]
    if isinstance(value, Mapping):
        return {str(key): _masked(each) for key, each in value.items()}
    return [_masked(each) for each in value] if isinstance(value, list | tuple) else value
