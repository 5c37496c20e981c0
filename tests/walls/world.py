"""Two stores that differ in nothing that the profile of these tests grants: so whatever a query can tell apart is a leak.

In both, Ann's sessions are granted. In the one, Bo's sessions stand beside them, and what of Ann's is not granted says SECRET;
in the other there is no Bo, and it says HIDDEN.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tests.support import Clock, archive, counting_names, ran, replied, said, wrote

from muniment.engine import deliveries, profiles, scoped
from muniment.engine.core import Engine, Settings
from muniment.errors import QueryRefusedError
from muniment.model.event import SessionInfo
from muniment.model.scope import MARKER, workspace_of
from muniment.storage.sqlite.scoped import Rows, ScopedConnection, Sources

PROFILE = """
about = "Ann's sessions, without agents, models and speakers"
[only]
session = "ann-*"
[relations.v_now]
columns = ["id", "predicate", "type", "topic", "subject", "subject_kind", "object", "object_kind", "standing", "role",
    "origin", "rung", "session", "receipt", "observed_at", "valid_from", "valid_to"]
[relations.v_history]
columns = ["id", "predicate", "topic", "subject", "object", "standing", "stated", "role", "rung", "session", "receipt",
    "observed_at", "valid_from", "valid_to"]
[relations.events]
columns = ["session", "seq", "receipt", "at", "role", "origin", "kind", "model", "exit_code", "size", "text"]
redact = { model = "mask" }
[relations.deliveries]
columns = ["session", "at", "surface", "moment", "query", "fact_ids", "events", "bytes"]
redact = { moment = "hash" }
[relations.entities]
[limits]
milliseconds = 250
rows = 400
"""
WORDS = ("SECRET", "HIDDEN")
NAMES = (
    "muniment_", "order_at", "lines", "said_text", "work_text", "fact_text", "shown", "blobs", "verdicts", "span_start",
    "value_key", "SQLITE_", "no such", "not authorized",
)  # fmt: skip
"""What no answer and no error may say: names of tables, of columns that are not granted, and of what went wrong."""


class World(NamedTuple):
    """A store, and the profile's connection to it."""

    engine: Engine
    view: ScopedConnection


class Answer(NamedTuple):
    """What a query gave, the error if it was refused, and how long it took."""

    rows: Rows | None
    error: str
    seconds: float


class Judged(NamedTuple):
    """What is wrong with a query, whether it was answered, and how long it took at most."""

    faults: list[str]
    is_answered: bool
    seconds: float


def build(folder: Path, word: str, *, has_bo: bool) -> Engine:
    """One store."""
    folder.mkdir()
    (folder / MARKER).touch()
    settings = Settings(home=folder / "home", clock=Clock(), new_name=counting_names())
    engine = Engine(workspace_of(folder), settings)
    for n in range(6):
        _session(engine, f"ann-{n}", n, "alpha", word)
        if has_bo:
            _session(engine, f"bo-{n}", n, f"{word}-{n}", word)
    for who in ("ann-1", "bo-1", "ann-2") if has_bo else ("ann-1", "ann-2"):
        given = deliveries.Delivery(who, "mcp", f"{who} asks", ("F1",), ("e:1",), 20, "session-start", f"{word}-role")
        deliveries.record(engine, given)
    (folder / "home" / "profiles").mkdir()
    (folder / "home" / "profiles" / "ann.toml").write_text(PROFILE, encoding="utf-8")
    return engine


def _session(engine: Engine, name: str, n: int, mark: str, word: str) -> None:
    day = f"2026-02-{n + 1:02d}"
    info = SessionInfo(name, "handmade", agent=f"{word}-agent", cwd=engine.workspace.root)
    events = [
        said(
            name,
            0,
            f"{day} 10:00",
            f"Remember that {mark} number {n} is kept in drawer {n}.",
            speaker=f"{word}-speaker",
        ),
        replied(name, 1, f"{day} 10:01", f"The {mark} note {n} is kept.", model=f"{word}-model"),
        said(name, 2, f"{day} 10:02", f"Where is the {mark} drawer?"),
    ]
    for k in range(4):
        events += ran(name, 10 + 2 * k, f"{day} 11:{k:02d}", f"make {mark}-{k}", f"{mark} built", exit_code=k % 2)
        events += wrote(name, 30 + 2 * k, f"{day} 12:{k:02d}", f"src/{mark}/{k}.py")
    archive(engine, events, info)


def connection(
    engine: Engine, kind: Callable[..., ScopedConnection] = ScopedConnection, **limits: int
) -> ScopedConnection:
    """The profile's connection, or that of a mutant."""
    profile = profiles.profile(engine, "ann")
    profile = replace(profile, limits=replace(profile.limits, **limits))
    view = scoped.Scoped(engine, profile)
    journal = scoped._Journal(deliveries.path_of(engine))
    engine.store()
    made = kind(engine.path, profile, Sources(engine.unpack, view._now, journal.fresh))
    made._key = b"the same in both"
    return made


@contextmanager
def worlds(
    folder: Path, kind: Callable[..., ScopedConnection] = ScopedConnection, **limits: int
) -> Iterator[tuple[World, World]]:
    """The store with Bo, and the one without."""
    engines = [build(folder / word, word, has_bo=word == "SECRET") for word in WORDS]
    made = [World(engine, connection(engine, kind, **limits)) for engine in engines]
    try:
        yield made[0], made[1]
    finally:
        for world in made:
            world.view.close()
            world.engine.close()


def ask(view: ScopedConnection, sql: str) -> Answer:
    """What a query gives. Whatever is raised beside the one error is shown as itself."""
    begun = time.monotonic()
    try:
        rows, error = view.query(sql), ""
    except QueryRefusedError as refused:
        rows, error = None, f"{refused.code}: {refused.message} {refused.hint} {refused.about}"
    except Exception as problem:
        rows, error = None, repr(problem)
    return Answer(rows, error, time.monotonic() - begun)


def faults(worlds: tuple[World, World], sql: str, *, must_refuse: bool = False) -> list[str]:
    """All that is wrong with what a query gives in the two worlds; nothing where the wall holds."""
    return judge(worlds, sql, must_refuse=must_refuse).faults


def judge(worlds: tuple[World, World], sql: str, *, must_refuse: bool = False, grace: float = 0.75) -> Judged:
    """The same, with whether it was answered and how long it took."""
    first, second = (ask(world.view, sql) for world in worlds)
    limits = worlds[0].view._profile.limits
    found = []
    out_of_time = max(first.seconds, second.seconds) > limits.milliseconds / 1000 * 0.6
    if max(first.seconds, second.seconds) > limits.milliseconds / 1000 + grace:
        found.append(f"took {max(first.seconds, second.seconds):.2f} s")
    for answer in (first, second):
        shown = repr(answer.rows.rows) if answer.rows else ""
        found += [f"says {word}" for word in WORDS if word in shown and word not in sql]
        found += [f"the error says {name}" for name in (*NAMES, *WORDS, "cap0") if name in answer.error]
        if answer.error and not answer.error.startswith("query_refused: "):
            found.append(f"another error: {answer.error[:80]}")
        if answer.rows and len(answer.rows.rows) > limits.rows:
            found.append(f"{len(answer.rows.rows)} rows")
        if must_refuse and answer.rows is not None:
            found.append("is allowed")
    if not out_of_time and not _same(first.rows, second.rows):
        found.append("tells the two worlds apart")
    return Judged(found, first.rows is not None, max(first.seconds, second.seconds))


def _same(a: Rows | None, b: Rows | None) -> bool:
    if a is None or b is None:
        return a is b
    return repr(a) == repr(b)
