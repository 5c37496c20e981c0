"""Zed: one SQLite database, a row a thread, whose payload is JSON, packed with zstd or plain.

A thread is rewritten whole at each change (`updated_at`). Messages are `User`, `Agent` (with the results of its calls),
`Resume` and `Compaction`; older payloads have `role` and `segments`. Messages bear no times: the first has the thread's
begin. Mentions are named, not quoted: what they bring in is the editor's. Sub-agents are threads with a parent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Source
from muniment.capture.transcripts.editors import data_folder
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, obj, tag, word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.turns import SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo


class Zed(StoreAdapter):
    """Reads `threads/threads.db`."""

    name = "zed"
    checked: tuple[str, ...] = ("0.3.0",)
    tables = ("threads",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The editor's data folder on each platform."""
        app = "zed" if platform == "linux" else "Zed"
        yield data_folder(home, variables, platform) / app / "threads"

    def sources(self, place: Path) -> Iterator[Path]:
        """The database."""
        yield from (path for path in (place, place / "threads.db") if path.is_file())

    def recognises(self, path: Path, head: bytes) -> bool:  # noqa: ARG002
        """A database with the columns of its threads."""
        return head.startswith(MAGIC) and b"threads" in head and b"data_type" in head

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Threads, by their time of change."""
        for row in db.rows("SELECT id, updated_at FROM threads ORDER BY id"):
            yield str(row["id"]), str(row["updated_at"])

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:
        """A thread's messages, each before the results of its calls."""
        row = next(iter(db.whole("threads", "WHERE id = ?", key)), {})
        thread = _payload(row, source)
        parent = word(row.get("parent_id")) or word(obj(thread.get("subagent_context")).get("parent_thread_id"))
        begun = when(row.get("created_at"))
        state = fresh(f"{parent}/{key}" if parent else key, side=bool(parent), begun=begun)
        state["model"] = word(obj(thread.get("model")).get("model"))
        folder = (word(row.get("folder_paths")) or "").split("\n")[0] or None
        info = SessionInfo(
            state["session"], self.name, word(thread.get("version")), parent=parent, cwd=folder, started_at=begun
        )
        return Section(state, info, _records(thread.get("messages")) if thread else [row.get("data_type")])

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A message, or a result."""
        kind, content = next(iter(turn.record.items()), ("none", None))
        if "role" in turn.record:
            return _older(turn)
        turn.know(at=turn.state["begun"] if not turn.ordinal else None, model=turn.state["model"])
        if kind == "User":
            turn.know(native_id=word(obj(content).get("id")))
            parts = [obj(part) for part in items(obj(content).get("content"))]
            return turn.heard(text for part in parts if (text := word(part.get("Text"))))
        if kind == "Agent":
            for part in items(obj(content).get("content")):
                _part(turn, obj(part))
            return turn.message()
        if kind == "ToolResult":
            given = obj(content)
            pieces = [text for part in items(given.get("content")) if (text := _text(part)) is not None]
            failed = given.get("is_error")
            turn.result(given.get("tool_use_id"), pieces, None if failed is None else not failed)
            return turn.message()
        if kind == "Compaction":
            return turn.event(SUMMARY, word(obj(content).get("Summary")) or word(content) or "", ("compaction",))
        return turn.noise("Resume") if kind == "Resume" else turn.unknown(kind)


def _payload(row: Mapping[str, Any], source: Source) -> Mapping[str, Any]:
    """The thread itself; nothing where it cannot be unpacked."""
    data = row.get("data")
    packed = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else b""
    unpack = source.extra.get("unzstd")
    try:
        if row.get("data_type") == "zstd" and unpack is not None:
            packed = unpack(packed, source.max_record_bytes)
        return obj(json.loads(packed))
    except (ValueError, RecursionError):
        return {}


def _records(messages: Any) -> Iterator[Any]:
    for message in items(messages):
        if message == "Resume":
            yield {"Resume": None}
            continue
        agent = obj(obj(message).get("Agent"))
        if agent:
            yield {"Agent": {key: value for key, value in agent.items() if key != "tool_results"}}
        else:
            yield message
        yield from ({"ToolResult": result} for result in obj(agent.get("tool_results")).values())


def _part(turn: Turn, part: Mapping[str, Any]) -> None:
    use, thought = obj(part.get("ToolUse")), part.get("Thinking")
    if use:
        given = use.get("input") if use.get("input") is not None else use.get("raw_input")
        turn.call(use.get("id"), use.get("name"), given)
    elif thought is not None:
        turn.think([thought])
    elif "Text" in part:
        turn.say(part["Text"])
    elif "RedactedThinking" not in part:
        turn.flag(f"unknown:part/{tag(next(iter(part), None))}"[:80])


def _text(part: Any) -> str | None:
    return part if isinstance(part, str) else word(obj(part).get("Text")) or word(obj(part).get("text"))


def _older(turn: Turn) -> Parsed:
    """A message of the payloads before 0.3: the results stand with the message behind the one that called."""
    record = turn.record
    said = [text for part in items(record.get("segments")) if (text := word(obj(part).get("text"))) is not None]
    for result in items(record.get("tool_results")):
        failed = obj(result).get("is_error")
        turn.result(obj(result).get("tool_use_id"), obj(result).get("content"), None if failed is None else not failed)
    if record.get("role") == "user":
        return turn.heard(said) if turn.is_empty else turn.message()
    turn.say(said)
    for use in items(record.get("tool_uses")):
        turn.call(obj(use).get("id"), obj(use).get("name"), obj(use).get("input"))
    return turn.message()
