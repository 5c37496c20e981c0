"""The first half of the gate: an adapter's event is masked, named and hashed before a byte of it is stored."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from muniment.gate import excluding, masks, own_rules
from muniment.model.event import Argument, Call, Event, Result, SessionInfo
from muniment.model.ids import hash128
from muniment.model.stored import Prepared

EncodeParts = Callable[[tuple[Call, ...], tuple[Result, ...]], str | None]

_SURROGATE = re.compile("[\ud800-\udfff]")
_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ONE_PLAIN = f"(?:[A-Za-z0-9_./-]{{0,14}}|(?:toolu|call|msg|prt|ses)_[A-Za-z0-9]{{1,80}}|{_UUID}(?:/[a-z0-9]{{1,24}})?)"
_PLAIN = re.compile(f"{_ONE_PLAIN}(?:\n{_ONE_PLAIN})*")
"""Names that can hold no secret: short words, and the ids of harnesses. Most events have no others."""
_LOCAL_ID = 16
"""A native id shorter than this is unlikely to be unique outside its session, so the session goes into the name too."""


def prepare(event: Event, harness: str, encode_parts: EncodeParts, vouched: str | None = None) -> Prepared:
    """Mask and name one event. Pure: the same record gives the same bytes on every machine."""
    if own_rules.has_paths():
        event = excluding.without_content(event)
    names = "\n".join(_names(event))
    if not _PLAIN.fullmatch(names) and (masks.find(names) or _SURROGATE.search(names)):
        event = _renamed(event)
    text, count, raw = masks.mask_together(_encodable(event.text), event.raw)
    # No hash of what was masked: the file that a result proves may hold it too.
    is_masked = count > 0 or raw != event.raw
    results = tuple(r._replace(sha256=None) for r in event.results) if is_masked else event.results
    parts = encode_parts(event.calls, results)
    uid = _uid(event, harness, text)
    content = content_hash(event.role, event.origin, event.kind, event.at, text, parts, event.speaker)
    return Prepared(
        uid, content, event.session, event.seq, harness, event.role.value, event.origin.value, event.kind.value, event.at,
        event.updated_at, text, raw, parts, event.calls, results, event.native_id, event.parent_id, event.model,
        event.tokens_in, event.tokens_out, _flags(event.flags, event.text, is_masked), count, vouched, event.speaker,
    )  # fmt: skip


def readmit(event: Prepared, encode_parts: EncodeParts) -> Prepared:
    """An event from another store, masked again by the rules of today. Its uid stays: it was named when it was read."""
    text, count, raw = masks.mask_together(_encodable(event.text), event.raw)
    is_masked = count > 0 or raw != event.raw
    calls = tuple(map(_call, event.calls))
    results = tuple(
        r._replace(call_id=_name_of(r.call_id), sha256=None if is_masked else r.sha256) for r in event.results
    )
    parts, speaker = encode_parts(calls, results), _name(event.speaker)
    return event._replace(
        content_hash=content_hash(event.role, event.origin, event.kind, event.at, text, parts, speaker), text=text,
        raw=raw, parts=parts, calls=calls, results=results, native_id=_name(event.native_id),
        parent_id=_name(event.parent_id), model=_name(event.model),
        flags=_flags(map(_name_of, event.flags.split()), event.text, is_masked), masks=event.masks + count, speaker=speaker,
    )  # fmt: skip


def prepare_session(info: SessionInfo, uri: str | None) -> SessionInfo:
    """Mask what is told of a session. `uri` is the masked path of the file it was read from, if it was read from one."""
    masked = {f.name: _name(getattr(info, f.name)) for f in fields(info)}
    return SessionInfo(**{**masked, "source_uri": _uri(uri) if uri else None})  # type: ignore[arg-type]


def _uri(path: str) -> str:
    """Where a file was; a mask may have taken the beginning of its path."""
    place = Path(path)
    return place.as_uri() if place.is_absolute() else f"file:///{quote(path)}"


def prepare_state(state: Mapping[str, Any]) -> dict[str, Any]:
    """Mask what a reader remembers of a file: names of sessions and calls may be anything."""
    masked: dict[str, Any] = json.loads(masks.mask_record(json.dumps(dict(state)).encode()))
    return masked


def name(text: str) -> str:
    """A short string (a path, a reason, a detail) as it may be kept."""
    return _name_of(text)


def record_text(text: str) -> str:
    """What a record that became no event says, as it may be kept."""
    return masks.mask_record(_encodable(text).encode()).decode("utf-8", "replace")


def content_hash(
    role: str, origin: str, kind: str, at: str | None, text: str, parts: str | None, speaker: str | None = None
) -> bytes:
    """The name of one content of an event: what a reader would see of it."""
    return hash128(role, origin, kind, at, text, parts, *(() if speaker is None else (speaker,)))


MASKED_BY = "masked:"
"""Begins the flags of an event that tell by which kind of rule something of it was covered."""


def _flags(flags: Iterable[str], text: str, is_masked: bool) -> str:
    """The flags, with those of the masks; `record` where only the raw record had something to cover."""
    kinds = (masks.kinds(text) or ("record",)) if is_masked else ()
    return " ".join(dict.fromkeys((*flags, *(MASKED_BY + kind for kind in kinds))))


def _names(event: Event) -> Iterator[str]:
    """Every short string of an event that is not in its text: looked at together, since hardly ever one needs a mask."""
    yield event.session
    yield from (n for n in (event.native_id, event.parent_id, event.speaker, *event.flags) if n)
    if event.model and not _is_clean(event.model):
        yield event.model
    for call in event.calls:
        yield from (call.call_id, call.tool, *call.args)
    yield from (r.call_id for r in event.results)


@lru_cache(maxsize=256)
def _is_clean(name: str) -> bool:
    """Is there nothing to mask in a name that comes with every record (a model's, say)?"""
    return not masks.find(name) and not _SURROGATE.search(name)


def _renamed(event: Event) -> Event:
    """The event with the secrets in its names masked."""
    return replace(
        event,
        session=_name_of(event.session),
        native_id=_name(event.native_id),
        parent_id=_name(event.parent_id),
        model=_name(event.model),
        speaker=_name(event.speaker),
        flags=tuple(map(_name_of, event.flags)),
        calls=tuple(_call(c) for c in event.calls),
        results=tuple(r._replace(call_id=_name_of(r.call_id)) for r in event.results),
    )


def _uid(event: Event, harness: str, masked_text: str) -> bytes:
    root = event.session.split("/", 1)[0]
    if event.native_id and masks.MARK not in event.native_id:  # masked ids of one length would be one id
        own = event.native_id if len(event.native_id) >= _LOCAL_ID else f"{root}\n{event.native_id}"
        return hash128("event", harness, own)
    return hash128("event", harness, root, str(event.seq), event.role, masked_text)


def _encodable(text: str) -> str:
    """Lone surrogates cannot be stored as UTF-8; each becomes one replacement character, so spans hold."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _name_of(name: str) -> str:
    return masks.mask(_encodable(name))[0]


def _name(name: str | None) -> str | None:
    return None if name is None else _name_of(name)


def _call(call: Call) -> Call:
    args: Mapping[str, Argument] = {_name_of(k): v for k, v in call.args.items()}
    return Call(_name_of(call.call_id), _name_of(call.tool), call.action, args)
