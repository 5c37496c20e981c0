"""R30: homes, projects and transcripts in folders with awkward names: the same results as anywhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.recipes.support import HARNESSES, Reads, Runs, Says, Writes, balanced, read_in, texts, transcript
from tests.support import state
from tests.surfaces.conftest import Terminal

from muniment.engine import indexing
from muniment.engine.asking import query
from muniment.engine.core import Engine, Settings
from muniment.engine.receipts import read
from muniment.errors import StoreError
from muniment.model.scope import MARKER, workspace_of

NAMES = (
    "a b",
    "é",
    "e\u0301",
    "日本　語",
    "it's",
    "$x",
    "100%",
    "n" * 200,
    "ends.",
    "-dash",
    "#hash?query",
    "[a]*",
    "back\\slash",
    "new\nline",
    "tab\tbed",
    '"quoted"',
    "emoji 👩‍👩‍👧",
    "~tilde",
    "%2e%2e",
    "\u202eright",
    "con",
)
NOT_UTF8 = "a" + os.fsdecode(b"\xff")


def rows_of(room: Path, harness: str) -> list[str]:
    """What the same session gives in this room, without what names the place."""
    project = room / "project"
    project.mkdir(parents=True)
    (project / MARKER).touch()
    root = str(project)
    files = ("a.py", "b c.py") if harness == "codex" else (f"{root}/a.py", f"{root}/b c.py")
    steps = [Says("fix it"), Runs("make", "ok"), Reads(files[0], "1\n"), Writes(files[1], "2\n")]
    with Engine(workspace_of(project), Settings(room / "home")) as engine:
        read_in(engine, transcript(harness, room / "transcripts", root, steps))
        assert read_in(engine, room / "transcripts").read == 0
        answer = query(engine, "", 100_000)
        assert [read(engine, hit.id, 1).verified for hit in answer] == [True] * len(answer)
        state(engine, "PostgreSQL", topic="database")
        assert query(engine, "p:uses").hits[0].text == "PostgreSQL"
        return [f"{h.row.split(chr(9))[0]} {h.text}" for h in answer]


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize("name", NAMES)
def test_every_folder_gives_the_same_rows(tmp_path, name, harness):
    there = rows_of(tmp_path / name, harness)
    assert there == rows_of(tmp_path / "plain", harness)
    assert len(there) >= 4


@pytest.mark.parametrize("harness", ["claude-code", "codex", "copilot-cli"])
def test_a_project_whose_name_is_no_utf8_has_a_memory(tmp_path, harness):
    project = tmp_path / NOT_UTF8
    project.mkdir()
    with Engine(workspace_of(project), Settings(tmp_path / "home")) as engine:
        read_in(engine, transcript(harness, project / "t", project, [Says("fix it"), Runs("make", "ok")]))
        assert sorted(h.text for h in query(engine, "")) == ["fix it", "make"]
        state(engine, "PostgreSQL", topic="database")
        assert read_in(engine, project / "t").read == 0


def test_a_database_that_the_engine_cannot_open_by_its_name_is_counted(engine, tmp_path):
    path = transcript("opencode", tmp_path / "t", engine.workspace.root, [Says("fix it")])
    folder = tmp_path / NOT_UTF8
    folder.mkdir()
    report = read_in(engine, path.rename(folder / path.name))
    assert (report.read, report.damaged["unreadable"]) == (0, 1)
    assert "opencode.db~" in report.notes[0]
    assert ": unreadable" in report.notes[0]


def test_a_home_whose_name_is_no_utf8_is_refused_by_name(engine, tmp_path):
    with (
        Engine(engine.workspace, Settings(tmp_path / NOT_UTF8)) as other,
        pytest.raises(StoreError, match="UTF-8") as refused,
    ):
        state(other, "x", "noted")
    assert "--home" in refused.value.hint


@pytest.mark.parametrize("name", NAMES)
def test_harnesses_places_are_found_in_any_home(engine, tmp_path, name):
    home = tmp_path / name
    transcript("claude-code", home / ".claude/projects/x", engine.workspace.root, [Says("one")])
    transcript("codex", home / ".codex/sessions/2026", engine.workspace.root, [Says("two")])
    transcript("copilot-cli", home / ".copilot", engine.workspace.root, [Says("three")])
    transcript("opencode", home / ".local/share/opencode", engine.workspace.root, [Says("four")])
    found, _ = indexing.sources(None, home, {}, "linux")
    report = indexing.index(engine, found, named=False)
    balanced(report)
    assert sorted(texts(engine)) == sorted(["", "one", "two", "three", "four"])


@pytest.mark.parametrize("name", ["a b", "日本　語", "it's $x", "100%", "ends.", "new\nline"])
def test_the_command_line_works_in_any_folder(tmp_path, name):
    terminal = Terminal(tmp_path / name)
    path = transcript("claude-code", tmp_path / name / "t", terminal.project, [Says("fix it"), Runs("make", "ok")])
    assert "read 3 = kept 3" in terminal.ok("index", str(path)).out
    rows = terminal.ok("query", "p:ran").out
    assert "\tmake\t" in rows
    assert terminal.ok("read", rows.split("\t")[7]).out
