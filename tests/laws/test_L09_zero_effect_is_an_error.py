"""L9. A write that changed nothing says so, and a success names what it changed, after the commit."""

from __future__ import annotations

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, ids, refused, rejects, replaced
from tests.support import archive, ran, state

from muniment.engine import commanding, indexing, stating
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.indexing import IndexReport
from muniment.engine.stating import Admission, correct, decide, supersede
from muniment.model.event import Origin
from muniment.model.fact import Action

PERSON, AGENT = Caller(Origin.PERSON), Caller(Origin.AGENT)
ZERO = frozenset({"nothing_changed", "refused", "usage", "not_found"})


def _events(engine: Engine) -> int:
    return int(engine.store().db.rows("SELECT count(*) FROM events")[0][0])


def _says_so(engine: Engine, act) -> None:
    before = _events(engine)
    assert refused(act) in ZERO
    assert _events(engine) == before, "what has no effect leaves nothing behind"


def check_a_verdict_that_changes_nothing_is_refused(world: World) -> None:
    engine = world.engine()
    a = state(engine, "Vitest", topic="test_runner").ids[0]
    archive(engine, ran("s", 0, "2026-03-01 10:00", "make"))
    run = ids(engine, "p:ran")[0]
    for id_ in (a, run):
        _says_so(engine, lambda i=id_: decide(engine, PERSON, Action.RESTORE, i))
        for action in (Action.SUSPECT, Action.RETRACT):
            world.clock.forward(hours=1)
            decide(engine, PERSON, action, id_)
            world.clock.forward(hours=1)
            _says_so(engine, lambda i=id_, act=action: decide(engine, PERSON, act, i))
    _says_so(engine, lambda: decide(engine, PERSON, Action.RETRACT, "0" * 26))


def check_what_is_in_force_already_is_told(world: World) -> None:
    engine = world.engine()
    a, b = (state(engine, v, topic=v).ids[0] for v in ("Vitest", "Jest"))
    world.clock.forward(hours=1)
    supersede(engine, PERSON, a, b)
    world.clock.forward(hours=1)
    _says_so(engine, lambda: supersede(engine, PERSON, a, b))
    _says_so(engine, lambda: supersede(engine, PERSON, b, b))
    _says_so(engine, lambda: correct(engine, PERSON, b, "jest.", "the same in other words"))
    _says_so(engine, lambda: correct(engine, PERSON, b, "  ", "nothing"))
    _says_so(engine, lambda: state(engine, " \n", "noted"))


def check_a_verdict_without_force_is_no_success(world: World) -> None:
    """It is allowed and well formed, and settling does not follow it: then nothing was done, and that is said."""
    engine = world.engine()
    claim = state(engine, "8080", "is", topic="port", origin=Origin.AGENT).ids[0]
    world.clock.forward(days=1)
    decide(engine, PERSON, Action.RETRACT, claim)
    world.clock.forward(days=1)
    _says_so(engine, lambda: decide(engine, AGENT, Action.RESTORE, claim))
    later = state(engine, "9090", "is", topic="port").ids[0]
    world.clock.forward(days=-1)
    _says_so(engine, lambda: decide(engine, PERSON, Action.RETRACT, later))


def check_a_doubt_that_is_lifted_is_lifted(world: World) -> None:
    engine = world.engine()
    a = state(engine, "Vitest", topic="test_runner").ids[0]
    for action, standing in ((Action.SUSPECT, "suspect"), (Action.RESTORE, "confirmed")):
        world.clock.forward(hours=1)
        assert decide(engine, PERSON, action, a).ids == (a,)
        assert [(h.id, h.standing) for h in query(engine, "p:uses", LARGE)] == [(a, standing)]


def check_a_success_names_what_a_second_process_finds(world: World) -> None:
    engine = world.engine()
    made = [state(engine, f"rule {n}", "requires") for n in range(3)]
    other = world.engine()
    _are_found(other, made)
    world.clock.forward(hours=1)
    _are_found(other, [correct(engine, PERSON, made[0].ids[0], "rule nought", "counted from nought")])


def _are_found(engine: Engine, made: list[Admission]) -> None:
    for admission in made:
        assert admission.ids
        for id_ in admission.ids:
            assert ids(engine, f"id:{id_} standing:any") == [id_]


def check_what_the_gate_refuses_leaves_nothing(world: World) -> None:
    engine = world.engine()
    state(engine, "a rule", "requires")
    _says_so(engine, lambda: state(engine, "tabs", "prefers", type_="preference", origin=Origin.AGENT))
    assert ids(engine, "p:prefers standing:any") == []


def check_an_import_of_nothing_is_no_success(world: World) -> None:
    assert refused(lambda: indexing.demand_effect(IndexReport(), "/a/folder")) == "nothing_changed"
    indexing.demand_effect(IndexReport(kept_before=1), "/a/folder")


CHECKS = (
    check_a_verdict_that_changes_nothing_is_refused,
    check_what_is_in_force_already_is_told,
    check_a_verdict_without_force_is_no_success,
    check_a_doubt_that_is_lifted_is_lifted,
    check_a_success_names_what_a_second_process_finds,
    check_what_the_gate_refuses_leaves_nothing,
    check_an_import_of_nothing_is_no_success,
)


def _ok(*_: object) -> Admission:
    return Admission("stored", ("0" * 26,))


def _nothing(*_: object) -> None:
    return None


def _on_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(commanding, "_admission", _ok)
    patch.setattr(commanding, "_unless_refused", _nothing)


MUTANTS: Mutants = {
    "a second time is as good as the first": Mutant(CHECKS[0], replaced(stating, "_effect", _nothing)),
    "superseding twice is fine": Mutant(CHECKS[1], replaced(stating, "_effect", _nothing)),
    "a correction may say the same": Mutant(CHECKS[1], replaced(stating, "normalised", lambda text: text)),
    "nobody looks what became of a verdict": Mutant(CHECKS[2], replaced(stating.StandsSo, "demand", _nothing)),
    "add is ok whatever it did": Mutant(CHECKS[4], replaced(commanding, "_admission", _ok)),
    "a refusal is ok": Mutant(CHECKS[5], _on_nothing),
    "what is refused is archived all the same": Mutant(CHECKS[5], replaced(commanding, "_unless_refused", _nothing)),
    "an empty import is fine": Mutant(CHECKS[6], replaced(indexing, "demand_effect", _nothing)),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
