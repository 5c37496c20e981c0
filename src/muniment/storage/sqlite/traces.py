"""Reads of whole sessions: every record that was seen in one, in its order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from muniment.model.event import Call, Result
from muniment.model.trace import Recorded, Told
from muniment.storage.sqlite.events import EventTable
from muniment.storage.sqlite.store import Database, Row

_SESSIONS = """SELECT s.n, s.id, s.harness, s.harness_version, s.agent, s.agent_role, s.parent, s.cwd FROM sessions s
    WHERE EXISTS (SELECT 1 FROM positions p WHERE p.session = s.n) ORDER BY s.id"""
_RECORDS = """SELECT s.id, p.seq, e.uid, e.role, e.origin, e.kind, e.at, e.text_blob, e.parts, e.model, e.tokens_in,
    e.tokens_out, e.flags, e.speaker, h.session <> p.session OR h.seq <> p.seq
    FROM positions p JOIN shown h ON h.uid = p.uid JOIN events e ON e.n = h.event JOIN sessions s ON s.n = p.session
    WHERE p.session = ? ORDER BY p.seq, p.uid"""


class TraceTable:
    """Sessions from their first record to their last."""

    def __init__(
        self, db: Database, events: EventTable,
        decode: Callable[[str | None], tuple[tuple[Call, ...], tuple[Result, ...]]],
    ) -> None:  # fmt: skip
        self._db = db
        self._events = events
        self._decode = decode

    def sessions(self) -> list[Told]:
        """Every session of which something is archived, by its name."""
        return [Told(*r) for r in self._db.rows(_SESSIONS)]

    def records(self, session: int) -> Iterator[Recorded]:
        """Every record seen in a session, in order."""
        for r in self._db.rows(_RECORDS, (session,)):
            with self._db.decoding():
                calls, results = self._decode(r[8])
                text = self._events.text(r[7])
            fields: Row = (*r[:7], text, calls, results, *r[9:12], tuple(r[12].split()), r[13], bool(r[14]))
            yield Recorded(*fields)
