"""Reading other programs' SQLite files: read-only, never created, never written, released at once."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import apsw

_BUSY_MS = 2_000


class ForeignDatabase:
    """A read-only look at a database of another program. Raises OSError whatever is wrong with it."""

    def __init__(self, path: Path) -> None:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise OSError(f"{path.name}: not a regular file")  # to open a pipe could wait for ever
        try:
            self._db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            self._db.set_busy_timeout(_BUSY_MS)
            self._db.pragma("query_only", True)
        except apsw.Error as error:
            raise OSError(f"{path.name}: {error}") from error

    def execute(self, sql: str, args: Sequence[Any] = ()) -> Iterable[tuple[Any, ...]]:
        """The rows of one query."""
        try:
            yield from self._db.execute(sql, args)
        except apsw.Error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def open_foreign(path: Path) -> ForeignDatabase:
    """Open for reading."""
    return ForeignDatabase(path)
