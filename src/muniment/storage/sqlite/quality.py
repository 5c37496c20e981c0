"""Counts for `doctor --quality`: what a store holds that deserves a look. Nothing is changed."""

from __future__ import annotations

from muniment.model.kept import Row
from muniment.model.ports import Rows

_OPEN = "FROM facts f WHERE EXISTS (SELECT 1 FROM intervals i WHERE i.fact = f.n AND i.valid_to IS NULL)"
_BARE = f"""SELECT f.id, f.predicate, f.method {_OPEN} AND f.anchor_sha256 IS NULL
    AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fact = f.id) ORDER BY f.observed_at DESC, f.id"""  # noqa: S608 - the condition above
_HYPOTHESES = (
    "SELECT f.id, f.observed_at FROM facts f WHERE f.key IS NOT NULL AND f.standing = 'hypothesis' ORDER BY 2, 1"
)
_CONTESTED = """SELECT a.id, b.id FROM intervals i JOIN facts a ON a.n = i.fact
    JOIN intervals j ON j.key = i.key AND j.valid_from > i.valid_from AND instr(j.marks, 'contested')
    JOIN facts b ON b.n = j.fact WHERE instr(i.marks, 'contested') AND a.id <> b.id ORDER BY 1, 2"""
_OLD = f"""SELECT f.id, f.observed_at, f.key, f.value_key {_OPEN} AND f.observed_at < ? AND f.key IS NOT NULL
    ORDER BY f.observed_at, f.id"""
_STATED = f"""SELECT f.id, f.predicate, f.topic, f.value_key {_OPEN} AND f.literal IS NOT NULL ORDER BY f.observed_at DESC, f.id
    LIMIT ?"""


class QualityReads:
    """Reads over a whole store."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def without_evidence(self) -> list[Row]:
        """(id, predicate, method) of every open state that rests on words alone, the newest first."""
        return self._db.rows(_BARE)

    def hypotheses(self) -> list[Row]:
        """(id, when it was said) of every hypothesis, the oldest first."""
        return self._db.rows(_HYPOTHESES)

    def contested(self) -> list[Row]:
        """(earlier, later) of states of which one ended the other without the right to decide."""
        return self._db.rows(_CONTESTED)

    def old(self, before: str) -> list[Row]:
        """(id, when, key, value) of open states that were last said before a time."""
        return self._db.rows(_OLD, (before,))

    def stated(self, most: int) -> list[Row]:
        """(id, predicate, topic, value) of the newest open states in words."""
        return self._db.rows(_STATED, (most,))

    def origins(self) -> dict[str, int]:
        """Open facts by origin."""
        return dict(self._db.rows("SELECT origin, count(*) FROM lines GROUP BY origin ORDER BY origin"))

    def methods(self) -> dict[str, int]:
        """Facts by the method that made them."""
        return dict(self._db.rows("SELECT method, count(*) FROM facts GROUP BY method ORDER BY method"))

    def proposals(self) -> dict[str, int]:
        """Open proposals by why they are none of the facts."""
        sql = "SELECT reason, count(DISTINCT group_key) FROM proposals WHERE state = 'open' GROUP BY reason ORDER BY reason"
        return dict(self._db.rows(sql))

    def turns(self) -> int:
        """Turns of a person."""
        sql = "SELECT count(DISTINCT uid) FROM events WHERE role = 'user' AND origin = 'person' AND kind = 'prompt'"
        return int((self._db.one(sql) or (0,))[0])

    def told(self) -> int:
        """States that were drawn from such turns."""
        sql = """SELECT count(*) FROM facts f WHERE f.key IS NOT NULL AND f.origin = 'person' AND EXISTS (SELECT 1 FROM events e
            WHERE e.uid = f.uid AND e.kind = 'prompt')"""
        return int((self._db.one(sql) or (0,))[0])
