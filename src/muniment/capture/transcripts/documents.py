"""Reads a file that is one JSON document with a list of records in it. It is rewritten whole, so it is read whole."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.lines import LineAdapter, open_regular, raw_decode, with_uri
from muniment.model.event import SessionInfo, Skipped
from muniment.model.ids import hash128

_GAP = re.compile(r"[\s,]*")


@dataclass(slots=True)
class DocumentReading:
    """One read of one document; its records, those under `key`, go through the adapter's `parse`."""

    adapter: LineAdapter
    source: Source
    key: str

    def items(self, cursor: Cursor | None) -> Iterator[Item]:
        """All records when the document changed since `cursor`, else its checkpoint alone."""
        try:
            with open_regular(self.source.path) as handle:
                found = os.fstat(handle.fileno())
                seen = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
                if cursor is not None and cursor[:4] == seen:
                    yield Checkpoint(cursor)
                    return
                if found.st_size > self.source.max_record_bytes:
                    yield Skipped("oversize", 0, str(found.st_size))
                    return
                data = handle.readall()
        except OSError as error:
            yield Skipped("unreadable", 0, str(error), 0)
            return
        yield from self._changed(data, cursor, seen)

    def _changed(self, data: bytes, cursor: Cursor | None, seen: tuple[int, int, int, int]) -> Iterator[Item]:
        digest = hash128(data).hex()
        if cursor is not None and cursor.head == digest:
            yield Checkpoint(cursor._replace(device=seen[0], inode=seen[1], size=seen[2], mtime_ns=seen[3]))
            return
        records = list_records(data, self.key)
        if records is None:
            # Perhaps it is being written: the cursor stays where it is and the next read tries again.
            yield Skipped("unfinished", 0, str(len(data)))
            return
        if cursor is not None:
            yield Reset("the document has been written anew")
        state = self.adapter.start(self.source.path, b"")
        for ordinal, (offset, raw) in enumerate(records):
            record = json.loads(raw)
            if isinstance(record, dict):
                for item in self.adapter.guarded(record, raw, offset, ordinal, state):
                    yield with_uri(item, self.source.path) if type(item) is SessionInfo else item
            else:
                yield Skipped("malformed", offset, raw.decode("utf-8", "replace"))
        yield Checkpoint(Cursor(*seen, len(data), len(records), digest, digest, {}))


def list_records(data: bytes, key: str) -> list[tuple[int, bytes]] | None:
    """The elements of the list under `key`, verbatim, with their places in the text; None if the document is torn."""
    try:
        text = data.decode("utf-8-sig", "surrogatepass")
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict) or not isinstance(document.get(key), list):
        return None
    begin = re.search(rf'"{re.escape(key)}"\s*:\s*\[', text)
    at, found = begin.end() if begin else len(text), list[tuple[int, bytes]]()
    for element in document[key]:
        try:
            gap = _GAP.match(text, at)
            start = gap.end() if gap else at
            value, at = raw_decode(text, start)
        except ValueError:
            value, start = None, at
        # A deeper list of the same name would mislead the search; then the element is written out again.
        raw = text[start:at] if value == element else json.dumps(element, ensure_ascii=False)
        found.append((start, raw.encode("utf-8", "surrogatepass")))
    return found
