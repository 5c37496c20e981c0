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


def claude_hooks(setting: Setting, seconds: int = 10, **more: Any) -> dict[str, Any]:
    """`{event: [{hooks: [{type, command, timeout}]}]}`, the form that most have taken over."""
    return {
        event: [
            {"hooks": [{"type": "command", "command": line(command), "timeout": seconds, **more}]}
            for command in setting.commands(event)
        ]
        for event in setting.events
    }


def servers(setting: Setting, **more: Any) -> dict[str, Any]:
    """`{name: {command, args}}`, empty where the server is registered elsewhere."""
    if not setting.server:
        return {}
    return {"muniment": {"command": setting.server[0], "args": list(setting.server[1:]), **more}}


def toml(value: Any) -> str:
    """A text or a list of texts as TOML writes it."""
    return json.dumps(value)
