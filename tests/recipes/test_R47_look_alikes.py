"""R47, R49: what only looks alike ends nothing; outdated and wrong are not the same."""

from __future__ import annotations

from tests.support import state, values

from muniment.engine import stating
from muniment.engine.asking import query
from muniment.model.fact import Action


def test_only_the_row_of_the_same_subject_closes(engine, clock):
    state(engine, "engine E", topic="engine", subject="project:alpha")
    state(engine, "engine E", topic="engine", subject="project:beta")
    clock.forward(days=1)
    state(engine, "engine F", topic="engine", subject="project:alpha")
    clock.forward(days=1)
    assert values(query(engine, "s:alpha").text) == ["engine F"]
    assert values(query(engine, "s:beta").text) == ["engine E"]


def test_a_predicate_of_many_values_keeps_them_all(engine, clock):
    for name in ("A", "B", "C"):
        state(engine, name, "depends_on", subject="project:s")
        clock.forward(days=1)
    assert sorted(values(query(engine, "s:s p:depends_on").text)) == ["A", "B", "C"]


def test_a_neighbouring_topic_and_a_subject_of_another_kind_end_nothing(engine, clock):
    state(engine, "8080", "is", topic="port", subject="host:api")
    clock.forward(days=1)
    state(engine, "9090", "is", topic="port.admin", subject="host:api")
    state(engine, "7070", "is", topic="port", subject="tool:api")
    state(engine, "6060", "is", topic="port", subject="host:api2")
    assert sorted(values(query(engine, "p:is").text)) == ["6060", "7070", "8080", "9090"]


def test_the_past_shows_what_was_outdated_and_never_what_was_wrong(engine, person, clock):
    clock.set("2026-01-10")
    outdated = state(engine, "PostgreSQL", topic="database", subject="project:a")
    wrong = state(engine, "MySQL", topic="database", subject="project:b")
    clock.set("2026-02-10")
    new = state(engine, "SQLite", topic="database", subject="project:a")
    stating.decide(engine, person, Action.RETRACT, wrong.ids[0], "never was")
    clock.set("2026-03-10")
    assert new.superseded == outdated.ids
    assert sorted(values(query(engine, "p:uses", as_of="2026-01-20").text)) == ["PostgreSQL"]
    assert sorted(values(query(engine, "p:uses", as_of="2026-01-20", known="2026-01-20").text)) == [
        "MySQL",
        "PostgreSQL",
    ]
    assert values(query(engine, "standing:superseded").text) == ["PostgreSQL"]
    assert values(query(engine, "standing:retracted").text) == ["MySQL"]
    assert values(query(engine, "p:uses").text) == ["SQLite"]
