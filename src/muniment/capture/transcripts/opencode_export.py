"""OpenCode sessions as documents: a file made by `opencode export`, or the JSON tree that it wrote until 2026.

Both give the same native ids as the database into which the tree was moved later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.opencode_parts import Message, Part, as_raw, item, mapping, own, session_of
from muniment.model.event import Event, SessionInfo, Skipped

_EXPORT = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"info"\s*:\s*\{[^}]*"ses_')

_BEGINNING = 8
"""The first prompt is among so many parts."""

_Entry = tuple[Message, dict[str, Any]]


def is_export(head: bytes) -> bool:
    """Does a file that begins like this look like an export?"""
    return bool(_EXPORT.match(head))


def read(harness: str, source: Source, cursor: Cursor | None) -> Iterator[Item]:
    """The whole document whenever one of its files changed; ids make the repetition harmless."""
    try:
        stamp = [[f.name, f.stat().st_size, f.stat().st_mtime_ns] for f in _files(source.path)]
        if cursor and cursor.state.get("files") == stamp:
            yield Checkpoint(cursor)
            return
        if cursor:
            yield Reset("rewritten")
        found = list(_document(harness, source))
    except (OSError, UnicodeDecodeError) as error:
        yield Skipped("unreadable", 0, str(error), 0)
        return
    yield from found
    yield Checkpoint(Cursor(ordinal=sum(not isinstance(i, SessionInfo) for i in found), state={"files": stamp}))


def _document(harness: str, source: Source) -> Iterator[Event | SessionInfo | Skipped]:
    size = source.path.stat().st_size
    document = _load(source.path) if size <= source.max_record_bytes else {}
    if not document:
        yield Skipped("malformed", 0, source.path.name) if document is None else Skipped("oversize", 0, str(size))
        return
    info = document.get("info", document)
    entries = _exported(document) if "info" in document else _tree(source.path)
    session = session_of(info if isinstance(info, dict) else {}, harness, None, source.path.absolute().as_uri())
    session = session._replace(own=own(data for _, data in entries[:_BEGINNING]))
    yield session.info
    for seq, (message, data) in enumerate(entries):
        yield item(Part(str(data.get("id")), seq, data, as_raw(data)), message, session)


def _exported(document: dict[str, Any]) -> list[_Entry]:
    found = []
    for entry in _listed(document.get("messages")):
        info = entry.get("info")
        info = info if isinstance(info, dict) else {}
        found += [(info, part) for part in _listed(entry.get("parts"))]
    return _in_order(found)


def _tree(path: Path) -> list[_Entry]:
    found = []
    for file in _files(path)[1:]:
        if file.parent.parent.name == "part":
            info = _load(_storage(path) / "message" / path.stem / f"{file.parent.name}.json")
            part = _load(file)
            found.append((info or {}, part if part is not None else {"id": file.stem}))
    return _in_order(found)


def _in_order(found: list[tuple[dict[str, Any], dict[str, Any]]]) -> list[_Entry]:
    newest = max((str(info.get("id")) for info, _ in found), default="")
    entries = [(Message(str(i.get("id")), i, superseded=str(i.get("id")) < newest), part) for i, part in found]
    return sorted(entries, key=lambda entry: str(entry[1].get("id")))


def _files(path: Path) -> list[Path]:
    """The document and, in the tree, the files of its messages and parts."""
    messages = sorted((_storage(path) / "message" / path.stem).glob("*.json")) if "storage" in path.parts else []
    parts = [p for m in messages for p in sorted((_storage(path) / "part" / m.stem).glob("*.json"))]
    return [path, *messages, *parts]


def _storage(path: Path) -> Path:
    return path.parents[2]


def _load(path: Path) -> dict[str, Any] | None:
    try:
        found = mapping(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return None
    return dict(found) if found is not None else None


def _listed(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
