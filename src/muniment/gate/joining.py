"""The union of masks: two records of one event that differ only in what was masked become one, masked where either was.

It comes up when rules for secrets change: a transcript is read again, or a store that another program wrote is merged.
The join does not depend on order, and nothing of what only one of them masked remains: where neither record masks all
that the other does, neither raw record is fit to be kept, and the event stays without one.
"""

from __future__ import annotations

from itertools import zip_longest

from muniment.gate.intake import EncodeParts, content_hash
from muniment.gate.masks import MARK
from muniment.model.event import Result
from muniment.model.stored import Prepared, beside


def joined(event: Prepared, other: Prepared, encode_parts: EncodeParts) -> Prepared | None:
    """Both as one, at the place of the first; None if they differ in more than masks."""
    a, b = event, other
    if (a.role, a.origin, a.kind, a.at, a.calls) != (b.role, b.origin, b.kind, b.at, b.calls):
        return None
    text, results = _text(a.text, b.text, a.masks, b.masks), _results(a.results, b.results)
    speaker = _text(a.speaker or "", b.speaker or "", 1, 1)  # no name has a mark of its own; none is like no other
    if text is None or results is None or speaker is None:
        return None
    parts = encode_parts(a.calls, results)
    content = content_hash(a.role, a.origin, a.kind, a.at, text, parts, speaker or None)
    raw = a.raw if content == a.content_hash else b.raw if content == b.content_hash else b""
    both = a._replace(content_hash=content, text=text, parts=parts, results=results, raw=raw, speaker=speaker or None)
    return both._replace(**beside(a, b))


def _text(a: str, b: str, a_masks: int, b_masks: int) -> str | None:
    """Masked wherever one of them is. A mark in a record without masks is a character like others."""
    if a == b:
        return a
    if len(a) != len(b):
        return None
    out = []
    for x, y in zip(a, b, strict=True):
        if x != y and not (x == MARK and a_masks) and not (y == MARK and b_masks):
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
