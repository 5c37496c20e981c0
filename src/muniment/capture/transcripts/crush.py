"""Crush: an SQLite database in each project, a row a message, whose `parts` are typed.

Compaction: rows with `is_summary_message`. Sub-agents are sessions with a parent. Rows are edited in place while an
answer streams: `updated_at` tells. Times are in seconds (milliseconds in some versions). The folder is not told: it is
the one that `.crush` lies in, or the one that the list of projects names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Source
from muniment.capture.transcripts.editors import data_folder
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter, load
from muniment.capture.transcripts.turns import REPLY, SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo


class Crush(StoreAdapter):
    """Reads `crush.db`."""

    name = "crush"
    checked: tuple[str, ...] = ("schema of 2025-04",)
    tables = ("messages",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The databases of all projects that it lists, and those of the current folder and the ones above it."""
        data = variables.get("CRUSH_GLOBAL_DATA")
        listed = (Path(data) if data else data_folder(home, variables, platform) / "crush") / "projects.json"
        found = [word(obj(project).get("data_dir")) for project in items(obj(load(listed)).get("projects"))]
        here = Path(variables["PWD"]) if variables.get("PWD") else home
        folders = [Path(folder) for folder in found if folder] + [folder / ".crush" for folder in (here, *here.parents)]
        yield from (folder / "crush.db" for folder in dict.fromkeys(folders))

    def sources(self, place: Path) -> Iterator[Path]:
        """The database."""
        yield from [place] if place.is_file() else sorted(place.rglob("crush.db"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """A database by its name and columns."""
        return head.startswith(MAGIC) and b"summary_message_id" in head and path.suffix == ".db"

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Sessions, by the last change of their rows and their number."""
        sql = (
            "SELECT session_id, max(updated_at) AS last, count(*) AS many FROM messages"
            " GROUP BY session_id ORDER BY session_id"
        )
        for row in db.rows(sql):
            yield str(row["session_id"]), f"{row['last']} {row['many']}"

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:
        """A session's rows in their order."""
        told: Mapping[str, Any] = next(iter(db.whole("sessions", "WHERE id = ?", key)), {})
        parent = word(told.get("parent_session_id"))
        state = fresh(f"{parent}/{key}" if parent else key, side=bool(parent))
        folder = source.path.absolute().parent
        info = SessionInfo(
            state["session"],
            self.name,
            parent=parent,
            cwd=str(folder.parent) if folder.name == ".crush" else None,
            started_at=when(told.get("created_at")),
        )
        return Section(state, info, db.whole("messages", "WHERE session_id = ? ORDER BY created_at, rowid", key))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A row."""
        record, role = turn.record, tag(turn.record.get("role"))
        turn.know(at=when(record.get("created_at")), updated_at=when(record.get("updated_at")))
        turn.know(native_id=word(record.get("id")), model=word(record.get("model")))
        parts = [obj(part) for part in items(json.loads(record["parts"]))]
        if role == "user":
            said = [text for part in parts if part.get("type") == "text" for text in texts([part.get("data")])]
            return turn.heard(said)
        if role not in ("assistant", "tool"):
            return turn.note("\n".join(text for part in parts for text in texts([part.get("data")])))
        for part in parts:
            _part(turn, tag(part.get("type")), obj(part.get("data")))
        summary = number(record.get("is_summary_message")) == 1
        if summary:
            turn.flag("compaction")
        return turn.message(SUMMARY if summary else REPLY)


def _part(turn: Turn, kind: str, data: Mapping[str, Any]) -> None:
    if kind == "text":
        turn.say([data])
    elif kind == "reasoning":
        turn.think(data.get("thinking"))
    elif kind == "tool_call":
        turn.call(data.get("id"), data.get("name"), data.get("input"))
    elif kind == "tool_result":
        failed = data.get("is_error")
        turn.result(data.get("tool_call_id"), data.get("content"), None if failed is None else not failed)
    elif kind == "shell_command":
        made = turn.call(None, "bash", {"command": data.get("command")})
        turn.result(made.call_id, data.get("output"), exit_code=data.get("exit_code"))
    elif kind == "finish":
        if data.get("reason") in ("canceled", "cancelled"):
            turn.flag("interrupted")
    elif kind not in ("image_url", "binary"):
        turn.flag(f"unknown:part/{kind}"[:80])
