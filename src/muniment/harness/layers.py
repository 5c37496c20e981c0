"""Other memory on the same machine: two layers that both put text before a session contradict each other unseen."""

from __future__ import annotations

import glob
import json
import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from muniment.harness.contract import MARK, Machine
from muniment.harness.texts import jsonc
from muniment.harness.texts.form import Unreadable

_KNOWN = re.compile(
    r"(?<![a-z0-9])(mem0|openmemory|claude-mem|basic-memory|letta-memory|letta|supermemory|zep|graphiti|cognee|byterover|"
    r"server-memory|mcp-memory-service|memory-bank|memory-mcp|mcp-memory|memorix|nocturne-memory|engram|memory-?keeper|memobase|"
    r"memmachine|total-recall|episodic-memory|chroma-memory|graymatter|agentmemory|memoryfield)(?![a-z0-9])"
)
_PLAIN_NAMES = ("memory", "memories", "agent-memory")
_VALUES = ("env", "envs", "environment", "headers", "args")
"""What stands in an entry and names nothing."""
_LARGEST = 8 << 20


@dataclass(frozen=True, slots=True)
class Layer:
    """Something else that remembers: for which harness, what it is, and where that was seen."""

    harness: str
    name: str
    where: str
    is_own: bool = False
    """The harness's own memory, and not something that was added."""


def find(machine: Machine, names: Iterable[str], root: str | None = None) -> list[Layer]:
    """The other layers of these harnesses, by what their files say. Files that cannot be read say nothing here."""
    wanted = set(names)
    found = [layer for layer in _all(machine, root) if layer.harness in wanted]
    return list(dict.fromkeys(found))


def _all(machine: Machine, root: str | None) -> Iterator[Layer]:
    for harness, paths in _settings(machine, root):
        for path in paths:
            told = _data(path)
            yield from (Layer(harness, name, path) for name in _named_in(told, os.path.basename(path)))
    yield from _own(machine, root)


def _settings(machine: Machine, root: str | None) -> Iterator[tuple[str, list[str]]]:
    """Where each harness names its tool servers, plugins and hooks."""
    claude, codex = machine.moved("CLAUDE_CONFIG_DIR", ".claude"), machine.moved("CODEX_HOME", ".codex")

    def here(*names: str) -> list[str]:
        return [os.path.join(root, *names)] if root else []

    yield "claude-code", [
        machine.at(".claude.json"), os.path.join(claude, ".claude.json"), os.path.join(claude, "settings.json"),
        os.path.join(claude, "plugins", "installed_plugins.json"), *here(".mcp.json"), *here(".claude", "settings.json"),
        *here(".claude", "settings.local.json"),
    ]  # fmt: skip
    yield (
        "codex",
        [os.path.join(codex, "config.toml"), os.path.join(codex, "hooks.json"), *here(".codex", "config.toml")],
    )
    yield "gemini-cli", [
        machine.at(".gemini", "settings.json"), *glob.glob(machine.at(".gemini", "extensions", "*", "gemini-extension.json")),
    ]  # fmt: skip
    yield "qwen-code", [machine.at(".qwen", "settings.json")]
    yield (
        "copilot-cli",
        [
            os.path.join(machine.moved("COPILOT_HOME", ".copilot"), "mcp-config.json"),
            *glob.glob(machine.at(".copilot", "hooks", "*.json")),
        ],
    )
    for name in ("opencode", "kilo"):
        yield (
            name,
            [
                *glob.glob(machine.config(name, "*.json")),
                *glob.glob(machine.config(name, "*.jsonc")),
                *here(f"{name}.json"),
            ],
        )
    yield (
        "cursor",
        [machine.at(".cursor", "mcp.json"), machine.at(".cursor", "hooks.json"), *here(".cursor", "mcp.json")],
    )
    yield "cline", [machine.at(".cline", "data", "settings", "cline_mcp_settings.json")]
    yield "continue", [machine.at(".continue", "config.yaml")]
    yield "kimi-cli", [machine.at(".kimi", "mcp.json")]
    yield "openhands", [machine.at(".openhands", "mcp.json"), machine.at(".openhands", "hooks.json")]
    yield "hermes", [machine.at(".hermes", "config.yaml")]
    yield "goose", [machine.config("goose", "config.yaml")]
    yield "windsurf", [machine.at(".codeium", "windsurf", "mcp_config.json")]
    yield "antigravity", [machine.at(".gemini", "config", "mcp_config.json")]
    yield "kiro-cli", [machine.at(".kiro", "settings", "mcp.json")]
    yield "factory-droid", [machine.at(".factory", "mcp.json"), machine.at(".factory", "hooks.json")]
    yield "vscode-copilot", [machine.application("Code", "User", "mcp.json")]
    yield "zed", [machine.config("zed", "settings.json")]
    yield "mistral-vibe", [machine.at(".vibe", "config.toml")]
    yield "openclaw", [machine.at(".openclaw", "openclaw.json")]


_PLACES = {
    "mcpservers", "mcp_servers", "servers", "mcp", "context_servers", "enabledplugins", "plugins", "plugin", "hooks", "extensions",
    "amp.mcpservers", "name",
}  # fmt: skip


def _named_in(told: Any, file: str) -> Iterator[str]:
    """Known names in what registers servers, plugins and hooks; not in whatever else a file says."""
    if isinstance(told, str):  # YAML: by its lines
        for line in told.splitlines():
            bare = line.strip().lower()
            if not bare.startswith("#") and (found := _known(bare)) and MARK not in bare:
                yield found
        return
    if not isinstance(told, dict):
        return
    for key, value in told.items():
        if key.lower() in _PLACES:
            yield from _registered(value)
        elif file in (".claude.json", "installed_plugins.json"):
            yield from _named_in(value, file)


def _registered(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in (MARK, *_VALUES) or each is False or (isinstance(each, dict) and _is_off(each)):
                continue
            found = _known(key) or _known_in_command(each) or (key if key.lower() in _PLAIN_NAMES else None)
            if found:
                yield found
            elif isinstance(each, dict | list):
                yield from _registered(each)
    elif isinstance(value, list):
        for each in value:
            found = _known(each) if isinstance(each, str) else _known_in_command(each)
            if found:
                yield found
            elif isinstance(each, dict | list):
                yield from _registered(each)


def _is_off(entry: dict[str, Any]) -> bool:
    return entry.get("disabled") is True or entry.get("enabled") is False


def _known_in_command(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return None
    words = [entry.get("command"), entry.get("cmd"), entry.get("bash"), entry.get("url"), entry.get("httpUrl")]
    words += entry["args"] if isinstance(entry.get("args"), list) else []
    text = json.dumps(words, ensure_ascii=False).lower()
    return None if MARK in text else _known(text)


def _known(text: str) -> str | None:
    found = _KNOWN.search(text.lower())
    return found[1] if found else None


def _data(path: str) -> Any:
    try:
        if os.path.getsize(path) > _LARGEST:
            return None
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
        if path.endswith((".yaml", ".yml")):
            return text
        return tomllib.loads(text) if path.endswith(".toml") else jsonc.data(text)
    except (OSError, ValueError, Unreadable):
        return None


# --- what harnesses remember by themselves


def _own(machine: Machine, root: str | None) -> Iterator[Layer]:
    claude = machine.moved("CLAUDE_CONFIG_DIR", ".claude")
    for path in sorted(glob.glob(os.path.join(glob.escape(claude), "projects", _slug(root), "memory", "*.md"))):
        if _has_words(path):
            yield Layer("claude-code", "auto memory", os.path.dirname(path), True)
            break
    for harness, path, title in (
        ("gemini-cli", machine.at(".gemini", "GEMINI.md"), "## Gemini Added Memories"),
        ("qwen-code", machine.at(".qwen", "QWEN.md"), "## Qwen Added Memories"),
    ):
        if _has_words(path, title):
            yield Layer(harness, "save_memory", path, True)
    codex = machine.moved("CODEX_HOME", ".codex")
    config = _data(os.path.join(codex, "config.toml"))
    features = config.get("features") if isinstance(config, dict) else None
    if isinstance(features, dict) and (features.get("memories") or features.get("memory_tool")):
        yield Layer("codex", "memories", os.path.join(codex, "config.toml"), True)
    for harness, path in (
        ("codex", os.path.join(codex, "memories", "MEMORY.md")),
        ("hermes", machine.at(".hermes", "memories", "MEMORY.md")),
        ("openclaw", machine.at(".openclaw", "workspace", "MEMORY.md")),
    ):
        if _has_words(path):
            yield Layer(harness, "memories", path, True)
    goose = machine.config("goose", "memory")
    if any(_has_words(path) for path in glob.glob(os.path.join(glob.escape(goose), "*"))):
        yield Layer("goose", "memory", goose, True)
    memories = machine.at(".codeium", "windsurf", "memories")
    if any(_has_words(path) for path in glob.glob(os.path.join(glob.escape(memories), "*.pb"))):
        yield Layer("windsurf", "memories", memories, True)


def _slug(root: str | None) -> str:
    """The folder that Claude Code keeps for a project; of all projects, where none is asked about."""
    return re.sub(r"[^A-Za-z0-9-]", "-", root) if root else "*"


def _has_words(path: str, title: str = "") -> bool:
    """Does the file say anything (after the title)?"""
    try:
        with open(path, "rb") as file:
            text = file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return False
    return bool(text.partition(title)[2].strip() if title else text.strip())
