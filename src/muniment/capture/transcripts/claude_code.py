"""Claude Code: one JSON Lines file a session, one more for each sub-agent; and the session document of the web version.

The file decides the session, not the record: a resumed or forked session begins with copies of another one's records
(the same `uuid`, so the same event), and `(session, seq)` must name one record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.claude_code_tools import Answer, call
from muniment.capture.transcripts.claude_code_words import spoken, strings
from muniment.capture.transcripts.contract import Cursor, Item, Source
from muniment.capture.transcripts.documents import DocumentReading
from muniment.capture.transcripts.lines import LineAdapter, Parsed, Record, State
from muniment.capture.transcripts.pieces import items, number, obj, remember, spending, tag, texts, word
from muniment.capture.transcripts.words import COMMAND, PROMPT, Spoken
from muniment.model.event import AUTHORITY, Call, Event, Kind, Origin, Role, SessionInfo, Skipped, TextBuilder
from muniment.model.time import canonical

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_INJECTED = ("injected",)
# Records that repeat what others hold, or hold no words.
_NOISE = frozenset(
    "api-request api-request-blob api-request-shape atis-latch file-history-snapshot last-prompt mode "
    "permission-mode progress queue-operation tools-used".split()
)
_SYSTEM_NOISE = frozenset({"stop_hook_summary", "turn_duration"})
_ATTACHMENT_NOISE = frozenset({"prompt_snapshot"})
# Attachments that the harness puts before the model. Hooks' (`hook_...`) and queued prompts are others.
_ATTACHMENTS = frozenset(
    "agent_listing_delta compact_file_reference date deferred_tools_delta diagnostics directory edited_text_file "
    "environment file instructions invoked_skills mcp_instructions_delta mcp_resource model nested_memory "
    "opened_file_in_ide plan_file_reference plan_mode plan_mode_exit relevant_memories remote_session_change "
    "selected_lines_in_ide session_context skill_listing task_reminder todo_reminder total_tokens_reminder "
    "ultra_effort".split()
)
# Keys and values by which a transcript is known; Qwen Code's records are alike but hold `parts`.
_OURS = (b'"isSidechain"', b'"leafUuid"', b'"type":"queue-operation"', b'"type":"file-history-snapshot"')
# Told of a session whose first records bear no time: its start is told when one does.
_UNDATED = "?"
_SYNTHETIC = "<synthetic>"


class ClaudeCode(LineAdapter):
    """Claude Code's transcripts."""

    name = "claude-code"
    checked: tuple[str, ...] = ("2.1.197", "2.1.328")

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002
        """`projects` under `CLAUDE_CONFIG_DIR` or `~/.claude`, on every platform."""
        moved = variables.get("CLAUDE_CONFIG_DIR")
        yield (Path(moved) if moved else home / ".claude") / "projects"

    def sources(self, place: Path) -> Iterator[Path]:
        """The transcripts below, a session before its sub-agents."""
        if place.is_file():
            yield place
            return
        yield from sorted(place.rglob("*.jsonl"), key=lambda path: path.with_suffix("").parts)

    def recognises(self, path: Path, head: bytes) -> bool:
        """By keys that no other harness writes; the web version's document by its `loglines`."""
        if path.suffix == ".json":
            return b'"loglines"' in head
        if path.suffix != ".jsonl":
            return False
        return b'"sessionId"' in head and any(key in head for key in _OURS)

    def start(self, path: Path, head: bytes) -> State:
        """The session: the file's name if it is a session id, else what its first records say."""
        said = _said(head)
        state: State = {"session": said or path.stem, "agent": "", "told": {}, "calls": {}, "usage": {}}
        if path.stem.startswith("agent-"):
            inner = path.parent.name == "subagents"
            state["agent"] = path.stem[6:]
            state["parent"] = said or (path.parent.parent if inner else path.parent).name
            state["session"] = f"{state['parent']}/{state['agent']}"
            state["role"] = _agent_type(path.with_suffix(".meta.json"))
        elif _UUID.fullmatch(path.stem):
            state["session"] = path.stem
        return state

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """Everything new since `cursor`; a document is read whole when it changed."""
        if source.path.suffix == ".json":
            return DocumentReading(self, source, "loglines").items(cursor)
        return super().read(source, cursor)

    def parse(self, record: Record, raw: bytes, ordinal: int, state: State) -> Iterable[Parsed]:
        """One record, one event."""
        kind = tag(record.get("type"))
        if "own" in state:
            return (Skipped("own", 0),)
        if kind in _NOISE:
            return (Skipped(f"noise:{kind}", 0),)
        turn = _Turn(record, raw, ordinal, state)
        read = _READERS.get(kind)
        event = read(turn) if read else turn.unknown(kind)
        info = turn.info()
        return (event,) if info is None else (info, event)


def _said(head: bytes) -> str | None:
    """The first session id in a file's first bytes."""
    for line in head.split(b"\n")[:64]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if found := word(obj(record).get("sessionId")):
            return found
    return None


def _agent_type(path: Path) -> str | None:
    """The job of a sub-agent, from the small file beside its transcript."""
    try:
        return word(obj(json.loads(path.read_bytes()[:65536])).get("agentType"))
    except (OSError, ValueError):
        return None


class _Turn:
    """One record on its way to an event."""

    __slots__ = ("ordinal", "raw", "record", "session", "side", "state")

    def __init__(self, record: Record, raw: bytes, ordinal: int, state: State) -> None:
        self.record, self.raw, self.ordinal, self.state = record, raw, ordinal, state
        self.session: str = state["session"]
        self.side = bool(state["agent"])
        if not self.side and record.get("isSidechain") is True:
            # Older versions wrote sub-agents into their parent's file.
            self.side = True
            self.session += "/" + (word(record.get("agentId")) or "sidechain")

    def event(
        self,
        who: tuple[Role, Origin, Kind],
        text: str,
        flags: tuple[str, ...] = (),
        **rest: Any,
    ) -> Event:
        record = self.record
        time = record.get("timestamp")
        return Event(
            self.session,
            self.ordinal,
            *who,
            text,
            self.raw,
            canonical(time) if isinstance(time, str | int | float) else None,
            word(record.get("uuid")),
            word(record.get("parentUuid") or record.get("logicalParentUuid")),
            flags=flags,
            **rest,
        )

    def note(self, text: str, *flags: str, kind: Kind = Kind.NOTE) -> Event:
        return self.event((Role.HARNESS, Origin.HARNESS, kind), text, flags)

    def unknown(self, kind: str) -> Event:
        return self.note("", f"unknown:{kind}"[:80], kind=Kind.UNKNOWN)

    def info(self) -> SessionInfo | None:
        """What the record tells of its session: at the first record, and when the version changes."""
        version, told = self.record.get("version"), self.state["told"]
        known = told.get(self.session)
        if known is not None and (version is None or version == known) and known != _UNDATED:
            return None
        time = self.record.get("timestamp")
        if known == _UNDATED and time is None:
            return None
        remember(told, self.session, _UNDATED if time is None else word(version) or "")
        return SessionInfo(
            self.session,
            ClaudeCode.name,
            word(version),
            (self.state["agent"] or self.session.rpartition("/")[2]) if self.side else None,
            self.state.get("role") or word(self.record.get("attributionAgent")),
            (self.state.get("parent") or self.state["session"]) if self.side else None,
            word(self.record.get("cwd")),
            canonical(time) if known in {None, _UNDATED} and isinstance(time, str | int | float) else None,
        )

    def spoken(self, said: Spoken) -> Event | Skipped:
        """Words in the user's turn, given to whoever said them."""
        if said.own:
            self.state["own"] = True
            return Skipped("own", 0)
        if said.who in {PROMPT, COMMAND} and self.side:
            # What stands in the user's turn of a sub-agent was written by the agent that started it.
            return self.event((Role.USER, Origin.AGENT, said.who[2]), said.text, said.flags)
        return self.event(said.who, said.text, said.flags)


def _user(turn: _Turn) -> Event | Skipped:
    record = turn.record
    content = obj(record.get("message")).get("content", record.get("content"))
    blocks = items(content)
    if record.get("isCompactSummary") is True:
        return turn.event((Role.HARNESS, Origin.MODEL, Kind.SUMMARY), "\n".join(texts(content)), ("compaction",))
    if any(obj(block).get("type") == "tool_result" for block in blocks):
        return _results(turn, blocks)
    aside = record.get("isMeta") is True or record.get("isVisibleInTranscriptOnly") is True or _not_human(record)
    return turn.spoken(spoken(list(texts(content)), aside))


def _not_human(record: Mapping[str, Any]) -> bool:
    """Newer versions say where a turn in the user's role came from."""
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return isinstance(kind, str) and kind != "human"


def _results(turn: _Turn, blocks: list[Any]) -> Event:
    answer = Answer(turn.record, turn.state["calls"], blocks)
    for block in blocks:
        if obj(block).get("type") == "tool_result":
            answer.add(block)
        else:
            for text in texts([block]):
                answer.text.add(text)
    # One event has one origin: that of the least authority among its results.
    origin = min(answer.origins, key=lambda found: (AUTHORITY[found], found))
    text, results = answer.text.text, tuple(answer.results)
    if origin is Origin.HARNESS:
        who = (Role.HARNESS, Origin.HARNESS, Kind.RESULT)
        return turn.event(who, text, _INJECTED, results=results)
    return turn.event((Role.TOOL, origin, Kind.RESULT), text, tuple(answer.flags), results=results)


def _assistant(turn: _Turn) -> Event:
    message = obj(turn.record.get("message"))
    content = message.get("content")
    if message.get("model") == _SYNTHETIC or turn.record.get("isApiErrorMessage") is True:
        return turn.note("\n".join(texts(content)))
    into, calls, kind = TextBuilder(), list[Call](), Kind.THINKING
    flags, thoughts = list[str](), list[str]()
    for block in items(content):
        sort = "text" if isinstance(block, str) else tag(obj(block).get("type"))
        if sort in {"text", "tool_use", "server_tool_use"}:
            kind = _said_or_called(block, into, calls, turn.state)
        elif sort in {"thinking", "redacted_thinking"}:
            thoughts.append(word(block.get("thinking")) or "")
        else:
            flags.append(f"unknown:block/{sort}"[:80])
    if kind is Kind.THINKING and not thoughts:
        kind = Kind.REPLY
    # Thoughts beside words are not said to anybody: they stay in the raw record.
    text = into.text if into.parts else "\n".join(thoughts)
    spent_in, spent_out, cached = _spent(message, turn.state)
    return turn.event(
        (Role.ASSISTANT, Origin.MODEL, Kind.CALL if calls else kind),
        text,
        (*flags, *spending(cached=cached)),
        calls=tuple(calls),
        model=word(message.get("model")),
        tokens_in=spent_in,
        tokens_out=spent_out,
    )


def _said_or_called(block: Any, into: TextBuilder, calls: list[Call], state: State) -> Kind:
    if isinstance(block, dict) and block.get("type") != "text":
        calls.append(call(block, into, state))
        return Kind.CALL
    for text in texts([block]):
        into.add(text)
    return Kind.REPLY


def _spent(message: Mapping[str, Any], state: State) -> list[int | None]:
    """The tokens that this record adds, in, out and cached: usage repeats on each line of one answer, may grow, and
    counts once."""
    usage, answer = message.get("usage"), message.get("id")
    if not isinstance(usage, dict) or not isinstance(answer, str):
        return [None, None, None]
    given = (usage.get("input_tokens"), usage.get("cache_creation_input_tokens"), usage.get("cache_read_input_tokens"))
    now = [sum(number(part) or 0 for part in given), number(usage.get("output_tokens")) or 0, number(given[2]) or 0]
    both = list(zip_longest(now, state["usage"].get(answer, ()), fillvalue=0))
    remember(state["usage"], answer, [max(pair) for pair in both], 8)
    return [max(0, here - before) or None for here, before in both]


def _cost(turn: _Turn) -> Event | Skipped:
    """What was paid since the last sum, which begins anew with each start of the program."""
    total = turn.record.get("totalCostUSD")
    total = total if isinstance(total, int | float) and not isinstance(total, bool) else 0
    before = turn.state.get("cost", 0)
    flags = spending(total - before if total >= before else total)
    if not flags:
        return Skipped("noise:cost-state", 0)
    turn.state["cost"] = total
    models = obj(turn.record.get("modelUsage"))
    model = word(next(iter(models))) if len(models) == 1 else None
    return turn.event((Role.HARNESS, Origin.HARNESS, Kind.NOTE), "", ("usage", *flags), model=model)


def _system(turn: _Turn) -> Event | Skipped:
    record = turn.record
    subtype = tag(record.get("subtype"))
    text = "\n".join(texts(record.get("content")))
    if subtype in _SYSTEM_NOISE:
        return Skipped(f"noise:system/{subtype}", 0)
    if subtype in {"compact_boundary", "microcompact_boundary"}:
        return turn.note(text, "compaction")
    if subtype == "local_command":
        return turn.spoken(spoken([text], aside=not text.lstrip().startswith("<command-")))
    if subtype in {"api_error", "informational", "missing"}:
        return turn.note(text or word(obj(record.get("error")).get("message")) or "")
    if subtype == "away_summary":
        return turn.event((Role.HARNESS, Origin.MODEL, Kind.SUMMARY), text)
    return turn.unknown(f"system/{subtype}")


def _summary(turn: _Turn) -> Event:
    return turn.event((Role.HARNESS, Origin.MODEL, Kind.SUMMARY), word(turn.record.get("summary")) or "")


def _attachment(turn: _Turn) -> Event | Skipped:
    attachment = obj(turn.record.get("attachment"))
    sort = tag(attachment.get("type"))
    if sort in _ATTACHMENT_NOISE:
        return Skipped(f"noise:attachment/{sort}", 0)
    if sort.startswith("hook_"):
        words = strings(attachment, ("content", "command", "stdout", "stderr", "blockingError", "message"))
        return turn.note(words, *_INJECTED, kind=Kind.HOOK)
    if sort == "queued_command":
        # A prompt typed while the agent was at work.
        typed = tag(attachment.get("commandMode")) in {"prompt", "missing"} and not _not_human(attachment)
        said = spoken(list(texts(attachment.get("prompt"))), aside=not typed)
        return turn.spoken(said)
    if sort in _ATTACHMENTS:
        return turn.note(strings(attachment, ("filename", "content", "text")), *_INJECTED)
    return turn.unknown(f"attachment/{sort}")


_READERS: Mapping[str, Callable[[_Turn], Event | Skipped]] = {
    "user": _user,
    "assistant": _assistant,
    "system": _system,
    "summary": _summary,
    "attachment": _attachment,
    "cost-state": _cost,
}
