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

from muniment.gate import own_rules
from muniment.gate import secret_shapes as shapes
from muniment.gate.secret_finders import families, leaves_open, scan
from muniment.gate.secret_runs import Spans
from muniment.gate.secret_shapes import Style

MARK = "█"
_ROUNDS = 8
_LEAST = 4
"""Characters of a secret that is looked for elsewhere: a shorter one stands in too many words."""


def find(text: str) -> list[tuple[int, int]]:
    """The spans to mask: sorted, disjoint, in code points; none that is masked already."""
    image = text.encode("latin-1", "replace")
    found = scan(image)
    if own_rules.are_there():
        found += own_rules.find(text)
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


def kinds(text: str) -> tuple[str, ...]:
    """The kinds of rule by which something of the text is covered, by name: for who counts masks."""
    found = families(text.encode("latin-1", "replace"))
    return tuple(sorted(found | ({"own"} if own_rules.find(text) else set())))


def _settled(text: str, image: bytes, found: Spans) -> Spans:
    """Search again under the mask until nothing new comes up.

    A mask can change what stands next to it, and so make a neighbour a secret; without this a
    second masking would differ from the first. Text built to go on for ever is masked whole.
    """
    spans = _merged(found)
    for _ in range(_ROUNDS):
        more = _merged(spans + scan(_covered(image, spans)))
        if own_rules.are_there():
            more = _merged(more + own_rules.find(apply(text, more)))
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


def mask_together(text: str, raw: bytes) -> tuple[str, int, bytes]:
    """The text of an event and its raw record, masked alike, and how many passages of the text were covered.

    What shows to be a secret in one may stand bare in the other: a record names its fields, and a text sets pieces
    side by side that are apart in the record.
    """
    spans = find(text)
    masked, hidden = _masked_record(raw)
    if hidden:
        spans = _merged([*spans, *_places(text, hidden)])
        spans = _merged([*spans, *find(apply(text, spans))])
    if not spans:
        return text, 0, masked
    pieces = {piece for start, end in spans for piece in text[start:end].split("\n")}
    told = [piece for piece in pieces if len(piece) >= _LEAST and piece.strip(MARK)]
    return apply(text, spans), len(spans), mask_bytes_json(raw, told)


def _places(text: str, secrets: Iterable[str]) -> Spans:
    """Where these stand in the text, which may be JSON itself."""
    found = [re.escape(s) for s in _spellings(s for s in secrets if len(s) >= _LEAST)]
    return [match.span() for match in re.finditer("|".join(found), text)] if found else []


def mask_record(raw: bytes) -> bytes:
    """The raw record without secrets: the very same bytes when there are none.

    A JSON record is decoded, masked string by string (keys too) and encoded again; anything
    else is masked as plain text.
    """
    return _masked_record(raw)[0]


def _masked_record(raw: bytes) -> tuple[bytes, set[str]]:
    """The record without secrets, and what was covered in it."""
    if raw.lstrip()[:1] not in (b"{", b"[", b'"'):
        text, spans = mask(_decoded(raw))
        return (_encoded(text) if spans else raw), set()
    if not own_rules.are_there() and not scan(_unescaped(raw)):
        return raw, set()
    text, walk = _decoded(raw), _Walk()
    try:
        value = json.loads(text)
        masked = walk.value(value)
        return (raw if masked == value else _reencoded(text, masked)), walk.hidden
    except (ValueError, RecursionError):
        return _encoded(mask(_torn(text, walk))[0]), walk.hidden


_STRING = re.compile(r'"((?:[^"\\]|\\.)*)("|\\?$)', re.DOTALL)


def _torn(text: str, walk: _Walk) -> str:
    """JSON that nobody can parse: its strings are masked all the same, each as what it says when it is decoded."""
    parts: list[str] = []
    at, name = 0, ""
    for found in _STRING.finditer(text):
        try:
            value = json.loads(f'"{found[1]}"', strict=False)
        except ValueError:
            value = found[1]
        masked = walk.string(value, name)
        name = value if text[found.end() : found.end() + 2].lstrip()[:1] == ":" else ""
        if masked != value:
            parts += (text[at : found.start()], json.dumps(masked, ensure_ascii=False)[:-1], found[2])
            at = found.end()
    return "".join([*parts, text[at:]])


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


class _Walk:
    """Masks the strings of a JSON value, in the order in which they are written."""

    def __init__(self) -> None:
        self.hidden: set[str] = set()
        self._is_private = False

    def value(self, value: Any, name: str = "") -> Any:
        """The value without secrets. `name` is that of the field that holds it."""
        match value:
            case str():
                return self.string(value, name)
            case dict():
                named = _pair_name(value)
                return {
                    mask(key)[0]: self.value(item, named if key == "value" and named else key)
                    for key, item in value.items()
                }
            case list():
                return self._items(value)
            case int() | float() if not isinstance(value, bool):
                written = json.dumps(value)  # a card, say; the mask makes it a string
                masked = mask(written)[0] if len(written) >= _LEAST else written
                return value if masked == written else self._noted(written, masked)
        return value

    def _noted(self, text: str, masked: str) -> str:
        self.hidden.update(_differences(text, masked))
        return masked

    def _items(self, items: Sequence[Any]) -> list[Any]:
        """Each item, knowing the one before: in an argument list that is its flag."""
        names = ["", *(item if isinstance(item, str) and len(item) <= 60 else "" for item in items)]
        return [self.value(item, name) for item, name in zip(items, names, strict=False)]

    def string(self, text: str, name: str) -> str:
        """One string. A passage that is private and does not end takes the rest of the record with it."""
        if self._is_private:
            return MARK * len(text)
        masked = _mask_string(text, name)
        if masked != text:
            self.hidden.update(_differences(text, masked))
        self._is_private = "<" in text and leaves_open(text.encode("latin-1", "replace"))
        return masked


def _differences(text: str, masked: str) -> set[str]:
    """What is covered in a string that was not before."""
    covered = (text[m.start() : m.end()].strip(MARK) for m in _MARKS.finditer(masked))
    return {piece for found in covered for piece in found.split("\n") if piece}


def _pair_name(value: dict[str, Any]) -> str:
    """The name in {"name": "DB_PASSWORD", "value": ...}, as lists of variables are written."""
    name = value.get("name", value.get("key"))
    return name if isinstance(name, str) else ""


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


_MARKS = re.compile(f"{MARK}+")
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
