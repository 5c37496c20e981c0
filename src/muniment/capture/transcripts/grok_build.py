"""Grok Build: `updates.jsonl`, its restore log in the form of the Agent Client Protocol, and `chat_history.jsonl`, which
is drawn from it and read only where the log is missing (in two versions, one of them in OpenAI's form).

A call is announced once and updated several times; only the last update says how it went. Instructions are `user`
messages with a `synthetic_reason`, and injected. A session in a work tree of its own names its parent. Compaction and
sub-agents were not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, obj, tag, texts, word
from muniment.capture.transcripts.sidecars import below, beside, first
from muniment.capture.transcripts.turns import Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_FILES = ("updates.jsonl", "chat_history.jsonl")
_NOISE = frozenset(
    "turn_completed available_commands_update current_mode_update session_info_update usage_update".split()
)


class GrokBuild(TurnAdapter):
    """Reads `~/.grok/sessions/<folder>/<session>/`."""

    name = "grok-build"
    checked: tuple[str, ...] = ("1.0.3",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folder, on all platforms in the home folder unless it was moved."""
        yield (Path(variables["GROK_HOME"]) if variables.get("GROK_HOME") else home / ".grok") / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """A session's log; failing that, its history."""
        for path in below(place, "*/*/updates.jsonl", "*/*/chat_history.jsonl"):
            if path == place or path.name == _FILES[0] or not (path.parent / _FILES[0]).exists():
                yield path

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name and its first record; a history is nobody's where the log lies beside it."""
        record = first(head)
        if path.name == _FILES[0]:
            return "sessionUpdate" in obj(obj(record.get("params")).get("update"))
        alone = path.name == _FILES[1] and not (path.parent / _FILES[0]).exists()
        return alone and bool(word(record.get("type")) or word(record.get("role"))) and "content" in record

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the folder decides
        """The session by its folder."""
        return fresh(path.parent.name, about=_about(path))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A record, behind the session where it is the first."""
        made = self._update(turn) if "params" in turn.record else self._said(turn)
        about = turn.state.pop("about", None)
        if about is None:
            return made
        return [SessionInfo(turn.session, self.name, **about), made]

    def _update(self, turn: Turn) -> Parsed:
        params = obj(turn.record.get("params"))
        update, meta = obj(params.get("update")), obj(params.get("_meta"))
        turn.know(
            at=when(meta.get("agentTimestampMs"), turn.record.get("timestamp")), native_id=word(meta.get("eventId"))
        )
        kind, content = tag(update.get("sessionUpdate")), update.get("content")
        if kind == "user_message_chunk":
            return turn.heard(texts(content))
        if kind == "agent_message_chunk":
            turn.know(model=word(obj(update.get("_meta")).get("modelId")))
            turn.say(content)
            return turn.message()
        if kind == "agent_thought_chunk":
            turn.think(content)
            return turn.message()
        if kind == "tool_call":
            named = obj(obj(update.get("_meta")).get("x.ai/tool")).get("name")
            turn.call(
                update.get("toolCallId"), word(named) or update.get("title"), update.get("rawInput"), formats=True
            )
            return turn.message()
        if kind == "tool_call_update":
            return _updated(turn, update)
        if kind == "plan":
            return turn.note(
                "\n".join(filter(None, (word(obj(entry).get("content")) for entry in items(update.get("entries")))))
            )
        return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)

    def _said(self, turn: Turn) -> Parsed:
        record = turn.record
        kind = tag(record.get("type") or record.get("role"))
        turn.know(native_id=word(record.get("id")))
        if kind == "system":
            return turn.noise(kind)
        if kind == "user":
            reason = record.get("synthetic_reason")
            return turn.heard(texts(record.get("content")), aside=bool(reason) and reason != "interjection")
        if kind == "assistant":
            turn.know(model=word(record.get("model_id")))
            turn.think(record.get("reasoning_content"))
            turn.say(record.get("content"))
            turn.asked(record.get("tool_calls"))
            return turn.message()
        if kind == "reasoning":
            turn.think(record.get("summary"))
            return turn.message()
        if kind in ("tool_result", "tool"):
            turn.result(record.get("tool_call_id"), record.get("content"))
            return turn.message()
        if kind == "backend_tool_call":
            call = obj(record.get("kind"))
            turn.call(call.get("id"), call.get("tool_type"), call.get("action"))
            return turn.message()
        return turn.unknown(kind)


def _updated(turn: Turn, update: Mapping[str, Any]) -> Parsed:
    status, raw = update.get("status"), obj(update.get("rawOutput"))
    if status not in ("completed", "failed"):
        return turn.noise("tool_call_update")
    output = [text for part in items(update.get("content")) for text in texts(obj(part).get("content"))]
    turn.result(update.get("toolCallId"), output, status == "completed", raw.get("exit_code"))
    return turn.message()


def _about(path: Path) -> dict[str, Any]:
    summary = beside(path, "summary.json")
    folder = unquote(path.parent.parent.name)
    cwd = word(obj(summary.get("info")).get("cwd")) or (
        folder if folder.startswith(("/", "\\")) or ":" in folder else None
    )
    parent, started = word(summary.get("parent_session_id")), when(summary.get("created_at"))
    return {"cwd": cwd, "parent": parent, "agent": word(summary.get("agent_name")), "started_at": started}
