"""The reader's clock: days and months as whole numbers in a zone, and the ranges they make.

Days are ordinals (day 1 is 0001-01-01), months count from year 0. Both may run past the calendar; ranges are cut off
at its ends.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from typing import Final, NamedTuple

from muniment.model.time import FIRST_MS, LAST_DAY, LAST_MS, local_time, utc_ms

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NUMBERS: Final = "one two three four five six seven eight nine ten eleven twelve".split()
COUNTS: Final = {word: at for at, word in enumerate(NUMBERS, 1)} | {"a": 1, "an": 1}
UNITS: Final = {
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
EXACT: Final = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
CALENDAR: Final = {"mo": 1, "y": 12}


class Span(NamedTuple):
    """A range in milliseconds, and the bound it means after `until`."""

    start: int
    end: int
    until: int


def clamp(ms: int) -> int:
    """The nearest time that the calendar holds."""
    return min(max(ms, FIRST_MS), LAST_MS)


def span(start: int, end: int) -> Span:
    """A range that includes all of itself when it bounds something."""
    return Span(clamp(start), clamp(end), clamp(end))


def moment(start: int, end: int) -> Span:
    """A range that stands for its first millisecond when it bounds something."""
    return Span(clamp(start), clamp(end), clamp(start + 1))


@dataclass(frozen=True, slots=True)
class Clock:
    """The reader's now and zone. Days are ordinals, which may run past the calendar and are cut off there."""

    now: int
    zone: tzinfo

    def today(self) -> int:
        """The ordinal of the reader's day."""
        return local_time(self.now, self.zone).toordinal()

    def this_month(self) -> int:
        """The index of the reader's month."""
        here = local_time(self.now, self.zone)
        return here.year * 12 + here.month - 1

    def midnight(self, day: int) -> int:
        """When a day begins; an end of the calendar when it lies outside."""
        if not 1 <= day <= LAST_DAY:
            return FIRST_MS if day < 1 else LAST_MS
        return self.at(day, time.min)

    def at(self, day: int, wall: time) -> int:
        """When the clock on the wall shows this on that day."""
        return utc_ms(datetime.combine(date.fromordinal(day), wall, self.zone))

    def days(self, first: int, stop: int) -> Span:
        """From the start of one day to the start of another."""
        return span(self.midnight(first), self.midnight(stop))

    def months(self, index: int, size: int) -> Span:
        """So many whole months."""
        return self.days(first_day(index), first_day(index + size))


def first_day(index: int) -> int:
    """The ordinal of a month's first day; months count from year 0."""
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        return 0 if year < 1 else LAST_DAY + 1
    return date(year, month + 1, 1).toordinal()


def month_day(day: int, months: int) -> int:
    """The same day of the month, so many months on; the last day where that month is shorter."""
    here = date.fromordinal(day)
    first = first_day(here.year * 12 + here.month - 1 + months)
    if not 1 <= first <= LAST_DAY:
        return first
    return first + min(here.day, monthrange(*date.fromordinal(first).timetuple()[:2])[1]) - 1


def which(word: str, latest: int, back: int, cycle: int, current: int) -> int:
    """Of what comes round every `cycle`: the one before now, of the current cycle, or after now."""
    if word == "this":
        return current
    return latest + cycle if word == "next" else latest - (0 if back else cycle)


def moved(ms: int, count: int, unit: str, clock: Clock) -> int:
    """So many units on: days are 24 hours, months and years go by the calendar and keep the local time."""
    if unit in EXACT:
        return clamp(ms + count * EXACT[unit])
    here = local_time(ms, clock.zone)
    day = month_day(here.toordinal(), count * CALENDAR[unit])
    if not 1 <= day <= LAST_DAY:
        return clock.midnight(day)
    return clamp(clock.at(day, here.time()))


def ordinal(year: int, month: int, day: int) -> int | None:
    """The ordinal of a date, or None when there is no such day."""
    try:
        return date(year, month, day).toordinal()
    except ValueError:
        return None
