"""Copilot CLI's records as such, and those of them that are about tools: what was called, and what came back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from muniment.capture.transcripts.contract import OWN_MARK, OWN_SERVER
from muniment.capture.transcripts.lines import Parsed, Record, State
from muniment.capture.transcripts.pieces import (
    active,
    file_hash,
    is_own,
    is_own_tool,
    items,
    number,
    obj,
    reads_web,
    remember,
    runs_own,
    spread,
    texts,
    word,
)
from muniment.model.event import Action, Argument, Call, Event, Kind, Origin, Result, Role, Skipped, Span, TextBuilder
from muniment.model.time import canonical

INJECTED = ("injected",)
# What a postToolUse hook said is put behind the tool's own words.
_HOOKED = re.compile(r'\n\nTool "[^"\n]+" [^\n]{0,80}Additional guidance from [^\n]{0,80}hooks:\n')
_OPEN_CALLS = 512

_EXIT = re.compile(r"<(?:exited|shellId: [^<>\n]* completed) with exit code (-?\d{1,10})>\s*\Z")
# That is how a shell's output ends; newer versions also say it in a field of its own.

_EDIT = {"old_str": "old", "new_str": "new", "file_text": "content", "insert_line": "line"}
_TOOLS: Mapping[str, tuple[Action, Mapping[str, str]]] = {
    "bash": (Action.RUN, {}),
    "powershell": (Action.RUN, {}),
    "view": (Action.READ, {}),
    "create": (Action.WRITE, _EDIT),
    "edit": (Action.EDIT, _EDIT),
    "str_replace": (Action.EDIT, _EDIT),
    "insert": (Action.EDIT, _EDIT),
    "apply_patch": (Action.PATCH, {"input": "patch"}),
    "grep": (Action.SEARCH, {}),
    "rg": (Action.SEARCH, {}),
    "glob": (Action.SEARCH, {}),
    "web_search": (Action.SEARCH, {"query": "pattern"}),
    "web_fetch": (Action.FETCH, {}),
    "task": (Action.DELEGATE, {"agent_type": "to"}),
    "write_agent": (Action.MESSAGE, {"agent_id": "to", "message": "prompt"}),
    "report_intent": (Action.PLAN, {"intent": "active"}),
    "update_todo": (Action.PLAN, {}),
    "ask_user": (Action.ASK, {}),
}
_WEB = frozenset({"web_search", "web_fetch"})


def action_of(tool: str, given: Any) -> tuple[Action, Mapping[str, str]]:
    """What a call does, and the well-known names of its arguments."""
    if tool == "str_replace_editor":
        # One tool for all: the older versions say in `command` which.
        command = obj(_given(given)).get("command")
        return _TOOLS.get(command, (Action.OTHER, _EDIT)) if isinstance(command, str) else (Action.OTHER, _EDIT)
    return _TOOLS.get(tool, (Action.OTHER, {}))


def arguments_of(builder: TextBuilder, action: Action, given: Any, names: Mapping[str, str]) -> dict[str, Argument]:
    """The arguments, which may come as an object, as JSON text, or (a patch) as bare text."""
    given = _given(given)
    args = spread(given, builder, names) if given is not None else {}
    if action is Action.PLAN:
        active(args, obj(given).get("todos"), "todos", "content")
    return args


def _given(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        return given
    return found if isinstance(found, dict) else given


@dataclass(frozen=True, slots=True)
class Line:
    """One record, and the session that it belongs to."""

    record: Record
    data: Mapping[str, Any]
    raw: bytes
    ordinal: int
    state: State
    session: str

    @property
    def child(self) -> bool:
        """Does it belong to a sub-agent?"""
        return bool(self.session != self.state["session"])

    @property
    def at(self) -> str | None:
        """Its time."""
        return time_of(self.record.get("timestamp"))

    def event(self, role: Role, origin: Origin, kind: Kind, text: str, **fields: Any) -> Event:
        """The event of this record."""
        known: dict[str, Any] = {
            "at": self.at,
            "native_id": word(self.record.get("id")),
            "parent_id": word(self.record.get("parentId")),
            "model": word(self.data.get("model")),
        }
        return Event(self.session, self.ordinal, role, origin, kind, text, self.raw, **{**known, **fields})

    def note(self, text: str, kind: Kind = Kind.NOTE, **fields: Any) -> Event:
        """The event of a record that is nobody's turn."""
        return self.event(Role.HARNESS, Origin.HARNESS, kind, text, **fields)

    def noise(self) -> Skipped:
        """No event, and known to be none."""
        return Skipped(f"noise:{self.record.get('type')}", 0)


def time_of(value: Any) -> str | None:
    """The stored form of a time, or None."""
    return canonical(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def call_of(line: Line, builder: TextBuilder, asked: Mapping[str, Any], name: Any, stage: str) -> Call:
    """A call out of a request or a start, remembered for its result."""
    tool = word(name) or "-".join(filter(None, (word(asked.get("mcpServerName")), word(asked.get("mcpToolName")))))
    builder.add(tool)
    action, names = action_of(tool, asked.get("arguments"))
    args = arguments_of(builder, action, asked.get("arguments"), names)
    call = Call(_id(asked.get("toolCallId")) or word(line.record.get("id")) or "", tool, action, args)
    told: State = {"tool": tool, "action": action.value, "stage": stage, "session": line.session}
    if is_own_tool(word(asked.get("mcpServerName")) or "") or tool.startswith(OWN_SERVER + "-"):
        told["own"] = True
    command, content = args.get("command"), args.get("content")
    if action is Action.RUN and isinstance(command, Span):
        told["own"] = runs_own(builder.text[command.start : command.end])
    if action is Action.WRITE and isinstance(content, Span):
        told["hash"] = file_hash(builder.text[content.start : content.end])
    remember(line.state["calls"], call.call_id, told, _OPEN_CALLS)
    return call


def _id(value: Any) -> str | None:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else word(value)


def began(line: Line) -> Iterable[Parsed]:
    """The start of a tool repeats what the assistant asked for; it is the call only where nobody announced it."""
    told = line.state["calls"].get(_id(line.data.get("toolCallId")))
    if told and (told["stage"] == "asked" or told["tool"] == word(line.data.get("toolName"))):
        told["stage"] = "begun"
        yield line.noise()
        return
    builder = TextBuilder()
    call = call_of(line, builder, line.data, line.data.get("toolName"), "begun")
    yield line.event(Role.ASSISTANT, Origin.MODEL, Kind.CALL, builder.text, calls=(call,))


def requested(line: Line) -> Iterable[Parsed]:
    """A tool that the person ran by hand."""
    builder = TextBuilder()
    call = call_of(line, builder, line.data, line.data.get("toolName"), "asked")
    role, origin = (Role.USER, Origin.AGENT) if line.child else (Role.USER, Origin.PERSON)
    yield line.event(role, origin, Kind.COMMAND, builder.text, calls=(call,))


def done(line: Line) -> Iterable[Parsed]:
    """What a tool gave back."""
    call_id = _id(line.data.get("toolCallId")) or ""
    told = _closed(line.state, call_id)
    text = _output(line.data)
    exit_code = _exit_code(line, told, text)
    ok = line.data.get("success") if isinstance(line.data.get("success"), bool) else None
    ok = False if ok and exit_code else ok
    proof = told.get("hash") if ok else None
    result = Result(call_id, Span(0, len(text)), ok, exit_code, number(line.data.get("durationMs")), proof)
    role, origin, flags = _result_speaker(told, text)
    yield line.event(role, origin, Kind.RESULT, text, results=(result,), flags=flags)


def _closed(state: State, call_id: str) -> State:
    """What was remembered of a call. Once answered it makes room, but a second answer is still known for what it is."""
    told: State = state["calls"].pop(call_id, None) or state["done"].get(call_id) or {}
    if told:
        remember(state["done"], call_id, told)
    return told


def _output(data: Mapping[str, Any]) -> str:
    output = obj(data.get("result"))
    content = output.get("content")
    text = content if isinstance(content, str) else "\n".join(texts(output.get("contents")))
    text = text or word(obj(data.get("error")).get("message")) or ""
    hooked = [found.start() for found in _HOOKED.finditer(text)]
    return text[: hooked[-1]] if hooked else text


def _exit_code(line: Line, told: Mapping[str, Any], text: str) -> int | None:
    said = number(obj(line.data.get("shellExecution")).get("exitCode"))
    for block in items(obj(line.data.get("result")).get("contents")):
        said = number(obj(block).get("exitCode")) if said is None else said
    # Only a shell's own last line: any file that is read may hold such words.
    parsed = _EXIT.search(text) if said is None and told.get("action") == Action.RUN else None
    return int(parsed[1]) if parsed else said


def _result_speaker(told: Mapping[str, Any], text: str) -> tuple[Role, Origin, tuple[str, ...]]:
    tool, action = str(told.get("tool")), told.get("action")
    if told.get("own") or is_own(text) or (action == Action.RUN and OWN_MARK in text):
        return Role.HARNESS, Origin.HARNESS, INJECTED
    if tool in _WEB or (tool not in _TOOLS and reads_web(tool)):
        return Role.TOOL, Origin.WEB, ()
    # What a sub-agent answers is its own words: coming out of a tool gives them no more authority.
    return Role.TOOL, Origin.AGENT if action == Action.DELEGATE else Origin.TOOL, ()
