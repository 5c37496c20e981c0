"""Logs written as Markdown for people: one file, appended to, whose blocks are the records.

The last block may still grow, so that it is left for the next read until the file is finished.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.lines import EDGE, State, kept, open_regular, untouched, with_uri
from muniment.capture.transcripts.turns import TurnAdapter
from muniment.model.event import SessionInfo, Skipped
from muniment.model.ids import hash128


class MarkdownAdapter(TurnAdapter):
    """Base of adapters of such logs. `parse` gets `{"kind": ..., "text": ...}` for each block."""

    @abstractmethod
    def kind(self, line: str, before: str, state: State) -> tuple[str, bool]:
        """What a line is part of, and whether a new block begins with it. `before` is the kind of the line before."""

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """The blocks that were finished since `cursor`."""
        try:
            if cursor is not None and untouched(source, cursor, os.stat(source.path)):
                yield Checkpoint(cursor)
                return
            with open_regular(source.path) as handle:
                found = os.fstat(handle.fileno())
                if found.st_size > source.max_record_bytes:
                    yield Skipped("oversize", 0, str(found.st_size))
                    return
                data = handle.readall()
        except OSError as error:
            yield Skipped("unreadable", 0, str(error), 0)
            return
        seen = (found.st_dev, found.st_ino, len(data), found.st_mtime_ns)
        if cursor is not None and not _continues(data, cursor):
            yield Reset("the file was rewritten")
            cursor = None
        yield from self._blocks(source, data, cursor or Cursor(), seen)

    def _blocks(self, source: Source, data: bytes, cursor: Cursor, seen: tuple[int, int, int, int]) -> Iterator[Item]:
        state: State = dict(cursor.state) or self.start(source.path, data[:EDGE])
        offset, ordinal = cursor.offset, cursor.ordinal
        blocks = list(self.split(data[offset:], state))
        for number, (kind, raw) in enumerate(blocks):
            if number == len(blocks) - 1 and not source.finished:
                yield Skipped("unfinished", offset, str(len(raw)))
                break
            yield from self._block(source, kind, raw, (offset, ordinal), state)
            offset, ordinal = offset + len(raw), ordinal + 1
        head, tail = _ends(data, offset)
        yield Checkpoint(Cursor(*seen, offset, ordinal, head, tail, state))

    def _block(
        self, source: Source, kind: str, raw: bytes, place: tuple[int, int], state: State
    ) -> Iterator[SessionInfo | Any]:
        offset, ordinal = place
        try:
            record = {"kind": kind, "text": raw.decode("utf-8-sig" if not offset else "utf-8")}
        except UnicodeDecodeError:
            yield kept(raw, raw.decode("utf-8", "replace"), "malformed", ordinal, state)
            return
        for item in self.guarded(record, raw, offset, ordinal, state):
            yield with_uri(item, source.path) if type(item) is SessionInfo else item

    def split(self, data: bytes, state: State) -> Iterable[tuple[str, bytes]]:
        """The blocks: their kinds and bytes. Together they are all of `data`."""
        kind, block = "", list[bytes]()
        for line in data.splitlines(keepends=True):
            now, begins = self.kind(line.decode("utf-8", "replace").rstrip("\r\n"), kind, state)
            if block and (begins or now != kind):
                yield kind, b"".join(block)
                block = []
            kind = now
            block.append(line)
        if block:
            yield kind, b"".join(block)


def _ends(data: bytes, offset: int) -> tuple[str, str]:
    return hash128(data[: min(offset, EDGE)]).hex(), hash128(data[max(0, offset - EDGE) : offset]).hex()


def _continues(data: bytes, cursor: Cursor) -> bool:
    return len(data) >= cursor.offset and _ends(data, cursor.offset) == (cursor.head, cursor.tail)


def slug(path: Path) -> str:
    """The name of a folder as part of a session's name."""
    return "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in path.name) or "root"
