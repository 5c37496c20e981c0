"""Harnesses that run hooks: most were seen to show the model what a hook says."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from muniment.harness.contract import MARK, Harness, Item, Machine, Member, Part, Site

# Hooks before and after each tool call would cost a process each and bring nothing: the transcript has the call.
CLAUDE = ("SessionStart", "UserPromptSubmit", "PreCompact", "SubagentStart", "SubagentStop", "Stop", "SessionEnd")
GEMINI = ("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd")
COPILOT = (
    "sessionStart",
    "userPromptSubmitted",
    "preCompact",
    "subagentStart",
    "subagentStop",
    "agentStop",
    "sessionEnd",
)
OPENHANDS = ("session_start", "user_prompt_submit", "stop", "session_end")
HERMES = ("pre_llm_call", "post_llm_call", "on_session_end")
KIMI = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd")

_SECONDS, _MILLISECONDS, _CODEX_END = 10, 10_000, 3


def entries(
    site: Site, file: str, harness: str, events: Iterable[str], within: tuple[str, ...] = ("hooks",), **more: Any
) -> list[Part]:
    """Hook entries in the form that Claude Code began and many took over."""
    entry = {"type": "command", "command": site.commands.hook_line(harness), **more}
    return [Item(file, (*within, event), {"hooks": [dict(entry)]}) for event in events]


def _claude_code(site: Site) -> list[Part]:
    folder = site.machine.moved("CLAUDE_CONFIG_DIR", ".claude")
    moved = site.machine.variables.get("CLAUDE_CONFIG_DIR")
    servers = os.path.join(moved, ".claude.json") if moved else site.machine.at(".claude.json")
    hooks = entries(site, os.path.join(folder, "settings.json"), "claude-code", CLAUDE, timeout=_SECONDS)
    return [*hooks, Member(servers, ("mcpServers", MARK), {"type": "stdio", **site.server(), "alwaysLoad": True})]


def _codex(site: Site) -> list[Part]:
    folder = site.machine.moved("CODEX_HOME", ".codex")
    file = os.path.join(folder, "hooks.json")
    hooks = entries(site, file, "codex", CLAUDE[:-1], timeout=_SECONDS)
    hooks += entries(site, file, "codex", CLAUDE[-1:], timeout=_CODEX_END)  # it complains of a longer time for the end
    return [*hooks, Member(os.path.join(folder, "config.toml"), ("mcp_servers", MARK), site.server())]


def _gemini(site: Site) -> list[Part]:
    file = site.machine.at(".gemini", "settings.json")
    hooks = entries(site, file, "gemini-cli", GEMINI, name=MARK, timeout=_MILLISECONDS)
    return [*hooks, Member(file, ("mcpServers", MARK), site.server())]


def _qwen(site: Site) -> list[Part]:
    file = site.machine.at(".qwen", "settings.json")
    hooks = entries(site, file, "qwen-code", CLAUDE, name=MARK, timeout=_MILLISECONDS)
    return [*hooks, Member(file, ("mcpServers", MARK), site.server())]


def _copilot(site: Site) -> list[Part]:
    folder = site.machine.moved("COPILOT_HOME", ".copilot")
    file = os.path.join(folder, "hooks", "muniment.json")
    hooks: list[Part] = [Member(file, ("version",), 1)]
    for event in COPILOT:
        line = site.commands.hook_line("copilot-cli", event)
        shell = f"& {line}" if line.startswith('"') else line
        value = {"type": "command", "bash": line, "powershell": shell, "timeoutSec": _SECONDS}
        hooks.append(Item(file, ("hooks", event), value))
    server = {"type": "local", **site.server(), "tools": ["*"]}
    return [*hooks, Member(os.path.join(folder, "mcp-config.json"), ("mcpServers", MARK), server)]


def _factory_droid(site: Site) -> list[Part]:
    hooks = entries(site, site.machine.at(".factory", "hooks.json"), "factory-droid", CLAUDE, timeout=_SECONDS)
    server = {"type": "stdio", **site.server()}
    return [*hooks, Member(site.machine.at(".factory", "mcp.json"), ("mcpServers", MARK), server)]


def _openhands(site: Site) -> list[Part]:
    file = site.machine.at(".openhands", "hooks.json")
    line = site.commands.hook_line("openhands")
    hooks: list[Part] = []
    for event in OPENHANDS:
        entry = {"type": "command", "command": line, "timeout": _SECONDS}
        hooks.append(Item(file, (event,), {"matcher": "*", "hooks": [entry]}))
    return [*hooks, Member(site.machine.at(".openhands", "mcp.json"), ("mcpServers", MARK), site.server())]


def _hermes(site: Site) -> list[Part]:
    file = os.path.join(site.machine.moved("HERMES_HOME", ".hermes"), "config.yaml")
    hooks: list[Part] = [Item(file, ("hooks", e), {"command": site.commands.hook_line("hermes", e)}) for e in HERMES]
    return [*hooks, Member(file, ("mcp_servers", MARK), site.server())]


def _kimi(site: Site) -> list[Part]:
    line = site.commands.hook_line("kimi-cli")
    hooks: list[Part] = [
        Item(site.machine.at(".kimi", "config.toml"), ("hooks",), {"event": e, "command": line, "timeout": _SECONDS})
        for e in KIMI
    ]
    return [*hooks, Member(site.machine.at(".kimi", "mcp.json"), ("mcpServers", MARK), site.server())]


def _letta(site: Site) -> list[Part]:
    return entries(site, site.machine.at(".letta", "settings.json"), "letta-code", CLAUDE)


def _folder(*names: str, variable: str = "") -> Any:
    def folders(machine: Machine) -> tuple[str, ...]:
        return (machine.moved(variable, *names) if variable else machine.at(*names),)

    return folders


HOOKED: tuple[Harness, ...] = (
    Harness(
        "claude-code", "Claude Code", ("claude",), _folder(".claude", variable="CLAUDE_CONFIG_DIR"), _claude_code,
        "hook", "wire", instructions="CLAUDE.md",
    ),
    Harness(
        "codex", "Codex", ("codex",), _folder(".codex", variable="CODEX_HOME"), _codex, "hook", "wire",
        ("Codex skips hooks that you have not trusted, without a word: trust them with --trust-hooks, or in Codex by /hooks",),
    ),
    Harness(
        "gemini-cli", "Gemini CLI", ("gemini",), lambda m: (m.at(".gemini", "settings.json"), m.at(".gemini", "tmp")),
        _gemini, "hook", "wire", instructions="GEMINI.md",
    ),
    Harness("qwen-code", "Qwen Code", ("qwen",), _folder(".qwen"), _qwen, "hook", "wire", instructions="QWEN.md"),
    Harness(
        "copilot-cli", "Copilot CLI", ("copilot",), _folder(".copilot", variable="COPILOT_HOME"), _copilot, "hook", "wire",
    ),
    Harness(
        "openhands", "OpenHands", ("openhands",), _folder(".openhands"), _openhands, "hook", "wire",
        ("a project that has an .openhands/hooks.json of its own keeps OpenHands from reading yours",),
    ),
    Harness(
        "hermes", "Hermes", ("hermes",), _folder(".hermes", variable="HERMES_HOME"), _hermes, "hook", "wire",
        ("Hermes asks once for each new hook before it runs it",),
    ),
    Harness("factory-droid", "Factory Droid", ("droid",), _folder(".factory"), _factory_droid, "hook", "read"),
    Harness(
        "kimi-cli", "Kimi CLI", ("kimi",), _folder(".kimi"), _kimi, "tools", "fires",
        ("Kimi runs hooks and shows the model nothing of what they say: it is reached by the tools",),
    ),
    Harness(
        "letta-code", "Letta Code", ("letta",), _folder(".letta"), _letta, "tools", "fires",
        ("Letta shows the model what a hook says only in the result of a tool: hooks leave records, nothing is given",),
    ),
)  # fmt: skip
