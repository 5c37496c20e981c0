"""R53, R54: clocks that lie, and what is old but exact."""

from __future__ import annotations

import pytest
from tests.recipes.support import Runs, Says, archived, claude_records, name_of, read_in, written
from tests.support import archive, ran, said, state, values

from muniment.engine import receipts, viewing
from muniment.engine.asking import query

TIMES = (
    "2026-03-05T11:00:00.000Z",
    "2026-03-15T12:00:00Z",
    "2027-03-05",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    None,
    "not a date",
    "",
    0,
    -1,
    1e300,
    10**30,
    {"a": 1},
    "2026-02-30T00:00:00Z",
    "12:00",
)


def test_no_time_is_an_error_and_the_order_of_writing_is_kept(engine, tmp_path):
    made = []
    for n, time in enumerate(TIMES):
        record = next(iter(claude_records(name_of("claude-code"), engine.workspace.root, [Says(f"item {n:02d}")])))
        made.append(record | {"timestamp": time, "uuid": f"{n:08x}-0000-4000-8000-000000000000"})
    report = read_in(engine, written(tmp_path / f"{name_of('claude-code')}.jsonl", made))
    assert report.kept == len(TIMES)
    assert [row[4] for row in archived(engine)] == [f"item {n:02d}" for n in range(len(TIMES))]
    assert len(query(engine, "", 100_000)) == len(TIMES)
    assert [receipts.read(engine, h.id).verified for h in query(engine, "", 100_000)] == [True] * len(TIMES)
    viewing.wake(engine, 4096)
    viewing.timeline_text(engine, "2026-03-05")


def test_a_row_of_the_future_scores_no_higher_than_one_of_now(engine, clock):
    archive(engine, ran("now", 0, "2026-03-05 11:59", "now"))
    archive(engine, ran("soon", 0, "2026-03-15 12:00", "ten days on"))
    archive(engine, ran("late", 0, "9999-12-31 12:00", "far on"))
    hits = query(engine, "p:ran", 100_000).hits
    scores = {h.text: h.score for h in hits}
    assert scores.keys() == {"now", "ten days on", "far on"}
    assert max(scores["ten days on"], scores["far on"]) <= scores["now"] * 1.001


def test_what_is_not_yet_true_is_left_out(engine, clock):
    state(engine, "Oracle", topic="database", valid_from="2027-01-01T00:00:00.000Z")
    state(engine, "PostgreSQL", topic="database")
    assert values(query(engine, "p:uses").text) == ["PostgreSQL"]
    clock.set("2027-02-01")
    assert values(query(engine, "p:uses").text) == ["Oracle"]


def test_a_clock_that_goes_back_between_two_writes_keeps_their_order_within_a_session(engine):
    archive(engine, [said("s", 0, "2026-03-05 11:00", "first"), said("s", 1, "2026-03-05 10:00", "second")])
    orders = engine.store().db.rows("SELECT order_at FROM positions ORDER BY seq")
    assert [o[0] for o in orders] == ["2026-03-05T11:00:00.000Z"] * 2


def test_a_clock_that_goes_back_between_two_commands_is_no_error(engine, clock):
    state(engine, "one", "noted")
    clock.forward(hours=-1)
    second = state(engine, "two", "noted")
    assert second.outcome == "stored"
    assert "two" in values(query(engine, "p:noted").text)
    clock.forward(hours=2)
    assert sorted(values(query(engine, "p:noted").text)) == ["one", "two"]


@pytest.mark.parametrize("role", ["user", "tool"])
def test_time_and_role_decide_the_order_of_equals(engine, clock, tmp_path, role):
    """A selector scores no words: of one role the newer row comes first."""
    old, new = ("2025-03-05 12:00", "2026-03-05 11:00")
    for n, at in enumerate((old, new)):
        if role == "user":
            archive(engine, [said(f"s{n}", 0, at, f"item {n}")])
        else:
            archive(engine, ran(f"s{n}", 0, at, f"item {n}"))
    assert [h.text for h in query(engine, "item")] == ["item 1", "item 0"]


def test_an_old_row_with_all_the_words_is_the_only_one_that_a_selector_of_all_of_them_finds(engine, clock):
    words = ("copper", "kettle", "window", "garden", "seven")
    archive(engine, [said("old", 0, "2025-03-05 12:00", " ".join(words))])
    archive(engine, [said(f"new{n}", 0, "2026-03-05 11:00", f"{words[n % 5]} {n}") for n in range(10)])
    assert [h.text for h in query(engine, " ".join(words))] == [" ".join(words)]


def test_a_command_s_result_before_its_call_is_drawn_all_the_same(engine, tmp_path):
    made = list(claude_records(name_of("claude-code"), engine.workspace.root, [Runs("make", "ok")]))
    read_in(engine, written(tmp_path / f"{name_of('claude-code')}.jsonl", reversed(made)))
    assert values(query(engine, "p:ran").text) == ["make"]
