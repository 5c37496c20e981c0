"""Claude Code's tools: what a call does, and what its result proves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from muniment.capture.transcripts.contract import OWN_MARK
from muniment.capture.transcripts.lines import Record, State
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
from muniment.model.event import Action, Call, Origin, Result, Span, TextBuilder

_PATH = {"file_path": "path"}
_EDIT = {"file_path": "path", "old_string": "old", "new_string": "new"}
_TOOLS: Mapping[str, tuple[Action, Mapping[str, str]]] = {
    "Bash": (Action.RUN, {}),
    "Read": (Action.READ, _PATH),
    "NotebookRead": (Action.READ, {"notebook_path": "path"}),
    "Write": (Action.WRITE, _PATH),
    "Edit": (Action.EDIT, _EDIT),
    "MultiEdit": (Action.EDIT, _PATH),
    "NotebookEdit": (Action.EDIT, {"notebook_path": "path", "new_source": "new"}),
    "Glob": (Action.SEARCH, {}),
    "Grep": (Action.SEARCH, {}),
    "LS": (Action.SEARCH, {}),
    "WebFetch": (Action.FETCH, {}),
    "WebSearch": (Action.FETCH, {}),
    "web_fetch": (Action.FETCH, {}),
    "web_search": (Action.FETCH, {}),
    "Task": (Action.DELEGATE, {"subagent_type": "to"}),
    "Agent": (Action.DELEGATE, {"subagent_type": "to"}),
    "SendMessage": (Action.MESSAGE, {"recipient": "to", "message": "prompt", "content": "prompt"}),
    "TodoWrite": (Action.PLAN, {}),
    "TaskCreate": (Action.PLAN, {}),
    "TaskUpdate": (Action.PLAN, {}),
    "AskUserQuestion": (Action.ASK, {}),
}
_OTHER: tuple[Action, Mapping[str, str]] = (Action.OTHER, {})
_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,10})\b", re.ASCII)
_AGENT_TRAILER = "agentId: "
_REFUSED = "The user doesn't want to "
# What the parse state keeps of a call until its result comes: its tool, or who speaks in the result.
_OWN, _WEB = "own", "web"


def call(block: Mapping[str, Any], into: TextBuilder, state: State) -> Call:
    """A `tool_use` block: the tool's name on the first line, then each string of its input."""
    tool = word(block.get("name")) or "?"
    call_id = word(block.get("id")) or ""
    action, names = _TOOLS.get(tool, _OTHER)
    into.add(tool)
    given = block.get("input")
    arguments = spread(given, into, names) if given is not None else {}
    if action is Action.PLAN:
        _plan(tool, obj(given), arguments)
    if call_id and state["calls"].get(call_id) != _OWN:
        # Two calls may bear one id; what may be our own words is taken for them.
        remember(state["calls"], call_id, _remembered(tool, obj(given)))
    return Call(call_id, tool, action, arguments)


def _plan(tool: str, given: Mapping[str, Any], arguments: dict[str, Any]) -> None:
    if tool == "TodoWrite":
        active(arguments, given.get("todos"), "todos", "content")
    elif given.get("status") == "in_progress" or tool == "TaskCreate":
        taken = arguments.get("activeForm", arguments.get("subject")) if tool == "TaskUpdate" else None
        if isinstance(taken, Span):
            arguments["active"] = taken


def _remembered(tool: str, given: Mapping[str, Any]) -> str:
    if tool.startswith("mcp__"):
        server, _, name = tool[5:].partition("__")
        # A plugin's server is called plugin_<plugin>_<server>.
        if is_own_tool(server) or is_own_tool(server.rpartition("_")[2]):
            return _OWN
        return _WEB if reads_web(f"{server} {name}") else tool
    if tool == "Bash" and runs_own(word(given.get("command")) or ""):
        return _OWN
    return tool


class Answer:
    """The `tool_result` blocks of one record, as they are put together."""

    __slots__ = ("_structured", "_tools", "flags", "origins", "results", "text")

    def __init__(self, record: Record, tools: Mapping[str, str], blocks: list[Any]) -> None:
        self.text = TextBuilder()
        self.results: list[Result] = []
        self.origins: set[Origin] = set()
        self.flags: list[str] = []
        self._tools = tools
        one = sum(obj(block).get("type") == "tool_result" for block in blocks) == 1
        # `toolUseResult` stands beside the message and does not say which block it is about.
        self._structured = obj(record.get("toolUseResult")) if one else obj(None)

    def add(self, block: Mapping[str, Any]) -> None:
        """One block: its output as a span, and what the record says about how it went."""
        call_id = word(block.get("tool_use_id")) or ""
        tool = self._tools.get(call_id, "")
        pieces = list(texts(block.get("content")))
        trailer = pieces.pop() if len(pieces) > 1 and pieces[-1].startswith(_AGENT_TRAILER) else None
        span = self._pieces(pieces)
        if trailer is not None:
            self.text.add(trailer)
        output = "\n".join(pieces)
        ok = block.get("is_error") is not True
        self.origins.add(self._origin(tool, output))
        if not ok and output.startswith(_REFUSED):
            self.flags.append("refused")
        if tool == "AskUserQuestion" and ok:
            self.flags.append("answer")
        digest = _proved(tool, self._structured) if ok and self._structured else None
        milliseconds = self._milliseconds() if self._structured else None
        self.results.append(Result(call_id, span, ok, self._exit(tool, ok, output), milliseconds, digest))

    def _pieces(self, pieces: list[str]) -> Span:
        spans = [self.text.add(piece) for piece in pieces] or [self.text.add("")]
        return Span(spans[0].start, spans[-1].end)

    def _origin(self, tool: str, output: str) -> Origin:
        # Bash may print us anywhere in its output; a file that only speaks of us is still a file.
        if tool == _OWN or is_own(output) or (self._is_shell(tool) and OWN_MARK in output):
            return Origin.HARNESS
        action = _TOOLS.get(tool, _OTHER)[0]
        if tool == _WEB or action is Action.FETCH:
            return Origin.WEB
        return Origin.AGENT if action is Action.DELEGATE or "agentId" in self._structured else Origin.TOOL

    def _is_shell(self, tool: str) -> bool:
        return tool == "Bash" or (not tool and "stdout" in self._structured)

    def _exit(self, tool: str, ok: bool, output: str) -> int | None:
        if not self._is_shell(tool):
            return None
        if not ok:
            found = _EXIT.match(output)
            return int(found[1]) if found else None
        told = self._structured
        # Still running, cut short, or a code that Claude Code reads as success although it is not 0 (grep's 1).
        if told.get("backgroundTaskId") or told.get("interrupted") or told.get("returnCodeInterpretation"):
            return None
        return 0

    def _milliseconds(self) -> int | None:
        told = self._structured
        found = number(told.get("durationMs", told.get("totalDurationMs")))
        return found if found is None or found >= 0 else None


def _proved(tool: str, told: Mapping[str, Any]) -> str | None:
    """The hash of the whole file that a result shows, where it shows the whole."""
    file = told.get("file")
    if isinstance(file, dict) and tool in {"Read", ""}:
        whole = file.get("startLine") == 1 and file.get("numLines") == file.get("totalLines") is not None
        content = file.get("content")
        return file_hash(content) if whole and isinstance(content, str) else None
    if tool in {"Write", ""} and "structuredPatch" in told and isinstance(told.get("content"), str):
        return file_hash(told["content"])
    if tool in {"Edit", "MultiEdit", ""} and not told.get("userModified"):
        return _edited(told)
    return None


def _edited(told: Mapping[str, Any]) -> str | None:
    before = told.get("originalFile", told.get("originalFileContents"))
    edits = items(told.get("edits")) or [told]
    for edit in edits:
        if not isinstance(before, str) or not isinstance(edit, dict):
            return None
        old, new = edit.get("old_string", edit.get("oldString")), edit.get("new_string", edit.get("newString"))
        every = edit.get("replace_all", edit.get("replaceAll")) is True
        before = _replaced(before, old, new, every) if isinstance(old, str) and isinstance(new, str) else None
    return file_hash(before) if isinstance(before, str) else None


def _replaced(before: str, old: str, new: str, every: bool) -> str | None:
    """What the Edit tool makes of a file; None where that is not certain."""
    if not old:
        return new if not before else None
    if not new and not old.endswith("\n") and old + "\n" in before:
        # Deleting the text of a line deletes its end as well.
        old += "\n"
    found = before.count(old)
    if not found or (found > 1 and not every):
        return None
    return before.replace(old, new)
