"""One part of an OpenCode message as an event: what the database, the export and the old JSON tree have in common."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from muniment.capture.transcripts.contract import OWN_MARK, OWN_SERVER, OWN_SESSION
from muniment.capture.transcripts.pieces import (
    active,
    file_hash,
    is_own,
    number,
    obj,
    reads_web,
    runs_own,
    spending,
    spread,
    word,
)
from muniment.model.event import (
    Action,
    Call,
    Event,
    Kind,
    Origin,
    Result,
    Role,
    SessionInfo,
    Skipped,
    TextBuilder,
)
from muniment.model.time import canonical

# What a part in an unexpected shape may raise; anything else is a bug and must be seen.
_DRIFT = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError)
_OURS = OWN_SERVER + "_"
_INJECTED = ("injected",)
_INTERRUPTED = ("interrupted",)

# Bookkeeping of the harness: git snapshots, retries, mentions that the text of the prompt holds anyway.
_NOISE = frozenset({"step-start", "snapshot", "patch", "agent", "retry"})

_PATH = {"filePath": "path"}
_TOOLS: Mapping[str, tuple[Action, Mapping[str, str]]] = {
    "bash": (Action.RUN, {"workdir": "cwd"}),
    "read": (Action.READ, _PATH),
    "write": (Action.WRITE, _PATH),
    "edit": (Action.EDIT, {**_PATH, "oldString": "old", "newString": "new"}),
    "multiedit": (Action.EDIT, _PATH),
    "patch": (Action.PATCH, {"patchText": "patch"}),
    "apply_patch": (Action.PATCH, {"patchText": "patch"}),
    "glob": (Action.SEARCH, {}),
    "grep": (Action.SEARCH, {}),
    "list": (Action.SEARCH, {}),
    "codesearch": (Action.SEARCH, {"query": "pattern"}),
    "websearch": (Action.SEARCH, {"query": "pattern"}),
    "webfetch": (Action.FETCH, {}),
    "task": (Action.DELEGATE, {"subagent_type": "to"}),
    "todowrite": (Action.PLAN, {}),
    "question": (Action.ASK, {}),
}
_WEB = frozenset({"webfetch", "websearch", "codesearch"})


class Session(NamedTuple):
    """What an event needs to know of its session."""

    info: SessionInfo
    child: bool = False
    own: bool = False
    """A background session of ours: nothing of it is captured."""


@dataclass(frozen=True, slots=True)
class Message:
    """What an event needs to know of the message that its part belongs to."""

    id: str
    data: Mapping[str, Any]
    superseded: bool = False
    """A later message of the session exists, so that this one will not be written on (a crash leaves it open)."""

    @property
    def by_user(self) -> bool:
        """Does the message stand on the user's side?"""
        return self.data.get("role") == "user"

    @property
    def closed(self) -> bool:
        """Is the harness done with it?"""
        done = obj(self.data.get("time")).get("completed") is not None or bool(self.data.get("error"))
        return done or self.superseded or self.by_user

    @property
    def model(self) -> str | None:
        """The model that wrote it."""
        return None if self.by_user else word(self.data.get("modelID"))


class Part(NamedTuple):
    """One part, wherever it was read. `data` is None where it was no JSON object."""

    id: str
    seq: int
    data: Mapping[str, Any] | None
    raw: bytes
    created: Any = None
    updated: Any = None


def session_of(row: Mapping[str, Any], harness: str, parent_name: str | None, source_uri: str) -> Session:
    """The session of a row (or of the export's `info`, whose names are in camel case)."""
    parent = word(row.get("parent_id")) or word(row.get("parentID"))
    native = word(row.get("id")) or "unknown"
    started = row.get("time_created", obj(row.get("time")).get("created"))
    info = SessionInfo(
        id=session_name(native, parent),
        harness=harness,
        harness_version=word(row.get("version")),
        agent=word(row.get("agent")),
        parent=parent_name or parent,
        cwd=word(row.get("directory")),
        started_at=when(started),
        source_uri=source_uri,
    )
    return Session(info, parent is not None)


def session_name(native: str, parent: str | None) -> str:
    """Sub-agent sessions are named `parent/child`, whatever the harness calls them."""
    return f"{parent}/{native}" if parent else native


def when(*values: Any) -> str | None:
    """The first of these that is a time, as stored."""
    for value in values:
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            found = canonical(value)
            if found is not None:
                return found
    return None


def mapping(text: Any) -> Mapping[str, Any] | None:
    """The JSON object in `text`, or None."""
    try:
        text.encode()  # bytes that are no UTF-8 came as halves of surrogate pairs: that is no JSON
        found = json.loads(text)
    except _DRIFT:
        return None
    return found if isinstance(found, dict) else None


def as_raw(record: Mapping[str, Any]) -> bytes:
    """A record as JSON bytes. What is not UTF-8 is escaped, so that every byte can be had back."""
    try:
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(record, separators=(",", ":")).encode()


def item(part: Part, message: Message, session: Session) -> Event | Skipped:
    """The event of a part, or why it is none (yet)."""
    if session.own:
        return Skipped("own", part.seq, f"{session.info.id} {part.id}")
    if part.data is None:
        return _unknown("malformed", part, message, session)
    kind = word(part.data.get("type")) or "none"
    if kind in _NOISE:
        return Skipped(f"noise:{kind}", part.seq, f"{session.info.id} {part.id}")
    make = _MAKERS.get(kind)
    if make is None:
        return _unknown(f"unknown:{kind}"[:80], part, message, session)
    try:
        return make(part, message, session) or _unknown("drift", part, message, session)
    except _DRIFT:
        return _unknown("drift", part, message, session)


def own(beginning: Iterable[Mapping[str, Any] | None]) -> bool:
    """Do these first parts begin a background session of ours? (`opencode run` puts quotes around its prompt.)"""
    first = next((data for data in beginning if data and data.get("type") == "text"), {})
    text = first.get("text")
    return isinstance(text, str) and text.lstrip('" \n').startswith(OWN_SESSION)


def open_text(data: Mapping[str, Any] | None, message: Message) -> bool:
    """Is it a text that only its message can close? Such a row may stay as it is when the message is completed."""
    if data is None or data.get("type") not in ("text", "reasoning"):
        return False
    return not message.closed and obj(data.get("time")).get("end") is None


def _event(part: Part, message: Message, session: Session, at: str | None, **fields: Any) -> Event:
    return Event(
        session=session.info.id,
        seq=part.seq,
        raw=part.raw,
        at=at or when(part.created),
        native_id=part.id,
        updated_at=when(part.updated),
        model=message.model,
        **fields,
    )


def _unknown(flag: str, part: Part, message: Message, session: Session) -> Event:
    return _note(part, message, session, "", kind=Kind.UNKNOWN, flags=(flag,))


def _note(part: Part, message: Message, session: Session, text: str, **fields: Any) -> Event:
    at = when(obj((part.data or {}).get("time")).get("start"))
    fields = {"role": Role.HARNESS, "origin": Origin.HARNESS, "kind": Kind.NOTE, **fields}
    return _event(part, message, session, at, text=text, **fields)


def _said(part: Part, message: Message, session: Session) -> Event | Skipped | None:
    data = part.data or {}
    text = data.get("text")
    if not isinstance(text, str):
        return None
    if open_text(data, message):
        return Skipped("unfinished", part.seq, f"{session.info.id} {part.id}")
    role, origin, kind, flags = _speaker(data, message, session)
    said = obj(message.data.get("time")).get("created") if message.by_user else None
    at = when(said, obj(data.get("time")).get("start"))
    return _event(part, message, session, at, role=role, origin=origin, kind=kind, text=text, flags=flags)


def _speaker(data: Mapping[str, Any], message: Message, session: Session) -> tuple[Role, Origin, Kind, tuple[str, ...]]:
    # `synthetic` is the harness's own addition; `ignored` is what a plugin shows to the person and to no model.
    if data.get("synthetic") or data.get("ignored") or is_own(str(data.get("text"))):
        return Role.HARNESS, Origin.HARNESS, Kind.NOTE, _INJECTED
    if message.by_user:
        return Role.USER, Origin.AGENT if session.child else Origin.PERSON, Kind.PROMPT, ()
    if message.data.get("role") != "assistant":
        # No message row, or a role that is not known: nobody's words are to be taken for the person's.
        return Role.HARNESS, Origin.HARNESS, Kind.NOTE, ()
    if data.get("type") == "reasoning":
        return Role.ASSISTANT, Origin.MODEL, Kind.THINKING, ()
    if message.data.get("summary") is True:
        return Role.HARNESS, Origin.MODEL, Kind.SUMMARY, ()
    return Role.ASSISTANT, Origin.MODEL, Kind.REPLY, _INTERRUPTED if message.data.get("error") else ()


def _step(part: Part, message: Message, session: Session) -> Event | None:
    tokens = obj((part.data or {}).get("tokens"))
    cache = obj(tokens.get("cache"))
    # The harness takes cached tokens out of `input`; reasoning is in `total` but not always in `output`.
    parts = [number(tokens.get("input")), number(cache.get("read")), number(cache.get("write"))]
    known = [n for n in parts if n is not None]
    tokens_in = sum(known) if known else None
    out, total = number(tokens.get("output")), number(tokens.get("total"))
    if out is not None and total is not None:
        out = max(out, total - (tokens_in or 0))
    flags = spending((part.data or {}).get("cost"), cache.get("read"))
    return _note(part, message, session, "", tokens_in=tokens_in, tokens_out=out, flags=flags)


def _compaction(part: Part, message: Message, session: Session) -> Event:
    return _note(part, message, session, "", flags=("compaction",))


def _file(part: Part, message: Message, session: Session) -> Event:
    data = part.data or {}
    # Never the URL: it may hold the whole file.
    name = word(obj(data.get("source")).get("path")) or word(data.get("filename")) or ""
    return _note(part, message, session, name)


def _subtask(part: Part, message: Message, session: Session) -> Event:
    data = part.data or {}
    builder = TextBuilder()
    for key in ("agent", "description", "command", "prompt"):
        value = data.get(key)
        if isinstance(value, str):
            builder.add(value)
    return _note(part, message, session, builder.text, origin=Origin.AGENT)


def _tool(part: Part, message: Message, session: Session) -> Event | Skipped | None:
    data = part.data or {}
    tool, state = data.get("tool"), data.get("state")
    if not isinstance(tool, str) or not isinstance(state, dict):
        return None
    if state.get("status") in ("pending", "running"):
        return Skipped("unfinished", part.seq, f"{session.info.id} {part.id}")
    builder = TextBuilder()
    builder.add(tool)
    call = _call(builder, word(data.get("callID")) or part.id, tool, state.get("input"))
    result = _result(builder, call, state)
    role, origin, flags = _tool_speaker(call, state)
    # What a tool saw is true when it was done, hence the end.
    at = when(obj(state.get("time")).get("end"), obj(state.get("time")).get("start"))
    said = {"role": role, "origin": origin, "kind": Kind.RESULT, "text": builder.text, "flags": flags}
    return _event(part, message, session, at, calls=(call,), results=(result,), **said)


def _call(builder: TextBuilder, call_id: str, tool: str, given: Any) -> Call:
    action, names = _TOOLS.get(tool, (Action.OTHER, {}))
    args = spread(given, builder, names) if given is not None else {}
    if action is Action.PLAN:
        active(args, obj(given).get("todos"), "todos", "content")
    if action in (Action.WRITE, Action.PATCH):
        args["formats"] = True
    return Call(call_id, tool, action, args)


def _tool_speaker(call: Call, state: Mapping[str, Any]) -> tuple[Role, Origin, tuple[str, ...]]:
    command = obj(state.get("input")).get("command")
    if call.tool.startswith(_OURS) or (call.action is Action.RUN and isinstance(command, str) and runs_own(command)):
        return Role.HARNESS, Origin.HARNESS, _INJECTED
    flags = _INTERRUPTED if obj(state.get("metadata")).get("interrupted") is True else ()
    if call.tool in _WEB or (call.tool not in _TOOLS and reads_web(call.tool)):
        return Role.TOOL, Origin.WEB, flags
    # What a sub-agent answers is its own words: coming out of a tool gives them no more authority.
    return Role.TOOL, Origin.AGENT if call.action is Action.DELEGATE else Origin.TOOL, flags


def _result(builder: TextBuilder, call: Call, state: Mapping[str, Any]) -> Result:
    output = state.get("output")
    if not isinstance(output, str):
        error = state.get("error")
        output = error if isinstance(error, str) else ""
    exit_code = number(obj(state.get("metadata")).get("exit"))
    ok = {"completed": True, "error": False}.get(str(state.get("status")))
    ok = False if ok and exit_code else ok
    proof = _proof(state, call.action) if ok else None
    return Result(call.call_id, builder.add(_without_ours(output)), ok, exit_code, _duration(state), proof)


def _duration(state: Mapping[str, Any]) -> int | None:
    time = obj(state.get("time"))
    start, end = number(time.get("start")), number(time.get("end"))
    return end - start if start is not None and end is not None and end >= start else None


def _without_ours(output: str) -> str:
    """A tool's output without what our hook appended to it: from our mark at the start of a line."""
    at = 0 if output.startswith(OWN_MARK) else output.find("\n" + OWN_MARK)
    return output if at < 0 else output[:at]


def _proof(state: Mapping[str, Any], action: Action) -> str | None:
    """The hash of the file left behind, where the harness read it back.

    A read shows no trailing line break, and after a write a formatter may run, so that neither proves anything.
    """
    if action is not Action.EDIT or not obj(state.get("input")).get("oldString"):
        return None
    # Older versions kept the whole file, read back after the edit.
    whole = obj(obj(state.get("metadata")).get("filediff")).get("after")
    return file_hash(whole) if isinstance(whole, str) else None


_MAKERS: Mapping[str, Callable[[Part, Message, Session], Event | Skipped | None]] = {
    "text": _said,
    "reasoning": _said,
    "tool": _tool,
    "step-finish": _step,
    "compaction": _compaction,
    "file": _file,
    "subtask": _subtask,
}
