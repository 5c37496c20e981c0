"""Readers of one time each, from a token onwards: a day, a clock time, a week, a month, a season, a year.

Each looks at a bounded number of tokens and gives what it read, with the token it stopped at, or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Final, NamedTuple

from muniment.model.clock import MONTHS, moved
from muniment.model.periods import (
    named_month,
    part_of_day,
    quarter,
    season,
    season_word,
    the_weekend,
    weekend,
    whole_year,
    year_after,
)
from muniment.model.time import LAST_DAY, local_time
from muniment.model.timereading import Found, Words
from muniment.model.timewords import (
    COUNT,
    FEAST,
    MONTH,
    PART,
    SEASON,
    SHORT,
    STEP,
    UNIT,
    VAGUE,
    WEEKDAY,
    closes,
    is_loose,
    month_stands,
    weekday_stands,
)

_WHOLE: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[tT ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:[zZ]\b|UTC\b|[+-]\d\d:?\d\d))?)?"
    r"|\d{4}/\d\d/\d\d|\d{4}-[wW]\d\d|\d{4}-(?:0[1-9]|1[0-2])",
    re.ASCII,
)
_SUFFIXES: Final = frozenset({"st", "nd", "rd", "th"})
_STEPPED: Final = {-1: "last", 0: "this", 1: "next"}
_CLOCK_CUES: Final = frozenset({"at", "around", "since", "before", "after", "until", "till", "by", "from", "between"})
_DAY_CUES: Final = frozenset("on since before after until till by around between from in last next".split())
_EXACT_KINDS: Final = {"h": "moment", "m": "moment", "s": "moment"}


Reader = Callable[[Words, int], Found | None]


def plain(words: Words, at: int) -> Found | None:
    """One time that begins at a token, without what may lead it in; a day with the clock time or part said of it."""
    for reader in _READERS:
        if (found := reader(words, at)) is not None:
            return found if found.day is None else _in_day(words, found)
    return None


def _iso(words: Words, at: int) -> Found | None:
    here = words.token(at)
    match = _WHOLE.match(words.text, here.start) if len(here.low) == 4 and here.low.isdecimal() else None
    if match is None or not is_loose(words.text, *match.span()):
        return None
    written = " ".join(match[0].lower().replace("/", "-").split())
    kind = {7: "month", 8: "week", 10: "day"}.get(len(written), "moment")
    stop = at
    while words.tokens[stop].start < match.end():
        stop += 1
    return words.expressed(stop, written, kind)


def _word_day(words: Words, at: int) -> Found | None:
    word, today = words.low(at), words.clock.today()
    if word in {"today", "yesterday", "tomorrow"}:
        return words.expressed(at + 1, word, "day")
    if word == "tonight":
        return part_of_day(words, at + 1, today, "night")
    if word == "day" and words.low(at + 1) in {"before", "after"}:
        step = {"yesterday": -2, "tomorrow": 2}.get(words.low(at + 2))
        if step is not None and (step > 0) == (words.low(at + 1) == "after"):
            return words.days(at + 3, today + step, today + step + 1, "day")
    return None


def _stepped(words: Words, at: int) -> Found | None:
    """`last week`, `this march`, `past three days`."""
    word = words.low(at)
    if word not in STEP:
        return None
    if (counted := _count(words, at + 1)) is not None:
        return _back(words, word, counted)
    name, which, stop = words.low(at + 1), _STEPPED[STEP[word]], at + 2
    if word == "past" and name != "weekend":
        return _back(words, word, (1, at + 1, False)) if UNIT.get(name) not in {None, "s", "m"} else None
    if name in WEEKDAY and weekday_stands(which, words.token(at + 1), words.token(stop)):
        return words.expressed(stop, f"{which} {name[:3]}", "day")
    if name in MONTH and _this_month_stands(words, at):
        return words.expressed(stop, f"{which} {name[:3]}", "month")
    if (feast := _feast(words, at + 1)) is not None:
        return feast
    return _stepped_unit(words, stop, which, name)


def _this_month_stands(words: Words, at: int) -> bool:
    # "this may be" and "this march was" are no months.
    name, after = words.token(at + 1), words.token(at + 2)
    if words.low(at) == "this" and name.low in {"may", "march"} and not name.is_capital:
        return closes(after) and not after.low.isalpha()
    return month_stands(words.low(at), name, after)


def _stepped_unit(words: Words, stop: int, which: str, name: str) -> Found | None:
    step, today = STEP[which], words.clock.today()
    if name in {"week", "month", "quarter", "year"}:
        if words.low(stop) == "of":
            return None
        if words.low(stop) == "before" and words.low(stop + 1) == "last" and which == "last":
            return None
        return words.expressed(stop, f"{which} {name}", name)
    if name == "weekend":
        return weekend(words, stop, step)
    if name in PART and step <= 0:
        return part_of_day(words, stop, today + step, name) if step == 0 or name == "night" else None
    if name in SEASON:
        return season(words, stop, name, step)
    if name == "hour" and step < 0:
        return words.expressed(stop, "last hour", "span")
    return None


def _count(words: Words, at: int) -> tuple[int, int, bool] | None:
    """A count, the token after it, and whether it is a vague one (`a few`)."""
    if (number := words.number(at, 5)) is not None:
        return number, at + 1, False
    if words.low(at) == "a" and words.low(at + 1) in VAGUE:
        at += 1
    word = words.low(at)
    if word not in COUNT:
        return None
    stop = at + 2 if word in VAGUE and words.low(at + 1) == "of" else at + 1
    return COUNT[word], stop, word in VAGUE


def _unit(words: Words, at: int, count_is_digits: bool) -> str | None:
    token = words.token(at)
    if count_is_digits and token.is_glued and token.low in SHORT:
        return SHORT[token.low]
    return UNIT.get(token.low)


def _back(words: Words, word: str, counted: tuple[int, int, bool]) -> Found | None:
    """`last three weeks`: a span up to now."""
    count, at, is_vague = counted
    unit = _unit(words, at, words.low(at - 1).isdecimal())
    if unit is None or STEP[word] != -1 or words.low(at + 1) == "of" or count == 0:
        return None
    count, unit = _in_calendar_units(count + is_vague, unit)
    start = moved(words.clock.now, -count, unit, words.clock)
    return Found(at + 1, start, words.clock.now, "span")


def _in_calendar_units(count: int, unit: str) -> tuple[int, str]:
    """Weekends, quarters and decades in the units that the calendar counts by."""
    factor, plain_unit = {"weekend": (1, "w"), "quarter": (3, "mo"), "decade": (10, "y")}.get(unit, (1, unit))
    return count * factor, plain_unit


def _ago(words: Words, at: int) -> Found | None:
    """`two weeks ago`, `3 days from now`, `three days before X`."""
    counted = _count(words, at)
    if counted is None:
        return None
    count, stop, is_vague = counted
    unit = _unit(words, stop, words.low(stop - 1).isdecimal())
    after = words.low(stop + 1)
    if unit is None or not words.is_loose(at, stop + 1):
        return None
    if unit == "weekend" and after == "ago" and not is_vague:
        return weekend(words, stop + 2, -count)
    count, unit = _in_calendar_units(count, unit)
    if after == "ago":
        return _moved_by(words, stop + 2, words.clock.now, -count, unit, is_vague)
    if after == "from" and words.low(stop + 2) == "now":
        return _moved_by(words, stop + 3, words.clock.now, count, unit, is_vague)
    if after in {"before", "after"} and (other := nested(words, stop + 2)) is not None:
        return _moved_by(words, other.stop, other.start, count if after == "after" else -count, unit, is_vague)
    return None


def _moved_by(words: Words, stop: int, start: int, count: int, unit: str, is_vague: bool) -> Found:
    clock = words.clock
    near, far = (count - 1, count + 1) if is_vague else (count, count)
    first, last = sorted((moved(start, near, unit, clock), moved(start, far, unit, clock)))
    if unit in _EXACT_KINDS:
        return Found(stop, first, moved(last, 1, unit, clock), "moment")
    first_day_of, last_day = (local_time(ms, clock.zone).toordinal() for ms in (first, last))
    return words.days(stop, first_day_of, last_day + 1, "span" if is_vague else "day")


def nested(words: Words, at: int) -> Found | None:
    """A time that another one counts from, articles aside."""
    if words.depth == 0:
        return None
    return plain(replace(words, depth=words.depth - 1), at + (words.low(at) == "the"))


def _weekday(words: Words, at: int) -> Found | None:
    name = words.low(at)
    if name not in WEEKDAY or not weekday_stands(words.cue(at), words.token(at), words.token(at + 1)):
        return None
    if not words.is_loose(at, at + 1):
        return None
    after = at + 1 + (words.low(at + 1) == ",")
    if (dated := _dated(words, after + (words.low(after) == "the"))) is not None:
        return dated
    after = at + 1 + (words.low(at + 1) == "of")
    if words.low(after) in STEP and words.low(after + 1) == "week":
        today = words.clock.today()
        day = today - (today - 1) % 7 + WEEKDAY[name] + 7 * STEP[words.low(after)]
        return words.days(after + 2, day, day + 1, "day")
    return words.expressed(at + 1, name[:3], "day")


def _dated(words: Words, at: int) -> Found | None:
    """`8 May 2023`, `the 8th of May`, `May 8th, 2023`."""
    if words.low(at) in MONTH:
        return _month_day(words, at)
    day = words.number(at, 2)
    if day is None:
        return None
    has_suffix = words.low(at + 1) in _SUFFIXES and words.token(at + 1).is_glued
    month = at + 1 + has_suffix
    has_of = words.low(month) == "of"
    month += has_of
    if words.low(month) not in MONTH or words.token(at).is_glued:
        return None
    stop, year = year_after(words, month + 1)
    if year is None and not _day_month_stands(words, at, month, has_suffix and has_of):
        return None
    return _one_day(words, stop, day, words.low(month), year)


def _day_month_stands(words: Words, at: int, month: int, is_spelled: bool) -> bool:
    # "only 2 may enter", "the 8th may fail"
    word = words.token(month)
    if is_spelled or word.is_capital or word.low not in {"may", "march", "mar"}:
        return not words.token(month).is_glued or is_spelled
    return words.cue(at) in _DAY_CUES and closes(words.token(month + 1))


def _month_day(words: Words, month: int) -> Found | None:
    at = month + 1 + (words.low(month + 1) == "the")
    at += words.low(at) == "." and words.token(at).is_glued and len(words.low(month)) <= 4
    day = words.number(at, 2)
    if day is None:
        return None
    has_suffix = words.low(at + 1) in _SUFFIXES and words.token(at + 1).is_glued
    stop, year = year_after(words, at + 1 + has_suffix)
    if not words.is_loose(at, at + 1 + has_suffix) or words.low(at + 1) in {"am", "pm"}:
        return None
    if year is None and not has_suffix and not _month_number_stands(words, month, stop):
        return None
    return _one_day(words, stop, day, words.low(month), year)


def _month_number_stands(words: Words, month: int, stop: int) -> bool:
    # "you may 2 at a time", "May 3 people come?"
    word, after = words.token(month), words.token(stop)
    if word.low in {"may", "march", "mar"} and not word.is_capital:
        return words.cue(month) in _DAY_CUES or month == 0
    return words.cue(month) in _DAY_CUES or closes(after) or after.low.isdecimal()


def _one_day(words: Words, stop: int, day: int, month: str, year: int | None) -> Found | None:
    written = f"{day} {MONTHS[MONTH[month]]}" + (f" {year:04}" if year is not None else "")
    return words.expressed(stop, written, "day", is_open=year is None)


def _feast(words: Words, at: int) -> Found | None:
    for spelled, (month, day) in FEAST.items():
        stop = at + len(spelled)
        if words.low(at) != spelled[0] or tuple(words.low(i) for i in range(at, stop)) != spelled:
            continue
        stop, year = year_after(words, stop)
        if year is None and not closes(words.token(stop)):
            return None
        if year is None and words.low(at - 1) == "next":
            this = date.fromordinal(words.clock.today())
            year = this.year + ((month, day) <= (this.month, this.day))
        return _one_day(words, stop, day, MONTHS[month - 1], year)
    return None


# --- clock times ---------------------------------------------------------------------------------------


class _Wall(NamedTuple):
    stop: int
    written: str
    is_sure: bool


def _wall(words: Words, at: int) -> _Wall | None:
    """A time on the clock; sure when `am`, `pm`, `noon` or the like leaves no doubt."""
    if words.low(at) in {"noon", "midnight"}:
        return _Wall(at + 1, "12:00" if words.low(at) == "noon" else "00:00", False)
    hour = words.number(at, 2)
    if hour is None or (words.token(at).is_glued and words.low(at - 1) != "@"):
        return None
    stop, written = at + 1, str(hour)
    while words.low(stop) == ":" and words.token(stop).is_glued and len(words.low(stop + 1)) == 2 and stop < at + 4:
        if words.number(stop + 1) is None or not words.token(stop + 1).is_glued:
            return None
        written, stop = f"{written}:{words.low(stop + 1)}", stop + 2
    half = _half(words, stop)
    if half is not None:
        return _Wall(half[0], written + half[1], True) if words.is_loose(at, half[0]) else None
    return _Wall(stop, written, False) if ":" in written and words.is_loose(at, stop) else None


def _half(words: Words, at: int) -> tuple[int, str] | None:
    if words.low(at) in {"am", "pm"}:
        # "I am": the verb never stands after a number and before what it would need.
        return at + 1, words.low(at)
    if words.low(at) in {"a", "p"} and [words.low(at + i) for i in (1, 2)] == [".", "m"]:
        is_dotted = words.low(at + 3) == "." and words.token(at + 3).is_glued
        return at + 3 + is_dotted, words.low(at) + "m"
    return None


def _clock_time(words: Words, at: int) -> Found | None:
    wall = _wall(words, at)
    if wall is None or not (wall.is_sure or words.cue(at) in _CLOCK_CUES):
        return None
    after = wall.stop + (words.low(wall.stop) in {"on", ","})
    day = _bare_day(words, after + (words.low(after) == "the"))
    if day is not None and day.day is not None:
        return _wall_on(words, day.stop, day.day, wall.written, "moment") or day
    return _wall_on(words, wall.stop, words.clock.today(), wall.written, "clock")


def _bare_day(words: Words, at: int) -> Found | None:
    readers = (_iso, _word_day, _stepped, _weekday, _dated)
    return next((found for reader in readers if (found := reader(words, at)) is not None), None)


def _wall_on(words: Words, stop: int, day: int, written: str, kind: str) -> Found | None:
    if not 1 <= day <= LAST_DAY:
        return None
    return words.expressed(stop, f"{date.fromordinal(day).isoformat()} {written}", kind)


def _in_day(words: Words, found: Found) -> Found:
    """The hour or the part of a day that is said after it."""
    assert found.day is not None
    at = found.stop + (words.low(found.stop) == ",")
    part = at + 2 if words.low(at) == "in" and words.low(at + 1) == "the" else at
    if words.low(part) in PART:
        return part_of_day(words, part + 1, found.day, words.low(part))._replace(is_year_open=found.is_year_open)
    has_cue = words.low(at) in {"at", "around", "by", "@"}
    wall = _wall(words, at + has_cue)
    if wall is None or (words.low(at + has_cue) in {"noon", "midnight"} and not has_cue):
        return found
    moment = _wall_on(words, wall.stop, found.day, wall.written, "moment")
    return found if moment is None else moment._replace(is_year_open=found.is_year_open)


_READERS: tuple[Reader, ...] = (
    _iso,
    _word_day,
    _stepped,
    _ago,
    _weekday,
    _dated,
    named_month,
    quarter,
    season_word,
    the_weekend,
    _feast,
    _clock_time,
    whole_year,
)
