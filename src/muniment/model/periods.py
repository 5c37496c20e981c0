"""Readers of one stretch of the calendar: a part of a day, a weekend, a month, a quarter, a season, a year, a decade."""

from __future__ import annotations

from datetime import time
from typing import Final

from muniment.model.clock import MONTHS, Clock
from muniment.model.time import LAST_DAY
from muniment.model.timereading import Found, Words
from muniment.model.timewords import MONTH, PART, SEASON, STEP, closes, month_stands, season_stands, year_stands

_SEASON_MONTHS: Final = 3


def part_of_day(words: Words, stop: int, day: int, part: str) -> Found:
    """The hours of a day that are its morning, afternoon, evening or night, as the clock on the wall shows them."""
    first, last = PART[part]
    start = words.clock.midnight(day)
    end = words.clock.midnight(day + 1)
    begin = _at(words.clock, day, first) if first else start
    finish = end if last == 24 else _at(words.clock, day + last // 24, last % 24)
    return Found(stop, begin, finish, "part")


def _at(clock: Clock, day: int, hour: int) -> int:
    return clock.at(day, time(hour)) if 1 <= day <= LAST_DAY else clock.midnight(day)


def weekend(words: Words, stop: int, step: int) -> Found:
    """The Saturday and Sunday of the week so many weeks from this one."""
    today = words.clock.today()
    saturday = today - (today - 1) % 7 + 5 + 7 * step
    return words.days(stop, saturday, saturday + 2, "weekend")


def season(words: Words, stop: int, name: str, step: int | None, year: int | None = None) -> Found:
    """The season of a year; or the last, this or next one; or the latest that has begun."""
    month, this = SEASON[name], words.clock.this_month()
    index = (year if year is not None else this // 12) * 12 + month
    if year is None and step != 0:
        latest = index if index <= this else index - 12
        is_over = latest + _SEASON_MONTHS <= this
        index = latest + 12 if step == 1 else latest - (0 if is_over or step is None else 12)
    elif year is None and this + 12 - index < _SEASON_MONTHS:
        index -= 12  # in January, this winter began last December
    span = words.clock.months(index, _SEASON_MONTHS)
    return Found(stop, span.start, span.end, "season", year is None and step is None)


def year_after(words: Words, at: int) -> tuple[int, int | None]:
    """The year said after a day, a month or a season, and the token after it."""
    skip = at + (words.low(at) in {",", "of"})
    year = words.number(skip, 4)
    if year is not None and len(words.low(skip)) == 4 and 1000 <= year < 3000 and words.is_loose(skip, skip + 1):
        return skip + 1, year
    if words.low(skip) in {"last", "this", "next"} and words.low(skip + 1) == "year":
        return skip + 2, words.clock.this_month() // 12 + STEP[words.low(skip)]
    return at, None


def named_month(words: Words, at: int) -> Found | None:
    """`May 2023`, `May last year`, and `May` where its neighbours show that it is the month."""
    name = words.low(at)
    if name not in MONTH:
        return None
    stop, year = year_after(words, at + 1)
    word, after = words.token(at), words.token(at + 1)
    if year is None and not (month_stands(words.cue(at), word, after) or _is_range_month(words, at)):
        return None
    if not words.is_loose(at, at + 1) and words.low(at - 1) != "-":
        return None
    written = MONTHS[MONTH[name]] + (f" {year:04}" if year is not None else "")
    return words.expressed(stop, written, "month", is_open=year is None)


def _is_range_month(words: Words, at: int) -> bool:
    if words.is_range:
        return True
    return words.low(at - 1) == "from" and words.low(at + 1) in {"to", "until", "till", "through", "on", "onwards"}


def quarter(words: Words, at: int) -> Found | None:
    """`Q3 2025`, and `Q3` after a preposition."""
    number = words.number(at + 1, 1)
    if words.low(at) != "q" or number is None or not words.token(at + 1).is_glued or not 1 <= number <= 4:
        return None
    stop, year = year_after(words, at + 2)
    has_cue = words.cue(at) in {"in", "during", "last", "since", "until", "before", "after", "by", "for", "between"}
    if year is None and not (has_cue and closes(words.token(at + 2))):
        return None
    written = f"q{number}" + (f" {year:04}" if year is not None else "")
    return words.expressed(stop, written, "quarter", is_open=year is None)


def season_word(words: Words, at: int) -> Found | None:
    """`summer 2022`, `the winter of 2022`, and `summer` after a preposition."""
    name = words.low(at)
    if name not in SEASON:
        return None
    stop, year = year_after(words, at + 1)
    if year is None and not season_stands(words.cue(at), words.token(at + 1)):
        return None
    return season(words, stop, name, None, year)


def whole_year(words: Words, at: int) -> Found | None:
    """`2022` after a preposition, and the `1990s`."""
    token, after = words.token(at), words.token(at + 1)
    if len(token.low) != 4 or not token.low.isascii() or not token.low.isdecimal():
        return None
    if after.low == "s" and after.is_glued and token.low[3] == "0" and "1800" <= token.low < "2100":
        span = words.clock.months(int(token.low) * 12, 120)
        return Found(at + 2, span.start, span.end, "decade")
    if not words.is_loose(at, at + 1) or not (year_stands(words.cue(at), token, after)):
        return None
    return words.expressed(at + 1, token.low, "year")


def the_weekend(words: Words, at: int) -> Found | None:
    """`the weekend`: the latest that has begun."""
    if words.low(at) != "weekend" or words.low(at - 1) != "the" or not closes(words.token(at + 1)):
        return None
    if words.low(at + 1) in {"of", "before", "after"}:
        return None
    today = words.clock.today()
    return weekend(words, at + 1, 0 if (today - 1) % 7 >= 5 else -1)
