"""Questions of which an index sees little or nothing: signs, emoji, a single letter among brackets.

Any string is a question, and a turn that holds it to the letter answers it. Where words cannot find that turn, the newest turns
are read through; this costs some tens of milliseconds, so it is done for such questions alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from muniment.model.stored import Record
from muniment.recall.fusion import Candidate
from muniment.storage.sqlite.whole import SqliteStore

LANE = "verbatim"
NEWEST = 2_000
"""Turns that are read through, those archived last first."""
_BATCH = 200
_MOST = 50
_FEW = 3
"""Letters and digits up to which signs are what a question is about."""


def is_odd(words: str) -> bool:
    """Is most of this lost on an index of words?"""
    signs = [c for c in words if not c.isalnum() and not c.isspace()]
    if not signs:
        return False
    return sum(c.isalnum() for c in words) <= _FEW or any(not c.isascii() and _is_sign(c) for c in signs)


def _is_sign(character: str) -> bool:
    """Symbols, and what is no character at all; neither marks, which belong to words, nor what punctuates them."""
    return unicodedata.category(character)[0] in "SC"


def ranked_first(store: SqliteStore, words: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates, with the turns that hold `words` to the letter before all others."""
    listed = list(candidates)
    found = _holding(store, as_archived(words).strip())
    known = {c.event: c for c in listed}
    best = max((c.score for c in listed), default=0.0)
    first = [known.get(event) or Candidate(event) for event in found]
    for place, candidate in enumerate(first, 1):
        candidate.lanes[LANE] = (place, 1.0)
        candidate.score = best + 1.0 / place
    chosen = set(found)
    return first + [c for c in listed if c.event not in chosen]


def as_archived(text: str) -> str:
    """The text as the archive keeps it: a lone surrogate stands as U+FFFD there."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _holding(store: SqliteStore, words: str) -> list[int]:
    """Turns with these words in them: the shortest first (the closest to being just that), then the newest."""
    if not words:
        return []
    events = store.search.latest(NEWEST)
    found: list[tuple[Record, int]] = []
    for at in range(0, len(events), _BATCH):
        read = store.records(events[at : at + _BATCH])
        found += [(record, event) for event, record in read.items() if words in record.text]
    newest = sorted(sorted(found, key=lambda f: f[0].receipt), key=lambda f: f[0].at, reverse=True)
    return [event for _, event in sorted(newest, key=lambda f: len(f[0].text))[:_MOST]]
