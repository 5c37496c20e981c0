"""Coverage: does the archive hold all there was at a time, as far as can be told?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path

from muniment.engine.core import Engine
from muniment.model.activity import Coverage, Span
from muniment.model.kept import SourceState
from muniment.model.time import local
from muniment.storage.sqlite.activity import ActivityTable

_LOST = ("oversize", "malformed", "unreadable")
"""Reasons of skipping that mean that words may be missing; the others skip what holds no words."""

_MINUTE = len("2026-03-05T14:00")


def coverage(engine: Engine, start: str, end: str) -> tuple[Coverage, tuple[str, ...]]:
    """How far the archive covers [start, end), and why not wholly. What is still to come is not asked for."""
    store = engine.store()
    table = ActivityTable(store.db)
    spans = table.spans()
    end = min(end, max(engine.now(), start))
    if not spans:
        return Coverage.UNKNOWN, ("nothing was read yet",)
    zone = engine.settings.zone
    first, last = min(s.first_at for s in spans), max(s.last_at for s in spans)
    last = max(last, table.seen_until() or last)
    if end <= first:
        return Coverage.UNKNOWN, (_before(first, zone),)
    if start > last:
        return Coverage.UNKNOWN, (_after(last, zone),)
    edges = [_before(first, zone)] if start[:_MINUTE] < first[:_MINUTE] else []
    edges += [_after(last, zone)] if end > last else []
    reasons = (*edges, *_gaps(store.sources.all(), spans, start, end))
    return (Coverage.PARTIAL if reasons else Coverage.COMPLETE), reasons


def _before(at: str, zone: tzinfo) -> str:
    return f"nothing is recorded before {local(at, zone)}"


def _after(at: str, zone: tzinfo) -> str:
    return f"nothing was read after {local(at, zone)}"


def unread(states: Mapping[str, SourceState]) -> list[str]:
    """The sources that hold more than was read of them."""
    return [uri for uri in sorted(states) if _has_more(uri, states[uri].cursor)]


def _gaps(states: Mapping[str, SourceState], spans: Sequence[Span], start: str, end: str) -> Iterator[str]:
    """What is missing of the sources of sessions then, and sources that may hold more of that time."""
    of: dict[str | None, list[Span]] = {}
    for span in spans:
        of.setdefault(span.source, []).append(span)
    for uri in sorted(states):
        ours = [s for name in _names(uri) for s in of.get(name, ())]
        state = states[uri]
        if any(s.first_at < end and s.last_at >= start for s in ours):
            lost = {r: n for r, n in state.skipped.items() if r in _LOST and n}
            if lost:
                yield f"{uri}: records that could not be read: " + ", ".join(f"{r} {lost[r]}" for r in sorted(lost))
        if _has_more(uri, state.cursor) and end > max((s.last_at for s in ours), default=""):
            yield f"{uri} holds more than was read"


def _names(uri: str) -> Iterable[str]:
    """A source is named by its path; its sessions may name it as a file address."""
    path = Path(uri)
    return (uri, path.as_uri()) if path.is_absolute() else (uri,)


def _has_more(uri: str, cursor: Mapping[str, object]) -> bool:
    try:
        at = os.stat(uri)
    except OSError:
        return False  # gone: nothing more can come of it
    return at.st_size != cursor.get("size", at.st_size) or _is_unfinished(cursor)


def _is_unfinished(cursor: Mapping[str, object]) -> bool:
    offset, size = cursor.get("offset"), cursor.get("size")
    return isinstance(offset, int) and isinstance(size, int) and 0 < offset < size
