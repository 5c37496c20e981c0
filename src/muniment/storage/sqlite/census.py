"""Counts for `doctor`: what a store holds of each harness, and whether it can be written. Nothing is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import apsw

from muniment.model.ports import Rows

_PROBE = ("doctor", "probe")


def engine_version() -> str:
    """The version of SQLite in use."""
    return str(apsw.sqlite_lib_version())


class Census:
    """Reads over a whole store."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def events(self) -> dict[str, int]:
        """How many events each harness has."""
        sql = "SELECT harness, count(DISTINCT uid) FROM events GROUP BY harness ORDER BY harness"
        return dict(self._db.rows(sql))

    def flags(self, prefix: str) -> Iterator[tuple[str, str, int]]:
        """(harness, flag, how many events) of each flag that begins so."""
        sql = "SELECT harness, flags, count(*) FROM events WHERE instr(flags, ?) > 0 GROUP BY harness, flags"
        found: Counter[tuple[str, str]] = Counter()
        for harness, flags, count in self._db.stream(sql, (prefix,)):
            for flag in flags.split(" "):
                if flag.startswith(prefix):
                    found[harness, flag] += count
        for (harness, flag), count in sorted(found.items()):
            yield harness, flag, count

    def sessions(self) -> dict[str, int]:
        """How many sessions each harness has."""
        return dict(self._db.rows("SELECT harness, count(*) FROM sessions GROUP BY harness ORDER BY harness"))

    def flagged(self, flags: Collection[str]) -> Iterator[tuple[str, str, str | None, str, int]]:
        """(harness, flag, file, session, seq) of each event that has one of these flags, by session."""
        sql = f"""SELECT e.harness, e.flags, s.source_uri, s.id, h.seq FROM events e JOIN shown h ON h.event = e.n
            JOIN sessions s ON s.n = h.session WHERE {" OR ".join(["instr(e.flags, ?) > 0"] * len(flags))}
            ORDER BY e.harness, s.id, h.seq"""  # noqa: S608 - as many tests as there are flags
        for harness, found, uri, session, seq in self._db.stream(sql, tuple(flags)):
            for flag in sorted(set(flags).intersection(found.split(" "))):
                yield harness, flag, uri, session, seq

    def versions(self) -> list[tuple[str, str]]:
        """(harness, version) of every version that wrote a session."""
        sql = "SELECT DISTINCT harness, harness_version FROM sessions WHERE harness_version IS NOT NULL ORDER BY 1, 2"
        return [(r[0], r[1]) for r in self._db.rows(sql)]

    def journal(self) -> str:
        """The journal mode in use."""
        return self._db.journal()

    def try_write(self) -> bool:
        """Take the lock, write a row, read it back, and undo it all: True if it could be read."""
        seen = False
        try:
            with self._db.writing(durable=False):
                self._db.run("INSERT INTO meta VALUES (?, ?)", _PROBE)
                seen = self._db.one("SELECT value FROM meta WHERE key = ?", _PROBE[:1]) == _PROBE[1:]
                raise _UndoneError
        except _UndoneError:
            return seen


class _UndoneError(Exception):
    """Leaves the transaction without a trace."""
