"""Times: one stored form in, many written forms read, in every zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import UsageError
from muniment.model.expression import parse_instant, parse_range, parse_until
from muniment.model.time import canonical, from_ms, local, to_ms

NOW = "2026-06-17T10:30:00.000Z"  # a Wednesday
FIRST, LAST = "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"
FIRST_MS, LAST_MS = -62135596800000, 253402300799999

MINUS_8 = timezone(timedelta(hours=-8))
KATHMANDU = ZoneInfo("Asia/Kathmandu")
PLUS_14 = timezone(timedelta(hours=14))
BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
HAVANA = ZoneInfo("America/Havana")
ZONES = [UTC, MINUS_8, KATHMANDU, PLUS_14, BERLIN, NEW_YORK, HAVANA]


# --- the stored form -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("2026-11-30T15:11:21.138Z", "2026-11-30T15:11:21.138Z"),
        ("2026-11-30T15:11:21Z", "2026-11-30T15:11:21.000Z"),
        ("2026-11-30T15:11Z", "2026-11-30T15:11:00.000Z"),
        ("2026-11-30T15:11:21.1Z", "2026-11-30T15:11:21.100Z"),
        ("2026-11-30T15:11:21.1389999Z", "2026-11-30T15:11:21.138Z"),
        ("2026-11-30T15:11:21.138456789Z", "2026-11-30T15:11:21.138Z"),
        ("2026-11-30T15:11:21,5Z", "2026-11-30T15:11:21.500Z"),
        ("2026-11-30t15:11:21z", "2026-11-30T15:11:21.000Z"),
        ("2026-11-30 15:11:21 UTC", "2026-11-30T15:11:21.000Z"),
        ("2026-11-30 15:11:21", "2026-11-30T15:11:21.000Z"),
        ("  2026-11-30T15:11:21Z\n", "2026-11-30T15:11:21.000Z"),
        ("2026-11-30T15:11:21.138+00:00", "2026-11-30T15:11:21.138Z"),
        ("2026-11-30T15:11:21.138-00:00", "2026-11-30T15:11:21.138Z"),
        ("2026-11-30T15:11:21+02:00", "2026-11-30T13:11:21.000Z"),
        ("2026-11-30T15:11:21 -0800", "2026-11-30T23:11:21.000Z"),
        ("2026-11-30T15:11:21+05:45", "2026-11-30T09:26:21.000Z"),
        ("2026-11-30T15:11:21+14", "2026-11-30T01:11:21.000Z"),
        ("2026-11-30T15:11:21+00:53:28", "2026-11-30T14:17:53.000Z"),
        ("20261130T151121Z", "2026-11-30T15:11:21.000Z"),
        ("2026-11-30", "2026-11-30T00:00:00.000Z"),
        ("20261130", "2026-11-30T00:00:00.000Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
        ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
        (FIRST, FIRST),
        (LAST, LAST),
        ("1764515481", "2025-11-30T15:11:21.000Z"),
        ("1764515481138", "2025-11-30T15:11:21.138Z"),
        ("1764515481.138", "2025-11-30T15:11:21.138Z"),
        ("-1764515481", "1914-02-01T08:48:39.000Z"),
    ],
)
def test_every_written_form_becomes_the_one_stored_form(written: str, stored: str) -> None:
    assert canonical(written) == stored


@pytest.mark.parametrize(
    ("number", "stored"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.000Z"),
        (1764515481, "2025-11-30T15:11:21.000Z"),
        (1764515481.138, "2025-11-30T15:11:21.138Z"),
        (1764515481138, "2025-11-30T15:11:21.138Z"),
        (1764515481138.9, "2025-11-30T15:11:21.138Z"),
        (99_999_999_999, "5138-11-16T09:46:39.000Z"),
        (100_000_000_000, "1973-03-03T09:46:40.000Z"),
        (LAST_MS, LAST),
        (FIRST_MS, FIRST),
    ],
)
def test_the_size_of_a_number_tells_seconds_from_milliseconds(number: float, stored: str) -> None:
    assert canonical(number) == stored


def test_a_source_that_writes_seconds_is_taken_at_its_word() -> None:
    assert canonical(253402300799, unit="s") == "9999-12-31T23:59:59.000Z"
    assert canonical("253402300799") == "1978-01-11T21:31:40.799Z"


@pytest.mark.parametrize(
    "value",
    [
        *[
            "",
            " ",
            "now",
            "not a date",
            "Z",
            "2026",
            "2026-13-01",
            "2026-02-30",
            "2026-11-31T00:00:00.000Z",
            "2026-1-1",
        ],
        *[
            "2026-11-30T24:00:00.000Z",
            "2026-11-30T15:60:00.000Z",
            "2026-11-30T15:11:60.000Z",
            "0000-01-01T00:00:00.000Z",
        ],
        *["2026-11-30T15:11:21.138X", "2026-11-30X15:11:21.138Z", "2026-W48-1T15:11:21.138Z", "2026-11-30T15:11:21."],
        *[
            "2026-11-30T15:11:21+25:00",
            "2026-11-30T15:11:21+05:99",
            "10000-01-01T00:00:00Z",
            "2026-11-30T1５:11:21.138Z",
        ],
        *[
            "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-00:01",
            "0",
            "17",
            "1e9",
            "9" * 5000,
            "nan",
            "\0",
            "\ud800",
        ],
        *[float("nan"), float("inf"), float("-inf"), 1e300, 10**400, LAST_MS + 1, FIRST_MS - 1, True, False],
        *[None, [], b"2026-11-30"],
    ],
)
def test_what_is_not_a_time_is_none_and_never_an_error(value: str) -> None:
    assert canonical(value) is None


@pytest.mark.parametrize(
    ("zone", "stored"),
    [
        (UTC, "2026-07-01T23:30:00.000Z"),
        (MINUS_8, "2026-07-02T07:30:00.000Z"),
        (KATHMANDU, "2026-07-01T17:45:00.000Z"),
        (PLUS_14, "2026-07-01T09:30:00.000Z"),
        (BERLIN, "2026-07-01T21:30:00.000Z"),
        (NEW_YORK, "2026-07-02T03:30:00.000Z"),
    ],
)
def test_a_time_without_offset_is_read_in_the_zone(zone: timezone, stored: str) -> None:
    assert canonical("2026-07-01 23:30:00", zone) == stored
    assert canonical("2026-07-01T23:30:00Z", zone) == "2026-07-01T23:30:00.000Z"


@pytest.mark.parametrize(
    ("zone", "wall", "stored", "shown"),
    [
        # The clocks skip 02:00-03:00: the time moves forward.
        (BERLIN, "2026-03-29 01:59", "2026-03-29T00:59:00.000Z", "2026-03-29 01:59:00+01:00"),
        (BERLIN, "2026-03-29 02:30", "2026-03-29T01:30:00.000Z", "2026-03-29 03:30:00+02:00"),
        (BERLIN, "2026-03-29 03:00", "2026-03-29T01:00:00.000Z", "2026-03-29 03:00:00+02:00"),
        # 02:00-03:00 comes twice: its first coming.
        (BERLIN, "2026-10-25 02:30", "2026-10-25T00:30:00.000Z", "2026-10-25 02:30:00+02:00"),
        (BERLIN, "2026-10-25 03:00", "2026-10-25T02:00:00.000Z", "2026-10-25 03:00:00+01:00"),
        (NEW_YORK, "2026-03-08 02:30", "2026-03-08T07:30:00.000Z", "2026-03-08 03:30:00-04:00"),
        (NEW_YORK, "2026-03-08 03:00", "2026-03-08T07:00:00.000Z", "2026-03-08 03:00:00-04:00"),
        (NEW_YORK, "2026-11-01 01:30", "2026-11-01T05:30:00.000Z", "2026-11-01 01:30:00-04:00"),
        (NEW_YORK, "2026-11-01 02:00", "2026-11-01T07:00:00.000Z", "2026-11-01 02:00:00-05:00"),
    ],
)
def test_clock_changes_move_skipped_times_forward_and_take_double_ones_first(
    zone: ZoneInfo, wall: str, stored: str, shown: str
) -> None:
    assert canonical(wall, zone) == stored
    assert local(stored, zone) == shown
    assert parse_instant(wall, NOW, zone) == stored


def test_the_second_coming_of_a_local_time_shows_its_own_offset() -> None:
    assert local("2026-10-25T01:30:00.000Z", BERLIN) == "2026-10-25 02:30:00+01:00"


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("instant", [FIRST, LAST])
def test_the_ends_of_the_calendar_show_and_parse_in_every_zone(zone: timezone, instant: str) -> None:
    assert local(instant, zone)[4] == "-"
    for text in ("today", "yesterday", "tomorrow", "7d", "1y", "last week", "next year", "march", "last tuesday 3pm"):
        start, end = parse_range(text, instant, zone)
        assert FIRST <= start <= end <= LAST


def test_the_milliseconds_of_known_times_are_exact() -> None:
    known = {
        FIRST: FIRST_MS,
        "1969-12-31T23:59:59.999Z": -1,
        "1970-01-01T00:00:00.000Z": 0,
        "2000-02-29T12:00:00.001Z": 951825600001,
        "2026-11-30T15:11:21.138Z": 1796051481138,
        LAST: LAST_MS,
    }
    assert {instant: to_ms(instant) for instant in known} == known
    assert [from_ms(ms) for ms in known.values()] == list(known)


@pytest.mark.parametrize("ms", [FIRST_MS - 1, LAST_MS + 1, 10**30])
def test_milliseconds_outside_the_calendar_are_refused(ms: int) -> None:
    with pytest.raises(UsageError, match="outside the years"):
        from_ms(ms)


@given(st.integers(FIRST_MS, LAST_MS))
def test_milliseconds_and_stored_form_are_inverse(ms: int) -> None:
    instant = from_ms(ms)
    assert len(instant) == 24
    assert to_ms(instant) == ms
    assert canonical(instant) is instant


@given(st.integers(FIRST_MS, LAST_MS), st.integers(FIRST_MS, LAST_MS))
def test_stored_times_sort_as_text(one: int, other: int) -> None:
    assert (one < other) == (from_ms(one) < from_ms(other))


@given(st.text() | st.floats() | st.integers() | st.from_regex(r"[0-9TZ:. +-]{0,30}"), st.sampled_from(ZONES))
def test_canonical_never_raises_and_is_stable(value: str | float, zone: timezone) -> None:
    stored = canonical(value, zone)
    assert stored is None or (len(stored) == 24 and canonical(stored, zone) == stored)


@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)), st.sampled_from(ZONES))
def test_local_times_agree_with_the_library(wall: datetime, zone: timezone) -> None:
    expected = wall.replace(tzinfo=zone).astimezone(UTC).replace(tzinfo=None)
    assert canonical(wall.isoformat(timespec="microseconds"), zone) == expected.isoformat(timespec="milliseconds") + "Z"


# --- expressions ---------------------------------------------------------------------------------------


def _range(text: str, zone: timezone | ZoneInfo = UTC, now: str = NOW) -> str:
    """Both bounds, shortened: midnights to their date."""
    return "..".join(
        each.replace("T00:00:00.000Z", "").removesuffix(":00.000Z") for each in parse_range(text, now, zone)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # ISO
        ("2026", "2026-01-01..2027-01-01"),
        ("2026-03", "2026-03-01..2026-04-01"),
        ("2026-12", "2026-12-01..2027-01-01"),
        ("2026-W10", "2026-03-02..2026-03-09"),
        ("2026-03-05", "2026-03-05..2026-03-06"),
        ("2024-02-29", "2024-02-29..2024-03-01"),
        ("2026-03-05 14:00", "2026-03-05T14:00..2026-03-05T14:01"),
        ("2026-03-05T14:00:09", "2026-03-05T14:00:09.000Z..2026-03-05T14:00:10.000Z"),
        ("2026-03-05T14:00:09.5Z", "2026-03-05T14:00:09.500Z..2026-03-05T14:00:09.501Z"),
        ("2026-03-05T14:00+02:00", "2026-03-05T12:00..2026-03-05T12:01"),
        ("1764515481138", "2025-11-30T15:11:21.138Z..2025-11-30T15:11:21.139Z"),
        # days
        ("now", "2026-06-17T10:30..2026-06-17T10:30:00.001Z"),
        ("today", "2026-06-17..2026-06-18"),
        ("yesterday", "2026-06-16..2026-06-17"),
        ("tomorrow", "2026-06-18..2026-06-19"),
        ("wednesday", "2026-06-17..2026-06-18"),
        ("Tuesday", "2026-06-16..2026-06-17"),
        ("on thu", "2026-06-11..2026-06-12"),
        ("last tuesday", "2026-06-16..2026-06-17"),
        ("last wednesday", "2026-06-10..2026-06-11"),
        ("this friday", "2026-06-19..2026-06-20"),
        ("next wednesday", "2026-06-24..2026-06-25"),
        ("next sun", "2026-06-21..2026-06-22"),
        ("5 march 2026", "2026-03-05..2026-03-06"),
        ("5th of March, 2026", "2026-03-05..2026-03-06"),
        ("march 5 2026", "2026-03-05..2026-03-06"),
        ("5 march", "2026-03-05..2026-03-06"),
        ("17 june", "2026-06-17..2026-06-18"),
        ("18 june", "2025-06-18..2025-06-19"),
        ("29 february", "2024-02-29..2024-03-01"),
        # clock times
        ("last tuesday 15:00", "2026-06-16T15:00..2026-06-16T15:01"),
        ("last tuesday at 3pm", "2026-06-16T15:00..2026-06-16T16:00"),
        ("yesterday at 12am", "2026-06-16..2026-06-16T01:00"),
        ("yesterday 12 PM", "2026-06-16T12:00..2026-06-16T13:00"),
        ("5 march 2026, 9:30:15", "2026-03-05T09:30:15.000Z..2026-03-05T09:30:16.000Z"),
        ("2 days ago at 9am", "2026-06-15T09:00..2026-06-15T10:00"),
        ("2026-03-05 3:30 pm", "2026-03-05T15:30..2026-03-05T15:31"),
        ("at 9am", "2026-06-17T09:00..2026-06-17T10:00"),
        ("09:15", "2026-06-17T09:15..2026-06-17T09:16"),
        # periods
        ("this week", "2026-06-15..2026-06-22"),
        ("last week", "2026-06-08..2026-06-15"),
        ("next week", "2026-06-22..2026-06-29"),
        ("this month", "2026-06-01..2026-07-01"),
        ("last month", "2026-05-01..2026-06-01"),
        ("next month", "2026-07-01..2026-08-01"),
        ("last quarter", "2026-01-01..2026-04-01"),
        ("last year", "2025-01-01..2026-01-01"),
        ("next year", "2027-01-01..2028-01-01"),
        ("Q3 2025", "2025-07-01..2025-10-01"),
        ("2025-Q4", "2025-10-01..2026-01-01"),
        ("q2", "2026-04-01..2026-07-01"),
        ("q3", "2025-07-01..2025-10-01"),
        ("march", "2026-03-01..2026-04-01"),
        ("in march", "2026-03-01..2026-04-01"),
        ("june", "2026-06-01..2026-07-01"),
        ("July", "2025-07-01..2025-08-01"),
        ("march 2026", "2026-03-01..2026-04-01"),
        ("Sept 2020", "2020-09-01..2020-10-01"),
        ("last june", "2025-06-01..2025-07-01"),
        ("last may", "2026-05-01..2026-06-01"),
        ("next may", "2027-05-01..2027-06-01"),
        ("this may", "2026-05-01..2026-06-01"),
        # spans
        ("45m", "2026-06-17T09:45..2026-06-17T10:30"),
        ("3h", "2026-06-17T07:30..2026-06-17T10:30"),
        ("7d", "2026-06-10T10:30..2026-06-17T10:30"),
        ("2w", "2026-06-03T10:30..2026-06-17T10:30"),
        ("6mo", "2025-12-17T10:30..2026-06-17T10:30"),
        ("1y", "2025-06-17T10:30..2026-06-17T10:30"),
        ("the last 3 days", "2026-06-14T10:30..2026-06-17T10:30"),
        ("past week", "2026-06-10T10:30..2026-06-17T10:30"),
        ("last hour", "2026-06-17T09:30..2026-06-17T10:30"),
        ("999999999y", "0001-01-01..2026-06-17T10:30"),
        # so long before
        ("2 weeks ago", "2026-06-03..2026-06-04"),
        ("a month ago", "2026-05-17..2026-05-18"),
        ("two years ago", "2024-06-17..2024-06-18"),
        ("an hour ago", "2026-06-17T09:30..2026-06-17T10:30"),
        ("30 minutes ago", "2026-06-17T10:00..2026-06-17T10:01"),
        ("in 3 days", "2026-06-20..2026-06-21"),
        ("3 days from now", "2026-06-20..2026-06-21"),
        ("three days before 2026-05-01", "2026-04-28..2026-04-29"),
        ("one month before 31 march 2026", "2026-02-28..2026-03-01"),
        ("2 days after last tuesday", "2026-06-18..2026-06-19"),
        ("2 hours before 2026-05-01 14:00", "2026-05-01T12:00..2026-05-01T13:00"),
        ("1 day before 1 day before 1 day before today", "2026-06-14..2026-06-15"),
        # ranges
        ("between april and may", "2026-04-01..2026-06-01"),
        ("between may and june", "2026-05-01..2026-07-01"),
        ("between june and july", "2025-06-01..2025-08-01"),
        ("between november and february", "2025-11-01..2026-03-01"),
        ("from monday to friday", "2026-06-08..2026-06-13"),
        ("monday to tuesday", "2026-06-15..2026-06-17"),
        ("2026-03-05..2026-03-07", "2026-03-05..2026-03-08"),
        ("2025 .. 2026-03", "2025-01-01..2026-04-01"),
        ("from yesterday to now", "2026-06-16..2026-06-17T10:30:00.001Z"),
        ("from 7d to 3d", "2026-06-10T10:30..2026-06-14T10:30:00.001Z"),
        # the ends of the calendar
        ("0001", "0001-01-01..0002-01-01"),
        ("9999", "9999-01-01..9999-12-31T23:59:59.999Z"),
        ("9999-12-31", "9999-12-31..9999-12-31T23:59:59.999Z"),
    ],
)
def test_an_expression_names_its_range(text: str, expected: str) -> None:
    assert _range(text) == expected
    assert _range(f"  {text.upper().replace(' ', '  ')} ") == expected


@pytest.mark.parametrize(
    ("zone", "today", "last_month", "last_tuesday", "clock"),
    [
        (
            MINUS_8,
            "2026-06-17T08:00..2026-06-18T08:00",
            "2026-05-01T08:00..2026-06-01T08:00",
            "06-16T08:00",
            "06-16T23:00",
        ),
        (
            *(KATHMANDU, "2026-06-16T18:15..2026-06-17T18:15", "2026-04-30T18:15..2026-05-31T18:15"),
            *("06-15T18:15", "06-16T09:15"),
        ),
        # In UTC+14 it is already Thursday.
        (
            PLUS_14,
            "2026-06-17T10:00..2026-06-18T10:00",
            "2026-04-30T10:00..2026-05-31T10:00",
            "06-15T10:00",
            "06-16T01:00",
        ),
    ],
)
def test_days_are_the_reader_s_days(zone: timezone, today: str, last_month: str, last_tuesday: str, clock: str) -> None:
    assert _range("today", zone) == today
    assert _range("last month", zone) == last_month
    assert _range("last tuesday", zone).split("..")[0] == f"2026-{last_tuesday}"
    assert _range("last tuesday 15:00", zone).split("..")[0] == f"2026-{clock}"


@pytest.mark.parametrize(
    ("zone", "text", "expected"),
    [
        (BERLIN, "2026-03-29", "2026-03-28T23:00..2026-03-29T22:00"),  # 23 hours
        (BERLIN, "2026-10-25", "2026-10-24T22:00..2026-10-25T23:00"),  # 25 hours
        (NEW_YORK, "2026-03-08", "2026-03-08T05:00..2026-03-09T04:00"),
        (NEW_YORK, "2026-11-01", "2026-11-01T04:00..2026-11-02T05:00"),
        (BERLIN, "2026-03", "2026-02-28T23:00..2026-03-31T22:00"),
        (HAVANA, "2026-03-08", "2026-03-08T05:00..2026-03-09T04:00"),  # its midnight is skipped
        (BERLIN, "2026-03-29 2am", "2026-03-29T01:00..2026-03-29T02:00"),
        (BERLIN, "2026-10-25 2am", "2026-10-25..2026-10-25T01:00"),
    ],
)
def test_ranges_over_a_clock_change_are_as_long_as_the_day_was(zone: ZoneInfo, text: str, expected: str) -> None:
    assert _range(text, zone) == expected


def test_a_span_of_days_is_of_24_hours_and_one_of_months_keeps_the_clock() -> None:
    after = "2026-03-30T10:00:00.000Z"  # noon in Berlin, the day after the change
    assert parse_instant("2d", after, BERLIN) == "2026-03-28T10:00:00.000Z"
    assert parse_instant("1mo", after, BERLIN) == "2026-02-28T11:00:00.000Z"


@pytest.mark.parametrize("zone", ZONES)
def test_the_days_of_a_year_meet_without_gap_or_overlap(zone: timezone) -> None:
    days = [parse_range(f"2026-{m:02}-{d:02}", NOW, zone) for m in range(1, 13) for d in range(1, 29)]
    assert all(a[1] == b[0] for a, b in pairwise(days) if a[0][5:7] == b[1][5:7])
    year = parse_range("2026", NOW, zone)
    months = [parse_range(f"2026-{month:02}", NOW, zone) for month in range(1, 13)]
    assert (months[0][0], months[-1][1]) == year
    assert all(a[1] == b[0] for a, b in pairwise(months))


def test_late_and_early_writes_fall_into_the_reader_s_days() -> None:
    for zone in ZONES:
        late, early = canonical("2026-03-28 23:30", zone), canonical("2026-03-29 00:30", zone)
        start, end = parse_range("2026-03-28", NOW, zone)
        assert late is not None
        assert early is not None
        assert start <= late < end <= early
        assert local(late, zone)[:10] == "2026-03-28"
        assert local(early, zone)[:10] == "2026-03-29"


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("yesterday", "2026-06-17T00:00:00.000Z"),
        ("2026-03", "2026-04-01T00:00:00.000Z"),
        ("yesterday 3pm", "2026-06-16T16:00:00.000Z"),
        ("2 weeks ago", "2026-06-04T00:00:00.000Z"),
        ("now", "2026-06-17T10:30:00.001Z"),
        ("7d", "2026-06-10T10:30:00.001Z"),
        ("3 hours ago", "2026-06-17T07:30:00.001Z"),
    ],
)
def test_until_includes_what_is_named_and_a_span_counts_as_its_beginning(text: str, bound: str) -> None:
    assert parse_until(text, NOW, UTC) == bound


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "soon", "2026-13", "2026-02-30", "0000", "2026-W54", "25:00", "13pm", "0am", "31 february", "q5"],
        *[
            "yesterday 5",
            "05/03/2026",
            "7",
            "7 x",
            "7dd",
            "last",
            "ago",
            "days ago",
            "before 2026",
            "between may",
            "last may 2020",
        ],
        *["3 days before", "3 days before soon", "from may", "..", "2026-03..", "2026-05..2026-03", "last week 3pm"],
        *["\0", "\ud800", "🙂", "x" * 10240, "1 day before " * 500 + "today", "between " * 500, "9" * 400 + "d"],
        *["٣ days ago", "2026-03-05T14:00+99:00", "9999999999999999999"],
    ],
)
def test_what_names_no_time_is_an_error_with_two_examples(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_range(text, NOW, UTC)
    assert "is not a time" in caught.value.message or "ends before it begins" in caught.value.message
    assert caught.value.hint.count('"') == 4
    assert len(caught.value.message) < 400
    caught.value.message.encode()


def test_the_error_names_the_part_that_is_not_a_time() -> None:
    with pytest.raises(UsageError, match=r"^'whenever' is not a time$"):
        parse_range("between may and whenever", NOW, UTC)


_WORDS = st.sampled_from(
    "last next this past 3 a 2026 2026-03 05 15:00 3pm at tuesday march q2 week days d mo ago before after between and "
    "from to .. now today in on the y 0001 9999 999999999 hours".split()
)


@given(st.text(max_size=40) | st.lists(_WORDS, max_size=7).map(" ".join), st.sampled_from(ZONES))
def test_an_expression_is_a_range_or_a_usage_error(text: str, zone: timezone) -> None:
    try:
        start, end = parse_range(text, NOW, zone)
    except UsageError:
        return
    assert canonical(start) == start
    assert canonical(end) == end
    assert start <= end or "from now" in text or "in " in text
    assert parse_instant(text, NOW, zone) == start


@pytest.mark.parametrize("zone", ZONES)
def test_what_is_shown_can_be_read_back(zone: timezone) -> None:
    assert parse_instant(local(NOW, zone), NOW, UTC) == NOW
