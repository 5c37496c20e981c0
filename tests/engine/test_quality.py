"""`doctor --quality`: each sort is counted, named by id, and nothing is written for it."""

from __future__ import annotations

import pytest
from tests.support import archive, said, state

from muniment.engine import stating, upkeep
from muniment.engine.quality import quality
from muniment.model.event import Origin
from muniment.model.fact import Action


@pytest.fixture
def told(engine, clock, person):
    """A store with one of each."""
    old = state(engine, "PostgreSQL", topic="database").ids[0]
    kept = state(engine, "weekly", "is", topic="cadence").ids[0]
    clock.forward(days=200)
    stating.decide(engine, person, Action.CONFIRM, kept, "")
    state(engine, "SQLite", topic="database", origin=Origin.TOOL)
    state(engine, "Redis", topic="cache", origin=Origin.WEB)
    state(engine, "always run the slow tests before a release", "noted")
    state(engine, "always run the slow tests before each release", "noted")
    state(engine, "backups lie in the cellar", "noted", evidence=["file:README.md"])
    archive(engine, [said("s", 0, "2026-09-21", "card 4111 1111 1111 1111, <private>me</private>")])
    return engine, old, kept


def test_every_sort_is_counted_and_named(told):
    engine, old, kept = told
    found = quality(engine)
    assert found.without_evidence.count == 5
    assert found.hypotheses.count == 1
    assert found.hypotheses_by_age == {"under a day": 1}
    assert [pair[0] for pair in found.contested] == [old]
    assert found.never_confirmed.ids == ()
    assert kept not in found.never_confirmed.ids
    assert len(found.alike) == 1
    assert found.alike[0].share > 0.8
    assert found.masks == {"number": 1, "private": 1}
    assert found.outside > 0
    assert sum(found.origins.values()) == pytest.approx(1, abs=0.01)
    assert all(low <= m.precision <= high for m in found.methods for low, high in [m.interval])


def test_an_old_state_that_was_said_once_and_never_confirmed_is_named(engine, clock, person):
    lone = state(engine, "monthly", "is", topic="cadence").ids[0]
    again = state(engine, "PostgreSQL", topic="database").ids[0]
    clock.forward(days=1)
    state(engine, "PostgreSQL", topic="database")
    clock.forward(days=181)
    found = quality(engine).never_confirmed
    assert found.ids == (lone,)
    assert again not in found.ids


def test_looking_writes_nothing(told):
    engine, _, _ = told
    before = upkeep.digest(engine), engine.path.read_bytes()
    quality(engine)
    assert (upkeep.digest(engine), engine.path.read_bytes()) == before
