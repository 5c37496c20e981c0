"""Codex: one rollout file a thread, in the shapes that it has had since its first version.

`response_item` records are the conversation; `event_msg` records tell of it once more for the screen. What has a twin
is skipped: by the id of its call, or, for words, because the file has response items at all. In the oldest files, which
have none, the screen's records are all there is and are kept.

A fork or sub-agent may begin with a copy of its parent's turns. Where the records have ids the copies are the same
events; older versions wrote none, and then the copied turns are events of the copy. The copy of the history in a
`compacted` record is not taken apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.codex_tools import answered, call, decoded, lasted, origin, outcome, printed
from muniment.capture.transcripts.codex_words import heard
from muniment.capture.transcripts.lines import LineAdapter, Parsed, Record, State
from muniment.capture.transcripts.pieces import items, number, obj, remember, spending, tag, texts, word
from muniment.model.event import Call, Event, Kind, Origin, Result, Role, SessionInfo, Skipped, TextBuilder
from muniment.model.ids import hash128
from muniment.model.time import canonical

# Where a thread's id stands in a first line that is longer than what was handed over (it holds the instructions).
_META = re.compile(rb'\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"session_meta","payload":\{[^{}]*?"id":"([^"]+)"')
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.ASCII | re.IGNORECASE)
_INJECTED = ("injected",)
_ASIDE = frozenset({"history.jsonl", "session_index.jsonl"})
_NOISE = frozenset({"turn_context", "world_state", "token_usage_record"})
_SCREEN_NOISE = frozenset(
    "task_started turn_started context_compacted thread_settings_applied thread_name_updated background_event "
    "plan_update turn_diff agent_reasoning_section_break entered_review_mode exited_review_mode session_configured "
    "shutdown_complete web_search_end view_image_tool_call thread_rolled_back mcp_startup_update mcp_startup_complete "
    "raw_response_item item_started skills_update_available".split()
)
_ITEM_NOISE = frozenset(
    "UserMessage AgentMessage Reasoning Plan WebSearch FileChange ContextCompaction ImageView HookPrompt".split()
)
_AGENT = (Role.ASSISTANT, Origin.MODEL, Kind.REPLY)
_HARNESS = (Role.HARNESS, Origin.HARNESS, Kind.NOTE)
_SUMMARY = (Role.HARNESS, Origin.MODEL, Kind.SUMMARY)


class Codex(LineAdapter):
    """Codex's rollouts."""

    name = "codex"
    checked: tuple[str, ...] = ("0.171.0",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002
        """`sessions` and `archived_sessions` under `CODEX_HOME` or `~/.codex`, on every platform."""
        moved = variables.get("CODEX_HOME")
        root = Path(moved) if moved else home / ".codex"
        yield root / "sessions"
        yield root / "archived_sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """The rollouts below, by name, which is by date; prompt history and indexes are none."""
        if place.is_file():
            yield place
            return
        yield from (path for path in sorted(place.rglob("*.jsonl")) if path.name not in _ASIDE)

    def recognises(self, path: Path, head: bytes) -> bool:
        """By a first record of Codex's; in the oldest files, which have no envelope, by the name as well."""
        if path.suffix != ".jsonl" or path.name in _ASIDE:
            return False
        known = b'"payload"' in head and any(key in head for key in (b'"session_meta"', b'"response_item"'))
        return known or path.name.startswith("rollout-")

    def start(self, path: Path, head: bytes) -> State:
        """The thread: the first record's id, else the one in the file's name."""
        first = _first(head)
        meta = obj(first.get("payload")) if first.get("type") == "session_meta" else first
        named = _ID.search(path.stem)
        session = word(meta.get("id")) if "type" not in meta or meta is not first else None
        return {
            "session": session or (named[0] if named else path.stem),
            "items": b'"response_item"' in head,
            "sub": False,
            "calls": {},
            "ends": {},
            "spent": [0, 0, 0],
        }

    def parse(self, record: Record, raw: bytes, ordinal: int, state: State) -> Iterable[Parsed]:
        """One record, one event."""
        if "own" in state:
            return (Skipped("own", 0),)
        turn = _Turn(record, raw, ordinal, state)
        kind, payload = tag(record.get("type")), record.get("payload")
        if kind == "session_meta" or ("type" not in record and "id" in record and "timestamp" in record):
            return _meta(turn, obj(payload) if kind == "session_meta" else record)
        if payload is None and kind in _ITEMS:
            return (turn.item(record),)
        return (_enveloped(turn, kind, payload),)


def _enveloped(turn: _Turn, kind: str, payload: Any) -> Event | Skipped:
    if kind == "response_item" and isinstance(payload, dict):
        return turn.item(payload)
    if kind == "event_msg" and isinstance(payload, dict):
        return _screen(turn, payload)
    if kind == "compacted":
        return turn.event(_SUMMARY, word(obj(payload).get("message")) or "", ("compaction",))
    if kind in _NOISE:
        turn.state["model"] = word(obj(payload).get("model")) or turn.state.get("model")
        return Skipped(f"noise:{kind}", 0)
    if turn.record.get("record_type") == "state":
        return Skipped("noise:state", 0)
    return turn.unknown(kind)


def _first(head: bytes) -> Mapping[str, Any]:
    line, newline, _ = head.partition(b"\n")
    try:
        return obj(json.loads(line))
    except (ValueError, RecursionError):
        pass
    found = _META.match(line)
    return {"type": "session_meta", "payload": {"id": found[1].decode()}} if found and not newline else {}


def _meta(turn: _Turn, meta: Mapping[str, Any]) -> Iterable[Parsed]:
    """The head of a file. A second one, of another thread, is part of a copy of that thread."""
    state = turn.state
    if word(meta.get("id")) not in {None, state["session"]}:
        return (turn.note("", "copy"),)
    sub = obj(meta.get("source")).get("subagent")
    spawn = obj(obj(sub).get("thread_spawn"))
    state["sub"] = bool(sub) or meta.get("thread_source") == "subagent"
    role = spawn.get("agent_role") or meta.get("agent_role") or obj(sub).get("other") or sub
    info = SessionInfo(
        state["session"],
        Codex.name,
        word(meta.get("cli_version")),
        word(spawn.get("agent_nickname") or meta.get("agent_nickname")),
        word(role),
        word(spawn.get("parent_thread_id") or meta.get("parent_thread_id")),
        word(meta.get("cwd")),
        _time(meta.get("timestamp")),
    )
    return (info, turn.note(""))


def _time(value: Any) -> str | None:
    return canonical(value) if isinstance(value, str | int | float) else None


class _Turn:
    """One record on its way to an event."""

    __slots__ = ("ordinal", "raw", "record", "state")

    def __init__(self, record: Record, raw: bytes, ordinal: int, state: State) -> None:
        self.record, self.raw, self.ordinal, self.state = record, raw, ordinal, state

    def event(
        self,
        who: tuple[Role, Origin, Kind],
        text: str,
        flags: tuple[str, ...] = (),
        native_id: Any = None,
        **rest: Any,
    ) -> Event:
        at, native = _time(self.record.get("timestamp")), word(native_id)
        return Event(self.state["session"], self.ordinal, *who, text, self.raw, at, native, flags=flags, **rest)

    def note(self, text: str, *flags: str, native_id: Any = None) -> Event:
        return self.event(_HARNESS, text, flags, native_id)

    def unknown(self, kind: str) -> Event:
        return self.event((Role.HARNESS, Origin.HARNESS, Kind.UNKNOWN), "", (f"unknown:{kind}"[:80],))

    def item(self, item: Mapping[str, Any]) -> Event | Skipped:
        self.state["items"] = True
        kind = tag(item.get("type"))
        read = _ITEMS.get(kind)
        return read(self, item) if read else self.unknown(f"response_item/{kind}")

    def reply(self, text: str, native_id: Any = None) -> Event:
        self.state["said"] = _digest(text)
        return self.event(_AGENT, text, (), native_id, model=self.state.get("model"))

    def heard(self, content: Any, labels: Any = None, native_id: Any = None) -> Event | Skipped:
        said = heard(content, labels)
        if said.own:
            self.state["own"] = True
            return Skipped("own", 0)
        who = said.who
        if who[0] is Role.USER and self.state["sub"]:
            # What stands in the user's role of a sub-agent was written by the agent that started it.
            who = (who[0], Origin.AGENT, who[2])
        return self.event(who, said.text, said.flags, native_id)


def _digest(text: str) -> str:
    return hash128(text).hex()


def _message(turn: _Turn, item: Mapping[str, Any]) -> Event | Skipped:
    role, content, native = item.get("role"), item.get("content"), item.get("id")
    passed = obj(item.get("internal_chat_message_metadata_passthrough"))
    labels = passed.get("content_item_kinds")
    if role == "user":
        return turn.heard(content, labels, native)
    text = "\n".join(texts(content))
    if role == "assistant":
        if obj(turn.record.get("metadata")).get("compaction_output") is True:
            return turn.event(_SUMMARY, text, ("compaction",), native)
        return turn.reply(text, native)
    hook = any(isinstance(label, str) and label.startswith("hooks.") for label in items(labels))
    kind = Kind.HOOK if hook else Kind.NOTE
    return turn.event((Role.HARNESS, Origin.HARNESS, kind), text, _INJECTED, native)


def _reasoning(turn: _Turn, item: Mapping[str, Any]) -> Event:
    thoughts = "\n".join([*texts(item.get("summary")), *texts(item.get("content"))])
    who = (Role.ASSISTANT, Origin.MODEL, Kind.THINKING)
    return turn.event(who, thoughts, (), item.get("id"), model=turn.state.get("model"))


def _called(turn: _Turn, item: Mapping[str, Any]) -> Event:
    into = TextBuilder()
    name = word(item.get("name")) or "?"
    server = word(item.get("namespace")) or ""
    if not server and "__" in name:
        server, _, name = name.rpartition("__")
    given = decoded(item.get("arguments", item.get("input")))
    made = call(word(item.get("call_id")) or "", name, server, given, into, turn.state)
    return _call_event(turn, item, into, made)


def _call_event(turn: _Turn, item: Mapping[str, Any], into: TextBuilder, made: Call) -> Event:
    who = (Role.ASSISTANT, Origin.MODEL, Kind.CALL)
    return turn.event(who, into.text, (), item.get("id"), calls=(made,), model=turn.state.get("model"))


def _local_shell(turn: _Turn, item: Mapping[str, Any]) -> Event:
    into = TextBuilder()
    action = {key: value for key, value in obj(item.get("action")).items() if key != "type"}
    call_id = word(item.get("call_id")) or word(item.get("id")) or ""
    return _call_event(turn, item, into, call(call_id, "local_shell", "", action, into, turn.state))


def _web_search(turn: _Turn, item: Mapping[str, Any]) -> Event:
    into = TextBuilder()
    action = {key: value for key, value in obj(item.get("action")).items() if key != "type"}
    return _call_event(turn, item, into, call(word(item.get("id")) or "", "web_search", "", action, into, turn.state))


def _returned(turn: _Turn, item: Mapping[str, Any]) -> Event:
    into = TextBuilder()
    result, whose = outcome(word(item.get("call_id")) or "", item.get("output"), into, turn.state)
    return _result_event(turn, into, whose, (result,), native_id=item.get("id"))


def _result_event(
    turn: _Turn, into: TextBuilder, whose: Origin, results: tuple[Result, ...], native_id: Any = None, **rest: Any
) -> Event:
    ours = whose is Origin.HARNESS
    who = (Role.HARNESS if ours else Role.TOOL, whose, Kind.RESULT)
    return turn.event(who, into.text, _INJECTED if ours else (), native_id, results=results, **rest)


def _compaction(turn: _Turn, item: Mapping[str, Any]) -> Event:
    return turn.note("", "compaction", native_id=item.get("id"))


def _snapshot(turn: _Turn, item: Mapping[str, Any]) -> Skipped:  # noqa: ARG001
    return Skipped(f"noise:response_item/{item.get('type')}", 0)


_ITEMS: Mapping[str, Callable[[_Turn, Mapping[str, Any]], Event | Skipped]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _called,
    "custom_tool_call": _called,
    "local_shell_call": _local_shell,
    "web_search_call": _web_search,
    "function_call_output": _returned,
    "custom_tool_call_output": _returned,
    "local_shell_call_output": _returned,
    "compaction": _compaction,
    "compaction_summary": _compaction,
    "context_compaction": _compaction,
    "ghost_snapshot": _snapshot,
}


def _screen(turn: _Turn, payload: Mapping[str, Any]) -> Event | Skipped:
    """A record of what was shown: skipped if the conversation has it, kept if it is the only one."""
    kind = tag(payload.get("type"))
    if kind == "item_completed":
        item = obj(payload.get("item"))
        kind, payload = tag(item.get("type")), item
        if kind in _ITEM_NOISE and turn.state["items"]:
            return Skipped(f"noise:item_completed/{kind}", 0)
    if kind in _SCREEN_NOISE or kind.endswith(("_begin", "_delta")):
        return Skipped(f"noise:event_msg/{kind}", 0)
    read = _SCREEN.get(kind)
    return read(turn, payload) if read else turn.unknown(f"event_msg/{kind}")


def _shown(turn: _Turn, payload: Mapping[str, Any]) -> Event | Skipped:
    """Words on the screen, of one side or the other."""
    kind = payload.get("type")
    if turn.state["items"]:
        return Skipped(f"noise:event_msg/{kind}", 0)
    if kind in {"user_message", "UserMessage"}:
        said = payload.get("message", payload.get("content"))
        kinds = ["environment"] if tag(payload.get("kind")) not in {"missing", "plain"} else None
        return turn.heard(said, kinds)
    text = "\n".join(texts(payload.get("message", payload.get("text", payload.get("content")))))
    if kind in {"agent_message", "AgentMessage"}:
        return turn.reply(text)
    return turn.event((Role.ASSISTANT, Origin.MODEL, Kind.THINKING), text)


def _finished(turn: _Turn, payload: Mapping[str, Any]) -> Event | Skipped:
    last = word(payload.get("last_agent_message"))
    if last is None or _digest(last) == turn.state.get("said"):
        return Skipped(f"noise:event_msg/{payload.get('type')}", 0)
    return turn.reply(last)


def _ended(turn: _Turn, payload: Mapping[str, Any]) -> Event | Skipped:
    """The end of a command, patch or MCP call: kept if no call was seen, else noted for the call's output."""
    call_id = word(payload.get("call_id")) or word(payload.get("id")) or ""
    exit_code, milliseconds = number(payload.get("exit_code")), lasted(payload.get("duration"))
    if call_id in turn.state["calls"]:
        remember(turn.state["ends"], call_id, [exit_code, milliseconds])
        return Skipped(f"noise:event_msg/{payload.get('type')}", 0)
    into = TextBuilder()
    asked = obj(payload.get("invocation")) or payload
    made, output, ok = None, printed(payload), exit_code == 0 if exit_code is not None else payload.get("success")
    if "command" in payload:
        made = call(call_id, "shell", "", {"command": payload["command"]}, into, turn.state)
    elif "tool" in asked:
        server, tool = word(asked.get("server")) or "?", word(asked.get("tool")) or "?"
        made = call(call_id, tool, server, asked.get("arguments") or {}, into, turn.state)
        output, ok = answered(payload.get("result"))
    whose = origin(turn.state["calls"].get(call_id, ""), output)
    result = Result(call_id, into.add(output), ok if isinstance(ok, bool) else None, exit_code, milliseconds)
    return _result_event(turn, into, whose, (result,), calls=(made,) if made else ())


def _tokens(turn: _Turn, payload: Mapping[str, Any]) -> Event | Skipped:
    """Tokens spent since the last count: an event without words, for no other record has them."""
    info = obj(payload.get("info")) or payload
    total, last = _pair(info.get("total_token_usage")), _pair(info.get("last_token_usage"))
    before = turn.state["spent"]
    if (total[:2] == before[:2]) if total is not None else last is None:
        return Skipped("noise:event_msg/token_count", 0)
    if total is not None:
        turn.state["spent"] = total
        last = last or [max(0, now - then) for now, then in zip_longest(total, before, fillvalue=0)]
    assert last is not None
    model, flags = turn.state.get("model"), ("usage", *spending(cached=last[2]))
    return turn.event(_HARNESS, "", flags, model=model, tokens_in=last[0], tokens_out=last[1])


def _pair(usage: Any) -> list[int] | None:
    if not isinstance(usage, dict):
        return None
    return [number(usage.get(f"{kind}_tokens")) or 0 for kind in ("input", "output", "cached_input")]


def _remark(turn: _Turn, payload: Mapping[str, Any]) -> Event:
    interrupted = ("interrupted",) if payload.get("type") == "turn_aborted" else ()
    return turn.note(word(payload.get("message")) or word(payload.get("reason")) or "", *interrupted)


_SCREEN: Mapping[str, Callable[[_Turn, Mapping[str, Any]], Event | Skipped]] = {
    "user_message": _shown,
    "UserMessage": _shown,
    "agent_message": _shown,
    "AgentMessage": _shown,
    "agent_reasoning": _shown,
    "agent_reasoning_raw_content": _shown,
    "task_complete": _finished,
    "turn_complete": _finished,
    "exec_command_end": _ended,
    "CommandExecution": _ended,
    "mcp_tool_call_end": _ended,
    "McpToolCall": _ended,
    "patch_apply_end": _ended,
    "token_count": _tokens,
    "turn_aborted": _remark,
    "error": _remark,
    "stream_error": _remark,
    "warning": _remark,
}
