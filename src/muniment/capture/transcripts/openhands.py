"""OpenHands: a folder a conversation, a JSON file an event; what is known of the conversation is in `base_state.json`.

An event's file is written once; its number is its place. Hooks are events of their own, and what they add to a prompt
stands beside it. Times bear no zone and are read as UTC. Compaction is a `Condensation` with the summary (not seen at
work). Sub-agents were not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed, Record, State
from muniment.capture.transcripts.pieces import items, obj, tag, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section, load
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.turns import HOOK, INJECTED, SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo

_FILE = re.compile(r"event-(\d{1,9})-[0-9A-Za-z-]+\.json")
_NOISE = frozenset(
    {"SystemPromptEvent", "ConversationStateUpdateEvent", "CondensationRequest", "TokenEvent", "PauseEvent"}
)


class OpenHands(DocumentAdapter):
    """Reads `~/.openhands/conversations/<conversation>/events/event-<number>-<uuid>.json`."""

    name = "openhands"
    checked: tuple[str, ...] = ("1.16.0",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The conversations, on all platforms in the home folder unless they were moved."""
        moved = variables.get("OPENHANDS_CONVERSATIONS_DIR")
        yield Path(moved) if moved else home / ".openhands" / "conversations"

    def sources(self, place: Path) -> Iterator[Path]:
        """A file an event, in order."""
        yield from below(place, "*/events/event-*.json")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name and the folder that it lies in."""
        return path.parent.name == "events" and bool(_FILE.fullmatch(path.name)) and head.lstrip().startswith(b"{")

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The one event."""
        if not isinstance(document, dict):
            raise ValueError("no event")
        found, state = _FILE.fullmatch(path.name), obj(load(path.parents[1] / "base_state.json"))
        session = path.parents[1].name
        cwd = word(obj(state.get("workspace")).get("working_dir"))
        model = word(obj(obj(state.get("agent")).get("llm")).get("model"))
        yield Section(
            fresh(session, number=int(found[1]) if found else 0, model=model),
            SessionInfo(session, self.name, cwd=cwd),
            [document],
        )

    def guarded(self, record: Record, raw: bytes, offset: int, ordinal: int, state: State) -> list[Parsed]:  # noqa: ARG002 - the file's name has it
        """The event's place in its conversation, not in its file."""
        return super().guarded(record, raw, offset, state["number"], state)

    def turn(self, turn: Turn) -> Parsed:
        """An event."""
        record, kind = turn.record, tag(turn.record.get("kind"))
        turn.know(at=when(record.get("timestamp")), native_id=word(record.get("id")))
        if kind == "MessageEvent":
            return _message(turn)
        if kind == "ActionEvent":
            turn.know(model=turn.state["model"])
            turn.think(
                [text for block in items(record.get("thinking_blocks")) for text in texts(obj(block).get("thinking"))]
            )
            turn.say(record.get("thought"))
            turn.asked([obj(record.get("tool_call"))])
            return turn.message()
        if kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            return _observed(turn, kind)
        if kind == "HookExecutionEvent":
            return turn.note(word(record.get("additional_context")) or "", *INJECTED, who=HOOK)
        if kind == "Condensation":
            return turn.event(SUMMARY, word(record.get("summary")) or "", ("compaction",))
        return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)


def _message(turn: Turn) -> Parsed:
    message = obj(turn.record.get("llm_message"))
    content, role = message.get("content"), tag(message.get("role"))
    if role == "user":
        return turn.heard(texts(content), aside=turn.record.get("source") != "user")
    if role != "assistant":
        return turn.unknown(f"message/{role}")
    turn.know(model=turn.state["model"])
    turn.blocks(content)
    return turn.message()


def _observed(turn: Turn, kind: str) -> Parsed:
    record, back = turn.record, obj(turn.record.get("observation"))
    call = word(record.get("tool_call_id"))
    turn.recall(call, record.get("tool_name"), {"command": back.get("command")})
    failed = back.get("is_error") if kind == "ObservationEvent" else True
    text = back.get("content", record.get("error", record.get("rejection_reason")))
    if kind == "UserRejectObservation":
        turn.flag("refused")
    turn.result(call, text, None if not isinstance(failed, bool) else not failed, back.get("exit_code"))
    return turn.message()
