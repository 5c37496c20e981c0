"""Mistral Vibe: since 3.0 a journal of what the session went through, before that one message a line.

The journal is cut into segments named by their first record. What people see are entries, put there and replaced by
`projection_delta` records; the other records repeat them for recovery. A segment that was cleared away lives on as chunks
named by their content, which are not read. A sub-agent's session names its parent in `meta.json`. A user's entry of any
other source than a turn's start is injected. Compaction was not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed, Record, State
from muniment.capture.transcripts.pieces import items, number, obj, remember, tag, texts, word
from muniment.capture.transcripts.sidecars import below, beside, first
from muniment.capture.transcripts.turns import Turn, TurnAdapter, fresh, when
from muniment.model.event import Event, SessionInfo

_NOISE = frozenset(
    "command_reserved core_input action_intent action_lease action_cancelled receipt_succeeded receipt_failed".split()
)


class MistralVibe(TurnAdapter):
    """Reads `~/.vibe/logs/session/unified/<session>/journal/*.jsonl` and the older `<folder>/messages.jsonl`."""

    name = "mistral-vibe"
    checked: tuple[str, ...] = ("3.0.2",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session logs, on all platforms in the home folder unless they were moved."""
        yield (Path(variables["VIBE_HOME"]) if variables.get("VIBE_HOME") else home / ".vibe") / "logs" / "session"

    def sources(self, place: Path) -> Iterator[Path]:
        """Segments of journals in their order, then the sessions of older versions and their sub-agents'."""
        yield from below(place, "unified/*/journal/*.jsonl", "*/messages.jsonl", "*/agents/*/messages.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A record of the journal; a message with an id, of a session with a `meta.json`."""
        record = first(head)
        if "recovery_journal_record_version" in record:
            return True
        told = path.name == "messages.jsonl" and "start_time" in beside(path, "meta.json")
        return (
            (path.parent.name == "journal" and not head)
            or told
            or ("message_id" in record and path.name == "messages.jsonl")
        )

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the folder decides
        """The session by its `meta.json`, else by its folder."""
        journal = path.parent.name == "journal"
        meta = beside(path.parent if journal else path, "meta.json")
        folder = path.parents[1].name if journal else path.parent.name
        base = int(path.stem) - 1 if journal and path.stem.isdecimal() else 0
        about = {
            "parent": word(meta.get("parent_session_id")),
            "cwd": word(obj(meta.get("environment")).get("working_directory")),
            "started_at": when(meta.get("start_time")),
            "ended_at": when(meta.get("end_time")),
        }
        model = word(obj(meta.get("config")).get("model_name")) or word(meta.get("model"))
        side = path.parent.parent.name == "agents"
        return fresh(word(meta.get("session_id")) or folder, base=base, about=about, model=model, side=side, done={})

    def guarded(self, record: Record, raw: bytes, offset: int, ordinal: int, state: State) -> list[Parsed]:
        """A record's place in the session, not in its segment."""
        items = super().guarded(record, raw, offset, ordinal, state)
        return [replace(item, seq=item.seq + state["base"]) if type(item) is Event else item for item in items]

    def records(self, line: bytes, offset: int, ordinal: int, state: State) -> Iterator[Parsed]:
        """The same for what is no record."""
        for item in super().records(line, offset, ordinal, state):
            torn = type(item) is Event and "malformed" in item.flags
            yield replace(item, seq=item.seq + state["base"]) if torn and type(item) is Event else item

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A record, behind the session where it is the first."""
        made = self._journal(turn) if "payload" in turn.record else self._message(turn)
        about = turn.state.pop("about", None)
        return made if about is None else [SessionInfo(turn.session, self.name, **about), made]

    def _journal(self, turn: Turn) -> Parsed:
        kind, payload = tag(turn.record.get("type")), obj(turn.record.get("payload"))
        if kind == "projection_delta":
            deltas = [obj(each) for each in items(payload.get("delta"))]
            entries = [obj(each["entry"]) for each in deltas if each.get("op") in ("append_entry", "replace_entry")]
            odd = next(
                (each for each in deltas if each.get("op") not in ("append_entry", "replace_entry", "set_envelope")),
                None,
            )
            if odd is not None:
                turn.flag(f"unknown:delta/{tag(odd.get('op'))}"[:80])
            return _entries(turn, entries) if entries else turn.noise(kind)
        if kind == "action_result":
            inner = obj(obj(payload.get("result")).get("result"))
            usage = obj(inner.get("usage"))
            if usage:
                turn.spent(cached=usage.get("cached_input_tokens"))
                turn.know(model=turn.state["model"], tokens_in=number(usage.get("input_tokens")))
                return turn.know(tokens_out=number(usage.get("output_tokens"))).note("", "usage")
            return turn.noise(kind)
        return turn.noise(kind) if kind in _NOISE else turn.unknown(kind)

    def _message(self, turn: Turn) -> Parsed:
        record, role = turn.record, tag(turn.record.get("role"))
        turn.know(native_id=word(record.get("message_id")))
        if role == "user":
            return turn.heard(texts(record.get("content")), aside=record.get("injected") is True)
        if role == "assistant":
            turn.know(model=turn.state["model"])
            turn.think(record.get("reasoning_content"))
            turn.say(record.get("content"))
            turn.asked(record.get("tool_calls"))
            return turn.message()
        if role == "tool":
            turn.recall(record.get("tool_call_id"), record.get("name"))
            turn.result(record.get("tool_call_id"), record.get("content"))
            return turn.message()
        return turn.noise(role) if role == "system" else turn.unknown(role)


def _entries(turn: Turn, entries: list[Mapping[str, Any]]) -> Parsed:
    head = entries[0]
    turn.know(at=when(head.get("updatedAt"), head.get("createdAt")), native_id=word(head.get("id")))
    turn.know(updated_at=when(head.get("updatedAt")))
    if len(entries) == 1 and head.get("type") == "message" and head.get("role") == "user":
        return turn.heard(texts(head.get("content")), aside=head.get("source") not in ("turn_start", "user", "steer"))
    settled = False
    for entry in entries:
        if entry.get("type") == "message":
            turn.know(model=turn.state["model"])
            turn.say(entry.get("content"))
        elif entry.get("type") == "effect":
            settled = _effect(turn, entry) or settled
        else:
            turn.flag(f"unknown:entry/{tag(entry.get('type'))}"[:80])
    if turn.is_empty:
        return turn.note("") if not settled else turn.noise("effect")
    return turn.message()


def _effect(turn: Turn, entry: Mapping[str, Any]) -> bool:
    """A tool's work: asked for when it is put there, answered when it is replaced. True if it says nothing new."""
    name, detail, state = word(entry.get("id")) or "", obj(entry.get("detail")), obj(entry.get("state"))
    status, known = state.get("status"), turn.state["done"].get(name)
    if known is None:
        tool = (word(detail.get("toolName")) or "?").removeprefix("file_system.")
        turn.call(name, tool, detail.get("input"))
    if status in ("completed", "failed", "cancelled") and known != "done":
        output = obj(state.get("output"))
        told = obj(output.get("structured_content"))
        streams = [text for key in ("stdout", "stderr") if (text := word(told.get(key)))]
        put_out = streams or list(texts(output.get("content"))) or [word(state.get("outputText")) or ""]
        turn.result(name, put_out, status == "completed" and output.get("type") != "error", told.get("returncode"))
        status = "done"
    elif known is not None:
        return True
    if known is not None:
        # The answer is an event of its own, and no later form of the call.
        turn.know(native_id=f"{name}/result")
    remember(turn.state["done"], name, "done" if status == "done" else "asked", 512)
    return False
