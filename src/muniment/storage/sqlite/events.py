"""Primary rows: sessions, events, positions, blobs; and where each event is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from muniment.model.event import Call, Result, SessionInfo
from muniment.model.ids import hash256
from muniment.model.kept import EPOCH, Known, Put, Shown, Sighted
from muniment.model.ports import Rows
from muniment.model.stored import Prepared, beside
from muniment.storage.sqlite.store import Pack, Unpack
from muniment.storage.sqlite.turns import TurnTable

_SESSION_FIELDS = ("harness_version", "agent", "agent_role", "parent", "source_uri", "started_at", "ended_at")
_SESSION = f"harness, {', '.join(_SESSION_FIELDS)}, cwd, root"
_MARKS = ", ".join("?" * (len(_SESSION_FIELDS) + 3))
_UPDATE_SESSION = f"UPDATE sessions SET ({_SESSION}) = ({_MARKS}) WHERE n = ?"  # noqa: S608 - the columns above

_INSERT_EVENT = """INSERT INTO events (n, uid, content_hash, harness, role, origin, kind, at, updated_at, text_blob,
    raw_blob, parts, native_id, parent_id, model, tokens_in, tokens_out, exit_code, flags, masks, vouched, speaker)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_BLOB = "INSERT OR IGNORE INTO blobs (blake3, bytes, size) VALUES (?, ?, ?)"
_INSERT_POSITION = "INSERT OR IGNORE INTO positions (session, seq, uid, order_at) VALUES (?, ?, ?, ?)"
_LAST_POSITION = "SELECT seq, order_at FROM positions WHERE session = ? ORDER BY seq DESC LIMIT 1"
_SESSION_TIMES = """SELECT p.seq, p.uid, p.order_at, (SELECT e.at FROM events e WHERE e.uid = p.uid
    ORDER BY coalesce(e.updated_at, '') DESC, e.content_hash DESC LIMIT 1) FROM positions p WHERE p.session = ?
    ORDER BY p.seq, p.uid"""
_CURRENT = """SELECT n FROM events WHERE uid = ? ORDER BY coalesce(updated_at, '') DESC, content_hash DESC LIMIT 1"""
_FIRST_SIGHTING = """SELECT p.session, p.seq FROM positions p JOIN sessions s ON s.n = p.session WHERE p.uid = ?
    ORDER BY s.id, p.seq LIMIT 1"""
_NOTHING = hash256(b"")
BESIDE = ("updated_at", "masks", "flags", "native_id", "parent_id", "model", "tokens_in", "tokens_out", "vouched")
_SETS = ", ".join(f"{name} = ?" for name in BESIDE)
_UPDATE_BESIDE = f"UPDATE events SET {_SETS}, raw_blob = ? WHERE n = ?"  # noqa: S608 - the columns above
_DROP_BLOB = """DELETE FROM blobs WHERE n = ? AND NOT EXISTS (SELECT 1 FROM events WHERE text_blob = ?)
    AND NOT EXISTS (SELECT 1 FROM events WHERE raw_blob = ?)"""
_TOGETHER = "SELECT 1 FROM positions a JOIN positions b ON a.session = b.session WHERE a.uid = ? AND b.uid = ? LIMIT 1"
_MEETS = """SELECT 1 FROM calls c JOIN positions p ON p.uid = c.uid AND p.session = :session WHERE c.call_id = :id
    AND c.is_result = :result AND c.uid <> :uid AND NOT EXISTS (SELECT 1 FROM positions a JOIN positions b
    ON a.session = b.session WHERE a.uid = :uid AND b.uid = c.uid AND a.session <> :session) LIMIT 1"""


class EventTable:
    """What is kept verbatim. Every method runs inside the caller's transaction."""

    def __init__(self, db: Rows, turns: TurnTable, pack: Pack, unpack: Unpack) -> None:
        self._db = db
        self._turns = turns
        self.pack = pack
        self.unpack = unpack
        self._ends: dict[int, tuple[int, str]] = {}

    def begin_batch(self) -> None:
        """Forget what another process may have changed since the last transaction."""
        self._ends.clear()

    # -- blobs

    def put_blob(self, data: bytes) -> int:
        """Store bytes once; their row number."""
        return self._put_packed(hash256(data), self.pack(data), len(data))

    def _put_packed(self, digest: bytes, packed: bytes, size: int) -> int:
        """Hardly any bytes come twice, so try before looking."""
        if self._db.run(_INSERT_BLOB, (digest, packed, size)):
            return self._db.last_row()
        found = self._db.one("SELECT n FROM blobs WHERE blake3 = ?", (digest,))
        if found is None:
            raise LookupError("a blob that is there already cannot be found")
        return int(found[0])

    def blob(self, n: int) -> tuple[bytes, bytes]:
        """The bytes of a blob, and the BLAKE3 it is addressed by. ValueError if its frame is damaged."""
        row = self._db.one("SELECT bytes, size, blake3 FROM blobs WHERE n = ?", (n,))
        if row is None:
            raise ValueError(f"blob {n} is missing")
        return self.unpack(row[0], row[1]), row[2]

    def unpacked(self, n: int, packed: bytes | None, size: int, digest: bytes | None) -> tuple[str, bool]:
        """The text of a blob that was read with its event, and whether it is what its hash says. ValueError if it cannot
        be read at all."""
        if packed is None:
            raise ValueError(f"blob {n} is missing")
        data = self.unpack(packed, size)
        return data.decode("utf-8", "replace"), hash256(data) == digest

    def text(self, blob: int) -> str:
        """The text of an event."""
        return self.blob(blob)[0].decode("utf-8", "replace")

    # -- sessions

    def put_session(self, info: SessionInfo, root: str | None) -> Known:
        """Add a session or fill in what was not known of it.

        The merge does not depend on order: the least of each field, the last end; folder and root are one.
        """
        row = self._db.one(f"SELECT n, {_SESSION} FROM sessions WHERE id = ?", (info.id,))  # noqa: S608
        new = (info.harness, *(getattr(info, f) for f in _SESSION_FIELDS), info.cwd, root)
        if row is None:
            sql = f"INSERT INTO sessions (id, {_SESSION}) VALUES (?{', ?' * len(new)})"  # noqa: S608
            return Known(self._db.insert(sql, (info.id, *new)), True, False)
        old, merged = row[1:], merged_session(row[1:], new)
        if merged == old:
            return Known(row[0], False, False)
        self._db.run(_UPDATE_SESSION, (*merged, row[0]))
        return Known(row[0], True, merged[-2:] != old[-2:])

    def session_number(self, session: str) -> int:
        """The number of a known session."""
        row = self._db.one("SELECT n FROM sessions WHERE id = ?", (session,))
        if row is None:
            raise KeyError(session)
        return int(row[0])

    def find_session(self, session: str) -> tuple[str | None, str | None] | None:
        """(cwd, root) of a session that is known, else None."""
        row = self._db.one("SELECT cwd, root FROM sessions WHERE id = ?", (session,))
        return (row[0], row[1]) if row else None

    def session_place(self, n: int) -> tuple[str | None, str | None]:
        """(cwd, root) of a session."""
        row = self._db.one("SELECT cwd, root FROM sessions WHERE n = ?", (n,))
        return (row[0], row[1]) if row else (None, None)

    # -- events

    def revisions(self, uid: bytes) -> list[tuple[int, bytes]]:
        """(row, content hash) of every content that an event was seen with."""
        sql = "SELECT n, content_hash FROM events WHERE uid = ? ORDER BY content_hash"
        return [(n, content) for n, content in self._db.rows(sql, (uid,))]

    def put_revision(self, event: Prepared, known: Sequence[tuple[int, bytes]]) -> Put:
        """Archive one content of an event beside its `known` revisions; of a known one, join what the two records say."""
        same = next((n for n, content in known if content == event.content_hash), None)
        if same is None:
            return Put(self._insert(event), True, False, bool(known))
        return Put(same, False, self._join(same, event), len(known) > 1)

    def _insert(self, event: Prepared) -> int:
        text = self.put_blob(event.text.encode("utf-8"))
        return self._db.insert(_INSERT_EVENT, _event_row(None, event, text, self.put_blob(event.raw)))

    def unknown(self, uids: Iterable[bytes]) -> set[bytes]:
        """Those of these events that the archive does not have."""
        return {uid for uid in sorted(uids) if self._db.one("SELECT 1 FROM events WHERE uid = ?", (uid,)) is None}

    def append(self, run: Sequence[Sighted]) -> list[int]:
        """Archive unknown events, each the last of its session so far, and show them; their rows.

        Step by step for all of them: what compresses, and each table, is then found warm, which is worth a tenth of a
        pass.
        """
        blobs = self._put_blobs([data for s in run for data in (s.event.text.encode("utf-8"), s.event.raw)])
        first = 1 + int((self._db.one("SELECT max(n) FROM events") or (0,))[0] or 0)
        rows = list(range(first, first + len(run)))
        pairs = list(zip(rows, run, strict=True))
        texts, raws = blobs[::2], blobs[1::2]
        self._db.many(_INSERT_EVENT, [_event_row(n, run[i].event, texts[i], raws[i]) for i, n in enumerate(rows)])
        self._db.many(_INSERT_POSITION, [(s.session, s.event.seq, s.event.uid, s.order_at) for s in run])
        sql = "INSERT OR REPLACE INTO shown (uid, event, session, seq) VALUES (?, ?, ?, ?)"
        self._db.many(sql, [(s.event.uid, n, s.session, s.event.seq) for n, s in pairs])
        self._put_calls([row for s in run for row in _calls(s.event.uid, s.event.calls, s.event.results)])
        return rows

    def _put_blobs(self, pieces: Sequence[bytes]) -> list[int]:
        """Store each of these bytes once; their row numbers, in the order given."""
        digests = [hash256(data) for data in pieces]
        packed = {
            digest: (self.pack(data), len(data)) for digest, data in dict(zip(digests, pieces, strict=True)).items()
        }
        numbers = {digest: self._put_packed(digest, *frame) for digest, frame in packed.items()}
        return [numbers[digest] for digest in digests]

    def _join(self, n: int, event: Prepared) -> bool:
        """Copies may differ in what is no part of the content (a fork writes its own session into the raw record).

        Both are joined, and the greater raw record is kept, so that the order of arrival does not matter.
        """
        columns = ", ".join(BESIDE)
        row = self._db.one(f"SELECT {columns}, raw_blob FROM events WHERE n = ?", (n,)) or ()  # noqa: S608
        old = event._replace(**dict(zip(BESIDE, row, strict=False)))
        new = beside(old, event)
        takes_raw = self._is_greater(event.raw, row[-1])
        if not takes_raw and all(new[name] == value for name, value in zip(BESIDE, row, strict=False)):
            return False
        blob = self.put_blob(event.raw) if takes_raw else row[-1]
        self._db.run(_UPDATE_BESIDE, (*(new[name] for name in BESIDE), blob, n))
        if takes_raw:
            self.drop_blob(row[-1])
        return True

    def _is_greater(self, data: bytes, blob: int) -> bool:
        """Do bytes come before those of a blob? Any order will do, so it is that of addresses; nothing comes last."""
        address = (self._db.one("SELECT blake3 FROM blobs WHERE n = ?", (blob,)) or (b"",))[0]
        return bool(data) and (address == _NOTHING or hash256(data) > address)

    def drop_revision(self, n: int) -> None:
        """Remove one content that a more masked one replaces; its text must not stay anywhere."""
        row = self._db.one("SELECT text_blob, raw_blob FROM events WHERE n = ?", (n,))
        self._turns.drop(n)
        self._db.run("DELETE FROM events WHERE n = ?", (n,))
        for blob in row or ():
            self.drop_blob(blob)

    def drop_blob(self, n: int) -> None:
        """Remove bytes that no event names any more."""
        self._db.run(_DROP_BLOB, (n, n, n))

    # -- where and when

    def place(self, session: int, seq: int, uid: bytes, at: str | None) -> str | None:
        """Record a sighting; its order time, the running maximum over the session, or None if the sighting is known.

        The time is final unless something of the session comes out of order.
        """
        last = self._ends.get(session) or self._db.one(_LAST_POSITION, (session,)) or (-1, EPOCH)
        order_at = max(str(last[1]), at or EPOCH)
        if not self._db.run(_INSERT_POSITION, (session, seq, uid, order_at)):
            return None
        if seq >= last[0]:
            self._ends[session] = (seq, order_at)
        return order_at

    def follow(self, session: int, seq: int, at: str | None) -> str | None:
        """The order time of a sighting that goes on with its session, which `append` will put down; None if it does not."""
        last = self._ends.get(session) or self._db.one(_LAST_POSITION, (session,)) or (-1, EPOCH)
        if seq <= last[0]:
            return None
        order_at = max(str(last[1]), at or EPOCH)
        self._ends[session] = (seq, order_at)
        return order_at

    def in_order(self, session: int, seq: int) -> bool:
        """Would a record with this seq be the last of its session?"""
        last = self._ends.get(session) or self._db.one(_LAST_POSITION, (session,))
        return last is None or seq > last[0]

    def sessions_of(self, uid: bytes) -> list[int]:
        """The sessions in which an event was sighted."""
        return [r[0] for r in self._db.rows("SELECT DISTINCT session FROM positions WHERE uid = ?", (uid,))]

    def order_times(self, session: int) -> Iterator[tuple[int, bytes, str, str]]:
        """(seq, uid, stored order time, true order time) of every sighting of a session."""
        high = EPOCH
        for seq, uid, stored, at in self._db.rows(_SESSION_TIMES, (session,)):
            high = max(high, at or EPOCH)
            yield seq, uid, stored, high

    def reorder(self, session: int) -> list[bytes]:
        """Compute the order times of a session again; the uids whose time changed."""
        changed = []
        for seq, uid, stored, true in self.order_times(session):
            if stored != true:
                sql = "UPDATE positions SET order_at = ? WHERE session = ? AND seq = ? AND uid = ?"
                self._db.run(sql, (true, session, seq, uid))
                changed.append(uid)
        self._ends.pop(session, None)
        return changed

    def true_place(self, uid: bytes) -> tuple[int, int, int] | None:
        """(row of the current revision, session, seq) where an event is to be shown."""
        current = self._db.one(_CURRENT, (uid,))
        place = self._db.one(_FIRST_SIGHTING, (uid,))
        return None if current is None or place is None else (current[0], *place)

    def show(self, uid: bytes) -> Shown:
        """Decide where an event is shown and which revision is current."""
        new = self.true_place(uid)
        old = self._db.one("SELECT event, session, seq FROM shown WHERE uid = ?", (uid,))
        if new is not None and new != old:
            self._db.run("INSERT OR REPLACE INTO shown (uid, event, session, seq) VALUES (?, ?, ?, ?)", (uid, *new))
        return Shown(old[0] if old else None, new[0] if new else None, new != old, new[1:] if new else None)

    def show_first(self, uid: bytes, event: int, session: int, seq: int) -> bool:
        """The same for an event just archived; False if it was seen before, then `show` has to decide."""
        sql = "INSERT OR IGNORE INTO shown (uid, event, session, seq) VALUES (?, ?, ?, ?)"
        return bool(self._db.run(sql, (uid, event, session, seq)))

    def order_at(self, uid: bytes) -> str:
        """The order time of an event where it is shown."""
        sql = """SELECT p.order_at FROM shown h JOIN positions p ON p.session = h.session AND p.seq = h.seq
            AND p.uid = h.uid WHERE h.uid = ?"""
        row = self._db.one(sql, (uid,))
        return str(row[0]) if row else EPOCH

    def place_of(self, uid: bytes) -> tuple[str, int] | None:
        """(session, seq) where an event is shown."""
        row = self._db.one("SELECT s.id, h.seq FROM shown h JOIN sessions s ON s.n = h.session WHERE h.uid = ?", (uid,))
        return (str(row[0]), int(row[1])) if row else None

    # -- calls

    def put_calls(self, uid: bytes, calls: Iterable[Call], results: Iterable[Result]) -> None:
        """Index the tool calls and results of an event by call id."""
        self._put_calls(_calls(uid, calls, results))

    def _put_calls(self, rows: Sequence[tuple[str, bytes, int]]) -> None:
        self._db.many("INSERT OR IGNORE INTO calls (call_id, uid, is_result) VALUES (?, ?, ?)", rows)

    def partners(self, call_id: str, uid: bytes, *, result: bool) -> list[bytes]:
        """The events that answer (or made) a call, within a session that both were seen in; the event itself first."""
        sql = "SELECT uid FROM calls WHERE call_id = ? AND is_result = ? ORDER BY uid <> ?, uid"
        found = [r[0] for r in self._db.rows(sql, (call_id, int(result), uid))]
        return [o for o in found if o == uid or self.together(uid, o)]

    def holders(self, call_ids: Iterable[str]) -> dict[tuple[str, bool], list[bytes]]:
        """For each call id, the events that made it (False) and those that answered it (True), by uid; one query."""
        import json  # writers alone come here

        sql = "SELECT call_id, is_result, uid FROM calls WHERE call_id IN (SELECT value FROM json_each(?)) ORDER BY uid"
        found: dict[tuple[str, bool], list[bytes]] = {}
        for call_id, is_result, uid in self._db.rows(sql, (json.dumps(sorted(set(call_ids))),)):
            found.setdefault((call_id, bool(is_result)), []).append(uid)
        return found

    def together(self, uid: bytes, other: bytes) -> bool:
        """Were both events seen in one session?"""
        return self._db.one(_TOGETHER, (uid, other)) is not None

    def meets(self, call_id: str, uid: bytes, session: int, *, result: bool) -> bool:
        """Is there a partner for this call that this session alone brings together with the event?"""
        return self._db.one(_MEETS, {"id": call_id, "result": int(result), "uid": uid, "session": session}) is not None

    def was_flagged(self, flag: str) -> Callable[[str, str], bool]:
        """Asks whether a call that was seen in a session has this flag."""
        sql = """SELECT 1 FROM calls c JOIN events e ON e.uid = c.uid JOIN positions p ON p.uid = c.uid
            JOIN sessions s ON s.n = p.session WHERE c.call_id = ? AND c.is_result = 0 AND s.id = ?
            AND instr(' ' || e.flags || ' ', ?) LIMIT 1"""
        return lambda session, call_id: self._db.one(sql, (call_id, session, f" {flag} ")) is not None

    def uids_of_session(self, session: int) -> list[bytes]:
        """The events shown in a session."""
        return [r[0] for r in self._db.rows("SELECT DISTINCT uid FROM positions WHERE session = ?", (session,))]


def _event_row(n: int | None, event: Prepared, text: int, raw: int) -> tuple[Any, ...]:
    """The columns of an event; the store numbers it where `n` is None."""
    return (
        n, event.uid, event.content_hash, event.harness, event.role, event.origin, event.kind, event.at, event.updated_at,
        text, raw, event.parts, event.native_id, event.parent_id, event.model, event.tokens_in, event.tokens_out,
        exit_code(event), event.flags, event.masks, event.vouched, event.speaker,
    )  # fmt: skip


def _calls(uid: bytes, calls: Iterable[Call], results: Iterable[Result]) -> list[tuple[str, bytes, int]]:
    return [(c.call_id, uid, 0) for c in calls] + [(r.call_id, uid, 1) for r in results]


def merged_session(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    """What two records say of one session: harness, the fields, and (cwd, root) as one value, so that they fit."""
    fields = [_least(a, b) for a, b in zip(old[:-3], new[:-3], strict=True)]
    place = min(old[-2:], new[-2:], key=lambda place: [(value is None, value or "") for value in place])
    return (*fields, max(old[-3] or "", new[-3] or "") or None, *place)


def _least(a: Any, b: Any) -> Any:
    return min(a, b) if a is not None and b is not None else a if b is None else b


def exit_code(event: Prepared) -> int | None:
    """The first exit code that an event's results name."""
    return next((r.exit_code for r in event.results if r.exit_code is not None), None)
