"""DeepSeek Harness (DSH): one JSON Lines file a session, as text or, by default, as Zstandard frames that are appended.

A header comes first. A call stands in the assistant's message and again in `tool/call`. What is put into the user's
role says so in its source. A sub-agent's session names its parent and its depth. Compaction was not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.contract import Cursor, Item, Source
from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.packed import ZSTD, read_packed
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sidecars import below, first
from muniment.capture.transcripts.turns import Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_NOISE = frozenset("turn/start turn/end step/start step/end request/header request/context".split())


class DeepSeekHarness(TurnAdapter):
    """Reads `~/.dsh/sessions/<project>/<session>/session.jsonl`, packed or not."""

    name = "deepseek-harness"
    checked: tuple[str, ...] = ("format 0",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folder, on all platforms in the home folder unless it was moved."""
        yield (Path(variables["DSH_HOME"]) if variables.get("DSH_HOME") else home / ".dsh") / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """One file a session; later versions of the format stand in the name."""
        yield from below(place, "*/*/session*.jsonl", "*/*/session*.jsonl.zstd")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name, and its header as far as that can be read."""
        if head.startswith(ZSTD):
            return path.name.startswith("session") and path.name.endswith(".jsonl.zstd")
        record = first(head)
        return path.suffix == ".jsonl" and record.get("type") == "session" and "createdAt" in record

    def start(self, path: Path, head: bytes) -> State:
        """The session by its header, else by its folder."""
        record = first(head)
        parent, name = word(record.get("parentSession")), word(record.get("id")) or path.parent.name
        return fresh(f"{parent}/{name}" if parent else name, side=record.get("origin") == "subagent", model=None)

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """Lines, out of their frames where they are packed."""
        if source.path.suffix == ".zstd":
            return read_packed(self, source, cursor)
        return super().read(source, cursor)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """One record."""
        record, kind = turn.record, tag(turn.record.get("type"))
        data = obj(record.get("data"))
        turn.know(at=when(record.get("time")))
        if kind == "session":
            return [self._session(turn), turn.noise(kind)]
        if kind == "request/context":
            turn.state["model"] = word(data.get("model"))
        if kind in _NOISE:
            return turn.noise(kind)
        if kind == "user/message":
            turn.know(native_id=word(data.get("id")))
            return turn.heard(texts(data.get("content")), aside=obj(data.get("source")).get("kind") != "user")
        if kind == "assistant/message":
            return self._assistant(turn)
        if kind == "tool/call":
            if turn.about(data.get("callId")):
                return turn.noise(kind)
            turn.call(data.get("callId"), data.get("name"), data.get("arguments"), formats=True)
            return turn.message()
        return self._result(turn) if kind == "tool/result" else turn.unknown(kind)

    def _session(self, turn: Turn) -> SessionInfo:
        record = turn.record
        return SessionInfo(
            turn.session,
            self.name,
            agent=word(record.get("agentPreset")),
            parent=word(record.get("parentSession")),
            cwd=word(record.get("cwd")),
            started_at=when(record.get("createdAt")),
        )

    def _assistant(self, turn: Turn) -> Parsed:
        data = obj(turn.record.get("data"))
        message, usage = obj(data.get("message")), obj(data.get("usage"))
        model = word(obj(message.get("source")).get("model")) or turn.state["model"]
        turn.know(native_id=word(message.get("id")), model=model, tokens_out=number(usage.get("outputTokens")))
        turn.know(tokens_in=number(usage.get("inputTokens")))
        for block in items(message.get("content")):
            if obj(block).get("type") == "tool-call":
                turn.call(block.get("id"), block.get("name"), block.get("arguments"), formats=True)
            else:
                turn.blocks([block])
        return turn.message()

    def _result(self, turn: Turn) -> Parsed:
        message = obj(obj(turn.record.get("data")).get("message"))
        turn.know(native_id=word(message.get("id")))
        for block in items(message.get("content")):
            held = obj(block)
            failed = held.get("isError")
            turn.result(
                held.get("toolCallId"), held.get("content"), None if not isinstance(failed, bool) else not failed
            )
        return turn.message()
