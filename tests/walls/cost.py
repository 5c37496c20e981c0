"""What the wall costs: `python -m tests.walls.cost [SESSIONS]` prints opening, and a cached query with it and without it."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

import apsw
from tests.support import Clock, archive, counting_names, ran, wrote

from muniment.engine import profiles, scoped
from muniment.engine.core import Engine, Settings
from muniment.model.profile import Profile
from muniment.model.scope import MARKER, workspace_of
from muniment.storage.sqlite.relations import RELATIONS
from muniment.storage.sqlite.scoped import ScopedConnection, Sources, _select

QUERIES = {
    "one": "SELECT object FROM v_now WHERE predicate = 'ran' LIMIT 1",
    "ten": "SELECT predicate, object, standing FROM v_now WHERE predicate = 'touched' LIMIT 10",
    "constant": "VALUES (1)",
}


def build(folder: Path, sessions: int) -> Engine:
    """A store with 200 facts for each session."""
    (folder / MARKER).touch()
    engine = Engine(workspace_of(folder), Settings(home=folder / "home", clock=Clock(), new_name=counting_names()))
    for n in range(sessions):
        events = []
        for k in range(50):
            events += ran(f"s-{n}", 10 + 2 * k, f"2026-02-01 11:{k:02d}", f"make {n}-{k}", "built")
            events += wrote(f"s-{n}", 200 + 2 * k, f"2026-02-01 12:{k:02d}", f"src/{n % 40}/{k}.py")
        archive(engine, events)
    return engine


def bare(engine: Engine, profile: Profile, sources: Sources) -> apsw.Connection:
    """The same views, and no wall."""
    db = apsw.Connection(":memory:", flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    db.execute("ATTACH ? AS src", (f"file:{engine.path}?mode=ro",))
    made = ScopedConnection(engine.path, profile, sources)
    for name, count in (("show", 1), ("text", 2), ("hash", 1)):
        db.create_scalar_function(f"muniment_{name}", lambda *v: None if v[0] is None else str(v[0]), count)
    now = sources.now()
    db.create_scalar_function("muniment_now", lambda: now[0], 0)
    db.create_scalar_function("muniment_at", lambda: now[1], 0)
    db.execute("CREATE TABLE journal (session, at, surface, moment, agent_role, query, fact_ids, events, bytes, arm)")
    for grant in profile.grants:
        relation = RELATIONS[grant.relation]
        db.execute(f'CREATE TEMP VIEW "{relation.name}" AS {_select(relation, relation.columns, grant)}')
    made.close()
    return db


def timed(doing: Callable[[], object], times: int) -> float:
    """The median in microseconds."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        doing()
        taken.append(time.perf_counter() - begun)
    return median(taken) * 1e6


def main(words: list[str]) -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        engine = build(Path(folder), int(words[0]) if words else 50)
        profile = profiles.profile(engine, profiles.PROJECT)
        view = scoped.scoped(engine, profiles.PROJECT)
        view.sql("VALUES (1)")
        sources = Sources(engine.unpack, view._now, list)
        opening = timed(lambda: ScopedConnection(engine.path, profile, sources).close(), 200)
        facts = view.sql("SELECT count(*) FROM v_history").rows[0][0]
        print(f"{facts} facts; open and close {opening / 1000:.2f} ms")
        without, behind = bare(engine, profile, sources), ScopedConnection(engine.path, profile, sources)
        for name, sql in QUERIES.items():
            plain = min(timed(lambda sql=sql: list(without.execute(sql)), 3000) for _ in range(3))
            walled = min(timed(lambda sql=sql: behind.query(sql), 3000) for _ in range(3))
            print(f"{name:9} without {plain:8.1f} us, behind the wall {walled:8.1f} us, added {walled - plain:6.1f} us")
        behind.close()
        fenced = replace(profile, grants=tuple(replace(g, since="2000-01-01T00:00:00.000Z") for g in profile.grants))
        behind = ScopedConnection(
            engine.path, replace(fenced, limits=replace(profile.limits, milliseconds=10_000)), sources
        )
        for name in ("v_now", "v_history", "events", "entities"):
            taken = timed(lambda sql=f"SELECT count(*) FROM {name}": behind.query(sql), 5)
            print(f"fenced, all of {name:9} {taken / 1000:8.1f} ms")
        behind.close()
        view.close()
        engine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
