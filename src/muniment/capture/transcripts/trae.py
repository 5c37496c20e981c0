"""Trae: the editor's conversations in the key-value store of each workspace; and its command line, a relative of Codex.

In the store (`ItemTable`) the value of one key is a list of sessions with their messages, edited in place (`updatedAt`).
Newer builds encrypt it: then nothing is read. No tool calls, compaction or sub-agents were seen in it. The command line
writes Codex's rollouts, with everything that `codex.py` says of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from muniment.capture.transcripts.codex import Codex
from muniment.capture.transcripts.contract import Cursor, Item, Source
from muniment.capture.transcripts.editors import user_folders, workspace_of
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, obj, tag, texts, word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.tools import decoded
from muniment.capture.transcripts.turns import Turn, fresh, when
from muniment.model.event import SessionInfo
from muniment.model.ids import hash128

_KEYS = ("memento/icube-ai-agent-storage", "memento/icube-ai-chat-storage", "ChatStore")
_EDITORS = ("Trae", "Trae CN")


class Trae(StoreAdapter):
    """Reads `workspaceStorage/<hash>/state.vscdb`."""

    name = "trae"
    checked: tuple[str, ...] = ("plain layout of 2026-07",)
    tables = ("ItemTable",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The editor's storage of workspaces on each platform."""
        for user in user_folders(home, variables, platform, _EDITORS):
            yield user / "workspaceStorage"

    def sources(self, place: Path) -> Iterator[Path]:
        """The store of each workspace."""
        yield from [place] if place.is_file() else sorted(place.glob("*/state.vscdb"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """A store that names the editor's own key, or lies in its folder."""
        if not head.startswith(MAGIC) or path.suffix != ".vscdb":
            return False
        return b"icube-ai" in head or any(editor in path.parts for editor in _EDITORS)

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Sessions, by their content."""
        for key, value in _sessions(db):
            yield key, hash128(json.dumps(value, sort_keys=True)).hex()

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:
        """A session's messages."""
        session = next((value for name, value in _sessions(db) if name == key), {})
        begun = when(session.get("createdAt"))
        state = fresh(key, changed=when(session.get("updatedAt")))
        info = SessionInfo(key, self.name, cwd=workspace_of(source.path.absolute().parent), started_at=begun)
        return Section(state, info, items(session.get("messages")))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A message."""
        record, role = turn.record, tag(turn.record.get("role"))
        content = record.get("content")
        pieces = list(texts([content] if isinstance(content, dict) else content))
        turn.know(at=when(record.get("createdAt")), native_id=word(record.get("id")), updated_at=turn.state["changed"])
        turn.know(model=word(record.get("modelType")))
        if role == "user":
            return turn.heard(pieces)
        if role != "assistant":
            return turn.unknown(f"role/{role}")
        turn.say(pieces)
        turn.asked(record.get("toolCalls"))
        return turn.message()


def _sessions(db: ForeignRows) -> Iterator[tuple[str, Mapping[str, object]]]:
    for key in _KEYS:
        for row in db.rows("SELECT CAST(value AS BLOB) AS value FROM ItemTable WHERE key = ?", key):
            for session in items(obj(decoded(row["value"])).get("list")):
                if isinstance(session, dict) and (name := word(session.get("sessionId"))):
                    yield name, session


class TraeCli(Codex):
    """Reads `~/.trae/cli/sessions`."""

    name = "trae-cli"
    checked: tuple[str, ...] = ("0.200.19",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """`sessions` in the command line's folder, on every platform in the home folder."""
        yield home / ".trae" / "cli" / "sessions"

    def recognises(self, path: Path, head: bytes) -> bool:
        """A rollout whose first record names this provider, or that lies in this folder."""
        ours = b'"model_provider":"trae"' in head or ".trae" in path.parts
        return ours and super().recognises(path, head)

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """As Codex, under this name."""
        for item in super().read(source, cursor):
            yield replace(item, harness=self.name) if isinstance(item, SessionInfo) else item
