"""Readers of a time that is said by another: the week of a day, the first Monday of May, late 2022."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from muniment.model.clock import Clock, month_day
from muniment.model.dates import nested
from muniment.model.periods import part_of_day
from muniment.model.time import local_time
from muniment.model.timereading import Found, Words
from muniment.model.timewords import NTH, PART, PORTION, WEEKDAY

_LONG: Final = frozenset({"week", "month", "quarter", "season", "year", "decade"})
_PART_STEPS: Final = {"of": 0, "on": 0, "before": -1, "after": 1}
_PERIODS: Final = {"day": (1, "day"), "week": (7, "week")}


def related(words: Words, at: int) -> Found | None:
    """One time that begins at a token and leans on another after it."""
    for reader in (_portion, _nth_of, _part_of, _beside):
        if (found := reader(words, at)) is not None:
            return found
    return None


def _days(words: Words, found: Found) -> tuple[int, int]:
    """The first day that a range touches and the day after its last."""
    zone = words.clock.zone
    first, last = local_time(found.start, zone), local_time(max(found.end - 1, found.start), zone)
    return first.toordinal(), last.toordinal() + 1


def _anchor(words: Words, at: int) -> Found | None:
    """The time after a preposition; a month, a season or a year stands there without further proof."""
    return nested(replace(words, is_range=True), at)


def _portion(words: Words, at: int) -> Found | None:
    """`early May`, `mid-2022`, `the end of last month`."""
    word = words.low(at)
    if word not in PORTION:
        return None
    joined = words.low(at + 1)
    if (word in {"early", "late", "mid"}) == (joined == "of"):
        return None
    if word in {"beginning", "start", "end", "middle"} and joined != "of":
        return None
    anchor = _anchor(words, at + 1 + (joined in {"of", "-"}))
    if anchor is None or anchor.kind not in _LONG:
        return None
    first, stop = _days(words, anchor)
    bounds = [first + (stop - first) * third // 3 for third in range(4)]
    part = PORTION[word]
    return words.days(anchor.stop, bounds[part], bounds[part + 1], "span", is_open=anchor.is_year_open)


def _nth_of(words: Words, at: int) -> Found | None:
    """`the first week of May`, `last Friday of June`, `the second half of 2023`."""
    nth = NTH.get(words.low(at))
    unit = words.low(at + 1)
    if nth is None or words.low(at + 2) not in {"of", "in"} or unit not in {*WEEKDAY, "day", "week", "weekend", "half"}:
        return None
    anchor = _anchor(words, at + 3)
    if anchor is None or anchor.kind not in _LONG:
        return None
    first, stop = _days(words, anchor)
    days = _nth_days(first, stop, nth, unit)
    if days is None:
        return None
    kind = {"day": "day", "week": "week", "weekend": "weekend", "half": "span"}.get(unit, "day")
    return words.days(anchor.stop, *days, kind, is_open=anchor.is_year_open)


def _nth_days(first: int, stop: int, nth: int, unit: str) -> tuple[int, int] | None:
    if unit == "half":
        middle = first + (stop - first) // 2
        return (first, middle) if nth == 0 else (middle, stop) if nth in {1, -1} else None
    if unit in {"day", "week"}:
        size = 1 if unit == "day" else 7
        begin = stop - size if nth == -1 else first + nth * size
        return begin, min(begin + size, stop)
    weekday, size = (5, 2) if unit == "weekend" else (WEEKDAY[unit], 1)
    begin = _weekday_before(stop, weekday) if nth == -1 else _weekday_from(first, weekday) + 7 * nth
    return (begin, begin + size) if begin < stop else None


def _weekday_before(day: int, weekday: int) -> int:
    """The latest such weekday before a day."""
    return day - 1 - (day - 2 - weekday) % 7


def _weekday_from(day: int, weekday: int) -> int:
    """The first such weekday from a day on."""
    return day + (weekday - (day - 1)) % 7


def _part_of(words: Words, at: int) -> Found | None:
    """`the morning of 8 May`, `the night before 8 May`."""
    part, step = words.low(at), _PART_STEPS.get(words.low(at + 1))
    if part not in PART or step is None:
        return None
    anchor = nested(words, at + 2)
    if anchor is None or anchor.day is None:
        return None
    found = part_of_day(words, anchor.stop, anchor.day + step, part)
    return found._replace(is_year_open=anchor.is_year_open)


def _beside(words: Words, at: int) -> Found | None:
    """`the week of 8 May`, `the day before yesterday's date`, `the weekend after 3 June`, `the Friday before X`."""
    unit, side = words.low(at), words.low(at + 1)
    if side not in {"of", "before", "after", "following"} or unit not in {*WEEKDAY, *_BESIDE}:
        return None
    if words.low(at - 1) != "the" and side != "of":
        return None
    if unit == "week" and side == "before" and words.low(at + 2) == "last":
        return _week_before_last(words, at)
    anchor = nested(words, at + 2)
    if anchor is None or (side == "of" and (anchor.day is None or unit not in {"week", "weekend"})):
        return None
    days = _beside_days(unit, side, *_days(words, anchor))
    return words.days(anchor.stop, *days, _BESIDE.get(unit, "day"), is_open=anchor.is_year_open)


_BESIDE: Final = {"day": "day", "week": "week", "weekend": "weekend", "month": "span", "year": "span"}


def _week_before_last(words: Words, at: int) -> Found:
    today = words.clock.today()
    monday = today - (today - 1) % 7 - 14
    return words.days(at + 3, monday, monday + 7, "week")


def _beside_days(unit: str, side: str, first: int, stop: int) -> tuple[int, int]:
    if side == "of":
        monday = first - (first - 1) % 7
        return (monday, monday + 7) if unit == "week" else (monday + 5, monday + 7)
    is_before = side == "before"
    if unit in _PERIODS:
        size = _PERIODS[unit][0]
        return (first - size, first) if is_before else (stop, stop + size)
    if unit in {"month", "year"}:
        months = 1 if unit == "month" else 12
        return (month_day(first, -months), first) if is_before else (stop, month_day(stop, months))
    weekday, size = (5, 2) if unit == "weekend" else (WEEKDAY[unit], 1)
    day = _weekday_before(first - size + 1, weekday) if is_before else _weekday_from(stop, weekday)
    return day, day + size


def widened(words: Words, found: Found) -> Found:
    """`around` a time: as much again on either side, so that what is near it is in it."""
    days = {"clock": 0, "moment": 0, "part": 0, "day": 3, "week": 7, "weekend": 5, "month": 15}.get(found.kind, 30)
    reach = days * 86_400_000 or 2 * 3_600_000
    start, end = _bounded(words.clock, found.start - reach), _bounded(words.clock, found.end + reach)
    return found._replace(start=start, end=end, day=None)


def _bounded(clock: Clock, ms: int) -> int:
    return min(max(ms, clock.midnight(0)), clock.midnight(3_652_060))
