"""Harnesses that show their model files of rules and nothing that a hook says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from muniment.harness.probing.recipe import Package, Recipe, Setting, Turn
from muniment.harness.probing.recipes.forms import line, servers, toml, yaml


def _continue_files(s: Setting) -> dict[str, Any]:
    model = {"name": "stub", "provider": "openai", "model": "stub-model", "apiBase": f"{s.url}/v1", "apiKey": "dummy",
             "roles": ["chat"], "capabilities": ["tool_use"]}  # fmt: skip
    config: dict[str, Any] = {"name": "stub", "version": "0.0.1", "schema": "v1", "models": [model]}
    config["rules"] = [f"{s.mark}-rules;"]
    if s.server:
        config["mcpServers"] = [{"name": "muniment", "command": s.server[0], "args": list(s.server[1:])}]
    return {"~/.continue/config.yaml": yaml(config)}


def _continue_arguments(s: Setting, turn: Turn) -> list[str]:
    goes_on = ["--resume"] if turn.goes_on else []
    return ["-p", "--auto", *goes_on, "--config", f"{s.home}/.continue/config.yaml", turn.prompt]


CONTINUE = Recipe(
    "continue", "Continue CLI",
    Package("npm", "@continuedev/cli", "1.5.47", "node_modules/.bin/cn", node=20),
    _continue_files, lambda _: {"CONTINUE_TELEMETRY_ENABLED": "0"}, _continue_arguments,
    points=("rules",), rules=("AGENTS.md", ".continue/rules/probe.md"), gives=("start", "resume"),
)  # fmt: skip


def _kimi_files(s: Setting) -> dict[str, Any]:
    config = [
        'default_model = "stub"', "telemetry = false", "[models.stub]", 'provider = "stub"', 'model = "stub-model"',
        "max_context_size = 200000", "[providers.stub]", 'type = "openai_legacy"', f"base_url = {toml(s.url + '/v1')}",
        'api_key = "dummy"',
    ]  # fmt: skip
    for event in s.events:
        for command in s.commands(event):
            config += ["[[hooks]]", f"event = {toml(event)}", f"command = {toml(line(command))}", "timeout = 10"]
    return {
        "~/.kimi/config.toml": "\n".join(config) + "\n",
        **({"~/.kimi/mcp.json": {"mcpServers": servers(s)}} if s.server else {}),
    }


KIMI = Recipe(
    "kimi-cli", "Kimi CLI",
    Package("pypi", "kimi-cli", "1.49.0", "bin/kimi", python="3.13"),
    _kimi_files, lambda _: {},
    lambda _, turn: ["--print", "-y", *(["-C"] if turn.goes_on else []), "-p", turn.prompt],
    rules=("AGENTS.md",), ours=("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd"),
    claims=199_000, summary="helpful assistant that compacts",
)  # fmt: skip


def _aider_arguments(_: Setting, turn: Turn) -> list[str]:
    quiet = ["--no-check-update", "--analytics-disable", "--no-show-model-warnings", "--no-show-release-notes"]
    goes_on = ["--restore-chat-history"] if turn.goes_on else []
    open_ = ["--yes-always", "--no-gitignore", "--no-auto-commits"]
    return ["--model", "openai/stub-model", *quiet, *open_, *goes_on, "README.md", "--message", turn.prompt]


AIDER = Recipe(
    "aider", "Aider",
    Package("pypi", "aider-chat", "0.86.2", "bin/aider", python="3.12"),
    lambda _: {".aider.conf.yml": "read:\n  - CONVENTIONS.md\n"},
    lambda s: {"OPENAI_API_KEY": "dummy", "OPENAI_API_BASE": f"{s.url}/v1", "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    _aider_arguments, rules=("CONVENTIONS.md",), gives=("start", "resume"), has_tools=False,
)  # fmt: skip


def _vibe_files(s: Setting) -> dict[str, Any]:
    config = [
        'active_model = "stub"', "enable_telemetry = false", "enable_update_checks = false", "enable_auto_update = false",
        "[[providers]]", 'name = "stub"', f"api_base = {toml(s.url + '/v1')}", 'api_key_env_var = "STUB_KEY"',
        'api_style = "openai"', 'backend = "generic"', "[[models]]", 'name = "stub-model"', 'provider = "stub"',
        'alias = "stub"',
    ]  # fmt: skip
    if s.server:
        config += ["[[mcp_servers]]", 'name = "muniment"', 'transport = "stdio"', f"command = {toml(s.server[0])}",
                   f"args = {toml(list(s.server[1:]))}"]  # fmt: skip
    return {"~/.vibe/config.toml": "\n".join(config) + "\n"}


def _scripted(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Tools of servers are called from a script that the model writes."""
    code = f"async function main() {{ return await tools.mcp_muniment.{name}({json.dumps(arguments)}) }}"
    return {"tool": "^run_typescript$", "args": {"code": code}}


VIBE = Recipe(
    "mistral-vibe", "Mistral Vibe",
    Package("pypi", "mistral-vibe", "3.0.2", "bin/vibe", python="3.12"),
    _vibe_files, lambda _: {"STUB_KEY": "dummy", "MISTRAL_API_KEY": "dummy"},
    lambda _, turn: ["--trust", "--yolo", "--output", "json", *(["-c"] if turn.goes_on else []), "-p", turn.prompt],
    rules=("AGENTS.md",), calls=_scripted,
)  # fmt: skip

RECIPES = (CONTINUE, KIMI, AIDER, VIBE)
