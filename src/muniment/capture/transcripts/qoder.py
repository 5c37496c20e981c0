"""Qoder: Claude Code's records under other folders.

Hooks show as `progress` records, of which none holds words. Compaction, side chains and what is put into the user's turn
are marked as in Claude Code; none of them was seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sidecars import below, first
from muniment.capture.transcripts.turns import SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_NOISE = frozenset({"progress", "file-history-snapshot", "queue-operation", "summary"})


class Qoder(TurnAdapter):
    """Reads `~/.qoder/projects/<project>/transcript/<session>.jsonl`."""

    name = "qoder"
    checked: tuple[str, ...] = ("layout of 2026-07",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The project folders of both products, on all platforms in the home folder."""
        yield home / ".qoder" / "projects"
        yield home / ".qoderwork" / "projects"

    def sources(self, place: Path) -> Iterator[Path]:
        """Session files."""
        yield from below(place, "*/transcript/*.jsonl", "*/*.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A `session_meta` that names the session beside the type, or a record in a folder of this harness's name."""
        record = first(head)
        named = path.parent.name == "transcript" or {".qoder", ".qoderwork"} & set(path.parts)
        meta = record.get("type") == "session_meta" and "payload" not in record
        return path.suffix == ".jsonl" and "sessionId" in record and (meta or bool(named))

    def start(self, path: Path, head: bytes) -> State:
        """The session by its file."""
        return fresh(path.stem, side=first(head).get("isSidechain") is True)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A record, behind the session where it is first told."""
        told = self._tell(turn)
        return [told, self._record(turn)] if told else self._record(turn)

    def _tell(self, turn: Turn) -> SessionInfo | None:
        record, state = turn.record, turn.state
        turn.know(at=when(record.get("timestamp")), native_id=word(record.get("uuid")))
        turn.know(parent_id=word(record.get("parentUuid")))
        cwd = word(record.get("cwd"))
        if state.get("cwd") or (not cwd and state.get("told")):
            return None
        state["told"], state["cwd"] = True, cwd
        return SessionInfo(
            turn.session, self.name, word(record.get("version")), cwd=cwd, started_at=turn.fields.get("at")
        )

    def _record(self, turn: Turn) -> Parsed:
        record, kind = turn.record, tag(turn.record.get("type"))
        message = obj(record.get("message"))
        if kind in _NOISE or kind == "session_meta":
            return turn.noise(kind)
        if kind == "assistant":
            usage = obj(message.get("usage"))
            turn.know(model=word(message.get("model")), tokens_out=number(usage.get("output_tokens")))
            turn.know(tokens_in=number(usage.get("input_tokens")))
            turn.blocks(message.get("content"))
            return turn.message()
        if kind != "user":
            return turn.unknown(kind)
        content = message.get("content")
        if any(obj(block).get("type") == "tool_result" for block in items(content)):
            turn.blocks(content)
            return turn.message()
        if record.get("isCompactSummary") is True:
            return turn.event(SUMMARY, "\n".join(texts(content)), ("compaction",))
        return turn.heard(texts(content), aside=record.get("isMeta") is True)
