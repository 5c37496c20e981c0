"""A text while its times are read: the tokens, the clock they are read against, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from muniment.model.clock import Clock
from muniment.model.expression import read
from muniment.model.time import local_time
from muniment.model.timewords import Token, is_loose


class Found(NamedTuple):
    """What was read: the token after it, the range in milliseconds, its kind, and the day when it is one."""

    stop: int
    start: int
    end: int
    kind: str
    is_year_open: bool = False
    day: int | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """A text being read: its tokens, and the clock against which it is read.

    `depth` is how deep times may still nest. `is_range` says that one end of a range is being read, where a month's
    name needs no other word beside it.
    """

    text: str
    tokens: list[Token]
    clock: Clock
    depth: int = 3
    is_range: bool = False

    def low(self, at: int) -> str:
        """The word at a token in lower case; empty outside the text."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def token(self, at: int) -> Token:
        """The token, or the end's."""
        return self.tokens[min(at, len(self.tokens) - 1)]

    def cue(self, at: int) -> str:
        """The word that a time leans on: the one before it, articles and the hyphen of `mid-may` aside."""
        before = self.low(at - 1)
        return self.low(at - 2) if before in {"the", "-"} else before

    def number(self, at: int, digits: int = 9) -> int | None:
        """A number of at most so many digits, when the token is one."""
        word = self.low(at)
        return int(word) if word.isascii() and word.isdecimal() and len(word) <= digits else None

    def is_loose(self, at: int, stop: int) -> bool:
        """Do these tokens stand free?"""
        return is_loose(self.text, self.tokens[at].start, self.tokens[stop - 1].end)

    def seen_from(self, ms: int) -> Words:
        """The same words as they would be read at another time."""
        return replace(self, clock=Clock(ms, self.clock.zone))

    def days(self, stop: int, first: int, last: int, kind: str, *, is_open: bool = False) -> Found:
        """Whole days from the first to before the last."""
        span = self.clock.days(first, last)
        return Found(stop, span.start, span.end, kind, is_open, first if last == first + 1 else None)

    def expressed(self, stop: int, expression: str, kind: str, *, is_open: bool = False) -> Found | None:
        """What the strict grammar makes of an expression."""
        span = read(expression, self.clock)
        if span is None:
            return None
        day = local_time(span.start, self.clock.zone).toordinal() if kind == "day" else None
        return Found(stop, span.start, span.end, kind, is_open, day)
