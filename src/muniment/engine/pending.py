"""Assertions that wait for their words: one small file each in the home's spool, beside the store and never in it.

An agent quotes words that its harness has not written down yet. The assertion waits here until the next reading of the
transcript shows them, or shows that they never came. What became of it stays until the agents of the workspace were told.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from muniment.engine.core import Engine
from muniment.errors import ReadOnlyStoreError
from muniment.model.ids import hash128

FOLDER = "asserted"
WAITS = "waits"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Assertion:
    """What an agent asserts: a statement, and the words in its own session that hold the object."""

    predicate: str
    subject: str
    object: str
    quote: str
    topic: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """An assertion that waits, who made it as far as that was known, and what became of it (`waits` until then)."""

    assertion: Assertion
    at: str
    sessions: tuple[str, ...] = ()
    harness: str | None = None
    call_id: str | None = None
    state: str = WAITS
    told: str = ""

    @property
    def name(self) -> str:
        """The same assertion of the same caller has one name."""
        a = self.assertion
        words = (a.predicate, a.subject, a.object, a.quote, a.topic)
        return hash128("pending", *words, *self.sessions, self.harness, self.call_id).hex()


def folder(engine: Engine) -> Path:
    """Where the assertions of the engine's workspace wait."""
    return engine.settings.home / "spool" / FOLDER / engine.workspace.id


def put(engine: Engine, pending: Pending) -> None:
    """Keep it, whole or not at all. ReadOnlyStoreError if it cannot be kept."""
    place = folder(engine)
    path = place / f"{pending.name}.json"
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({"v": _VERSION, **asdict(pending)}), encoding="ascii")
        draft.replace(path)
    except OSError as error:
        message = f"the assertion cannot wait: {place} cannot be written ({error.strerror})"
        raise ReadOnlyStoreError(
            message, hint="assert it again when the words are on disk", about=str(place)
        ) from error


def listed(engine: Engine) -> list[Pending]:
    """All of the workspace, the oldest first. What is torn is passed over."""
    return sorted(_read(folder(engine)), key=lambda p: (p.at, p.name))


def settle(engine: Engine, pending: Pending, state: str, told: str) -> Pending:
    """Note what became of it."""
    done = replace(pending, state=state, told=told)
    put(engine, done)
    return done


def drop(engine: Engine, pending: Pending) -> None:
    """It was told."""
    (folder(engine) / f"{pending.name}.json").unlink(missing_ok=True)


def _read(place: Path) -> Iterator[Pending]:
    try:
        files = sorted(place.glob("*.json"))
    except OSError:
        return
    for file in files:
        try:
            yield _decoded(json.loads(file.read_text(encoding="ascii")))
        except (OSError, ValueError, TypeError, KeyError):
            continue


def _decoded(fields: dict[str, Any]) -> Pending:
    said = fields["assertion"]
    assertion = Assertion(**{**said, "evidence": tuple(said["evidence"])})
    rest = {name: fields[name] for name in ("at", "harness", "call_id", "state", "told")}
    return Pending(assertion, sessions=tuple(fields["sessions"]), **rest)
