"""Times: the one stored form, and the many ways people write one.

Stored: UTC, ISO-8601, milliseconds, `Z`, 24 characters, years 0001 to 9999. The width is fixed, so the
order of the strings is the order of the times.

Read: an expression names a half-open range [start, end) in the reader's zone. What it means:

    2026, 2026-03, 2026-W10, 2026-03-05, Q3 2025   that year, month, ISO week, day, quarter
    2026-03-05 14:00, ...T14:00:09+02:00           that minute; with seconds the second; with a fraction 1 ms
    tuesday, march, Q3, 5 march                    the most recent one, today's included
    last / this / next tuesday, march, week, year  before, of, after the current one (weeks begin on Monday)
    tuesday 15:00, yesterday at 3pm, 9am           the minute; without minutes the hour [15:00, 16:00)
    7d, 3h, 45m, 2w, 6mo, 1y, past 3 days          [now - span, now): a day is 24 hours, months go by calendar
    2 weeks ago, three days before X, in 5 days    the day reached
    an hour ago, 20 minutes after X                one unit long, from the moment reached
    between X and Y, from X to Y, X..Y             from the start of X to the end of Y

A local time that the clocks skip is read with the offset before the change, which moves it forward; one
that comes twice is its first coming. What lies beyond the years 0001 to 9999 is cut off there.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from muniment.errors import UsageError

Instant: TypeAlias = str

_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
_EPOCH: Final = datetime.fromordinal(_EPOCH_DAY)
_LAST_DAY: Final = date.max.toordinal()
_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000
_MIN: Final = (1 - _EPOCH_DAY) * _DAY
_MAX: Final = (_LAST_DAY + 1 - _EPOCH_DAY) * _DAY - 1
# Read as seconds this is the year 5138, read as milliseconds it is 1973: no session is that late or early.
_MS_FROM: Final = 100_000_000_000
# Expressions nest ("a day before ..."); the cap bounds the depth, and no one says a time at greater length.
_LONGEST: Final = 100

_ISO: Final = re.compile(
    r"(\d{4})(-?)(\d\d)\2(\d\d)"
    r"(?:[t ](\d\d):?([0-5]\d)(?::?([0-5]\d)(?:[.,](\d{1,9}))?)?"
    r" ?(z|utc|gmt|[+-]\d\d(?::?[0-5]\d){0,2})?)?",
    re.ASCII | re.IGNORECASE,
)
# Eight digits are a date and fewer are a year or a counter, so a bare number is an epoch from nine on.
_NUMBER: Final = re.compile(r"[+-]?\d{9,18}(?:\.\d+)?", re.ASCII)


def canonical(value: str | float, zone: tzinfo = UTC, unit: Literal["ms", "s"] = "ms") -> Instant | None:
    """The stored form of a time, or None when it is not one or lies outside 0001..9999. Never raises.

    A time without an offset is read in `zone`. Numbers are epoch seconds, or milliseconds from 1e11 on;
    `unit="s"` says that the source writes seconds whatever their size.
    """
    try:
        if isinstance(value, str):
            return value if _is_canonical(value) else _stored(_text_ms(value.strip(), zone, unit))
        return _stored(_number_ms(value, unit))
    except (ValueError, OverflowError):
        return None


def to_ms(instant: Instant) -> int:
    """Milliseconds since 1970 of a stored time; negative before. The exact inverse of `from_ms`."""
    moment = datetime.fromisoformat(instant[:23])
    seconds = (moment.hour * 60 + moment.minute) * 60 + moment.second
    return (moment.toordinal() - _EPOCH_DAY) * _DAY + seconds * 1000 + moment.microsecond // 1000


def from_ms(ms: int) -> Instant:
    """The stored form of milliseconds since 1970. Raises UsageError outside the years 0001 to 9999."""
    try:
        moment = _EPOCH + timedelta(0, ms // 1000, ms % 1000 * 1000)
    except OverflowError:
        raise UsageError(f"{ms} ms is outside the years 0001 to 9999") from None
    return moment.isoformat(timespec="milliseconds") + "Z"


def local(instant: Instant, zone: tzinfo) -> str:
    """A stored time for display: `2026-11-30 16:11:21+01:00`. The first ten characters are the reader's day."""
    return _local(to_ms(instant), zone).isoformat(sep=" ", timespec="seconds")


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


def _is_canonical(text: str) -> bool:
    # Runs for every event. The library accepts many shapes, so the separators are looked at first; newer
    # versions also accept hour 24 as the next midnight, which is not our form.
    if len(text) != 24 or text[10] != "T" or text[19] != "." or text[23] != "Z":
        return False
    if text[4] != "-" or text[7] != "-" or text[13] != ":" or text[11:13] > "23" or not text.isascii():
        return False
    try:
        return datetime.fromisoformat(text[:23]) is not None
    except ValueError:
        return False


def _stored(ms: int | None) -> Instant | None:
    return from_ms(ms) if ms is not None and _MIN <= ms <= _MAX else None


def _text_ms(text: str, zone: tzinfo, unit: str) -> int | None:
    if match := _ISO.fullmatch(text):
        return _iso_ms(match, zone)
    if _NUMBER.fullmatch(text):
        return _number_ms(float(text) if "." in text else int(text), unit)
    return None


def _number_ms(value: float, unit: str) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    scale = 1 if unit == "ms" and abs(value) >= _MS_FROM else 1000
    if isinstance(value, int):
        return value * scale
    # By way of microseconds: a double just under 0.138 s is meant as 138 ms and must not be cut to 137.
    return round(value * scale * 1000) // 1000


def _iso_ms(match: re.Match[str], zone: tzinfo) -> int:
    year, _, month, day, hour, minute, second, fraction, offset = match.groups()
    where = _offset_zone(offset) if offset else zone
    clock = int(hour or 0), int(minute or 0), int(second or 0)
    moment = datetime(int(year), int(month), int(day), *clock, tzinfo=where)
    return _utc_ms(moment) + int((fraction or "0").ljust(3, "0")[:3])


def _offset_zone(text: str) -> tzinfo:
    if text[0] not in "+-":
        return UTC
    digits = text[1:].replace(":", "").ljust(6, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])
    return timezone(timedelta(seconds=-seconds if text[0] == "-" else seconds))


def _utc_ms(moment: datetime) -> int:
    # Not by astimezone: near the ends of the calendar the UTC time may lie outside it.
    since = moment.replace(tzinfo=None) - _EPOCH - (moment.utcoffset() or timedelta(0))
    return since.days * _DAY + since.seconds * 1000 + since.microseconds // 1000


def _local(ms: int, zone: tzinfo) -> datetime:
    moment = (_EPOCH + timedelta(milliseconds=ms)).replace(tzinfo=UTC)
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment  # the first and last hours of the calendar have no local form everywhere


# --- expressions ---------------------------------------------------------------------------------------


class _Span(NamedTuple):
    """A range in milliseconds, and the bound it means after `until`."""

    start: int
    end: int
    until: int


def _clamp(ms: int) -> int:
    return min(max(ms, _MIN), _MAX)


def _span(start: int, end: int) -> _Span:
    return _Span(_clamp(start), _clamp(end), _clamp(end))


def _moment(start: int, end: int) -> _Span:
    return _Span(_clamp(start), _clamp(end), _clamp(start + 1))


@dataclass(frozen=True, slots=True)
class _Clock:
    """The reader's now and zone. Days are ordinals, which may run past the calendar and are cut off there."""

    now: int
    zone: tzinfo

    def today(self) -> int:
        return _local(self.now, self.zone).toordinal()

    def this_month(self) -> int:
        here = _local(self.now, self.zone)
        return here.year * 12 + here.month - 1

    def midnight(self, day: int) -> int:
        if not 1 <= day <= _LAST_DAY:
            return _MIN if day < 1 else _MAX
        return self.at(day, time.min)

    def at(self, day: int, wall: time) -> int:
        return _utc_ms(datetime.combine(date.fromordinal(day), wall, self.zone))

    def days(self, first: int, stop: int) -> _Span:
        return _span(self.midnight(first), self.midnight(stop))

    def months(self, index: int, size: int) -> _Span:
        return self.days(_first_day(index), _first_day(index + size))


def _first_day(index: int) -> int:
    """The ordinal of a month's first day; months count from year 0."""
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        return 0 if year < 1 else _LAST_DAY + 1
    return date(year, month + 1, 1).toordinal()


def _month_day(day: int, months: int) -> int:
    """The same day of the month, so many months on; the last day where that month is shorter."""
    here = date.fromordinal(day)
    first = _first_day(here.year * 12 + here.month - 1 + months)
    if not 1 <= first <= _LAST_DAY:
        return first
    return first + min(here.day, monthrange(*date.fromordinal(first).timetuple()[:2])[1]) - 1


_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERS: Final = "one two three four five six seven eight nine ten eleven twelve".split()
_COUNTS: Final = {word: at for at, word in enumerate(_NUMBERS, 1)} | {"a": 1, "an": 1}
_UNITS: Final = {
    alias: unit
    for unit, aliases in {
        "s": "s sec secs second seconds",
        "m": "m min mins minute minutes",
        "h": "h hr hrs hour hours",
        "d": "d day days",
        "w": "w wk wks week weeks",
        "mo": "mo mos month months",
        "y": "y yr yrs year years",
    }.items()
    for alias in aliases.split()
}
_EXACT: Final = {"s": _SECOND, "m": _MINUTE, "h": _HOUR, "d": _DAY, "w": 7 * _DAY}
_CALENDAR: Final = {"mo": 1, "y": 12}
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
_UNIT = "(" + "|".join(sorted(_UNITS, key=len, reverse=True)) + ")"
_COUNT = r"(\d{1,9}|" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"


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


def _parse(text: str, now: Instant, zone: tzinfo) -> _Span:
    tidy = " ".join(text.lower().split())
    if _WHOLE_DATE.fullmatch(tidy):
        span = _read_dated(tidy, zone)
    else:
        span = _read(tidy, _Clock(to_ms(now), zone)) if len(tidy) <= _LONGEST else None
    if span is None:
        raise _not_a_time(text)
    return span


@lru_cache(maxsize=256)
def _read_dated(text: str, zone: tzinfo) -> _Span | None:
    """What begins with a whole date means the same whenever it is asked."""
    return _read(text, _Clock(0, zone))


def _not_a_time(text: str) -> UsageError:
    shown = text if len(text) <= 60 else text[:57] + "..."
    return UsageError(f"{shown!r} is not a time", hint='write it like "last tuesday 15:00" or "2026-03-05"')


def _read(text: str, clock: _Clock) -> _Span | None:
    for reader in _READERS:
        if (span := reader(text, clock)) is not None:
            return span
    noise = _NOISE.match(text)
    return _read(text[noise.end() :], clock) if noise else None


def _must_read(text: str, clock: _Clock) -> _Span:
    span = _read(text, clock)
    if span is None:
        raise _not_a_time(text)
    return span


def _read_range(text: str, clock: _Clock) -> _Span | None:
    match = _RANGE.fullmatch(text)
    if match is None:
        return None
    first, last = (part for part in match.groups() if part is not None)
    end = _must_read(last, clock)
    begin = _must_read(first, clock)
    if begin.start >= end.until:  # "monday to friday" on a Wednesday: the Monday before that Friday
        begin = _must_read(first, _Clock(end.start, clock.zone))
    if begin.start >= end.until:
        raise UsageError(f"{text!r} ends before it begins", hint='write it like "2026-03..2026-05" or "may..june"')
    return _span(begin.start, end.until)


def _read_moment(text: str, clock: _Clock) -> _Span | None:
    if text == "now":
        return _span(clock.now, clock.now + 1)
    match = _ISO.fullmatch(text)
    if match is not None and match[5] is None:
        return None
    start = canonical(text, clock.zone)
    if start is None:
        return None
    length = 1 if match is None or match[8] else _SECOND if match[7] else _MINUTE
    return _span(to_ms(start), to_ms(start) + length)


def _read_day(text: str, clock: _Clock) -> _Span | None:
    day = _day(text, clock)
    return None if day is None else clock.days(day, day + 1)


def _read_clock(text: str, clock: _Clock) -> _Span | None:
    match = _CLOCK.fullmatch(text)
    if match is None or not (match[3] or match[5]):
        return None
    day = clock.today() if match[1] is None else _day(match[1], clock)
    hour = _hour(int(match[2]), match[5])
    if day is None or hour is None:
        return None
    if not 1 <= day <= _LAST_DAY:
        return clock.days(day, day + 1)
    start = clock.at(day, time(hour, int(match[3] or 0), int(match[4] or 0)))
    return _span(start, start + (_SECOND if match[4] else _MINUTE if match[3] else _HOUR))


def _hour(hour: int, half: str | None) -> int | None:
    if half is None:
        return hour if hour <= 23 else None
    return hour % 12 + (12 if half == "pm" else 0) if 1 <= hour <= 12 else None


def _read_period(text: str, clock: _Clock) -> _Span | None:
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


def _numeric_period(year: int, month: str | None, week: str | None, clock: _Clock) -> _Span | None:
    if week is None:
        return clock.months(year * 12 + int(month or 1) - 1, 1 if month else 12)
    try:
        monday = date.fromisocalendar(year, int(week), 1).toordinal()
    except ValueError:
        return None
    return clock.days(monday, monday + 7)


def _recent_months(month: int, size: int, year: str | None, clock: _Clock) -> _Span:
    this = clock.this_month()
    index = (int(year) if year else this // 12) * 12 + month
    return clock.months(index if year or index <= this else index - 12, size)


def _read_month(text: str, clock: _Clock) -> _Span | None:
    match = _NAMED_MONTH.fullmatch(text)
    if match is None or (match[1] and match[3]):
        return None
    month, this = _MONTHS.index(match[2][:3]), clock.this_month()
    if match[1] is None:
        return _recent_months(month, 1, match[3], clock)
    back = (this - month) % 12
    return clock.months(_which(match[1], this - back, back, 12, this // 12 * 12 + month), 1)


def _which(word: str, latest: int, back: int, cycle: int, current: int) -> int:
    """Of what comes round every `cycle`: the one before now, of the current cycle, or after now."""
    if word == "this":
        return current
    return latest + cycle if word == "next" else latest - (0 if back else cycle)


def _read_length(text: str, clock: _Clock) -> _Span | None:
    match = _LENGTH.fullmatch(text)
    if match is None:
        return None
    start = _moved(clock.now, -_count(match[1] or "a"), _UNITS[match[2] or match[4]], clock)
    return _Span(start, clock.now, _clamp(start + 1))


def _count(text: str) -> int:
    return _COUNTS.get(text) or int(text)


def _moved(ms: int, count: int, unit: str, clock: _Clock) -> int:
    if unit in _EXACT:
        return _clamp(ms + count * _EXACT[unit])
    here = _local(ms, clock.zone)
    day = _month_day(here.toordinal(), count * _CALENDAR[unit])
    if not 1 <= day <= _LAST_DAY:
        return clock.midnight(day)
    return _clamp(clock.at(day, here.time()))


def _shift(text: str, clock: _Clock) -> tuple[int, int, str] | None:
    """Of "N units ago", "before X" and the like: the moment it counts from, the signed count, the unit."""
    match = _SHIFT.fullmatch(text)
    if match is None:
        return None
    start = clock.now if match[5] is None else _must_read(match[5], clock).start
    count, unit = _count(match[1] or match[6]), _UNITS[match[2] or match[7]]
    return start, -count if match[3] or match[4] == "before" else count, unit


def _read_shift(text: str, clock: _Clock) -> _Span | None:
    shift = _shift(text, clock)
    if shift is None:
        return None
    start = _moved(*shift, clock)
    return _moment(start, start + _EXACT[shift[2]])


def _day(text: str, clock: _Clock) -> int | None:
    """The ordinal of the one day that the text names."""
    if match := _ISO.fullmatch(text):
        return None if match[5] else _ordinal(int(match[1]), int(match[3]), int(match[4]))
    readers = (_word_day, _weekday, _dated_day, _shifted_day)
    return next((day for reader in readers if (day := reader(text, clock)) is not None), None)


def _word_day(text: str, clock: _Clock) -> int | None:
    step = {"today": 0, "yesterday": -1, "tomorrow": 1}.get(text)
    return None if step is None else clock.today() + step


def _ordinal(year: int, month: int, day: int) -> int | None:
    try:
        return date(year, month, day).toordinal()
    except ValueError:
        return None


def _weekday(text: str, clock: _Clock) -> int | None:
    match = _NAMED_DAY.fullmatch(text)
    if match is None:
        return None
    today, index = clock.today(), _WEEKDAYS.index(match[2][:3])
    back = (today - 1 - index) % 7  # ordinal 1 is a Monday
    if match[1] is None:
        return today - back
    return _which(match[1], today - back, back, 7, today - (today - 1) % 7 + index)


def _dated_day(text: str, clock: _Clock) -> int | None:
    match = _DATED.fullmatch(text)
    if match is None:
        return None
    month, day = _MONTHS.index((match[2] or match[3])[:3]) + 1, int(match[1] or match[4])
    if match[5]:
        return _ordinal(int(match[5]), month, day)
    today = clock.today()
    this_year = date.fromordinal(today).year
    # Nine years back always hold a 29 February, also across a year such as 1900.
    found = (_ordinal(year, month, day) for year in range(this_year, this_year - 9, -1))
    return next((each for each in found if each is not None and each <= today), None)


def _shifted_day(text: str, clock: _Clock) -> int | None:
    shift = _shift(text, clock)
    if shift is None or shift[2] in ("s", "m", "h"):
        return None
    start, count, unit = shift
    day = _local(start, clock.zone).toordinal()
    if unit in _CALENDAR:
        return _month_day(day, count * _CALENDAR[unit])
    return day + count * (7 if unit == "w" else 1)


_READERS: Final[tuple[Callable[[str, _Clock], _Span | None], ...]] = (
    _read_range,
    _read_period,
    _read_month,
    _read_day,
    _read_moment,
    _read_clock,
    _read_length,
    _read_shift,
)
