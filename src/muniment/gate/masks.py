"""Masks secrets and private passages before anything is stored.

A mask covers a span of the decoded text and keeps its length in code points, so that spans
taken before and after masking agree. Masking is a pure function of the text, and what is
masked stays masked: a second pass changes nothing.

All searching is done on an image of the text, one byte per code point. Code points above
Latin-1 become ``?``, which no shape contains; the mask itself is such a code point.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from muniment.gate import secret_shapes as shapes
from muniment.gate.secret_finders import scan
from muniment.gate.secret_runs import Spans
from muniment.gate.secret_shapes import Style

MARK = "█"
_ROUNDS = 8


def find(text: str) -> list[tuple[int, int]]:
    """The spans to mask: sorted, disjoint, in code points; none that is masked already."""
    image = text.encode("latin-1", "replace")
    found = scan(image)
    return _settled(text, image, found) if found else []


def apply(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with the spans (sorted and disjoint) covered; its length is unchanged."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += (text[at:start], MARK * (end - start))
        at = end
    parts.append(text[at:])
    return "".join(parts)


def mask(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text with every secret and private passage covered, and the covered spans."""
    spans = find(text)
    return (apply(text, spans), spans) if spans else (text, spans)


def _settled(text: str, image: bytes, found: Spans) -> Spans:
    """Search again under the mask until nothing new comes up.

    A mask can change what stands next to it, and so make a neighbour a secret; without this a
    second masking would differ from the first. Text built to go on for ever is masked whole.
    """
    spans = _merged(found)
    for _ in range(_ROUNDS):
        more = _merged(spans + scan(_covered(image, spans)))
        if more == spans:
            break
        spans = more
    else:
        spans = [(0, len(text))]
    return [(start, end) for start, end in spans if text[start:end].strip(MARK)]


def _merged(spans: Spans) -> Spans:
    out: Spans = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        elif start < end:
            out.append((start, end))
    return out


def _covered(image: bytes, spans: Spans) -> bytes:
    covered = bytearray(image)
    for start, end in spans:
        covered[start:end] = b"?" * (end - start)
    return bytes(covered)


# --- raw records ------------------------------------------------------------------------------


def mask_record(raw: bytes) -> bytes:
    """The raw record without secrets: the very same bytes when there are none.

    A JSON record is decoded, masked string by string (keys too) and encoded again; anything
    else is masked as plain text.
    """
    if raw.lstrip()[:1] not in (b"{", b"[", b'"'):
        text, spans = mask(_decoded(raw))
        return _encoded(text) if spans else raw
    if not scan(_unescaped(raw)):
        return raw
    text = _decoded(raw)
    try:
        value = json.loads(text)
        masked = _mask_value(value)
        return raw if masked == value else _reencoded(text, masked)
    except (ValueError, RecursionError):
        return _encoded(mask(text)[0])


def mask_bytes_json(raw: bytes, secrets: Iterable[str]) -> bytes:
    """The raw record with the given secrets covered wherever they stand, then `mask_record`.

    Each is found as written, as JSON escapes it (with and without ``\\u`` escapes) and escaped
    twice, as in JSON within JSON.
    """
    spellings = _spellings(secrets)
    if not spellings:
        return mask_record(raw)
    pattern = re.compile("|".join(map(re.escape, spellings)))
    text = _decoded(raw)
    try:
        value = json.loads(text)
        replaced = _replace_value(value, pattern)
        return mask_record(raw if replaced == value else _reencoded(text, replaced))
    except (ValueError, RecursionError):
        return mask_record(_encoded(_replace(text, pattern)))


def _spellings(secrets: Iterable[str]) -> list[str]:
    """Longest first, so that an escaped spelling is covered whole."""
    forms: set[str] = set()
    for secret in filter(None, secrets):
        once = {json.dumps(secret, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False)}
        twice = {json.dumps(form, ensure_ascii=False)[1:-1] for form in once}
        forms |= {secret} | once | twice
    return sorted(forms, key=lambda form: (-len(form), form))


def _replace(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: MARK * len(match[0]), text)


def _replace_value(value: Any, pattern: re.Pattern[str]) -> Any:
    match value:
        case str():
            return _replace(value, pattern)
        case dict():
            return {_replace(key, pattern): _replace_value(item, pattern) for key, item in value.items()}
        case list():
            return [_replace_value(item, pattern) for item in value]
        case bool() | None:
            return value
    # A secret that is all digits may stand as a number; the mask makes it a string.
    covered = _replace(json.dumps(value), pattern)
    return covered if MARK in covered else value


def _mask_value(value: Any, name: str = "") -> Any:
    match value:
        case str():
            return _mask_string(value, name)
        case dict():
            named = _pair_name(value)
            return {
                mask(key)[0]: _mask_value(item, named if key == "value" and named else key)
                for key, item in value.items()
            }
        case list():
            return _mask_items(value)
    return value


def _pair_name(value: dict[str, Any]) -> str:
    """The name in {"name": "DB_PASSWORD", "value": ...}, as lists of variables are written."""
    name = value.get("name", value.get("key"))
    return name if isinstance(name, str) else ""


def _mask_items(items: Sequence[Any]) -> list[Any]:
    """Each item, knowing the one before: in an argument list that is its flag."""
    names = ["", *(item if isinstance(item, str) and len(item) <= 60 else "" for item in items)]
    return [_mask_value(item, name) for item, name in zip(items, names, strict=False)]


_OPAQUE = frozenset(
    ("signature", "thoughtSignature", "encrypted_content", "encryptedContent", "integrity", "digest", "checksum")
)


def _mask_string(text: str, name: str) -> str:
    """A string by what it holds and by the name of the field that holds it."""
    if name in _OPAQUE and len(text) >= 40 and text.isascii() and " " not in text:
        return text
    kind = shapes.kind_of(name.encode("latin-1", "replace")) if name else None
    if kind and shapes.is_secret_value(kind, text.encode("latin-1", "replace"), Style.QUOTED):
        return MARK * len(text)
    masked = mask(text)[0]
    if name.lower() in ("cookie", "set-cookie", "authorization", "proxy-authorization"):
        lead = name + ": "
        masked = mask(lead + masked)[0][len(lead) :]
    return masked


_UNICODE_ESCAPE = re.compile(rb"\\u(?:00([0-7][0-9a-fA-F])|[0-9a-fA-F]{4})")
_BACKSLASH = b"\x1c"  # cannot stand in JSON
# The commonest first: most records need no more than two.
_ESCAPES = ((b"\\n", b"\n"), (b'\\"', b'"'), (b"\\t", b"\t"), (b"\\r", b"\r"), (b"\\/", b"/"))


def _unescaped(raw: bytes) -> bytes:
    """JSON with its escapes undone, roughly: good enough to see that nothing secret is there."""
    if b"\\" not in raw:
        return raw
    raw = raw.replace(b"\\\\", _BACKSLASH)  # first: the second of two does not escape what follows
    if b"\\u" in raw:
        raw = _UNICODE_ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()) if match[1] else b"?", raw)
    for escaped, plain in _ESCAPES:
        if b"\\" not in raw:
            break
        raw = raw.replace(escaped, plain)
    return raw.replace(_BACKSLASH, b"\\")


_SURROGATE = re.compile("[\ud800-\udfff]")


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    """Bytes that were not UTF-8 come back as they were."""
    return text.encode("utf-8", "surrogateescape")


def _reencoded(text: str, value: Any) -> bytes:
    """JSON again, with the old line end. Half pairs stay escapes: as bytes they are not UTF-8."""
    encoded = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    encoded = _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", encoded)
    return (encoded + text[len(text.rstrip("\r\n")) :]).encode()
