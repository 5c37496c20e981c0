"""A file of JSON lines being written: exact byte count, JSON text of strings, a clock that only the story moves."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""JSON as the harnesses write it: compact, with characters beyond ASCII as they are."""


class Clock:
    """Milliseconds since the epoch, and the same instant as text."""

    __slots__ = ("ms", "_second", "_text")

    def __init__(self, start: datetime) -> None:
        self.ms = (start - EPOCH) // timedelta(milliseconds=1)
        self._second, self._text = -1, ""

    def tick(self, ms: int) -> str:
        """Move on and return the new instant in ISO 8601 with milliseconds and Z."""
        self.ms += ms
        second, rest = divmod(self.ms, 1000)
        if second != self._second:
            self._second, self._text = second, (EPOCH + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S")
        return f"{self._text}.{rest:03d}Z"

    @property
    def day(self) -> str:
        """The date of the instant, in UTC."""
        return (EPOCH + timedelta(milliseconds=self.ms)).strftime("%Y-%m-%d")


class Lines:
    """An open file of lines; `written` counts its bytes."""

    __slots__ = ("written", "_file")

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("wb", buffering=1 << 20)
        self.written = 0

    def add(self, line: str) -> None:
        """Write one line and its newline."""
        data = line.encode()
        self._file.write(data)
        self._file.write(b"\n")
        self.written += len(data) + 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def pace(written: int, size: int) -> int:
    """How large an output may be when this much of the wanted size is written: less towards the end."""
    return max(60, min(50_000, (size - written) // 10))
