"""What `export plugin` writes: the shape that each format asks for. scripts/plugins.py asks the formats' own validators."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from tests.docs.sessions import ROOT

from muniment.engine.packing import Installation, export_plugin, packed
from muniment.errors import ConflictError, NothingChangedError, UsageError
from muniment.views.tools import TOOLS

HERE = Installation("/opt/place/bin/python", "/opt/place/hook/main.py")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
PORTABLE = {str(path): data for path, data in packed()}
WRITTEN = {str(path): data for path, data in packed(HERE)}
EVENTS = {
    "plugin": {"SessionStart", "UserPromptSubmit", "PreCompact", "SubagentStart", "SubagentStop", "Stop", "SessionEnd"},
    "gemini": {"SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"},
}


def read(path: str, files: dict[str, bytes] = PORTABLE) -> Any:
    return json.loads(files[path])


def front(skill: str) -> dict[str, str]:
    """The front matter of a skill, a key a line."""
    head = re.fullmatch(r"---\n(.*?)\n---\n.*", skill, re.DOTALL)
    assert head is not None
    return dict(line.split(": ", 1) for line in head[1].split("\n") if not line.startswith(" ") and ": " in line)


def test_every_manifest_has_the_version_of_the_package() -> None:
    manifests = (
        "plugin/plugin.json",
        "plugin/.claude-plugin/plugin.json",
        "gemini/gemini-extension.json",
        "mcpb/manifest.json",
    )
    assert {read(path)["version"] for path in manifests} == {VERSION}
    bundle = tomllib.loads(PORTABLE["mcpb/pyproject.toml"].decode())["project"]
    assert (bundle["version"], bundle["dependencies"]) == (VERSION, [f"muniment[mcp]=={VERSION}"])
    assert {read(path)["name"] for path in manifests} == {"muniment"}


def test_the_agent_plugin_is_closed_and_portable() -> None:
    allowed = "$schema name version description author homepage repository license keywords extensions".split()
    manifest, servers = read("plugin/plugin.json"), read("plugin/mcp.json")
    assert set(manifest) <= set(allowed)
    assert re.fullmatch(r"https://agent-plugins\.org/schemas/1\.0\.0/plugin\.schema\.json", manifest["$schema"])
    assert set(servers) == {"$schema", "mcpServers"}
    assert servers["$schema"].startswith("https://agent-plugins.org/schemas/1.0.0/")
    assert servers["mcpServers"] == {"muniment": {"type": "stdio", "command": "muniment", "args": ["mcp"]}}
    assert PORTABLE["plugin/mcp.json"] == WRITTEN["plugin/mcp.json"], "its schema takes no absolute path"


def test_the_skill_is_short_up_front_and_teaches_four_things() -> None:
    skill = PORTABLE["plugin/skills/muniment-memory/SKILL.md"].decode()
    head = front(skill)
    assert set(head) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert head["name"] == "muniment-memory"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["name"])
    assert 1 <= len(head["description"]) <= 1024
    up_front = len(head["name"] + head["description"]) / 4
    assert 60 <= up_front <= 110, "about a hundred tokens are in every request"
    for lesson in (
        "two to four meaningful nouns",
        "without announcing it",
        "cite the receipt",
        "Say when memory had nothing",
    ):
        assert lesson in skill
    assert len(skill) / 4 < 5000
    assert set(re.findall(r"memory_\w+", skill)) <= {tool.name for tool in TOOLS}
    assert PORTABLE["gemini/skills/muniment-memory/SKILL.md"] == skill.encode()


@pytest.mark.parametrize(("folder", "harness"), [("plugin", "claude-code"), ("gemini", "gemini-cli")])
def test_hooks_start_the_launcher_with_the_harness(folder: str, harness: str) -> None:
    hooks = read(f"{folder}/hooks/hooks.json")["hooks"]
    assert set(hooks) == EVENTS[folder]
    for (entry,) in hooks.values():
        (hook,) = entry["hooks"]
        assert hook["type"] == "command"
        assert re.fullmatch(rf'"\$\{{\w+\}}/hooks/launch" {harness}', hook["command"])
    assert f"{folder}/hooks/launch" in PORTABLE
    assert f"{folder}/hooks/launch.cmd" in PORTABLE


def test_servers_are_named_for_what_they_answer() -> None:
    for path in ("plugin/.claude-plugin/plugin.json", "gemini/gemini-extension.json"):
        assert read(path)["mcpServers"] == {"muniment": {"command": "muniment", "args": ["mcp"]}}
        served = read(path, WRITTEN)["mcpServers"]["muniment"]
        assert (served["command"], served["args"]) == (HERE.python, ["-m", "muniment", "mcp"])


def test_the_bundle_names_its_tools_and_asks_for_a_project() -> None:
    manifest = read("mcpb/manifest.json")
    assert (manifest["manifest_version"], manifest["server"]["type"]) == ("0.4", "uv")
    assert [tool["name"] for tool in manifest["tools"]] == [tool.name for tool in TOOLS]
    assert f"mcpb/{manifest['server']['entry_point']}" in PORTABLE
    assert manifest["user_config"]["project"]["required"] is True
    assert "${user_config.project}" in manifest["server"]["mcp_config"]["args"]


def test_the_marketplace_names_a_plugin_that_is_there() -> None:
    (plugin,) = read(".claude-plugin/marketplace.json")["plugins"]
    assert f"{PurePosixPath(plugin['source'])}/.claude-plugin/plugin.json" in PORTABLE


def test_folders_are_written_once_and_never_over_something_else(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    report = export_plugin(folder, HERE)
    assert sorted(WRITTEN) == sorted(report.files)
    assert {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()} == WRITTEN
    with pytest.raises(NothingChangedError):
        export_plugin(folder, HERE)
    (folder / "plugin/mcp.json").write_text("{}")
    assert export_plugin(folder, HERE).files == ("plugin/mcp.json",)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("mine")
    with pytest.raises(ConflictError):
        export_plugin(tmp_path / "other", HERE)
    with pytest.raises(UsageError):
        export_plugin(tmp_path / "other" / "mine.txt", HERE)


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    """The launcher beside a file that names an interpreter and a program that tells its arguments."""
    script = tmp_path / "told.py"
    script.write_text("import sys; print(sys.argv[1:], sys.stdin.read())")
    export_plugin(tmp_path / "out", Installation(sys.executable, str(script)))
    return tmp_path / "out" / "plugin" / "hooks" / "launch"


def test_the_launcher_becomes_the_hook_that_it_is_told_of(launcher: Path) -> None:
    done = subprocess.run([launcher, "claude-code"], input="event", capture_output=True, text=True, check=True)
    assert done.stdout == "['claude-code'] event\n"
    launcher.with_name("launch.at").unlink()
    bare = {"PATH": "/nonexistent", "HOME": "/nonexistent"}
    done = subprocess.run(["/bin/sh", launcher, "x"], env=bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
