"""Codex's tools: what a call does, and what its output says about how it went."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from muniment.capture.transcripts.contract import OWN_MARK
from muniment.capture.transcripts.lines import State
from muniment.capture.transcripts.pieces import (
    active,
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
from muniment.model.event import Action, Argument, Call, Origin, Result, Span, TextBuilder

_TOOLS: Mapping[str, tuple[Action, Mapping[str, str]]] = {
    "exec_command": (Action.RUN, {"cmd": "command", "workdir": "cwd"}),
    "shell": (Action.RUN, {"workdir": "cwd"}),
    "shell_command": (Action.RUN, {"workdir": "cwd"}),
    "container.exec": (Action.RUN, {"workdir": "cwd"}),
    "local_shell": (Action.RUN, {"working_directory": "cwd"}),
    "apply_patch": (Action.PATCH, {"input": "patch"}),
    "update_plan": (Action.PLAN, {}),
    "view_image": (Action.READ, {}),
    "read_file": (Action.READ, {"file_path": "path"}),
    "list_dir": (Action.SEARCH, {"dir_path": "path"}),
    "grep_files": (Action.SEARCH, {}),
    "web_search": (Action.FETCH, {}),
    "spawn_agent": (Action.DELEGATE, {"message": "prompt", "agent_type": "to"}),
    "send_input": (Action.MESSAGE, {"message": "prompt", "id": "to"}),
    "request_user_input": (Action.ASK, {}),
}
_OTHER: tuple[Action, Mapping[str, str]] = (Action.OTHER, {})
# `["bash", "-lc", "..."]`: the last string is what was run.
_SHELL_FLAG = re.compile(r"-l?c|-Command|/c", re.IGNORECASE)
_SHELL = 3
_PATCH_BEGIN, _PATCH_END = "*** Begin Patch", "*** End Patch"
# The lines that Codex puts before a command's output. Only where that begins: below, it is the command's own word.
_HEADER = re.compile(
    r"(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines|Session ID)\b[^\n]*(?:\n|\Z)"
    r"|Process (?:exited|running)\b[^\n]*(?:\n|\Z))+(?:(?:Final )?[Oo]utput:(?:\n|\Z))?"
    r"(?:Total output lines: \d+\n\n?)?"
)
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE | re.ASCII)
_WALL = re.compile(r"^Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds", re.MULTILINE | re.ASCII)
# What the parse state keeps of a call until its output comes: its action, or who speaks in the output.
_OWN, _WEB, _AGENT = "own", "web", "agent"
_AGENTS = frozenset({"spawn_agent", "send_input", "wait", "wait_agent", "close_agent"})
_ORIGINS = {_OWN: Origin.HARNESS, _WEB: Origin.WEB, _AGENT: Origin.AGENT, str(Action.FETCH): Origin.WEB}
_COMMANDS = frozenset({"", str(Action.RUN), str(Action.PATCH)})


def decoded(arguments: Any) -> Any:
    """A call's arguments, which stand in the record as JSON text (in some versions as an object)."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments


def call(call_id: str, tool: str, server: str, given: Any, into: TextBuilder, state: State) -> Call:
    """A tool call: the tool's name on the first line, then each string of its arguments."""
    action, names = _TOOLS.get(tool, _OTHER) if not server else _OTHER
    shown = f"{server}__{tool}" if server else tool
    into.add(shown)
    if not isinstance(given, dict):
        given = {"input" if action is Action.PATCH else "arguments": given}
    listed = given.get("command") if action is Action.RUN else None
    if isinstance(listed, list):
        given = {key: value for key, value in given.items() if key != "command"}
    arguments = spread(given, into, names)
    if isinstance(listed, list):
        arguments["command"] = _listed(listed, into)
    if action is Action.PLAN:
        active(arguments, given.get("plan"), "plan", "step")
    elif action is Action.RUN:
        action = _patched(arguments, into)
    about = _remembered(tool, server, action, arguments, into)
    if call_id and state["calls"].get(call_id) != _OWN:
        # Two calls may bear one id; what may be our own words is taken for them.
        remember(state["calls"], call_id, about)
    return Call(call_id, shown, action, arguments)


def _listed(command: list[Any], into: TextBuilder) -> Span:
    """A command given as a list of strings: what a shell was told to run, or the words one after the other."""
    words = [part for part in command if isinstance(part, str)]
    if len(words) == _SHELL and _SHELL_FLAG.fullmatch(words[1]):
        words = words[2:]
    spans = [into.add(part, " " if index else "\n") for index, part in enumerate(words)] or [into.add("")]
    return Span(spans[0].start, spans[-1].end)


def _patched(arguments: dict[str, Argument], into: TextBuilder) -> Action:
    """PATCH if the command feeds one to `apply_patch`; the patch is a part of the command."""
    span = arguments.get("command")
    if not isinstance(span, Span):
        return Action.RUN
    command = into.text[span.start : span.end]
    begin, end = command.find(_PATCH_BEGIN), command.rfind(_PATCH_END)
    if begin < 0 or end < begin or not re.search(r"\bapply_?patch\b", command[:begin]):
        return Action.RUN
    arguments["patch"] = Span(span.start + begin, span.start + end + len(_PATCH_END))
    return Action.PATCH


def _remembered(tool: str, server: str, action: Action, arguments: Mapping[str, Argument], into: TextBuilder) -> str:
    if server:
        own = is_own_tool(server.removeprefix("mcp__"))
        return _OWN if own else _WEB if reads_web(f"{server} {tool}") else str(action)
    command = arguments.get("command")
    if isinstance(command, Span) and runs_own(into.text[command.start : command.end]):
        return _OWN
    return _AGENT if tool in _AGENTS else str(action)


class Outcome(NamedTuple):
    """A call's result and whose words it holds."""

    result: Result
    origin: Origin


class _Output(NamedTuple):
    head: str
    body: str
    exit_code: int | None = None
    milliseconds: int | None = None
    ok: bool | None = None


def outcome(call_id: str, given: Any, into: TextBuilder, state: State) -> Outcome:
    """What a tool gave back, `given` in any of the forms that it has had."""
    about = state["calls"].get(call_id, "")
    found = _output(given)
    ended = state["ends"].pop(call_id, (None, None))
    exit_code = found.exit_code if found.exit_code is not None else ended[0]
    if found.head:
        into.add(found.head.rstrip("\n"))
    span = into.add(found.body)
    ok = found.ok
    if about not in _COMMANDS and about != _OWN:
        exit_code = None
    elif exit_code is not None:
        ok = exit_code == 0
    elif about == str(Action.PATCH) and found.body.startswith("Success"):
        ok = True
    milliseconds = found.milliseconds if found.milliseconds is not None else ended[1]
    return Outcome(Result(call_id, span, ok, exit_code, milliseconds), origin(about, found.body))


def origin(about: str, body: str) -> Origin:
    """Whose words a tool's output is, given what is remembered of its call."""
    if is_own(body) or (about in _COMMANDS and OWN_MARK in body):
        return Origin.HARNESS
    return _ORIGINS.get(about, Origin.TOOL)


def _output(given: Any) -> _Output:
    if isinstance(given, dict):
        inner = _output(given.get("content", given.get("output")))
        said = given.get("success")
        return inner._replace(ok=said if isinstance(said, bool) else inner.ok)
    if isinstance(given, str) and given.startswith("{") and (told := _told(given)) is not None:
        return told
    pieces = list(texts(given))
    if len(pieces) > 1 and _HEADER.fullmatch(pieces[0]):
        head, body = pieces[0], "\n".join(pieces[1:])
    else:
        whole = "\n".join(pieces)
        found = _HEADER.match(whole)
        end = found.end() if found else 0
        head, body = whole[:end], whole[end:]
    exit_code, wall = _EXIT.search(head), _WALL.search(head)
    return _Output(head, body, int(exit_code[1]) if exit_code else None, _thousand(wall[1]) if wall else None)


def _told(given: str) -> _Output | None:
    """The form `{"output": ..., "metadata": {"exit_code": 0, "duration_seconds": 0.1}}`."""
    told = decoded(given)
    metadata = told.get("metadata") if isinstance(told, dict) else None
    if not isinstance(metadata, dict) or not isinstance(told.get("output"), str):
        return None
    seconds = metadata.get("duration_seconds")
    milliseconds = _thousand(seconds) if isinstance(seconds, int | float) else None
    return _Output("", told["output"], number(metadata.get("exit_code")), milliseconds)


def _thousand(seconds: str | float) -> int | None:
    return number(float(seconds) * 1000 + 0.5)


def lasted(duration: Any) -> int | None:
    """Milliseconds of `{"secs": 1, "nanos": 2}`."""
    told = obj(duration)
    seconds = number(told.get("secs"))
    return None if seconds is None else seconds * 1000 + (number(told.get("nanos")) or 0) // 1_000_000


def printed(payload: Mapping[str, Any]) -> str:
    """What a command printed, of an event that tells of its end."""
    whole = payload.get("aggregated_output") or payload.get("formatted_output")
    if isinstance(whole, str):
        return whole
    return "\n".join(part for key in ("stdout", "stderr") if (part := word(payload.get(key))))


def answered(result: Any) -> tuple[str, bool | None]:
    """The text of an MCP answer, `{"Ok": {...}}`, `{"Err": "..."}` or the bare result, and whether it went well."""
    told = obj(result)
    if "Err" in told:
        return "\n".join(texts(told["Err"])), False
    inner = obj(told.get("Ok", told))
    failed = inner.get("isError", inner.get("is_error"))
    return "\n".join(texts(items(inner.get("content")))), failed is not True
