"""The SQLite store as one object: what the engine is handed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from muniment.model.event import Call, Origin, Result, Role
from muniment.model.fact import Archived
from muniment.model.kept import Row
from muniment.model.stored import Message, Prepared, Record
from muniment.storage.sqlite import schema
from muniment.storage.sqlite.events import EventTable
from muniment.storage.sqlite.evidence import EvidenceTable
from muniment.storage.sqlite.facts import FactTable
from muniment.storage.sqlite.lookup import Lookup
from muniment.storage.sqlite.search import SearchReads
from muniment.storage.sqlite.sources import SourceTable
from muniment.storage.sqlite.store import LOCK_TIMEOUT, Database, Pack, Unpack
from muniment.storage.sqlite.text_rows import TextRows
from muniment.storage.sqlite.transfer import TransferTable
from muniment.storage.sqlite.turns import TurnTable
from muniment.storage.sqlite.vectors import VectorTable
from muniment.storage.sqlite.walk import Walks

if TYPE_CHECKING:
    from muniment.model.ports import Embed, Rows, Store
    from muniment.model.tombstones import Tombstones
    from muniment.storage.sqlite.erasure import ErasureTable
    from muniment.storage.sqlite.inspection import Inspection
    from muniment.storage.sqlite.traces import TraceTable

_ARCHIVED = """SELECT e.uid, s.id, h.seq, e.harness, e.role, e.origin, e.kind, e.text_blob, p.order_at, s.cwd, s.root, e.parts,
    e.flags, e.masks, e.speaker FROM shown h JOIN events e ON e.n = h.event JOIN sessions s ON s.n = h.session
    JOIN positions p ON p.session = h.session AND p.seq = h.seq AND p.uid = h.uid WHERE h.uid = ?"""
_MESSAGE = """SELECT e.uid, s.id, p.seq, e.harness, e.role, e.origin, e.kind, e.at, p.order_at, e.text_blob, e.parts, e.exit_code,
    e.model, e.tokens_in, e.tokens_out, e.flags, e.speaker
    FROM positions p JOIN shown h ON h.uid = p.uid JOIN events e ON e.n = h.event
    JOIN sessions s ON s.n = p.session"""

_RECORDS = """SELECT e.n, s.id, h.seq, e.role, e.origin, e.kind, p.order_at, e.speaker, e.harness, e.text_blob,
    b.bytes, b.size, b.blake3
    FROM json_each(?) j
    JOIN events e ON e.n = j.value JOIN shown h ON h.uid = e.uid AND h.event = e.n JOIN sessions s ON s.n = h.session
    JOIN positions p ON p.session = h.session AND p.seq = h.seq AND p.uid = h.uid LEFT JOIN blobs b ON b.n = e.text_blob"""

_PREPARED = (
    "uid, content_hash, harness, role, origin, kind, at, updated_at, parts, native_id, parent_id, model, tokens_in,"
    " tokens_out, flags, masks, vouched, speaker"
)


DecodeParts = Callable[[str | None], tuple[tuple[Call, ...], tuple[Result, ...]]]


class SqliteStore:
    """All tables of one workspace over one connection."""

    def __init__(
        self, db: Rows, pack: Pack, unpack: Unpack, decode_parts: DecodeParts,
        texts: TextRows | None = None, search: SearchReads | None = None,
    ) -> None:  # fmt: skip
        self.db = db
        self.vectors = VectorTable(db)
        self.texts = texts or TextRows(db)
        self.turns = TurnTable(db, self.vectors, self.texts)
        self.search = search or SearchReads(cast("Database", db))
        self.events = EventTable(db, self.turns, pack, unpack)
        self.facts = FactTable(db, self.texts)
        self.evidence = EvidenceTable(db)
        self.walks = Walks(db)
        self.lookup = Lookup(db)
        self.sources = SourceTable(db)
        self.transfer = TransferTable(db, self.events)
        self._decode = decode_parts
        self.embed: Embed | None = None
        self.erasure_key: Callable[[], bytes | None] = lambda: None
        self.writing = db.writing
        self.reading = db.reading

    @classmethod
    def open(
        cls, path: Path, pack: Pack, unpack: Unpack, decode_parts: DecodeParts, *,
        create: bool = False, read_only: bool = False, lock_timeout: float = LOCK_TIMEOUT,
    ) -> SqliteStore:  # fmt: skip
        """Open the store at `path`; with `create` make it if there is none."""
        if create:
            return cls(Database.open_or_create(path, lock_timeout), pack, unpack, decode_parts)
        return cls(Database(path, read_only=read_only, lock_timeout=lock_timeout), pack, unpack, decode_parts)

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def inspection(self) -> Inspection:
        """Looks for what does not fit together; loaded when asked for."""
        from muniment.storage.sqlite.inspection import Inspection

        return Inspection(self)

    def second(self) -> Store:
        """A second reader of the same store, which does not see what this one has not yet committed."""
        return SqliteStore(
            Database(Path(self.db.place), read_only=True), self.events.pack, self.events.unpack, self._decode
        )

    @property
    def traces(self) -> TraceTable:
        """Whole sessions; loaded when first asked for, which a plain question never does."""
        from muniment.storage.sqlite.traces import TraceTable

        return TraceTable(self.db, self.events, self._decode)

    @property
    def erasure(self) -> ErasureTable:
        """What lets go of rows for good; loaded when somebody asks for that."""
        from muniment.storage.sqlite.erasure import ErasureTable

        return ErasureTable(self)

    def tombstones(self) -> Tombstones | None:
        """What was erased here; None if nothing was, or if the key to its names is not in this home."""
        if self.db.one("SELECT 1 FROM tombstones LIMIT 1") is None or (key := self.erasure_key()) is None:
            return None
        from muniment.model.tombstones import Tombstones

        return Tombstones(key, self.transfer.erased_at)

    def tombstones_with_key(self) -> Tombstones:
        """The same, for who is about to erase and has seen to the key."""
        from muniment.model.tombstones import Tombstones

        return Tombstones(self.erasure_key() or b"", self.transfer.erased_at)

    def begin_batch(self) -> None:
        """Call first in every writing transaction: another process may have written since."""
        self.events.begin_batch()
        self.turns.begin_batch()
        self.facts.begin_batch()

    def archived(self, uid: bytes) -> Archived | None:
        """An event as extractors see it."""
        row = self.db.one(_ARCHIVED, (uid,))
        if row is None:
            return None
        with self.db.decoding():
            calls, results = self._decode(row[11])
            head = (row[0], row[1], row[2], row[3], Role(row[4]), Origin(row[5]), row[6], self.events.text(row[7]))
            return Archived(
                *head, row[8], row[9], row[10], calls, results, tuple(row[12].split()), bool(row[13]), row[14]
            )

    def all_uids(self) -> list[bytes]:
        """Every event, in an order that does not depend on arrival."""
        return [r[0] for r in self.db.rows("SELECT DISTINCT uid FROM events ORDER BY uid")]

    def all_sessions(self) -> list[int]:
        """Numbers of every session."""
        return [r[0] for r in self.db.rows("SELECT n FROM sessions ORDER BY id")]

    def drop_derived(self) -> None:
        """Empty everything that can be replayed."""
        for table in schema.DERIVED:
            self.db.run(f"DELETE FROM {table}")  # noqa: S608 - names from the schema
        self.texts.clear()

    def call_ids(self, uid: bytes) -> list[tuple[str, bool]]:
        """(call id, is it a result) of everything that any content of an event named."""
        found: list[tuple[str, bool]] = []
        for (parts,) in self.db.rows("SELECT parts FROM events WHERE uid = ? AND parts IS NOT NULL", (uid,)):
            calls, results = self._decode(parts)
            found += [*((c.call_id, False) for c in calls), *((r.call_id, True) for r in results)]
        return found

    def prepared(self, n: int) -> Prepared:
        """One content of an event as the gate made it."""
        row = self.db.one(f"SELECT {_PREPARED}, text_blob, raw_blob FROM events WHERE n = ?", (n,))  # noqa: S608
        if row is None:
            raise KeyError(n)
        fields = dict(zip(_PREPARED.split(", "), row, strict=False))
        calls, results = self._decode(fields["parts"])
        text, raw = self.events.text(row[-2]), self.events.blob(row[-1])[0]
        return Prepared(**fields, session="", seq=-1, text=text, raw=raw, calls=calls, results=results)

    def messages(self, session: str, low: int, high: int) -> list[Message]:
        """The events sighted in a session with low <= seq <= high, in order."""
        sql = f"{_MESSAGE} WHERE s.id = ? AND p.seq BETWEEN ? AND ? ORDER BY p.seq, p.uid"
        return [self._message(r) for r in self.db.rows(sql, (session, low, high))]

    def records(self, events: Iterable[int]) -> dict[int, Record]:
        """The events with these rows that are shown, with their words."""
        listed = f"[{','.join(map(str, events))}]"
        rows: list[Row] = [(*r[:9], *self.events.unpacked(*r[9:])) for r in self.db.rows(_RECORDS, (listed,))]
        return {r[0]: Record(*r) for r in rows}

    def messages_between(self, start: str, end: str, limit: int) -> list[Message]:
        """The events shown with start <= order time < end, in order of time; at most `limit`."""
        sql = f"""{_MESSAGE} WHERE p.order_at >= ? AND p.order_at < ? AND h.session = p.session AND h.seq = p.seq
            ORDER BY p.order_at, s.id, p.seq LIMIT ?"""
        return [self._message(r) for r in self.db.rows(sql, (start, end, limit))]

    def neighbours(self, session: str, seq: int, count: int) -> tuple[int, int]:
        """The least and greatest seq of the window of `count` events on each side."""
        row = self.db.one("SELECT n FROM sessions WHERE id = ?", (session,))
        if row is None or count <= 0:
            return seq, seq
        before = "SELECT seq FROM positions WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?"
        after = "SELECT seq FROM positions WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?"
        low = [r[0] for r in self.db.rows(before, (row[0], seq, count))]
        high = [r[0] for r in self.db.rows(after, (row[0], seq, count))]
        return min([seq, *low]), max([seq, *high])

    def source_of(self, session: str) -> str | None:
        """Where the transcript of a session was read from."""
        row = self.db.one("SELECT source_uri FROM sessions WHERE id = ?", (session,))
        return row[0] if row else None

    def blob_problems(self, uid: bytes, digest: Callable[[bytes], bytes]) -> list[str]:
        """What is wrong with the bytes of an event: unreadable, or not what their address says."""
        problems = []
        sql = "SELECT e.text_blob, e.raw_blob FROM shown h JOIN events e ON e.n = h.event WHERE h.uid = ?"
        for name, blob in zip(("text", "raw record"), self.db.one(sql, (uid,)) or (), strict=False):
            try:
                data, address = self.events.blob(blob)
            except ValueError as error:
                problems.append(f"the {name} cannot be read: {error}")
                continue
            if digest(data) != address:
                problems.append(f"the {name} is not what its hash says")
        return problems

    def _message(self, r: Row) -> Message:
        with self.db.decoding():
            calls, _ = self._decode(r[10])
            tool = calls[0].tool if calls else None
            fields: Row = (*r[:9], self.events.text(r[9]), tool, *r[11:])
            return Message(*fields)
