"""Times in running text: what is said of when, and the words that only look like it."""

from __future__ import annotations

import itertools
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.time import to_ms
from muniment.model.when import mentions, phrases

NOW = "2026-06-17T10:30:00.000Z"  # a Wednesday
BERLIN = ZoneInfo("Europe/Berlin")
HAVANA = ZoneInfo("America/Havana")


def said(text: str, zone: tzinfo = UTC, now: str = NOW) -> list[tuple[str, str, str]]:
    """Each phrase: its words, its kind (`~` when its year is open), its range with midnights cut to their date."""
    return [
        (
            text[p.start : p.end],
            p.kind + "~" * p.is_year_open,
            f"{p.since}..{p.until}".replace("T00:00:00.000Z", "").replace(":00.000Z", ""),
        )
        for p in phrases(text, now, zone)
    ]


FOUND = [
    ("last Tuesday at 3pm", "last Tuesday at 3pm", "moment", "2026-06-16T15:00..2026-06-16T16:00"),
    ("what did we do last week", "last week", "week", "2026-06-08..2026-06-15"),
    ("this month", "this month", "month", "2026-06-01..2026-07-01"),
    ("yesterday", "yesterday", "day", "2026-06-16..2026-06-17"),
    ("two days ago", "two days ago", "day", "2026-06-15..2026-06-16"),
    ("three days before 2026-05-01", "three days before 2026-05-01", "day", "2026-04-28..2026-04-29"),
    ("three days before 8 May 2023", "three days before 8 May 2023", "day", "2023-05-05..2023-05-06"),
    ("in May", "May", "month~", "2026-05-01..2026-06-01"),
    ("in May 2023", "May 2023", "month", "2023-05-01..2023-06-01"),
    ("on 8 May 2023", "8 May 2023", "day", "2023-05-08..2023-05-09"),
    ("May 8th", "May 8th", "day~", "2026-05-08..2026-05-09"),
    ("Q3 2025", "Q3 2025", "quarter", "2025-07-01..2025-10-01"),
    ("between May and June", "between May and June", "between~", "2026-05-01..2026-07-01"),
    ("from May to June", "from May to June", "between~", "2026-05-01..2026-07-01"),
    ("from 2023-01-02 to 2023-02-03", "from 2023-01-02 to 2023-02-03", "between", "2023-01-02..2023-02-04"),
    ("since March", "since March", "since", "2026-03-01..9999-12-31T23:59:59.999Z"),
    ("before June 2024", "before June 2024", "before", "0001-01-01..2024-06-01"),
    ("after 3 June 2023, what happened?", "after 3 June 2023", "after", "2023-06-04..9999-12-31T23:59:59.999Z"),
    ("the week of 8 May 2023", "week of 8 May 2023", "week", "2023-05-08..2023-05-15"),
    ("last summer", "last summer", "season", "2025-06-01..2025-09-01"),
    ("over the weekend", "weekend", "weekend", "2026-06-13..2026-06-15"),
    ("in 2022", "2022", "year", "2022-01-01..2023-01-01"),
    (
        "at 2026-03-05T14:00:09Z we saw it",
        "2026-03-05T14:00:09Z",
        "moment",
        "2026-03-05T14:00:09.000Z..2026-03-05T14:00:10.000Z",
    ),
    ("at 3pm", "3pm", "clock", "2026-06-17T15:00..2026-06-17T16:00"),
    ("this morning", "this morning", "part", "2026-06-17T05:00..2026-06-17T12:00"),
    ("around March 15", "around March 15", "day~", "2026-03-12..2026-03-19"),
    ("a couple of weeks ago", "a couple of weeks ago", "span", "2026-05-27..2026-06-11"),
    ("a few months ago", "a few months ago", "span", "2026-02-17..2026-04-18"),
    ("the week before 9 June 2023", "week before 9 June 2023", "week", "2023-06-02..2023-06-09"),
    ("the weekend before 15 July 2023", "weekend before 15 July 2023", "weekend", "2023-07-08..2023-07-10"),
    ("the Friday before 15 July 2023", "Friday before 15 July 2023", "day", "2023-07-14..2023-07-15"),
    ("the first week of May", "first week of May", "week~", "2026-05-01..2026-05-08"),
    ("the last Friday of May 2023", "last Friday of May 2023", "day", "2023-05-26..2023-05-27"),
    ("early May", "early May", "span~", "2026-05-01..2026-05-11"),
    ("mid-May", "mid-May", "span~", "2026-05-11..2026-05-21"),
    ("late 2022", "late 2022", "span", "2022-09-01..2023-01-01"),
    ("by the end of 2023", "by the end of 2023", "until", "0001-01-01..2024-01-01"),
    ("the second half of 2023", "second half of 2023", "span", "2023-07-02..2024-01-01"),
    ("yesterday evening", "yesterday evening", "part", "2026-06-16T18:00..2026-06-17"),
    ("last night", "last night", "part", "2026-06-16T18:00..2026-06-17T06:00"),
    ("on the morning of 8 May 2023", "morning of 8 May 2023", "part", "2023-05-08T05:00..2023-05-08T12:00"),
    ("Tuesday, 9 May 2023", "Tuesday, 9 May 2023", "day", "2023-05-09..2023-05-10"),
    ("Tuesday last week", "Tuesday last week", "day", "2026-06-09..2026-06-10"),
    ("in May last year", "May last year", "month", "2025-05-01..2025-06-01"),
    ("3pm yesterday", "3pm yesterday", "moment", "2026-06-16T15:00..2026-06-16T16:00"),
    ("at 3pm on Tuesday", "3pm on Tuesday", "moment", "2026-06-16T15:00..2026-06-16T16:00"),
    ("the 1990s", "1990s", "decade", "1990-01-01..2000-01-01"),
    ("in the winter of 2022", "winter of 2022", "season", "2022-12-01..2023-03-01"),
    ("since last summer", "since last summer", "since", "2025-06-01..9999-12-31T23:59:59.999Z"),
    ("the day before yesterday", "day before yesterday", "day", "2026-06-15..2026-06-16"),
    ("the day after tomorrow", "day after tomorrow", "day", "2026-06-19..2026-06-20"),
    ("past week", "past week", "span", "2026-06-10T10:30..2026-06-17T10:30"),
    ("over the past few months", "past few months", "span", "2026-02-17T10:30..2026-06-17T10:30"),
    ("last 3 days", "last 3 days", "span", "2026-06-14T10:30..2026-06-17T10:30"),
    ("3d ago", "3d ago", "day", "2026-06-14..2026-06-15"),
    ("30 minutes ago", "30 minutes ago", "moment", "2026-06-17T10:00..2026-06-17T10:01"),
    ("an hour ago", "an hour ago", "moment", "2026-06-17T09:30..2026-06-17T10:30"),
    ("May 8, 2023 at 5:30 p.m.", "May 8, 2023 at 5:30 p.m.", "moment", "2023-05-08T17:30..2023-05-08T17:31"),
    ("between May 2023 and June", "between May 2023 and June", "between", "2023-05-01..2023-07-01"),
    ("between May and June 2023", "between May and June 2023", "between", "2023-05-01..2023-07-01"),
    ("between Monday and Friday", "between Monday and Friday", "between", "2026-06-08..2026-06-13"),
    ("Monday to Friday", "Monday to Friday", "between", "2026-06-08..2026-06-13"),
    ("on Christmas Eve 2023", "Christmas Eve 2023", "day", "2023-12-24..2023-12-25"),
    ("since 2019", "since 2019", "since", "2019-01-01..9999-12-31T23:59:59.999Z"),
    ("from 2019 to 2021", "from 2019 to 2021", "between", "2019-01-01..2022-01-01"),
    ("between 2019 and 2021", "between 2019 and 2021", "between", "2019-01-01..2022-01-01"),
    ("the week before last", "week before last", "week", "2026-06-01..2026-06-08"),
    ("the weekend after 3 June 2023", "weekend after 3 June 2023", "weekend", "2023-06-10..2023-06-12"),
    ("What happened on the 8th of May?", "8th of May", "day~", "2026-05-08..2026-05-09"),
    ("until yesterday", "until yesterday", "until", "0001-01-01..2026-06-17"),
    ("from September onwards", "from September onwards", "since", "2025-09-01..9999-12-31T23:59:59.999Z"),
    ("at noon on Friday", "noon on Friday", "moment", "2026-06-12T12:00..2026-06-12T12:01"),
    ("2026/03/05", "2026/03/05", "day", "2026-03-05..2026-03-06"),
    ("in 2026-03", "2026-03", "month", "2026-03-01..2026-04-01"),
    ("in 2026-W10", "2026-W10", "week", "2026-03-02..2026-03-09"),
    ("When did Anna move in January?", "January", "month~", "2026-01-01..2026-02-01"),
    ("by June", "by June", "until", "0001-01-01..2026-07-01"),
    ("this weekend", "this weekend", "weekend", "2026-06-20..2026-06-22"),
    ("next Friday", "next Friday", "day", "2026-06-19..2026-06-20"),
    ("last year", "last year", "year", "2025-01-01..2026-01-01"),
    ("this year's plan", "this year", "year", "2026-01-01..2027-01-01"),
    ("tonight", "tonight", "part", "2026-06-17T18:00..2026-06-18T06:00"),
    ("on Sat", "Sat", "day", "2026-06-13..2026-06-14"),
    ("ten years ago", "ten years ago", "day", "2016-06-17..2016-06-18"),
    ("this past weekend", "past weekend", "weekend", "2026-06-13..2026-06-15"),
    ("in the middle of last year we", "middle of last year", "span", "2025-05-02..2025-09-01"),
    ("for the summer", "summer", "season~", "2026-06-01..2026-09-01"),
    ("we met last Fri - it was", "last Fri", "day", "2026-06-12..2026-06-13"),
    ("at 09:15 on 8 May 2023", "09:15 on 8 May 2023", "moment", "2023-05-08T09:15..2023-05-08T09:16"),
    ("the morning after 8 May", "morning after 8 May", "part~", "2026-05-09T05:00..2026-05-09T12:00"),
    ("3 Sept 2024", "3 Sept 2024", "day", "2024-09-03..2024-09-04"),
    ("on the 4th of July, 2023", "4th of July, 2023", "day", "2023-07-04..2023-07-05"),
    ("Friday of next week", "Friday of next week", "day", "2026-06-26..2026-06-27"),
    ("last March", "last March", "month", "2026-03-01..2026-04-01"),
    ("since 3pm", "since 3pm", "since", "2026-06-17T15:00..9999-12-31T23:59:59.999Z"),
    ("within the last two weeks", "last two weeks", "span", "2026-06-03T10:30..2026-06-17T10:30"),
    ("before last Christmas", "before last Christmas", "before", "0001-01-01..2025-12-25"),
    ("New Year's Eve", "New Year's Eve", "day~", "2025-12-31..2026-01-01"),
    ("until noon tomorrow", "until noon tomorrow", "until", "0001-01-01..2026-06-18T12:01"),
    ("two weekends ago", "two weekends ago", "weekend", "2026-06-06..2026-06-08"),
    ("May 3 to May 10, 2023", "May 3 to May 10, 2023", "between", "2023-05-03..2023-05-11"),
    ("from Monday through Wednesday", "from Monday through Wednesday", "between", "2026-06-15..2026-06-18"),
    ("in Q2", "Q2", "quarter~", "2026-04-01..2026-07-01"),
    ("in early 2024", "early 2024", "span", "2024-01-01..2024-05-02"),
    ("the last week of May 2023", "last week of May 2023", "week", "2023-05-25..2023-06-01"),
    ("the first day of next month", "first day of next month", "day", "2026-07-01..2026-07-02"),
    (
        "2 hours before 2026-05-01 14:00",
        "2 hours before 2026-05-01 14:00",
        "moment",
        "2026-05-01T12:00..2026-05-01T13:00",
    ),
    ("about five years ago", "five years ago", "day", "2021-06-17..2021-06-18"),
]
TRAPS = [
    "you may march on",
    "May I ask a question?",
    "this may be wrong",
    "It may 2 times fail",
    "Users may not see it",
    "Theresa May said no",
    "What did April say about June?",
    "Where did I last sat down",
    "the sun is up",
    "Sun Microsystems on Sun hardware",
    "give me a second",
    "the second attempt",
    "wait a minute",
    "at the last minute",
    "last time we met",
    "the last day of the trip",
    "next time",
    "my last name",
    "Q1: what is it?",
    "the Spring Boot app",
    "in spring boot",
    "fall back to the cache",
    "the fall of Rome",
    "march in a row",
    "they marched in step",
    "wed him in church",
    "mon ami",
    "port 2022 is open",
    "in 2022 files",
    "after 2000 users joined",
    "before 2048 tokens",
    "in 2048-bit keys",
    "since v2022.1",
    "line 10:20 of the file",
    "src/a.py:10:20",
    "the ratio is 16:10",
    "John 3:16",
    "logs/2026-03-05.log",
    "2026-03-05-notes.md",
    "version 3.2026",
    "issue 2026",
    "the 30s timeout",
    "in 10s",
    "it takes 3 days",
    "3 days of work",
    "two weeks of holiday",
    "5 may fail",
    "only 2 may enter",
    "the 8th may fail",
    "black friday",
    "Good morning!",
    "the morning was cold",
    "every weekend trip",
    "weekend trip",
    "midnight blue",
    "high noon",
    "Christmas tree",
    "a Christmas present",
    "she is 25 years old",
    "a year and a half",
    "for two hours",
    "in three days",
    "the last five commits",
    "the last week of school",
    "before the release",
    "three days before the release",
    "the week of the launch",
    "from A to B",
    "from here to there",
    "between you and me",
    "around the corner",
    "since then",
    "until done",
    "after lunch",
    "2 seconds timeout",
    "0x3am",
    "call 555-2026",
    "ISSN 2049-3630-1",
    "12026-03-05",
    "2026-13-05",
    "2026-02-30",
    "99:99",
    "25:00 at night",
    "at 25:00",
    "mayor of June Lake",
    "august company",
    "an august man",
    "the march of time",
    "a mar on the surface",
    "dec 0x10",
    "jan@example.com",
    "sat on a chair",
    "sun 3",
    "second May",
    "decision by committee",
    "the mid point",
    "early adopters",
    "late binding",
    "end of file",
    "start of the list",
    "half of it",
    "first things first",
    "quarter past",
    "past the post",
    "this one",
    "this summary",
    "current user",
    "coming soon",
    "now",
    "monday.com",
    "http://example.com/2026/03/05/post",
    "$2022",
    "#2022",
    "2022%",
    "in 20223",
    "can you mar 3 of them",
    "which may, in turn, fail",
    "what the user may or may not do",
    "I May be wrong",
    "who is May",
    "ask May about it",
    "April is a colleague",
    "for June",
    "thanks to June",
    "June said yes",
    "he marched on",
    "the march on Rome",
    "on march",
    "in order",
    "Tuesdays are busy",
    "satin and sunday-school.txt",
    "the Sun rises",
    "Sunny day",
    "a day in the life",
    "day by day",
    "one day we will",
    "week numbers",
    "weekly report",
    "monthly total",
    "month over month",
    "year by year",
    "the year was long",
    "last resort",
    "last minute change",
    "next step",
    "next token",
    "previous commit",
    "previous version",
    "past tense",
    "current branch",
    "this branch",
    "half past",
    "a few commits ago",
    "long ago",
    "ages ago",
    "some time ago",
    "version 2023.1.2",
    "commit 20230501abc",
    "user2023",
    "2023px",
    "5 mb",
    "8 gb may",
    "in 5 steps",
    "line 2023",
    "error 2003",
    "in C2022",
    "since you asked",
    "before we merged",
    "after the merge",
    "until it works",
    "between two files",
    "from main to dev",
    "spring cleaning",
    "winter coat",
]


@pytest.mark.parametrize(("text", "words", "kind", "expected"), FOUND)
def test_a_text_says_its_time(text: str, words: str, kind: str, expected: str) -> None:
    assert said(text) == [(words, kind, expected)]
    assert mentions(text)


@pytest.mark.parametrize("text", TRAPS)
def test_a_word_that_only_looks_like_a_time_says_none(text: str) -> None:
    assert said(text) == []
    assert not mentions(text)


def test_there_are_more_traps_than_a_reader_would_think_of() -> None:
    assert len(set(TRAPS)) >= 160


def test_several_times_come_in_the_order_of_the_text() -> None:
    text = "We met on 8 May 2023, again last week, and since yesterday we talk at 3pm."
    assert [words for words, _, _ in said(text)] == ["8 May 2023", "last week", "since yesterday", "3pm"]


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("on 2026-03-29", BERLIN, "2026-03-28T23:00..2026-03-29T22:00"),  # 23 hours
        ("on 25 October 2026", BERLIN, "2026-10-24T22:00..2026-10-25T23:00"),  # 25 hours
        ("on 8 March 2026", HAVANA, "2026-03-08T05:00..2026-03-09T04:00"),  # its midnight is skipped
        ("on the morning of 29 March 2026", BERLIN, "2026-03-29T03:00..2026-03-29T10:00"),
        ("the night before 29 March 2026", BERLIN, "2026-03-28T17:00..2026-03-29T04:00"),
        ("last night", BERLIN, "2026-06-16T16:00..2026-06-17T04:00"),
        ("yesterday at 3pm", BERLIN, "2026-06-16T13:00..2026-06-16T14:00"),
    ],
)
def test_a_time_is_the_reader_s_also_where_clocks_change(text: str, zone: tzinfo, expected: str) -> None:
    assert [each for _, _, each in said(text, zone)] == [expected]


@pytest.mark.parametrize(
    ("now", "text", "expected"),
    [
        ("2026-01-15T12:00:00.000Z", "this winter", "2025-12-01..2026-03-01"),
        ("2026-12-15T12:00:00.000Z", "this winter", "2026-12-01..2027-03-01"),
        ("2026-01-15T12:00:00.000Z", "last winter", "2024-12-01..2025-03-01"),
        ("2026-10-01T12:00:00.000Z", "last summer", "2026-06-01..2026-09-01"),
        ("2026-07-01T12:00:00.000Z", "last summer", "2025-06-01..2025-09-01"),
        ("2026-07-01T12:00:00.000Z", "next summer", "2027-06-01..2027-09-01"),
        ("2026-06-20T12:00:00.000Z", "over the weekend", "2026-06-20..2026-06-22"),  # a Saturday
        ("2026-06-21T12:00:00.000Z", "last weekend", "2026-06-13..2026-06-15"),
        ("2026-04-30T12:00:00.000Z", "in May", "2025-05-01..2025-06-01"),
        ("2026-05-01T00:00:00.000Z", "in May", "2026-05-01..2026-06-01"),
        ("2026-02-10T12:00:00.000Z", "between November and February", "2025-11-01..2026-03-01"),
    ],
)
def test_what_is_last_and_this_hangs_on_the_day_it_is_asked(now: str, text: str, expected: str) -> None:
    assert [each for _, _, each in said(text, now=now)] == [expected]


WORDS = st.sampled_from(
    """last this next past two 3 a few days weeks ago before after since until between from to and of the in on at may
    May March 8 8th , 2023 2023-05-08 15:00 3pm noon week weekend summer Q3 early end first monday Tue morning now
    christmas year month around half 9999 0001 31 99999 second minutes""".split()
)
TEXTS = st.text() | st.lists(WORDS, max_size=30).map(" ".join) | st.lists(WORDS, max_size=12).map("".join)
NOWS = st.sampled_from([NOW, "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2024-02-29T23:59:59.999Z"])


@given(TEXTS, NOWS, st.sampled_from([UTC, BERLIN, HAVANA]))
def test_any_text_gives_ordered_phrases_with_something_in_them(text: str, now: str, zone: tzinfo) -> None:
    found = phrases(text, now, zone)
    assert found == phrases(text, now, zone)
    assert all(0 <= p.start < p.end <= len(text) and to_ms(p.since) < to_ms(p.until) for p in found)
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


@given(TEXTS)
def test_what_has_a_phrase_in_ordinary_years_is_mentioned(text: str) -> None:
    assert mentions(text) or not phrases(text, NOW, UTC)


@pytest.mark.parametrize(
    "unit", ["last ", "three days before ", "from may to ", "the first week of ", "1:", "2026-03-"]
)
def test_the_work_grows_with_the_text_and_no_faster(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from muniment.model import dates, timereading

    looks = 0
    low = timereading.Words.low

    def counting(words: timereading.Words, at: int) -> str:
        nonlocal looks
        looks += 1
        return low(words, at)

    monkeypatch.setattr(dates.Words, "low", counting)
    counts = []
    for times in (50, 500):
        looks = 0
        phrases(unit * times, NOW, UTC)
        counts.append(looks)
    assert counts[1] < counts[0] * 11
