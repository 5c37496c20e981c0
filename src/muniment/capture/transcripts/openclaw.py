"""OpenClaw: Pi's entries, until 2026 in JSON Lines files, since then as rows of one database an agent.

The database's key is `(session_id, seq)`; long entries are compressed. A session that was forked or rolled over names the
one before it and begins with a copy of its entries.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Cursor, Item, Source
from muniment.capture.transcripts.lines import LineAdapter, Parsed, State
from muniment.capture.transcripts.pi import entry, header
from muniment.capture.transcripts.pieces import word
from muniment.capture.transcripts.sections import MAGIC, ForeignRows, Section, StoreAdapter
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.turns import Turn, fresh, when

_KEYS = """SELECT session_id, max(seq) AS last, count(*) AS total
FROM transcript_events GROUP BY session_id ORDER BY session_id"""
_ROWS = "SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq"


class OpenClaw(StoreAdapter):
    """Reads `agents/<agent>/agent/openclaw-agent.sqlite` and the older `agents/<agent>/sessions/<session>.jsonl`."""

    name = "openclaw"
    checked: tuple[str, ...] = ("2026.9.6",)
    tables = ("transcript_events",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The agents' folders under the name of today and the two before it."""
        moved = variables.get("OPENCLAW_STATE_DIR")
        for base in (Path(moved) if moved else home / ".openclaw", home / ".clawdbot", home / ".moltbot"):
            yield base / "agents"

    def sources(self, place: Path) -> Iterator[Path]:
        """Databases, then session files."""
        yield from below(place, "*/agent/openclaw-agent.sqlite", "*/sessions/*.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """The database by its name; a file of Pi's form by the folders that it lies in."""
        if head.startswith(MAGIC):
            return path.name == "openclaw-agent.sqlite"
        folders = path.parts[-4:-1]
        return len(folders) == 3 and (folders[0], folders[2]) == ("agents", "sessions") and bool(header(head))

    def start(self, path: Path, head: bytes) -> State:
        """The session of a file by its header, else by the file's name."""
        found = header(head)
        return fresh(word(found.get("id")) or path.stem, born=when(found.get("timestamp")))

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """Rows, or lines."""
        if source.path.suffix == ".jsonl":
            return LineAdapter.read(self, source, cursor)
        return super().read(source, cursor)

    def keys(self, db: ForeignRows) -> Iterable[tuple[str, str]]:
        """Sessions grow and are not edited."""
        return [(str(row["session_id"]), f"{row['last']} {row['total']}") for row in db.rows(_KEYS)]

    def section(self, db: ForeignRows, key: str, source: Source) -> Section | None:
        """The entries of one session; the first is the header."""
        return Section(fresh(key), None, (_entry(row, source) for row in db.rows(_ROWS, key)))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """An entry of the tree."""
        return entry(self.name, turn)


def _entry(row: Mapping[str, Any], source: Source) -> Any:
    text, packed = row["event_json"], row["event_zstd"]
    try:
        if text is None:
            data = str(packed).encode("utf-8", "surrogateescape")
            text = source.extra["unzstd"](data, source.max_record_bytes).decode("utf-8", "surrogateescape")
        return json.loads(text)
    except (KeyError, TypeError, ValueError, RecursionError):
        return text if isinstance(text, str) else str(packed)
