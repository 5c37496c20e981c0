"""Goose: one SQLite database for all sessions, a row a message, whose content is a list of typed parts.

Compaction: a message that the model sees and the person does not (`metadata_json`), or a `conversationCompacted` part.
Sub-agents are sessions with a parent (schema 15). Requests and responses bear one id; schema 14 may leave it out, and
then they belong together in their order. What the harness puts in is in messages that the person does not see. Rows are
only added; on compaction a session's rows may be written anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Source
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, tag, word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.tools import decoded
from muniment.capture.transcripts.turns import SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo


class Goose(StoreAdapter):
    """Reads `sessions/sessions.db`."""

    name = "goose"
    checked: tuple[str, ...] = ("schema 14", "schema 15")
    tables = ("messages",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The data folder: XDG's also on macOS, `%APPDATA%` on Windows, or below `GOOSE_PATH_ROOT`."""
        if root := variables.get("GOOSE_PATH_ROOT"):
            yield Path(root) / "data" / "sessions"
        if platform == "win32":
            yield (
                Path(variables.get("APPDATA") or home / "AppData" / "Roaming") / "Block" / "goose" / "data" / "sessions"
            )
        else:
            yield Path(variables.get("XDG_DATA_HOME") or home / ".local" / "share") / "goose" / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """The database."""
        yield from (path for path in (place, place / "sessions.db") if path.is_file())

    def recognises(self, path: Path, head: bytes) -> bool:  # noqa: ARG002
        """A database with the columns of its messages."""
        return head.startswith(MAGIC) and b"content_json" in head and b"session_id" in head

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Sessions, by the last of their rows and their number."""
        sql = (
            "SELECT session_id, max(id) AS last, count(*) AS many FROM messages GROUP BY session_id ORDER BY session_id"
        )
        for row in db.rows(sql):
            yield str(row["session_id"]), f"{row['last']} {row['many']}"

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:  # noqa: ARG002
        """A session's rows in their order."""
        told: Mapping[str, Any] = next(iter(db.whole("sessions", "WHERE id = ?", key)), {})
        parent = word(told.get("parent_session_id"))
        model = word(obj(decoded(told.get("model_config_json"))).get("model_name"))
        state = fresh(f"{parent}/{key}" if parent else key, side=bool(parent), open=[], model=model)
        info = SessionInfo(
            state["session"],
            self.name,
            parent=parent,
            cwd=word(told.get("working_dir")),
            started_at=when(told.get("created_at")),
        )
        return Section(state, info, db.whole("messages", "WHERE session_id = ? ORDER BY id", key))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A row."""
        record = turn.record
        about = obj(decoded(record.get("metadata_json")))
        turn.know(at=when(record.get("created_timestamp"), record.get("timestamp")))
        turn.know(native_id=word(record.get("message_id")), model=word(about.get("model")) or turn.state["model"])
        tokens = obj(decoded(record.get("tokens")))
        turn.know(tokens_in=number(tokens.get("input")), tokens_out=number(tokens.get("output")))
        parts = [obj(part) for part in items(json.loads(record["content_json"]))]
        kinds = {tag(part.get("type")) for part in parts}
        if "conversationCompacted" in kinds:
            text = next((word(part.get("msg")) for part in parts if "msg" in part), None)
            return turn.event(SUMMARY, text or "", ("compaction",))
        said = [text for part in parts if part.get("type") == "text" and (text := word(part.get("text")))]
        if about.get("userVisible") is False and record.get("role") == "user" and kinds == {"text"}:
            return turn.event(SUMMARY, "\n".join(said), ("compaction",))
        if record.get("role") == "user" and kinds <= {"text", "image"}:
            return turn.heard(said, aside=about.get("userVisible") is False)
        for part in parts:
            _part(turn, part)
        return turn.message()


def _part(turn: Turn, part: Mapping[str, Any]) -> None:
    kind, waiting = tag(part.get("type")), turn.state["open"]
    if kind == "text":
        turn.say(part.get("text"))
    elif kind in ("thinking", "redactedThinking", "reasoning"):
        turn.think(part.get("thinking") or part.get("text"))
    elif kind in ("toolRequest", "frontendToolRequest"):
        asked = obj(part.get("toolCall"))
        made = obj(asked.get("value")) or asked
        call_id = word(part.get("id")) or word(asked.get("id"))
        waiting.append(turn.call(call_id, made.get("name"), made.get("arguments")).call_id)
        del waiting[:-64]
    elif kind == "toolResponse":
        call_id = word(part.get("id")) or word(part.get("toolCallId")) or (waiting[0] if waiting else None)
        if call_id in waiting:
            waiting.remove(call_id)
        _response(turn, call_id, obj(part.get("toolResult")))
    elif kind not in ("image", "toolConfirmationRequest", "systemNotification", "summarizationRequested"):
        turn.flag(f"unknown:part/{kind}"[:80])


def _response(turn: Turn, call_id: str | None, result: Mapping[str, Any]) -> None:
    value = result.get("value", result.get("content"))
    failed = result.get("status") == "error" or obj(value).get("isError") is True
    ok = False if failed else True if result.get("status") == "success" else None
    turn.result(call_id, obj(value).get("content", value) if not failed or value else result.get("error"), ok)
