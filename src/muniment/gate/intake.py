"""The first half of the gate: an adapter's event is masked, named and hashed before a byte of it is stored."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from muniment.gate import masks
from muniment.model.event import Argument, Call, Event, Result, Span
from muniment.model.ids import hash128
from muniment.model.stored import Prepared

EncodeParts = Callable[[tuple[Call, ...], tuple[Result, ...]], str | None]

_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT_NAME = 16
"""Names shorter than this hold no secret shape; masking looks only at longer ones."""
_LOCAL_ID = 16
"""A native id shorter than this is unlikely to be unique outside its session, so the session goes into the name too."""


def prepare(event: Event, harness: str, encode_parts: EncodeParts, vouched: str | None = None) -> Prepared:
    """Mask and name one event. Pure: the same record gives the same bytes on every machine."""
    text, spans = masks.mask(_encodable(event.text))
    raw = masks.mask_record(event.raw)
    calls = tuple(_call(c) for c in event.calls)
    results = tuple(_result(r, bool(spans)) for r in event.results)
    parts = encode_parts(calls, results)
    uid = _uid(event, harness, text)
    content = hash128(event.role, event.origin, event.kind, event.at, text, parts)
    return Prepared(
        uid, content, event.session, event.seq, harness, str(event.role), str(event.origin), str(event.kind), event.at,
        event.updated_at, text, raw, parts, calls, results, _name(event.native_id), _name(event.parent_id),
        _name(event.model), event.tokens_in, event.tokens_out, " ".join(map(_name_of, event.flags)), len(spans), vouched,
    )  # fmt: skip


def _uid(event: Event, harness: str, masked_text: str) -> bytes:
    root = event.session.split("/", 1)[0]
    if event.native_id:
        own = event.native_id if len(event.native_id) >= _LOCAL_ID else f"{root}\n{event.native_id}"
        return hash128("event", harness, own)
    return hash128("event", harness, root, str(event.seq), event.role, masked_text)


def _encodable(text: str) -> str:
    """Lone surrogates cannot be stored as UTF-8; each becomes one replacement character, so spans hold."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _name_of(name: str) -> str:
    name = _encodable(name)
    return name if len(name) < _SHORT_NAME else masks.mask(name)[0]


def _name(name: str | None) -> str | None:
    return None if name is None else _name_of(name)


def _call(call: Call) -> Call:
    args: Mapping[str, Argument] = {_name_of(k): v for k, v in call.args.items()}
    return Call(_name_of(call.call_id), _name_of(call.tool), call.action, args)


def _result(result: Result, masked: bool) -> Result:
    """No hash of a file is kept whose content may have been masked."""
    return result._replace(
        call_id=_name_of(result.call_id), span=Span(*result.span), sha256=None if masked else result.sha256
    )
