"""Primary rows: sessions, events, positions, blobs; and where each event is shown."""

from __future__ import annotations

from typing import Any

from muniment.model.event import SessionInfo
from muniment.model.ids import hash256
from muniment.model.stored import Prepared
from muniment.storage.sqlite.store import Database, Pack, Unpack

EPOCH = "1970-01-01T00:00:00.000Z"
"""The order time of records that stand before the first time of their session."""

_SESSION_FIELDS = ("harness_version", "agent", "agent_role", "parent", "cwd", "root", "source_uri", "started_at", "ended_at")

_INSERT_EVENT = """INSERT INTO events (uid, content_hash, harness, role, origin, kind, at, updated_at, text_blob, raw_blob, parts,
    native_id, parent_id, model, tokens_in, tokens_out, exit_code, flags, masks, vouched)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_LAST_POSITION = "SELECT seq, order_at FROM positions WHERE session = ? ORDER BY seq DESC LIMIT 1"
_SESSION_TIMES = """SELECT p.seq, p.uid, p.order_at, (SELECT e.at FROM events e WHERE e.uid = p.uid
    ORDER BY coalesce(e.updated_at, '') DESC, e.content_hash DESC LIMIT 1) FROM positions p WHERE p.session = ? ORDER BY p.seq, p.uid"""
_CURRENT = """SELECT n FROM events WHERE uid = ? ORDER BY coalesce(updated_at, '') DESC, content_hash DESC LIMIT 1"""
_FIRST_SIGHTING = """SELECT p.session, p.seq FROM positions p JOIN sessions s ON s.n = p.session WHERE p.uid = ?
    ORDER BY s.id, p.seq LIMIT 1"""


class EventTable:
    """What is kept verbatim. Every method runs inside the caller's transaction."""

    def __init__(self, db: Database, pack: Pack, unpack: Unpack) -> None:
        self._db = db
        self._pack = pack
        self._unpack = unpack
        self._ends: dict[int, tuple[int, str]] = {}

    def begin_batch(self) -> None:
        """Forget what another process may have changed since the last transaction."""
        self._ends.clear()

    # -- blobs

    def put_blob(self, data: bytes) -> int:
        """Store bytes once; their row number."""
        digest = hash256(data)
        found = self._db.one("SELECT n FROM blobs WHERE blake3 = ?", (digest,))
        if found is not None:
            return int(found[0])
        return self._db.insert(
            "INSERT INTO blobs (blake3, bytes, size) VALUES (?, ?, ?)", (digest, self._pack(data), len(data))
        )

    def blob(self, n: int) -> tuple[bytes, bytes]:
        """The bytes of a blob, and the BLAKE3 it is addressed by. ValueError if its frame is damaged."""
        row = self._db.one("SELECT bytes, size, blake3 FROM blobs WHERE n = ?", (n,))
        if row is None:
            raise ValueError(f"blob {n} is missing")
        return self._unpack(row[0], row[1]), row[2]

    def text(self, blob: int) -> str:
        """The text of an event."""
        return self.blob(blob)[0].decode("utf-8", "replace")

    # -- sessions

    def put_session(self, info: SessionInfo, root: str | None) -> tuple[int, bool]:
        """Add a session or fill in what was not known of it; its number, and whether its place (cwd, root) changed.

        The merge does not depend on order: least known value of each field, greatest of `ended_at`.
        """
        row = self._db.one(f"SELECT n, {', '.join(_SESSION_FIELDS)} FROM sessions WHERE id = ?", (info.id,))  # noqa: S608
        new = [getattr(info, f) if f != "root" else root for f in _SESSION_FIELDS]
        if row is None:
            marks = ", ".join("?" * (2 + len(new)))
            sql = f"INSERT INTO sessions (id, harness, {', '.join(_SESSION_FIELDS)}) VALUES ({marks})"  # noqa: S608
            return self._db.insert(sql, (info.id, info.harness, *new)), False
        old = list(row[1:])
        merged = [_merge(f, a, b) for f, a, b in zip(_SESSION_FIELDS, old, new, strict=True)]
        if merged != old:
            sets = ", ".join(f"{f} = ?" for f in _SESSION_FIELDS)
            self._db.run(f"UPDATE sessions SET {sets} WHERE n = ?", (*merged, row[0]))  # noqa: S608
        return row[0], merged[4:6] != old[4:6]

    def session_number(self, session: str) -> int:
        """The number of a known session."""
        row = self._db.one("SELECT n FROM sessions WHERE id = ?", (session,))
        if row is None:
            raise KeyError(session)
        return int(row[0])

    def find_session(self, session: str) -> tuple[str | None] | None:
        """(root,) of a session that is known, else None."""
        row = self._db.one("SELECT root FROM sessions WHERE id = ?", (session,))
        return (row[0],) if row else None

    def session_place(self, n: int) -> tuple[str | None, str | None]:
        """(cwd, root) of a session."""
        row = self._db.one("SELECT cwd, root FROM sessions WHERE n = ?", (n,))
        return (row[0], row[1]) if row else (None, None)

    # -- events

    def put_event(self, event: Prepared, session: int) -> tuple[int, bool, bool]:
        """Archive one event; (row of its current revision, is the content new, is the sighting new)."""
        row = self._db.one("SELECT n FROM events WHERE uid = ? AND content_hash = ?", (event.uid, event.content_hash))
        n = int(row[0]) if row is not None else self._insert(event)
        sighted = self._place(event, session)
        return n, row is None, sighted

    def _insert(self, event: Prepared) -> int:
        exit_code = next((r.exit_code for r in event.results if r.exit_code is not None), None)
        text = self.put_blob(event.text.encode("utf-8"))
        raw = self.put_blob(event.raw)
        head = (event.uid, event.content_hash, event.harness, event.role, event.origin, event.kind, event.at, event.updated_at)
        more = (event.native_id, event.parent_id, event.model, event.tokens_in, event.tokens_out, exit_code)
        tail = (event.flags, event.masks, event.vouched)
        return self._db.insert(_INSERT_EVENT, (*head, text, raw, event.parts, *more, *tail))

    def _place(self, event: Prepared, session: int) -> bool:
        """Record a sighting with its order time: the running maximum over the session (final unless it came out of order)."""
        last = self._ends.get(session) or self._db.one(_LAST_POSITION, (session,)) or (-1, EPOCH)
        order_at = max(last[1], event.at or EPOCH)
        sql = "INSERT OR IGNORE INTO positions (session, seq, uid, order_at) VALUES (?, ?, ?, ?)"
        if not self._db.run(sql, (session, event.seq, event.uid, order_at)):
            return False
        if event.seq >= last[0]:
            self._ends[session] = (event.seq, order_at)
        return True

    def in_order(self, session: int, seq: int) -> bool:
        """Would a record with this seq be the last of its session?"""
        last = self._ends.get(session) or self._db.one(_LAST_POSITION, (session,))
        return last is None or seq > last[0]

    def reorder(self, session: int) -> list[bytes]:
        """Compute the order times of a session again; the uids whose time changed."""
        changed, high = [], EPOCH
        for seq, uid, old, at in self._db.rows(_SESSION_TIMES, (session,)):
            high = max(high, at or EPOCH)
            if high != old:
                sql = "UPDATE positions SET order_at = ? WHERE session = ? AND seq = ? AND uid = ?"
                self._db.run(sql, (high, session, seq, uid))
                changed.append(uid)
        self._ends.pop(session, None)
        return changed

    def show(self, uid: bytes) -> bool:
        """Decide where an event is shown and which revision is current; True if that is new or changed."""
        current = self._db.one(_CURRENT, (uid,))
        place = self._db.one(_FIRST_SIGHTING, (uid,))
        if current is None or place is None:
            return False
        row = (current[0], *place)
        if self._db.one("SELECT event, session, seq FROM shown WHERE uid = ?", (uid,)) == row:
            return False
        self._db.run("INSERT OR REPLACE INTO shown (uid, event, session, seq) VALUES (?, ?, ?, ?)", (uid, *row))
        return True

    def show_first(self, uid: bytes, event: int, session: int, seq: int) -> bool:
        """The same for an event just archived; False if it was seen before, then `show` has to decide."""
        sql = "INSERT OR IGNORE INTO shown (uid, event, session, seq) VALUES (?, ?, ?, ?)"
        return bool(self._db.run(sql, (uid, event, session, seq)))

    def order_at(self, uid: bytes) -> str:
        """The order time of an event where it is shown."""
        sql = """SELECT p.order_at FROM shown h JOIN positions p ON p.session = h.session AND p.seq = h.seq AND p.uid = h.uid
            WHERE h.uid = ?"""
        row = self._db.one(sql, (uid,))
        return str(row[0]) if row else EPOCH

    def place(self, uid: bytes) -> tuple[str, int] | None:
        """(session, seq) where an event is shown."""
        row = self._db.one("SELECT s.id, h.seq FROM shown h JOIN sessions s ON s.n = h.session WHERE h.uid = ?", (uid,))
        return (str(row[0]), int(row[1])) if row else None

    # -- calls

    def put_calls(self, event: Prepared) -> None:
        """Index the tool calls and results of an event by call id."""
        rows = [(c.call_id, event.uid, 0) for c in event.calls] + [(r.call_id, event.uid, 1) for r in event.results]
        self._db.many("INSERT OR IGNORE INTO calls (call_id, uid, is_result) VALUES (?, ?, ?)", rows)

    def partner(self, call_id: str, uid: bytes, result: bool) -> bytes | None:
        """The event that answers (or made) a call, within a session that both were seen in."""
        rows = self._db.rows(
            "SELECT uid FROM calls WHERE call_id = ? AND is_result = ? ORDER BY uid", (call_id, int(result))
        )
        others = [r[0] for r in rows]
        if not others or others == [uid]:
            return others[0] if others else None
        sql = """SELECT 1 FROM positions a JOIN positions b ON a.session = b.session WHERE a.uid = ? AND b.uid = ? LIMIT 1"""
        return next((o for o in others if o == uid or self._db.one(sql, (uid, o))), None)

    # -- text index

    def index_text(self, event: int, text: str) -> None:
        """Make an event's text searchable."""
        self._db.run("INSERT INTO event_text (rowid, text) VALUES (?, ?)", (event, text))

    def uids_of_session(self, session: int) -> list[bytes]:
        """The events shown in a session."""
        return [r[0] for r in self._db.rows("SELECT DISTINCT uid FROM positions WHERE session = ?", (session,))]


def _merge(field: str, old: Any, new: Any) -> Any:
    known = [v for v in (old, new) if v is not None]
    return (max if field == "ended_at" else min)(known) if known else None

