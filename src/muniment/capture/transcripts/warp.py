"""Warp: a database with a protocol buffer a task; a conversation has a root task and, for its sub-agents, others.

Tasks are written anew as they grow. `ai_queries` has the prompts once more, with the folder and the model; where it has
no tasks (older versions, or answers kept at the vendor's), the prompts are all there is. Messages are read by the public
schema (`warp.multi_agent.v1`), and their bytes stay in the raw record. Compaction is a `summarization`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts import tools
from muniment.capture.transcripts.contract import Source
from muniment.capture.transcripts.editors import data_folder
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, remember, word
from muniment.capture.transcripts.protobuf import Field, decode, wire
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.turns import INJECTED, SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo

_ERROR = Field("error", {1: Field("message")}, arm=True)
_FILE = {1: Field("file_path"), 2: Field("content")}
_DIFF = {1: Field("file_path"), 2: Field("search"), 3: Field("replace")}
_HUNKS = {1: Field("file_path"), 2: Field("move_to"), 3: Field("hunks", {3: Field("old"), 4: Field("new")}, many=True)}
_FINISHED = {1: Field("output"), 2: Field("exit_code", "int")}
_FILES = {1: Field("files", _FILE, many=True)}
_ANY_FILES = {1: Field("files", {6: Field("text", _FILE)}, many=True)}
_DONE = {
    2: Field("updated", {1: Field("file", _FILE)}, many=True),
    3: Field("deleted", {1: Field("file_path")}, many=True),
}
_RESOURCE = {1: Field("uri"), 2: Field("text", {1: Field("content")})}
_TOOL_CALL = {
    1: Field("id"),
    2: Field("run_shell_command", {1: Field("command")}, arm=True),
    3: Field("search_codebase", {1: Field("query"), 3: Field("path")}, arm=True),
    4: Field("server", {1: Field("payload")}, arm=True),
    5: Field("read_files", {1: Field("files", {1: Field("name")}, many=True)}, arm=True),
    6: Field(
        "apply_file_diffs",
        {
            1: Field("summary"),
            2: Field("diffs", _DIFF, many=True),
            3: Field("new_files", _FILE, many=True),
            4: Field("deleted_files", {1: Field("file_path")}, many=True),
            5: Field("v4a_updates", _HUNKS, many=True),
        },
        arm=True,
    ),
    9: Field("grep", {1: Field("queries", many=True), 2: Field("path")}, arm=True),
    10: Field("glob", {1: Field("patterns", many=True), 2: Field("path")}, arm=True),
    12: Field("call_mcp_tool", {1: Field("name"), 2: Field("args", "struct"), 3: Field("server_id")}, arm=True),
    15: Field("glob", {1: Field("patterns", many=True), 2: Field("path")}, arm=True),
    19: Field("subagent", {1: Field("to"), 2: Field("prompt")}, arm=True),
    29: Field("start_agent", {1: Field("to"), 2: Field("prompt")}, arm=True),
    30: Field("send_message", {1: Field("to"), 2: Field("subject"), 3: Field("message")}, arm=True),
}
_MCP_RESULT = {1: Field("text", {1: Field("text")}, arm=True), 3: Field("resource", _RESOURCE, arm=True)}
_TOOL_RESULT = {
    1: Field("id"),
    2: Field(
        "run_shell_command",
        {**_FINISHED, 5: Field("finished", _FINISHED, arm=True), 6: Field("denied", {}, arm=True)},
        arm=True,
    ),
    4: Field("server", {1: Field("text")}, arm=True),
    5: Field(
        "read_files",
        {1: Field("success", _FILES, arm=True), 2: _ERROR, 3: Field("success", _ANY_FILES, arm=True)},
        arm=True,
    ),
    6: Field("apply_file_diffs", {1: Field("success", _DONE, arm=True), 2: _ERROR}, arm=True),
    9: Field(
        "grep",
        {1: Field("success", {1: Field("matched", {1: Field("file_path")}, many=True)}, arm=True), 2: _ERROR},
        arm=True,
    ),
    10: Field("glob", {1: Field("success", {1: Field("matched")}, arm=True), 2: _ERROR}, arm=True),
    14: Field("cancel", {}, arm=True),
    16: Field(
        "call_mcp_tool",
        {1: Field("success", {1: Field("results", _MCP_RESULT, many=True)}, arm=True), 2: _ERROR},
        arm=True,
    ),
    19: Field(
        "glob",
        {1: Field("success", {1: Field("matched", {1: Field("file_path")}, many=True)}, arm=True), 2: _ERROR},
        arm=True,
    ),
    23: Field("subagent", {1: Field("text")}, arm=True),
}
_MESSAGE = {
    1: Field("id"),
    13: Field("request_id"),
    14: Field("timestamp", {1: Field("seconds", "int"), 2: Field("nanos", "int")}),
    2: Field("user_query", {1: Field("query")}, arm=True),
    3: Field("agent_output", {1: Field("text")}, arm=True),
    4: Field("tool_call", _TOOL_CALL, arm=True),
    5: Field("tool_call_result", _TOOL_RESULT, arm=True),
    6: Field("server_event", {}, arm=True),
    9: Field("system_query", {1: Field("auto_code_diff", {1: Field("query")})}, arm=True),
    10: Field("update_todos", {}, arm=True),
    15: Field("agent_reasoning", {1: Field("reasoning")}, arm=True),
    16: Field("summarization", {1: Field("conversation", {1: Field("summary")})}, arm=True),
    25: Field("model_used", {1: Field("model_id")}, arm=True),
}
_TASK = {1: Field("id"), 3: Field("dependencies", {1: Field("parent_task_id")})}
_NOISE = ("server_event", "update_todos", "model_used")
_PLACES = {
    "darwin": "Library/Group Containers/2BBY89MBSN.dev.warp/Library/Application Support/dev.warp.Warp-Stable",
    "linux": ".local/state/warp-terminal",
}


class Warp(StoreAdapter):
    """Reads `warp.sqlite`."""

    name = "warp"
    checked: tuple[str, ...] = ("layout of 2026-08",)
    tables = ("agent_tasks", "ai_queries")

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The state folder of each platform."""
        state = variables.get("XDG_STATE_HOME")
        if platform == "win32":
            yield data_folder(home, variables, platform) / "warp" / "Warp" / "data"
        elif platform == "linux" and state:
            yield Path(state) / "warp-terminal"
        else:
            yield home / _PLACES.get(platform, _PLACES["linux"])

    def sources(self, place: Path) -> Iterator[Path]:
        """The database."""
        yield from below(place, "warp.sqlite")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name and first bytes."""
        return head.startswith(MAGIC) and path.name.startswith("warp") and path.suffix == ".sqlite"

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Tasks, then conversations that have prompts and no task."""
        if db.table("agent_tasks"):
            for row in db.rows(
                "SELECT conversation_id, task_id, last_modified_at, length(task) AS size FROM agent_tasks ORDER BY id"
            ):
                yield json.dumps([row["conversation_id"], row["task_id"]]), f"{row['last_modified_at']} {row['size']}"
        if db.table("ai_queries"):
            for row in db.rows("SELECT conversation_id, count(*) AS total FROM ai_queries GROUP BY conversation_id"):
                if not _tasks(db, str(row["conversation_id"])):
                    yield json.dumps([row["conversation_id"], None]), str(row["total"])

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:  # noqa: ARG002 - the database holds all
        """The messages of one task, or the prompts of a conversation without one."""
        conversation, task = json.loads(key)
        asked = db.whole("ai_queries", "WHERE conversation_id = ? ORDER BY id", conversation)
        about = next((row for row in asked if row.get("working_directory")), {})
        known = {
            "cwd": word(about.get("working_directory")),
            "started_at": when(asked[0].get("start_ts")) if asked else None,
        }
        models = {str(row.get("exchange_id")): row.get("model_id") for row in asked}
        if task is None:
            return Section(fresh(str(conversation)), SessionInfo(str(conversation), self.name, **known), asked)
        root = task == next(iter(_tasks(db, conversation)), None)
        session = str(conversation) if root else f"{conversation}/{task}"
        rows = db.rows("SELECT task FROM agent_tasks WHERE task_id = ?", task)
        data = rows[0]["task"] if rows else ""
        data = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else b""
        side, records = _messages(data)
        info = SessionInfo(session, self.name, parent=None if root else str(conversation), **known)
        return Section(fresh(session, models=models, parts={}, side=side), info, records)

    def turn(self, turn: Turn) -> Parsed:
        """A message."""
        if "message" not in turn.record:
            return _query(turn)
        message = obj(turn.record.get("message"))
        stamp = obj(message.get("timestamp")).get("seconds")
        turn.know(at=when(stamp) if stamp else None, native_id=word(message.get("id")))
        kind = next((field.name for field in _MESSAGE.values() if field.arm and field.name in message), "none")
        held = obj(message.get(kind))
        if kind == "user_query":
            return turn.heard([word(held.get("query")) or ""])
        if kind == "tool_call_result":
            return _result(turn, held)
        if kind == "system_query":
            return turn.note("\n".join(_strings(held)), *INJECTED)
        if kind == "summarization":
            return turn.event(SUMMARY, "\n".join(_strings(held)), ("compaction",))
        turn.know(model=word(turn.state["models"].get(message.get("request_id"))))
        if kind == "tool_call":
            return _call(turn, held)
        if kind not in ("agent_reasoning", "agent_output"):
            return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)
        turn.think(held.get("reasoning"))
        turn.say(held.get("text"))
        return turn.message()


def _tasks(db: ForeignRows, conversation: str) -> list[str]:
    if not db.table("agent_tasks"):
        return []
    found = db.rows("SELECT task_id FROM agent_tasks WHERE conversation_id = ? ORDER BY id", conversation)
    return [str(row["task_id"]) for row in found]


def _messages(data: bytes) -> tuple[bool, list[Any]]:
    """Whether a task belongs to a sub-agent, and its messages; one that cannot be read is kept as it is."""
    try:
        side = bool(obj(decode(data, _TASK).get("dependencies")).get("parent_task_id"))
        parts = [value for number, value in wire(data) if number == 5 and isinstance(value, bytes)]
    except ValueError:
        return False, [b64encode(data).decode()]
    records: list[Any] = []
    for part in parts:
        packed = b64encode(part).decode()
        try:
            records.append({"message": decode(part, _MESSAGE), "wire": packed})
        except ValueError:
            records.append(packed)
    return side, records


def _query(turn: Turn) -> Parsed:
    turn.know(at=when(turn.record.get("start_ts")), native_id=word(turn.record.get("exchange_id")))
    given = tools.decoded(turn.record.get("input"))
    said = [given] if isinstance(given, str) else [word(obj(each).get("query")) or "" for each in items(given)]
    return turn.heard(said)


def _call(turn: Turn, held: Mapping[str, Any]) -> Parsed:
    name = next((key for key in held if key != "id"), "?")
    given, call = obj(held.get(name)), word(held.get("id")) or f"{turn.ordinal}"
    if name == "call_mcp_tool":
        tool = word(given.get("name")) or "?"
        ours = tools.known(tool).about == tools.OWN
        turn.call(call, tool if ours else f"mcp__{word(given.get('server_id')) or ''}__{tool}", given.get("args"))
        return turn.message()
    parts = list(_parts(name, given))
    for index, (tool, args) in enumerate(parts):
        turn.call(f"{call}.{index}" if index else call, tool, args, formats=True)
    remember(turn.state["parts"], call, len(parts), 512)
    return turn.message()


def _parts(name: str, given: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A call for several files as one for each."""
    if name == "read_files":
        yield from (("read_files", {"path": obj(file).get("name")}) for file in items(given.get("files")))
    elif name == "apply_file_diffs":
        for each in map(obj, items(given.get("diffs"))):
            yield "edit", {"path": each.get("file_path"), "old": each.get("search"), "new": each.get("replace")}
        for each in map(obj, items(given.get("v4a_updates"))):
            yield "edit", {"path": each.get("file_path"), "hunks": each.get("hunks")}
        for each in map(obj, items(given.get("new_files"))):
            yield "create", {"path": each.get("file_path"), "content": each.get("content")}
        for each in map(obj, items(given.get("deleted_files"))):
            yield "delete", {"path": each.get("file_path")}
    else:
        yield name, given


def _result(turn: Turn, held: Mapping[str, Any]) -> Parsed:
    name = next((key for key in held if key != "id"), "none")
    given, call = obj(held.get(name)), word(held.get("id")) or ""
    if name == "cancel":
        turn.flag("interrupted")
    ok, ended, text = _outcome(name, given)
    turn.result(call, text, ok, ended)
    for index in range(1, number(turn.state["parts"].get(call)) or 0):
        turn.result(f"{call}.{index}", "", ok)
    return turn.message()


def _outcome(name: str, given: Mapping[str, Any]) -> tuple[bool | None, int | None, str]:
    if name == "run_shell_command":
        finished = obj(given.get("finished"))
        told = finished if "finished" in given else given
        # A number that is zero is not written, so that no code beside an output means zero.
        ended = number(told.get("exit_code", 0)) if "finished" in given or "output" in given else None
        return (False if "denied" in given else None), ended, word(told.get("output")) or ""
    ok = False if "error" in given or name == "cancel" else True if "success" in given else None
    return ok, None, "\n".join(_strings(given))


def _strings(value: Any) -> Iterator[str]:
    """Every text in a decoded message, in order."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)
