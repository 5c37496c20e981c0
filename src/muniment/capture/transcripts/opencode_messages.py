"""The later layout of OpenCode and Kilo: a row of `session_message` is a whole message, edited in place.

Only sessions are read from it that have no rows in the layout before (some versions write both). What a version puts
into an assistant's `content` is known from one fixture and from the shape of the older parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from muniment.capture.transcripts.contract import Item, Source
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.opencode_parts import session_of
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.turns import SUMMARY, Turn, fresh, when

COLUMNS = frozenset({"id", "session_id", "type", "time_created", "time_updated", "data"})
_NOISE = frozenset({"agent-switched", "model-switched", "step-start", "step-finish", "snapshot"})
_STATUS = {"completed": True, "error": False}


class SessionMessages(StoreAdapter):
    """Not an adapter of its own: the part of one that reads this table."""

    def __init__(self, harness: str) -> None:
        self.name = harness

    def read_changed(self, source: Source, known: dict[str, str]) -> Iterator[Item]:
        """The sessions that changed since `known` was so; it is brought up to date."""
        db = ForeignRows(source)
        try:
            for found in self.changed(db, source, known):
                yield from found
        finally:
            db.close()

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Sessions, by the last change of their rows and their number."""
        sql = (
            "SELECT session_id, max(time_updated) AS last, count(*) AS many FROM session_message"
            " WHERE session_id NOT IN (SELECT session_id FROM message) GROUP BY session_id ORDER BY session_id"
        )
        for row in db.rows(sql):
            yield str(row["session_id"]), f"{row['last']} {row['many']}"

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:
        """A session's messages, each before the tools that it used."""
        row = next(iter(db.whole("session", "WHERE id = ?", key)), {"id": key})
        session = session_of(row, self.name, None, source.path.absolute().as_uri())
        rows = db.whole("session_message", "WHERE session_id = ? ORDER BY time_created, id", key)
        return Section(fresh(session.info.id, side=session.child), session.info, _records(rows))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A message, or a tool that one used."""
        record, kind = turn.record, tag(turn.record.get("type"))
        turn.know(at=when(record.get("time_created")), updated_at=when(record.get("time_updated")))
        turn.know(native_id=word(record.get("id")))
        if kind == "tool":
            return _used(turn, obj(record.get("tool")))
        data = json.loads(record["data"]) if isinstance(record["data"], str) else record["data"]
        text = word(data.get("text")) or "\n".join(texts(data.get("content")))
        if kind == "user":
            return turn.heard([text])
        if kind in ("synthetic", "system"):
            return turn.heard([text], aside=True)
        if kind == "compaction":
            return turn.event(SUMMARY, word(data.get("summary")) or text, ("compaction",))
        if kind == "shell":
            made = turn.call(data.get("callID"), "bash", {"command": data.get("command")})
            turn.result(made.call_id, data.get("output"), exit_code=data.get("exit"))
            return turn.message()
        if kind != "assistant":
            return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)
        return _said(turn, data)


def _said(turn: Turn, data: Mapping[str, Any]) -> Parsed:
    tokens = obj(data.get("tokens"))
    turn.know(model=word(obj(data.get("model")).get("id")) or word(data.get("modelID")))
    turn.know(tokens_in=number(tokens.get("input")), tokens_out=number(tokens.get("output")))
    turn.spent(data.get("cost"), obj(tokens.get("cache")).get("read"))
    for part in items(data.get("content")):
        if tag(obj(part).get("type")) == "reasoning":
            turn.think([part])
        else:
            turn.say([part])
    return turn.message()


def _records(rows: list[dict[str, Any]]) -> Iterator[Any]:
    for row in rows:
        yield row
        try:
            content = items(obj(json.loads(row["data"])).get("content")) if row.get("type") == "assistant" else []
        except (ValueError, TypeError, RecursionError):
            continue
        about = {key: row.get(key) for key in ("time_created", "time_updated")}
        for place, part in enumerate(content):
            if obj(part).get("type") == "tool":
                yield {"id": f"{row.get('id')}/{place}", "type": "tool", **about, "tool": part}


def _used(turn: Turn, tool: Mapping[str, Any]) -> Parsed:
    state = obj(tool.get("state"))
    if state.get("status") in ("pending", "running"):
        return turn.noise("open")
    name = tool.get("name", tool.get("tool"))
    made = turn.call(tool.get("id", tool.get("callID")), name, state.get("input"), formats=True)
    error = obj(state.get("error")).get("message", state.get("error"))
    output = state.get("output") or state.get("content") or error
    exit_code = obj(state.get("metadata", state.get("structured"))).get("exit")
    turn.result(made.call_id, output, _STATUS.get(tag(state.get("status"))), exit_code)
    return turn.message()
