"""GitHub Copilot CLI: one `events.jsonl` a session; a sub-agent's records stand between those of its parent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import OWN_SESSION
from muniment.capture.transcripts.copilot_tools import (
    INJECTED,
    Line,
    arguments_of,
    began,
    call_of,
    done,
    requested,
    time_of,
)
from muniment.capture.transcripts.lines import LineAdapter, Parsed, Record, State
from muniment.capture.transcripts.pieces import is_own, items, number, obj, remember, spending, word
from muniment.model.event import Action, Kind, Origin, Role, SessionInfo, Skipped, TextBuilder

_CHILDREN = 1024

# Records that repeat what others say, or hold no words. `model.*` are copies of requests and answers.
_NOISE = frozenset(
    "session.idle session.title_changed session.info session.warning session.model_change session.mode_changed"
    " session.plan_changed session.workspace_file_changed session.truncation session.snapshot_rewind session.shutdown"
    " session.context_changed session.usage_info session.compaction_start session.task_complete"
    " session.remote_steerable_changed session.schedule_created session.schedule_cancelled session.tools_updated"
    " session.background_tasks_changed session.skills_loaded session.custom_agents_updated session.mcp_servers_loaded"
    " session.mcp_server_status_changed session.extensions_loaded session.custom_notification"
    " pending_messages.modified assistant.turn_start assistant.turn_end assistant.intent assistant.reasoning_delta"
    " assistant.streaming_delta assistant.message_start assistant.message_delta tool.execution_partial_result"
    " tool.execution_progress subagent.configured subagent.selected subagent.deselected hook.start"
    " permission.requested permission.completed user_input.requested elicitation.requested elicitation.completed"
    " sampling.requested sampling.completed mcp.oauth_required mcp.oauth_completed external_tool.requested"
    " external_tool.completed command.queued command.completed commands.changed capabilities.changed"
    " auto_mode_switch.requested auto_mode_switch.completed exit_plan_mode.requested exit_plan_mode.completed".split()
)


class CopilotCli(LineAdapter):
    """Reads `session-state/<session>/events.jsonl` and the older `session-state/<session>.jsonl`."""

    name = "copilot-cli"
    checked: tuple[str, ...] = ("1.0.102",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The state folder, on all platforms in the home folder unless it was moved."""
        base = Path(variables["COPILOT_HOME"]) if variables.get("COPILOT_HOME") else home / ".copilot"
        yield base / "session-state"
        yield base / "history-session-state"

    def sources(self, place: Path) -> Iterator[Path]:
        """Session files, folders before the flat files of older versions."""
        if place.is_file():
            yield place
            return
        yield from sorted(place.glob("*/events.jsonl"))
        yield from sorted(place.glob("*.jsonl"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """A JSON Lines file that begins with this harness's own first record."""
        first = _first(head)
        start = first.get("type") == "session.start" and isinstance(obj(first.get("data")).get("sessionId"), str)
        return path.suffix == ".jsonl" and start

    def start(self, path: Path, head: bytes) -> State:
        """The session by its first record, else by its folder; and whether it is one of our own in the background."""
        named = path.parent.name if path.name == "events.jsonl" else path.stem
        first = _first(head)
        said = obj(first.get("data")).get("sessionId") if first.get("type") == "session.start" else None
        own = next(filter(None, (_opens_own(_json(line)) for line in head.split(b"\n"))), None)
        tables: State = {"agents": {}, "children": {}, "calls": {}, "done": {}, "billed": {}}
        return {"session": word(said) or named, "own": own, **tables}

    def parse(self, record: Record, raw: bytes, ordinal: int, state: State) -> Iterable[Parsed]:
        """The event of one record."""
        state["own"] = state["own"] or _opens_own(record)
        if state["own"] == "yes":
            return [Skipped("own", 0)]
        kind = word(record.get("type")) or "none"
        data = obj(record.get("data"))
        line = Line(record, data, raw, ordinal, state, _session_of(record, data, state))
        return [*_new_child(line), *_events(kind, line)]


def _events(kind: str, line: Line) -> Iterable[Parsed]:
    if kind in _NOISE or kind.startswith("model."):
        return [line.noise()]
    make = _MAKERS.get(kind)
    if make is None:
        return [line.note("", kind=Kind.UNKNOWN, flags=(f"unknown:{kind}"[:80],))]
    return make(line)


def _new_child(line: Line) -> Iterable[Parsed]:
    """A sub-agent's session where its first record stands; a record of its start may be missing."""
    if line.child and line.session not in line.state["children"]:
        remember(line.state["children"], line.session, 1, _CHILDREN)
        call = line.state["calls"].get(line.session.removeprefix(line.state["session"] + "/")) or {}
        yield SessionInfo(
            id=line.session,
            harness=CopilotCli.name,
            harness_version=line.state.get("version"),
            parent=call.get("session") or line.state["session"],
            cwd=line.state.get("cwd"),
        )


def _json(line: bytes) -> Mapping[str, Any]:
    try:
        return obj(json.loads(line))
    except (ValueError, RecursionError):
        return {}


def _first(head: bytes) -> Mapping[str, Any]:
    return _json(head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0])


def _opens_own(record: Mapping[str, Any]) -> str | None:
    """Whether a prompt, if this is one, begins a background session of ours. The first prompt decides."""
    if record.get("type") != "user.message":
        return None
    content = obj(record.get("data")).get("content")
    return "yes" if isinstance(content, str) and content.lstrip().startswith(OWN_SESSION) else "no"


def _session_of(record: Mapping[str, Any], data: Mapping[str, Any], state: State) -> str:
    """Sub-agents go by the tool call that began them; not all their records name it, but all name the agent."""
    root: str = state["session"]
    agent = word(record.get("agentId"))
    call = word(data.get("parentToolCallId")) or word(obj(data.get("usage")).get("parentToolCallId"))
    if str(record.get("type")).startswith("subagent."):
        call = call or word(data.get("toolCallId"))
    if agent and call:
        remember(state["agents"], agent, call)
    name = call or state["agents"].get(agent) or agent
    return f"{root}/{name}" if name else root


def _needed(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise TypeError(key)  # another shape than we know: the reader of lines keeps it as drift
    return value


def _started(line: Line) -> Iterable[Parsed]:
    cwd, version = word(obj(line.data.get("context")).get("cwd")), word(line.data.get("copilotVersion"))
    line.state.update({key: value for key, value in (("cwd", cwd), ("version", version)) if value})
    yield SessionInfo(
        id=line.session,
        harness=CopilotCli.name,
        harness_version=version,
        cwd=cwd,
        started_at=time_of(line.data.get("startTime")),
    )
    yield line.noise()


def _said(line: Line) -> Iterable[Parsed]:
    # `content` is what was typed; `transformedContent` has the hooks' words in it and stays in the raw record.
    text = _needed(line.data, "content")
    source = word(line.data.get("source")) or "user"
    if is_own(text) or source.startswith("skill") or line.data.get("isAutopilotContinuation") is True:
        yield line.note(text, flags=INJECTED)
        return
    # Of a source that is not known the words are kept, but they are not the person's.
    person = source == "user" and not line.child
    yield line.event(Role.USER, Origin.PERSON if person else Origin.AGENT, Kind.PROMPT, text)


def _replied(line: Line) -> Iterable[Parsed]:
    builder = TextBuilder()
    content = line.data.get("content")
    requests = [obj(request) for request in items(line.data.get("toolRequests"))]
    if isinstance(content, str) and (content or not requests):
        builder.add(content)
    calls = tuple(call_of(line, builder, request, request.get("name"), "asked") for request in requests)
    kind = Kind.CALL if calls else Kind.REPLY
    thought = line.data.get("reasoningText")
    if not builder.text and isinstance(thought, str) and thought:
        builder.add(thought, "")
        kind = Kind.THINKING
    out = None if _billed(line, line.data.get("apiCallId")) else number(line.data.get("outputTokens"))
    yield line.event(Role.ASSISTANT, Origin.MODEL, kind, builder.text, calls=calls, tokens_out=out)


def _subagent(line: Line) -> Iterable[Parsed]:
    ended = line.record.get("type") != "subagent.started"
    yield SessionInfo(
        id=line.session,
        harness=CopilotCli.name,
        agent=word(line.data.get("agentName")),
        agent_role=word(line.data.get("agentType")),
        started_at=None if ended else line.at,
        ended_at=line.at if ended else None,
    )
    words = (word(line.data.get(key)) for key in ("agentName", "agentDisplayName", "agentDescription", "error"))
    text = "\n".join(filter(None, words))
    yield line.noise() if line.record.get("type") == "subagent.completed" else line.note(text)


def _hooked(line: Line) -> Iterable[Parsed]:
    output = line.data.get("output") or obj(line.data.get("error")).get("message")
    if not output:
        yield line.noise()
        return
    builder = TextBuilder()
    builder.add(word(line.data.get("hookType")) or "hook")
    arguments_of(builder, Action.OTHER, output, {})
    yield line.event(Role.HARNESS, Origin.HARNESS, Kind.HOOK, builder.text, flags=INJECTED)


def _compacted(line: Line) -> Iterable[Parsed]:
    if line.data.get("success") is False:
        yield line.note(word(line.data.get("error")) or "")
        return
    used = obj(line.data.get("compactionTokensUsed"))
    yield line.event(
        Role.HARNESS,
        Origin.MODEL,
        Kind.SUMMARY,
        word(line.data.get("summaryContent")) or "",
        flags=("compaction",),
        model=word(used.get("model")),
        tokens_in=number(used.get("inputTokens")),
        tokens_out=number(used.get("outputTokens")),
    )


def _used(line: Line) -> Iterable[Parsed]:
    usage = obj(line.data.get("usage")) or line.data
    out = None if _billed(line, usage.get("apiCallId")) else number(usage.get("outputTokens"))
    flags = spending(cached=usage.get("cacheReadTokens"))  # its `cost` counts premium requests, not dollars
    into = number(usage.get("inputTokens"))
    yield line.note("", flags=flags, tokens_in=into, tokens_out=out, model=word(usage.get("model")))


def _billed(line: Line, call: Any) -> bool:
    """Was the output of this request counted already? An answer and a usage record both tell it."""
    if not isinstance(call, str):
        return False
    known = call in line.state["billed"]
    if number(line.data.get("outputTokens")) is not None or line.data.get("usage"):
        remember(line.state["billed"], call, 1)
    return known


def _told(*keys: str, flags: tuple[str, ...] = ()) -> Callable[[Line], Iterable[Parsed]]:
    """A note with the first of these values that is a text."""

    def make(line: Line) -> Iterable[Parsed]:
        found = (word(line.data.get(key)) for key in keys)
        yield line.note(next(filter(None, found), ""), flags=flags)

    return make


def _thought(line: Line) -> Iterable[Parsed]:
    yield line.event(Role.ASSISTANT, Origin.MODEL, Kind.THINKING, _needed(line.data, "content"))


def _answered(line: Line) -> Iterable[Parsed]:
    yield line.event(Role.USER, Origin.PERSON, Kind.PROMPT, _needed(line.data, "answer"))


def _commanded(line: Line) -> Iterable[Parsed]:
    yield line.event(Role.USER, Origin.PERSON, Kind.COMMAND, _needed(line.data, "command"))


_MAKERS: Mapping[str, Callable[[Line], Iterable[Parsed]]] = {
    "session.start": _started,
    "session.resume": _started,
    "user.message": _said,
    "user_input.completed": _answered,
    "command.execute": _commanded,
    "assistant.message": _replied,
    "assistant.reasoning": _thought,
    "tool.user_requested": requested,
    "tool.execution_start": began,
    "tool.execution_complete": done,
    "subagent.started": _subagent,
    "subagent.completed": _subagent,
    "subagent.failed": _subagent,
    "hook.end": _hooked,
    "session.compaction_complete": _compacted,
    "session.usage_record": _used,
    "assistant.usage": _used,
    "system.message": _told("content", flags=INJECTED),
    "system.notification": _told("content", flags=INJECTED),
    "skill.invoked": _told("content", flags=INJECTED),
    "session.error": _told("message"),
    "session.handoff": _told("summary", "context"),
    "abort": _told("reason", flags=("interrupted",)),
}
