"""What rests on another fact is no surer than it: in whatever order they came, until a person says that it holds all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from muniment import Memory
from muniment.engine.core import Caller, Engine, Settings
from muniment.model.event import Origin
from muniment.model.scope import workspace_of

At = Callable[..., Memory]


@pytest.fixture
def at(tmp_path: Path) -> Iterator[At]:
    """The memory of one project at a moment."""
    (tmp_path / "project").mkdir()
    opened: list[Memory] = []

    def make(day: str, home: str = "home") -> Memory:
        settings = Settings(tmp_path / home, clock=lambda: f"{day}T12:00:00.000Z")
        opened.append(Memory(Engine(workspace_of(str(tmp_path / "project")), settings), Caller(Origin.PERSON, "test")))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


def standing(memory: Memory, id_: str) -> str:
    return memory.why(id_).standing


def family(memory: Memory) -> tuple[str, str, str]:
    """A fact, what rests on it, and what rests on that."""
    root = memory.add("fact", "PostgreSQL", predicate="uses", topic="database").ids[0]
    child = memory.add("fact", "Backups are made with pg_dump", evidence=[f"fact:{root}"]).ids[0]
    return root, child, memory.add("fact", "The nightly job needs pg_dump", evidence=[f"fact:{child}"]).ids[0]


@pytest.mark.parametrize("action", ["suspect", "retract"])
def test_a_doubt_goes_down_the_line_and_is_lifted_with_it(at: At, action: str) -> None:
    root, child, grandchild = family(at("2026-03-01"))
    memory = at("2026-04-01")
    memory.revise(root, action, reason="so")
    assert [standing(memory, i) for i in (child, grandchild)] == ["suspect", "suspect"]
    (row,) = [hit for hit in memory.query("backups") if hit.id == child]
    mark = {"suspect": "suspect", "retract": "retracted"}[action]
    assert f"{mark}:fact:{root}" in row.marks
    assert f"suspect:fact:{child}" in memory.why(grandchild).marks
    assert memory.verify(rebuild=True).ok
    at("2026-05-01").revise(root, "restore", reason="it was right")
    assert [standing(memory, i) for i in (root, child, grandchild)] == ["confirmed"] * 3
    assert memory.verify(rebuild=True).ok


def test_what_rested_on_a_value_that_another_took_the_place_of_is_in_doubt(at: At) -> None:
    root, child, grandchild = family(at("2026-03-01"))
    memory = at("2026-06-01")
    memory.add("fact", "SQLite", predicate="uses", topic="database")
    assert [standing(memory, i) for i in (root, child, grandchild)] == ["superseded", "suspect", "suspect"]
    march = memory.query("backups", as_of="2026-03-15", known="2026-03-15")
    assert [(hit.id, hit.standing) for hit in march] == [(child, "confirmed")]
    assert memory.verify(rebuild=True).ok


def test_a_persons_word_heals_what_rests_on_it_until_what_it_rests_on_changes_again(at: At) -> None:
    root, child, grandchild = family(at("2026-03-01"))
    at("2026-04-01").revise(root, "suspect", reason="so")
    memory = at("2026-05-01")
    memory.revise(child, "confirm", reason="checked by hand")
    assert [standing(memory, i) for i in (root, child, grandchild)] == ["suspect", "confirmed", "confirmed"]
    at("2026-06-01").revise(root, "retract", reason="never so")
    assert [standing(memory, i) for i in (root, child, grandchild)] == ["retracted", "suspect", "suspect"]
    assert memory.verify(rebuild=True).ok


def test_what_rests_on_two_facts_is_healed_only_where_nothing_else_is_wrong(at: At) -> None:
    memory = at("2026-03-01")
    one, two = (memory.add("fact", text).ids[0] for text in ("the first reason", "the second reason"))
    child = memory.add("fact", "so it follows", evidence=[f"fact:{one}", f"fact:{two}"]).ids[0]
    later = at("2026-04-01")
    for id_ in (one, two):
        later.revise(id_, "suspect", reason="so")
    at("2026-05-01").revise(one, "restore", reason="fine")
    assert standing(memory, child) == "suspect"
    at("2026-05-02").revise(two, "restore", reason="fine")
    assert standing(memory, child) == "confirmed"


def test_a_circle_of_facts_ends_and_is_the_same_when_rebuilt(at: At) -> None:
    memory = at("2026-03-01")
    one = memory.add("fact", "one").ids[0]
    two = memory.add("fact", "two", evidence=[f"fact:{one}"]).ids[0]
    memory.add("fact", "one", evidence=[f"fact:{two}"])
    at("2026-04-01").revise(two, "suspect", reason="so")
    assert memory.verify(rebuild=True).ok


def test_the_order_of_arrival_does_not_matter_to_a_family(at: At, tmp_path: Path) -> None:
    ids = family(at("2026-03-01"))
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    memory = at("2026-05-01")
    memory.export("jsonl", before)
    memory.revise(ids[0], "suspect", reason="so")
    memory.add("fact", "SQLite", predicate="uses", topic="database")
    memory.export("jsonl", after)
    wanted = [standing(memory, i) for i in ids]
    for name, files in (("at once", [after]), ("one by one", [before, after])):
        other = at("2026-06-01", home=name)
        for file in files:
            other.load("jsonl", file)
        assert [standing(other, i) for i in ids] == wanted == ["superseded", "suspect", "suspect"]
        assert other.verify(rebuild=True).digest == memory.verify().digest
