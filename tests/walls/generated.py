"""Run generated statements against the wall: `python -m tests.walls.generated [COUNT] [SEED]` prints what was found."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import apsw
from tests.walls import world
from tests.walls.generator import Generator

from muniment.storage.sqlite.scoped import ScopedConnection


class Outcome(NamedTuple):
    """How many were tried and answered, what was wrong with some, the longest, and how many writes there were."""

    tried: int
    answered: int
    faults: dict[str, list[str]]
    slowest: float
    writes: int


def run(
    folder: Path, count: int, seed: int, kind: Callable[..., ScopedConnection] = ScopedConnection, enough: int = 10
) -> Outcome:
    """Try `count` statements of a seed; when there are `enough` faults it stops."""
    generator, faults, answered, slowest, tried = Generator(seed), {}, 0, 0.0, 0
    with world.worlds(folder, kind) as worlds:
        before = [_state(each) for each in worlds]
        tried = 0
        while tried < count and len(faults) < enough:
            tried += 1
            sql = generator.statement()
            judged = world.judge(worlds, sql)
            slowest = max(slowest, judged.seconds)
            answered += judged.is_answered
            if judged.faults:
                faults[sql] = judged.faults
        writes = sum(a != b for a, b in zip(before, [_state(each) for each in worlds], strict=True))
    return Outcome(tried, answered, faults, slowest, writes)


def _state(each: world.World) -> tuple[object, ...]:
    """What changes with any write to the store, or to the connection's own tables."""
    db = each.engine.store().db
    own = each.view._db
    ours, each.view._is_ours = each.view._is_ours, True
    try:
        counts = [own.execute(f"SELECT count(*) FROM {table}").fetchone() for table in ("main.catalogue",)]
        names = own.execute("SELECT count(*) FROM temp.sqlite_schema").fetchone()
    finally:
        each.view._is_ours = ours
    return db.one("PRAGMA data_version"), db.db.total_changes(), tuple(counts), names


def main(words: list[str]) -> int:
    """Print the outcome; 1 if anything was wrong."""
    count, seed = int(words[0]) if words else 100_000, int(words[1]) if len(words) > 1 else 1
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder), count, seed)
    for sql, found in outcome.faults.items():
        print(f"{'; '.join(found)}\n    {sql}")
    print(
        f"SQLite {apsw.sqlite_lib_version()}, seed {seed}: {outcome.tried} statements, {outcome.answered} answered, "
        f"{len(outcome.faults)} with a fault, {outcome.writes} writes, slowest {outcome.slowest:.2f} s, "
        f"{time.monotonic() - begun:.0f} s in all"
    )
    return 1 if outcome.faults or outcome.writes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
