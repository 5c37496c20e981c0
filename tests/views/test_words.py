"""The small pieces: cut, clock, length, and lines that fit."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from muniment.views.words import between, clock, counted, cut, day_and_time, fitted, length, size

EAST = timezone(timedelta(hours=2))
AT = "2026-03-05T23:30:09.500Z"


def test_times_are_told_in_the_readers_zone():
    assert day_and_time(AT, EAST) == "2026-03-06 01:30:09+02:00"
    assert clock(AT, EAST) == "01:30:09"
    assert between(AT, None, EAST) == "2026-03-06 01:30:09+02:00 to now"


@pytest.mark.parametrize(
    ("ms", "told"),
    [(0, "0 ms"), (999, "999 ms"), (1500, "1.5 s"), (90_000, "2 min"), (5_400_000, "1.5 h")],
)
def test_a_length_is_told_in_the_unit_that_fits_it(ms, told):
    assert length(ms) == told


def test_numbers_agree_with_their_noun():
    assert [counted(n, "session") for n in (0, 1, 1200)] == ["0 sessions", "1 session", "1,200 sessions"]
    assert counted(2, "source holds", "sources hold") == "2 sources hold"


def test_a_cut_says_how_much_is_missing_and_leaves_one_line():
    assert cut("ab\ncd", 5) == (r"ab\ncd", ())
    assert cut("ab\ncd", 3) == (r"ab\n", ("cut:+2",))


def test_lines_fit_by_their_bytes_and_the_first_that_does_not_ends_it():
    assert size("é") == 2
    assert fitted(["é", "abc", "d"], 6) == (["é"], 3)
    assert fitted(["é", "abc", "d"], 7) == (["é", "abc"], 0)
    assert fitted(["é"], 0) == ([], 0)
