"""Line-wise transcripts that are packed as Zstandard frames: read whole when they changed, told from where they stood.

Frames are only appended, so that a file that still begins with what was read goes on behind it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.lines import HEAD, LineAdapter, State, open_regular, with_uri
from muniment.model.event import SessionInfo, Skipped
from muniment.model.ids import hash128

ZSTD = b"\x28\xb5\x2f\xfd"


def read_packed(adapter: LineAdapter, source: Source, cursor: Cursor | None) -> Iterator[Item]:
    """Everything new since `cursor`, which counts in bytes of the text."""
    try:
        with open_regular(source.path) as handle:
            found = os.fstat(handle.fileno())
            seen = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
            if cursor is not None and cursor[:4] == seen:
                yield Checkpoint(cursor)
                return
            packed = handle.readall()
        data: bytes = source.extra["unzstd"](packed, source.max_record_bytes)
    except (OSError, ValueError, KeyError) as error:
        yield Skipped("unreadable", 0, str(error), 0)
        return
    if cursor is not None and hash128(data[: cursor.offset]).hex() != cursor.head:
        yield Reset("what was read has been rewritten")
        cursor = None
    yield from _lines(adapter, source, data, cursor or Cursor(), seen)


def _lines(
    adapter: LineAdapter, source: Source, data: bytes, cursor: Cursor, seen: tuple[int, int, int, int]
) -> Iterator[Item]:
    state: State = adapter.start(source.path, data[:HEAD]) | dict(cursor.state)
    offset, ordinal = cursor.offset, cursor.ordinal
    while offset < len(data):
        end = data.find(b"\n", offset)
        if end < 0 and not source.finished:
            yield Skipped("unfinished", offset, str(len(data) - offset))
            break
        line = data[offset : end if end >= 0 else len(data)]
        for item in _records(adapter, line, offset, ordinal, state):
            if type(item) is SessionInfo:
                yield with_uri(item, source.path)
                continue
            ordinal += item.count if type(item) is Skipped else 1
            yield item
        offset = end + 1 if end >= 0 else len(data)
    head = hash128(data[:offset]).hex()
    yield Checkpoint(Cursor(*seen, offset, ordinal, head, head, state))


def _records(adapter: LineAdapter, line: bytes, offset: int, ordinal: int, state: State) -> Iterator[Item]:
    if not line.strip():
        yield Skipped("blank", offset)
    else:
        yield from adapter.records(line, offset, ordinal, state)
