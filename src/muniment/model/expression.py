"""Expressions: the ways people write a time, read from start to end.

An expression names a half-open range [start, end) in the reader's zone. What it means:

    2026, 2026-03, 2026-W10, 2026-03-05, Q3 2025   that year, month, ISO week, day, quarter
    2026-03-05 14:00, ...T14:00:09+02:00           that minute; with seconds the second; with a fraction 1 ms
    tuesday, march, Q3, 5 march                    the most recent one, today's included
    last / this / next tuesday, march, week, year  before, of, after the current one (weeks begin on Monday)
    tuesday 15:00, yesterday at 3pm, 9am           the minute; without minutes the hour [15:00, 16:00)
    7d, 3h, 45m, 2w, 6mo, 1y, past 3 days          [now - span, now): a day is 24 hours, months go by calendar
    2 weeks ago, three days before X, in 5 days    the day reached
    an hour ago, 20 minutes after X                one unit long, from the moment reached
    between X and Y, from X to Y, X..Y             from the start of X to the end of Y

What the clocks skip or repeat is read as in `time`; what lies beyond the years 0001 to 9999 is cut off there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, time, tzinfo
from functools import lru_cache
from typing import Final

from muniment.errors import UsageError
from muniment.model.clock import (
    CALENDAR,
    COUNTS,
    EXACT,
    HOUR,
    MINUTE,
    MONTHS,
    SECOND,
    UNITS,
    WEEKDAYS,
    Clock,
    Span,
    clamp,
    moment,
    month_day,
    moved,
    ordinal,
    span,
    which,
)
from muniment.model.time import ISO, LAST_DAY, Instant, canonical, from_ms, local_time, to_ms

# Expressions nest ("a day before ..."); the cap bounds the depth, and no one says a time at greater length.
_LONGEST: Final = 100

_PERIODS: Final = {"month": 1, "quarter": 3, "year": 12}
_STEPS: Final = {"last": -1, "this": 0, "next": 1}

_WHICH = r"(?:(last|this|next) )?"
_WEEKDAY = (
    r"(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
)
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_YEAR = r"((?!0000)\d{4})"
_NTH = r"(\d{1,2})(?:st|nd|rd|th)?"
_UNIT = "(" + "|".join(sorted(UNITS, key=len, reverse=True)) + ")"
_COUNT = r"(\d{1,9}|" + "|".join(sorted(COUNTS, key=len, reverse=True)) + ")"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.ASCII)


_RANGE: Final = _pattern(r"between (.+) and (.+)|(?:from )?(.+?) (?:to|until) (.+)|(.+?) ?\.\. ?(.+)")
_NAMED_DAY: Final = _pattern(_WHICH + _WEEKDAY)
_DATED: Final = _pattern(rf"(?:{_NTH}(?: of)? {_MONTH}|{_MONTH} {_NTH})(?:,? {_YEAR})?")
_CLOCK: Final = _pattern(r"(?:(.+?),? )??(?:at )?(\d{1,2})(?::([0-5]\d)(?::([0-5]\d))?)?(?: ?(am|pm))?")
_PERIOD: Final = _pattern(r"(last|this|next) (week|month|quarter|year)")
_NUMERIC: Final = _pattern(rf"{_YEAR}(?:-(?:(0[1-9]|1[0-2])|w(\d\d)))?")
_QUARTER: Final = _pattern(rf"q([1-4])(?: {_YEAR})?|{_YEAR}[ -]?q([1-4])")
_NAMED_MONTH: Final = _pattern(rf"{_WHICH}{_MONTH}(?:,? {_YEAR})?")
_LENGTH: Final = _pattern(rf"(?:(?:last|past) )?{_COUNT} ?{_UNIT}|(?:last|past) (){_UNIT}")
_SHIFT: Final = _pattern(rf"{_COUNT} ?{_UNIT} (?:(ago)|from now|(before|after) (.+))|in {_COUNT} ?{_UNIT}")
_NOISE: Final = _pattern(r"(?:on|in|during|the) ")


_WHOLE_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?:z|[+-]\d\d:?\d\d)?")


def parse_range(text: str, now: Instant, zone: tzinfo) -> tuple[Instant, Instant]:
    """The half-open range [start, end) that an expression names. Raises UsageError when it names none."""
    span = _parse(text, now, zone)
    return from_ms(span.start), from_ms(span.end)


def parse_instant(text: str, now: Instant, zone: tzinfo) -> Instant:
    """The start of the range that an expression names; for a span such as `7d` it is now - 7d."""
    return from_ms(_parse(text, now, zone).start)


def parse_until(text: str, now: Instant, zone: tzinfo) -> Instant:
    """The exclusive bound that includes all an expression names: the end of its range.

    `7d` and `an hour ago` point at a moment when they bound something, so theirs is just after it.
    """
    return from_ms(_parse(text, now, zone).until)


def _parse(text: str, now: Instant, zone: tzinfo) -> Span:
    tidy = " ".join(text.lower().split())
    if _WHOLE_DATE.fullmatch(tidy):
        span = _read_dated(tidy, zone)
    else:
        span = read(tidy, Clock(to_ms(now), zone)) if len(tidy) <= _LONGEST else None
    if span is None:
        raise _not_a_time(text)
    return span


@lru_cache(maxsize=256)
def _read_dated(text: str, zone: tzinfo) -> Span | None:
    """What begins with a whole date means the same whenever it is asked."""
    return read(text, Clock(0, zone))


def _not_a_time(text: str) -> UsageError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return UsageError(f"{shown!r} is not a time", hint='write it like "last tuesday 15:00" or "2026-03-05"')


def read(text: str, clock: Clock) -> Span | None:
    """The range that a tidy expression (lower case, single spaces) names as a whole, or None when it names none."""
    for reader in _READERS:
        if (span := reader(text, clock)) is not None:
            return span
    noise = _NOISE.match(text)
    return read(text[noise.end() :], clock) if noise else None


def _must_read(text: str, clock: Clock) -> Span:
    span = read(text, clock)
    if span is None:
        raise _not_a_time(text)
    return span


def _read_range(text: str, clock: Clock) -> Span | None:
    match = _RANGE.fullmatch(text)
    if match is None:
        return None
    first, last = (part for part in match.groups() if part is not None)
    end = _must_read(last, clock)
    begin = _must_read(first, clock)
    if begin.start >= end.until:  # "monday to friday" on a Wednesday: the Monday before that Friday
        begin = _must_read(first, Clock(end.start, clock.zone))
    if begin.start >= end.until:
        raise UsageError(f"{text!r} ends before it begins", hint='write it like "2026-03..2026-05" or "may..june"')
    return span(begin.start, end.until)


def _read_moment(text: str, clock: Clock) -> Span | None:
    if text == "now":
        return span(clock.now, clock.now + 1)
    match = ISO.fullmatch(text)
    if match is not None and match[5] is None:
        return None
    start = canonical(text, clock.zone)
    if start is None:
        return None
    length = 1 if match is None or match[8] else SECOND if match[7] else MINUTE
    return span(to_ms(start), to_ms(start) + length)


def _read_day(text: str, clock: Clock) -> Span | None:
    day = _day(text, clock)
    return None if day is None else clock.days(day, day + 1)


def _read_clock(text: str, clock: Clock) -> Span | None:
    match = _CLOCK.fullmatch(text)
    if match is None or not (match[3] or match[5]):
        return None
    day = clock.today() if match[1] is None else _day(match[1], clock)
    hour = _hour(int(match[2]), match[5])
    if day is None or hour is None:
        return None
    if not 1 <= day <= LAST_DAY:
        return clock.days(day, day + 1)
    start = clock.at(day, time(hour, int(match[3] or 0), int(match[4] or 0)))
    return span(start, start + (SECOND if match[4] else MINUTE if match[3] else HOUR))


def _hour(hour: int, half: str | None) -> int | None:
    if half is None:
        return hour if hour <= 23 else None
    return hour % 12 + (12 if half == "pm" else 0) if 1 <= hour <= 12 else None


def _read_period(text: str, clock: Clock) -> Span | None:
    if match := _PERIOD.fullmatch(text):
        step = _STEPS[match[1]]
        if match[2] == "week":
            monday = clock.today() - (clock.today() - 1) % 7 + 7 * step
            return clock.days(monday, monday + 7)
        size = _PERIODS[match[2]]
        return clock.months((clock.this_month() // size + step) * size, size)
    if match := _NUMERIC.fullmatch(text):
        return _numeric_period(int(match[1]), match[2], match[3], clock)
    if match := _QUARTER.fullmatch(text):
        return _recent_months(int(match[1] or match[4]) * 3 - 3, 3, match[2] or match[3], clock)
    return None


def _numeric_period(year: int, month: str | None, week: str | None, clock: Clock) -> Span | None:
    if week is None:
        return clock.months(year * 12 + int(month or 1) - 1, 1 if month else 12)
    try:
        monday = date.fromisocalendar(year, int(week), 1).toordinal()
    except ValueError:
        return None
    return clock.days(monday, monday + 7)


def _recent_months(month: int, size: int, year: str | None, clock: Clock) -> Span:
    this = clock.this_month()
    index = (int(year) if year else this // 12) * 12 + month
    return clock.months(index if year or index <= this else index - 12, size)


def _read_month(text: str, clock: Clock) -> Span | None:
    match = _NAMED_MONTH.fullmatch(text)
    if match is None or (match[1] and match[3]):
        return None
    month, this = MONTHS.index(match[2][:3]), clock.this_month()
    if match[1] is None:
        return _recent_months(month, 1, match[3], clock)
    back = (this - month) % 12
    return clock.months(which(match[1], this - back, back, 12, this // 12 * 12 + month), 1)


def _read_length(text: str, clock: Clock) -> Span | None:
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    start = moved(clock.now, -_count(match[1] or "a"), UNITS[match[2] or match[4]], clock)
    return Span(start, clock.now, clamp(start + 1))


def _count(text: str) -> int:
    return COUNTS.get(text) or int(text)


def _shift(text: str, clock: Clock) -> tuple[int, int, str] | None:
    """Of "N units ago", "before X" and the like: the moment it counts from, the signed count, the unit."""
    match = _SHIFT.fullmatch(text)
    if match is None:
        return None
    start = clock.now if match[5] is None else _must_read(match[5], clock).start
    count, unit = _count(match[1] or match[6]), UNITS[match[2] or match[7]]
    return start, -count if match[3] or match[4] == "before" else count, unit


def _read_shift(text: str, clock: Clock) -> Span | None:
    shift = _shift(text, clock)
    if shift is None:
        return None
    start = moved(*shift, clock)
    return moment(start, start + EXACT[shift[2]])


def _day(text: str, clock: Clock) -> int | None:
    """The ordinal of the one day that the text names."""
    if match := ISO.fullmatch(text):
        return None if match[5] else ordinal(int(match[1]), int(match[3]), int(match[4]))
    readers = (_word_day, _weekday, _dated_day, _shifted_day)
    return next((day for reader in readers if (day := reader(text, clock)) is not None), None)


def _word_day(text: str, clock: Clock) -> int | None:
    step = {"today": 0, "yesterday": -1, "tomorrow": 1}.get(text)
    return None if step is None else clock.today() + step


def _weekday(text: str, clock: Clock) -> int | None:
    match = _NAMED_DAY.fullmatch(text)
    if match is None:
        return None
    today, index = clock.today(), WEEKDAYS.index(match[2][:3])
    back = (today - 1 - index) % 7  # ordinal 1 is a Monday
    if match[1] is None:
        return today - back
    return which(match[1], today - back, back, 7, today - (today - 1) % 7 + index)


def _dated_day(text: str, clock: Clock) -> int | None:
    match = _DATED.fullmatch(text)
    if match is None:
        return None
    month, day = MONTHS.index((match[2] or match[3])[:3]) + 1, int(match[1] or match[4])
    if match[5]:
        return ordinal(int(match[5]), month, day)
    today = clock.today()
    this_year = date.fromordinal(today).year
    # Nine years back always hold a 29 February, also across a year such as 1900.
    found = (ordinal(year, month, day) for year in range(this_year, this_year - 9, -1))
    return next((each for each in found if each is not None and each <= today), None)


def _shifted_day(text: str, clock: Clock) -> int | None:
    shift = _shift(text, clock)
    if shift is None or shift[2] in ("s", "m", "h"):
        return None
    start, count, unit = shift
    day = local_time(start, clock.zone).toordinal()
    if unit in CALENDAR:
        return month_day(day, count * CALENDAR[unit])
    return day + count * (7 if unit == "w" else 1)


_READERS: Final[tuple[Callable[[str, Clock], Span | None], ...]] = (
    _read_range,
    _read_period,
    _read_month,
    _read_day,
    _read_moment,
    _read_clock,
    _read_length,
    _read_shift,
)
