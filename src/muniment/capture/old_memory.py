"""The store of a `memory.sh` skill: what its entries say, out of whatever plain shape its JSON has.

Shapes: a list of entries; an object that holds one under `entries`, `memories`, `items`, `facts` or `data`; an object of entries
by id; an object of lists by type; or one entry a line. An entry is an object with `content` (or text, claim, value) and, where
known, `type`, `source`, `tags` (a list, or words between commas), `source_url`, `context`, `confidence` (sure, uncertain, or a
number), `created` (or created_at, timestamp, date), `superseded_by`, and `corrected_by` or `correction`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

TYPES: Final = ("fact", "preference", "procedure", "pattern", "ingested", "decision")
_LISTS: Final = ("entries", "memories", "items", "facts", "data", "records")
_CONTENT: Final = ("content", "text", "claim", "value", "memory", "description", "correct_claim")
_ID: Final = ("id", "_id", "uuid", "key")
_TYPE: Final = ("type", "kind", "category")
_TIME: Final = ("created", "created_at", "createdAt", "timestamp", "date", "added", "added_at", "first_seen")
_URL: Final = ("source_url", "sourceUrl", "url")
_SURE: Final = 0.7
_UNSURE: Final = frozenset({"uncertain", "unsure", "low", "hypothesis", "guess", "implied"})
_OVER: Final = frozenset({"deleted", "archived", "expired", "forgotten"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as it stood in the old store."""

    id: str
    type: str
    content: str
    source: str = ""
    tags: tuple[str, ...] = ()
    source_url: str | None = None
    context: str = ""
    is_sure: bool = True
    at: str | None = None
    superseded_by: str | None = None
    correction: tuple[str, str] | None = None
    """(what is right, why it was wrong)."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """What is no entry, and why."""

    reason: str
    detail: str = ""


def entries(text: str) -> Iterator[Entry | Unfit]:
    """Everything that a store holds, in its order; ValueError if it is no JSON of a shape that is known."""
    for id_, type_, given in _listed(_parsed(text)):
        yield _entry(id_, type_, given)


def _parsed(text: str) -> Any:
    """One document, or one a line."""
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def _listed(value: Any) -> Iterator[tuple[str | None, str | None, Any]]:
    """(id, type, entry) of each, where the place of an entry tells its id or its type."""
    if isinstance(value, list):
        yield from ((None, None, each) for each in value)
        return
    if not isinstance(value, Mapping):
        raise ValueError("neither a list nor an object")
    for name in _LISTS:
        if isinstance(value.get(name), list | Mapping):
            yield from _listed(value[name])
            return
    if _first(value, _CONTENT):
        yield None, None, value
        return
    if not any(isinstance(each, list | Mapping) for each in value.values()):
        raise ValueError("no entries in it")
    for key, each in value.items():
        if isinstance(each, list):
            yield from ((None, _singular(key), one) for one in each)
        elif isinstance(each, Mapping) and _first(each, _CONTENT):
            yield key, None, each


def _singular(key: str) -> str | None:
    return next((t for t in TYPES if key.lower() in (t, f"{t}s")), None)


def _entry(id_: str | None, type_: str | None, given: Any) -> Entry | Unfit:
    if isinstance(given, str):
        given = {"content": given}
    if not isinstance(given, Mapping):
        return Unfit("malformed", f"an entry is an object, not {type(given).__name__}")
    content = _first(given, _CONTENT)
    if not content.strip():
        return Unfit("empty")
    kind = (_first(given, _TYPE) or type_ or "fact").lower()
    if kind not in TYPES:
        return Unfit("unknown type", kind[:40])
    if str(given.get("status", "")).lower() in _OVER:
        return Unfit("deleted")
    return Entry(
        _first(given, _ID) or id_ or "", kind, content.strip(), _text(given.get("source")), _tags(given.get("tags")),
        _first(given, _URL) or None, _text(given.get("context")), _is_sure(given.get("confidence")), _first(given, _TIME) or None,
        _text(given.get("superseded_by") or given.get("supersededBy")) or None, _correction(given),
    )  # fmt: skip


def _correction(given: Mapping[str, Any]) -> tuple[str, str] | None:
    told = given.get("correction") or given.get("corrected")
    if isinstance(told, Mapping):
        claim, reason = _first(told, _CONTENT), _text(told.get("reason"))
        return (claim, reason) if claim else None
    return None


def _first(given: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((text for name in names if (text := _text(given.get(name)))), "")


def _text(value: Any) -> str:
    return (
        value
        if isinstance(value, str)
        else str(value)
        if isinstance(value, int) and not isinstance(value, bool)
        else ""
    )


def _tags(value: Any) -> tuple[str, ...]:
    listed = value.replace(",", " ").split() if isinstance(value, str) else value if isinstance(value, list) else ()
    return tuple(dict.fromkeys("_".join(t.split()) for t in listed if isinstance(t, str) and t.strip()))


def _is_sure(value: Any) -> bool:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value >= (_SURE if value <= 1 else _SURE * 100)
    return str(value or "").lower() not in _UNSURE
