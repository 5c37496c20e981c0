"""L3. Nothing is edited or deleted by normal work; what later facts and verdicts end stays readable."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, ids, refused, rejects, texts
from tests.support import archive, ran, state

from muniment.engine import receipts, stating
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import correct, decide, supersede
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.storage.sqlite.facts import FactTable

PERSON = Caller(Origin.PERSON)
PRIMARY = {
    "events": "uid, content_hash, harness, role, origin, kind, at, parts, native_id, flags",
    "positions": "session, seq, uid",
    "blobs": "blake3, bytes, size",
    "verdicts": "id, action, target, value, reason, uid, at, origin, draft",
    "sessions": "id, harness, started_at",
}


def primary(engine: Engine) -> Counter[tuple]:
    """Everything that cannot be derived, row by row."""
    db = engine.store().db
    return Counter(
        (table, *row) for table, columns in PRIMARY.items() for row in db.rows(f"SELECT {columns} FROM {table}")
    )


def check_every_verb_only_adds(world: World) -> None:
    engine = world.engine()
    before: Counter[tuple] = Counter()
    for _ in _life(engine, world):
        now = primary(engine)
        assert not before - now, "a primary row is gone or was changed"
        assert now - before, "a verb left no trace"
        before = now


def check_what_was_ended_stays_readable(world: World) -> None:
    engine = world.engine()
    world.clock.set("2026-01-01")
    old = state(engine, "PostgreSQL", topic="database").ids[0]
    world.clock.set("2026-02-01")
    new = state(engine, "SQLite", topic="database").ids[0]
    world.clock.set("2026-03-01")
    right = correct(engine, PERSON, new, "MariaDB", "a slip").ids[0]
    world.clock.forward(days=1)
    decide(engine, PERSON, Action.RETRACT, right)
    for id_, value in ((old, "PostgreSQL"), (new, "SQLite"), (right, "MariaDB")):
        assert not refused(lambda i=id_: receipts.read(engine, i))
        record = receipts.read(engine, id_)
        assert (record.text, record.verified) == (value, True)
        assert value in texts(engine, "standing:any")
    assert texts(engine, "p:uses", as_of="2026-01-15") == ["PostgreSQL"]
    assert texts(engine, "p:uses", as_of="2026-02-15", known="2026-02-15") == ["SQLite"]


def _life(engine: Engine, world: World):
    """One verb after the other; something is true, doubted, ended and restored."""
    a = state(engine, "Vitest", topic="test_runner").ids[0]
    yield a
    world.clock.forward(days=1)
    b = state(engine, "Jest", topic="test_runner").ids[0]
    yield b
    for action in (Action.SUSPECT, Action.CONFIRM, Action.RETRACT, Action.RESTORE):
        world.clock.forward(days=1)
        yield decide(engine, PERSON, action, b)
    world.clock.forward(days=1)
    yield correct(engine, PERSON, b, "Mocha", "misheard")
    world.clock.forward(days=1)
    c = state(engine, "tabs", "prefers", type_="preference").ids[0]
    yield c
    yield supersede(engine, PERSON, ids(engine, "p:uses")[0], a)
    yield archive(engine, ran("s", 0, "2026-03-01 10:00", "make"))
    assert query(engine, "", LARGE).hits


CHECKS = (check_every_verb_only_adds, check_what_was_ended_stays_readable)


def _last_verdict_only(patch: pytest.MonkeyPatch) -> None:
    put = FactTable.put_verdict

    def wrong(self, verdict):
        self._db.run("DELETE FROM verdicts WHERE target = ?", (verdict.target,))
        return put(self, verdict)

    patch.setattr(FactTable, "put_verdict", wrong)


def _forgotten(patch: pytest.MonkeyPatch) -> None:
    def wrong(self, n: int, standing: str) -> None:
        if standing == "superseded":
            self._db.run("DELETE FROM facts WHERE n = ?", (n,))

    patch.setattr(FactTable, "set_standing", wrong)
    patch.setattr(stating.StandsSo, "demand", lambda *_: None)


MUTANTS: Mutants = {
    "a verdict replaces the one before": Mutant(CHECKS[0], _last_verdict_only),
    "what was superseded is forgotten": Mutant(CHECKS[1], _forgotten),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
