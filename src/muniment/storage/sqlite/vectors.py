"""Vectors beside the events they are of, and which models they come from. What a vector means is not known here.

A vector is two strings of bytes: the number of each part, and one bit for its sign. The bits are also kept in pages of
about a thousand, so that a reader has them all at once; a page covers the events after the page before it, up to its own
`high`, and what comes after the last page is read row by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from muniment.model.ids import hash256
from muniment.model.kept import Vector, VectorModel
from muniment.model.ports import Rows

PAGE = 1024
_LACKS = """e.text_blob <> :nothing AND NOT EXISTS
    (SELECT 1 FROM vectors v WHERE v.model = :model AND v.event = t.event)"""
_AFTER = f"FROM turns t JOIN events e ON e.n = t.event WHERE t.event > :after AND {_LACKS}"
_MODEL = "SELECT n, name, version, dimension, state, epoch FROM vector_models"


class VectorTable:
    """Vectors and their models. What writes runs inside the caller's transaction."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    # -- models

    def models(self) -> list[VectorModel]:
        """Every model that has vectors here: the active one, one that is being built, old ones that are being let go."""
        return [VectorModel(*row) for row in self._db.rows(f"{_MODEL} ORDER BY n")]

    def model(self, state: str) -> VectorModel | None:
        """The active model, or the staged one."""
        row = self._db.one(f"{_MODEL} WHERE state = ? ORDER BY n", (state,))
        return VectorModel(*row) if row else None

    def stage(self, name: str, version: str, dimension: int) -> VectorModel:
        """Begin to build a model beside the active one."""
        sql = "INSERT INTO vector_models (name, version, dimension, state) VALUES (?, ?, ?, 'staged')"
        return VectorModel(self._db.insert(sql, (name, version, dimension)), name, version, dimension, "staged", 0)

    def activate(self, model: int) -> None:
        """From now on this one answers, and the one before it is old."""
        self._db.run("UPDATE vector_models SET state = 'old' WHERE state = 'active'")
        self._db.run("UPDATE vector_models SET state = 'active' WHERE n = ?", (model,))

    def retire(self, model: int) -> None:
        """It answers no more; `purge` lets it go."""
        self._db.run("UPDATE vector_models SET state = 'old' WHERE n = ?", (model,))

    def purge(self, most: int) -> int:
        """Let go of at most `most` vectors of one old model, and of the model with its last one; how many went."""
        old = self.model("old")
        if old is None:
            return 0
        sql = "SELECT event FROM vectors WHERE model = ? LIMIT ?"
        events = [(old.n, event) for (event,) in self._db.rows(sql, (old.n, most))]
        self._db.run("DELETE FROM vector_pages WHERE model = ?", (old.n,))
        self._db.many("DELETE FROM vectors WHERE model = ? AND event = ?", events)
        if len(events) < most:
            self._db.run("DELETE FROM vector_models WHERE n = ?", (old.n,))
        return len(events)

    # -- vectors

    def put(self, model: int, vectors: Sequence[Vector]) -> None:
        """Keep vectors of one model; an event has one of each model."""
        if not vectors:
            return
        last, high = self._last(model), self._high(model)
        sql = "INSERT OR REPLACE INTO vectors (model, event, signs, code) VALUES (?, ?, ?, ?)"
        self._db.many(sql, [(model, v.event, v.signs, v.code) for v in vectors])
        if any(v.event <= last for v in vectors):
            self._changed(model, [v.event for v in vectors if v.event <= high])
        self._grow(model)

    def drop(self, events: Iterable[int]) -> None:
        """The events are shown no more in that content: their vectors go, of whatever model."""
        gone = list(events)
        for (model,) in self._db.rows("SELECT n FROM vector_models"):
            sql = "DELETE FROM vectors WHERE model = ? AND event = ?"
            if changed := [event for event in gone if self._db.run(sql, (model, event))]:
                self._changed(model, changed)

    def prune(self) -> None:
        """After a replay: vectors of what is no turn any more go."""
        sql = "SELECT DISTINCT event FROM vectors v WHERE NOT EXISTS (SELECT 1 FROM turns t WHERE t.event = v.event)"
        self.drop([event for (event,) in self._db.rows(sql)])

    def count(self, model: int) -> int:
        """How many vectors a model has here."""
        row = self._db.one("SELECT count(*) FROM vectors WHERE model = ?", (model,))
        return int(row[0]) if row else 0

    def lacking(self, model: int, after: int, most: int) -> list[tuple[int, int]]:
        """(event, blob of its text) of the next events that were turns and have no vector of this model."""
        sql = f"SELECT e.n, e.text_blob {_AFTER} ORDER BY e.n LIMIT :most"
        return [(n, blob) for n, blob in self._db.rows(sql, {**self._about(model), "after": after, "most": most})]

    def waiting(self, model: int) -> int:
        """How many of what was said have no vector of this model."""
        row = self._db.one(f"SELECT count(*) {_AFTER}", {**self._about(model), "after": 0})
        return int(row[0]) if row else 0

    def said(self) -> int:
        """How many turns get a vector where a model is on."""
        return self.waiting(-1)

    def lacking_among(self, model: int, events: Iterable[int]) -> list[tuple[int, int]]:
        """(event, blob of its text) of those of the events that are turns and have no vector of this model."""
        sql = f"""SELECT e.n, e.text_blob FROM json_each(:events) j CROSS JOIN turns t ON t.event = j.value
            JOIN events e ON e.n = t.event WHERE {_LACKS} ORDER BY e.n"""  # noqa: S608 - the condition above
        return [(n, blob) for n, blob in self._db.rows(sql, {**self._about(model), "events": _listed(events)})]

    # -- reading

    def signs(self, model: int, after: int) -> Iterator[tuple[bytes, bytes]]:
        """(event numbers of eight bytes, sign bits) of what comes after an event: page by page, then the rest as one."""
        if after < 0:
            sql = "SELECT events, signs FROM vector_pages WHERE model = ? ORDER BY high"
            yield from self._db.stream(sql, (model,))
            after = self._high(model)
        rows = self._rows(model, after)
        if rows:
            yield _joined(rows)

    def codes(self, model: int, events: Sequence[int]) -> dict[int, bytes]:
        """The vectors of these events, where there are any."""
        sql = "SELECT v.event, v.code FROM json_each(?) j CROSS JOIN vectors v ON v.model = ? AND v.event = j.value"
        return dict(self._db.rows(sql, (_listed(events), model)))

    # -- pages

    def _changed(self, model: int, events: Iterable[int]) -> None:
        self._db.run("UPDATE vector_models SET epoch = epoch + 1 WHERE n = ?", (model,))
        sql = "SELECT high FROM vector_pages WHERE model = ? AND high >= ? ORDER BY high LIMIT 1"
        for high in sorted({row[0] for event in events for row in self._db.rows(sql, (model, event))}):
            self._pack(model, self._high(model, below=high), high)

    def _grow(self, model: int) -> None:
        """What follows the last page becomes pages once it fills one."""
        high = self._high(model)
        count = self._db.one("SELECT count(*) FROM vectors WHERE model = ? AND event > ?", (model, high))
        if count and count[0] >= PAGE:
            self._pack(model, high, None)

    def _pack(self, model: int, low: int, high: int | None) -> None:
        """Write the pages between two events anew, or those after `low` where `high` is None (whole ones alone)."""
        rows = self._rows(model, low, high)
        if high is not None:
            self._db.run("DELETE FROM vector_pages WHERE model = ? AND high = ?", (model, high))
        for page in (rows[at : at + PAGE] for at in range(0, len(rows), PAGE)):
            if high is not None or len(page) == PAGE:
                last = high if high is not None and page[-1][0] == rows[-1][0] else page[-1][0]
                sql = "INSERT INTO vector_pages (model, high, events, signs) VALUES (?, ?, ?, ?)"
                self._db.run(sql, (model, last, *_joined(page)))

    def _rows(self, model: int, low: int, high: int | None = None) -> list[tuple[int, bytes]]:
        sql = "SELECT event, signs FROM vectors WHERE model = ? AND event > ? AND event <= ? ORDER BY event"
        return [
            (event, signs) for event, signs in self._db.rows(sql, (model, low, (1 << 62) if high is None else high))
        ]

    def _high(self, model: int, below: int = 1 << 62) -> int:
        row = self._db.one("SELECT max(high) FROM vector_pages WHERE model = ? AND high < ?", (model, below))
        return int(row[0]) if row and row[0] is not None else 0

    def _last(self, model: int) -> int:
        row = self._db.one("SELECT event FROM vectors WHERE model = ? ORDER BY event DESC LIMIT 1", (model,))
        return int(row[0]) if row else 0

    def _about(self, model: int) -> dict[str, int]:
        row = self._db.one("SELECT n FROM blobs WHERE blake3 = ?", (hash256(b""),))
        return {"model": model, "nothing": int(row[0]) if row else 0}


def _joined(rows: Sequence[tuple[int, bytes]]) -> tuple[bytes, bytes]:
    return b"".join(event.to_bytes(8, "little") for event, _ in rows), b"".join(signs for _, signs in rows)


def _listed(events: Iterable[int]) -> str:
    """Numbers as one argument."""
    return f"[{','.join(map(str, events))}]"
