"""L8. Reading does not refresh, and reading does not write to the store: only new evidence makes a fact newer."""

from __future__ import annotations

from hashlib import sha256

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, ids, rejects
from tests.support import archive, ran, said, state, wrote

from muniment.engine import history, receipts
from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.engine.searching import Asking, search
from muniment.engine.viewing import wake
from muniment.storage.sqlite.whole import SqliteStore

READS = 200


def _filled(world: World) -> Engine:
    engine = world.engine()
    archive(
        engine, [said("s", 0, "2026-03-01 09:00", "Where is the policy?"), *ran("s", 1, "2026-03-01 10:00", "make all")]
    )
    archive(engine, wrote("s", 3, "2026-03-01 11:00", "a.py", sha256="0" * 64))
    for n in range(8):
        state(engine, f"rule {n}", "requires")
        world.clock.forward(hours=1)
    return engine


def _bytes(engine: Engine) -> dict[str, str]:
    """A hash of each file that holds the store: the database and its write-ahead log."""
    files = [engine.path, engine.path.with_name(engine.path.name + "-wal")]
    return {f.name: sha256(f.read_bytes()).hexdigest() for f in files if f.exists()}


def _read_all(engine: Engine, times: int) -> None:
    known = ids(engine)
    for n in range(times):
        id_ = known[n % len(known)]
        selectors = (
            "",
            "p:requires",
            "rule",
            "type:event",
            "standing:any",
            "as-of:2026-03-04",
            f"id:{id_}",
            "s:project path:a.py",
        )
        query(engine, selectors[n % len(selectors)], (0, 300, LARGE)[n % 3])
        words = ("Where is the policy?", "rule", "make all", "zebra", "!!")[n % 5]
        search(engine, words, Asking(include=("superseded",), explain=n % 2 == 0, why_not=id_))
        receipts.read(engine, id_, context=2)
        history.history(engine, id_)
        history.why(engine, id_)
        wake(engine)


def check_reading_changes_no_byte(world: World) -> None:
    engine = _filled(world)
    before = _bytes(engine)
    assert before
    _read_all(engine, READS)
    assert _bytes(engine) == before
    other = world.engine()
    _read_all(other, 5)
    other.close()
    assert _bytes(engine) == before


def check_what_is_read_often_ranks_no_higher(world: World) -> None:
    engine = _filled(world)
    before, found = query(engine, "", LARGE), search(engine, "rule")
    last = before.hits[-1].id
    for _ in range(50):
        receipts.read(engine, last)
        search(engine, "rule 7")
        query(engine, f"id:{last}", LARGE)
    after = query(engine, "", LARGE)
    assert [(h.id, h.score) for h in after] == [(h.id, h.score) for h in before]
    assert after.text == before.text
    assert search(engine, "rule").text == found.text


CHECKS = (check_reading_changes_no_byte, check_what_is_read_often_ranks_no_higher)


def _writing(sql: str):
    """Where a reader takes the store, before its snapshot: what is written within that is rolled back."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        store = Engine.store

        def wrong(self: Engine, *, create: bool = False) -> SqliteStore:
            found = store(self, create=create)
            if not create and not found.db.db.in_transaction:
                found.db.db.execute(sql)
            return found

        patch.setattr(Engine, "store", wrong)

    return mutate


MUTANTS: Mutants = {
    "a question leaves a note": Mutant(CHECKS[0], _writing("INSERT OR REPLACE INTO meta VALUES ('asked', '1')")),
    "what is asked for is fresher": Mutant(
        CHECKS[1],
        _writing("UPDATE lines SET rank_key = rank_key + 1000000 WHERE rank_key = (SELECT min(rank_key) FROM lines)"),
    ),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
