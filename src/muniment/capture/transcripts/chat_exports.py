"""The exports of ChatGPT and Claude.ai: all conversations of an account in one JSON document (or several, numbered).

They are talk, written elsewhere: no folder, no files. An export is made anew as a whole. A conversation of ChatGPT is a
tree, of which the branch that ends in its current node was kept by the person; the answers beside it were dropped.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, obj, tag, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section
from muniment.capture.transcripts.turns import INJECTED, Turn, fresh, when
from muniment.model.event import SessionInfo

_FILES = re.compile(r"(?:.*[-_])?conversations(?:[-_]\d+)?\.json")


class ChatExport(DocumentAdapter):
    """Base of both: a list of conversations."""

    mark: bytes = b""
    """A key that only this export has."""

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - see below
        """None: an export lies where a person put it, and is named by the person."""
        return ()

    def sources(self, place: Path) -> Iterator[Path]:
        """The file itself."""
        if place.is_file():
            yield place

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name, a list, and a key of its first conversation."""
        return (
            bool(_FILES.fullmatch(path.name))
            and head.lstrip(b"\xef\xbb\xbf \n\r\t").startswith(b"[")
            and self.mark in head
        )

    def sections(self, document: Any, path: Path) -> Iterable[Section]:  # noqa: ARG002 - the document has it all
        """The conversations."""
        if not isinstance(document, list):
            raise ValueError("no list of conversations")
        for number, conversation in enumerate(document):
            yield self.conversation(obj(conversation), number)

    @abstractmethod
    def conversation(self, held: Mapping[str, Any], number: int) -> Section:
        """One conversation, the `number`th of the document."""


class ChatGptExport(ChatExport):
    """Reads `conversations.json` of an export of ChatGPT."""

    name = "chatgpt-export"
    checked: tuple[str, ...] = ("layout of 2026-06",)
    mark = b'"mapping"'

    def conversation(self, held: Mapping[str, Any], number: int) -> Section:
        """All nodes in the document's order; those off the branch that was kept are known by their ids."""
        mapping = obj(held.get("mapping"))
        name = word(held.get("conversation_id")) or word(held.get("id")) or f"conversation-{number}"
        branch, node = dict[str, int](), held.get("current_node")
        while isinstance(node, str) and node in mapping and node not in branch:
            branch[node] = 1
            node = obj(mapping[node]).get("parent")
        info = SessionInfo(name, self.name, started_at=when(held.get("create_time")))
        return Section(fresh(name, branch=branch, open=[]), info, list(mapping.values()))

    def turn(self, turn: Turn) -> Parsed:
        """A node."""
        message, node = obj(turn.record.get("message")), turn.record.get("id")
        if not message:
            return turn.noise("node")
        turn.know(
            at=when(message.get("create_time")),
            native_id=word(message.get("id")),
            parent_id=word(turn.record.get("parent")),
        )
        if turn.state["branch"] and node not in turn.state["branch"]:
            return turn.noise("dropped")
        meta, content = obj(message.get("metadata")), obj(message.get("content"))
        kind, role = tag(content.get("content_type")), tag(obj(message.get("author")).get("role"))
        words = list(texts(content.get("parts"))) or list(texts(content.get("text", content.get("result"))))
        hidden = meta.get("is_visually_hidden_from_conversation") is True
        if role == "user":
            return turn.heard(words, aside=hidden or kind == "user_editable_context")
        if role == "system":
            return turn.note("\n".join(words), *INJECTED) if any(words) else turn.noise(role)
        if role == "tool":
            open_calls = turn.state["open"]
            name = word(obj(message.get("author")).get("name"))
            turn.recall(open_calls[0] if open_calls else "", name)
            turn.result(open_calls.pop(0) if open_calls else "", words)
            return turn.message()
        if role != "assistant":
            return turn.unknown(role)
        turn.know(model=word(meta.get("model_slug")))
        return _answered(turn, kind, word(message.get("recipient")) or "all", words, content)


def _answered(turn: Turn, kind: str, recipient: str, words: list[str], content: Mapping[str, Any]) -> Parsed:
    if kind in ("thoughts", "reasoning_recap"):
        thoughts = (word(obj(thought).get("content")) for thought in items(content.get("thoughts")))
        turn.think(list(filter(None, thoughts)) or words or word(content.get("content")))
    elif kind == "code" or recipient != "all":
        made = turn.call(None, "python" if recipient == "all" else recipient, {"code": "\n".join(words)})
        turn.state["open"] = [*turn.state["open"][-15:], made.call_id]
    else:
        turn.say(words)
    return turn.message()


class ClaudeAiExport(ChatExport):
    """Reads `conversations.json` of an export of Claude.ai."""

    name = "claude-ai-export"
    checked: tuple[str, ...] = ("layout of 2026-06",)
    mark = b'"chat_messages"'

    def conversation(self, held: Mapping[str, Any], number: int) -> Section:
        """The messages in order."""
        name = word(held.get("uuid")) or f"conversation-{number}"
        info = SessionInfo(name, self.name, started_at=when(held.get("created_at")))
        return Section(fresh(name), info, items(held.get("chat_messages")))

    def turn(self, turn: Turn) -> Parsed:
        """A message. Files that were attached stay in the raw record: they are nobody's words."""
        record, sender = turn.record, tag(turn.record.get("sender"))
        turn.know(at=when(record.get("created_at")), native_id=word(record.get("uuid")))
        turn.know(parent_id=word(record.get("parent_message_uuid")))
        blocks = [obj(block) for block in items(record.get("content"))]
        if sender == "human":
            said = [text for block in blocks if block.get("type") == "text" for text in texts([block])]
            return turn.heard(said or texts(record.get("text")))
        if sender != "assistant":
            return turn.unknown(sender)
        last = None
        for block in blocks:
            if block.get("type") == "tool_use":
                last = turn.call(block.get("id"), block.get("name"), block.get("input")).call_id
            elif block.get("type") == "tool_result":
                failed = block.get("is_error")
                ok = None if not isinstance(failed, bool) else not failed
                turn.result(word(block.get("tool_use_id")) or last or "", block.get("content"), ok)
            else:
                turn.blocks([dict(block)])
        if turn.is_empty:
            turn.say(record.get("text"))
        return turn.message()
