"""The lines of our own export format: how a row is written, and how a file is read without trusting it."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from muniment.archive import parts
from muniment.engine import drafts
from muniment.errors import MunimentError, NewerStoreError, UsageError
from muniment.gate.intake import content_hash
from muniment.model import vocabulary
from muniment.model.event import Kind, Origin, Role
from muniment.model.fact import Action, Verdict
from muniment.model.stored import Prepared
from muniment.storage.sqlite.transfer import EVENT, POSITION, SESSION, TABLES, TOMBSTONE, VERDICT

FORMAT = "muniment-jsonl"
VERSION = 1
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "sessions": SESSION,
    "events": (*EVENT, "text", "raw", "raw_base64"),
    "positions": POSITION,
    "verdicts": VERDICT,
    "tombstones": TOMBSTONE,
}
"""What a line of each table may hold. Of `raw` and `raw_base64` there is one: the second where it is not UTF-8."""

_BYTES = {
    "events": ("uid", "content_hash"),
    "positions": ("uid",),
    "verdicts": ("id", "uid"),
    "tombstones": ("target",),
}
_NUMBERS = frozenset({"seq", "tokens_in", "tokens_out", "exit_code", "masks"})
_TIMES = frozenset({"at", "updated_at", "started_at", "ended_at"})
_REQUIRED = {
    "sessions": ("id", "harness"),
    "events": ("uid", "content_hash", "harness", "role", "origin", "kind", "flags", "masks", "text"),
    "positions": POSITION,
    "verdicts": VERDICT,
    "tombstones": TOMBSTONE,
}
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST = 1 << 62


def header(counts: Mapping[str, int]) -> bytes:
    """The first line: what the file is, and how many rows of each table follow."""
    tables = {t: [c for c in COLUMNS[t] if c != "raw_base64"] for t in TABLES}
    return _encoded(
        {"format": FORMAT, "version": VERSION, "vocabulary": vocabulary.VERSION, "tables": tables, "rows": dict(counts)}
    )


def line(table: str, row: Mapping[str, Any]) -> bytes:
    """One row."""
    shown = {k: v.hex() if isinstance(v, bytes) else v for k, v in row.items() if k in COLUMNS[table]}
    return _encoded({"table": table, **shown})


def raw_fields(raw: bytes) -> dict[str, str]:
    """A raw record as text where it is UTF-8, else as base64."""
    try:
        return {"raw": raw.decode("utf-8")}
    except UnicodeDecodeError:
        return {"raw_base64": base64.b64encode(raw).decode("ascii")}


def _encoded(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8") + b"\n"


class Reader:
    """Reads the lines of an export. Whatever is wrong is a UsageError that names the line."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._number = 0
        self._expected: dict[str, int] = {}
        self.bytes = 0

    def header(self) -> None:
        """Read the first line and see that this program knows the format."""
        with self.naming_the_line():
            head = self._first()
            self._check_version(head)
            rows = head.get("rows")
            if not isinstance(rows, dict) or set(rows) != set(TABLES) or not all(_is_number(n) for n in rows.values()):
                raise ValueError("the header does not say how many rows follow")
            self._expected = rows

    def _first(self) -> dict[str, Any]:
        text = self._next()
        try:
            head = self._object(text)
        except (ValueError, TypeError, RecursionError):
            head = {}
        if head.get("format") != FORMAT:
            raise ValueError(f"it is not a muniment export: no {FORMAT} stands there")
        return head

    def _check_version(self, head: Mapping[str, Any]) -> None:
        for what, ours in (("version", VERSION), ("vocabulary", vocabulary.VERSION)):
            theirs = head.get(what)
            if theirs is None or not _is_number(theirs):
                raise ValueError(f"the header has no {what}")
            if theirs > ours:
                raise NewerStoreError(
                    f"{self._name} has {what} {theirs}; this program knows up to {ours}",
                    hint="upgrade muniment; nothing was loaded",
                    about=self._name,
                )

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """(table, row) of every line after the header; at the end, that none is missing."""
        found, order = dict.fromkeys(TABLES, 0), 0
        while text := self._next():
            with self.naming_the_line():
                table, row = self._row(text)
                if TABLES.index(table) < order:
                    raise ValueError(f"a row of {table} stands behind rows that may name it")
            order = TABLES.index(table)
            found[table] += 1
            yield table, row
        for table, count in self._expected.items():
            if found[table] != count:
                raise UsageError(
                    f"{self._name} is not whole: it has {found[table]} of {count} rows of {table}",
                    hint="nothing was loaded; export again",
                    about=self._name,
                )

    def _next(self) -> bytes:
        self._number += 1
        text = self._stream.readline()
        self.bytes += len(text)
        return text

    def _row(self, text: bytes) -> tuple[str, dict[str, Any]]:
        row = self._object(text)
        table = row.pop("table", None)
        if table not in COLUMNS:
            raise ValueError(f"no such table: {table!r}")
        unknown = sorted(set(row) - set(COLUMNS[table]))
        missing = [c for c in _REQUIRED[table] if row.get(c) is None]
        if unknown or missing:
            raise ValueError(
                f"a row of {table} with unknown {unknown}" if unknown else f"a row of {table} without {missing}"
            )
        for column, value in row.items():
            row[column] = _value(table, column, value)
        return table, row

    def _object(self, text: bytes) -> dict[str, Any]:
        value = json.loads(text)
        if not isinstance(value, dict):
            raise TypeError("it is no JSON object")
        return value

    @contextmanager
    def naming_the_line(self) -> Iterator[None]:
        """Whatever does not fit in the row just read is an error about its line."""
        try:
            yield
        except MunimentError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            what = f"{error.args[0]!r} is not known" if isinstance(error, KeyError) else str(error)
            raise UsageError(
                f"{self._name}, line {self._number}: {what}",
                hint="the file is not an export of muniment, or was changed; nothing was loaded",
                about=f"{self._name}:{self._number}",
            ) from error


def check(reader: Reader) -> int:
    """Read a whole export and believe nothing of it: how many rows it has. Raises what a load of it would raise."""
    reader.header()
    sessions, uids, count = set(), set(), 0
    for table, row in reader.rows():
        count += 1
        with reader.naming_the_line():
            if table == "sessions":
                sessions.add(row["id"])
            elif table == "events":
                uids.add(event(row).uid)
            elif table == "verdicts":
                verdict(row)
            elif table == "positions" and row["session"] not in sessions:
                raise KeyError(row["session"])
            elif table == "positions" and row["uid"] not in uids:
                raise ValueError("a position of an event that is not there")
    return count


def _value(table: str, column: str, value: Any) -> Any:
    """A value as it is stored, or an error if it is not of the column's kind."""
    if value is None:
        return None
    if column in _NUMBERS:
        if not _is_number(value):
            raise ValueError(f"{column} is no number: {value!r}")
        return value
    if not isinstance(value, str) or _SURROGATE.search(value):
        raise ValueError(f"{column} is no text")
    if column in _TIMES and not _TIME.fullmatch(value):
        raise ValueError(f"{column} is no time: {value!r}")
    return bytes.fromhex(value) if column in _BYTES.get(table, ()) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST


def event(row: Mapping[str, Any]) -> Prepared:
    """An event as it was archived. ValueError if its words are not what its hash says."""
    fields: dict[str, Any] = {c: row.get(c) for c in EVENT if c != "exit_code"}
    Role(row["role"]), Origin(row["origin"]), Kind(row["kind"])
    calls, results = parts.decode(row.get("parts"))
    if len(row["uid"]) != 16:
        raise ValueError("uid has no 16 bytes")
    said = (row["role"], row["origin"], row["kind"], row.get("at"), row["text"], row.get("parts"), row.get("speaker"))
    content = content_hash(*said)
    if content != row["content_hash"]:
        raise ValueError("the event is not what its content hash says")
    return Prepared(**fields, session="", seq=-1, text=row["text"], raw=_raw(row), calls=calls, results=results)


def _raw(row: Mapping[str, Any]) -> bytes:
    if (row.get("raw") is None) == (row.get("raw_base64") is None):
        raise ValueError("an event has its raw record once, as raw or as raw_base64")
    try:
        return (
            row["raw"].encode("utf-8")
            if row.get("raw") is not None
            else base64.b64decode(row["raw_base64"], validate=True)
        )
    except binascii.Error as error:
        raise ValueError(f"raw_base64 cannot be read: {error}") from error


def verdict(row: Mapping[str, Any]) -> Verdict:
    """A verdict; ValueError if it does not say what of what."""
    found = Verdict(*(row[c] for c in VERDICT))
    Action(found.action), Origin(found.by)
    bytes.fromhex(found.target)
    drafts.decode(found), drafts.key_of(found)
    return found
