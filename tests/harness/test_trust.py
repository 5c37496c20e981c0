"""Codex's trust is asked of Codex: a program that speaks as its server does stands in for it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from tests.surfaces.conftest import Terminal

from muniment.errors import EndpointError
from muniment.harness import trust

SERVER = """#!{python}
import hashlib, json, os, sys
home = os.path.join(os.environ["HOME"], ".codex")
config = os.path.join(home, "config.toml")

def hooks():
    told = json.load(open(os.path.join(home, "hooks.json")))["hooks"]
    state = open(config).read() if os.path.exists(config) else ""
    for event, groups in told.items():
        for n, group in enumerate(groups):
            for m, hook in enumerate(group["hooks"]):
                key = home + "/hooks.json:%s:%d:%d" % (event.lower(), n, m)
                now = "sha256:" + hashlib.sha256(json.dumps(hook).encode()).hexdigest()
                status = "trusted" if now in state else "untrusted"
                yield dict(key=key, currentHash=now, eventName=event, trustStatus=status, command=hook["command"])

for line in sys.stdin:
    asked = json.loads(line)
    method = asked["method"]
    if method == "hooks/list":
        told = dict(data=[dict(cwd=asked["params"]["cwds"][0], hooks=list(hooks()))])
    elif method == "config/batchWrite":
        told = dict(status="ok")
        with open(config, "a") as file:
            for key, value in asked["params"]["edits"][0]["value"].items():
                file.write("\\n[hooks.state.%s]\\ntrusted_hash = %s\\n" % (json.dumps(key), json.dumps(value["trusted_hash"])))
    else:
        told = dict()
    if "id" in asked:
        print(json.dumps(dict(method="note")))
        print(json.dumps(dict(id=asked["id"], result=told)), flush=True)
"""


@pytest.fixture
def codex(tmp_path: Path) -> str:
    """A folder with the program in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "codex").write_text(SERVER.replace("{python}", sys.executable))
    (folder / "codex").chmod(0o755)
    return str(folder)


def test_hooks_are_trusted_only_when_told_to_and_then_by_codex(tmp_path: Path, codex: str) -> None:
    terminal = Terminal(tmp_path)
    theirs = {"hooks": [{"type": "command", "command": "beep"}]}
    hooks = terminal.home / ".codex" / "hooks.json"
    hooks.parent.mkdir()
    hooks.write_text(json.dumps({"hooks": {"Stop": [theirs]}}))
    config = hooks.parent / "config.toml"
    config.write_text('model = "x" # mine\n')
    before = config.read_bytes(), hooks.read_bytes()
    around = {"PATH": f"{codex}{os.pathsep}{os.environ['PATH']}"}
    words = ("init", "--yes", "--harness", "codex")
    first = terminal.ok(*words, env=around)
    assert "trusted_hash" not in config.read_text()
    assert "only if you trust them: muniment init --trust-hooks" in first.err
    terminal.ok(*words, "--trust-hooks", env=around)
    assert config.read_text().count("trusted_hash") == 7
    listed = trust.listed(os.path.join(codex, "codex"), str(terminal.project), {"HOME": str(terminal.home), **around})
    assert len(listed) == 7
    assert all(hook.is_trusted for hook in listed)
    assert terminal.run(*words, "--trust-hooks", env=around).code == 3
    terminal.ok("init", "--undo", env=around)
    assert (config.read_bytes(), hooks.read_bytes()) == before


def test_trust_goes_out_again_from_a_file_that_was_edited_since(tmp_path: Path, codex: str) -> None:
    terminal = Terminal(tmp_path)
    around = {"PATH": f"{codex}{os.pathsep}{os.environ['PATH']}"}
    terminal.ok("init", "--yes", "--harness", "codex", "--trust-hooks", env=around)
    config = terminal.home / ".codex" / "config.toml"
    config.write_text('model = "x"\n' + config.read_text())
    terminal.ok("init", "--undo", env=around)
    assert config.read_text().strip() == 'model = "x"'


def test_a_codex_that_does_not_answer_is_said_and_stops_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "codex").write_text("#!/bin/sh\nexit 0\n")
    (folder / "codex").chmod(0o755)
    with pytest.raises(EndpointError):
        trust.listed(str(folder / "codex"), str(tmp_path), dict(os.environ))
    terminal = Terminal(tmp_path)
    around = {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    ran = terminal.ok("init", "--yes", "--harness", "codex", "--trust-hooks", env=around)
    assert "trust in our hooks was not written" in ran.err
    assert "/hooks" in ran.err
