"""Junie: `events.jsonl` a session, of blocks that are updated until they are complete; only complete ones are taken.

A change of files shows both whole contents. The prompt bears no time. Sub-agents and compaction are not described.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import file_hash, items, number, obj, remember, tag, word
from muniment.capture.transcripts.sidecars import below, first, row_of
from muniment.capture.transcripts.turns import Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_FIRST = frozenset({"UserPromptEvent", "SessionA2uxEvent"})


class Junie(TurnAdapter):
    """Reads `~/.junie/sessions/<session>/events.jsonl`."""

    name = "junie"
    checked: tuple[str, ...] = ("layout of 2026-07",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folder, on all platforms in the home folder."""
        yield home / ".junie" / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """One file a session."""
        yield from below(place, "*/events.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name and the kind of its first record."""
        return path.name == "events.jsonl" and first(head).get("kind") in _FIRST

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the folder decides
        """The session by its folder; the folder above lists what is known of each."""
        about = row_of(path.parent.parent / "index.jsonl", "sessionId", path.parent.name)
        told = {"cwd": word(about.get("projectDir")), "started_at": when(about.get("createdAt"))}
        return fresh(path.parent.name, about=told, done={})

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """An event, behind the session where it is the first."""
        made = self._event(turn)
        about = turn.state.pop("about", None)
        return made if about is None else [SessionInfo(turn.session, self.name, **about), made]

    def _event(self, turn: Turn) -> Parsed:
        record, kind = turn.record, tag(turn.record.get("kind"))
        turn.know(at=when(record.get("timestampMs")))
        if kind == "UserPromptEvent":
            return turn.heard([word(record.get("prompt")) or ""])
        if kind != "SessionA2uxEvent":
            return turn.unknown(kind)
        event = obj(obj(record.get("event")).get("agentEvent"))
        kind, step = tag(event.get("kind")), word(event.get("stepId"))
        turn.know(native_id=step)
        if kind == "LlmResponseMetadataEvent":
            return _usage(turn, event)
        if kind == "ResultBlockUpdatedEvent":
            turn.say(event.get("result"))
            return turn.message()
        if kind not in ("TerminalBlockUpdatedEvent", "FileChangesBlockUpdatedEvent"):
            return turn.unknown(kind)
        status = event.get("status")
        if status not in ("COMPLETED", "FAILED", "CANCELLED") or turn.state["done"].get(step) == status:
            return turn.noise(kind)
        if step:
            remember(turn.state["done"], step, status)
        done = _ran if kind.startswith("Terminal") else _changed
        return done(turn, event, step or str(turn.ordinal), status == "COMPLETED")


def _usage(turn: Turn, event: Mapping[str, Any]) -> Parsed:
    used = [obj(each) for each in items(event.get("modelUsage"))]
    into = [
        number(each.get(key)) or 0 for each in used for key in ("inputTokens", "cacheInputTokens", "cacheCreateTokens")
    ]
    turn.know(tokens_in=sum(into), tokens_out=sum(number(each.get("outputTokens")) or 0 for each in used))
    return turn.note("", "usage")


def _ran(turn: Turn, event: Mapping[str, Any], step: str, ok: bool) -> Parsed:
    turn.call(step, "terminal", {"command": event.get("command")})
    turn.result(step, event.get("details"), None if ok else False)
    return turn.message()


def _changed(turn: Turn, event: Mapping[str, Any], step: str, ok: bool) -> Parsed:
    for index, each in enumerate(items(event.get("changes"))):
        change, name = obj(each), f"{step}.{index}"
        before, after = word(change.get("beforeRelativePath")), word(change.get("afterRelativePath"))
        old, new = obj(change.get("beforeContent")).get("text"), obj(change.get("afterContent")).get("text")
        if before and after and before != after:
            turn.call(name, "move", {"path": before, "to": after})
        elif after is None:
            turn.call(name, "delete", {"path": before})
        else:
            turn.call(name, "edit", {"path": after, "old": old, "new": new})
        turn.result(name, "", ok, sha256=file_hash(new) if ok and isinstance(new, str) else None)
    return turn.message() if not turn.is_empty else turn.note("")
