"""A turn of the person's own harness is proved by what it wrote down: here a small program stands in for Claude Code."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from tests.surfaces.conftest import Terminal

CLAUDE = """#!{python}
import json, os, subprocess, sys
home = os.environ["HOME"]
settings = json.load(open(home + "/.claude/settings.json"))
command = settings["hooks"]["SessionStart"][0]["hooks"][0]["command"]
event = dict(hook_event_name="SessionStart", source="startup", session_id="s1", cwd=os.getcwd())
told = subprocess.run(command, shell=True, input=json.dumps(event), capture_output=True, text=True).stdout
folder = home + "/.claude/projects/-p"
os.makedirs(folder, exist_ok=True)
text = json.loads(told)["hookSpecificOutput"]["additionalContext"] if told and {listens} else ""
with open(folder + "/s1.jsonl", "a") as log:
    log.write(json.dumps(dict(type="attachment", cwd=os.getcwd(), sessionId="s1", attachment=dict(content=[text]))) + "\\n")
sys.exit({code})
"""


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A machine with something remembered."""
    terminal = Terminal(tmp_path)
    (terminal.home / ".claude").mkdir()
    return terminal


def turned(terminal: Terminal, *, listens: bool = True, code: int = 0) -> str:
    """What `init --live` says of the light."""
    programs = terminal.home / "bin"
    programs.mkdir(exist_ok=True)
    text = CLAUDE.replace("{python}", sys.executable).replace("{listens}", str(listens)).replace("{code}", str(code))
    (programs / "claude").write_text(text)
    (programs / "claude").chmod(0o755)
    around = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    ran = terminal.run("init", "--yes", "--live", "--harness", "claude-code", env=around)
    assert ran.code == 0
    return next(line for line in ran.out.splitlines() if "recalled" in line)


def test_a_view_in_the_turn_s_own_log_turns_the_light_on(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "Vitest", "--predicate", "uses")
    told = turned(terminal)
    assert told.startswith("on   claude-code    recalled   the view stands in ")
    assert "s1.jsonl" in told


def test_a_harness_that_drops_what_hooks_say_is_found_out(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "Vitest", "--predicate", "uses")
    told = turned(terminal, listens=False)
    assert told.startswith("OUT  claude-code    recalled   a turn of your own went well, and ")


def test_a_turn_that_failed_proves_nothing(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "Vitest", "--predicate", "uses")
    assert "ended with 7" in turned(terminal, listens=False, code=7)


def test_where_nothing_is_remembered_no_turn_is_spent(terminal: Terminal) -> None:
    assert "there was nothing to give" in turned(terminal)
    assert not (terminal.home / ".claude" / "projects").exists()
