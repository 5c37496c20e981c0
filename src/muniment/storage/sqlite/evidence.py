"""What facts depend on in the world (derived), and what was found there last (local)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.model.address import UNKNOWN, Address, of
from muniment.model.fact import Verdict
from muniment.model.ids import show
from muniment.model.kept import Checked, Cited
from muniment.model.ports import Rows

_OF = """SELECT e.kind, e.ref, e.anchor, c.state, CASE WHEN c.address IS NULL THEN NULL
    ELSE coalesce((SELECT value FROM meta WHERE key = 'checked_at'), c.checked_at) END, c.changed_by, c.place FROM evidence e
    LEFT JOIN checks c ON c.address = e.address WHERE e.fact = ? ORDER BY e.kind, e.ref, e.anchor"""
_LEANING = """SELECT e.kind, e.ref, e.anchor, c.stamp, c.state FROM evidence e LEFT JOIN checks c ON c.address = e.address
    WHERE e.fact = ? AND e.kind IN ('file', 'lines', 'symbol')"""
_CHECKED = "SELECT address, state, now, place, changed_by, stamp, checked_at FROM checks"


class EvidenceTable:
    """Addresses by fact, and the last look at each. Every method that writes runs inside the caller's transaction."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def put(self, fact: bytes, evidence: Iterable[tuple[str, str]]) -> None:
        """What a fact depends on."""
        found = (of(kind, ref) for kind, ref in evidence)
        sql = "INSERT OR IGNORE INTO evidence (fact, kind, ref, anchor, address) VALUES (?, ?, ?, ?, ?)"
        self._db.many(sql, [(fact, a.kind, a.place, a.anchor, a.id) for a in found])

    def of(self, fact: bytes) -> list[Cited]:
        """The addresses of a fact, in a fixed order."""
        rows = self._db.rows(_OF, (fact,))
        return [Cited(Address(*r[:3]), r[3] or UNKNOWN, r[4], r[5] or "", r[6] or "") for r in rows]

    def places(self, fact: bytes, kind: str) -> list[str]:
        """The places of a fact's addresses of one kind, in a fixed order."""
        sql = "SELECT ref FROM evidence WHERE fact = ? AND kind = ? ORDER BY ref"
        return [str(r[0]) for r in self._db.rows(sql, (fact, kind))]

    def cited(self, facts: Iterable[bytes]) -> dict[bytes, list[bytes]]:
        """The addresses of each of these facts that has any."""
        found: dict[bytes, list[bytes]] = {}
        sql = """SELECT e.fact, e.address FROM json_each(?) j JOIN evidence e ON e.fact = unhex(j.value)
            ORDER BY e.fact, e.address"""
        for fact, name in self._db.rows(sql, (_listed(f.hex() for f in facts),)):
            found.setdefault(fact, []).append(name)
        return found

    def citing(self, name: bytes) -> list[bytes]:
        """The facts that depend on an address."""
        return [r[0] for r in self._db.rows("SELECT fact FROM evidence WHERE address = ? ORDER BY fact", (name,))]

    def has_files(self, fact: bytes) -> bool:
        """Does a fact lean on any file?"""
        sql = "SELECT 1 FROM evidence WHERE fact = ? AND kind IN ('file', 'lines', 'symbol') AND anchor <> '' LIMIT 1"
        return self._db.one(sql, (fact,)) is not None

    def all(self) -> list[tuple[bytes, Address]]:
        """(name, address) of all that any fact depends on, but for other facts; in a fixed order."""
        sql = """SELECT DISTINCT address, kind, ref, anchor FROM evidence WHERE kind NOT IN ('fact', 'receipt')
            ORDER BY kind, ref, anchor"""
        return [(r[0], Address(r[1], r[2], r[3])) for r in self._db.rows(sql)]

    def checked(self) -> dict[bytes, Checked]:
        """The last look at every address."""
        return {r[0]: Checked(*r) for r in self._db.rows(_CHECKED)}

    def verdicts(self) -> list[Verdict]:
        """What was found last at each address, the newest first; not what a command found that was undone."""
        sql = """SELECT * FROM verdicts WHERE action = 'check' AND lower(hex(uid)) NOT IN
            (SELECT target FROM verdicts WHERE action = 'undo' AND origin = 'person') ORDER BY at, id"""
        last = {r[3]: r for r in self._db.rows(sql)}
        return sorted((Verdict(*r) for r in last.values()), key=lambda v: (v.at, v.target), reverse=True)

    def leaning(self, fact: bytes) -> list[tuple[str, str, str, str | None, str | None]]:
        """(kind, place, anchor, stamp and state of the last look) of the files that a fact leans on."""
        return [(r[0], r[1], r[2], r[3], r[4]) for r in self._db.rows(_LEANING, (fact,))]

    def found(self) -> frozenset[str]:
        """The addresses of which a check ever found anything, by name in hexadecimal."""
        return frozenset(r[0] for r in self._db.rows("SELECT DISTINCT target FROM verdicts WHERE action = 'check'"))

    def suspects(self, names: Iterable[str]) -> dict[str, list[bytes]]:
        """The suspect facts of each of these addresses that has any."""
        sql = """SELECT lower(hex(e.address)), f.id FROM json_each(?) j JOIN evidence e ON e.address = unhex(j.value)
            JOIN facts f ON f.id = e.fact WHERE f.standing = 'suspect' ORDER BY f.id"""
        found: dict[str, list[bytes]] = {}
        for name, fact in self._db.rows(sql, (_listed(names),)):
            found.setdefault(name, []).append(fact)
        return found

    def standings(self, facts: Iterable[str]) -> list[tuple[str, str]]:
        """(id as shown, standing) of the facts with these ids in hexadecimal."""
        sql = "SELECT f.id, f.standing FROM json_each(?) j JOIN facts f ON f.id = unhex(j.value)"
        return [(show(r[0]), r[1]) for r in self._db.rows(sql, (_listed(sorted(facts)),))]

    def committer(self, commit: str) -> str:
        """The session that is known to have made a commit; empty if none is."""
        sql = """SELECT s.id FROM facts f JOIN entities o ON o.n = f.object JOIN shown h ON h.uid = f.uid
            JOIN sessions s ON s.n = h.session WHERE f.predicate = 'committed' AND o.kind = 'commit'
            AND length(o.key) >= 7 AND ? LIKE o.key || '%' ORDER BY f.observed_at, f.id LIMIT 1"""
        row = self._db.one(sql, (commit,))
        return str(row[0]) if row else ""

    def note(self, found: Sequence[Checked], at: str) -> None:
        """Remember what was found, and when everything was looked at; nothing of addresses that no fact has any more."""
        self._db.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('checked_at', ?)", (at,))
        self._db.many(
            "INSERT OR REPLACE INTO checks (address, state, now, place, changed_by, stamp, checked_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            found,
        )
        self.prune()

    def prune(self) -> None:
        """Keep nothing of addresses that no fact has."""
        self._db.run("DELETE FROM checks WHERE address NOT IN (SELECT address FROM evidence)")

    def without(self) -> int:
        """How many facts that hold have no evidence at all."""
        sql = """SELECT count(DISTINCT l.fact) FROM lines l WHERE l.is_state = 1
            AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fact = l.id)"""
        return int((self._db.one(sql) or (0,))[0])


def _listed(names: Iterable[str]) -> str:
    """Names in hexadecimal as a list in JSON, which most questions need not load for it."""
    return "[" + ",".join(f'"{name}"' for name in names) + "]"
