"""Primary rows as plain records, for export, import, digests and rebuilds; and what becomes of every column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from muniment.model.fact import Verdict
from muniment.model.kept import Row
from muniment.model.ports import Rows
from muniment.storage.sqlite import schema
from muniment.storage.sqlite.events import EventTable

SESSION = (
    "id",
    "harness",
    "harness_version",
    "agent",
    "agent_role",
    "parent",
    "cwd",
    "root",
    "started_at",
    "ended_at",
    "source_uri",
)
EVENT = ("uid", "content_hash", "harness", "role", "origin", "kind", "at", "updated_at", "parts", "native_id",
         "parent_id", "model", "tokens_in", "tokens_out", "exit_code", "flags", "masks", "vouched", "speaker")  # fmt: skip
POSITION = ("session", "seq", "uid")
VERDICT = ("id", "action", "target_kind", "target", "value", "reason", "uid", "at", "origin", "draft")
TOMBSTONE = ("target", "at")

EXPORTED: Mapping[str, tuple[str, ...]] = {
    "sessions": SESSION,
    "events": (*EVENT, "text_blob", "raw_blob"),
    "blobs": ("blake3", "bytes", "size"),
    "positions": POSITION,
    "verdicts": VERDICT,
    "tombstones": TOMBSTONE,
}
"""What goes into an export: primary data. Blobs go with the events that name them, as text and raw record."""

LOCAL: Mapping[str, tuple[str, ...]] = {
    "migrations": ("name", "at"),
    "meta": ("key", "value"),
    "sessions": ("n", "source_state"),
    "events": ("n",),
    "blobs": ("n", "expires_at"),
    "sources": ("uri", "adapter", "cursor", "read", "kept", "skipped", "seen_at"),
    "checks": ("address", "state", "now", "place", "changed_by", "stamp", "checked_at"),
    "skips": ("uri", "offset", "reason", "detail"),
    "vector_models": ("n", "name", "version", "dimension", "state", "epoch"),
    "vectors": ("model", "event", "signs", "code"),
    "vector_pages": ("model", "high", "events", "signs"),
}
"""What another machine would not know, or would know otherwise."""

DERIVED: Mapping[str, tuple[str, ...]] = {"positions": ("order_at",)}
"""Columns of primary tables that a rebuild computes; whole tables are in the schema's list."""

TABLES = ("sessions", "events", "positions", "verdicts", "tombstones")
"""The tables of an export, in its order: each names only what stands before it."""

_POSITIONS = "SELECT s.id, p.seq, p.uid FROM positions p JOIN sessions s ON s.n = p.session ORDER BY s.id, p.seq, p.uid"
_FACTS = """SELECT 'fact', f.id, s.kind, s.key, f.predicate, f.topic, o.kind, o.key, f.value_key, f.key, f.uid,
    f.witness, f.span_start, f.span_end, f.text_hash, f.standing, f.stated, f.role, f.origin, f.observed_at,
    f.valid_from, f.valid_until, f.expires_at, f.rung, f.method, f.weight, f.anchor_sha256, f.context, f.source_url
    FROM facts f JOIN entities s ON s.n = f.subject LEFT JOIN entities o ON o.n = f.object ORDER BY f.id"""
_INTERVALS = """SELECT 'interval', i.key, i.valid_from, i.valid_to, f.id, i.standing, i.rung, i.newest_at, i.marks
    FROM intervals i LEFT JOIN facts f ON f.n = i.fact ORDER BY i.key, i.valid_from"""
DERIVED_ROWS: Mapping[str, tuple[int, str]] = {
    "fact": (1, _FACTS),
    "interval": (2, _INTERVALS),
    "link": (3, "SELECT 'link', fact, other, relation FROM links ORDER BY fact, other, relation"),
    "tag": (2, "SELECT 'tag', fact, tag FROM tags ORDER BY fact, tag"),
    "evidence": (2, "SELECT 'evidence', fact, address, kind, ref, anchor FROM evidence ORDER BY fact, address"),
    "line": (
        2,
        "SELECT 'line', id, from_ms, until_ms, band, rank_key, line FROM lines ORDER BY id, from_ms, until_ms, line",
    ),
}
"""The derived part of a digest: for each sort of row how many columns after the first name it, and where it is read."""


class TransferTable:
    """Reads every primary row in an order that does not depend on arrival."""

    def __init__(self, db: Rows, events: EventTable) -> None:
        self._db = db
        self._events = events

    def sessions(self) -> Iterator[dict[str, Any]]:
        """Every session by id."""
        return self._records("sessions", SESSION, "id")

    def events(self) -> Iterator[tuple[dict[str, Any], bytes, bytes]]:
        """Every event revision by uid and content hash, with its text and raw record."""
        sql = f"SELECT {', '.join(EVENT)}, text_blob, raw_blob FROM events ORDER BY uid, content_hash"  # noqa: S608
        for row in self._db.stream(sql):
            fields = dict(zip(EVENT, row, strict=False))
            yield fields, self._events.blob(row[-2])[0], self._events.blob(row[-1])[0]

    def positions(self) -> Iterator[tuple[str, int, bytes]]:
        """Every sighting by session and seq."""
        yield from self._db.stream(_POSITIONS)

    def verdicts(self) -> Iterator[Verdict]:
        """Every verdict by id."""
        for row in self._db.rows("SELECT * FROM verdicts ORDER BY id"):
            yield Verdict(*row)

    def tombstones(self) -> Iterator[dict[str, Any]]:
        """Every tombstone by target."""
        return self._records("tombstones", TOMBSTONE, "target")

    def put_tombstone(self, target: bytes, at: str) -> bool:
        """Remember that something was erased; the latest time is kept. False if that is known."""
        sql = """INSERT INTO tombstones VALUES (?, ?)
            ON CONFLICT (target) DO UPDATE SET at = excluded.at WHERE excluded.at > tombstones.at"""
        return bool(self._db.run(sql, (target, at)))

    def erased_at(self, target: bytes) -> str | None:
        """When the thing with that keyed name was erased; None if it was not."""
        row = self._db.one("SELECT at FROM tombstones WHERE target = ?", (target,))
        return str(row[0]) if row else None

    def _records(self, table: str, columns: tuple[str, ...], order: str) -> Iterator[dict[str, Any]]:
        for row in self._db.stream(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"):  # noqa: S608
            yield dict(zip(columns, row, strict=True))

    def digest_rows(self) -> Iterator[Row]:
        """What the digest is taken over: primary names and the facts drawn from them, never arrival or row numbers."""
        yield from self._db.stream("SELECT 'session', id, harness, parent FROM sessions ORDER BY id")
        yield from self._db.stream("SELECT 'event', uid, content_hash FROM events ORDER BY uid, content_hash")
        for session, seq, uid in self.positions():
            yield "position", session, seq, uid
        yield from self._db.stream("SELECT 'verdict', id, action, target, value, at FROM verdicts ORDER BY id")
        yield from self._db.stream("SELECT 'tombstone', target, at FROM tombstones ORDER BY target")
        yield from self.derived_rows()

    def derived_rows(self) -> Iterator[Row]:
        """The derived part of it."""
        for _, sql in DERIVED_ROWS.values():
            yield from self._db.stream(sql)

    def counts(self) -> dict[str, int]:
        """How many rows each table has."""
        tables = (*EXPORTED, "facts", "lines", "entities", "sources", "skips")
        return {t: int((self._db.one(f"SELECT count(*) FROM {t}") or (0,))[0]) for t in tables}  # noqa: S608


def derived_tables() -> tuple[str, ...]:
    """Tables and indexes that a rebuild replays."""
    return (*schema.DERIVED, *schema.TEXT_INDEXES)
