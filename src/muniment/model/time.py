"""Times: the one stored form, and the machine-written forms read into it.

Stored: UTC, ISO-8601, milliseconds, `Z`, 24 characters, years 0001 to 9999. The width is fixed, so the
order of the strings is the order of the times.

A local time that the clocks skip is read with the offset before the change, which moves it forward; one
that comes twice is its first coming.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Final, Literal, TypeAlias

from muniment.errors import UsageError

Instant: TypeAlias = str

_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
_EPOCH: Final = datetime.fromordinal(_EPOCH_DAY)
LAST_DAY: Final = date.max.toordinal()
_DAY: Final = 86_400_000
FIRST_MS: Final = (1 - _EPOCH_DAY) * _DAY
LAST_MS: Final = (LAST_DAY + 1 - _EPOCH_DAY) * _DAY - 1
# Read as seconds this is the year 5138, read as milliseconds it is 1973: no session is that late or early.
_MS_FROM: Final = 100_000_000_000

ISO: Final = re.compile(
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
    return _in_zone(datetime.fromisoformat(instant[:19]), zone).isoformat(sep=" ", timespec="seconds")


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
    return from_ms(ms) if ms is not None and FIRST_MS <= ms <= LAST_MS else None


def _text_ms(text: str, zone: tzinfo, unit: str) -> int | None:
    if match := ISO.fullmatch(text):
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
    return utc_ms(moment) + int((fraction or "0").ljust(3, "0")[:3])


def _offset_zone(text: str) -> tzinfo:
    if text[0] not in "+-":
        return UTC
    digits = text[1:].replace(":", "").ljust(6, "0")
    seconds = int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + int(digits[4:])
    return timezone(timedelta(seconds=-seconds if text[0] == "-" else seconds))


def utc_ms(moment: datetime) -> int:
    """Milliseconds since 1970 of a time with a zone, also where the UTC time lies outside the calendar."""
    # Not by astimezone: near the ends of the calendar the UTC time may lie outside it.
    since = moment.replace(tzinfo=None) - _EPOCH - (moment.utcoffset() or timedelta(0))
    return since.days * _DAY + since.seconds * 1000 + since.microseconds // 1000


def local_time(ms: int, zone: tzinfo) -> datetime:
    """What calendar and clock show in a zone; in UTC where the zone has no such time."""
    return _in_zone(_EPOCH + timedelta(milliseconds=ms), zone)


def _in_zone(moment: datetime, zone: tzinfo) -> datetime:
    moment = moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment  # the first and last hours of the calendar have no local form everywhere
