"""Reads of whole sessions: every record that was seen in one, in its order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from muniment.model.event import Call, Result
from muniment.model.kept import Row
from muniment.model.ports import Rows
from muniment.model.trace import Recorded, Told
from muniment.model.tracing import Spending
from muniment.storage.sqlite.events import EventTable

_SESSIONS = """SELECT s.n, s.id, s.harness, s.harness_version, s.agent, s.agent_role, s.parent, s.cwd, s.root FROM sessions s
    WHERE EXISTS (SELECT 1 FROM positions p WHERE p.session = s.n) ORDER BY s.id"""
_RECORDS = """SELECT s.id, p.seq, e.uid, e.role, e.origin, e.kind, e.at, e.text_blob, e.parts, e.model, e.tokens_in,
    e.tokens_out, e.flags, e.speaker, h.session <> p.session OR h.seq <> p.seq
    FROM positions p JOIN shown h ON h.uid = p.uid JOIN events e ON e.n = h.event JOIN sessions s ON s.n = p.session
    WHERE p.session = ? ORDER BY p.seq, p.uid"""

_SPENDINGS = """SELECT h.session, p.order_at, e.model, e.tokens_in, e.tokens_out, e.flags FROM events e
    JOIN shown h ON h.event = e.n JOIN positions p ON p.session = h.session AND p.seq = h.seq AND p.uid = h.uid
    WHERE (e.tokens_in IS NOT NULL OR e.tokens_out IS NOT NULL OR instr(e.flags, 'cost.') > 0)
    AND p.order_at >= ? AND p.order_at < ? ORDER BY p.order_at, h.session, p.seq"""
_MODELS = """SELECT p.session, min(e.model) FROM events e JOIN positions p ON p.uid = e.uid WHERE e.model IS NOT NULL
    GROUP BY p.session HAVING min(e.model) = max(e.model)"""
_TOUCHES = """SELECT l.fact FROM lines l WHERE l.object IN (SELECT value FROM json_each(?1))
    AND l.predicate IN (SELECT value FROM json_each(?2)) UNION SELECT l.fact FROM lines l
    WHERE l.subject IN (SELECT value FROM json_each(?1)) AND l.predicate = 'moved_by'"""


class TraceTable:
    """Sessions from their first record to their last."""

    def __init__(
        self, db: Rows, events: EventTable,
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

    def spendings(self, start: str, end: str) -> list[Spending]:
        """The records shown with start <= order time < end that tell tokens or a cost, in order."""
        return [Spending(*r) for r in self._db.rows(_SPENDINGS, (start, end))]

    def models(self) -> dict[int, str]:
        """The one model of each session that knows no other."""
        return {int(n): str(model) for n, model in self._db.rows(_MODELS)}

    def touches(self, paths: Sequence[int], predicates: Sequence[str]) -> list[int]:
        """The facts with these predicates about files with these numbers, and those that say they were moved."""
        found = self._db.rows(_TOUCHES, (json.dumps(list(paths)), json.dumps(list(predicates))))
        return [int(r[0]) for r in found]
