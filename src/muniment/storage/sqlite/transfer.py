"""Primary rows as plain records, for export, import, digests and rebuilds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from muniment.model.fact import Verdict
from muniment.storage.sqlite.events import EventTable
from muniment.storage.sqlite.store import Database

SESSION = ("id", "harness", "harness_version", "agent", "agent_role", "parent", "cwd", "root", "started_at", "ended_at", "source_uri")
EVENT = ("uid", "content_hash", "harness", "role", "origin", "kind", "at", "updated_at", "parts", "native_id", "parent_id", "model",
         "tokens_in", "tokens_out", "exit_code", "flags", "masks", "vouched")  # fmt: skip


class TransferTable:
    """Reads every primary row in an order that does not depend on arrival."""

    def __init__(self, db: Database, events: EventTable) -> None:
        self._db = db
        self._events = events

    def sessions(self) -> Iterator[dict[str, Any]]:
        """Every session by id."""
        for row in self._db.rows(f"SELECT {', '.join(SESSION)} FROM sessions ORDER BY id"):  # noqa: S608
            yield dict(zip(SESSION, row, strict=True))

    def events(self) -> Iterator[tuple[dict[str, Any], bytes, bytes]]:
        """Every event revision by uid and content hash, with its text and raw record."""
        sql = f"SELECT {', '.join(EVENT)}, text_blob, raw_blob FROM events ORDER BY uid, content_hash"  # noqa: S608
        for row in self._db.db.execute(sql):
            fields = dict(zip(EVENT, row, strict=False))
            yield fields, self._events.blob(row[-2])[0], self._events.blob(row[-1])[0]

    def positions(self) -> Iterator[tuple[str, int, bytes]]:
        """Every sighting by session and seq."""
        sql = "SELECT s.id, p.seq, p.uid FROM positions p JOIN sessions s ON s.n = p.session ORDER BY s.id, p.seq, p.uid"
        yield from self._db.db.execute(sql)

    def verdicts(self) -> Iterator[Verdict]:
        """Every verdict by id."""
        for row in self._db.rows("SELECT * FROM verdicts ORDER BY id"):
            yield Verdict(*row)

    def digest_rows(self) -> Iterator[tuple[Any, ...]]:
        """What the digest is taken over: primary names and the facts drawn from them, never places or arrival."""
        yield from self._db.db.execute("SELECT 'session', id, harness, parent FROM sessions ORDER BY id")
        yield from self._db.db.execute("SELECT 'event', uid, content_hash FROM events ORDER BY uid, content_hash")
        for session, seq, uid in self.positions():
            yield "position", session, seq, uid
        yield from self._db.db.execute("SELECT 'verdict', id, action, target, value, at FROM verdicts ORDER BY id")
        yield from self._db.db.execute(
            """SELECT 'fact', f.id, s.kind, s.key, f.predicate, f.topic, o.kind, o.key, f.value_key, f.standing, f.role, f.origin,
                f.observed_at, f.valid_from, f.valid_until, f.rung, f.method FROM facts f JOIN entities s ON s.n = f.subject
                LEFT JOIN entities o ON o.n = f.object ORDER BY f.id"""
        )
        yield from self._db.db.execute(
            """SELECT 'interval', i.key, i.valid_from, i.valid_to, f.id, i.standing, i.marks FROM intervals i
                JOIN facts f ON f.n = i.fact ORDER BY i.key, i.valid_from"""
        )
        yield from self._db.db.execute("SELECT 'link', fact, other, relation FROM links ORDER BY fact, other, relation")

    def counts(self) -> dict[str, int]:
        """How many rows each table has."""
        tables = ("sessions", "events", "positions", "verdicts", "facts", "lines", "entities", "blobs", "sources", "skips")
        return {t: int((self._db.one(f"SELECT count(*) FROM {t}") or (0,))[0]) for t in tables}  # noqa: S608
