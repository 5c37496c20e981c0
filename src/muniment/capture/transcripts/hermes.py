"""Hermes: one database, a row a message. Compaction marks rows (`compacted`, `active`) and adds a summary as a message.

Compaction was not seen at work. What a hook adds goes into `api_content`, beside the words that were typed, and is not
taken for them. Sub-agents are sessions with a parent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from muniment.capture.transcripts.contract import Source
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import number, obj, tag, word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.tools import decoded
from muniment.capture.transcripts.turns import INJECTED, SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo

_KEYS = """SELECT session_id, max(id) AS last, count(*) AS total, total(compacted) AS folded, total(active) AS live
FROM messages GROUP BY session_id ORDER BY session_id"""
_SUMMARY = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]")


class Hermes(StoreAdapter):
    """Reads `~/.hermes/state.db`."""

    name = "hermes"
    checked: tuple[str, ...] = ("0.19.0",)
    tables = ("messages",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The home of this harness, on all platforms in the home folder unless it was moved."""
        yield (Path(variables["HERMES_HOME"]) if variables.get("HERMES_HOME") else home / ".hermes") / "state.db"

    def sources(self, place: Path) -> Iterator[Path]:
        """The database."""
        yield from below(place, "state.db")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name and two of its tables."""
        return head.startswith(MAGIC) and path.name == "state.db"

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Messages are added, and marked when they are compacted."""
        for row in db.rows(_KEYS):
            yield str(row.pop("session_id")), " ".join(map(str, row.values()))

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:  # noqa: ARG002 - the database holds all
        """The messages of one session."""
        about = next(iter(db.whole("sessions", "WHERE id = ?", key)), {})
        info = SessionInfo(
            key,
            self.name,
            parent=word(about.get("parent_session_id")),
            cwd=word(about.get("cwd")),
            started_at=when(about.get("started_at")),
            ended_at=when(about.get("ended_at")),
        )
        state = fresh(key, side=about.get("source") == "subagent", model=word(about.get("model")))
        return Section(state, info, db.whole("messages", "WHERE session_id = ? ORDER BY id", key))

    def turn(self, turn: Turn) -> Parsed:
        """A message."""
        turn.know(at=when(turn.record.get("timestamp")), native_id=str(turn.record.get("id")))
        return self._message(turn)

    def _message(self, turn: Turn) -> Parsed:
        record, role = turn.record, tag(turn.record.get("role"))
        text = word(record.get("content")) or ""
        if text.startswith(_SUMMARY):
            return turn.event(SUMMARY, text, ("compaction",))
        if role == "user":
            return turn.heard([text])
        if role == "assistant":
            turn.know(model=turn.state.get("model"), tokens_out=number(record.get("token_count")))
            turn.think(word(record.get("reasoning")) or word(record.get("reasoning_content")))
            turn.say(text)
            turn.asked(decoded(record.get("tool_calls")))
            return turn.message()
        if role == "tool":
            return _result(turn, text)
        if role in ("system", "session_meta"):
            return turn.note(text, *INJECTED)
        return turn.unknown(role)


def _result(turn: Turn, text: str) -> Parsed:
    call = turn.record.get("tool_call_id")
    turn.recall(call, turn.record.get("tool_name"))
    told = obj(decoded(text))
    output, failed = told.get("output"), told.get("error")
    ok = None if "error" not in told else not failed
    turn.result(call, output if isinstance(output, str) else text, ok, told.get("exit_code"))
    return turn.message()
