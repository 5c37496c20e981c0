"""Other memories are found by what registers them, and by what harnesses keep themselves."""

from __future__ import annotations

import json

import pytest
from tests.harness.conftest import Place

from muniment.harness import layers, registry

SERVER = {"command": "npx", "args": ["-y", "x"]}


def found(place: Place) -> list[tuple[str, str, bool]]:
    """(harness, name, is its own) of everything that is found."""
    site = place.site()
    return [(each.harness, each.name, each.is_own) for each in layers.find(site.machine, registry.HARNESSES, site.root)]


@pytest.mark.parametrize(
    ("file", "told", "expected"),
    [
        (".claude.json", {"mcpServers": {"mem0": SERVER}}, ("claude-code", "mem0", False)),
        (".claude.json", {"projects": {"/p": {"mcpServers": {"m": {"args": ["@modelcontextprotocol/server-memory"]}}}}},
         ("claude-code", "server-memory", False)),
        (".claude.json", {"mcpServers": {"notes": {"command": "uvx", "args": ["basic-memory", "mcp"]}}},
         ("claude-code", "basic-memory", False)),
        (".claude/settings.json", {"enabledPlugins": {"claude-mem@thedotmack": True}}, ("claude-code", "claude-mem", False)),
        (".claude/settings.json", {"hooks": {"SessionStart": [{"hooks": [{"command": "node /x/claude-mem/hook.js"}]}]}},
         ("claude-code", "claude-mem", False)),
        (".cursor/mcp.json", {"mcpServers": {"x": {"url": "https://api.supermemory.ai/mcp"}}}, ("cursor", "supermemory", False)),
        (".cursor/mcp.json", {"mcpServers": {"memory": SERVER}}, ("cursor", "memory", False)),
        (".gemini/settings.json", {"mcpServers": {"cognee": SERVER}}, ("gemini-cli", "cognee", False)),
        (".config/opencode/opencode.json", {"plugin": ["opencode-supermemory"]}, ("opencode", "supermemory", False)),
        (".config/opencode/opencode.json", {"mcp": {"byterover-mcp": {"command": ["x"]}}}, ("opencode", "byterover", False)),
        (".config/Code/User/mcp.json", {"servers": {"zep": SERVER}}, ("vscode-copilot", "zep", False)),
    ],
)  # fmt: skip
def test_what_registers_another_memory_is_found(
    place: Place, file: str, told: object, expected: tuple[str, str, bool]
) -> None:
    place.write(file, json.dumps(told).encode())
    assert found(place) == [expected]


def test_other_languages_are_read_as_well(place: Place) -> None:
    place.write(".codex/config.toml", b'[mcp_servers.graphiti]\ncommand = "x"\n[features]\nmemories = true\n')
    place.write(".config/goose/config.yaml", b"extensions:\n  mem0:\n    type: stdio\n# letta is not used\n")
    assert found(place) == [
        ("codex", "graphiti", False), ("goose", "mem0", False), ("codex", "memories", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (".claude.json", {"mcpServers": {"muniment": SERVER, "github": {"env": {"MEMORY": "1"}}}}),
        (".claude.json", {"history": ["tell me about mem0"], "tipsHistory": {"memory": 3}}),
        (".claude/settings.json", {"enabledPlugins": {"claude-mem@x": False}, "env": {"NOTE": "letta"}}),
        (".cursor/mcp.json", {"mcpServers": {"mem0": {"disabled": True}, "zeppelin": SERVER}}),
        (".config/opencode/opencode.json", {"mcp": {"zep": {"enabled": False}}, "model": "letta/x"}),
    ],
)
def test_what_only_sounds_like_one_or_is_switched_off_is_not(place: Place, file: str, told: object) -> None:
    place.write(file, json.dumps(told).encode())
    assert found(place) == []


def test_harnesses_own_memories_are_found_once_they_hold_something(place: Place) -> None:
    slug = "".join(c if c.isalnum() or c == "-" else "-" for c in str(place.project))
    empty = place.write(f".claude/projects/{slug}/memory/MEMORY.md", b"\n")
    place.write(".gemini/GEMINI.md", b"# Mine\n\n## Gemini Added Memories\n")
    assert found(place) == []
    empty.write_bytes(b"- likes tabs\n")
    place.write(".gemini/GEMINI.md", b"# Mine\n\n## Gemini Added Memories\n- likes tabs\n")
    place.write(".codex/memories/MEMORY.md", b"x")
    assert found(place) == [
        ("claude-code", "auto memory", True), ("gemini-cli", "save_memory", True), ("codex", "memories", True),
    ]  # fmt: skip


def test_files_that_cannot_be_read_say_nothing(place: Place) -> None:
    place.write(".claude.json", b'{"mcpServers": {"mem0": ')
    place.write(".codex/config.toml", b"\xff")
    assert found(place) == []


def test_what_we_write_is_never_taken_for_another(place: Place) -> None:
    place.install(*registry.HARNESSES)
    assert found(place) == []
