"""`check` and `review --stale` as a person, a hook of git or CI runs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.surfaces.conftest import Terminal


def git(root: Path, *words: str) -> str:
    command = ["git", "-c", "user.name=Dev", "-c", "user.email=dev@example.org", *words]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def stale(terminal: Terminal) -> str:
    """A fact whose lines were changed by a commit."""
    root = Path(terminal.project)
    if not (root / ".git" / "HEAD").is_file():
        git(root, "init", "-q")
    (root / "port.py").write_text("PORT = 8080\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    id_ = terminal.ok("add", "fact", "the port is 8080", "--evidence", "port.py#L1").ids[0]
    assert terminal.ok("check", "--fail-stale").out == ""
    (root / "port.py").write_text("PORT = 9090\n", encoding="utf-8")
    git(root, "commit", "-q", "-a", "-m", "another port")
    return id_


def test_what_is_stale_is_an_exit_code_where_that_is_asked_for(terminal: Terminal, stale: str) -> None:
    assert terminal.ok("check").code == 0
    ran = terminal.run("check", "--fail-stale")
    assert ran.code == 4
    assert stale in ran.out
    assert "another port" in ran.out
    assert "    -PORT = 8080" in ran.out.split("\n")


def test_the_report_is_one_object(terminal: Terminal, stale: str) -> None:
    told = terminal.ok("check", "--json").json
    assert told["states"] == {"ok": 0, "moved": 0, "changed": 1, "missing": 0, "unknown": 0}
    assert told["suspect"] == [stale]
    assert [f["id"] for d in told["drifts"] for f in d["facts"]] == [stale]


def test_the_inbox_takes_a_confirmation(terminal: Terminal, stale: str) -> None:
    terminal.ok("check", "--quiet")
    assert stale in terminal.ok("review", "--stale").out
    terminal.ok("review", "confirm", stale, "--reason", "asked who runs it")
    assert terminal.ok("review", "--stale").out == ""
    assert terminal.ok("check", "--fail-stale").out == ""


def test_the_inbox_takes_what_came_in_its_place(terminal: Terminal, stale: str) -> None:
    terminal.ok("check", "--quiet")
    new = terminal.ok("add", "fact", "the port is 9090", "--evidence", "port.py#L1").ids[0]
    terminal.ok("review", "supersede", stale, new)
    assert terminal.ok("check", "--fail-stale").out == ""
    assert terminal.run("review", "supersede", stale).code == 2


def test_the_inbox_takes_a_retraction(terminal: Terminal, stale: str) -> None:
    terminal.ok("check", "--quiet")
    terminal.ok("review", "retract", stale)
    assert terminal.ok("review", "--stale", "--json").json["facts"] == 0


def test_only_what_changed_since_a_commit_is_looked_at(terminal: Terminal, stale: str) -> None:
    assert terminal.ok("check", "--since", "HEAD", "--json").json["addresses"] == 0
    assert terminal.ok("check", "--since", "HEAD~1", "--json").json["addresses"] == 1
    assert terminal.run("check", "--since", "nothing-of-that-name").code == 3
    assert stale in terminal.ok("review", "--stale").out


def test_why_tells_what_evidence_is_worth(terminal: Terminal, stale: str) -> None:
    terminal.ok("check", "--quiet")
    assert "lines:port.py#L1@git:" in terminal.ok("why", stale).out
    assert ": changed by " in terminal.ok("why", stale).out
    bare = terminal.ok("add", "fact", "the office is in Oslo").ids[0]
    assert "evidence   none" in terminal.ok("why", bare).out
    assert "evidence  none" in terminal.ok("read", bare).out
