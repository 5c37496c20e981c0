"""Harnesses that take plugins or extensions."""

from __future__ import annotations

import json
from typing import Any

from muniment.harness.probing.recipe import Package, Recipe, Setting, Turn

_PLUGIN = """\
// Marks what it gives. A mark's head comes from outside.
const MARK = %s
export const Probe = async () => ({
  "experimental.chat.system.transform": async (_, out) => { out.system.push(MARK + "-system.transform;") },
  "experimental.session.compacting": async (_, out) => { out.context.push(MARK + "-session.compacting;") },
  "tool.execute.after": async (_, out) => {
    if (out && typeof out.output === "string") out.output += "\\n" + MARK + "-tool.execute.after;"
  },
})
"""
_EXTENSION = """\
// Marks what it gives. A mark's head comes from outside.
const MARK = %s
export default function (pi: any) {
  pi.on("before_agent_start", async (event: any) => ({
    message: { customType: "probe", content: MARK + "-before_agent_start.message;", display: false },
    systemPrompt: event.systemPrompt + "\\n" + MARK + "-before_agent_start.systemPrompt;",
  }))
}
"""


# --- OpenCode and Kilo


def _opencode_config(s: Setting) -> dict[str, Any]:
    model = {"name": "Stub", "tool_call": True, "limit": {"context": 200_000, "output": 8000}}
    options = {"baseURL": f"{s.url}/v1", "apiKey": "dummy"}
    made: dict[str, Any] = {
        "autoupdate": False, "model": "stub/stub-model", "small_model": "stub/stub-model", "share": "disabled",
        "provider": {"stub": {"npm": "@ai-sdk/openai-compatible", "name": "Stub", "options": options,
                              "models": {"stub-model": model}}},
    }  # fmt: skip
    if s.server:
        made["mcp"] = {"muniment": {"type": "local", "command": list(s.server), "enabled": True}}
    if s.wake:
        made["instructions"] = ["memory-view.md"]
    return made


def _kit() -> dict[str, Any]:
    """Where there is a plugin it fetches its kit first and waits a minute for the network; here it has been fetched."""
    kit = {"dependencies": {"@opencode-ai/plugin": "*"}}
    lock = {"lockfileVersion": 3, "packages": {"": kit}}
    place = "~/.config/opencode"
    return {f"{place}/package.json": kit, f"{place}/package-lock.json": lock, f"{place}/node_modules/.kept": ""}


def _view(s: Setting) -> dict[str, Any]:
    return {"memory-view.md": s.wake} if s.wake else {}


def _opencode_files(s: Setting) -> dict[str, Any]:
    config = {**_opencode_config(s), "permission": "allow", "plugin": [f"file://{s.project}/probe.js"]}
    files = {
        "opencode.json": config,
        "probe.js": _PLUGIN % json.dumps(s.mark),
        **_kit(),
    }
    return files | _view(s)


def _opencode_arguments(_: Setting, turn: Turn) -> list[str]:
    return ["run", *(["--continue"] if turn.goes_on else []), turn.prompt]


OPENCODE = Recipe(
    "opencode", "OpenCode",
    Package("npm", "opencode-ai", "1.18.33", "node_modules/.bin/opencode", node=20),
    _opencode_files,
    lambda _: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"},
    _opencode_arguments,
    points=("system.transform", "tool.execute.after", "session.compacting"), rules=("AGENTS.md",),
    gives=("start", "resume", "compact"), claims=199_000, summary="Do not mention the summary process",
)  # fmt: skip


def _kilo_files(s: Setting) -> dict[str, Any]:
    config = {**_opencode_config(s), "permission": {"*": "allow"}}
    return {"kilo.json": config, **_view(s)}


def _kilo_arguments(_: Setting, turn: Turn) -> list[str]:
    return ["run", "--auto", *(["--continue"] if turn.goes_on else []), turn.prompt]


KILO = Recipe(
    "kilo", "Kilo CLI",
    Package("npm", "@kilocode/cli-linux-x64", "7.7.9", "node_modules/@kilocode/cli-linux-x64/bin/kilo"),
    _kilo_files,
    lambda _: {"KILO_DISABLE_AUTOUPDATE": "1", "KILO_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
    _kilo_arguments,
    rules=("AGENTS.md",), gives=("start", "resume", "compact"), claims=199_000, summary="Do not mention the summary process",
)  # fmt: skip


# --- Pi


def _pi_files(s: Setting) -> dict[str, Any]:
    model = {"id": "stub-model", "contextWindow": 200_000, "maxTokens": 8000}
    stub = {"baseUrl": f"{s.url}/v1", "api": "openai-completions", "apiKey": "dummy", "models": [model]}
    return {
        "~/.pi/agent/models.json": {"providers": {"stub": stub}},
        "~/.pi/agent/settings.json": {"defaultProvider": "stub", "defaultModel": "stub-model"},
        "~/.pi/agent/extensions/probe.ts": _EXTENSION % json.dumps(s.mark),
    }


PI = Recipe(
    "pi", "Pi",
    Package("npm", "@mariozechner/pi-coding-agent", "0.73.1", "node_modules/.bin/pi", node=22),
    _pi_files, lambda _: {"PI_OFFLINE": "1"},
    lambda _, turn: [*(["-c"] if turn.goes_on else []), "-p", turn.prompt],
    points=("before_agent_start.message", "before_agent_start.systemPrompt"), rules=("AGENTS.md",),
    claims=199_000, claims_last=True, summary="a conversation to summarize", has_tools=False,
    gives=("start", "resume", "compact"),
)  # fmt: skip


# --- OpenClaw


def _openclaw_files(s: Setting) -> dict[str, Any]:
    free = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    model = {"id": "stub-model", "name": "Stub", "reasoning": False, "input": ["text"], "contextWindow": 200_000,
             "maxTokens": 8000, "cost": free}  # fmt: skip
    stub = {"baseUrl": f"{s.url}/v1", "apiKey": "dummy", "api": "openai-completions", "models": [model]}
    agents = {
        "model": {"primary": "stub/stub-model"},
        "workspace": str(s.project),
        "skipBootstrap": True,
    }
    config = {"models": {"providers": {"stub": stub}}, "agents": {"defaults": agents}, "gateway": {"mode": "local"}}
    if s.server:
        config["mcp"] = {"servers": {"muniment": {"command": s.server[0], "args": list(s.server[1:])}}}
    return {"~/.openclaw/openclaw.json": config}


OPENCLAW = Recipe(
    "openclaw", "OpenClaw",
    Package("npm", "openclaw", "2026.9.6", "node_modules/.bin/openclaw", node=24),
    _openclaw_files, lambda _: {"OPENCLAW_OFFLINE": "1"},
    lambda _, turn: ["agent", "--local", "--agent", "main", "--json", "-m", turn.prompt],
    rules=("AGENTS.md",), claims=199_000, seconds=150,
    calls=lambda name, arguments: {"tool": "^tool_call$", "args": {"id": f"muniment__{name}", "args": arguments}},
)  # fmt: skip

RECIPES = (OPENCODE, KILO, PI, OPENCLAW)
