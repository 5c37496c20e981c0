"""Harnesses with hooks of a form of their own."""

from __future__ import annotations

from typing import Any

from muniment.harness.probing.recipe import Package, Recipe, Setting, Turn
from muniment.harness.probing.recipes.forms import claude_hooks, line, servers, yaml


def _cline_files(s: Setting) -> dict[str, Any]:
    settings = {"provider": "openai-compatible", "apiKey": "dummy", "model": "stub-model", "baseUrl": f"{s.url}/v1"}
    known = {
        "openai-compatible": {"settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    }
    made: dict[str, Any] = {
        "~/.cline/data/settings/providers.json": {
            "version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": known,
        },
    }  # fmt: skip
    for event in s.events:  # one program an event
        made[f"~/.cline/hooks/{event}"] = f"#!/bin/sh\nexec {line(s.commands(event)[-1])}\n"
    if s.server:
        allowed = ["memory_query", "memory_search", "memory_read", "memory_assert"]
        made["~/.cline/data/settings/cline_mcp_settings.json"] = {"mcpServers": servers(s, autoApprove=allowed)}
    return made


CLINE = Recipe(
    "cline", "Cline CLI",
    Package("npm", "cline", "3.0.65", "node_modules/.bin/cline", node=22),
    _cline_files, lambda _: {"CLINE_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"},
    lambda _, turn: ["--json", "-P", "openai-compatible", "-m", "stub-model", turn.prompt],
    marked=("PreToolUse", "PostToolUse"), shape="cline", points=("PreToolUse", "PostToolUse"),
    rules=("AGENTS.md", ".clinerules/probe.md"), ours=("TaskStart", "TaskComplete", "PreCompact"), names_event=True,
    gives=("start", "resume"),
)  # fmt: skip


def _openhands_files(s: Setting) -> dict[str, Any]:
    hooks = {event: [{"matcher": "*", **group} for group in groups] for event, groups in claude_hooks(s).items()}
    return {
        "~/.openhands/hooks.json": hooks,
        **({"~/.openhands/mcp.json": {"mcpServers": servers(s)}} if s.server else {}),
    }


OPENHANDS = Recipe(
    "openhands", "OpenHands CLI",
    Package("pypi", "openhands", "1.16.0", "bin/openhands", python="3.12"),
    _openhands_files,
    lambda s: {
        "LLM_API_KEY": "dummy", "LLM_MODEL": "openai/stub-model", "LLM_BASE_URL": f"{s.url}/v1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENHANDS_SUPPRESS_BANNER": "1", "DO_NOT_TRACK": "1",
    },
    lambda _, turn: [
        "--headless", "--json", "--always-approve", "--override-with-envs",
        *(["--resume", "--last"] if turn.goes_on else []), "-t", turn.prompt,
    ],
    marked=("user_prompt_submit",), shape="top", points=("user_prompt_submit",), rules=("AGENTS.md",),
    ours=("session_start", "user_prompt_submit", "post_tool_use", "stop", "session_end"), names_event=True,
    gives=("start",), seconds=150,
)  # fmt: skip


def _hermes_files(s: Setting) -> dict[str, Any]:
    model = {"default": "stub-model", "provider": "custom", "base_url": f"{s.url}/v1", "api_key": "dummy",
             "context_length": 200_000}  # fmt: skip
    hooks = {event: [{"command": line(command)} for command in s.commands(event)] for event in s.events}
    config: dict[str, Any] = {"model": model, "hooks_auto_accept": True, "hooks": hooks}
    if s.server:
        config["mcp_servers"] = servers(s)
    return {"~/.hermes/config.yaml": yaml(config)}


HERMES = Recipe(
    "hermes", "Hermes",
    Package("pypi", "hermes-agent", "0.19.0", "bin/hermes", python="3.12", beside=("mcp<2",)),
    _hermes_files,
    lambda s: {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{s.url}/v1", "HERMES_ACCEPT_HOOKS": "1"},
    lambda _, turn: [
        "chat", "-Q", "--yolo", "--accept-hooks", "--provider", "custom", "-m", "stub-model",
        *(["--continue"] if turn.goes_on else []), "-q", turn.prompt,
    ],
    marked=("pre_llm_call",), shape="context", points=("pre_llm_call",), rules=("AGENTS.md",),
    ours=("pre_llm_call", "post_tool_call", "on_session_end"), gives=("start",), seconds=150,
)  # fmt: skip


def _letta_files(s: Setting) -> dict[str, Any]:
    marked = claude_hooks(s, 10_000)  # milliseconds
    hooks = {event: [{"matcher": "*", **group} for group in groups] for event, groups in marked.items()}
    return {"~/.letta/settings.json": {"hooks": hooks}}


def _letta_arguments(_: Setting, turn: Turn) -> list[str]:
    first = ["--new-agent"] if not turn.goes_on else []
    model = ["-m", "lmstudio/stub-model"] if not turn.goes_on else []
    open_ = ["--yolo", "--no-memfs", "--output-format", "json"]
    return ["--backend", "local", *first, *model, *open_, "-p", turn.prompt]


LETTA = Recipe(
    "letta-code", "Letta Code",
    Package("npm", "@letta-ai/letta-code", "0.25.9", "node_modules/.bin/letta", node=22),
    _letta_files,
    lambda _: {"LETTA_TELEMETRY_DISABLED": "1", "DISABLE_AUTOUPDATER": "1", "DO_NOT_TRACK": "1"},
    _letta_arguments,
    marked=("PostToolUse",), points=("PostToolUse",), ours=("Stop", "SessionEnd"), has_tools=False, port=1234,
)  # fmt: skip

RECIPES = (CLINE, OPENHANDS, HERMES, LETTA)
