"""How far something reached, and what changed between two moments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.surfaces.conftest import SAMPLES

from muniment import Memory
from muniment.engine.core import Caller, Engine, Settings
from muniment.errors import NotFoundError, UsageError
from muniment.model.event import Origin
from muniment.model.scope import workspace_of

At = Callable[[str], Memory]


@pytest.fixture
def at(tmp_path: Path) -> At:
    """The memory of one project at a moment."""
    (tmp_path / "project").mkdir()

    def make(day: str) -> Memory:
        settings = Settings(tmp_path / "home", clock=lambda: f"{day}T12:00:00.000Z")
        return Memory(Engine(workspace_of(str(tmp_path / "project")), settings), Caller(Origin.PERSON, "test"))

    return make


def test_the_reach_of_a_fact_is_what_derives_from_it_who_was_given_it_and_what_they_wrote_then(at: At) -> None:
    with at("2026-03-01") as memory:
        root = memory.add("fact", "The billing service reads from a replica").ids[0]
        child = memory.add("fact", "Reports may lag by a minute", evidence=[f"fact:{root}"]).ids[0]
        grandchild = memory.add("fact", "Invoices are not shown at once", evidence=[f"fact:{child}"]).ids[0]
        other = memory.add("fact", "The API port is 8080").ids[0]
        memory.query("replica", session="s1")
        memory.query("invoices", session="s2")
        memory.query("port", session="s3")
        memory.revise(child, "success", reason="shipped")
        found = memory.blast(root)
    assert [(one.id, one.via) for one in found.facts] == [(root, None)]
    assert [(one.id, one.via) for one in found.derived] == [(child, root), (grandchild, child)]
    assert [(each.session, each.query, each.ids) for each in found.given] == [
        ("s1", "replica", (root,)), ("s2", "invoices", (grandchild,)),
    ]  # fmt: skip
    assert found.sessions == ("s1", "s2")
    assert [(use.id, use.how, use.note) for use in found.used] == [(child, "success", "shipped")]
    assert other not in str(found)


def test_files_that_a_session_wrote_before_it_was_given_the_fact_are_not_in_its_reach(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".muniment").touch()
    with Memory.open(tmp_path / "project", home=tmp_path / "home", vouch="person") as memory:
        memory.index(SAMPLES)
        written = next(iter(memory.query("p:touched")))
        session = written.receipt.rpartition(":")[0]
        id_ = memory.add("fact", "Retries are capped at five").ids[0]
        memory.query("retries", session=session)
        assert not memory.blast(id_).files
    journal = next((tmp_path / "home" / "journal").glob("*.jsonl"))
    journal.write_text(journal.read_text().replace(memory_day(journal), "2000-01-01"), encoding="utf-8")
    with Memory.open(tmp_path / "project", home=tmp_path / "home") as memory:
        files = memory.blast(id_).files
    assert {f.session for f in files} == {session}
    assert written.text in {f.path for f in files}
    assert [f.at for f in files] == sorted(f.at for f in files)


def memory_day(journal: Path) -> str:
    """The day on which the last answer was noted."""
    return journal.read_text().rpartition('"at":"')[2][:10]


def test_the_reach_of_a_source_is_that_of_all_that_came_from_it(at: At) -> None:
    with at("2026-03-01") as memory:
        ids = {memory.add("ingested", f"page {n}", source_url="https://example.org/a").ids[0] for n in range(3)}
        memory.add("fact", "of my own")
        assert {one.id for one in memory.blast(source="https://example.org/a").facts} == ids
        assert {one.id for one in memory.blast(origin="person").facts} > ids
        for wrong in ({}, {"id": "x", "session": "y"}):
            with pytest.raises(UsageError):
                memory.blast(**wrong)
        for nothing in ({"session": "nobody"}, {"id": "7ZZZZZZZ"}, {"origin": "web"}):
            with pytest.raises(NotFoundError):
                memory.blast(**nothing)


def test_a_family_that_goes_in_a_circle_is_walked_once(at: At) -> None:
    with at("2026-03-01") as memory:
        first = memory.add("fact", "one").ids[0]
        second = memory.add("fact", "two", evidence=[f"fact:{first}"]).ids[0]
        memory.add("fact", "one", evidence=[f"fact:{second}"])
        assert {one.id for one in memory.blast(first).derived} >= {second}


def test_what_changed_is_told_by_question_as_it_was_believed_then(at: At) -> None:
    with at("2026-03-01") as memory:
        memory.add("fact", "PostgreSQL", predicate="uses", topic="database")
        memory.add("preference", "Prefers tabs")
        memory.add("fact", "8080", predicate="is", topic="port")
    with at("2026-06-01") as memory:
        memory.add("fact", "SQLite", predicate="uses", topic="database")
        memory.add("fact", "de", predicate="speaks", subject="person:me")
    with at("2026-07-01") as memory:
        memory.revise(next(iter(memory.query("p:is"))).id, "retract", reason="never so")
        found = memory.diff("2026-04-01", "2026-08-01")
        told = [(c.kind, [b.value for b in c.before], [b.value for b in c.after]) for c in found.changes]
        assert sorted(told) == [("changed", ["PostgreSQL"], ["SQLite"]), ("gone", ["8080"], []), ("new", [], ["de"])]
        assert (found.same, found.is_partial) == (1, False)
        assert [c.kind for c in memory.diff("2026-04-01", "2026-06-15", "p:uses").changes] == ["changed"]
        assert not memory.diff("2026-04-01", "2026-05-01").changes
        assert [c.kind for c in memory.diff("2026-06-15", "2026-08-01").changes] == ["gone"]
        for start, end in (
            ("2026-08-01", "2026-04-01"),
            ("2026-04-01", "2026-04-01"),
            ("soon", "2026-04-01"),
            ("", "now"),
        ):
            with pytest.raises(UsageError):
                memory.diff(start, end)
