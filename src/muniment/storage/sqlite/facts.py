"""Derived rows: entities, facts, intervals, lines, links; and verdicts, which are primary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from muniment.model.entity import Entity
from muniment.model.event import AUTHORITY, Role
from muniment.model.fact import Verdict
from muniment.model.kept import Row
from muniment.model.ports import Rows
from muniment.model.stored import FactRow, Line, StoredFact
from muniment.storage.sqlite.evidence import EvidenceTable
from muniment.storage.sqlite.text_rows import TextRows

_FACT = """f.n, f.id, s.kind, s.key, f.predicate, f.topic, o.kind, o.key, f.literal, f.value_key, f.key, f.uid, f.witness,
    f.span_start, f.span_end, f.method, f.rung, f.stated, f.role, f.origin, f.observed_at, f.valid_from, f.valid_until,
    f.anchor_sha256, f.text_hash, f.expires_at, f.weight, f.context, f.source_url, f.standing, e.id, h.seq"""
_FROM = """FROM facts f JOIN entities s ON s.n = f.subject LEFT JOIN entities o ON o.n = f.object
    JOIN shown h ON h.uid = f.uid JOIN sessions e ON e.n = h.session"""
_INSERT = """INSERT INTO facts (id, subject, predicate, topic, object, literal, value_key, key, uid, witness, span_start, span_end,
    method, rung, stated, standing, role, origin, observed_at, valid_from, valid_until, anchor_sha256, text_hash, expires_at,
    weight, context, source_url) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_LINE = """INSERT INTO lines (fact, id, predicate, type, is_state, subject, object, topic, session, role, origin, method, rung,
    band, rank_key, from_ms, until_ms, is_plan, is_pinned, anchor, line)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_PROPOSED = """SELECT p.group_key, p.uid, p.draft, p.reason, e.origin, e.harness, s.id, h.seq, o.order_at FROM proposals p
    JOIN shown h ON h.uid = p.uid JOIN events e ON e.n = h.event JOIN sessions s ON s.n = h.session
    JOIN positions o ON o.session = h.session AND o.seq = h.seq AND o.uid = h.uid ORDER BY p.group_key, o.order_at, p.uid"""
_ENTITIES_KEPT = 50_000
_ASKED = frozenset({"asked", "answered", "promised"})
"""What repeats the words of its turn, which are found as such: it takes no second place in a search for facts."""
_ROLES = frozenset(Role)
_STANDINGS = frozenset("confirmed hypothesis suspect superseded retracted expired".split())


class FactTable:
    """What is drawn from the archive. Every method that writes runs inside the caller's transaction."""

    def __init__(self, db: Rows, texts: TextRows) -> None:
        self._db = db
        self._evidence = EvidenceTable(db)
        self._texts = texts
        self._entities: dict[Entity, int] = {}

    def begin_batch(self) -> None:
        """Forget what a rolled-back transaction may have numbered."""
        self._entities.clear()

    # -- entities

    def entity(self, entity: Entity) -> int:
        """The number of an entity, made if it is new."""
        n = self._entities.get(entity)
        if n is None:
            n = self.find_entity(entity)
            if n is None:
                n = self._db.insert("INSERT INTO entities (kind, key) VALUES (?, ?)", entity)
            if len(self._entities) > _ENTITIES_KEPT:
                self._entities.clear()
            self._entities[entity] = n
        return n

    def find_entity(self, entity: Entity) -> int | None:
        """The number of an entity if it is known."""
        row = self._db.one("SELECT n FROM entities WHERE kind = ? AND key = ?", entity)
        return int(row[0]) if row else None

    # -- facts

    def of_event(self, uid: bytes) -> dict[bytes, int]:
        """Ids and numbers of the facts drawn from an event."""
        return dict(self._db.rows("SELECT id, n FROM facts WHERE uid = ?", (uid,)))

    def put(self, row: FactRow, standing: str) -> int:
        """Insert a fact; its number."""
        subject = self.entity(row.subject)
        object_ = self.entity(row.object) if row.object is not None else None
        head = (
            row.id,
            subject,
            row.predicate,
            row.topic,
            object_,
            row.literal,
            row.value_key,
            row.key,
            row.uid,
            row.witness,
        )
        place = (row.span_start, row.span_end, row.method, row.rung, row.stated, standing, row.role, row.origin)
        times = (row.observed_at, row.valid_from, row.valid_until, row.anchor, row.text_hash, row.expires_at)
        n = self._db.insert(_INSERT, (*head, *place, *times, row.weight, row.context, row.source_url))
        self._db.many("INSERT OR IGNORE INTO tags VALUES (?, ?)", [(row.id, t) for t in row.tags])
        if row.evidence:
            self._evidence.put(row.id, row.evidence)
        return n

    def put_proposals(self, uid: bytes, proposals: Mapping[bytes, tuple[str, str]]) -> None:
        """Replace what an event may only propose: (draft, reason) by what it says."""
        self._db.run("DELETE FROM proposals WHERE uid = ?", (uid,))
        rows = [(group, uid, draft, reason) for group, (draft, reason) in proposals.items()]
        self._db.many("INSERT INTO proposals (group_key, uid, draft, reason) VALUES (?, ?, ?, ?)", rows)

    def has_proposal(self, group: bytes) -> bool:
        """Does any event propose this?"""
        return self._db.one("SELECT 1 FROM proposals WHERE group_key = ? LIMIT 1", (group,)) is not None

    def proposed(self) -> list[Row]:
        """(group, event, draft, reason, origin, harness, session, seq, time) of all that events propose."""
        return self._db.rows(_PROPOSED)

    def proposals(self) -> list[tuple[bytes, str, str]]:
        """(event, draft, reason) of every open proposal."""
        sql = "SELECT uid, draft, reason FROM proposals WHERE state = 'open' ORDER BY group_key, uid"
        return [(r[0], r[1], r[2]) for r in self._db.rows(sql)]

    def withdraw(self, n: int, id_: bytes) -> list[Row]:
        """Remove a fact that its event no longer gives; (predicate, subject, value_key, key) if it was a state."""
        sql = "SELECT predicate, subject, value_key, key FROM facts WHERE n = ? AND key IS NOT NULL"
        state = self._db.rows(sql, (n,))
        self.drop_lines(n)
        for table in ("tags", "evidence", "links"):
            self._db.run(f"DELETE FROM {table} WHERE fact = ?", (id_,))  # noqa: S608 - names from the line above
        self._db.run("DELETE FROM links WHERE other = ?", (id_,))
        self._db.run("DELETE FROM facts WHERE n = ?", (n,))
        return state

    def values_of(self, key: bytes) -> list[Row]:
        """(predicate, subject, value_key) of the claims of a settle key."""
        return self._db.rows("SELECT DISTINCT predicate, subject, value_key FROM facts WHERE key = ?", (key,))

    def keys_with(self, predicate: str, subject: int, value_key: str) -> list[bytes]:
        """The settle keys under which a predicate says this value of a subject."""
        sql = "SELECT DISTINCT key FROM facts WHERE predicate = ? AND subject = ? AND value_key = ? AND key IS NOT NULL"
        return [r[0] for r in self._db.rows(sql, (predicate, subject, value_key))]

    def fact(self, id_: bytes) -> StoredFact | None:
        """One fact by id."""
        return next(iter(self._facts("WHERE f.id = ?", (id_,))), None)

    def facts(self, ids: Iterable[bytes]) -> list[StoredFact]:
        """Facts by ids, in the order given; unknown ones are left out."""
        found = (self.fact(i) for i in ids)
        return [f for f in found if f is not None]

    def numbered(self, numbers: Iterable[int]) -> dict[int, StoredFact]:
        """The facts with these row numbers."""
        listed = f"[{','.join(map(str, numbers))}]"
        return {f.n: f for f in self._facts("WHERE f.n IN (SELECT value FROM json_each(?))", (listed,))}

    def with_key(self, key: bytes) -> list[StoredFact]:
        """All facts of one settle key, in no particular order."""
        return self._facts("WHERE f.key = ?", (key,))

    def between(self, low: bytes, high: bytes, limit: int = 20) -> list[StoredFact]:
        """Facts whose id lies in [low, high]."""
        return self._facts("WHERE f.id BETWEEN ? AND ? ORDER BY f.id LIMIT ?", (low, high, limit))

    def select(self, where: str, args: Sequence[object] | dict[str, object], limit: int) -> list[StoredFact]:
        """Facts by a condition over f (facts), s and o (entities), h (shown), e (sessions); newest first, then by id."""
        return self._facts(f"WHERE {where} ORDER BY f.observed_at DESC, f.id LIMIT {int(limit)}", args)

    def _facts(self, tail: str, args: Sequence[object] | dict[str, object]) -> list[StoredFact]:
        rows = self._db.rows(f"SELECT {_FACT} {_FROM} {tail}", args)
        with self._db.decoding():
            return [_stored(r) for r in rows]

    def set_standing(self, n: int, standing: str) -> None:
        """Record what settling says of a fact."""
        self._db.run("UPDATE facts SET standing = ? WHERE n = ? AND standing <> ?", (standing, n, standing))

    def opposite_key_rows(self, predicate: str, subject: Entity, value_key: str) -> list[StoredFact]:
        """Facts of another predicate with the same subject and value."""
        where = "WHERE f.predicate = ? AND s.kind = ? AND s.key = ? AND f.value_key = ? AND f.key IS NOT NULL"
        return self._facts(where, (predicate, *subject, value_key))

    def tags(self, id_: bytes) -> list[str]:
        """The tags of a fact."""
        return [r[0] for r in self._db.rows("SELECT tag FROM tags WHERE fact = ? ORDER BY tag", (id_,))]

    def evidence(self, id_: bytes) -> list[tuple[str, str]]:
        """(kind, address) of what in the world a fact depends on."""
        return [(c.address.kind, c.address.ref) for c in self._evidence.of(id_)]

    # -- intervals, links and lines

    def intervals(self, key: bytes) -> list[Row]:
        """What settling says of a key, in time order: (valid_from, valid_to, fact, standing, rung, newest_at, marks) each."""
        sql = """SELECT valid_from, valid_to, fact, standing, rung, newest_at, marks FROM intervals WHERE key = ?
            ORDER BY valid_from"""
        return self._db.rows(sql, (key,))

    def put_intervals(self, key: bytes, rows: Sequence[Row]) -> None:
        """Replace the intervals of a key: (valid_from, valid_to, fact, standing, rung, newest_at, marks) each."""
        self._db.run("DELETE FROM intervals WHERE key = ?", (key,))
        self._db.many("INSERT INTO intervals VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [(key, *r) for r in rows])

    def put_links(self, fact: bytes, relation: str, others: Iterable[bytes]) -> None:
        """Replace the links of one relation from a fact."""
        self._db.run("DELETE FROM links WHERE fact = ? AND relation = ?", (fact, relation))
        self._db.many("INSERT OR IGNORE INTO links VALUES (?, ?, ?)", [(fact, o, relation) for o in others])

    def links(self, id_: bytes) -> list[Row]:
        """(fact, other, relation) of every link that touches a fact."""
        sql = "SELECT fact, other, relation FROM links WHERE fact = ? UNION SELECT fact, other, relation FROM links WHERE other = ?"
        return self._db.rows(sql + " ORDER BY 1, 2, 3", (id_, id_))

    def put_lines(self, rows: Sequence[tuple[Line, str]]) -> None:
        """Add the rendered rows of open facts, each with the text that the index gets."""
        numbers = [self._db.insert(_LINE, line) for line, _ in rows]
        texts = [
            (n, (None, text) if line.predicate in _ASKED else (text, None))
            for n, (line, text) in zip(numbers, rows, strict=True)
        ]
        self._texts.put("fact", texts)

    def drop_lines(self, fact: int) -> None:
        """Remove the rendered rows of a fact."""
        for (n,) in self._db.rows("SELECT n FROM lines WHERE fact = ?", (fact,)):
            self._texts.drop("fact", n)
            self._db.run("DELETE FROM lines WHERE n = ?", (n,))

    # -- verdicts

    def put_verdict(self, v: Verdict) -> bool:
        """Append a verdict; False if it was there."""
        return bool(self._db.run("INSERT OR IGNORE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", v))

    def verdicts(self) -> list[Verdict]:
        """Every verdict, in the order of time and id."""
        return [Verdict(*r) for r in self._db.rows("SELECT * FROM verdicts ORDER BY at, id")]


def _stored(r: Row) -> StoredFact:
    # Authority rests on these words, and settling counts on their being known.
    if r[18] not in _ROLES or r[19] not in AUTHORITY or r[17] not in _STANDINGS or r[29] not in _STANDINGS:
        raise ValueError(f"a fact has role {r[18]!r}, origin {r[19]!r}, standing {r[17]!r} and then {r[29]!r}")
    object_ = Entity(r[6], r[7]) if r[6] is not None else None
    row = FactRow(r[1], Entity(r[2], r[3]), r[4], r[5], object_, *r[8:29])
    return StoredFact(r[0], row, r[29], r[30], r[31])
