"""What is stated by a clock that runs ahead of the reader's counts as said now; a plan waits for its time."""

from __future__ import annotations

from tests.support import Clock, values

from muniment.engine import asking, stating
from muniment.engine.core import Caller, Engine


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
