"""Kimi CLI, and Kimi Code, which took its place: a log of wire messages a session (in Kimi Code one an agent).

`wire.jsonl` has everything that was said. `context.jsonl` is what the model sees, rewritten at each compaction; it is
read only where older versions left no log. A sub-agent's events stand within its parent's log (Kimi CLI), or in a folder
of its own (Kimi Code). Compaction shows as its end, without the summary. Hooks put nothing in; what Kimi Code puts in has
another origin than the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import md5
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import load
from muniment.capture.transcripts.sidecars import below, first, row_of
from muniment.capture.transcripts.turns import INJECTED, SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_NOISE = frozenset(
    "metadata _checkpoint _usage _system_prompt StepBegin StepInterrupted TurnEnd CompactionBegin ToolCallPart StatusUpdate"
    " ApprovalRequest ApprovalResponse ApprovalRequestResolved ToolCallRequest MCPLoadingBegin MCPLoadingEnd HookTriggered"
    " HookResolved BtwBegin BtwEnd QuestionRequest Notification config.update turn.start turn.end step.begin step.end"
    " permission.record tools.update".split()
)
_COMPACTED = "<system>Previous context has been compacted."


class KimiCli(TurnAdapter):
    """Reads `~/.kimi/sessions/<md5 of the folder>/<session>/wire.jsonl` and `~/.kimi-code/sessions/…/agents/<agent>/`."""

    name = "kimi-cli"
    checked: tuple[str, ...] = ("1.49.0",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folders of both, on all platforms in the home folder unless they were moved."""
        moved = variables.get("KIMI_SHARE_DIR")
        yield (Path(moved) if moved else home / ".kimi") / "sessions"
        yield home / ".kimi-code" / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """Logs; a context only where there is none."""
        for path in below(place, "*/*/wire.jsonl", "*/*/agents/*/wire.jsonl", "*/*/context.jsonl"):
            if path == place or _is_source(path):
                yield path

    def recognises(self, path: Path, head: bytes) -> bool:
        """By the first record of a log or a context."""
        record = first(head)
        if path.suffix != ".jsonl" or not _is_source(path):
            return False
        kind = tag(record.get("type"))
        log = "protocol_version" in record or kind in ("config.update", "turn.prompt")
        wire = "timestamp" in record and "payload" in obj(record.get("message"))
        return log or wire or (path.name == "context.jsonl" and record.get("role") in ("_system_prompt", "_checkpoint"))

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the folders decide
        """The session by its folder; an agent of it other than the main one is a session of its own."""
        if path.parent.parent.name == "agents":
            folder, agent = path.parents[2], path.parent.name
            about = (
                row_of(path.parents[4] / "session_index.jsonl", "sessionId", folder.name)
                if len(path.parents) > 4
                else {}
            )
            kind = word(obj(obj(obj(load(folder / "state.json")).get("agents")).get(agent)).get("type"))
            return _state(folder.name, agent if agent != "main" else None, word(about.get("workDir")), kind)
        named = path.stem if path.name not in ("wire.jsonl", "context.jsonl") else path.parent.name
        return _state(named, None, _folder(path), None)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A record, behind the session where it is the first."""
        record = turn.record
        made = self._record(turn, record)
        found: list[Parsed] = []
        if record.get("type") == "config.update" and word(record.get("cwd")):
            found = [SessionInfo(turn.session, self.name, cwd=word(record.get("cwd")))]
        about = turn.state.pop("about", None)
        if about is not None:
            found = [SessionInfo(turn.state["session"], self.name, **about), *found]
        return [*found, made] if found else made

    def _record(self, turn: Turn, record: Mapping[str, Any]) -> Parsed:
        if "message" in record and "timestamp" in record:
            message = obj(record.get("message"))
            turn.know(at=when(record.get("timestamp")))
            return self._wire(turn, tag(message.get("type")), obj(message.get("payload")))
        if "role" in record:
            return _context(turn, record)
        turn.know(at=when(record.get("time"), record.get("created_at")))
        return _code(turn, tag(record.get("type")), record)

    def _wire(self, turn: Turn, kind: str, data: Mapping[str, Any]) -> Parsed:
        if kind in ("TurnBegin", "SteerInput"):
            return turn.heard(texts(data.get("user_input")))
        if kind == "ContentPart":
            return _part(turn, data)
        if kind == "ToolCall":
            turn.asked(data)
            return turn.message()
        if kind == "ToolResult":
            back = obj(data.get("return_value"))
            failed = back.get("is_error")
            turn.result(
                data.get("tool_call_id"), back.get("output"), None if not isinstance(failed, bool) else not failed
            )
            return turn.message()
        if kind == "StatusUpdate" and data.get("token_usage"):
            return _used(turn, obj(data.get("token_usage")), word(data.get("message_id")))
        if kind == "CompactionEnd":
            return turn.note("", "compaction")
        if kind == "SubagentEvent":
            return self._inner(turn, data)
        return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)

    def _inner(self, turn: Turn, data: Mapping[str, Any]) -> Parsed:
        event = obj(data.get("event"))
        call = (
            word(data.get("parent_tool_call_id")) or word(data.get("task_tool_call_id")) or word(data.get("agent_id"))
        )
        turn.session = f"{turn.session}/{call or 'agent'}"
        side, turn.state["side"] = turn.state.get("side"), True
        try:
            return self._wire(turn, tag(event.get("type")), obj(event.get("payload")))
        finally:
            turn.state["side"] = side


def _is_source(path: Path) -> bool:
    return not path.name.startswith("context") or (
        path.name == "context.jsonl" and not (path.parent / "wire.jsonl").exists()
    )


def _state(session: str, agent: str | None, cwd: str | None, kind: str | None) -> State:
    about = {"cwd": cwd, "parent": session if agent else None, "agent": agent, "agent_role": kind if agent else None}
    return fresh(f"{session}/{agent}" if agent else session, side=bool(agent), about=about)


def _folder(path: Path) -> str | None:
    """The working folder of a session of Kimi CLI: the one whose MD5 is the name of the folder above."""
    if len(path.parents) < 4:
        return None
    listed = items(obj(load(path.parents[3] / "kimi.json")).get("work_dirs"))
    known = (word(obj(each).get("path")) for each in listed)
    name = path.parents[1].name
    return next(
        (each for each in known if each and md5(each.encode(), usedforsecurity=False).hexdigest() == name), None
    )


def _part(turn: Turn, data: Mapping[str, Any]) -> Parsed:
    if data.get("type") == "think":
        turn.think(data.get("think"))
    else:
        turn.blocks([dict(data)])
    return turn.message()


def _used(turn: Turn, usage: Mapping[str, Any], message: str | None) -> Parsed:
    into = [number(usage.get(f"input_{kind}")) or 0 for kind in ("other", "cache_read", "cache_creation", "tokens")]
    turn.spent(cached=usage.get("input_cache_read"))
    out = number(usage.get("output")) or number(usage.get("output_tokens"))
    return turn.know(native_id=message, tokens_in=sum(into), tokens_out=out).note("", "usage")


def _code(turn: Turn, kind: str, record: Mapping[str, Any]) -> Parsed:
    """A flat record of Kimi Code."""
    if kind == "turn.prompt":
        origin = obj(record.get("origin")).get("kind")
        return turn.heard(texts(record.get("input")), aside=origin not in (None, "user"))
    if kind == "context.append_message":
        return _appended(turn, obj(record.get("message")))
    if kind == "context.append_loop_event":
        return _looped(turn, obj(record.get("event")))
    if kind == "usage.record":
        turn.know(model=word(record.get("model")))
        return _used(turn, obj(record.get("usage")), None)
    if kind == "context.apply_compaction":
        return turn.event(SUMMARY, word(record.get("summary")) or "", ("compaction",))
    return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)


def _appended(turn: Turn, message: Mapping[str, Any]) -> Parsed:
    if message.get("role") != "assistant":
        # The prompt is told by `turn.prompt`; what else stands in the user's role here was put there.
        return turn.note("\n".join(texts(message.get("content"))), *INJECTED)
    turn.blocks(message.get("content"))
    turn.asked(message.get("toolCalls"))
    return turn.message()


def _looped(turn: Turn, event: Mapping[str, Any]) -> Parsed:
    kind = tag(event.get("type"))
    call = word(event.get("toolCallId")) or word(event.get("id"))
    if kind == "tool.call":
        named, given = event.get("toolName") or event.get("name"), event.get("input", event.get("args"))
        turn.state["last"] = turn.call(call, named, given).call_id
        return turn.message()
    if kind == "tool.result":
        failed = obj(event.get("result")).get("isError", event.get("isError"))
        output = event.get("output", obj(event.get("result")).get("output"))
        turn.result(call or turn.state.pop("last", ""), output, None if not isinstance(failed, bool) else not failed)
        return turn.message()
    if kind == "content.part":
        return _part(turn, obj(event.get("part")))
    return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)


def _context(turn: Turn, record: Mapping[str, Any]) -> Parsed:
    """A message of the context of an older version, which has no times."""
    role, pieces = tag(record.get("role")), list(texts(record.get("content")))
    if role in _NOISE:
        return turn.noise(role)
    if role == "user":
        if pieces and pieces[0].startswith(_COMPACTED):
            return turn.event(SUMMARY, "\n".join(pieces[1:]), ("compaction",))
        return turn.heard(pieces)
    if role == "assistant":
        turn.blocks(record.get("content"))
        turn.asked(record.get("tool_calls"))
        return turn.message()
    if role == "tool":
        own = [piece for piece in pieces if not (piece.startswith("<system>") and piece.endswith("</system>"))]
        turn.result(record.get("tool_call_id"), own or pieces)
        return turn.message()
    return turn.unknown(role)
