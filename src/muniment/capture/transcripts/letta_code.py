"""Letta Code with its local backend: one `messages.jsonl` a conversation, messages in Pi's form without an envelope.

`metadata.created_at` counts from 2026-01-01 and is no clock; only the model's messages bear a time. Hooks speak in a
piece of their own behind a tool's output. Sub-agents and compaction were not seen.
"""

from __future__ import annotations

import binascii
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pi import message
from muniment.capture.transcripts.pieces import obj, texts, word
from muniment.capture.transcripts.sidecars import below, beside, first
from muniment.capture.transcripts.turns import Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_CWD = re.compile(r"\*\*Current working directory\*\*: (.+)")
_VERSION = re.compile(r"\*\*Letta Code version\*\*: (\S+)")


class LettaCode(TurnAdapter):
    """Reads `~/.letta/lc-local-backend/conversations/<base64>/messages.jsonl`."""

    name = "letta-code"
    checked: tuple[str, ...] = ("0.25.9",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The local backend's conversations, on all platforms in the home folder."""
        yield home / ".letta" / "lc-local-backend" / "conversations"

    def sources(self, place: Path) -> Iterator[Path]:
        """One file a conversation."""
        yield from below(place, "*/messages.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """Messages that name the agent and the conversation they belong to."""
        about = obj(first(head).get("metadata"))
        empty = not head.strip() and beside(path, "manifest.json").get("message_format") == "pi-ai-message-jsonl"
        return path.name == "messages.jsonl" and (empty or ("conversation_id" in about and "agent_id" in about))

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the folder decides
        """The conversation by its folder. Its number is the agent's own, so that the agent's name stands before it."""
        named = _decoded(path.parent.name)
        kind, _, conversation = named.partition(":")
        agent = word(beside(path, "conversation.json").get("agent_id")) or ""
        session = conversation if kind == "default" else "-".join(filter(None, (agent, conversation or named)))
        return fresh(session or path.parent.name, agent=agent)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A message, and what the first one tells of the session."""
        record = turn.record
        stamp = when(record.get("timestamp")) if record.get("role") == "assistant" else None
        turn.know(at=stamp, native_id=word(record.get("id")))
        if record.get("role") == "user" and not turn.state.get("told"):
            turn.state["told"] = True
            whole = "\n".join(texts(record.get("content")))
            cwd, version = _CWD.search(whole), _VERSION.search(whole)
            info = SessionInfo(
                turn.session,
                self.name,
                version[1] if version else None,
                agent=turn.state.get("agent") or None,
                cwd=cwd[1].strip() if cwd else None,
            )
            return [info, message(turn, record)]
        return message(turn, record)


def _decoded(name: str) -> str:
    try:
        return urlsafe_b64decode(name + "=" * (-len(name) % 4)).decode()
    except (binascii.Error, ValueError):
        return name
