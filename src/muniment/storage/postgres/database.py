"""One workspace of one tenant on a PostgreSQL server: the same small set of calls as an open file."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
from psycopg import pq
from psycopg.types.numeric import Int8Dumper
from psycopg.types.string import StrDumperUnknown, TextLoader
from psycopg_pool import ConnectionPool, PoolTimeout

from muniment.errors import (
    BusyError,
    DamagedStoreError,
    MunimentError,
    NewerStoreError,
    ScopeError,
    ShapeError,
    StoreError,
)
from muniment.model.kept import Row
from muniment.storage.postgres.dialect import Dialect
from muniment.storage.postgres.matching import parsed, rows
from muniment.storage.postgres.schema import SCHEMA
from muniment.storage.sqlite.schema import VERSION
from muniment.storage.sqlite.text_rows import tokenizer

CONNECTIONS = 4
"""Connections of one open store; one serves one thread at a time."""
_PAGES = (64, 1024)
_MATCH = re.compile(r"SELECT rowid FROM (\w+)_text WHERE \w+_text MATCH :(\w+)")
_PUZZLING = (ValueError, KeyError, TypeError, IndexError, AttributeError)
_ESCAPE, _NUL = "\ue000", "\ue001"
"""A text of PostgreSQL's cannot hold the character zero: it is written as these two, and the first as itself twice."""
Args = Sequence[Any] | dict[str, Any]


class Database:
    """An open workspace: checked queries, and `writing()`, the only way to a transaction."""

    failures = (psycopg.Error, PoolTimeout)

    def __init__(self, url: str, workspace: str, *, lock_timeout: float = 30.0, is_filtered: bool = True) -> None:
        self.url, self.workspace = url, workspace
        self._lock_timeout, self._is_filtered = lock_timeout, is_filtered
        self._here = threading.local()
        self._changes = 0
        self._pool = _pool(url)
        self.tenant = ""
        self._words = tokenizer("fact")
        with self._translated():
            self.tenant = self._tenant()
        self.speak = Dialect(SCHEMA, self.tenant, workspace, is_filtered=is_filtered)

    def close(self) -> None:
        """Let go of the connections. Harmless when closed already."""
        self._pool.close()

    is_frozen = False

    def is_free(self) -> bool:
        """Would a write at this moment wait for nobody? The server lets writers queue, so it may always be tried."""
        return True

    @property
    def place(self) -> str:
        """Where the store is, for people; without a password."""
        return f"workspace {self.workspace} of tenant {self.tenant} on the server"

    @property
    def db(self) -> Database:
        """What reads without a table around it ask."""
        return self

    def _tenant(self) -> str:
        with self._pool.connection() as connection:
            try:
                found = connection.execute(f"SELECT {SCHEMA}.tenant(), version FROM {SCHEMA}.version").fetchone()
            except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName, psycopg.errors.InsufficientPrivilege,
                    psycopg.errors.UndefinedFunction) as error:  # fmt: skip
                raise _no_tenant() from error
        if found is None or not found[0]:
            raise _no_tenant()
        if found[1] != VERSION:
            kind = NewerStoreError if found[1] > VERSION else ShapeError
            raise kind(f"the server's tables have format {found[1]}, this program knows {VERSION}")
        return str(found[0])

    # -- transactions

    @contextlib.contextmanager
    def writing(self, durable: bool = True) -> Iterator[None]:  # noqa: ARG002 - the server syncs each commit
        """One transaction, the only one that writes to this workspace: all of it or nothing."""
        with self._translated(), self._pool.connection() as connection:
            lock = f"hashtextextended('{self.tenant}/{self.workspace}', 0)".replace("%", "%%")
            timeout = f"SET LOCAL lock_timeout = {round(self._lock_timeout * 1000)}"
            self._here.connection = connection
            try:
                connection.execute(f"BEGIN; {timeout}; SELECT pg_advisory_xact_lock({lock})")
                before = self._changes
                yield
                if self._changes != before:
                    self.run("INSERT INTO generations (name, count) VALUES ('rows', 1) ON CONFLICT (name) DO UPDATE"
                             " SET count = generations.count + 1")  # fmt: skip
                self._commit(connection)
            except BaseException:
                with contextlib.suppress(psycopg.Error):
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._here.connection = None

    def _commit(self, connection: psycopg.Connection[Row]) -> None:
        try:
            connection.execute("COMMIT")
        except psycopg.OperationalError as error:
            hint = "ask for it again: what was written is known by its content and not written twice"
            raise StoreError(
                "the server was lost at the end of a write: whether it was kept is not known", hint=hint
            ) from error

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """One snapshot for several reads."""
        if getattr(self._here, "connection", None) is not None:
            yield
            return
        with self._translated(), self._pool.connection() as connection:
            self._here.connection = connection
            try:
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield
            except _PUZZLING as error:
                message = f"what is stored cannot be understood: {type(error).__name__}: {error}"
                raise StoreError(message, hint="`muniment verify` tells what is sound") from error
            finally:
                with contextlib.suppress(psycopg.Error):
                    connection.execute("ROLLBACK")
                self._here.connection = None

    @contextlib.contextmanager
    def decoding(self) -> Iterator[None]:
        """What was stored can be decoded; where it cannot, its bytes are no longer those that were written."""
        try:
            yield
        except _PUZZLING as error:
            raise DamagedStoreError(
                f"the store is damaged: {error}", hint="`muniment verify` tells what is sound"
            ) from error

    @contextlib.contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Row]]:
        current = getattr(self._here, "connection", None)
        if current is not None:
            yield current
        else:
            with self._pool.connection() as connection:
                yield connection

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except self.failures as error:
            raise self.failed(error) from error

    def failed(self, error: Exception) -> MunimentError:
        """The server's error as one of ours. What the server says of rows is not passed on."""
        return failed(error, self.place)

    # -- statements

    def execute(self, sql: str, args: Args = ()) -> psycopg.Cursor[Row]:
        """One statement, as it is written for a file."""
        if " MATCH " in sql and isinstance(args, dict):
            sql, args = self._matched(sql, args)
        spoken = self.speak(sql)
        with self._connection() as connection:
            return connection.execute(spoken.sql, _arguments(args, spoken.is_named))

    def _matched(self, sql: str, args: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """A test of the text index as one of its rows: what it looks for stands in the arguments."""
        args = dict(args)
        for found in _MATCH.finditer(sql):
            name, words = found[1], parsed(str(args.pop(found[2])), self._words)
            sql = sql.replace(found[0], rows(words, args).replace(":name", f"'{name}'"))
        return sql, args

    def rows(self, sql: str, args: Args = ()) -> list[Row]:
        """All rows of a query."""
        with self._translated():
            return self.execute(sql, args).fetchall()

    def one(self, sql: str, args: Args = ()) -> Row | None:
        """The first row of a query, or None."""
        with self._translated():
            return self.execute(sql, args).fetchone()

    def cursor(self, sql: str, args: Args = ()) -> Iterator[Row]:
        """The rows of a query that is ordered in full, a page at a time: most readers stop on the first."""
        offset = 0
        for size in _PAGES:
            page = self.execute(f"{sql} LIMIT {size} OFFSET {offset}", args).fetchall()
            yield from page
            if len(page) < size:
                return
            offset += size
        yield from self.execute(f"{sql} OFFSET {offset}", args)

    def stream(self, sql: str, args: Args = ()) -> Iterator[Row]:
        """The rows of a query, read as they are asked for; within a snapshot."""
        if getattr(self._here, "connection", None) is None:
            yield from self.rows(sql, args)
            return
        spoken = self.speak(sql)
        self._here.streams = getattr(self._here, "streams", 0) + 1
        with self._translated(), self._here.connection.cursor(f"stream_{self._here.streams}") as cursor:
            cursor.itersize = 2000
            cursor.execute(spoken.sql, _arguments(args, spoken.is_named))
            yield from cursor

    def version(self) -> tuple[int, int]:
        """Changes whenever another connection, or this one, has written."""
        row = self.one("SELECT count FROM generations WHERE name = 'rows'")
        return int(row[0]) if row else 0, self._changes

    def run(self, sql: str, args: Args = ()) -> int:
        """Execute one statement; the number of rows it changed."""
        spoken = self.speak(sql)
        with self._connection() as connection:
            cursor = connection.execute(spoken.sql, _arguments(args, spoken.is_named))
        if spoken.is_numbered and cursor.rowcount > 0:
            self._last = int((cursor.fetchone() or (0,))[0])
        self._changes += max(cursor.rowcount, 0)
        return max(cursor.rowcount, 0)

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute one statement for each row."""
        if not rows:
            return
        bulk = self.speak.bulk(sql) if len(rows) >= _FEW else None
        if bulk is not None:
            with self._connection() as connection:
                connection.execute(bulk[0], [_listed(kind, [row[n] for row in rows]) for n, kind in enumerate(bulk[1])])
            self._changes += len(rows)
            return
        spoken = self.speak(sql)
        with self._connection() as connection, connection.cursor() as cursor:
            cursor.executemany(spoken.sql, rows)
        self._changes += len(rows)

    def insert(self, sql: str, args: Sequence[Any]) -> int:
        """Insert one row; its row number."""
        self.run(sql, args)
        return self._last

    def last_row(self) -> int:
        """The number of the row inserted last."""
        return self._last

    def journal(self) -> str:
        """How what is written is kept from being torn."""
        return "server"

    def upgrade_wal(self) -> None:
        """There is no log of ours to copy."""

    _last = 0


_FEW = 8
"""Fewer rows than these are sent one by one: a list for each column has a price of its own."""


def _listed(kind: str, values: list[Any]) -> list[Any]:
    """The values of one column, all of one type."""
    if kind == "int[]":
        return ["{" + ",".join(map(str, value)) + "}" for value in values]
    make = {"TEXT": str, "INTEGER": int, "BLOB": bytes, "REAL": float}[kind]
    return [None if value is None else make(value) for value in values]


def _arguments(args: Args, is_named: bool) -> Args:
    if is_named and not isinstance(args, dict):
        return {f"p{n}": value for n, value in enumerate(args, 1)}
    return args


def failed(error: Exception, about: str) -> MunimentError:
    """An error of the server's as one of ours."""
    if isinstance(error, psycopg.errors.LockNotAvailable | PoolTimeout):
        return BusyError("another writer holds the workspace, or no connection is free", hint="try again", about=about)
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return ScopeError("the role may not do that", about=about)
    if isinstance(error, psycopg.OperationalError):
        hint = "is the server up, and are address and password right?"
        return StoreError(f"the server cannot be reached: {type(error).__name__}", hint=hint, about=about)
    state = getattr(error, "sqlstate", None) or "?"
    return StoreError(f"the server refused a statement ({type(error).__name__}, {state})", about=about)


def _no_tenant() -> ScopeError:
    hint = "whoever runs the server says `muniment server tenant add NAME`; the role of the address is then a tenant's"
    return ScopeError("the role that logs in belongs to no tenant here", hint=hint)


def _pool(url: str) -> ConnectionPool[psycopg.Connection[Row]]:
    options = {"autocommit": True, "prepare_threshold": 1, "options": f"-c search_path={SCHEMA},pg_catalog"}
    pool = ConnectionPool(
        url, min_size=0, max_size=CONNECTIONS, open=False, kwargs=options, configure=_configured, timeout=10
    )
    pool.open()
    return pool


def _configured(connection: psycopg.Connection[Row]) -> None:
    connection.prepared_max = 500
    adapters = connection.adapters
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_dumper(bool, _BoolDumper)
    adapters.register_dumper(str, _StrDumper)
    adapters.register_loader("text", _TextLoader)
    adapters.register_loader("numeric", _WholeLoader)
    connection.execute("SET plan_cache_mode = force_generic_plan")


class _BoolDumper(Int8Dumper):
    """Truth is a number in these tables."""

    def dump(self, obj: Any) -> Any:
        return super().dump(int(obj))


class _StrDumper(StrDumperUnknown):
    """Text without the character zero."""

    def dump(self, obj: Any) -> Any:
        text = str(obj)
        if "\0" in text or _ESCAPE in text:
            text = text.replace(_ESCAPE, _ESCAPE + _ESCAPE).replace("\0", _ESCAPE + _NUL)
        return super().dump(text)


class _TextLoader(TextLoader):
    """The text as it was given."""

    def load(self, data: Any) -> Any:
        text = super().load(data)
        if isinstance(text, str) and _ESCAPE in text:
            pieces = text.split(_ESCAPE + _ESCAPE)
            return _ESCAPE.join(piece.replace(_ESCAPE + _NUL, "\0") for piece in pieces)
        return text


class _WholeLoader(psycopg.adapt.Loader):
    """Sums of whole numbers are whole."""

    format = pq.Format.TEXT

    def load(self, data: Any) -> Any:
        text = bytes(data).decode()
        return float(text) if "." in text else int(text)
