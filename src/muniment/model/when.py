"""Times in running text: what a sentence says of when, as ranges in the reader's zone.

    yesterday, last Tuesday at 3pm, 8 May 2023, May 8th, in May, Q3 2025, last summer, over the weekend
    two days ago, three days before X, the week of X, the first Monday of May, early May, around March 15
    since X, before X, after X, until X, between X and Y, from X to Y

A month, a day or a season without a year is the latest past one, and says so. An open side runs to the end of the
calendar. Unlike an expression, which is a time from start to end or an error, a phrase has to prove itself by its
neighbours: "you may march on" holds none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from typing import Final

from muniment.model.clock import Clock
from muniment.model.dates import plain
from muniment.model.relations import related, widened
from muniment.model.time import FIRST_MS, LAST_MS, Instant, from_ms, to_ms
from muniment.model.timereading import Found, Words
from muniment.model.timewords import COUNT, FEAST, MONTH, NTH, PART, PORTION, SEASON, STEP, UNIT, WEEKDAY, Token, tokens


@dataclass(frozen=True, slots=True)
class Phrase:
    """A time said in a text: the characters [start, end) that say it, and the range [since, until) that it means.

    `kind` is clock (a time of day alone: today's), moment, part (of a day), day, week, weekend, month, quarter,
    season, year, decade, span, between, since, before, after or until. `is_year_open`: no year was said, so the same
    days of another year may be meant; the range is the latest past one. An open side (since, before) is never so.
    """

    start: int
    end: int
    since: Instant
    until: Instant
    kind: str
    is_year_open: bool


_OPEN: Final = frozenset({"since", "before", "after", "until", "till", "by"})
_AROUND: Final = frozenset({"around", "circa", "roughly", "approximately"})
_TO: Final = frozenset({"to", "until", "till", "through", "-", "–", "—"})
_STARTS: Final = frozenset(
    {*COUNT, *MONTH, *NTH, *PART, *PORTION, *SEASON, *STEP, *WEEKDAY, *_OPEN, *_AROUND}
    | {each[0] for each in FEAST}
    | set("between from today yesterday tomorrow tonight day week weekend month year q noon midnight".split())
)
_WORD: Final = re.compile(r"[a-z]+|\d")
_ANCHORS: Final = frozenset(
    {*MONTH, *PART, *SEASON, *UNIT, *WEEKDAY, "today", "yesterday", "tomorrow", "tonight", "noon", "midnight"}
    | {"christmas", "halloween", "valentine", *"0123456789"}
)
"""No time is said without one of these."""
_SOME_TIME: Final = to_ms("2000-01-03T12:00:00.000Z")


def phrases(text: str, now: Instant, zone: tzinfo) -> list[Phrase]:
    """The times that a text says, in its order, none inside another. Never raises; time grows with the length."""
    words = Words(text, tokens(text), Clock(to_ms(now), zone))
    return [_phrase(words.tokens, at, found) for at, found in _scan(words)]


def mentions(text: str) -> bool:
    """Does a text say any time? Cheap where it plainly does not."""
    if _ANCHORS.isdisjoint(_WORD.findall(text.lower())):
        return False
    return next(_scan(Words(text, tokens(text), Clock(_SOME_TIME, UTC))), None) is not None


def _phrase(marks: list[Token], at: int, found: Found) -> Phrase:
    since, until = from_ms(found.start), from_ms(found.end)
    return Phrase(marks[at].start, marks[found.stop - 1].end, since, until, found.kind, found.is_year_open)


def _scan(words: Words) -> Iterator[tuple[int, Found]]:
    at, last = 0, len(words.tokens) - 1
    while at < last:
        word = words.tokens[at].low
        found = _time(words, at) if word in _STARTS or word.isdecimal() else None
        if found is None:
            at += 1
            continue
        if found.start < found.end:
            yield at, found
        at = found.stop


def _time(words: Words, at: int) -> Found | None:
    word = words.low(at)
    if word == "between":
        return _between(words, at + 1, {"and"})
    if word == "from":
        return _between(replace(words, is_range=True), at + 1, _TO) or _onwards(words, at)
    if word in _OPEN:
        return _open(words, at)
    if word in _AROUND:
        found = _one(words, _past_the(words, at + 1))
        return None if found is None else widened(words, found)
    found = _one(words, at)
    return None if found is None else _to_another(words, at, found)


def _past_the(words: Words, at: int) -> int:
    return at + (words.low(at) == "the")


def _one(words: Words, at: int) -> Found | None:
    return related(words, at) or plain(words, at)


def _to_another(words: Words, at: int, found: Found) -> Found:
    """`Monday to Friday`: what begins with a time may be a range."""
    if words.low(found.stop) not in _TO:
        return found
    return _between(words, at, _TO) or found


def _between(words: Words, at: int, joint: set[str] | frozenset[str]) -> Found | None:
    bound = replace(words, is_range=True)
    at = _past_the(words, at)
    first = _one(words, at) or _year_bound(bound, at)
    if first is None or words.low(first.stop) not in joint:
        return None
    beyond = _past_the(words, first.stop + 1)
    last = _one(bound, beyond) or _year_bound(bound, beyond)
    if last is None:
        return None
    if last.is_year_open and not first.is_year_open:  # "between May 2023 and June": that June
        last = _next_after(bound, beyond, first, last)
    elif (first.is_year_open and not last.is_year_open) or first.start >= last.end:
        first = _one(words.seen_from(last.start), at) or first
    is_open = first.is_year_open and last.is_year_open
    return Found(last.stop, first.start, last.end, "between", is_open) if first.start < last.end else None


def _year_bound(words: Words, at: int) -> Found | None:
    """A bare year beside its range; with the day said of it, a number like 2048 counts something."""
    year = words.number(at, 4)
    if year is None or not 1900 <= year < 2100:
        return None
    return plain(words, at)


def _next_after(words: Words, at: int, first: Found, last: Found) -> Found:
    year = 31_556_952_000
    seen = words.seen_from(min(first.start + year, LAST_MS))
    later = _one(seen, at)
    return later if later is not None and later.end > first.start else last


def _onwards(words: Words, at: int) -> Found | None:
    found = _one(words, _past_the(words, at + 1))
    if found is None or words.low(found.stop) not in {"on", "onward", "onwards"}:
        return None
    return Found(found.stop + 1, found.start, LAST_MS, "since")


def _open(words: Words, at: int) -> Found | None:
    found = _one(words, _past_the(words, at + 1))
    if found is None:
        return None
    match words.low(at):
        case "since":
            return Found(found.stop, found.start, LAST_MS, "since")
        case "after":
            return Found(found.stop, found.end, LAST_MS, "after")
        case "before":
            return Found(found.stop, FIRST_MS, found.start, "before")
        case _:
            return Found(found.stop, FIRST_MS, found.end, "until")
