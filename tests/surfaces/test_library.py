"""The library: the same verbs from a Python program."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.surfaces.conftest import SAMPLES, Terminal

import muniment
from muniment import Memory, MunimentError


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory of a project, for a program that vouches for its person."""
    for name in ("MUNIMENT_CALLER", "MUNIMENT_HOME"):
        monkeypatch.delenv(name, raising=False)
    project = tmp_path / "project"
    project.mkdir()
    (project / ".muniment").touch()
    with Memory.open(project, home=tmp_path / "home", vouch="person") as opened:
        yield opened


def test_the_public_names_are_these() -> None:
    assert muniment.__all__ == ["Memory", "MunimentError", "__version__"]
    assert dir(muniment) == sorted(muniment.__all__)
    for name in muniment.__all__:
        assert getattr(muniment, name)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = muniment.nonsense


def test_an_index_reports_and_an_answer_carries_its_proof(memory: Memory) -> None:
    seen = []
    report = memory.index([SAMPLES], progress=lambda done, of, what: seen.append((done, of, what)))
    assert report.read == report.kept + sum(report.skipped.values())
    assert seen[-1][0] == seen[-1][1]
    answer = memory.query("p:passed")
    (hit,) = answer
    assert answer.bytes <= 4096
    assert (hit.kind, hit.standing, hit.origin) == ("fact", "confirmed", "tool")
    record = memory.read(hit.id, context=2)
    assert record.verified
    assert record.text == hit.text
    assert len(record.turns) == 5


def test_cursors_and_other_times_work_as_in_the_command_line(memory: Memory) -> None:
    old = memory.add("fact", "PostgreSQL", predicate="uses", topic="database", since="2026-01-01")
    new = memory.add("fact", "SQLite", predicate="uses", topic="database", since="2026-02-01")
    assert new.superseded == old.ids
    assert [h.text for h in memory.query("p:uses", as_of="2026-01-15")] == ["PostgreSQL"]
    corrected = memory.revise(new.ids[0], "correct", claim="DuckDB", reason="misread")
    assert [h.text for h in memory.query("p:uses")] == ["DuckDB"]
    assert memory.history(corrected.ids[0]).steps[0].value == "PostgreSQL"
    assert memory.why(corrected.ids[0]).standing == "confirmed"
    for number in range(30):
        memory.add("fact", f"thing number {number}")
    first = memory.list("fact", budget=600)
    assert first.cursor is not None
    second = memory.query(cursor=first.cursor)
    assert not {h.id for h in first} & {h.id for h in second}


def test_decisions_work_by_their_names(memory: Memory) -> None:
    one, two = (memory.add("fact", text).ids[0] for text in ("deploys on Friday", "deploys on Monday"))
    for action in ("suspect", "confirm", "retract", "restore"):
        assert memory.revise(one, action, reason="so").ids == (one,)
    assert memory.revise(one, "supersede", new_id=two).ids == (two, one)
    for action, more in (("nonsense", {}), ("supersede", {}), ("correct", {})):
        with pytest.raises(MunimentError) as problem:
            memory.revise(two, action, **more)
        assert problem.value.code == "usage"


def test_what_a_program_says_is_an_import_unless_it_vouches(memory: Memory, tmp_path: Path) -> None:
    mine = memory.add("fact", "PostgreSQL", predicate="uses", topic="database")
    assert memory.why(mine.ids[0]).origin == "person"
    with Memory.open(tmp_path / "project", home=tmp_path / "home") as program:
        other = program.add("fact", "Oracle", "user", predicate="uses", topic="database")
        assert other.outcome == "contradicts"
        assert "was not taken" in other.warnings[0]
        assert program.why(other.ids[0]).origin == "import"
        assert program.revise(mine.ids[0], "retract").outcome == "proposed"
    assert memory.why(mine.ids[0]).standing == "confirmed"


def test_vouching_is_recorded(memory: Memory, tmp_path: Path) -> None:
    memory.add("fact", "PostgreSQL")
    memory.export("jsonl", tmp_path / "all.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines()]
    assert any("library" in json.dumps(row) for row in rows)


def test_views_are_text_within_a_budget(memory: Memory) -> None:
    memory.index([SAMPLES])
    assert 0 < len(memory.view("wake", budget=800).encode()) <= 800
    assert "pytest" in memory.view("timeline", at="2025-12-24")
    with pytest.raises(MunimentError, match="nonsense"):
        memory.view("nonsense")


@pytest.mark.parametrize(("caller", "vouch"), [("", None), ("agent", "person"), ("import", "person")])
def test_a_program_that_vouches_for_nobody_loads_no_export(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caller: str, vouch: str | None
) -> None:
    memory.add("fact", "PostgreSQL", predicate="uses", topic="database")
    path = tmp_path / "all.jsonl"
    memory.export("jsonl", path)
    monkeypatch.setenv("MUNIMENT_CALLER", caller)
    with Memory.open(tmp_path / "project", home=tmp_path / "other", vouch=vouch) as other:
        with pytest.raises(MunimentError, match="cannot load an export") as refused:
            other.load("jsonl", path)
        assert (refused.value.exit_code, refused.value.code) == (6, "scope")
    assert not (tmp_path / "other").exists()


def test_a_memory_moves_without_loss(memory: Memory, tmp_path: Path) -> None:
    memory.index([SAMPLES])
    memory.add("fact", "PostgreSQL", predicate="uses", topic="database")
    path = tmp_path / "all.jsonl"
    memory.export("jsonl", path)
    with Memory.open(tmp_path / "project", home=tmp_path / "other", vouch="person") as other:
        other.load("jsonl", path)
        assert other.verify(rebuild=True).ok
        assert other.verify().digest == memory.verify().digest
        for format_ in ("csv", ""):
            with pytest.raises(MunimentError):
                other.export(format_, path)


def test_what_is_for_a_later_release_is_refused_by_name(tmp_path: Path, memory: Memory) -> None:
    with pytest.raises(MunimentError, match="ignore"):
        Memory.open(tmp_path, on_error="ignore")
    with pytest.raises(MunimentError, match="quote"):
        memory.add("fact", "x", quote="x")
    with pytest.raises(MunimentError, match="vouch"):
        Memory.open(tmp_path, vouch="god")


def test_nothing_is_made_before_the_first_write(tmp_path: Path) -> None:
    with Memory.open(tmp_path, home=tmp_path / "home") as memory, pytest.raises(MunimentError) as problem:
        memory.query()
    assert problem.value.code == "not_found"
    assert not (tmp_path / "home").exists()
    with pytest.raises(MunimentError):
        Memory.open(tmp_path / "nowhere")


def test_an_index_without_effect_raises(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(MunimentError) as problem:
        memory.index([tmp_path / "empty"])
    assert problem.value.code == "not_found"


def test_the_library_and_the_command_line_share_a_memory(terminal: Terminal) -> None:
    id_ = terminal.state("PostgreSQL")
    script = "from muniment import Memory\nwith Memory.open() as m: print([h.id for h in m.query('p:uses')])"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=terminal.project, env=terminal.environment(), capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert done.stdout == f"['{id_}']\n"


def test_a_closed_memory_may_be_closed_again(memory: Memory) -> None:
    memory.add("fact", "x")
    memory.close()
    memory.close()
    with pytest.raises(MunimentError, match="closed"):
        memory.query("p:noted")


@pytest.mark.parametrize("as_text", [True, False])
def test_one_path_is_taken_as_one(memory: Memory, as_text: bool) -> None:
    assert memory.index(str(SAMPLES) if as_text else SAMPLES).new_events > 0


def test_an_argument_of_the_wrong_kind_is_named(memory: Memory) -> None:
    calls = {
        "selector": lambda: memory.query(None), "budget": lambda: memory.query("x", budget="a"),
        "as_of": lambda: memory.query("x", as_of=1), "id": lambda: memory.read(7), "paths": lambda: memory.index([None]),
    }  # fmt: skip
    for name, call in calls.items():
        with pytest.raises(MunimentError, match=name) as problem:
            call()
        assert problem.value.code == "usage"


def test_an_ingest_takes_turns_or_a_path_and_names_what_it_made(memory: Memory, tmp_path: Path) -> None:
    turns = [{"session": "c", "seq": n, "speaker": "Ana", "text": f"Where is number {n}?"} for n in range(3)]
    report = memory.ingest(turns[:2])
    assert (report.read, report.kept, report.new_events) == (2, 2, 2)
    assert len(report.ids) == report.facts
    path = tmp_path / "turns.jsonl"
    path.write_text("".join(json.dumps(t) + "\n" for t in turns), encoding="utf-8")
    told: list[tuple[int, int, str]] = []
    assert memory.ingest(str(path), progress=lambda *step: told.append(step)).new_events == 1
    assert told[-1][0] == told[-1][1] == path.stat().st_size
    assert memory.read(f"{report.sessions['c']}:2", context=1).turns[-1].speaker == "Ana"


def test_a_program_that_is_told_to_be_an_import_does_not_vouch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for caller in ("import", "agent"):
        monkeypatch.setenv("MUNIMENT_CALLER", caller)
        with Memory.open(tmp_path, home=tmp_path / "home") as memory:
            with pytest.raises(MunimentError) as caught:
                memory.ingest([{"session": "c", "speaker": "Ana", "text": "x"}])
            assert caught.value.code == "refused"


def test_trajectories_go_out_and_come_in(memory: Memory, tmp_path: Path) -> None:
    memory.index([SAMPLES])
    report = memory.export("atif", tmp_path / "out")
    assert report.sessions == len(report.files)
    with pytest.raises(MunimentError, match="nothing was new"):
        memory.load("atif", tmp_path / "out")
    with pytest.raises(MunimentError, match="unknown format"):
        memory.export("csv", tmp_path / "x")  # type: ignore[call-overload]
