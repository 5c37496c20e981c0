"""Failures on demand: the k-th call to the database engine, or the k-th call of the engine to the system."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import apsw

from muniment.engine.core import Engine

MESSAGES = {
    apsw.IOError: "disk I/O error",
    apsw.FullError: "database or disk is full",
    apsw.BusyError: "database is locked",
}
ROLLS_BACK = (apsw.IOError, apsw.FullError)
"""After these the real engine may have rolled back by itself."""


class FaultyConnection:
    """A connection whose `at`-th statement fails; before and after that it is the real one. `at` 0 only counts."""

    def __init__(self, db: apsw.Connection, at: int, error: type[apsw.Error]) -> None:
        self._db, self._at, self._error = db, at, error
        self.count = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, *args: Any) -> Any:
        self._step()
        return self._db.execute(*args)

    def executemany(self, *args: Any) -> Any:
        self._step()
        return self._db.executemany(*args)

    def _step(self) -> None:
        self.count += 1
        if self.count == self._at:
            if self._error in ROLLS_BACK and self._at % 2 and self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise self._error(MESSAGES[self._error])


@contextlib.contextmanager
def failing_statement(engine: Engine, at: int, error: type[apsw.Error]) -> Iterator[FaultyConnection]:
    """Within this block the `at`-th statement of the engine's open store fails."""
    database = engine.store().db
    real = database.db
    faulty = FaultyConnection(real, at, error)
    database.db = faulty  # type: ignore[assignment]
    try:
        yield faulty
    finally:
        if database.db is faulty:  # type: ignore[comparison-overlap]
            database.db = real


class FaultySystem(apsw.VFS):
    """The files of the system, the `at`-th write, sync or cut since `arm` fails. The default while open."""

    NAME = "faulty"

    def __init__(self) -> None:
        self.base = apsw.vfs_names()[0]
        self.at, self.count = 0, 0
        self.error: type[apsw.Error] = apsw.IOError
        super().__init__(self.NAME, self.base, makedefault=True)

    def close(self) -> None:
        """The real one is the default again."""
        apsw.set_default_vfs(self.base)
        self.unregister()

    def arm(self, at: int, error: type[apsw.Error]) -> None:
        """Count from here; fail the `at`-th (0: none)."""
        self.at, self.count, self.error = at, 0, error

    def xOpen(self, name: Any, flags: list[int]) -> _FaultyFile:
        """Every file that the engine opens."""
        return _FaultyFile(self, name, flags)

    def step(self, extended: int) -> None:
        """One call to the system."""
        self.count += 1
        if self.count == self.at:
            raised = self.error(MESSAGES[self.error])
            if self.error is apsw.IOError:
                raised.extendedresult = extended
            raise raised


class _FaultyFile(apsw.VFSFile):
    def __init__(self, system: FaultySystem, name: Any, flags: list[int]) -> None:
        self._system = system
        super().__init__(system.base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._system.step(apsw.SQLITE_IOERR_WRITE)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._system.step(apsw.SQLITE_IOERR_FSYNC)
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self._system.step(apsw.SQLITE_IOERR_TRUNCATE)
        super().xTruncate(size)
