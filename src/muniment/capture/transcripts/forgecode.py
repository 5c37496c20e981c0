"""ForgeCode: a database with a JSON value a conversation, written anew at each turn. It has no folder, only the number
of one. Compaction replaces messages in the value, so that what was read before stays and the rest is told again. System
messages are the harness's. Messages bear no time; sub-agents were not seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Source
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.turns import INJECTED, Turn, fresh, when
from muniment.model.event import SessionInfo

_KEYS = "SELECT conversation_id, updated_at, length(context) AS size FROM conversations ORDER BY conversation_id"
_ONE = "SELECT context, created_at, updated_at FROM conversations WHERE conversation_id = ?"
_NAMES = (".forge.db", "forge.db")


class ForgeCode(StoreAdapter):
    """Reads `~/.forge/.forge.db` (before 2026: `~/forge/.forge.db`)."""

    name = "forgecode"
    checked: tuple[str, ...] = ("layout of 2026-06",)
    tables = ("conversations",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """Its folder under both names, on all platforms in the home folder."""
        for folder in (home / ".forge", home / "forge"):
            yield from (folder / name for name in _NAMES)

    def sources(self, place: Path) -> Iterator[Path]:
        """The database."""
        yield from below(place, *_NAMES)

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name and first bytes."""
        return head.startswith(MAGIC) and path.name in _NAMES

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Conversations with the time of their last change."""
        return [(str(row["conversation_id"]), f"{row['updated_at']} {row['size']}") for row in db.rows(_KEYS)]

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:  # noqa: ARG002 - the database holds all
        """One conversation; messages have no time of their own, and bear that of the last change as their update."""
        row = next(iter(db.rows(_ONE, key)), None)
        if row is None or row["context"] is None:
            return None
        try:
            value = json.loads(str(row["context"]))
        except (ValueError, RecursionError):
            value = None
        info = SessionInfo(key, self.name, started_at=when(row["created_at"]))
        known = isinstance(value, dict) and isinstance(value.get("messages"), list)
        return Section(
            fresh(key, at=when(row["updated_at"])), info, value["messages"] if known else [str(row["context"])]
        )

    def turn(self, turn: Turn) -> Parsed:
        """A message, which is an object with its kind as the one key."""
        usage, held = obj(turn.record.get("usage")), obj(turn.record.get("message", turn.record))
        turn.know(tokens_in=_tokens(usage.get("prompt_tokens")), tokens_out=_tokens(usage.get("completion_tokens")))
        turn.spent(cached=_tokens(usage.get("cached_tokens")))
        if "tool" in held:
            return _result(turn, obj(held["tool"]))
        if "text" not in held:
            return turn.unknown(next(iter(held), "none"))
        said = obj(held["text"])
        role, text = tag(said.get("role")), texts(said.get("raw_content", said.get("content")))
        if role == "User":
            return turn.heard(texts(said.get("content")))
        if role == "System":
            return turn.note("\n".join(text), *INJECTED)
        if role != "Assistant":
            return turn.unknown(role)
        turn.know(model=word(said.get("model")))
        turn.think([word(obj(each).get("text")) or "" for each in items(said.get("reasoning_details"))])
        turn.say(said.get("content"))
        for each in map(obj, items(said.get("tool_calls"))):
            turn.call(each.get("call_id"), each.get("name"), each.get("arguments"), formats=True)
        return turn.message()


def _tokens(value: Any) -> int | None:
    held = obj(value)
    return number(held.get("Actual", held.get("Approx"))) if held else number(value)


def _result(turn: Turn, held: Mapping[str, Any]) -> Parsed:
    output = obj(held.get("output"))
    failed = output.get("is_error")
    turn.recall(held.get("call_id"), held.get("name"))
    turn.result(held.get("call_id"), output.get("values"), None if not isinstance(failed, bool) else not failed)
    return turn.message()
