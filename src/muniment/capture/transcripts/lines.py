"""Reads files that hold one JSON record a line, so that a line-wise harness is one function: `record -> events`.

What it promises, whatever the file looks like: nothing is held but one record and one chunk; only `\\n` ends a line; a
line still being written is left for the next read; what cannot be read is counted or kept, never dropped; a file that
was replaced, cut or rewritten is read again from its start.
"""

from __future__ import annotations

import json
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.model.event import Event, Kind, Origin, Role, SessionInfo, Skipped
from muniment.model.ids import hash128

Record: TypeAlias = dict[str, Any]
State: TypeAlias = dict[str, Any]
Parsed: TypeAlias = Event | SessionInfo | Skipped

CHUNK = 1 << 20
EDGE = 4096
HEAD = 1 << 16
_BOM = b"\xef\xbb\xbf"
_PADDING = b"\0 \t\r"
_RETRIES = 3
_RESYNCS = 64
# What a record in an unexpected shape may raise inside an adapter; anything else is a bug and must be seen.
_DRIFT = (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError)

raw_decode = json.JSONDecoder().raw_decode


class LineAdapter(ABC):
    """Base of line-wise adapters. `state` holds JSON values only; `state["session"]`, once known, names the session."""

    name: str = ""
    checked: tuple[str, ...] = ()

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the arguments are for those who override
        """What is known before the first record, from the file's name and its first 64 KiB."""
        return {}

    @abstractmethod
    def parse(self, record: Record, raw: bytes, ordinal: int, state: State) -> Iterable[Parsed]:
        """A record's one event, or its one `Skipped` (the offset is filled in), and what it tells of its session."""

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """Everything new since `cursor`."""
        try:
            if cursor is not None and untouched(source, cursor, os.stat(source.path)):
                yield Checkpoint(cursor)
                return
            handle = open_regular(source.path)
        except OSError as error:
            yield Skipped("unreadable", 0, str(error), 0)
            return
        with handle:
            yield from _Reading(self, source, handle).items(cursor)

    def records(self, line: bytes, offset: int, ordinal: int, state: State) -> Iterator[Parsed]:
        """What a line gives that is not simply one JSON object: padded, several records on it, torn, or no JSON."""
        if not line.strip(_PADDING):
            yield Skipped("nul", offset, str(len(line)))
            return
        for number, (record, raw) in enumerate(split_line(line)):
            if record is None:
                torn = kept(raw, raw.decode("utf-8", "replace"), "malformed", ordinal + number, state)
                yield replace(torn, offset=offset) if type(torn) is Skipped else torn
            else:
                yield from self.guarded(record, raw, offset, ordinal + number, state)

    def guarded(self, record: Record, raw: bytes, offset: int, ordinal: int, state: State) -> list[Parsed]:
        """`parse`, with what it must not do undone: raise on a shape it does not know, or answer with nothing."""
        try:
            items = list(self.parse(record, raw, ordinal, state))
        except _DRIFT:
            items = [kept(raw, "", "drift", ordinal, state)]
        counted = False
        for at, item in enumerate(items):
            if type(item) is SessionInfo:
                continue
            counted = True
            if type(item) is Skipped:
                items[at] = Skipped(item.reason, offset, item.detail)
        if not counted:
            items.append(Skipped("noise:unclaimed", offset))
        return items


def split_line(line: bytes) -> list[tuple[Record | None, bytes]]:
    """The records on a line with their raw bytes; None stands for a piece that is no record."""
    try:
        text = line.strip(_PADDING).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return [(None, line)]
    found: list[tuple[Record | None, bytes]] = []
    at = 0
    while at < len(text):
        record, end = _record_at(text, at)
        if record is None:
            end = _resync(text, at)
        found.append((record, line if end == len(text) and not found else _encode(text[at:end])))
        at = len(text) - len(text[end:].lstrip()) if end < len(text) else end
    return found


def _record_at(text: str, at: int) -> tuple[Record | None, int]:
    try:
        value, end = raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
    return (value, end) if isinstance(value, dict) else (None, at)


def _resync(text: str, at: int) -> int:
    """Where a whole record begins behind a torn one and ends with the line (a crash, then a restart); else the end.

    An object inside the torn record would pass for one, so that nothing is taken that stands where a value may stand.
    """
    begin = at
    for _ in range(_RESYNCS):
        begin = text.find('{"', begin + 1)
        if begin < 0:
            break
        if text[begin - 1] in ":,[{ \t":
            continue
        record, end = _record_at(text, begin)
        if record is not None and end == len(text):
            return begin
    return len(text)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def kept(raw: bytes, text: str, flag: str, ordinal: int, state: State) -> Event | Skipped:
    """A raw record that nobody could read: an event of its session with the bytes, or skipped if that is not known."""
    session = state.get("session")
    if not isinstance(session, str):
        return Skipped("malformed", 0, raw[:HEAD].decode("utf-8", "replace"))
    return Event(session, ordinal, Role.HARNESS, Origin.HARNESS, Kind.UNKNOWN, text, raw, flags=(flag,))


def untouched(source: Source, cursor: Cursor, found: os.stat_result) -> bool:
    """Does a file look as it did when it was read up to this cursor? Told without opening it: most files of a pass do."""
    seen = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
    return seen == cursor[:4] and (cursor.offset == cursor.size or not source.finished)


def with_uri(info: SessionInfo, path: Path) -> SessionInfo:
    """What is known of a session, and where it was read."""
    return info if info.source_uri else replace(info, source_uri=path.absolute().as_uri())


def open_regular(path: Path) -> FileIO:
    """The file, unbuffered. A pipe or device would block or never end, so anything but a regular file is an OSError."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(f"not a regular file: {path}")
    return FileIO(path, "rb")


@dataclass(slots=True)
class _Ends:
    """The first and last bytes of what was consumed: what tells a file that grew from one that was rewritten."""

    head: bytes = b""
    tail: bytes = b""

    def feed(self, data: bytes) -> None:
        if len(self.head) < EDGE:
            self.head = (self.head + data[:EDGE])[:EDGE]
        self.tail = data[-EDGE:] if len(data) >= EDGE else (self.tail + data)[-EDGE:]


class _Block(NamedTuple):
    """Whole lines from `offset` on; or, if `oversize`, one line of that many bytes that was not held."""

    offset: int
    lines: list[bytes]
    oversize: int = 0


@dataclass(slots=True)
class _Cutter:
    """Cuts a file into blocks of whole lines. `offset` is the byte after the last one, `open` what follows it."""

    handle: FileIO
    offset: int
    cap: int
    chunk: int
    ends: _Ends
    held: list[bytes] = field(default_factory=list)
    open: int = 0

    def blocks(self) -> Iterator[_Block]:
        """The lines up to the last newline in the file, a chunk at a time."""
        while chunk := self.handle.read(self.chunk):
            start = 0
            if self.open and (first := chunk.find(b"\n")) >= 0:
                start = first + 1
                yield self._close(chunk[:start])
            last = chunk.rfind(b"\n") + 1
            if last > start:
                yield self._whole(chunk[start:last])
            if max(start, last) < len(chunk):
                self._hold(chunk[max(start, last) :])

    def rest(self) -> Iterator[_Block]:
        """What follows the last newline, as a line."""
        if self.open:
            yield self._close(b"")

    def _whole(self, block: bytes) -> _Block:
        begin, self.offset = self.offset, self.offset + len(block)
        self.ends.feed(block)
        return _Block(begin, block[:-1].split(b"\n"))

    def _hold(self, piece: bytes) -> None:
        self.held.append(piece)
        self.open += len(piece)
        if self.open > self.cap + 1:
            # Too long to be held: only its two ends are needed from here on, for the hashes of the consumed bytes.
            both = b"".join(self.held)
            self.held = [both[:EDGE], both[-EDGE:]] if len(both) > 2 * EDGE else [both]

    def _close(self, piece: bytes) -> _Block:
        self._hold(piece)
        begin, size = self.offset, self.open
        self.offset, self.open = begin + size, 0
        line = b"".join(self.held)
        self.held = []
        self.ends.feed(line)
        length = size - line.endswith(b"\n")
        return _Block(begin, [], length) if length > self.cap else _Block(begin, [line[:length]])


class _ChangedError(Exception):
    """The file is no longer the one that this read began with."""


@dataclass(slots=True)
class _Reading:
    """One `read` of one file."""

    adapter: LineAdapter
    source: Source
    handle: FileIO
    state: State = field(default_factory=dict)
    ordinal: int = 0

    def items(self, cursor: Cursor | None) -> Iterator[Item]:
        found = os.fstat(self.handle.fileno())
        if cursor == Cursor():
            cursor = None
        if cursor is not None and (reason := self._replaced(cursor, found)):
            yield Reset(reason)
            cursor = None
        for _ in range(_RETRIES):
            try:
                yield from self._all(cursor)
                return
            except _ChangedError:
                yield Reset("changed while it was read")
                cursor = None
            except OSError as error:
                yield Skipped("unreadable", 0, str(error), 0)
                return

    def _replaced(self, cursor: Cursor, found: os.stat_result) -> str:
        if found.st_ino != cursor.inode:
            return "another file has its name"
        if found.st_size < cursor.offset:
            return "it is shorter than what was read"
        head, tail = self._edges(cursor.offset)
        if (_hash(head), _hash(tail)) != (cursor.head, cursor.tail):
            return "what was read has been rewritten"
        goes_on = tail and not tail.endswith(b"\n") and self._at(cursor.offset, 1) not in (b"", b"\n")
        return "a last line that was taken without a newline goes on" if goes_on else ""

    def _edges(self, offset: int) -> tuple[bytes, bytes]:
        size = min(EDGE, offset)
        return self._at(0, size), self._at(offset - size, size)

    def _at(self, offset: int, size: int) -> bytes:
        self.handle.seek(offset)
        return self.handle.read(size)

    def _all(self, cursor: Cursor | None) -> Iterator[Item]:
        found = os.fstat(self.handle.fileno())
        cutter = self._begin(cursor)
        last = cutter.offset
        for block in cutter.blocks():
            yield from self._block(block)
            if cutter.offset - last >= self.source.batch_bytes:
                last = cutter.offset
                yield self._checkpoint(cutter, found, cutter.offset)
        if self.source.finished:
            for block in cutter.rest():
                yield from self._block(block)
        elif cutter.open:
            yield Skipped("unfinished", cutter.offset, str(cutter.open))
        yield self._checkpoint(cutter, found, cutter.offset + cutter.open)

    def _begin(self, cursor: Cursor | None) -> _Cutter:
        offset = cursor.offset if cursor else 0
        head, tail = self._edges(offset)
        self.ordinal = cursor.ordinal if cursor else 0
        self.state = self.adapter.start(self.source.path, b"" if cursor else self._at(0, HEAD))
        if cursor:
            # On top of a fresh start: an older version of the adapter may not have remembered what this one looks for.
            self.state |= _copy(cursor.state)
        ends = _Ends(head, tail)
        if tail and not tail.endswith(b"\n") and self._at(offset, 1) == b"\n":
            # The newline of a last line that was taken without one.
            offset += 1
            ends.feed(b"\n")
        self.handle.seek(offset)
        chunk = max(1, min(CHUNK, self.source.batch_bytes))
        return _Cutter(self.handle, offset, self.source.max_record_bytes, chunk, ends)

    def _checkpoint(self, cutter: _Cutter, found: os.stat_result, size: int) -> Checkpoint:
        """A cursor for what was consumed, of `size` bytes seen; an error if the file no longer holds them."""
        position = self.handle.tell()
        now = os.fstat(self.handle.fileno())
        if now.st_size < position or self._edges(cutter.offset) != (cutter.ends.head, cutter.ends.tail):
            raise _ChangedError
        self.handle.seek(position)
        head, tail = _hash(cutter.ends.head), _hash(cutter.ends.tail)
        # The times are those of before the read: a write during it is then noticed next time.
        seen = (found.st_dev, found.st_ino, size, found.st_mtime_ns)
        return Checkpoint(Cursor(*seen, cutter.offset, self.ordinal, head, tail, _copy(self.state)))

    def _block(self, block: _Block) -> Iterator[Item]:
        if block.oversize:
            self.ordinal += 1
            yield Skipped("oversize", block.offset, str(block.oversize))
            return
        offset, lines, blank, begin = block.offset, block.lines, 0, 0
        if not offset and lines[0].startswith(_BOM) and len(lines[0]) <= self.source.max_record_bytes:
            offset, lines[0] = len(_BOM), lines[0][len(_BOM) :]
        for line in lines:
            if line and not line.isspace():
                if blank:
                    yield self._blanks(blank, begin)
                    blank = 0
                yield from self._line(line, offset)
            else:
                begin = begin if blank else offset
                blank += 1
            offset += len(line) + 1
        if blank:
            yield self._blanks(blank, begin)

    def _blanks(self, count: int, begin: int) -> Skipped:
        self.ordinal += count
        return Skipped("blank", begin, count=count)

    def _line(self, line: bytes, offset: int) -> Iterator[Item]:
        if len(line) > self.source.max_record_bytes:
            self.ordinal += 1
            yield Skipped("oversize", offset, str(len(line)))
            return
        try:
            text = line.decode("utf-8", "surrogatepass")
            record, end = raw_decode(text)
            simple = isinstance(record, dict) and (end == len(text) or text[end:].isspace())
        except (ValueError, RecursionError):
            record, simple = None, False
        items = self.adapter.guarded(record, line, offset, self.ordinal, self.state) if simple else None
        for item in items or self.adapter.records(line, offset, self.ordinal, self.state):
            if type(item) is SessionInfo:
                yield with_uri(item, self.source.path)
                continue
            self.ordinal += 1
            yield item


def _hash(data: bytes) -> str:
    return hash128(data).hex()


def _copy(state: Any) -> State:
    """A state that later records do not change. By way of JSON, which is how cursors are stored."""
    copied: State = json.loads(json.dumps(state))
    return copied
