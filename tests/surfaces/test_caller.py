"""Who is calling: a person, or an agent that runs us."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from muniment.engine import ancestry
from muniment.surfaces.cli import caller

SHELL = ("bash", ["/bin/bash"])
EDITORS = [("code", ["/usr/share/code/code"]), ("cursor", ["/opt/cursor/cursor"]), ("Windsurf", ["windsurf"])]


@pytest.mark.parametrize("sign", caller.SIGNS)
def test_each_sign_of_a_harness_shows_an_agent(sign: str) -> None:
    assert caller.agent_around({sign: "1"}, list) == f"{sign} is set"
    assert caller.agent_around({sign: ""}, list) is None


@pytest.mark.parametrize(
    "variable",
    ["CODEX_HOME", "COPILOT_HOME", "GEMINI_API_KEY", "CLAUDE_CONFIG_DIR", "OPENCODE_CONFIG", "TERM_PROGRAM", "CI"],
)
def test_what_people_set_for_themselves_is_no_sign(variable: str) -> None:
    assert caller.agent_around({variable: "x"}, list) is None


@pytest.mark.parametrize(
    ("name", "arguments", "harness"),
    [
        ("claude", ["claude"], "claude"),
        ("MainThread", ["/usr/bin/claude", "-p"], "claude"),
        ("codex", ["/usr/local/bin/codex", "exec"], "codex"),
        ("codex.exe", [r"C:\Tools\codex.exe"], "codex"),
        ("node", ["node", "/usr/bin/gemini"], "gemini"),
        (
            "node",
            ["/usr/bin/node", "--no-warnings", "/usr/lib/node_modules/@google/gemini-cli/dist/index.js"],
            "gemini-cli",
        ),
        ("node", ["node", "/x/node_modules/@anthropic-ai/claude-code/cli.js"], "claude-code"),
        ("node", ["node", "/x/node_modules/@github/copilot/index.js"], "copilot"),
        ("python3.12", ["/usr/bin/python3.12", "/home/dev/.local/bin/aider"], "aider"),
        ("bun", ["bun", "/x/opencode.js"], "opencode"),
        ("cursor-agent", ["cursor-agent"], "cursor-agent"),
    ],
)
def test_a_harness_among_the_ancestors_is_known(name: str, arguments: list[str], harness: str) -> None:
    assert caller.harness_of(name, arguments) == harness
    assert caller.agent_around({}, lambda: [SHELL, (name, arguments)]) == f"started by {harness}"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        SHELL,
        *EDITORS,
        ("python3", ["python3", "/home/dev/goose/run_me.py"]),
        ("node", ["node", "/home/dev/codex/server.js"]),
        ("vim", ["vim", "claude"]),
        ("node", ["node", "-e", "1"]),
        ("less", ["less", "/usr/lib/node_modules/@google/gemini-cli/README.md"]),
        ("tmux: server", ["tmux"]),
        ("x", [""]),
    ],
)
def test_editors_shells_and_folders_with_such_names_are_none(name: str, arguments: list[str]) -> None:
    assert caller.harness_of(name, arguments) is None


def test_variables_are_looked_at_before_processes() -> None:
    def never() -> list[caller.Process]:
        raise AssertionError

    assert caller.agent_around({"CLAUDECODE": "1"}, never) == "CLAUDECODE is set"


def test_a_list_of_processes_is_followed_upwards() -> None:
    listed = " 1 0 /sbin/init\n10 1 -zsh\n 11 10 /opt/homebrew/bin/claude --resume\n 12 11 /bin/sh -c x\nbad line\n"
    names = [(each.pid, each.name) for each in ancestry.ancestors_in(listed, 12)]
    assert names == [(12, "sh"), (11, "claude"), (10, "-zsh")]
    assert list(ancestry.ancestors_in("5 6 a\n6 5 b\n", 5))[:2] == [(5, "a", ["a"]), (6, "b", ["b"])]
    assert list(ancestry.ancestors_in("", 12)) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="there is no /proc")
def test_a_real_ancestor_is_found(tmp_path) -> None:
    """A copy of the interpreter's starter under a harness's name runs a child that looks around itself."""
    script = tmp_path / "claude.py"
    look = "from muniment.surfaces.cli import caller; print(caller.agent_around({}))"
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {look!r}], check=True)\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "started by claude\n"
