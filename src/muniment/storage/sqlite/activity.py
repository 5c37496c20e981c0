"""Reads of sessions by time. Order times rise within a session, so its ends are two steps of an index."""

from __future__ import annotations

from muniment.model.activity import Span, Tally
from muniment.model.kept import EPOCH, Last
from muniment.model.ports import Rows

_SPANS = f"""SELECT * FROM (SELECT s.n, s.id, s.harness, s.harness_version, s.agent, s.agent_role, s.parent, s.source_uri,
    (SELECT p.order_at FROM positions p WHERE p.session = s.n AND p.order_at > '{EPOCH}' ORDER BY p.seq LIMIT 1)
    AS first_at,
    (SELECT p.order_at FROM positions p WHERE p.session = s.n ORDER BY p.seq DESC LIMIT 1) AS last_at,
    (SELECT p.seq FROM positions p WHERE p.session = s.n ORDER BY p.seq DESC LIMIT 1) AS last_seq
    FROM sessions s) spans WHERE first_at IS NOT NULL ORDER BY first_at, id"""  # noqa: S608 - a constant of ours
_SHOWN = """FROM positions p JOIN shown h ON h.uid = p.uid AND h.session = p.session AND h.seq = p.seq
    JOIN events e ON e.n = h.event WHERE p.session = ? AND p.order_at >= ? AND p.order_at < ?"""
_ACTS = f"""SELECT p.uid, p.order_at {_SHOWN} AND (e.kind IN ('prompt', 'command') OR instr(e.parts, '"calls"') > 0)
    AND e.role <> 'harness' AND instr(e.flags, 'injected') = 0 ORDER BY p.order_at, p.seq, p.uid"""
_TALLY = f"SELECT count(*), sum(e.tokens_in), sum(e.tokens_out) {_SHOWN}"
_MODELS = f"SELECT DISTINCT e.model {_SHOWN} AND e.model IS NOT NULL ORDER BY 1"


_LAST = """SELECT * FROM (SELECT s.id, s.harness, s.source_uri,
    (SELECT p.order_at FROM positions p WHERE p.session = s.n ORDER BY p.seq DESC LIMIT 1) AS last_at
    FROM sessions s) lasts WHERE last_at IS NOT NULL ORDER BY id"""


class ActivityTable:
    """Who did what when."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def spans(self) -> list[Span]:
        """Every session that has a time, by its first."""
        return [Span(*r) for r in self._db.rows(_SPANS)]

    def lasts(self) -> list[Last]:
        """Every session that holds anything, also without a time."""
        return [Last(r[0], r[1], r[2], None if r[3] == EPOCH else r[3]) for r in self._db.rows(_LAST)]

    def acts(self, session: int, start: str, end: str) -> list[tuple[bytes, str]]:
        """(uid, order time) of the prompts, commands and calls that are shown in a session with start <= time < end."""
        return [(r[0], r[1]) for r in self._db.rows(_ACTS, (session, start, end))]

    def tally(self, session: int, start: str, end: str) -> Tally:
        """Counts and sums over all events shown in a session with start <= time < end."""
        events, tokens_in, tokens_out = self._db.rows(_TALLY, (session, start, end))[0]
        models = tuple(str(r[0]) for r in self._db.rows(_MODELS, (session, start, end)))
        return Tally(int(events), tokens_in, tokens_out, models)

    def seen_until(self) -> str | None:
        """When a source was last found to hold something new."""
        row = self._db.one("SELECT max(seen_at) FROM sources")
        return row[0] if row else None
