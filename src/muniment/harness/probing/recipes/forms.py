"""Forms that several harnesses share: Claude's hooks, the usual entry of a tool server, an OpenAI endpoint."""

from __future__ import annotations

import json
import shlex
from typing import Any

from muniment.harness.probing.recipe import Setting

SUMMARY = "summar"


def line(command: Any) -> str:
    """A command line as a shell reads it."""
    return shlex.join(command)


def claude_hooks(setting: Setting, seconds: int = 10, *, names: bool = False) -> dict[str, Any]:
    """`{event: [{hooks: [{type, command, timeout}]}]}`, the form that most have taken over. Two hooks of one name are one."""
    made: dict[str, Any] = {}
    for event in setting.events:
        for at, command in enumerate(setting.commands(event)):
            name = {"name": f"probe-{at}"} if names else {}
            hook = {"type": "command", "command": line(command), "timeout": seconds, **name}
            made.setdefault(event, []).append({"hooks": [hook]})
    return made


def servers(setting: Setting, **more: Any) -> dict[str, Any]:
    """`{name: {command, args}}`, empty where the server is registered elsewhere."""
    if not setting.server:
        return {}
    return {"muniment": {"command": setting.server[0], "args": list(setting.server[1:]), **more}}


def toml(value: Any) -> str:
    """A text or a list of texts as TOML writes it."""
    return json.dumps(value)


def yaml(value: Any, depth: int = 0) -> str:
    """Mappings and lists as YAML writes them in block style; the rest as JSON has it, which YAML reads."""
    before = "  " * depth
    if isinstance(value, dict) and value:
        return "".join(f"{before}{key}:{_inner(inner, depth)}" for key, inner in value.items())
    if isinstance(value, list) and value:
        return "".join(f"{before}-{_item(inner, depth)}" for inner in value)
    return f"{before}{json.dumps(value)}\n"


def _inner(value: Any, depth: int) -> str:
    return f"\n{yaml(value, depth + 1)}" if isinstance(value, dict | list) and value else f" {json.dumps(value)}\n"


def _item(value: Any, depth: int) -> str:
    return f" {yaml(value, depth + 1).lstrip(' ')}"
