"""What stands around a JSON Lines transcript: its first record, the files of a folder, lists that tell of its session."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.pieces import obj
from muniment.capture.transcripts.sections import load

_MOST = 1 << 20


def first(head: bytes) -> Mapping[str, Any]:
    """The first record, or nothing where the line is torn or no JSON."""
    return line(head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0])


def line(data: bytes) -> Mapping[str, Any]:
    """One line as a record, or nothing."""
    try:
        return obj(json.loads(data))
    except (ValueError, RecursionError):
        return {}


def beside(path: Path, name: str) -> Mapping[str, Any]:
    """The JSON object in a small file beside the transcript, or nothing."""
    return obj(load(path.parent / name))


def row_of(path: Path, key: str, value: str) -> Mapping[str, Any]:
    """The last record of a small JSON Lines file whose `key` is `value`, or nothing."""
    try:
        lines = path.read_bytes().splitlines() if path.stat().st_size <= _MOST else []
    except OSError:
        lines = []
    return next((row for each in reversed(lines) if (row := line(each)).get(key) == value), {})


def below(place: Path, *patterns: str) -> list[Path]:
    """The place itself if it is a file, else the files below it in a stable order, each once."""
    if place.is_file():
        return [place]
    return list(dict.fromkeys(path for pattern in patterns for path in sorted(place.glob(pattern))))
