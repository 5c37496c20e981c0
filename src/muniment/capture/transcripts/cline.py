"""Cline, Roo Code and the first Kilo Code: a folder a task, with JSON documents that are rewritten whole.

`api_conversation_history.json` (older: `claude_messages.json`) is the conversation, in Anthropic's shape; Cline's command
line writes `<id>.messages.json` with the same messages and more about each. `ui_messages.json` is what was shown: where
the conversation is there too, only tokens and summaries are taken from it, as a session `<task>/ui`.

What the harness puts into the user's turn: `<environment_details>`, hooks' `<hook_context>` (in messages of their own
whose `displayRole` is system), results of tools in the form `[tool for 'x'] Result:` (the versions that called tools in
XML). Compaction: `condense_context` among what was shown, messages with `isSummary`. Sub-agents are tasks of their own.
The history may be cut and edited in place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from muniment.capture.transcripts.editors import user_folders
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section, load
from muniment.capture.transcripts.tools import decoded
from muniment.capture.transcripts.turns import SUMMARY, Turn, fresh, when
from muniment.model.event import Action, SessionInfo

_API, _OLD, _UI = "api_conversation_history.json", "claude_messages.json", "ui_messages.json"
_TASK_FILES = (_API, _OLD, _UI)
_FOLDER = re.compile(r"Current (?:Workspace|Working) Directory \(([^)\n]+)\)")
_MODEL = re.compile(r"<model>([^<\n]+)</model>")
_TYPED = re.compile(r"\s*<(task|feedback|user_message|user_input|answer)(?: [^>]*)?>\s*(.*?)\s*</\1>\s*", re.DOTALL)
_XML_RESULT = re.compile(r"\[(\w+)(?: for [^\n]*)?\] Result:\s*")
_XML_CALL = re.compile(
    r"<(execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_files|list_files|"
    r"new_task|use_mcp_tool|browser_action|ask_followup_question|update_todo_list)>\n?(.*?)</\1>",
    re.DOTALL,
)
# Pieces of a user's turn that the harness wrote.
_ASIDE = re.compile(
    r"\s*(?:<environment_details>|<explicit_instructions|\[(?:TASK RESUMPTION|ERROR|NOTE|DUPLICATE FILE READ)\b"
    r"|# (?:task_progress|TODO LIST|Todo List)\b)"
)
_XML_ARGUMENT = re.compile(r"<(\w+)>\n?(.*?)\n?</\1>", re.DOTALL)
_UI_NOISE = frozenset(
    "api_req_finished api_req_retried api_req_retry_delayed api_req_deleted api_req_rate_limit_wait checkpoint_saved"
    " shell_integration_warning mcp_server_request_started mcp_server_response completion_result_changes"
    " codebase_search_result subtask_result resume_task resume_completed_task command_output_ask mistake_limit_reached"
    " tool_ask followup use_mcp_server browser_action_launch browser_action browser_action_result load_mcp_documentation"
    " info task_progress hook_status hook_output_stream diff_error deleted_api_reqs user_feedback_diff"
    " condense_context_error sliding_window_truncation image error_retry".split()
)


class Cline(DocumentAdapter):
    """Reads the tasks of the extension in all editors, and the sessions of the command line."""

    name = "cline"
    checked: tuple[str, ...] = ("3.0.65",)
    extensions: ClassVar[tuple[str, ...]] = ("saoudrizwan.claude-dev",)
    more_tools: ClassVar[Mapping[str, Action]] = {
        "editor": Action.EDIT,
        "applieddiff": Action.EDIT,
        "editedexistingfile": Action.EDIT,
        "newfilecreated": Action.WRITE,
    }

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The extension's storage in every editor, and the command line's."""
        for user in user_folders(home, variables, platform):
            for extension in self.extensions:
                yield user / "globalStorage" / extension / "tasks"
        if self.name == "cline":
            yield home / ".cline" / "data" / "sessions"
            yield home / ".cline" / "data" / "tasks"

    def sources(self, place: Path) -> Iterator[Path]:
        """Of each task the conversation, then what was shown."""
        if place.is_file():
            yield place
            return
        yield from sorted(place.glob("*/*.messages.json"))
        for task in sorted(path for path in place.iterdir() if path.is_dir()):
            main = next((task / name for name in (_API, _OLD) if (task / name).is_file()), None)
            yield from (path for path in (main, task / _UI) if path is not None and path.is_file())

    def recognises(self, path: Path, head: bytes) -> bool:
        """The command line's documents by their keys, an extension's task by its file and folder names."""
        if path.name.endswith(".messages.json"):
            return self.name == "cline" and b'"messages"' in head
        return path.name in _TASK_FILES and self._is_ours(path)

    def _is_ours(self, path: Path) -> bool:
        return _kind_of(path) == self.name

    def beside(self, path: Path) -> Iterable[Path]:
        """The small files that name folder and model."""
        yield path.with_name("history_item.json")
        yield _session_file(path)

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The one session of a document."""
        if path.name.endswith(".messages.json"):
            yield self._command_line(document, path)
            return
        if not isinstance(document, list):
            raise ValueError("no list of messages")
        task, shown = path.parent.name, path.name == _UI
        aside = shown and any(path.with_name(name).exists() for name in (_API, _OLD))
        state = fresh(f"{task}/ui" if aside else task, shown=shown, aside=aside, open=None)
        about = [text for message in document[:8] for text in texts(obj(message).get("content"))]
        history = _history(path, task)
        cwd = word(history.get("cwd")) or word(history.get("cwdOnTaskInitialization")) or _first(_FOLDER, about)
        state["model"] = _first(_MODEL, about) or _model(path)
        started = when(history.get("ts"), *(obj(message).get("ts") for message in document[:1]))
        parent = task if aside else word(history.get("parentTaskId"))
        yield Section(
            state, SessionInfo(state["session"], self.name, parent=parent, cwd=cwd, started_at=started), document
        )

    def _command_line(self, document: Any, path: Path) -> Section:
        told, origin = obj(load(_session_file(path))), obj(obj(document).get("origin"))
        session = word(document.get("sessionId")) or path.name.removesuffix(".messages.json")
        parent = word(told.get("parent_session_id"))
        state = fresh(f"{parent}/{session}" if parent else session, shown=False, open=None, side=bool(parent))
        state["model"] = word(told.get("model"))
        info = SessionInfo(
            state["session"],
            self.name,
            word(origin.get("version")),
            agent=word(document.get("agent")) if parent else None,
            parent=parent,
            cwd=word(told.get("cwd")),
            started_at=when(told.get("started_at")),
            ended_at=when(told.get("ended_at")),
        )
        return Section(state, info, document["messages"])

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A message, or something shown."""
        record = turn.record
        turn.know(at=when(record.get("ts")), native_id=word(record.get("id")))
        if turn.state["shown"]:
            return _shown(turn)
        model = word(obj(record.get("modelInfo")).get("id")) or word(record.get("model")) or turn.state.get("model")
        spent = obj(record.get("metrics"))
        turn.know(tokens_in=_sum(spent, "inputTokens", "cacheReadTokens", "cacheWriteTokens"), model=model)
        turn.know(tokens_out=number(spent.get("outputTokens")))
        turn.spent(spent.get("cost"), spent.get("cacheReadTokens"))
        if record.get("isSummary") is True:
            return turn.event(SUMMARY, "\n".join(texts(record.get("content"))), ("compaction",))
        role = tag(record.get("role"))
        if role == "assistant":
            return _assistant(turn)
        return _user(turn) if role == "user" else turn.unknown(f"role/{role}")


class RooCode(Cline):
    """Roo Code's tasks."""

    name = "roo-code"
    checked: tuple[str, ...] = ("layout of 2026-06",)
    extensions: ClassVar[tuple[str, ...]] = ("rooveterinaryinc.roo-cline", "rooveterinaryinc.roo-code-nightly")


class KiloCode(Cline):
    """The tasks of Kilo Code's extension until the spring of 2026; since then it keeps them in a database (`Kilo`)."""

    name = "kilo-code"
    checked: tuple[str, ...] = ("layout of 2026-06",)
    extensions: ClassVar[tuple[str, ...]] = ("kilocode.kilo-code",)


def _kind_of(path: Path) -> str:
    """Whose task it is: by the extension's folder, else by files that only one of them writes."""
    names = {part.lower() for part in path.parts}
    if "kilocode.kilo-code" in names:
        return KiloCode.name
    roo = any(part.startswith("rooveterinaryinc.") for part in names) or path.with_name("history_item.json").exists()
    return RooCode.name if roo else Cline.name


def _session_file(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(".messages.json") + ".json")


def _history(path: Path, task: str) -> Mapping[str, Any]:
    """What the harness's list of tasks says of this one."""
    if found := obj(load(path.with_name("history_item.json"))):
        return found
    for entry in items(load(path.parents[2] / "state" / "taskHistory.json") if len(path.parents) > 2 else None):
        if obj(entry).get("id") == task:
            return obj(entry)
    return {}


def _model(path: Path) -> str | None:
    return word(obj(obj(load(path.with_name("task_metadata.json"))).get("modelInfo")).get("id"))


def _first(pattern: re.Pattern[str], texts_: list[str]) -> str | None:
    return next((found[1] for text in texts_ if (found := pattern.search(text))), None)


def _sum(spent: Mapping[str, Any], *keys: str) -> int | None:
    known = [n for key in keys if (n := number(spent.get(key))) is not None]
    return sum(known) if known else None


def _assistant(turn: Turn) -> Parsed:
    for block in items(turn.record.get("content")):
        text = block if isinstance(block, str) else obj(block).get("text")
        calls = list(_XML_CALL.finditer(text)) if isinstance(text, str) and "</" in text else []
        if not isinstance(text, str) or not calls:
            turn.blocks([block])
            continue
        turn.say(text[: calls[0].start()].strip())
        for found in calls:
            made = turn.call(None, found[1], dict(_XML_ARGUMENT.findall(found[2])))
            turn.state["open"] = made.call_id
    return turn.message()


def _user(turn: Turn) -> Parsed:
    content = turn.record.get("content")
    pieces = list(texts([block for block in items(content) if obj(block).get("type") != "tool_result"]))
    results = [obj(block) for block in items(content) if obj(block).get("type") == "tool_result"]
    if results or any(_XML_RESULT.match(piece) for piece in pieces):
        for block in results:
            output, ok = _output(block)
            turn.result(block.get("tool_use_id"), output, ok)
        if not results:
            # What stands behind the tool's name, in this piece and those behind it, is its output.
            turn.result(turn.state["open"], [_XML_RESULT.sub("", piece, 1) for piece in pieces if not _is_aside(piece)])
        return turn.message()
    aside = obj(turn.record.get("metadata")).get("displayRole") == "system"
    if not aside and all(map(_is_aside, pieces)):
        aside = True
    return turn.heard((_typed(piece) for piece in pieces if aside or not _is_aside(piece)), aside)


def _is_aside(piece: str) -> bool:
    return _ASIDE.match(piece) is not None


def _typed(piece: str) -> str:
    found = _TYPED.match(piece)
    return found[2] + piece[found.end() :] if found else piece


def _output(block: Mapping[str, Any]) -> tuple[Any, bool | None]:
    """A tool's output; the command line gives one result for each of several commands."""
    content, failed = block.get("content"), block.get("is_error")
    each = [obj(part) for part in items(content) if "result" in obj(part)]
    if not each:
        return content, None if failed is None else failed is not True
    ok = all(part.get("success") is True for part in each)
    return [word(part.get("result")) or word(part.get("error")) or "" for part in each], ok


def _shown(turn: Turn) -> Parsed:
    record = turn.record
    kind = tag(record.get("say") or record.get("ask"))
    if kind == "condense_context":
        summary = obj(record.get("contextCondense")) or obj(decoded(record.get("text")))
        turn.know(
            tokens_in=number(summary.get("prevContextTokens")), tokens_out=number(summary.get("newContextTokens"))
        )
        return turn.event(SUMMARY, word(summary.get("summary")) or "", ("compaction",))
    if kind == "api_req_started":
        spent = obj(decoded(record.get("text")))
        turn.know(tokens_in=_sum(spent, "tokensIn", "cacheReads", "cacheWrites"))
        turn.spent(spent.get("cost"), spent.get("cacheReads"))
        return turn.know(tokens_out=number(spent.get("tokensOut"))).note("", "usage")
    if turn.state["aside"] or kind in _UI_NOISE:
        return turn.noise(f"ui/{kind}")
    if record.get("partial") is True:
        return turn.noise("ui/partial")
    make = _SHOWN.get(kind)
    return turn.unknown(f"ui/{kind}") if make is None else make(turn, word(record.get("text")) or "")


def _said(turn: Turn, text: str) -> Parsed:
    # The task itself is shown as the first text, with no type of its own in older versions.
    if turn.ordinal == 0 and turn.record.get("say") == "text":
        return turn.heard([text])
    turn.say(text)
    return turn.message()


def _thought(turn: Turn, text: str) -> Parsed:
    turn.think(text)
    return turn.message()


def _command(turn: Turn, text: str) -> Parsed:
    turn.state["open"] = turn.call(None, "execute_command", {"command": text}).call_id
    return turn.message()


def _printed(turn: Turn, text: str) -> Parsed:
    turn.result(turn.state["open"], text)
    return turn.message()


def _tool(turn: Turn, text: str) -> Parsed:
    given = decoded(text)
    tool = word(obj(given).get("tool")) or "?"
    turn.call(None, tool, {key: value for key, value in obj(given).items() if key != "tool"})
    return turn.message()


def _heard(turn: Turn, text: str) -> Parsed:
    return turn.heard([text])


def _noted(turn: Turn, text: str) -> Parsed:
    return turn.note(text)


_SHOWN: Mapping[str, Callable[[Turn, str], Parsed]] = {
    "task": _heard,
    "user_feedback": _heard,
    "text": _said,
    "completion_result": _said,
    "plan_mode_respond": _said,
    "reasoning": _thought,
    "command": _command,
    "command_output": _printed,
    "tool": _tool,
    "error": _noted,
    "api_req_failed": _noted,
    "missing": _noted,
}
