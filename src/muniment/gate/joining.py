"""The union of masks: two records of one event that differ only in what was masked become one, masked where either was.

It comes up when rules for secrets grow: a transcript is read again, or a store that an older program wrote is merged.
The join does not depend on order, and nothing of what only one of them masked remains.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from muniment.gate.intake import EncodeParts, content_hash
from muniment.gate.masks import MARK, mask_bytes_json
from muniment.model.event import Result
from muniment.model.stored import Prepared

_MARKS = re.compile(f"{MARK}+")


def joined(a: Prepared, b: Prepared, encode_parts: EncodeParts) -> Prepared | None:
    """Both as one, or None if they differ in more than masks."""
    if (a.role, a.origin, a.kind, a.at, a.calls) != (b.role, b.origin, b.kind, b.at, b.calls):
        return None
    text, results = _text(a, b), _results(a.results, b.results)
    if text is None or results is None:
        return None
    first, second = sorted((a, b), key=_greatness, reverse=True)
    parts = encode_parts(a.calls, results)
    flags = first.flags if first.flags == second.flags else " ".join(sorted({*a.flags.split(), *b.flags.split()}))
    return first._replace(
        session=a.session, seq=a.seq,
        text=text, raw=_covered(first, text), parts=parts, results=results, flags=flags, masks=max(a.masks, b.masks),
        updated_at=max(a.updated_at or "", b.updated_at or "") or None,
        content_hash=content_hash(a.role, a.origin, a.kind, a.at, text, parts),
    )  # fmt: skip


def _text(a: Prepared, b: Prepared) -> str | None:
    """Masked wherever one of them is. A mark in a record without masks is a character like others."""
    if a.text == b.text:
        return a.text
    if len(a.text) != len(b.text):
        return None
    out = []
    for x, y in zip(a.text, b.text, strict=True):
        if x != y and not (x == MARK and a.masks) and not (y == MARK and b.masks):
            return None
        out.append(x if x == y else MARK)
    return "".join(out)


def _results(a: tuple[Result, ...], b: tuple[Result, ...]) -> tuple[Result, ...] | None:
    """A hash of a file goes where either lost it: the content may have been masked."""
    found = []
    for x, y in zip_longest(a, b):
        if x is None or y is None or x._replace(sha256=None) != y._replace(sha256=None):
            return None
        found.append(x if x == y else x._replace(sha256=None))
    return tuple(found)


def _covered(event: Prepared, text: str) -> bytes:
    """The raw record with everything covered that the joined text covers."""
    secrets = [event.text[m.start() : m.end()] for m in _MARKS.finditer(text)]
    return mask_bytes_json(event.raw, [s for s in secrets if s.strip(MARK)])


def _greatness(event: Prepared) -> tuple[int, str, int, bytes]:
    """Which record is kept beside the text: the most masked, then the latest, then whatever is greater."""
    return event.text.count(MARK), event.updated_at or "", event.masks, event.raw
