"""The lanes beside the one of what was said: times, facts, names, work and the prior, on small real stores."""

from __future__ import annotations

import math

import pytest
from tests.recall.said_oracle import tells
from tests.recall.stores import Place, looked, ranked, talked, turn
from tests.support import Clock, archive, ran, replied, said, stamp, state, wrote

from muniment.engine.core import Caller, Engine
from muniment.engine.stating import correct, decide, supersede
from muniment.model.event import Kind, Origin, Role
from muniment.model.fact import Action
from muniment.recall.lanes.entity import EntityLane
from muniment.recall.lanes.facts import FactLane
from muniment.recall.lanes.prior import PriorLane
from muniment.recall.lanes.time import TimeLane
from muniment.recall.lanes.work import WorkLane

CLOSE = 1e-9
TIME, FACTS, WORK, ENTITY, PRIOR = TimeLane(), FactLane(), WorkLane(), EntityLane(), PriorLane()
DAYS = {
    "a": "2026-02-28T23:59:59.999Z", "b": "2026-02-01T00:00:00.000Z", "c": "2026-01-31T23:59:59.999Z",
    "d": "2025-02-10T10:00:00.000Z", "e": "2026-03-01T00:00:00.000Z", "f": "2013-02-10T10:00:00.000Z",
}  # fmt: skip


@pytest.fixture
def dated(engine: Engine) -> Engine:
    """Turns at the edges of a month, in that month of other years, and one with no time at all."""
    talked(engine, [*(turn(s, 0, f"lamp {s}", at=at) for s, at in DAYS.items()), turn("g", 0, "lamp g")])
    return engine


def times(engine: Engine, words: str) -> dict[Place, float]:
    return ranked(engine, TIME, words)


# --- time


def test_a_range_is_worth_what_it_tells_and_ends_before_its_end(dated: Engine) -> None:
    worth = 1.5 * tells(7, 2)
    assert times(dated, "what about February 2026") == pytest.approx({("a", 0): worth, ("b", 0): worth}, abs=CLOSE)


def test_where_no_year_is_named_the_same_days_of_twelve_years_are_meant(dated: Engine) -> None:
    found = times(dated, "what about February")
    assert set(found) == {("a", 0), ("b", 0), ("d", 0)}
    assert list(found.values()) == pytest.approx([1.5 * tells(7, 3)] * 3, abs=CLOSE)


def test_ranges_add_up(dated: Engine) -> None:
    found = times(dated, "was it in February 2026 or on 1 February 2026 or in January 2026")
    month, day, other = (1.5 * tells(7, n) for n in (2, 1, 1))
    assert found == pytest.approx({("a", 0): month, ("b", 0): month + day, ("c", 0): other}, abs=CLOSE)


@pytest.mark.parametrize("words", ["lamp", "was it in 2009", "in August 2026", ""])
def test_where_no_time_is_named_or_nothing_was_said_then_nothing_is_found(dated: Engine, words: str) -> None:
    assert times(dated, words) == {}


def test_work_and_what_the_harness_notes_are_not_said_at_any_time(engine: Engine) -> None:
    note = {"role": Role.HARNESS, "origin": Origin.HARNESS, "kind": Kind.NOTE}
    archive(engine, [*ran("s", 0, "2026-02-03 10:00", "make"), said("s", 2, "2026-02-03 11:00", "hook ran", **note),
                     replied("s", 3, "2026-02-03 12:00", "done")])  # fmt: skip
    assert set(times(engine, "in February 2026")) == {("s", 3)}


# --- facts


def test_a_fact_is_worth_what_its_words_tell(engine: Engine, clock: Clock) -> None:
    """BM25 as the full-text engine has it (k1 1.2, b 0.75), over subject, predicate, topic and value of each fact."""
    values = ["violin", "violin copper", "lamp", "tulip", "salad"]
    texts = [f"project requires t{n} {value}".split() for n, value in enumerate(values)]
    for n, value in enumerate(values):
        state(engine, value, "requires", topic=f"t{n}")
        clock.forward(minutes=1)
    mean = sum(map(len, texts)) / len(texts)
    idf = math.log((len(texts) - 2 + 0.5) / (2 + 0.5))
    expected = [idf * 2.2 / (1 + 1.2 * (1 - 0.75 + 0.75 * len(t) / mean)) for t in texts[:2]]
    found = sorted(looked(engine, FACTS, "violin").scores.values(), reverse=True)
    assert found == pytest.approx(expected, rel=1e-6)
    assert found[0] > found[1] > 0


def test_only_facts_that_are_open_are_found(engine: Engine, person: Caller, clock: Clock) -> None:
    kept = state(engine, "violin kept", topic="kept")
    state(engine, "violin old", topic="now")
    taken = state(engine, "violin taken", topic="taken")
    state(engine, "violin briefly", topic="briefly", expires_at=stamp("2026-03-06"))
    state(engine, "violin until", topic="until", valid_until=stamp("2026-03-06"))
    wrong = state(engine, "violin wrong", topic="wrong")
    named = state(engine, "violin named", topic="named")
    clock.forward(days=2)
    new = state(engine, "violin new", topic="now")
    decide(engine, person, Action.RETRACT, taken.ids[0])
    right = correct(engine, person, wrong.ids[0], "violin right", "a slip")
    supersede(engine, person, named.ids[0], kept.ids[0])
    assert values(engine, "violin") == {"violin kept", "violin new", "violin right"}
    assert new.ids
    assert right.ids


def test_hypotheses_are_found_only_where_they_are_included(engine: Engine) -> None:
    state(engine, "violin sure", topic="a")
    state(engine, "violin perhaps", topic="b", origin=Origin.AGENT)
    assert values(engine, "violin") == {"violin sure"}
    assert values(engine, "violin", with_hypotheses=True) == {"violin sure", "violin perhaps"}


def test_what_is_in_doubt_is_found(engine: Engine, person: Caller, clock: Clock) -> None:
    doubted = state(engine, "violin doubted")
    clock.forward(hours=1)
    decide(engine, person, Action.SUSPECT, doubted.ids[0])
    assert values(engine, "violin") == {"violin doubted"}


def test_that_something_was_asked_is_no_fact_that_answers(engine: Engine) -> None:
    archive(engine, [said("s", 0, "2026-03-01 10:00", "Where is the violin?")])
    assert values(engine, "violin") == set()


def values(engine: Engine, words: str, *, with_hypotheses: bool = False) -> set[str]:
    """The values of the facts that made the lane find events."""
    found = looked(engine, FACTS, words, with_hypotheses=with_hypotheses)
    return {fact.row.value for fact in engine.store().facts.numbered(found.facts.values()).values()}


# --- work


def test_work_is_found_by_the_rarest_words_and_turns_are_not(engine: Engine) -> None:
    archive(engine, [said("s", 0, "2026-03-01 09:00", "the violin build"),
                     *ran("s", 1, "2026-03-01 10:00", "make violin", "built violin"),
                     *ran("s", 3, "2026-03-01 11:00", "make lamp", "built lamp")])  # fmt: skip
    assert set(ranked(engine, WORK, "violin")) == {("s", 1), ("s", 2)}
    assert ranked(engine, WORK, "trumpet") == {}
    assert ranked(engine, WORK, "") == {}


def test_of_many_words_four_are_looked_for_in_work(engine: Engine) -> None:
    words = ["alpha", "bravo", "delta", "gamma", "sigma"]
    events = [e for n in range(5) for e in ran("s", 2 * n, f"2026-03-01 1{n}:00", f"make {' '.join(words[n:])}")]
    archive(engine, events)  # alpha stands in one command, sigma in all five
    archive(engine, ran("t", 0, "2026-03-02 10:00", "make sigma"))
    assert {seq for s, seq in ranked(engine, WORK, "sigma gamma delta bravo alpha") if s == "t"} == set()
    assert ("t", 0) in ranked(engine, WORK, "sigma")


# --- names


def test_what_is_named_leads_to_its_facts_one_hop_away_the_newest_first(engine: Engine, clock: Clock) -> None:
    archive(engine, wrote("s", 0, "2026-03-01 10:00", "src/billing.py"))
    archive(engine, wrote("s", 2, "2026-03-01 11:00", "src/other.py"))
    for value in ("violin", "lamp"):
        clock.forward(days=1)
        state(engine, value, "noted", subject="path:src/billing.py")
    state(engine, "copper", "noted", subject="path:src/other.py")
    found = looked(engine, ENTITY, "what about `src/billing.py`?")
    facts = engine.store().facts.numbered(found.facts.values())
    told = {facts[found.facts[event]].row.value: score for event, score in found.scores.items()}
    assert told == pytest.approx({"lamp": 1.0, "violin": 1 / 2, "src/billing.py": 1 / 3}, abs=CLOSE)


def test_what_is_named_and_unknown_finds_nothing(engine: Engine) -> None:
    state(engine, "violin", "noted", subject="path:src/billing.py")
    assert ranked(engine, ENTITY, "what about `src/nothing.py`?") == {}
    assert ranked(engine, ENTITY, "what about billing?") == {}


def test_a_name_leads_to_no_fact_that_is_over(engine: Engine, person: Caller, clock: Clock) -> None:
    made = state(engine, "violin", "noted", subject="path:src/billing.py")
    assert len(ranked(engine, ENTITY, "what about `src/billing.py`?")) == 1
    clock.forward(days=1)
    decide(engine, person, Action.RETRACT, made.ids[0])
    assert ranked(engine, ENTITY, "what about `src/billing.py`?") == {}


# --- the prior


def test_the_prior_orders_what_was_found_and_finds_nothing(engine: Engine) -> None:
    days = ("2026-03-01", "2026-03-02", "2026-03-02", "2026-03-04")
    talked(engine, [turn(f"s{n}", 0, "violin", at=f"{day}T10:00:00Z") for n, day in enumerate(days)])
    assert ranked(engine, PRIOR, "violin") == {}
    found = ranked(engine, PRIOR, "violin", [(f"s{n}", 0) for n in range(4)])
    assert found == pytest.approx({("s0", 0): 1 / 3, ("s1", 0): 2 / 3, ("s2", 0): 2 / 3, ("s3", 0): 1}, abs=CLOSE)
