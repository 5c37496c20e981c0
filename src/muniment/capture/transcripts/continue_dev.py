"""Continue: one JSON document a session, with the calls of each answer and their results beside it.

A list `sessions.json` beside the sessions says when each began; messages bear no times. Compaction: an entry's
`conversationSummary`. What the context providers add stands apart (`contextItems`, `editorState`), not in the person's
words. Sub-agents leave no trace of their own. Documents are rewritten whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.editors import local_path
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section, load
from muniment.capture.transcripts.turns import SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo

_APART = frozenset({"toolCallStates", "conversationSummary"})
_OPEN = frozenset({"generating", "generated", "calling", "pending"})


class Continue(DocumentAdapter):
    """Reads `~/.continue/sessions/<id>.json`."""

    name = "continue"
    checked: tuple[str, ...] = ("1.5.47",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """`sessions` in `CONTINUE_GLOBAL_DIR` or `~/.continue`, on every platform."""
        moved = variables.get("CONTINUE_GLOBAL_DIR")
        yield (Path(moved) if moved else home / ".continue") / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """The sessions, by name; their list is none."""
        if place.is_file():
            yield place
            return
        yield from (path for path in sorted(place.glob("*.json")) if path.name != "sessions.json")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By keys that stand together in no other document."""
        return path.suffix == ".json" and all(key in head for key in (b'"sessionId"', b'"history"', b'"message"'))

    def beside(self, path: Path) -> Iterable[Path]:
        """The list of sessions."""
        yield path.with_name("sessions.json")

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The session; each entry of its history, behind it the results of its calls."""
        if not isinstance(document, dict) or not isinstance(document.get("history"), list):
            raise ValueError("no history")
        session = word(document.get("sessionId")) or path.stem
        listed = (obj(entry) for entry in items(load(path.with_name("sessions.json"))))
        begun = next((when(_date(entry)) for entry in listed if entry.get("sessionId") == session), None)
        cwd = local_path(word(document.get("workspaceDirectory")))
        info = SessionInfo(session, self.name, cwd=cwd, started_at=begun)
        yield Section(fresh(session, begun=begun), info, _records(document["history"]))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """An entry, or a result."""
        record, message = turn.record, obj(turn.record.get("message"))
        turn.know(at=turn.state["begun"] if not turn.ordinal else None)
        if "toolCallId" in record and "message" not in record:
            return _result(turn)
        if "conversationSummary" in record and "message" not in record:
            return turn.event(SUMMARY, word(record["conversationSummary"]) or "", ("compaction",))
        role = tag(message.get("role"))
        if role == "user":
            return turn.heard(texts(message.get("content")))
        if role == "tool":
            turn.result(message.get("toolCallId"), message.get("content"))
            return turn.message()
        if role == "system":
            return turn.noise("system")
        if role not in ("assistant", "thinking"):
            return turn.unknown(f"role/{role}")
        usage = obj(message.get("usage"))
        turn.know(
            tokens_in=number(usage.get("prompt_tokens", usage.get("promptTokens"))), model=word(usage.get("model"))
        )
        turn.know(tokens_out=number(usage.get("completion_tokens", usage.get("completionTokens"))))
        (turn.think if role == "thinking" else turn.say)(message.get("content"))
        turn.asked(message.get("toolCalls"))
        return turn.message()


def _date(entry: Mapping[str, Any]) -> Any:
    date = entry.get("dateCreated")
    return int(date) if isinstance(date, str) and date.isdigit() else date


def _records(history: list[Any]) -> Iterator[Any]:
    for entry in history:
        states = [obj(state) for state in items(obj(entry).get("toolCallStates"))]
        summary = obj(entry).get("conversationSummary")
        yield {k: v for k, v in entry.items() if k not in _APART} if isinstance(entry, dict) else entry
        yield from ({key: value for key, value in state.items() if key != "toolCall"} for state in states)
        if summary:
            yield {"conversationSummary": summary}


def _result(turn: Turn) -> Parsed:
    record, status = turn.record, tag(turn.record.get("status"))
    if status in _OPEN:
        return turn.noise("open")
    pieces = [text for part in items(record.get("output")) if (text := word(obj(part).get("content"))) is not None]
    if status == "canceled":
        turn.flag("refused")
    turn.result(record["toolCallId"], pieces, {"done": True, "errored": False, "canceled": False}.get(status))
    return turn.message()
