"""The claim that a correction is about: where the wrong value stands, in the correction and in the turn before it."""

from __future__ import annotations

import re
from typing import Final

_WRONG: Final = re.compile(r"\bwrong:(\d+)-(\d+)\b")
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]?")


def wrong_of(context: str) -> tuple[int, int] | None:
    """Where in its turn a correction names the wrong value, from the context of its draft."""
    found = _WRONG.search(context)
    return None if found is None else (int(found[1]), int(found[2]))


def claim_in(previous: str, wrong: str) -> tuple[int, int] | None:
    """The sentence of the turn before that holds the wrong value; the whole turn where the value is not named."""
    if not wrong.strip():
        return (0, len(previous)) if previous.strip() else None
    at = previous.lower().find(wrong.strip().lower())
    if at < 0:
        return None
    for found in _SENTENCE.finditer(previous):
        if found.start() <= at < found.end():
            lead = len(found.group()) - len(found.group().lstrip())
            return found.start() + lead, found.end()
    return at, at + len(wrong.strip())
