"""The journal of deliveries: what a session was given, one JSON object a line, beside the store and never in it.

Reading writes nothing to a store; what was given to whom is written here, and only where the caller names a session. A line is
appended in one write, so two processes never tear each other's; what a crash tore is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from muniment.engine.core import JOURNAL, Engine
from muniment.engine.hot import append
from muniment.errors import ReadOnlyStoreError, UsageError
from muniment.gate.masks import mask
from muniment.model.receipt import event_of

FOLDER = JOURNAL
_VERSION = 1
_LONGEST_NAME = 300
_COMPACTIONS = frozenset({"before-compact", "compact"})
_QUERY_CAP = 4096
"""Characters of a question that are kept."""


class Given(NamedTuple):
    """What a session received so far: facts by id, events by `session:seq`."""

    facts: frozenset[str]
    events: frozenset[str]

    def holds(self, id_: str, receipt: str) -> bool:
        """Was this fact (or, where it is none, this event) received?"""
        return id_ in self.facts if id_ else event_of(receipt) in self.events


class Delivery(NamedTuple):
    """One answer: to which session, through which surface, on what question, what it held and how many bytes."""

    session: str
    surface: str
    query: str
    facts: tuple[str, ...]
    events: tuple[str, ...]
    bytes: int
    moment: str | None = None
    agent_role: str | None = None
    arm: str | None = None


def path_of(engine: Engine) -> Path:
    """The journal of the engine's workspace."""
    return engine.settings.home / FOLDER / f"{engine.workspace.id}.jsonl"


def record(engine: Engine, delivery: Delivery) -> None:
    """Append one delivery. ReadOnlyStoreError if the journal cannot be written; the answer was given all the same."""
    _demand_name(delivery.session)
    if not delivery.facts and not delivery.events:
        return
    told = {
        "v": _VERSION, "session": delivery.session, "at": engine.now(), "surface": delivery.surface,
        "moment": delivery.moment, "agent_role": delivery.agent_role, "query": mask(delivery.query)[0][:_QUERY_CAP],
        "fact_ids": delivery.facts, "events": delivery.events, "bytes": delivery.bytes, "arm": delivery.arm,
    }  # fmt: skip
    path = path_of(engine)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        append(os.fspath(path), json.dumps(told, separators=(",", ":")).encode("ascii"))
    except OSError as error:
        hint = "the answer holds; only what it held is not remembered for `unseen:`"
        message = f"the journal of deliveries cannot be written: {error.strerror}"
        raise ReadOnlyStoreError(message, hint=hint, about=str(path)) from error


def deliver(
    engine: Engine, session: str | None, surface: str, query: str, rows: Iterable[tuple[str, str]], size: int
) -> tuple[str, ...]:
    """Record an answer to a named session. `rows` are (the fact's id or nothing, receipt) pairs; warnings come back."""
    if session is None:
        return ()
    pairs = list(rows)
    facts = tuple(id_ for id_, _ in pairs if id_)
    events = tuple(dict.fromkeys(event_of(receipt) for id_, receipt in pairs if not id_))
    try:
        record(engine, Delivery(session, surface, query, facts, events, size))
    except ReadOnlyStoreError as problem:
        return (f"{problem.message}; {problem.hint}",)
    return ()


def given(engine: Engine, session: str) -> Given:
    """What a session received and still has: a compaction takes it all. Nothing where nothing was ever recorded."""
    _demand_name(session)
    facts: set[str] = set()
    events: set[str] = set()
    for told in _entries(path_of(engine), session):
        if told.get("moment") in _COMPACTIONS:
            facts.clear()
            events.clear()
        facts.update(_texts(told.get("fact_ids")))
        events.update(_texts(told.get("events")))
    return Given(frozenset(facts), frozenset(events))


def _demand_name(session: str) -> None:
    if not session.strip():
        raise UsageError("a session needs a name", hint="give the id that the harness uses", about="session")
    if len(session) > _LONGEST_NAME or mask(session)[1]:
        hint = "give the id that the harness uses"
        message = f"a session's name is at most {_LONGEST_NAME} characters and holds no secret"
        raise UsageError(message, hint=hint, about="session")


def _entries(path: Path, session: str) -> Iterator[dict[str, Any]]:
    """The entries of a session. What is no object, and what is torn, is passed over."""
    name = json.dumps(session).encode("ascii")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    except OSError as error:
        hint = "without --unseen the same question is answered"
        message = f"the journal of deliveries cannot be read: {error.strerror}"
        raise ReadOnlyStoreError(message, hint=hint, about=str(path)) from error
    with file:
        for line in file:
            told = _object(line) if name in line else None
            if told is not None and told.get("session") == session:
                yield told


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def _texts(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
