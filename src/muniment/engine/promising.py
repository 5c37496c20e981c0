"""Which promises are still open: those that no later act of their session carries out, those that were acted upon last."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from muniment.storage.sqlite.hot import Row

ACTS = ("touched", "ran", "committed")
"""What carries a promise out."""
_FILE = re.compile(r"[\w./-]*\w\.[A-Za-z]\w{0,5}\b")
_RUNS = re.compile(r"\b(?:run|execute|rerun|start|call)\b", re.IGNORECASE)
_PUT_OFF = re.compile(
    r"\b(?:later|after|once|when|until|before|as soon as|tomorrow|tonight|soon"
    r"|next (?:week|month|sprint|commit|release|session|time)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|morgen|sp\u00e4ter)\b",
    re.IGNORECASE,
)
"""What is put off is not carried out by what is done at once."""


def standing(promised: Sequence[Row], acts: Iterable[Row], asked: Iterable[Row]) -> list[Row]:
    """The promises that no act of their session carries out; those first after which nothing was done in the same turn."""
    if not promised:
        return []
    by_session: dict[str, list[tuple[int, Row | None]]] = {}
    for row in acts:
        by_session.setdefault(_place(row)[0], []).append((_place(row)[1], row))
    for row in asked:
        by_session.setdefault(_place(row)[0], []).append((_place(row)[1], None))
    ranked = [(row, _after(row, by_session.get(_place(row)[0], ()))) for row in promised]
    left = [(row, rows) for row, rows in ranked if not any(_does(row, act) for act in rows if act is not None)]
    return [row for row, _ in sorted(left, key=lambda one: _was_begun(*one))]


def _after(promise: Row, known: Iterable[tuple[int, Row | None]]) -> list[Row | None]:
    """What follows a promise in its session, in order: acts, and None for each question."""
    seq = _place(promise)[1]
    later = sorted(
        (one for one in known if one[0] > seq or (one[0] == seq and one[1] is not None)), key=lambda one: one[0]
    )
    return [row for _, row in later]


def _place(row: Row) -> tuple[str, int]:
    """The session and the number of the record that a row's receipt opens."""
    session, _, seq = row[1].split("\t")[5].partition("@")[0].rpartition(":")
    return session, int(seq) if seq.isdecimal() else 0


def _does(promise: Row, act: Row) -> bool:
    """Does this act name the file that the promise names, by writing it or, where a run was promised, in the command?"""
    said, done = promise[1].split("\t")[2], act[1].split("\t")[2]
    if _PUT_OFF.search(said):
        return False
    is_run = _RUNS.search(said) is not None
    if act[8] != ("ran" if is_run else "touched"):
        return False
    return any(re.search(rf"(?:^|[\s/'\"]){re.escape(name)}(?:$|[\s'\":;])", done) for name in _FILE.findall(said))


def _was_begun(promise: Row, later: Sequence[Row | None]) -> bool:
    """Was something done in the same turn? Then the words may only have announced it; they stay, further down."""
    return bool(later) and later[0] is not None and _PUT_OFF.search(promise[1].split("\t")[2]) is None
