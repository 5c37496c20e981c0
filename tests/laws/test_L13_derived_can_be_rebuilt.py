"""L13. Everything derived can be drawn again from what is primary, and a rebuild shows the same digest."""

from __future__ import annotations

import itertools

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, ids, rejects
from tests.support import archive, ran, said, state, wrote

from muniment.engine import rebuilding, stating, upkeep
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.derive import Deriver
from muniment.engine.stating import correct, decide
from muniment.gate import admission
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.storage.sqlite import schema

PERSON = Caller(Origin.PERSON)
ASKED = ("", "standing:any", "as-of:2026-03-02", "known:2026-03-03", "policy", "path:a.py", "tag:t")


def _filled(world: World) -> Engine:
    engine = world.engine()
    archive(
        engine, [said("s", 0, "2026-03-01 09:00", "Where is the policy?"), *ran("s", 1, "2026-03-01 10:00", "make")]
    )
    archive(engine, wrote("s", 3, "2026-03-01 11:00", "a.py", sha256="0" * 64))
    world.clock.set("2026-03-02")
    a = state(engine, "Vitest", topic="test_runner", tags=["t"]).ids[0]
    state(engine, "Jest", topic="test_runner", origin=Origin.AGENT)
    world.clock.set("2026-03-03")
    correct(engine, PERSON, a, "Mocha", "misheard")
    world.clock.set("2026-03-04")
    decide(engine, PERSON, Action.SUSPECT, ids(engine, "p:ran")[0])
    world.clock.set("2026-03-05")
    return engine


def _answers(engine: Engine) -> list[str]:
    return [query(engine, q, LARGE).text for q in ASKED]


def check_a_rebuild_gives_the_same(world: World) -> None:
    engine = _filled(world)
    digest, answers = upkeep.digest(engine), _answers(engine)
    found = upkeep.verify(engine, rebuild=True)
    assert (found.ok, found.problems) == (True, ())
    assert found.digest == found.rebuilt_digest == digest == upkeep.digest(engine)
    assert _answers(engine) == answers


def check_what_was_emptied_comes_back(world: World) -> None:
    engine = _filled(world)
    digest, answers = upkeep.digest(engine), _answers(engine)
    store = engine.store()
    with store.writing():
        store.drop_derived()
    assert all(not store.db.rows(f"SELECT 1 FROM {table}") for table in schema.DERIVED)
    assert upkeep.digest(engine) != digest
    found = upkeep.verify(engine, rebuild=True)
    assert found.ok
    assert upkeep.digest(engine) == digest
    assert _answers(engine) == answers


def check_what_was_tampered_with_is_told_and_mended(world: World) -> None:
    engine = _filled(world)
    digest = upkeep.digest(engine)
    engine.store().db.run("UPDATE facts SET standing = 'confirmed', value_key = 'rust' WHERE predicate = 'uses'")
    found = upkeep.verify(engine, rebuild=True)
    assert found.problems
    assert found.digest != found.rebuilt_digest == digest == upkeep.digest(engine)


CHECKS = (
    check_a_rebuild_gives_the_same,
    check_what_was_emptied_comes_back,
    check_what_was_tampered_with_is_told_and_mended,
)


def _numbered(patch: pytest.MonkeyPatch) -> None:
    made, number = admission.fact_id, itertools.count()
    patch.setattr(admission, "fact_id", lambda *args: made(*args[:-1], str(next(number))))
    patch.setattr(stating.StandsSo, "demand", lambda *_: None)


def _not_drawn(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rebuilding, "Deriver", type("Idle", (Deriver,), {"derive": lambda *_, **__: None}))


def _not_settled(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rebuilding, "Deriver", type("Idle", (Deriver,), {"settle": lambda *_, **__: None}))


def _blind(patch: pytest.MonkeyPatch) -> None:
    """The digest does not look at what was drawn."""
    patch.setattr(upkeep, "hash_rows", lambda rows: str(len([r for r in rows if r[0] == "event"])))


MUTANTS: Mutants = {
    "an id that no one can make again": Mutant(CHECKS[0], _numbered),
    "a rebuild that draws nothing": Mutant(CHECKS[1], _not_drawn),
    "a rebuild that does not settle": Mutant(CHECKS[1], _not_settled),
    "a digest that sees no facts": Mutant(CHECKS[2], _blind),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
