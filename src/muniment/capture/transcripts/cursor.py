"""Cursor: conversations in the editor's key-value store, and the JSON Lines transcripts of its agents.

In the store (`cursorDiskKV`) a conversation is `composerData:<id>` with the order of its bubbles, which are rows
`bubbleId:<id>:<bubble>`; the oldest have them inline. Bubbles are edited in place while an answer streams: the
conversation's `lastUpdatedAt` tells. A bubble of a tool has the call and its result. The folder is in the conversation
since 3.12, before that only the store of each workspace says which conversations are its own. Transcripts
(`agent-transcripts/<id>/<id>.jsonl`) are messages with blocks; sub-agents lie in `subagents` below. The person's words
stand between `<user_query>` tags, behind what the editor adds. A transcript's folder is the one whose path gives the
project's name, where this machine has it. Compaction leaves no trace in either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Cursor as Place
from muniment.capture.transcripts.contract import Item, Source
from muniment.capture.transcripts.editors import folder_named, local_path, user_folders, workspace_of
from muniment.capture.transcripts.lines import LineAdapter, Parsed, State
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.tools import decoded
from muniment.capture.transcripts.turns import Turn, fresh, when
from muniment.model.event import SessionInfo

_QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)
_TOOL = 15
_OUTPUTS = ("output", "contents", "content", "result", "error", "stdout")
_STATUS = {"completed": True, "error": False, "cancelled": False, "rejected": False}


class CursorEditor(StoreAdapter):
    """Reads the editor's `globalStorage/state.vscdb` and the agents' transcripts."""

    name = "cursor"
    checked: tuple[str, ...] = ("2026.06.24", "store v3")
    tables = ("cursorDiskKV",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The store of the editor on each platform, and the projects in the home folder."""
        yield from (user / "globalStorage" for user in user_folders(home, variables, platform, ("Cursor",)))
        yield home / ".cursor" / "projects"

    def sources(self, place: Path) -> Iterator[Path]:
        """The store, or the transcripts, each before its sub-agents."""
        if place.is_file():
            yield place
        elif (place / "state.vscdb").is_file():
            yield place / "state.vscdb"
        else:
            found = place.glob("*/agent-transcripts/**/*.jsonl")
            yield from sorted(found, key=lambda path: path.with_suffix("").parts)

    def recognises(self, path: Path, head: bytes) -> bool:
        """A store with this editor's own table; a transcript by its folder, or by how its lines begin."""
        if head.startswith(MAGIC):
            return b"cursorDiskKV" in head
        plain = b'"role":"user","message":{' in head[:4096].replace(b'": ', b'":').replace(b', "', b',"')
        return path.suffix == ".jsonl" and (
            "agent-transcripts" in path.parts or (plain and b'"uuid"' not in head[:4096])
        )

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002
        """A transcript is named by its file; a sub-agent also by its parent."""
        parent = path.parents[1].name if path.parent.name == "subagents" else None
        state = fresh(f"{parent}/{path.stem}" if parent else path.stem, side=bool(parent), parent=parent, told=False)
        parts = path.absolute().parts
        project = parts[parts.index("agent-transcripts") - 1] if "agent-transcripts" in parts else ""
        return {**state, "cwd": folder_named(project)}

    def read(self, source: Source, cursor: Place | None) -> Iterator[Item]:
        """Everything new since `cursor`."""
        if source.path.suffix == ".jsonl":
            return LineAdapter.read(self, source, cursor)
        return super().read(source, cursor)

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Conversations. A row that is replaced gets another number, so that the numbers tell of changes."""
        sql = "SELECT key, rowid AS n, length(value) AS size FROM cursorDiskKV WHERE key >= ? AND key < ? ORDER BY key"
        many = "SELECT count(*) AS many, sum(rowid) AS total FROM cursorDiskKV WHERE key >= ? AND key < ?"
        for row in db.rows(sql, "composerData:", "composerData;"):
            key = str(row["key"]).partition(":")[2]
            bubbles = db.rows(many, f"bubbleId:{key}:", f"bubbleId:{key};")[0]
            yield key, f"{row['n']} {row['size']} {bubbles['many']} {bubbles['total']}"

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:
        """A conversation's bubbles in their order."""
        told = obj(decoded(_value(db, f"composerData:{key}")))
        place = obj(obj(told.get("workspaceIdentifier")).get("uri"))
        cwd = word(place.get("fsPath")) or local_path(word(place.get("external"))) or _workspaces(db, source).get(key)
        state = fresh(key, changed=when(told.get("lastUpdatedAt")), live=_live(told))
        state["model"] = word(obj(told.get("modelConfig")).get("modelName"))
        begun = when(told.get("createdAt"))
        state["begun"] = begun
        return Section(state, SessionInfo(key, self.name, cwd=cwd, started_at=begun), _bubbles(db, key, told))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A bubble, or a line."""
        return self._line(turn) if "told" in turn.state else _bubble(turn)

    def _line(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        at = when(turn.record.get("timestamp"))
        event = _said(turn.know(at=at))
        if turn.state["told"]:
            return event
        turn.state["told"] = True
        state = turn.state
        return SessionInfo(turn.session, self.name, parent=state["parent"], cwd=state["cwd"], started_at=at), event


def _live(told: Mapping[str, Any]) -> list[str]:
    """The bubbles behind the person's last words: only these are still written to."""
    found: list[str] = []
    for header in map(obj, items(told.get("fullConversationHeadersOnly"))):
        found = [] if header.get("type") == 1 else [*found, str(header.get("bubbleId"))]
    return found


def _value(db: ForeignRows, key: str) -> Any:
    rows = db.rows("SELECT CAST(value AS BLOB) AS value FROM cursorDiskKV WHERE key = ?", key)
    return rows[0]["value"] if rows else None


def _bubbles(db: ForeignRows, key: str, told: Mapping[str, Any]) -> Iterator[Any]:
    yield from items(told.get("conversation"))
    for header in items(told.get("fullConversationHeadersOnly")):
        bubble = word(obj(header).get("bubbleId"))
        value = _value(db, f"bubbleId:{key}:{bubble}") if bubble else None
        # A bubble that was not written (yet) is a header only.
        yield decoded(value) if value is not None else {"bubbleId": bubble, "missing": True}


def _workspaces(db: ForeignRows, source: Source) -> Mapping[str, str]:
    """Which folder a conversation belongs to, from the stores of all workspaces; looked up once a pass."""
    if "workspaces" not in db.memo:
        db.memo["workspaces"] = found = dict[str, str]()
        for store in sorted(source.path.absolute().parents[1].glob("workspaceStorage/*/state.vscdb")):
            folder = workspace_of(store.parent)
            for entry in _listed(store, source) if folder else ():
                found.setdefault(str(obj(entry).get("composerId")), str(folder))
    return dict(db.memo["workspaces"])


def _listed(store: Path, source: Source) -> list[Any]:
    inner = None
    try:
        inner = ForeignRows(Source(store, source.open_database))
        rows = inner.rows("SELECT value FROM ItemTable WHERE key = ?", "composer.composerData")
        return items(obj(decoded(rows[0]["value"])).get("allComposers")) if rows else []
    except OSError:
        return []
    finally:
        if inner is not None:
            inner.close()


def _bubble(turn: Turn) -> Parsed:
    record, state = turn.record, turn.state
    if record.get("missing") is True:
        return turn.noise("bubble/missing")
    timing = obj(record.get("timingInfo"))
    at = when(record.get("createdAt"), timing.get("clientStartTime")) or (state["begun"] if not turn.ordinal else None)
    bubble = word(record.get("bubbleId"))
    turn.know(at=at, native_id=bubble, updated_at=state["changed"] if bubble in state["live"] else None)
    if record.get("type") == 1:
        return turn.heard(_typed(texts(record.get("text"))))
    if record.get("type") != 2:
        return turn.unknown(f"bubble/{tag(record.get('type'))}")
    spent = obj(record.get("tokenCount"))
    turn.know(model=word(obj(record.get("modelInfo")).get("modelName")) or state["model"])
    turn.know(tokens_in=number(spent.get("inputTokens")) or None, tokens_out=number(spent.get("outputTokens")) or None)
    tool = obj(record.get("toolFormerData"))
    turn.think([obj(record.get("thinking")).get("text")])
    turn.say(record.get("text"))
    if tool.get("name") or record.get("capabilityType") == _TOOL:
        _used(turn, tool)
    return turn.message()


def _used(turn: Turn, tool: Mapping[str, Any]) -> None:
    given = decoded(tool.get("rawArgs")) or decoded(tool.get("params"))
    made = turn.call(tool.get("toolCallId"), tool.get("name"), given)
    if tool.get("userDecision") == "rejected":
        turn.flag("refused")
    result = decoded(tool.get("result"))
    if result is None and tag(tool.get("status")) not in _STATUS:
        return
    told = obj(result)
    pieces = [text for key in _OUTPUTS if (text := word(told.get(key))) is not None]
    output = pieces or ([result] if isinstance(result, str) else [word(tool.get("result")) or ""])
    exit_code = told.get("exitCode", told.get("exitCodeV2"))
    turn.result(made.call_id, output, _STATUS.get(tag(tool.get("status"))), exit_code)


def _typed(pieces: Iterable[str]) -> list[str]:
    return [found[1] if (found := _QUERY.search(piece)) else piece for piece in pieces]


def _said(turn: Turn) -> Parsed:
    record = turn.record
    content = obj(record.get("message")).get("content")
    if "event" in record or tag(record.get("type")) == "turn_ended":
        return turn.noise(f"event/{tag(record.get('event'))}")
    role = tag(record.get("role"))
    has_results = any(obj(block).get("type") == "tool_result" for block in items(content))
    if role == "user" and not has_results:
        return turn.heard(_typed(texts(content)))
    if role not in ("user", "assistant", "tool"):
        return turn.unknown(f"role/{role}")
    if has_results:
        content = [block for block in items(content) if obj(block).get("type") == "tool_result"]
    turn.blocks(content)
    return turn.message()
