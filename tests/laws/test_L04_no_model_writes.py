"""L4. Extractors with a measured precision of at least 0.80 write; models, weak ones and paraphrases only propose."""

from __future__ import annotations

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, ids, refused, rejects, replaced
from tests.support import archive, ran, replied, said, state, wrote

from muniment.capture.extract import registry
from muniment.engine import derive, extraction
from muniment.engine.asking import query
from muniment.engine.core import Caller
from muniment.engine.stating import decide
from muniment.gate import admission
from muniment.gate.admission import LEAST_PRECISION, Method, Refusal, admit
from muniment.model.entity import Entity
from muniment.model.event import Origin, Role, Span
from muniment.model.fact import Action, Archived, Draft

EVENT = Archived(
    b"u" * 16, "s", 0, "handmade", Role.USER, Origin.PERSON, "prompt", "We use Vitest.", "2026-03-01T00:00:00.000Z"
)
DRAFT = Draft("uses", Entity("project", "project"), Span(7, 13), literal="Vitest")


def check_the_gate_lets_no_weak_method_write(world: World) -> None:
    assert LEAST_PRECISION == 0.80
    for precision in (0.0, 0.3, 0.5, 0.79, 0.7999):
        found = admit(DRAFT, EVENT, None, Method("weak", 1, precision))
        assert isinstance(found, Refusal), precision
        assert found.proposed
    for precision in (0.80, 0.9, 1.0):
        assert not isinstance(admit(DRAFT, EVENT, None, Method("good", 1, precision)), Refusal)


def check_a_method_that_measures_weak_draws_proposals_and_no_facts(world: World) -> None:
    events = [*ran("s", 0, "2026-03-01 10:00", "make all"), *wrote("s", 2, "2026-03-01 11:00", "a.py")]
    strong = archive(world.engine("strong"), events)
    assert strong.derived.stored
    assert not strong.derived.proposed
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "precision", lambda *_: 0.79)
        patch.setattr(extraction, "_methods", {})
        engine = world.engine("weak")
        done = archive(engine, events)
        assert not done.derived.stored
        assert done.derived.proposed >= 2
        assert not query(engine, "standing:any", LARGE).hits
        kept = engine.store().facts.proposals()
        assert len(kept) == done.derived.proposed
        assert all("below 0.8" in reason for _, _, reason in kept)
        assert archive(engine, events).derived.proposed == 0
        assert engine.store().facts.proposals() == kept


def check_every_method_that_ships_and_writes_was_measured_as_good(world: World) -> None:
    for extractor in registry.EXTRACTORS:
        measure = registry.measured(extractor.name, extractor.version)
        assert measure is not None, extractor.name
        assert measure.precision >= LEAST_PRECISION or not measure.may_write
        assert measure.sample > 0


def check_what_a_model_says_becomes_no_state(world: World) -> None:
    engine = world.engine()
    words = (
        "We use Vitest, not Jest.",
        "I prefer tabs.",
        "Decided: the database is SQLite.",
        "Remember that the port is 8080.",
    )
    archive(engine, [replied("s", n, f"2026-03-01 10:0{n}", w) for n, w in enumerate(words)])
    assert not query(engine, "type:fact,preference,decision,procedure,pattern", LARGE).hits
    made = state(engine, "Vitest", topic="test_runner", origin=Origin.MODEL)
    assert query(engine, "p:uses", LARGE).hits[0].standing == "hypothesis"
    assert refused(lambda: decide(engine, Caller(Origin.AGENT), Action.CONFIRM, made.ids[0])) == "refused"
    archive(engine, [said("s", 9, "2026-03-01 11:00", "Fine.")])
    assert ids(engine, "standing:confirmed p:uses") == []


CHECKS = (
    check_the_gate_lets_no_weak_method_write,
    check_a_method_that_measures_weak_draws_proposals_and_no_facts,
    check_every_method_that_ships_and_writes_was_measured_as_good,
    check_what_a_model_says_becomes_no_state,
)


def _sure(draft: Draft, event: Archived, witness: Archived | None, method: Method, **more: bool):
    return admit(draft, event, witness, method._replace(precision=1.0), **more)


MUTANTS: Mutants = {
    "there is no least precision": Mutant(CHECKS[0], replaced(admission, "LEAST_PRECISION", 0.0)),
    "one in five may be wrong, and a bit more": Mutant(CHECKS[0], replaced(admission, "LEAST_PRECISION", 0.79)),
    "weak methods are refused and not proposed": Mutant(
        CHECKS[0],
        lambda patch: patch.setattr(admission.Refusal, "proposed", property(lambda self: False)),
    ),
    "the engine does not ask how good a method is": Mutant(CHECKS[1], replaced(derive, "admit", _sure)),
    "a model is believed": Mutant(CHECKS[3], replaced(admission, "_stated", lambda draft, *_: draft.standing.value)),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
