"""`muniment init` as a person runs it, in a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.surfaces.conftest import Terminal
from tests.surfaces.test_json_shapes import misfits

HOOK = {"hooks": [{"type": "command", "command": "beep"}]}


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A person's machine with Claude Code, Cursor and Aider on it, and a repository."""
    terminal = Terminal(tmp_path)
    (terminal.project / ".muniment").unlink()
    subprocess.run(["git", "init", "-q", str(terminal.project)], check=True)
    for name in (".claude", ".cursor", ".aider"):
        (terminal.home / name).mkdir()
    (terminal.home / ".claude" / "settings.json").write_text(json.dumps({"hooks": {"Stop": [HOOK]}}, indent=2))
    return terminal


def tree(folder: Path) -> dict[str, bytes | None]:
    """All files and folders."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


def test_it_finds_shows_and_writes_and_puts_everything_back(terminal: Terminal) -> None:
    before, project = tree(terminal.home), tree(terminal.project)
    shown = terminal.ok("init", "--print").out
    assert (tree(terminal.home), tree(terminal.project)) == (before, project)
    told = terminal.ok("init", "--yes").out
    for text in (shown, told):
        assert "claude-code      Claude Code: " in text
        assert "SessionStart" in text
        assert "forum.cursor.com 149566" in text
    assert "on   claude-code    installed  read back: " in told
    assert "reachable, recalled: unproved" in told
    settings = json.loads((terminal.home / ".claude" / "settings.json").read_text())
    assert settings["hooks"]["Stop"][0] == HOOK
    assert "surfaces/hook/main.py claude-code" in settings["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    undone = terminal.ok("init", "--undo").out
    assert "restored" in undone
    left = {name: raw for name, raw in tree(terminal.home).items() if not name.startswith("memories")}
    assert (left, tree(terminal.project)) == (before, project)


def test_what_it_writes_works_as_a_hook(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "Vitest", "--predicate", "uses", "--topic", "test_runner")
    terminal.ok("init", "--yes", "--harness", "claude-code")
    settings = json.loads((terminal.home / ".claude" / "settings.json").read_text())
    command = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    event = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "cwd": str(terminal.project)}
    bare = {"PATH": os.environ["PATH"], "HOME": str(terminal.home)}
    done = subprocess.run(
        command, shell=True, input=json.dumps(event), env=bare, capture_output=True, text=True, check=True
    )
    assert "Vitest" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_a_second_time_there_is_nothing_to_do_and_it_says_so(terminal: Terminal) -> None:
    terminal.ok("init", "--yes")
    home, project = tree(terminal.home / ".claude"), tree(terminal.project)
    again = terminal.run("init", "--yes")
    assert again.code == 3
    assert "already set up: claude-code, cursor, aider" in again.err
    assert (tree(terminal.home / ".claude"), tree(terminal.project)) == (home, project)


def test_nobody_to_ask_means_nothing_is_written(terminal: Terminal) -> None:
    before = tree(terminal.home)
    ran = terminal.run("init")
    assert ran.code == 2
    assert "--yes" in ran.err
    assert tree(terminal.home) == before


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 3), ("\n", 3), ("", 3)])
def test_a_person_at_a_terminal_is_asked_and_only_a_yes_writes(terminal: Terminal, answer: str, code: int) -> None:
    pty = pytest.importorskip("pty")
    before = tree(terminal.home)
    ours, theirs = pty.openpty()
    os.write(ours, (answer or "\x04").encode())
    done = subprocess.run(
        terminal.command("init", "--harness", "claude-code"), cwd=terminal.project, env=terminal.environment(), stdin=theirs,
        capture_output=True, text=True, check=False, timeout=90,
    )  # fmt: skip
    os.close(ours)
    os.close(theirs)
    assert done.returncode == code
    assert "Write to 2 files? [y/N]" in done.stderr
    assert (tree(terminal.home) == before) == (code != 0)


def test_undoing_what_was_never_done_says_so(terminal: Terminal) -> None:
    ran = terminal.run("init", "--undo")
    assert (ran.code, ran.out) == (3, "")


def test_its_objects_have_their_shapes(terminal: Terminal) -> None:
    for words, shape in (
        (("init", "--print"), "Setup"), (("init", "--yes"), "Setup"), (("doctor",), "Doctor"),
        (("init", "--undo", "--print"), "Undo"), (("init", "--undo"), "Undo"),
    ):  # fmt: skip
        terminal.run("add", "fact", "something")
        value = terminal.run(*words, "--json").json
        assert misfits(value, shape) == [], words
    assert terminal.run("init", "--json").code == 2


def test_a_machine_without_harnesses_is_told_so(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    ran = terminal.run("init", "--yes", env={"PATH": "/nowhere"})
    assert ran.code == 3
    assert "no harness was found" in ran.err


def test_a_harness_that_is_not_there_yet_can_be_named(terminal: Terminal) -> None:
    told = terminal.ok("init", "--yes", "--harness", "kiro-cli").out
    assert "not seen on this machine" in told
    assert (terminal.project / ".kiro" / "steering" / "muniment.md").is_file()
    assert terminal.run("init", "--harness", "nonsense").code == 2


def test_a_broken_file_stops_everything_before_anything_is_written(terminal: Terminal) -> None:
    (terminal.home / ".cursor" / "mcp.json").write_text('{"mcpServers": {')
    before, project = tree(terminal.home), tree(terminal.project)
    ran = terminal.run("init", "--yes")
    assert ran.code == 5
    assert "mcp.json: line 1, column 17" in ran.err
    assert (tree(terminal.home), tree(terminal.project)) == (before, project)
    terminal.ok("init", "--yes", "--harness", "claude-code")


def test_it_does_not_write_beside_another_memory_unless_told(terminal: Terminal) -> None:
    (terminal.home / ".claude.json").write_text(json.dumps({"mcpServers": {"mem0": {"command": "mem0-mcp"}}}))
    before = tree(terminal.home)
    alone = terminal.run("init", "--yes", "--harness", "claude-code")
    assert alone.code == 5
    assert "claude-code has mem0" in alone.err
    assert "--alongside" in alone.err
    assert tree(terminal.home) == before
    others = terminal.ok("init", "--yes").out
    assert "left out, as another memory is there: claude-code" in others
    assert (terminal.home / ".cursor" / "mcp.json").exists()
    terminal.ok("init", "--yes", "--alongside", "--harness", "claude-code")
    assert "two memories" in terminal.run("doctor").out


def test_files_that_show_what_is_remembered_follow_what_is_said(terminal: Terminal) -> None:
    terminal.ok("init", "--yes")
    view = terminal.project / ".cursor" / "rules" / "muniment.mdc"
    assert view.read_text().startswith("---\n")
    assert "Nothing is remembered" in view.read_text()
    id_ = terminal.ok("add", "fact", "Vitest", "--predicate", "uses", "--topic", "test_runner").ids[0]
    assert "Vitest" in view.read_text()
    assert "Vitest" in (terminal.project / "muniment.wake.md").read_text()
    other = terminal.ok("add", "fact", "PostgreSQL", "--predicate", "uses", "--topic", "database").ids[0]
    terminal.ok("pin", other)
    assert view.read_text().index("PostgreSQL") < view.read_text().index("Vitest")
    terminal.ok("retract", id_)
    assert "Vitest" not in view.read_text()
    view.write_text("mine")
    ran = terminal.ok("add", "fact", "Jest", "--predicate", "uses", "--topic", "test_runner")
    assert view.read_text() == "mine"
    assert "edited by hand" in ran.err
    undone = terminal.ok("init", "--undo").out
    assert f"left      {view}" in undone
    assert view.read_text() == "mine"
    assert not (terminal.project / "muniment.wake.md").exists()


def test_git_is_told_to_leave_out_what_is_for_this_machine_alone(terminal: Terminal) -> None:
    terminal.ok("init", "--yes")
    status = subprocess.run(
        ["git", "-C", str(terminal.project), "status", "--porcelain"], capture_output=True, text=True, check=True
    )
    assert status.stdout == ""


def test_a_line_goes_into_files_of_the_project_only_when_asked(terminal: Terminal) -> None:
    agents = terminal.project / "AGENTS.md"
    agents.write_bytes(b"# Rules\r\n\r\nBe kind.")
    terminal.ok("init", "--yes", "--harness", "claude-code")
    assert agents.read_bytes() == b"# Rules\r\n\r\nBe kind."
    terminal.ok("init", "--yes", "--harness", "claude-code", "--instructions", "AGENTS.md")
    lines = agents.read_bytes().decode().split("\r\n")
    assert [line for line in lines if "muniment" in line] == [lines[3]]
    assert lines[3].startswith("<!-- muniment:begin -->")
    assert terminal.run("init", "--yes", "--harness", "claude-code", "--instructions", "AGENTS.md").code == 3
    terminal.ok("init", "--yes", "--harness", "claude-code", "--rules")
    assert "muniment:begin" in (terminal.project / "CLAUDE.md").read_text()
    terminal.ok("init", "--undo")
    assert agents.read_bytes() == b"# Rules\r\n\r\nBe kind."
    assert not (terminal.project / "CLAUDE.md").exists()
    assert terminal.run("init", "--yes", "--instructions", "run.sh").code == 2


def test_no_file_of_a_project_is_written_where_there_is_none(terminal: Terminal, tmp_path: Path) -> None:
    elsewhere = tmp_path / "no project"
    elsewhere.mkdir()
    told = terminal.ok("init", "--yes", "--harness", "cursor", cwd=elsewhere).out
    assert "there is no project here" in told
    assert list(elsewhere.iterdir()) == []


def test_another_home_is_told_to_the_hook_and_the_server(terminal: Terminal, tmp_path: Path) -> None:
    other = tmp_path / "other memories"
    terminal.ok("init", "--yes", "--harness", "claude-code", "--home", str(other))
    text = (terminal.home / ".claude" / "settings.json").read_text()
    assert f"MUNIMENT_HOME={other}" in text
    server = json.loads((terminal.home / ".claude.json").read_text())["mcpServers"]["muniment"]
    assert [*server["args"][-3:]] == ["--home", str(other), "mcp"]


def test_the_doctor_looks_at_the_files_again(terminal: Terminal) -> None:
    terminal.ok("init", "--yes", "--harness", "claude-code")
    assert "on   claude-code    installed" in terminal.run("doctor").out
    (terminal.home / ".claude" / "settings.json").write_text("{}")
    assert "OUT  claude-code    installed  not as it should be" in terminal.run("doctor").out
    terminal.ok("init", "--undo")
    assert "claude-code" not in terminal.run("doctor").out


def test_a_harness_is_started_with_its_files_rendered(terminal: Terminal, tmp_path: Path) -> None:
    terminal.ok("init", "--yes", "--harness", "aider")
    terminal.ok("add", "fact", "Vitest", "--predicate", "uses")
    view = terminal.project / "muniment.wake.md"
    view.unlink()
    programs = tmp_path / "bin"
    programs.mkdir()
    script = programs / "aider"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:], open('muniment.wake.md').read())\nsys.exit(9)\n"
    )
    script.chmod(0o755)
    ran = terminal.run("run", "aider", "--model", "x", "-C", env={"PATH": f"{programs}:{os.environ['PATH']}"})
    assert ran.code == 9
    assert ran.out.startswith("['--model', 'x', '-C']")
    assert "Vitest" in ran.out
    assert terminal.run("run", "goose", env={"PATH": str(programs)}).code == 3


def test_a_line_goes_into_instructions_of_the_project_alone(terminal: Terminal) -> None:
    for name in (".git/config", "../other.md", "/etc/other.md"):
        assert terminal.run("init", "--yes", "--instructions", name).code == 2, name
    terminal.ok("init", "--yes", "--harness", "zed", "--instructions", ".rules")
    assert "muniment:begin" in (terminal.project / ".rules").read_text()


def test_undoing_that_has_to_leave_a_file_fails_and_can_be_tried_again(terminal: Terminal) -> None:
    terminal.ok("init", "--yes", "--harness", "claude-code")
    settings = terminal.home / ".claude" / "settings.json"
    sound = settings.read_bytes()
    settings.write_bytes(sound + b"}")
    failed = terminal.run("init", "--undo")
    assert failed.code == 1
    assert "Nothing is left." not in failed.out
    settings.write_bytes(sound)
    assert terminal.run("init", "--undo").code == 0
