"""The table of vectors: its pages of sign bits always hold what its rows hold, whatever was put, dropped and put again."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.model.kept import Vector
from muniment.storage.sqlite import vectors
from muniment.storage.sqlite.vectors import VectorTable

EVENTS = st.lists(st.integers(1, 60), min_size=1, max_size=20)
STEPS = st.lists(st.tuples(st.sampled_from(["put", "put", "drop"]), EVENTS), max_size=12)


@pytest.fixture
def store(engine, monkeypatch):
    """A store whose pages hold four."""
    monkeypatch.setattr(vectors, "PAGE", 4)
    return engine.store(create=True)


def vector(event: int, salt: int = 0) -> Vector:
    return Vector(event, bytes([event, salt] * 4), bytes([salt, event] * 8))


def read(table: VectorTable, model: int, after: int = -1) -> list[tuple[int, bytes]]:
    """Every event and its sign bits as a reader gets them."""
    found: list[tuple[int, bytes]] = []
    for events, signs in table.signs(model, after):
        numbers = memoryview(events).cast("q").tolist()
        found += [(n, signs[8 * at : 8 * at + 8]) for at, n in enumerate(numbers)]
    return found


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_pages_hold_what_rows_hold_and_a_reader_that_grows_misses_nothing(store, steps):
    table = store.vectors
    with store.writing():
        for name in ("vectors", "vector_pages", "vector_models"):
            store.db.run(f"DELETE FROM {name}")
        model, other = table.stage("a", "1", 16), 777
        table.put(other, [vector(5)])
        held: dict[int, Vector] = {}
        seen, epoch = [], 0
        for salt, (step, events) in enumerate(steps):
            if step == "put":
                held |= {n: vector(n, salt) for n in events}
                table.put(model.n, [held[n] for n in dict.fromkeys(events)])
            else:
                held = {n: v for n, v in held.items() if n not in events}
                table.drop(events)
            now = next(m.epoch for m in table.models() if m.n == model.n)
            seen = seen + read(table, model.n, seen[-1][0] if seen else 0) if now == epoch else read(table, model.n)
            epoch = now
            assert seen == read(table, model.n) == [(n, held[n].signs) for n in sorted(held)]
            assert table.codes(model.n, range(61)) == {n: v.code for n, v in held.items()}
        assert table.codes(other, [5]) == {5: vector(5).code}


def test_a_model_is_let_go_piece_by_piece_and_its_number_is_never_given_again(store):
    table = store.vectors
    with store.writing():
        first = table.stage("a", "1", 16)
        table.put(first.n, [vector(n) for n in range(1, 11)])
        table.activate(first.n)
        second = table.stage("b", "1", 16)
        table.activate(second.n)
        assert [m.state for m in table.models()] == ["old", "active"]
        assert [table.purge(4) for _ in range(4)] == [4, 4, 2, 0]
        assert [m.name for m in table.models()] == ["b"]
        table.retire(second.n)
        table.purge(4)
        assert table.stage("a", "1", 16).n > second.n
