"""Factory Droid: one JSON Lines file a session with Anthropic's blocks; tokens stand for the whole session beside it.

Compaction is a `compaction_state` with the summary. Reminders stand in the user's role between tags, and are not taken
for the person's words. Sub-agents, copies and edits in place are not described.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, obj, tag, texts, word
from muniment.capture.transcripts.sidecars import below, beside, first
from muniment.capture.transcripts.turns import SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo


class FactoryDroid(TurnAdapter):
    """Reads `~/.factory/sessions/<slug>/<session>.jsonl`."""

    name = "factory-droid"
    checked: tuple[str, ...] = ("layout of 2026-06",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folder, on all platforms in the home folder."""
        yield home / ".factory" / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """Session files; the oldest lie in the folder itself."""
        yield from below(place, "*/*.jsonl", "*.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A file that begins with this harness's header."""
        return path.suffix == ".jsonl" and first(head).get("type") == "session_start"

    def start(self, path: Path, head: bytes) -> State:
        """The session by its header (flat, or nested in older files), else by the file's name."""
        record = first(head)
        named = word(record.get("id")) or word(obj(record.get("session")).get("id"))
        model = word(beside(path, f"{path.stem}.settings.json").get("model"))
        return fresh(named or path.stem, model=model)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """One record."""
        record, kind = turn.record, tag(turn.record.get("type"))
        turn.know(
            at=when(record.get("timestamp")), native_id=word(record.get("id")), parent_id=word(record.get("parentId"))
        )
        if kind == "session_start":
            inner = obj(record.get("session"))
            started = when(inner.get("created_at"), record.get("timestamp"))
            cwd = word(record.get("cwd")) or word(inner.get("cwd"))
            return [SessionInfo(turn.session, self.name, cwd=cwd, started_at=started), turn.noise(kind)]
        if kind == "message":
            return self._message(turn)
        if kind == "compaction_state":
            return turn.event(SUMMARY, _summary(record.get("summary")), ("compaction",))
        if kind == "todo_state":
            names = (
                word(obj(todo).get("description")) or word(obj(todo).get("content"))
                for todo in items(record.get("todos"))
            )
            return turn.note("\n".join(filter(None, names)))
        return turn.unknown(kind)

    def _message(self, turn: Turn) -> Parsed:
        said = obj(turn.record.get("message"))
        content, role = said.get("content"), tag(said.get("role"))
        answers = any(obj(block).get("type") == "tool_result" for block in items(content))
        if role == "user" and not answers:
            return turn.heard(texts(content))
        if role not in ("user", "assistant"):
            return turn.unknown(f"message/{role}")
        if role == "assistant":
            turn.know(model=word(said.get("model")) or turn.state.get("model"))
        turn.blocks(
            [block for block in items(content) if role == "assistant" or obj(block).get("type") == "tool_result"]
        )
        return turn.message()


def _summary(value: object) -> str:
    if isinstance(value, str):
        return value
    held = obj(value)
    return "\n".join(filter(None, (word(held.get("title")), word(held.get("body")), word(held.get("text")))))
