"""What is stated by a clock that runs ahead of the reader's counts as said now; a plan waits for its time."""

from __future__ import annotations

import dataclasses

import pytest
from tests.support import Clock, values

from muniment.engine import asking, finding, stating
from muniment.engine.core import Caller, Engine
from muniment.errors import NothingChangedError, RefusedError, UsageError
from muniment.model.event import Origin
from muniment.model.fact import Action


def test_words_of_a_clock_that_ran_ahead_hold_at_once_and_a_plan_does_not(
    engine: Engine, person: Caller, clock: Clock
) -> None:
    before = clock.at
    clock.set("2027-06-01T00:00:00.000Z")
    stating.add(engine, person, stating.Statement("fact", "said ahead", predicate="uses", topic="ci"))
    plan = stating.Statement(
        "fact", "planned", predicate="uses", topic="database", valid_from="2027-07-01T00:00:00.000Z"
    )
    stating.add(engine, person, plan)
    clock.set(before)
    assert values(asking.query(engine, "p:uses").text) == ["said ahead"]
    clock.set("2027-07-02T00:00:00.000Z")
    assert set(values(asking.query(engine, "p:uses").text)) == {"said ahead", "planned"}


def uses(value: str, **more: str) -> stating.Statement:
    return stating.Statement("fact", value, predicate="uses", topic="database", **more)


def held(engine: Engine, **asked: str) -> list[str]:
    return values(asking.query(engine, "p:uses", **asked).text)


def test_a_correction_of_what_has_ended_leaves_the_present_alone(engine: Engine, person: Caller) -> None:
    old = stating.add(engine, person, uses("A", valid_from="2025-01-01T00:00:00.000Z")).ids[0]
    stating.add(engine, person, uses("B", valid_from="2026-01-01T00:00:00.000Z"))
    stating.correct(engine, person, old, "A2", "a slip of the pen")
    assert held(engine) == ["B"]
    assert held(engine, as_of="2025-06-01") == ["A2"]


def test_a_correction_keeps_the_end_the_expiry_and_the_tags(engine: Engine, person: Caller) -> None:
    bounded = uses("A", valid_from="2025-01-01T00:00:00.000Z", valid_until="2025-06-30T00:00:00.000Z")
    old = stating.add(engine, person, dataclasses.replace(bounded, tags=("infra.database",))).ids[0]
    new = stating.correct(engine, person, old, "A2", "a slip of the pen").ids[0]
    assert held(engine) == []
    assert held(engine, as_of="2025-03-01") == ["A2"]
    assert engine.store().facts.tags(finding.fact(engine, new).row.id) == ["infra.database"]


def test_what_is_said_again_without_an_expiry_does_not_expire(engine: Engine, person: Caller, clock: Clock) -> None:
    clock.set("2026-03-01")
    stating.add(engine, person, uses("A", expires_at="2026-04-01T00:00:00.000Z"))
    clock.set("2026-05-01")
    assert held(engine) == []
    stating.add(engine, person, uses("A"))
    assert held(engine) == ["A"]


def test_what_has_expired_stands_against_nobody(engine: Engine, person: Caller, clock: Clock) -> None:
    clock.set("2026-03-01")
    stating.add(engine, person, uses("A", expires_at="2026-04-01T00:00:00.000Z"))
    clock.set("2026-05-01")
    said = stating.add(engine, Caller(Origin.AGENT), uses("B"))
    assert (said.outcome, held(engine)) == ("stored", ["B"])


def test_an_agent_cannot_put_a_persons_words_back_in_force(engine: Engine, person: Caller, clock: Clock) -> None:
    agent = Caller(Origin.AGENT)
    theirs = stating.add(engine, person, stating.Statement("preference", "tabs", topic="code")).ids[0]
    stating.decide(engine, person, Action.RETRACT, theirs)
    clock.forward(days=1)
    own = stating.add(engine, agent, uses("G")).ids[0]
    with pytest.raises(RefusedError, match="does not hold any more"):
        stating.supersede(engine, agent, own, theirs)
    assert asking.query(engine, "p:prefers").text == ""


def test_a_persons_fact_stays_confirmed_when_an_agent_supersedes_its_own_by_it(
    engine: Engine, person: Caller, clock: Clock
) -> None:
    agent = Caller(Origin.AGENT)
    theirs = stating.add(engine, person, stating.Statement("fact", "P", predicate="uses", topic="ci")).ids[0]
    own = stating.add(engine, agent, uses("G")).ids[0]
    clock.forward(days=1)
    stating.supersede(engine, agent, own, theirs)
    assert finding.fact(engine, theirs).standing == "confirmed"


def test_a_fact_covered_by_a_later_word_about_an_earlier_time_is_named(
    engine: Engine, person: Caller, clock: Clock
) -> None:
    first = stating.add(engine, person, uses("B", valid_from="2026-02-01T00:00:00.000Z")).ids[0]
    clock.forward(days=1)
    later = stating.add(engine, person, uses("C", valid_from="2026-01-01T00:00:00.000Z"))
    assert (later.outcome, later.superseded) == ("superseded", (first,))
    assert finding.fact(engine, first).standing == "superseded"


@pytest.mark.parametrize(
    "times",
    [
        {"valid_from": "2026-05-01T00:00:00.000Z", "valid_until": "2026-04-01T00:00:00.000Z"},
        {"valid_until": "2020-01-01T00:00:00.000Z"},
        {"expires_at": "2020-01-01T00:00:00.000Z"},
    ],
)
def test_a_statement_that_could_hold_at_no_time_is_refused(
    engine: Engine, person: Caller, times: dict[str, str]
) -> None:
    with pytest.raises(UsageError):
        stating.add(engine, person, uses("A", **times))


def test_confirming_what_was_superseded_is_refused_rather_than_ending_what_holds(
    engine: Engine, person: Caller, clock: Clock
) -> None:
    old = stating.add(engine, person, uses("A")).ids[0]
    clock.forward(days=1)
    stating.add(engine, person, uses("B"))
    with pytest.raises(NothingChangedError):
        stating.decide(engine, person, Action.CONFIRM, old)
    assert held(engine) == ["B"]


def test_a_decision_can_be_stated(engine: Engine, person: Caller) -> None:
    stating.add(engine, person, stating.Statement("decision", "keep one file for each project"))
    assert values(asking.query(engine, "type:decision").text) == ["keep one file for each project"]
