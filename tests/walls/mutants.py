"""Walls with a hole, which the same suite has to find."""

from __future__ import annotations

import time
from typing import Any

import apsw

from muniment.errors import QueryRefusedError
from muniment.storage.sqlite import scoped
from muniment.storage.sqlite.scoped import Rows, ScopedConnection


class Folk(ScopedConnection):
    """The recipe as it is often told: a read is fine if the engine says that it happens inside a view."""

    def _authorize(self, op: int, one: str | None, two: str | None, base: str | None, via: str | None) -> int:
        if self._is_ours or op in (apsw.SQLITE_SELECT, apsw.SQLITE_FUNCTION, apsw.SQLITE_RECURSIVE):
            return apsw.SQLITE_OK
        known = one in self._public or one in scoped._LISTS
        return apsw.SQLITE_OK if op == apsw.SQLITE_READ and (via is not None or known) else apsw.SQLITE_DENY

    def _before_first_step(self, cursor: apsw.Cursor, sql: str, _: Any) -> bool:
        if not self._is_ours:
            self._columns = (
                tuple(column[0] for column in cursor.get_description()) if not cursor.is_explain else ("plan",)
            )
        return True

    def query(self, sql: str) -> Rows:
        self._sql, self._now, self._until = sql.strip(), self._sources.now(), time.monotonic() + 1
        self._most = apsw.memory_used() + self._profile.limits.memory
        try:
            return self._rows(sql)
        except Exception:
            raise QueryRefusedError("refused") from None
        finally:
            self._until = float("inf")


class ByName(ScopedConnection):
    """Allows what is read through a name that looks like one of ours, and forgets that the database matters."""

    def _may_read(self, table: str, column: str, base: str | None, via: str | None) -> bool:
        return table in self._public or via in self._public or super()._may_read(table, column, base, via)


class Unfenced(ScopedConnection):
    """Rows behind a filter are left to the planner, which may try the query's own expression on them first."""

    def _build(self, path: Any, is_frozen: bool) -> None:
        whole = scoped._select
        scoped._select = lambda *given: whole(*given).removesuffix(" LIMIT -1")
        try:
            super()._build(path, is_frozen)
        finally:
            scoped._select = whole


class JoinsByName(ScopedConnection):
    """Lets joins by the names of columns through, about which the engine asks nobody."""

    def _says_what_it_must_not(self, text: str, lowered: str) -> bool:
        return self._store in lowered or any(name in lowered for name in self._inner)


MUTANTS = (JoinsByName, Folk, ByName, Unfenced)
