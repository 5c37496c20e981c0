"""Kiro CLI (Amazon Q's heir): a database with a JSON value a conversation, written anew at each turn.

A turn holds the user's side and the assistant's; each is a record of its own here. Results stand in the user's side of
the next turn. The key is the working folder. Compaction replaces the head of the history by a summary, beside which the
turns that were read before stay in the archive. Context of hooks stands beside the prompt and is not read; sub-agents were
not seen. The newer files in `~/.kiro/sessions` are not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Cursor, Item, Source
from muniment.capture.transcripts.editors import data_folder
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, obj, word
from muniment.capture.transcripts.sections import MAGIC, DocumentAdapter, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.turns import SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo

_V2 = "SELECT key, conversation_id, updated_at, created_at, length(value) AS size FROM conversations_v2 ORDER BY conversation_id"


class KiroCli(StoreAdapter, DocumentAdapter):
    """Reads `data.sqlite3`, and a conversation's value where it stands in a file of its own."""

    name = "kiro-cli"
    checked: tuple[str, ...] = ("layout of 2026-06",)
    tables = ("conversations_v2", "conversations")

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The data folder of each platform."""
        yield data_folder(home, variables, platform) / "kiro-cli"

    def sources(self, place: Path) -> Iterator[Path]:
        """The database."""
        yield from below(place, "data.sqlite3")

    def recognises(self, path: Path, head: bytes) -> bool:
        """The database by its name; a value by its first key and its turns."""
        if head.startswith(MAGIC):
            return path.name == "data.sqlite3"
        return head.lstrip().startswith(b"{") and b'"conversation_id"' in head[:200] and b'"history"' in head

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """The database, or one value."""
        base = StoreAdapter if source.path.suffix == ".sqlite3" else DocumentAdapter
        return base.read(self, source, cursor)

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Conversations with the time of their last change; those of the older table with their length."""
        if db.table("conversations_v2"):
            for row in db.rows(_V2):
                yield json.dumps([row["key"], row["conversation_id"]]), f"{row['updated_at']} {row['size']}"
        if db.table("conversations"):
            for row in db.rows("SELECT key, length(value) AS size FROM conversations ORDER BY key"):
                yield json.dumps([row["key"], None]), str(row["size"])

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:  # noqa: ARG002 - the database holds all
        """One conversation."""
        folder, name = json.loads(key)
        table, where = ("conversations_v2", "key = ? AND conversation_id = ?") if name else ("conversations", "key = ?")
        found = db.rows(f"SELECT value FROM {table} WHERE {where}", *([folder, name] if name else [folder]))  # noqa: S608
        if not found:
            return None
        text = str(found[0]["value"])
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
        return self._section(value, name or folder, folder)

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The one conversation of a value in a file."""
        if not isinstance(document, dict) or not isinstance(document.get("history"), list):
            raise ValueError("no history")
        yield self._section(document, path.stem, None)

    def _section(self, value: Any, name: str, folder: str | None) -> Section:
        history = [obj(turn) for turn in items(obj(value).get("history"))]
        session = word(obj(value).get("conversation_id")) or name
        env = next((e for turn in history if (e := _environment(turn))), None)
        sides = [_side(turn, side) for turn in history for side in ("user", "assistant") if side in turn]
        started = when(obj(sides[0].get("user")).get("timestamp")) if sides else None
        info = SessionInfo(session, self.name, cwd=env or folder, started_at=started)
        summary = obj(value).get("latest_summary")
        records = [*([{"summary": summary}] if summary else []), *sides] if isinstance(value, dict) else [value]
        return Section(fresh(session), info, records)

    def turn(self, turn: Turn) -> Parsed:
        """One side of a turn."""
        if "summary" in turn.record:
            text = next((each for each in items(turn.record["summary"]) if isinstance(each, str)), "")
            return turn.event(SUMMARY, text, ("compaction",))
        return _user(turn) if "user" in turn.record else _assistant(turn)


def _side(turn: Mapping[str, Any], side: str) -> dict[str, Any]:
    return {side: turn[side], "request": turn.get("request_metadata")}


def _environment(turn: Mapping[str, Any]) -> str | None:
    context = obj(obj(turn.get("user")).get("env_context"))
    return word(obj(context.get("env_state")).get("current_working_directory"))


def _user(turn: Turn) -> Parsed:
    side = obj(turn.record["user"])
    turn.know(at=when(side.get("timestamp")))
    content = obj(side.get("content"))
    kind = next(iter(content), "none")
    held = obj(content.get(kind))
    if kind == "Prompt":
        return turn.heard([word(held.get("prompt")) or ""])
    if kind not in ("ToolUseResults", "CancelledToolUses"):
        return turn.unknown(kind)
    for result in map(obj, items(held.get("tool_use_results"))):
        back = [obj(part) for part in items(result.get("content"))]
        output = [_text(part) for part in back]
        ok = {"Success": True, "Error": False}.get(str(result.get("status")))
        ended = next((obj(part.get("Json")).get("exit_status") for part in back if "Json" in part), None)
        turn.result(result.get("tool_use_id"), output, ok, _exit(ended))
    if kind == "CancelledToolUses":
        turn.flag("interrupted")
        if prompt := word(held.get("prompt")):
            return turn.heard([prompt]) if turn.is_empty else turn.message()
    return turn.message()


def _text(part: Mapping[str, Any]) -> str:
    held = part.get("Json")
    if held is None:
        return word(part.get("Text")) or ""
    streams = [text for key in ("stdout", "stderr") if (text := word(obj(held).get(key)))]
    return "\n".join(streams) or json.dumps(held, ensure_ascii=False)


def _exit(value: Any) -> Any:
    return value.removeprefix("exit status: ") if isinstance(value, str) else value


def _assistant(turn: Turn) -> Parsed:
    side = obj(turn.record.get("assistant"))
    request = obj(turn.record.get("request"))
    kind = next((each for each in ("Response", "ToolUse") if each in side), "none")
    held = obj(side.get(kind))
    turn.know(
        at=when(side.get("timestamp"), request.get("stream_end_timestamp_ms")), native_id=word(held.get("message_id"))
    )
    turn.know(model=word(request.get("model_id")))
    if kind == "none":
        return turn.unknown(next(iter(side), "none"))
    turn.say(held.get("content"))
    for use in map(obj, items(held.get("tool_uses"))):
        turn.call(use.get("id"), use.get("name"), use.get("args", use.get("orig_args")), formats=True)
    return turn.message()
