"""What must hold of a store after anything that was done to it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from muniment.engine.core import Engine
from muniment.engine.upkeep import digest, verify
from muniment.model.ids import parse_prefix

__all__ = ["all_there", "bytes_of", "digest", "facts", "sound", "stray"]


def sound(engine: Engine) -> None:
    """Nothing torn: every check of the program and of the database engine holds."""
    found = verify(engine)
    assert found.ok, found.problems


def all_there(engine: Engine, ids: Iterable[str]) -> None:
    """Every fact that was acknowledged is stored."""
    stored = {bytes(r[0]) for r in engine.store().db.rows("SELECT id FROM facts")}
    lost = [i for i in ids if (parse_prefix(i) or (b"",))[0] not in stored]
    assert lost == []


def facts(engine: Engine) -> int:
    """How many facts are stored."""
    return int(engine.store().db.rows("SELECT count(*) FROM facts")[0][0])


def stray(home: Path) -> list[str]:
    """Files beside a store that do not belong there."""
    known = {"memory.db", "memory.db-wal", "memory.db-shm", "memory.db.lock"}
    return [
        str(p) for p in home.rglob("*") if p.is_file() and p.name not in known and not p.name.startswith("cache.db")
    ]


def bytes_of(path: Path) -> str:
    """A hash over a file as it lies there."""
    return sha256(path.read_bytes()).hexdigest()
