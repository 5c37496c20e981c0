"""R08: a person says one thing and later another: the later holds, and the past is still what it was."""

from __future__ import annotations

from tests.support import state, values

from muniment.engine import history
from muniment.engine.asking import query


def test_recall_gives_the_later_the_past_gives_the_earlier_and_history_gives_both_with_their_link(engine, clock):
    clock.set("2026-01-10")
    old = state(engine, "8081", "is", topic="port", subject="host:staging")
    clock.set("2026-02-10")
    new = state(engine, "8090", "is", topic="port", subject="host:staging")
    clock.set("2026-03-10")
    assert (new.outcome, new.superseded) == ("superseded", old.ids)
    assert values(query(engine, "s:staging").text) == ["8090"]
    assert values(query(engine, "p:is topic:port").text) == ["8090"]
    assert values(query(engine, "s:staging", as_of="2026-02-01").text) == ["8081"]
    assert values(query(engine, "s:staging", known="2026-02-01").text) == ["8081"]
    steps = history.history(engine, old.ids[0]).steps
    assert [(s.value, s.standing) for s in steps] == [("8081", "superseded"), ("8090", "confirmed")]
    assert ("supersedes", old.ids[0]) in {(k.relation, k.other) for k in steps[1].links}


def test_the_order_of_arrival_changes_nothing(make_engine, clock):
    for name, order in (("forward", (0, 1)), ("backward", (1, 0))):
        engine = make_engine(name)
        said = [("2026-01-10", "8081"), ("2026-02-10", "8090")]
        for n in order:
            clock.set(said[n][0])
            state(engine, said[n][1], "is", topic="port", subject="host:staging")
        clock.set("2026-03-10")
        assert values(query(engine, "s:staging").text) == ["8090"]
        assert values(query(engine, "s:staging", as_of="2026-02-01").text) == ["8081"]
