"""Rovo Dev: a JSON document a session, rewritten as it grows, and a small one beside it with the folder.

Parts of a result name no call, so that it answers the last call before it. System messages are injected. Compaction and
sub-agents are not described.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, obj, tag, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section, load
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.turns import INJECTED, Turn, fresh, when
from muniment.model.event import SessionInfo


class RovoDev(DocumentAdapter):
    """Reads `~/.rovodev/sessions/<session>/session_context.json`."""

    name = "rovodev"
    checked: tuple[str, ...] = ("layout of 2026-06",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folder, on all platforms in the home folder."""
        yield home / ".rovodev" / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """A document a session."""
        yield from below(place, "*/session_context.json")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name and its first key."""
        return path.name == "session_context.json" and b'"message_history"' in head

    def beside(self, path: Path) -> Iterable[Path]:
        """What is known of the session."""
        yield path.parent / "metadata.json"

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The session's messages."""
        messages = document["message_history"]
        if not isinstance(messages, list):
            raise ValueError("no list of messages")
        about = obj(load(path.parent / "metadata.json"))
        info = SessionInfo(
            path.parent.name, self.name, cwd=word(about.get("workspace_path")), started_at=when(about.get("created_at"))
        )
        yield Section(fresh(path.parent.name, open=[]), info, messages)

    def turn(self, turn: Turn) -> Parsed:
        """A message."""
        record, role = turn.record, tag(turn.record.get("role") or turn.record.get("kind"))
        turn.know(at=when(record.get("created_at"), record.get("timestamp")), native_id=word(record.get("id")))
        parts = [obj(part) for part in items(record.get("parts"))]
        for part in parts:
            self._part(turn, part)
        if role in ("assistant", "response", "tool") or not turn.is_empty:
            return turn.message()
        words = [text for part in parts for text in texts(part.get("text", part.get("content")))]
        if role in ("user", "request"):
            return turn.heard(words)
        return turn.note("\n".join(words), *INJECTED) if role == "system" else turn.unknown(role)

    def _part(self, turn: Turn, part: Mapping[str, Any]) -> None:
        kind, name = tag(part.get("kind") or part.get("part_kind")), part.get("name", part.get("tool_name"))
        call = word(part.get("id")) or word(part.get("tool_call_id"))
        if kind in ("tool_use", "tool-call"):
            made = turn.call(call, name, part.get("input", part.get("args")), formats=True)
            turn.state["open"] = [*turn.state["open"][-63:], made.call_id]
        elif kind in ("tool_result", "tool-return"):
            open_calls = turn.state["open"]
            turn.result(call or (open_calls.pop() if open_calls else ""), part.get("content"))
        elif kind in ("thinking", "reasoning"):
            turn.think(part.get("text", part.get("content")))
        elif kind == "text" and turn.record.get("role") in ("assistant", "response"):
            turn.say(part.get("text", part.get("content")))
