"""R55: two writes around local midnight, in odd zones and on both sides of the clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from tests.support import archive, said, values

from muniment.engine import viewing
from muniment.engine.asking import query

FIXED = {
    "UTC-8": timezone(timedelta(hours=-8)),
    "UTC+5:45": timezone(timedelta(hours=5, minutes=45)),
    "UTC+14": timezone(timedelta(hours=14)),
}
CHANGES = {"spring": (ZoneInfo("Europe/Berlin"), "2026-03-29"), "autumn": (ZoneInfo("Europe/Berlin"), "2025-10-26")}


def utc(day, time, zone):
    local = datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=zone)
    return local.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def told(make_engine, clock, zone, day, after):
    """A store with a prompt at 23:30 of a day and one at 00:30 of the next, as the reader's zone has them."""
    engine = make_engine(zone=zone)
    clock.set("2026-06-01")
    archive(engine, [said("s", 0, utc(day, "23:30", zone), "late"), said("s", 1, utc(after, "00:30", zone), "early")])
    return engine


@pytest.mark.parametrize("zone", FIXED.values(), ids=FIXED)
def test_a_day_is_the_reader_s_day(make_engine, clock, zone):
    engine = told(make_engine, clock, zone, "2026-03-04", "2026-03-05")
    assert values(query(engine, "since:2026-03-04 until:2026-03-04").text) == ["late"]
    assert values(query(engine, "since:2026-03-05 until:2026-03-05").text) == ["early"]
    assert values(query(engine, "since:2026-03-04 until:2026-03-05").text) == ["early", "late"]
    assert "late" in viewing.timeline_text(engine, "2026-03-04")
    assert "early" not in viewing.timeline_text(engine, "2026-03-04")


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_day_of_23_or_25_hours_is_one_day(make_engine, clock, change):
    zone, day = change
    before = (datetime.fromisoformat(day) - timedelta(days=1)).date().isoformat()
    engine = told(make_engine, clock, zone, before, day)
    assert values(query(engine, f"since:{day} until:{day}").text) == ["early"]
    archive(engine, [said("t", 0, utc(day, "23:59:59.999", zone), "last")])
    assert sorted(values(query(engine, f"since:{day} until:{day}").text)) == ["early", "last"]


def test_what_is_stored_has_one_form_in_every_zone(make_engine, clock):
    for n, zone in enumerate(FIXED.values()):
        engine = make_engine(f"p{n}", zone=zone)
        archive(engine, [said("s", 0, utc("2026-03-04", "23:30", zone), "late")])
        (at,) = engine.store().db.rows("SELECT at FROM events")[0]
        assert len(at) == 24
        assert at.endswith("Z")


def test_bounds_are_inclusive_as_written(engine, clock):
    archive(engine, [said("s", n, f"2026-03-04T10:0{n}:00.000Z", f"m{n}") for n in range(4)])
    assert values(query(engine, "since:2026-03-04T10:01 until:2026-03-04T10:02").text) == ["m2", "m1"]
