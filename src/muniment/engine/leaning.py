"""What is seen at read of the files that a fact leans on: nothing where they are as a check saw them, else a look at the words.

Costs a look at the size and time of each file, and no more while those are the same. Symbols and what is not a file are left to
`check`: where the file of a symbol is another than it was, nobody can say, and the row says so.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from muniment.engine.truth import OUTSIDE, UNREADABLE

if TYPE_CHECKING:
    from muniment.engine.truth import Freshness
    from muniment.model.ports import Store

_OK = "ok"


class _Leaning(NamedTuple):
    """An address in a file: the path in full, what a check saw of it (empty if none did, or it found it elsewhere)."""

    kind: str
    ref: str
    anchor: str
    path: str
    stamp: str


def mark(freshness: Freshness, store: Store, fact: bytes) -> str | None:
    """None where every file is as it was, `stale:outside` where what is cited is not there, `unchecked` if only a check tells."""
    found = [m for each in _of(freshness, store, fact) if (m := _judged(freshness, each)) is not None]
    return min(found) if found else None


def _of(freshness: Freshness, store: Store, fact: bytes) -> tuple[_Leaning, ...]:
    if fact not in freshness.memo:
        freshness.memo[fact] = tuple(_leaning(freshness, *r) for r in store.evidence.leaning(fact))
    known: tuple[_Leaning, ...] = freshness.memo[fact]
    return known


def _leaning(freshness: Freshness, kind: str, ref: str, anchor: str, stamp: str | None, state: str | None) -> _Leaning:
    key = ref.split("#", 1)[0] if kind != "file" else ref
    is_here = state == _OK or (state == "moved" and " " not in (stamp or " "))
    is_seen = stamp is not None and is_here
    return _Leaning(kind, ref, anchor, freshness.full(key), (stamp or "") if is_seen else "" if stamp is None else "-")


def _judged(freshness: Freshness, each: _Leaning) -> str | None:
    if each.stamp == "-":
        return None  # a check knows better: it says so by a verdict, or followed it elsewhere
    try:
        at = os.lstat(each.path)
    except (OSError, ValueError):
        return f"stale:{OUTSIDE}"
    stamp = f"{at.st_size}.{at.st_mtime_ns}.{at.st_ino}"
    if stamp == each.stamp:
        return None
    key = (each, stamp)
    if key not in freshness.memo:
        freshness.memo[key] = _compared(freshness, each)
    verdict: str | None = freshness.memo[key]
    return verdict


def _compared(freshness: Freshness, each: _Leaning) -> str | None:
    """The words of a file that is not as a check saw it."""
    from muniment.model.address import Address, span_of

    address = Address(each.kind, each.ref, each.anchor)
    if each.kind == "symbol":
        return UNREADABLE if each.stamp else None
    wanted = address.token("sha256" if each.kind == "file" else "b3")
    if not wanted:
        return None
    if each.kind == "file":
        return None if freshness.sha256(address.path) == wanted else f"stale:{OUTSIDE}"
    from muniment.lifecycle import spans

    try:
        with open(each.path, "rb") as file:
            lines = spans.lines_of(file.read())
    except OSError:
        return UNREADABLE
    _, first, last = span_of(each.ref)
    return None if spans.marked(lines, last - first + 1, wanted, first) else f"stale:{OUTSIDE}"
