"""What a request asks, in one form for all protocols; and the answer, before a protocol dresses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["user", "call", "result", "other"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One part of the conversation so far: a person's words, a call, its result, or anything else."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the request offers. A free one takes text instead of named arguments."""

    name: str
    schema: Mapping[str, Any] = field(default_factory=dict)
    is_free: bool = False
    namespace: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A whole request: the conversation, the tools, and the schema of the JSON that is demanded, if any."""

    turns: tuple[Turn, ...]
    tools: Mapping[str, Tool]
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """The model's wish to run a tool."""

    id: str
    tool: Tool
    arguments: Any

    @property
    def written(self) -> str:
        """The arguments as text."""
        import json

        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says: words, maybe a call, the tokens that it claims; or an error of HTTP."""

    id: str
    model: str
    words: str
    usage: int
    call: Call | None = None
    failure: int | None = None


Event = tuple[str | None, Any]
"""One event of a stream: its name, if the protocol gives it one, and its data."""
OUTPUT_TOKENS = 7


def text_of(content: Any) -> str:
    """The words in a message's content, whatever its shape."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part) for part in content)
    if isinstance(content, dict):
        return text_of(content.get("text", ""))
    return ""


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; empty for anything else."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def kind_of(role: Any) -> Kind:
    """A role as a kind of turn."""
    return "user" if role == "user" else "other"
