"""Local rows: how far each transcript was read, and what was skipped. No part of any digest."""

from __future__ import annotations

from muniment.model.kept import SourceState
from muniment.model.ports import Rows


class SourceTable:
    """Cursors and skips."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def all(self) -> dict[str, SourceState]:
        """Every source by its uri, in one query: a pass over a thousand unchanged files must be cheap."""
        import json  # here, because questions never ask for sources

        rows = self._db.rows("SELECT uri, adapter, cursor, read, kept, skipped FROM sources")
        return {r[0]: SourceState(r[1], json.loads(r[2]), r[3], r[4], json.loads(r[5])) for r in rows}

    def find(self, uri: str) -> SourceState | None:
        """One source, if it was read before."""
        import json

        r = self._db.one("SELECT adapter, cursor, read, kept, skipped FROM sources WHERE uri = ?", (uri,))
        return SourceState(r[0], json.loads(r[1]), r[2], r[3], json.loads(r[4])) if r else None

    def named(self, start: str) -> list[str]:
        """The sources whose name begins so."""
        sql = "SELECT uri FROM sources WHERE uri >= ? AND uri < ? ORDER BY uri"
        return [str(r[0]) for r in self._db.rows(sql, (start, start[:-1] + chr(ord(start[-1]) + 1)))]

    def totals(self, reason: str) -> tuple[int, int]:
        """How many records were kept, and how many skipped for one reason, over all sources."""
        sql = "SELECT coalesce(sum(kept), 0), coalesce(sum(CAST(json_extract(skipped, ?) AS INTEGER)), 0) FROM sources"
        kept, skipped = self._db.rows(sql, (f'$."{reason}"',))[0]
        return int(kept), int(skipped)

    def put(self, uri: str, state: SourceState, now: str) -> None:
        """Remember a cursor, in the transaction that stored what it covers."""
        import json

        cursor = json.dumps(state.cursor, separators=(",", ":"))
        skipped = json.dumps(state.skipped, separators=(",", ":"), sort_keys=True)
        sql = "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._db.run(sql, (uri, state.adapter, cursor, state.read, state.kept, skipped, now))

    def put_skips(self, uri: str, skips: list[tuple[int, str, str]]) -> None:
        """Remember where a record stands that could not be read: (offset, reason, detail) each."""
        self._db.many("INSERT OR IGNORE INTO skips VALUES (?, ?, ?, ?)", [(uri, *s) for s in skips])

    def drop_skips(self, uri: str) -> None:
        """Forget the places in a file that is read again from its start."""
        self._db.run("DELETE FROM skips WHERE uri = ?", (uri,))

    def skips(self) -> list[tuple[str, int, str, str]]:
        """Everything that could not be read."""
        return [tuple(r) for r in self._db.rows("SELECT uri, offset, reason, detail FROM skips ORDER BY 1, 2, 3")]
