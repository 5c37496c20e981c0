"""Scoped SQL: a connection that sees what a profile grants and nothing else, held so by the engine itself.

In memory, with the store attached for reading alone. Each relation is two temporary views: a public one, and an inner one
whose name holds 128 random bits. That name is the capability: the authorizer lets tables be read only through it, and a
query that spells it is refused. Everything that is not allowed here by name is denied. What the recipe is made against, and
what is left open, stands in docs/explanation/scoped-sql.md.
"""

from __future__ import annotations

import contextlib
import re
import secrets
import threading
import time
from base64 import b32encode
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import quote

import apsw

from muniment.errors import QueryRefusedError
from muniment.model.profile import Grant, Profile, Redaction
from muniment.storage.sqlite import encryption
from muniment.storage.sqlite.connection import translated
from muniment.storage.sqlite.relations import LISTED, RELATIONS, TEXT_CAP, Column, Relation

MOST_SQL = 8_000
_OK, _DENY = apsw.SQLITE_OK, apsw.SQLITE_DENY
_FIRST = re.compile(r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*(?:select|with|values)\b", re.IGNORECASE | re.DOTALL)
# The engine asks nobody about the columns by which such a join goes: it would compare any column of any table.
_JOINS = re.compile(r"(?<![\w$])(?:natural|using)(?![\w$])", re.IGNORECASE)
_QUOTES = ('"', "`", "[", "--", "/*")
_STORE = "src"
"""The store's name in the SQL of relations. Its name in a connection is drawn anew, so that no query can say it."""
_FUNCTIONS = frozenset(
    """count sum total avg min max group_concat string_agg length lower upper substr substring trim ltrim rtrim instr
    coalesce ifnull nullif iif like glob abs round sign typeof date time datetime julianday unixepoch strftime row_number rank
    dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value json_extract json_array_length json_type
    json_valid -> ->>""".split()
)
_LISTS = frozenset({"json_each", "json_tree"})
_LIMITS = {
    "LENGTH": 1_000_000, "SQL_LENGTH": MOST_SQL, "COLUMN": 100, "EXPR_DEPTH": 50, "COMPOUND_SELECT": 10, "VDBE_OP": 20_000,
    "FUNCTION_ARG": 16, "LIKE_PATTERN_LENGTH": 100, "VARIABLE_NUMBER": 0, "TRIGGER_DEPTH": 1, "ATTACHED": 0, "WORKER_THREADS": 0,
}  # fmt: skip
_TICK = 250
"""Steps of the engine between two looks at clock and memory."""
_CACHE_KIB = 8 * 1024
_MAPPED = 1 << 30
_CROCKFORD = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_MASKED = "'[redacted]'"
_JOURNAL = """CREATE TABLE journal (session TEXT, at TEXT, surface TEXT, moment TEXT, agent_role TEXT, query TEXT, fact_ids TEXT,
    events TEXT, bytes INTEGER, arm TEXT); CREATE INDEX journal_session ON journal (session)"""
_CATALOGUE = "CREATE TABLE catalogue (relation TEXT, name TEXT, type TEXT, about TEXT)"

Read = tuple[str, str, str]
"""Database, table and column."""
_READ_BY: dict[str, frozenset[Read]] = {}
"""By the SQL of an inner view. There are as many as profiles have relations."""
Value = str | int | float | bytes | None
Delivered = tuple[Value, ...]


class Rows(NamedTuple):
    """The answer of a query: names of its columns, its rows, and whether a limit cut it short."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    is_partial: bool


class Sources(NamedTuple):
    """What the engine hands in: how a text is unpacked, what time it is (milliseconds and text), and what was delivered since
    it was asked last."""

    unpack: Callable[[bytes, int], bytes]
    now: Callable[[], tuple[int, str]]
    deliveries: Callable[[], Iterable[Delivered]]


class ScopedConnection:
    """What one profile sees of one store. Keep it: opening costs more than most queries."""

    def __init__(self, path: Path, profile: Profile, sources: Sources, *, is_frozen: bool = False) -> None:
        self._profile, self._sources = profile, sources
        self._public = {LISTED.name, *(grant.relation for grant in profile.grants)}
        self._inner: dict[str, str] = {}
        self._granted: dict[str, frozenset[Read]] = {}
        self._store = f"cap{secrets.token_hex(16)}"
        self._turn = threading.Lock()
        self._is_ours = True
        self._sql = ""
        self._columns: tuple[str, ...] = ()
        self._until, self._most = float("inf"), 0
        self._now = (0, "")
        self._key = secrets.token_bytes(16)
        with translated(path):
            self._db = apsw.Connection(
                ":memory:", flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            )
            try:
                self._build(path, is_frozen)
            except BaseException:
                self._db.close(True)
                raise

    # -- building: nothing of an agent runs yet

    def _build(self, path: Path, is_frozen: bool) -> None:
        db = self._db
        db.execute("PRAGMA temp_store=MEMORY")  # first: set later, it drops every temporary view
        how = "immutable=1" if is_frozen else "mode=ro"
        encryption.attach(db, f"file:{quote(path.resolve().as_posix())}?{how}", str(path), self._store)
        db.execute(f"PRAGMA {self._store}.cache_size=-{_CACHE_KIB}; PRAGMA {self._store}.mmap_size={_MAPPED}")
        db.execute(f"{_CATALOGUE}; {_JOURNAL}")
        self._define_functions()
        db.execute("BEGIN")
        for grant in self._profile.grants:
            relation = RELATIONS[grant.relation]
            self._define(relation, [c for c in relation.columns if c.name in grant.columns], grant)
        self._define(LISTED, LISTED.columns, None)
        db.execute("COMMIT")
        self._list()
        self._arm()

    def _define_functions(self) -> None:
        make: Callable[..., None] = self._db.create_scalar_function
        make("muniment_show", _show, 1, deterministic=True)
        make("muniment_text", self._text, 2, deterministic=True)
        make("muniment_hash", self._hash, 1, deterministic=True)
        make("muniment_now", lambda: self._now[0], 0)
        make("muniment_at", lambda: self._now[1], 0)

    def _define(self, relation: Relation, columns: Sequence[Column], grant: Grant | None) -> None:
        """Two views, and the columns of tables that the inner one reads: those alone may be read, and only through it."""
        inner = f"cap{secrets.token_hex(16)}"
        body = _select(relation, columns, grant)
        self._inner[inner] = relation.name
        names = ", ".join(f'"{c.name}"' for c in columns)
        self._db.execute(f'CREATE TEMP VIEW "{inner}" AS {body.replace(f"{_STORE}.", f"{self._store}.")}')
        # A part that is computed by itself must be asked for a column as well. No value is a blob, so this leaves nothing out.
        rest = (
            f""" WHERE "{min(columns, key=lambda c: len(c.sql)).name}" IS NOT x''"""
            if relation.group or (grant and grant.is_filtered)
            else ""
        )
        self._db.execute(f'CREATE TEMP VIEW "{relation.name}" AS SELECT {names} FROM temp."{inner}"{rest}')  # noqa: S608
        if body not in _READ_BY:
            _READ_BY[body] = self._read_by(inner, f'SELECT {names} FROM temp."{relation.name}"')  # noqa: S608 - names of ours
        self._granted[inner] = _READ_BY[body]

    def _read_by(self, inner: str, sql: str) -> frozenset[Read]:
        """What the engine says it reads for an inner view: exactly that is granted to it."""
        found: set[Read] = set()

        def note(op: int, one: str | None, two: str | None, base: str | None, via: str | None) -> int:
            if op == apsw.SQLITE_READ and via == inner and two:
                found.add((_STORE if base == self._store else base or "", one or "", two))
            return _OK

        self._db.authorizer = note
        try:
            self._db.execute(f"{sql} LIMIT 0")
        finally:
            self._db.authorizer = None
        return frozenset(found)

    def _list(self) -> None:
        for grant in self._profile.grants:
            known = {c.name: c for c in RELATIONS[grant.relation].columns}
            rows = [(grant.relation, name, known[name].type, known[name].about) for name in grant.columns]
            self._db.executemany("INSERT INTO catalogue VALUES (?, ?, ?, ?)", rows)

    def _arm(self) -> None:
        db = self._db
        db.execute("SELECT count(value) FROM json_each('[]')")
        db.execute("PRAGMA query_only=1")
        for name in ("ENABLE_LOAD_EXTENSION", "DQS_DML", "DQS_DDL", "ENABLE_TRIGGER", "ENABLE_FTS3_TOKENIZER"):
            db.config(getattr(apsw, f"SQLITE_DBCONFIG_{name}"), 0)
        db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        for name, most in _LIMITS.items():
            db.limit(getattr(apsw, f"SQLITE_LIMIT_{name}"), most)
        db.set_busy_timeout(self._profile.limits.milliseconds)
        db.authorizer = self._authorize
        db.set_progress_handler(self._is_over, _TICK)
        db.exec_trace = self._before_first_step
        self._is_ours = False

    # -- the wall

    def _authorize(self, op: int, one: str | None, two: str | None, base: str | None, via: str | None) -> int:
        """Default deny. `via` is the view that is being compiled, or a name that the query gave to a part of itself."""
        if self._is_ours or op == apsw.SQLITE_SELECT:
            return _OK
        if op == apsw.SQLITE_READ and two:  # an empty column is a count of rows, or of what a name hides
            return _OK if self._may_read(one or "", two, base, via) else _DENY
        if op == apsw.SQLITE_FUNCTION:
            return _OK if two in _FUNCTIONS or via in self._inner else _DENY
        return _DENY

    def _may_read(self, table: str, column: str, base: str | None, via: str | None) -> bool:
        if base == "temp":
            if table in self._inner:
                return via == self._inner[table]
            return table in self._public and via not in self._inner
        if via in self._inner:
            return (_STORE if base == self._store else base or "", table, column) in self._granted[via]
        return base == "main" and table in _LISTS

    def _before_first_step(self, cursor: apsw.Cursor, sql: str, _: Any) -> bool:
        """Compiled, and not yet begun: one statement, the whole text, that only reads."""
        if not self._is_ours:
            if cursor.is_explain or not cursor.is_readonly or sql.strip() != self._sql:
                _refuse()
            self._columns = tuple(column[0] for column in cursor.get_description())
        return True

    def _is_over(self) -> bool:
        return time.monotonic() > self._until or apsw.memory_used() > self._most

    # -- asking

    def query(self, sql: str) -> Rows:
        """The rows of one SELECT, as far as the limits go. QueryRefusedError, always the same, for whatever else."""
        text = sql.strip()
        lowered = text.lower()
        if len(text) > MOST_SQL or "\0" in text or not _FIRST.match(text) or self._says_what_it_must_not(text, lowered):
            _refuse()
        with self._turn:
            if "deliveries" in lowered:  # a relation cannot be asked without its name
                self._take_in()
            self._sql, self._now = text, self._sources.now()
            self._until = time.monotonic() + self._profile.limits.milliseconds / 1000
            self._most = apsw.memory_used() + self._profile.limits.memory
            try:
                return self._rows(text)
            except Exception:  # noqa: BLE001 - what went wrong would tell what is there
                _refuse()
            finally:
                self._until, self._sql = float("inf"), ""

    def _says_what_it_must_not(self, text: str, lowered: str) -> bool:
        """A name of ours, or a join by the names of columns. The words may stand in a text where no other quoting can hide them."""
        if self._store in lowered or any(name in lowered for name in self._inner):
            return True
        if not _JOINS.search(text):
            return False
        return any(mark in text for mark in _QUOTES) or bool(_JOINS.search(" ? ".join(text.split("'")[::2])))

    def _rows(self, text: str) -> Rows:
        most, room = self._profile.limits.rows, self._profile.limits.bytes
        rows: list[tuple[Value, ...]] = []
        cursor = self._db.cursor()
        is_partial = False
        try:
            for row in cursor.execute(text):
                room -= _size(row)
                if room < 0 or len(rows) >= most:
                    is_partial = True
                    break
                rows.append(row)
        finally:
            cursor.close(True)  # an unfinished one would hold the log of the store
        return Rows(self._columns, tuple(rows), is_partial)

    def _take_in(self) -> None:
        """What was delivered since the last time."""
        self._is_ours = True
        try:
            fresh = list(self._sources.deliveries())
            if fresh:
                self._db.execute("PRAGMA query_only=0")
                self._db.limit(apsw.SQLITE_LIMIT_VARIABLE_NUMBER, len(fresh[0]))
                self._db.executemany(f"INSERT INTO journal VALUES ({', '.join('?' * len(fresh[0]))})", fresh)  # noqa: S608
        finally:
            self._db.limit(apsw.SQLITE_LIMIT_VARIABLE_NUMBER, 0)
            self._db.execute("PRAGMA query_only=1")
            self._is_ours = False

    def close(self) -> None:
        """Let go of the store. Harmless when closed already."""
        with contextlib.suppress(apsw.Error):
            self._db.close(True)

    # -- functions of the inner views

    def _text(self, packed: bytes, size: int) -> str:
        return self._sources.unpack(packed, size).decode("utf-8", "replace")[:TEXT_CAP]

    def _hash(self, value: Value) -> str | None:
        if value is None:
            return None
        raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
        return blake2b(raw, key=self._key, digest_size=8).hexdigest()


def _refuse() -> NoReturn:
    """The one error of a query: it names nothing, so nothing can be read off it."""
    message = (
        "the query was refused: it is no single SELECT over the relations that are granted, or it went over a limit"
    )
    raise QueryRefusedError(message, hint="SELECT * FROM relations lists relations and columns") from None


def _show(identity: bytes | None) -> str | None:
    """An id as `model.ids.show` writes it, by the quick way: 16 bytes with zeros before them are 32 characters."""
    return None if identity is None else b32encode(b"\0\0\0\0" + identity)[6:].translate(_CROCKFORD).decode("ascii")


def _size(row: tuple[Value, ...]) -> int:
    return sum(_width(value) for value in row)


def _width(value: Value) -> int:
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode("utf-8", "surrogatepass"))
    return len(value) if isinstance(value, bytes) else 8


# --- the SQL of an inner view -----------------------------------------------------------------------------------------


def _select(relation: Relation, columns: Sequence[Column], grant: Grant | None) -> str:
    redact = grant.redact if grant else {}
    shown = ", ".join(f'{_redacted(c.sql, redact.get(c.name))} AS "{c.name}"' for c in columns)
    conditions = [relation.condition, *(_conditions(relation, grant) if grant else ())]
    sql = f"SELECT {shown} FROM {relation.source} WHERE {' AND '.join(conditions)}"  # noqa: S608 - SQL and names of ours
    group = f" GROUP BY {relation.group}" if relation.group else ""
    # The fence: without it the planner may try the agent's expression on a row before it tries the filter.
    return sql + group + (" LIMIT -1" if grant and grant.is_filtered else "")


def _redacted(sql: str, how: Redaction | None) -> str:
    match how:
        case None:
            return sql
        case Redaction.NULL:
            return "NULL"
        case Redaction.MASK:
            return _MASKED
        case Redaction.HASH:
            return f"muniment_hash({sql})"


def _conditions(relation: Relation, grant: Grant) -> Iterable[str]:
    for each in grant.filters:
        sql = f"({relation.filterable[each.column]})"
        any_of = " OR ".join(_is(sql, value) for value in each.values)
        yield f"({sql} IS NULL OR NOT ({any_of}))" if each.is_never else f"({any_of})"
    if grant.since:
        yield f"{relation.time} >= {_literal(grant.since)}"
    if grant.until:
        yield f"{relation.time} < {_literal(grant.until)}"


def _is(sql: str, value: str | int) -> str:
    if isinstance(value, str) and ("*" in value or "?" in value):
        return f"{sql} GLOB {_literal(value.replace('[', '[[]'))}"
    return f"{sql} = {_literal(value)}"


def _literal(value: str | int) -> str:
    """A value in SQL. A view takes no parameters."""
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
