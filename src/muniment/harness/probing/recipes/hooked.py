"""Harnesses that run hooks and show their model what a hook says."""

from __future__ import annotations

from typing import Any

from muniment.harness.probing.recipe import BEHIND, COMPACTED, Package, Recipe, Setting, Turn
from muniment.harness.probing.recipes.forms import claude_hooks, line, servers, toml

_OURS = ("SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
_STARTS = ("start", "resume", "compact")


# --- Claude Code


def _claude_files(s: Setting) -> dict[str, Any]:
    made: dict[str, Any] = {"~/.claude/settings.json": {"hooks": claude_hooks(s)}}
    if s.server:
        made["~/.claude.json"] = {"mcpServers": servers(s, type="stdio")}
    return made


def _claude_variables(s: Setting) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": s.url, "ANTHROPIC_API_KEY": "dummy-key", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }  # fmt: skip


def _claude_arguments(_: Setting, turn: Turn) -> list[str]:
    goes_on = ["--continue"] if turn.goes_on else []
    tools = ["--allowedTools", "Bash,Read,Task,Agent,mcp__muniment"]
    return ["-p", *goes_on, "--output-format", "json", "--model", "claude-sonnet-4-5", *tools, "--", turn.prompt]


CLAUDE_CODE = Recipe(
    "claude-code", "Claude Code",
    Package("npm", "@anthropic-ai/claude-code", "2.1.328", "node_modules/.bin/claude", node=22),
    _claude_files, _claude_variables, _claude_arguments,
    marked=("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
            "SubagentStart"),
    points=("SessionStart-startup", "SessionStart-resume", "SessionStart-compact", "UserPromptSubmit", "PreToolUse",
            "PostToolUse", "PostToolUseFailure", "PostToolBatch", "SubagentStart"),
    rules=("CLAUDE.md",), ours=_OURS, gives=_STARTS, compacts="/compact", summary="create a detailed summary",
    task={"description": "sub task", "prompt": '<<stub {"say":"sub done"}>> do it', "subagent_type": "general-purpose",
          "run_in_background": False},
)  # fmt: skip


# --- Codex


def _codex_files(s: Setting) -> dict[str, Any]:
    config = [
        'model = "gpt-5.1-codex"', 'model_provider = "stub"', "[model_providers.stub]", 'name = "stub"',
        f"base_url = {toml(s.url + '/v1')}", 'env_key = "STUB_KEY"', 'wire_api = "responses"',
        f"[projects.{toml(str(s.project))}]", 'trust_level = "trusted"',
    ]  # fmt: skip
    if s.server:
        config += ["[mcp_servers.muniment]", f"command = {toml(s.server[0])}", f"args = {toml(list(s.server[1:]))}"]
    return {"~/.codex/config.toml": "\n".join(config) + "\n", "~/.codex/hooks.json": {"hooks": claude_hooks(s, 3)}}


def _codex_arguments(_: Setting, turn: Turn) -> list[str]:
    goes_on = ["resume", "--last"] if turn.goes_on else []
    least = ["-c", "model_auto_compact_token_limit=5000"] if turn.name == COMPACTED else []
    trusting = (
        [] if turn.name == BEHIND else ["--dangerously-bypass-hook-trust"]
    )  # marks are not trusted, ours has to be
    waits = ["-c", "mcp_servers.muniment.required=true"]  # it sends its first request when it is ready, servers or not
    open_ = ["--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", *trusting, *waits]
    return ["exec", "--json", *open_, *least, *goes_on, turn.prompt]


CODEX = Recipe(
    "codex", "Codex CLI",
    Package("npm", "@openai/codex", "0.171.0", "node_modules/.bin/codex", node=20),
    _codex_files, lambda _: {"STUB_KEY": "dummy"}, _codex_arguments,
    marked=("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"),
    points=("SessionStart-startup", "SessionStart-resume", "SessionStart-compact", "UserPromptSubmit", "PreToolUse",
            "PostToolUse"),
    note="its first request does not wait for tool servers that need seconds to start; here it was told to wait for ours "
    "(`required`)",
    rules=("AGENTS.md",), ours=_OURS, gives=(*_STARTS, "trusted"), claims=390_000, summary="CONTEXT CHECKPOINT COMPACTION",
)  # fmt: skip


# --- Gemini CLI


def _gemini_files(s: Setting) -> dict[str, Any]:
    return {
        "~/.gemini/settings.json": {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False}, "hooksConfig": {"enabled": True},
            "hooks": claude_hooks(s, 10_000, names=True),
            **({"mcpServers": servers(s, trust=True)} if s.server else {}),
        },
    }  # fmt: skip


def _gemini_arguments(_: Setting, turn: Turn) -> list[str]:
    goes_on = ["-r", "latest"] if turn.goes_on else []
    return ["-y", "-m", "gemini-2.5-pro", "-o", "json", *goes_on, "-p", turn.prompt]


GEMINI = Recipe(
    "gemini-cli", "Gemini CLI",
    Package("npm", "@google/gemini-cli", "0.61.0", "node_modules/.bin/gemini", node=20),
    _gemini_files,
    lambda s: {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": s.url, "GEMINI_CLI_TRUST_WORKSPACE": "true"},
    _gemini_arguments,
    marked=("SessionStart", "BeforeAgent", "AfterTool"),
    points=("SessionStart-startup", "SessionStart-resume", "BeforeAgent", "AfterTool"),
    rules=("GEMINI.md",), ours=("SessionStart", "BeforeAgent", "AfterTool", "PreCompress", "AfterAgent", "SessionEnd"),
    gives=("start", "resume"), claims=900_000, summary="state_snapshot",
)  # fmt: skip


# --- Qwen Code


def _qwen_files(s: Setting) -> dict[str, Any]:
    return {
        "~/.qwen/settings.json": {
            "security": {"auth": {"selectedType": "openai"}}, "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False}, "disableAllHooks": False, "general": {"disableAutoUpdate": True},
            "hooks": claude_hooks(s, 10_000, names=True),
            **({"mcpServers": servers(s, trust=True)} if s.server else {}), "$version": 4,
        },
    }  # fmt: skip


def _qwen_arguments(_: Setting, turn: Turn) -> list[str]:
    goes_on = ["--continue"] if turn.goes_on else []
    return ["-y", "-o", "json", *goes_on, "-p", turn.prompt]


QWEN = Recipe(
    "qwen-code", "Qwen Code",
    Package("npm", "@qwen-code/qwen-code", "0.24.4", "node_modules/.bin/qwen", node=22),
    _qwen_files,
    lambda s: {"OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"{s.url}/v1", "OPENAI_MODEL": "qwen3-coder-plus"},
    _qwen_arguments,
    marked=("SessionStart", "UserPromptSubmit", "PostToolUse"),
    points=("SessionStart-startup", "SessionStart-resume", "UserPromptSubmit", "PostToolUse"),
    rules=("QWEN.md", "AGENTS.md"), ours=_OURS, gives=_STARTS, compacts="/compress", summary="state_snapshot",
    calls=lambda name, arguments: {"tool": "^tool_call$", "args": {"name": f"mcp__muniment__{name}", "arguments": arguments}},
)  # fmt: skip


# --- Copilot CLI


def _copilot_files(s: Setting) -> dict[str, Any]:
    hooks = {e: [{"type": "command", "bash": line(c), "timeoutSec": 30} for c in s.commands(e)] for e in s.events}
    made: dict[str, Any] = {"~/.copilot/hooks/probe.json": {"version": 1, "hooks": hooks}}
    if s.server:
        made["~/.copilot/mcp-config.json"] = {"mcpServers": servers(s, type="local", tools=["*"])}
    return made


def _copilot_variables(s: Setting) -> dict[str, str]:
    return {
        "COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": f"{s.url}/v1", "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": "dummy", "COPILOT_MODEL": "gpt-4.1", "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "100000",
    }  # fmt: skip


def _copilot_arguments(_: Setting, turn: Turn) -> list[str]:
    goes_on = ["--continue"] if turn.goes_on else ["--trust-folder"]
    return ["--allow-all-tools", "--allow-all-paths", "--output-format", "json", *goes_on, "-p", turn.prompt]


COPILOT = Recipe(
    "copilot-cli", "Copilot CLI",
    Package("npm", "@github/copilot", "1.0.102", "node_modules/.bin/copilot", node=22),
    _copilot_files, _copilot_variables, _copilot_arguments,
    marked=("sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "subagentStart"), shape="top",
    points=("sessionStart-new", "sessionStart-resume", "userPromptSubmitted", "preToolUse", "postToolUse",
            "subagentStart"),
    rules=("AGENTS.md", "CLAUDE.md", "GEMINI.md"),
    ours=("sessionStart", "userPromptSubmitted", "postToolUse", "preCompact", "agentStop", "sessionEnd"),
    names_event=True, gives=("start", "resume", "compact"), compacts="/compact",
    summary="create a detailed summary of the conversation so far",
    task={"description": "sub", "name": "sub", "agent_type": "general-purpose", "mode": "sync",
          "prompt": '<<stub {"say":"sub done"}>> do it'},
)  # fmt: skip

RECIPES = (CLAUDE_CODE, CODEX, GEMINI, QWEN, COPILOT)
