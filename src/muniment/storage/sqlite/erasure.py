"""Letting go of primary rows for good. Every method but `compact` runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, cast

import apsw

from muniment.storage.sqlite import schema

if TYPE_CHECKING:
    from muniment.storage.sqlite.store import Database
    from muniment.storage.sqlite.whole import SqliteStore

_FILES = ("source_uri", "cwd", "root", "agent", "agent_role", "id")


class ErasureTable:
    """What an erasure asks of a store, and does to it."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._db = store.db

    # -- what is there

    def events(self) -> Iterator[int]:
        """The row of every content of every event."""
        yield from (n for (n,) in self._db.rows("SELECT n FROM events ORDER BY n"))

    def sighted(self, uid: bytes) -> list[str]:
        """Every receipt under which an event is known."""
        sql = (
            "SELECT s.id || ':' || p.seq FROM positions p JOIN sessions s ON s.n = p.session WHERE p.uid = ? ORDER BY 1"
        )
        return [str(r[0]) for r in self._db.rows(sql, (uid,))]

    def is_session(self, receipt: str) -> bool:
        """Is the session of a receipt still known?"""
        return self._store.events.find_session(receipt.rpartition(":")[0]) is not None

    def of_session(self, session: str) -> set[bytes]:
        """Every event sighted in a session or in those that it started."""
        sql = """SELECT p.uid FROM positions p JOIN sessions s ON s.n = p.session
            WHERE s.id = :id OR substr(s.id, 1, length(:id) + 1) = :id || '/'"""
        return {r[0] for r in self._db.rows(sql, {"id": session})}

    def sessions_like(self, session: str) -> set[str]:
        """A session and those that it started."""
        sql = "SELECT id FROM sessions WHERE id = :id OR substr(id, 1, length(:id) + 1) = :id || '/'"
        return {str(r[0]) for r in self._db.rows(sql, {"id": session})}

    def sessions_from(self, uris: Iterable[str]) -> set[str]:
        """The sessions that were read from these files."""
        found = (self._db.rows("SELECT id FROM sessions WHERE source_uri = ?", (uri,)) for uri in uris)
        return {str(r[0]) for rows in found for r in rows}

    def of_origin(self, origin: str) -> set[bytes]:
        """Every event of an origin."""
        return {r[0] for r in self._db.rows("SELECT uid FROM events WHERE origin = ?", (origin,))}

    def own(self, harness: str) -> list[int]:
        """The rows of the events of one harness."""
        return [r[0] for r in self._db.rows("SELECT n FROM events WHERE harness = ?", (harness,))]

    def before(self, at: str) -> list[bytes]:
        """The events that are shown at an earlier time."""
        sql = """SELECT h.uid FROM shown h JOIN positions p ON p.session = h.session AND p.seq = h.seq AND p.uid = h.uid
            WHERE p.order_at < ? ORDER BY h.uid"""
        return [r[0] for r in self._db.rows(sql, (at,))]

    def newer(self, predicate: str, at: str) -> list[tuple[bytes, str]]:
        """(key, value) of the claims of a predicate with evidence since that time."""
        sql = """SELECT key, value_key FROM facts WHERE predicate = :p AND key IS NOT NULL AND observed_at >= :at UNION
            SELECT f.key, f.value_key FROM facts f JOIN intervals i ON i.fact = f.n
            WHERE f.predicate = :p AND i.newest_at >= :at"""
        return [(r[0], str(r[1])) for r in self._db.rows(sql, {"p": predicate, "at": at})]

    def facts_of(self, uids: Iterable[bytes]) -> set[bytes]:
        """The facts drawn from these events."""
        return {r[0] for uid in uids for r in self._db.rows("SELECT id FROM facts WHERE uid = ?", (uid,))}

    def groups_of(self, uids: Iterable[bytes]) -> set[bytes]:
        """The proposals that these events alone make."""
        gone = set(uids)
        rows = self._db.rows("SELECT group_key, uid FROM proposals")
        left = {group for group, uid in rows if uid not in gone}
        return {group for group, uid in rows if uid in gone} - left

    def present(self, uids: Iterable[bytes]) -> set[bytes]:
        """Those of the events that are in this store."""
        return {uid for uid in uids if self._db.one("SELECT 1 FROM events WHERE uid = ?", (uid,)) is not None}

    def addresses(self, uids: Iterable[bytes]) -> set[bytes]:
        """The addresses of the bytes of these events."""
        sql = "SELECT b.blake3 FROM events e JOIN blobs b ON b.n IN (e.text_blob, e.raw_blob) WHERE e.uid = ? AND b.size > 0"
        return {r[0] for uid in uids for r in self._db.rows(sql, (uid,))}

    def holders(self, addresses: Iterable[bytes]) -> set[bytes]:
        """The events whose text or raw record is one of these blobs."""
        sql = "SELECT e.uid FROM blobs b JOIN events e ON e.text_blob = b.n OR e.raw_blob = b.n WHERE b.blake3 = ?"
        return {r[0] for address in addresses for r in self._db.rows(sql, (address,))}

    def roots(self) -> list[str]:
        """The top folders of the sessions: the workspace is that of one of them."""
        return [
            str(r[0]) for r in self._db.rows("SELECT DISTINCT root FROM sessions WHERE root IS NOT NULL ORDER BY 1")
        ]

    def described(self) -> list[tuple[str, str]]:
        """(session, everything that is told of it) of all sessions."""
        fields = " || char(10) || ".join(f"coalesce({name}, '')" for name in _FILES)
        return [(str(a), str(b)) for a, b in self._db.rows(f"SELECT id, {fields} FROM sessions")]  # noqa: S608

    # -- letting go

    def drop_event(self, uid: bytes) -> int:
        """Remove an event: its contents, its sightings, its words in every index, and bytes that nothing else names."""
        rows = self._db.rows("SELECT n, text_blob, raw_blob FROM events WHERE uid = ?", (uid,))
        shown = self._db.one("SELECT event FROM shown WHERE uid = ?", (uid,))
        if shown is not None:
            self._store.turns.drop(shown[0])
        self._store.vectors.drop([n for n, _, _ in rows])
        for table in ("shown", "calls", "proposals", "events"):
            self._db.run(f"DELETE FROM {table} WHERE uid = ?", (uid,))  # noqa: S608 - names from the line above
        for blob in {blob for _, *blobs in rows for blob in blobs}:
            self._store.events.drop_blob(blob)
        self._db.run("DELETE FROM positions WHERE uid = ?", (uid,))
        return len(rows)

    def witnessed(self, uids: Iterable[bytes]) -> set[bytes]:
        """The events of facts that rest on one of these as well."""
        return {r[0] for uid in uids for r in self._db.rows("SELECT uid FROM facts WHERE witness = ?", (uid,))}

    def tidy(self) -> None:
        """Remove names that nothing has any more, and what the text indexes keep of words that were taken out."""
        self._db.run("DELETE FROM speakers WHERE turns <= 0")
        self._db.run("""DELETE FROM entities WHERE n NOT IN (SELECT subject FROM facts UNION ALL
            SELECT object FROM facts WHERE object IS NOT NULL)""")
        for index in schema.TEXT_INDEXES:
            self._db.run(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - names from the schema

    def drop_verdict(self, id_: bytes) -> int:
        """Remove a verdict."""
        return self._db.run("DELETE FROM verdicts WHERE id = ?", (id_,))

    def unname(self, facts: Iterable[bytes]) -> None:
        """Take these facts out of what verdicts on addresses say depended on them."""
        gone = {id_.hex() for id_ in facts}
        for id_, value in self._db.rows("SELECT id, value FROM verdicts WHERE action = 'check'") if gone else ():
            if not gone.isdisjoint(value.split()):
                left = " ".join(i for i in value.split() if i not in gone)
                self._db.run("UPDATE verdicts SET value = ? WHERE id = ?", (left, id_))

    def drop_empty(self, sessions: Iterable[str]) -> list[str]:
        """Remove those of the sessions in which nothing is left; they are named."""
        sql = """DELETE FROM sessions WHERE id = ? AND NOT EXISTS
            (SELECT 1 FROM positions p WHERE p.session = sessions.n)"""
        return [session for session in sorted(sessions) if self._db.run(sql, (session,))]

    def sources_of(self, uids: Iterable[bytes]) -> set[str]:
        """The files that these events were read from: what is remembered of a file holds hashes of its words."""
        sql = """SELECT DISTINCT s.source_uri FROM positions p JOIN sessions s ON s.n = p.session
            WHERE p.uid = ? AND s.source_uri IS NOT NULL"""
        return {str(r[0]) for uid in uids for r in self._db.rows(sql, (uid,))}

    def drop_source(self, uri: str) -> None:
        """Remember nothing of a file: it is read from its start again, where what was erased is passed over."""
        self._db.run("DELETE FROM skips WHERE uri = ?", (uri,))
        self._db.run("DELETE FROM sources WHERE uri = ?", (uri,))

    def local(self) -> list[tuple[str, str]]:
        """(file, what is remembered of it) of every row that no digest covers."""
        rows = self._db.rows("SELECT uri, uri || char(10) || cursor || char(10) || skipped FROM sources")
        skips = self._db.rows("SELECT uri, uri || char(10) || reason || char(10) || detail FROM skips")
        return [(str(a), str(b)) for a, b in (*rows, *skips)]

    def drop_checks(self, holds: Callable[[str], bool]) -> None:
        """Forget what was seen at addresses that nothing names any more, and where words stand that are to go."""
        self._db.run("DELETE FROM checks WHERE address NOT IN (SELECT address FROM evidence)")
        rows = self._db.rows("SELECT address, concat_ws(char(10), now, place, changed_by, stamp) FROM checks")
        self._db.many("DELETE FROM checks WHERE address = ?", [(a,) for a, told in rows if holds(told)])

    def zero_freed(self) -> None:
        """From now on this connection overwrites what it frees."""
        self._db.db.pragma("secure_delete", True)

    def compact(self) -> None:
        """Write the file anew without free space, and empty its log: what was freed is in neither any more.

        BusyError where another process reads all the time; it can be done again.
        """
        with cast("Database", self._db).alone() as db:
            db.execute("VACUUM")
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
