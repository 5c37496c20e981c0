"""What the model says next: read from the prompt, and from how far the conversation has come since."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muniment.testing.stub_model.asked import Answer, Asked, Call, Tool
from muniment.testing.stub_model.schemas import arguments, smallest

_WRITTEN = re.compile(r"\[\[stub (\{.*?\})\]\]", re.DOTALL)
_NESTED = re.compile(r"<<stub (\{.*?\})>>", re.DOTALL)
_REMEMBERED = re.compile(r"(?:<|&lt;)muniment .*?(?:<|&lt;)/muniment(?:>|&gt;)", re.DOTALL)
"""What a memory gives quotes earlier prompts: they are not asked again."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "shell": (
        "Bash", "bash", "exec_command", "shell_command", "shell", "local_shell", "run_shell_command", "execute_command",
        "run_terminal_cmd", "run_commands", "execute_bash", "terminal", "developer__shell", "Shell", "exec", "run_command",
    ),
    "read": ("Read", "read_file", "read", "view", "View", "ReadFile", "text_editor", "file_editor", "read_files"),
    "write": ("Write", "write_file", "write", "create", "write_to_file", "WriteFile", "create_file", "apply_patch"),
    "task": ("Task", "Agent", "task", "agent", "new_task", "spawn_agent", "delegate_task", "use_subagents"),
}  # fmt: skip
"""What harnesses call the tools of one kind, the likeliest first."""


def directives(text: str) -> list[dict[str, Any]]:
    """The script in a text, in its order. What is no JSON is left out."""
    text = _REMEMBERED.sub("", text)
    found = (_parsed(raw) for raw in _WRITTEN.findall(text) or _NESTED.findall(text))
    return [one for one in found if one is not None]


def _parsed(raw: str) -> dict[str, Any] | None:
    for form in (raw, raw.replace('\\"', '"')):  # a harness may quote the prompt inside another text
        try:
            found = json.loads(form)
        except ValueError:
            continue
        return found if isinstance(found, dict) else None
    return None


@dataclass(slots=True)
class _Progress:
    """How far the script of one prompt has come: a compaction keeps the prompt and drops the calls."""

    calls: int = 0
    length: int = -1
    claimed: bool = False


class Script:
    """Answers requests, one at a time."""

    def __init__(self, words: str, usage: int) -> None:
        self._words, self.usage = words, usage
        self._progress: dict[str, _Progress] = {}
        self._count = itertools.count(1)

    def answer(self, asked: Asked, model: str) -> Answer:
        """What to answer to this request."""
        id_ = f"stub{next(self._count):06d}"
        if asked.schema is not None:
            return Answer(id_, model, json.dumps(smallest(asked.schema) if asked.schema else {}), self.usage)
        at = _prompt(asked)
        if at is None:
            return Answer(id_, model, self._words, self.usage)
        return self._scripted(asked, at, id_, model)

    def _scripted(self, asked: Asked, at: int, id_: str, model: str) -> Answer:
        prompt = asked.turns[at].text
        progress = self._progress.setdefault(prompt, _Progress())
        is_retry, progress.length = progress.length == len(asked.turns), len(asked.turns)
        lines = directives(prompt)
        made = sum(turn.kind == "call" for turn in asked.turns[at:])
        call = _call(asked, lines, made if is_retry else max(made, progress.calls), id_)
        if call is not None:
            progress.calls = call[1] + 1
        return Answer(
            id_, model, _last(lines, "say", self._words), self._claimed(lines, progress, is_retry),
            call[0] if call else None, _last(lines, "fail", None),
        )  # fmt: skip

    def _claimed(self, lines: list[dict[str, Any]], progress: _Progress, is_retry: bool) -> int:
        told = _last(lines, "usage", None)
        if told is None or (progress.claimed and not is_retry):
            return self.usage
        progress.claimed = True
        return int(told)


def _prompt(asked: Asked) -> int | None:
    """The last of the person's turns that holds a script."""
    turns = enumerate(asked.turns)
    return max((at for at, turn in turns if turn.kind == "user" and directives(turn.text)), default=None)


def _last(lines: list[dict[str, Any]], key: str, otherwise: Any) -> Any:
    return next((line[key] for line in reversed(lines) if key in line), otherwise)


def _call(asked: Asked, lines: list[dict[str, Any]], done: int, id_: str) -> tuple[Call, int] | None:
    """The next call of the script and its place in it. A tool that is not offered is passed over, unless it is forced."""
    wishes = [line for line in lines if "tool" in line]
    for at, wish in enumerate(wishes[done:], done):
        tool = _chosen(str(wish["tool"]), asked.tools)
        if tool is None and wish.get("force"):
            tool = Tool(str(wish["tool"]))
        if tool is not None:
            given = wish["raw"] if "raw" in wish else arguments(tool.schema, wish.get("args") or {})
            return Call(f"call_{id_}", tool, given), at
    return None


def _chosen(wish: str, offered: Mapping[str, Tool]) -> Tool | None:
    for name in (*KINDS.get(wish, ()), wish):
        if name in offered:
            return offered[name]
    if wish in KINDS:
        return None
    return next((tool for name, tool in offered.items() if re.search(wish, name)), None)
