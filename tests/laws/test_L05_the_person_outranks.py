"""L5. Nothing without the right ends a person's fact, in whatever order things arrive, and quoting gains nothing."""

from __future__ import annotations

import itertools

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, refused, rejects, replaced
from tests.support import state

from muniment.engine import settling, stating
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import correct, decide, supersede
from muniment.gate import admission
from muniment.model import settle
from muniment.model.event import Origin
from muniment.model.fact import Action

OTHERS = (Origin.TOOL, Origin.MODEL, Origin.AGENT, Origin.REPOSITORY, Origin.WEB, Origin.IMPORT)
PERSON, AGENT = Caller(Origin.PERSON), Caller(Origin.AGENT)


def check_the_persons_word_stands_in_any_order_of_arrival(world: World) -> None:
    engine = world.engine()
    told = [
        ("2026-01-02", "theirs", Origin.PERSON),
        ("2026-01-03", "b", Origin.TOOL),
        ("2026-01-04", "c", Origin.AGENT),
    ]
    told.append(("2026-01-05", "d", Origin.IMPORT))
    for n, order in enumerate(itertools.permutations(told)):
        for at, value, origin in order:
            world.clock.set(at)
            state(engine, value, "is", topic=f"t{n}", origin=origin)
        world.clock.set("2026-02-01")
        hits = query(engine, f"p:is topic:t{n}", LARGE).hits
        assert [(h.text, h.standing, h.marks) for h in hits] == [("theirs", "confirmed", ())], order


def check_no_verdict_of_anybody_else_touches_it(world: World) -> None:
    engine = world.engine()
    theirs = state(engine, "tabs", "prefers", type_="preference").ids[0]
    for origin in OTHERS:
        other = Caller(origin)
        own = state(engine, f"x{origin}", "noted", origin=origin).ids[0]
        for action in (Action.RETRACT, Action.SUSPECT, Action.CONFIRM):
            assert refused(lambda a=action, o=other: decide(engine, o, a, theirs)) == "refused", (origin, action)
        assert refused(lambda o=other: correct(engine, o, theirs, "spaces", "no")) == "refused"
        assert refused(lambda o=other, own=own: supersede(engine, o, theirs, own)) == "refused"
        assert _rows(engine, "p:prefers") == [("tabs", "confirmed")]


def check_saying_it_too_gives_no_hold_on_it(world: World) -> None:
    """An agent that repeats a person's claim may take back its own saying, and the person's stands."""
    engine = world.engine()
    state(engine, "8080", "is", topic="port")
    world.clock.forward(days=1)
    own = state(engine, "8080", "is", topic="port", origin=Origin.AGENT).ids[0]
    for action in (Action.SUSPECT, Action.RETRACT):
        world.clock.forward(days=1)
        refused(lambda a=action: decide(engine, AGENT, a, own))
        assert _rows(engine, "p:is topic:port") == [("8080", "confirmed")], action


def check_quoting_a_person_gains_nothing(world: World) -> None:
    engine = world.engine()
    state(engine, "do not use MySQL", "requires")
    world.clock.forward(days=1)
    a = state(engine, "use MySQL", "requires", origin=Origin.AGENT, context="the user said so").ids[0]
    b = state(engine, "MySQL, said the user", "requires", origin=Origin.AGENT).ids[0]
    world.clock.forward(days=1)
    supersede(engine, AGENT, a, b, "an agent puts its own words in its own words' place")
    assert _rows(engine, "p:requires") == [("do not use MySQL", "confirmed")]
    assert not [r for r in _rows(engine, "p:requires MySQL standing:confirmed") if r[0] != "do not use MySQL"]


def check_what_a_person_took_back_no_one_else_brings_back(world: World) -> None:
    engine = world.engine()
    own = state(engine, "8080", "is", topic="port", origin=Origin.AGENT).ids[0]
    world.clock.forward(days=1)
    decide(engine, PERSON, Action.RETRACT, own)
    world.clock.forward(days=1)
    assert refused(lambda: decide(engine, AGENT, Action.RESTORE, own))
    assert _rows(engine, "p:is") == []
    decide(engine, PERSON, Action.RESTORE, own)
    assert _rows(engine, "p:is") == [("8080", "hypothesis")]


def check_where_it_is_about_the_world_both_are_shown(world: World) -> None:
    engine = world.engine()
    theirs = state(engine, "PostgreSQL", topic="database").ids[0]
    world.clock.forward(days=1)
    for seen in ("SQLite", "MariaDB"):
        state(engine, seen, topic="database", origin=Origin.TOOL)
        world.clock.forward(days=1)
        found = query(engine, "p:uses", LARGE).hits
        assert {(h.text, "contested" in h.marks) for h in found} == {("PostgreSQL", True), (seen, True)}
    decide(engine, PERSON, Action.CONFIRM, theirs)
    assert _rows(engine, "p:uses") == [("PostgreSQL", "confirmed")]


def _rows(engine: Engine, selector: str) -> list[tuple[str, str]]:
    return [(hit.text, hit.standing) for hit in query(engine, selector, LARGE)]


CHECKS = (
    check_the_persons_word_stands_in_any_order_of_arrival,
    check_no_verdict_of_anybody_else_touches_it,
    check_saying_it_too_gives_no_hold_on_it,
    check_quoting_a_person_gains_nothing,
    check_what_a_person_took_back_no_one_else_brings_back,
    check_where_it_is_about_the_world_both_are_shown,
)

_ALWAYS = replaced(settle, "outranks", lambda *_: True)


def _everybody_confirms(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(settling, "Origin", type("Everybody", (), {"PERSON": "agent"}))


def _last_one_decides(patch: pytest.MonkeyPatch) -> None:
    def wrong(s, rulings, kind, undone):
        last = [
            r
            for r in sorted(rulings, key=lambda r: r.at)
            if r.kind in (kind, undone) and r.value == s.value and s.at <= r.at
        ]
        return bool(last) and last[-1].kind == kind

    patch.setattr(settle, "_decided", wrong)


MUTANTS: Mutants = {
    "everybody outranks everybody": Mutant(CHECKS[0], _ALWAYS),
    "the last one to arrive is right": Mutant(CHECKS[0], replaced(settle, "may_end", lambda *_: True)),
    "nobody asks who decides": Mutant(CHECKS[1], replaced(stating, "_may", lambda *_: None)),
    "everybody may decide": Mutant(CHECKS[1], _ALWAYS),
    "a verdict binds whoever said it": Mutant(CHECKS[2], _ALWAYS),
    "an agent is believed": Mutant(CHECKS[3], replaced(admission, "_stated", lambda draft, *_: draft.standing.value)),
    "an agent confirms itself": Mutant(CHECKS[3], _everybody_confirms),
    "the last verdict decides": Mutant(CHECKS[4], _last_one_decides),
    "what a tool saw is the end of it": Mutant(CHECKS[5], replaced(settling, "_contested", lambda shown, *_: shown)),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
