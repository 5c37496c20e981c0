"""An export whose facts cite evidence: as many as wanted, without a verb for each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from muniment.model.ids import hash128

_TABLES = ("sessions", "events", "positions", "verdicts", "tombstones")
_AT = "2026-01-05T09:00:00.000Z"


def write(path: Path, root: str, facts: Iterable[tuple[str, str]]) -> None:
    """An export with one stated fact for each (text, address in full), for `load jsonl` into the memory of `root`."""
    listed = list(facts)
    head = {
        "format": "muniment-jsonl", "version": 1, "vocabulary": 1, "tables": {t: [] for t in _TABLES},
        "rows": {**dict.fromkeys(_TABLES, 0), "sessions": 1, "events": len(listed), "positions": len(listed)},
    }  # fmt: skip
    session = {
        "table": "sessions", "id": "cited", "harness": "muniment", "cwd": root, "root": root, "started_at": _AT, "ended_at": _AT,
    }  # fmt: skip
    events = list(_events(listed))
    places = ({"table": "positions", "session": "cited", "seq": n, "uid": e["uid"]} for n, e in enumerate(events))
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in (head, session, *events, *places))


def _events(facts: Iterable[tuple[str, str]]) -> Iterator[dict[str, object]]:
    for text, address in facts:
        words = {
            "content": text,
            "title": "add fact",
            "predicate": "noted",
            "subject_kind": "project",
            "subject": "project",
        }
        spans, at = {}, 0
        for name, value in (words | {"evidence.0": address}).items():
            spans[name] = [at, at + len(value)]
            at += len(value) + 1
        spans.pop("title")
        parts = json.dumps({"calls": [["", "muniment.state", "other", spans]]}, separators=(",", ":"))
        said = "\n".join([*words.values(), address])
        content = hash128("user", "person", "command", _AT, said, parts).hex()
        yield {
            "table": "events", "uid": hash128("cited", text, address).hex(), "content_hash": content, "harness": "muniment",
            "role": "user", "origin": "person", "kind": "command", "at": _AT, "parts": parts, "flags": "", "masks": 0,
            "text": said, "raw": "{}",
        }  # fmt: skip
