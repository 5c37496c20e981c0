"""Questions of which an index sees little or nothing: signs, emoji, a single letter among brackets.

Any string is a question, and a turn that holds it to the letter answers it. Where words cannot find that turn, the newest turns
are read through; this costs some tens of milliseconds, so it is done for such questions alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from muniment.engine.answering import Choice
from muniment.model.english import FUNCTION
from muniment.model.ports import Store
from muniment.model.stored import Record
from muniment.recall.fusion import Candidate

LANE = "verbatim"
_RUN = re.compile(r"[^\w\s.]{3}|(?<!\S)[?!,;:]\w")
_ORDINARY = frozenset(".,;:!?'()-\u2019\uff1f\u3002\uff0c")
_WORD = re.compile(r"[^\W_]+")
NEWEST = 2_000
"""Turns that are read through, those archived last first."""
_BATCH = 200
_MOST = 50
_LONGEST_WORD = 200
_FEW, _SCRAP = 3, 4
"""Letters and digits up to which signs are what a question is about."""


def is_odd(words: str) -> bool:
    """Is most of this lost on an index of words?"""
    signs = [c for c in words if _is_lost(c)]
    letters = sum(c.isalnum() for c in words)
    others = len("".join(words.split())) - letters
    is_mostly_signs = bool(others) and (letters <= _FEW or len(signs) >= letters)
    is_scraps = not _ORDINARY.issuperset(signs) and max(map(len, _WORD.findall(words)), default=0) <= _SCRAP
    has_symbol = any(not c.isascii() and _is_symbol(c) for c in signs) or _RUN.search(words) is not None
    return is_mostly_signs or is_scraps or has_symbol or _is_letter(words) or _is_endless(words)


def _is_letter(words: str) -> bool:
    """Is nothing left of it, without words of grammar, but single letters?"""
    left = [len(word) for word in _WORD.findall(words.lower()) if word not in FUNCTION]
    return words.isascii() and max(left, default=0) == 1


def _is_endless(words: str) -> bool:
    """Is one of the words too long for an index?"""
    return len(words) > _LONGEST_WORD and max(map(len, words.split()), default=0) > _LONGEST_WORD


def _is_lost(character: str) -> bool:
    """A sign of any kind; not a mark that belongs to a word."""
    return not (character.isalnum() or character.isspace() or unicodedata.category(character) in ("Mn", "Mc"))


def _is_symbol(character: str) -> bool:
    """A symbol, or no character at all; not what punctuates words."""
    category = unicodedata.category(character)
    return category[0] in "SC" or category == "Me"


def ranked_first(store: Store, words: str, candidates: Iterable[Candidate]) -> list[Candidate]:
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


def has_found(candidates: Iterable[Candidate]) -> bool:
    """Does a turn hold the question to the letter, as far as that was looked for?"""
    return any(LANE in candidate.lanes for candidate in candidates)


def exact_first(choices: list[Choice], words: str) -> list[Choice]:
    """What says just this, and does not ask it, before all others; they keep their order."""
    said = words.strip()
    if not said or (said.endswith(("?", "\uff1f")) and said[-2:-1].isalnum()):
        return choices
    return sorted(choices, key=lambda choice: choice.text.strip() != said)


def as_archived(text: str) -> str:
    """The text as the archive keeps it: a lone surrogate stands as U+FFFD there."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _holding(store: Store, words: str) -> list[int]:
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
