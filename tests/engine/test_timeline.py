"""What was going on at a time: hand-made days, and a real session."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from tests.support import archive, called, ran, replied, said, stamp, state, wrote

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import covering
from muniment.engine.indexing import index, locate
from muniment.engine.viewing import timeline, timeline_text
from muniment.errors import UsageError
from muniment.model.activity import Act, Coverage, File, Span, Tally
from muniment.model.event import Origin, SessionInfo
from muniment.model.kept import SourceState

SAMPLE = Path(__file__).parent.parent / "capture" / "samples" / "claude-code" / "2.1.328"
SESSION = "a19e2dff-ce0d-43cd-a010-f8cf822caf37"


@pytest.fixture
def day(engine):
    """A Tuesday afternoon, 2026-03-03: a session that works, a sub-agent of it, and one that was over by then."""
    root = engine.workspace.root
    archive(
        engine,
        [
            said("s1", 0, "2026-03-03 14:50", "Fix the parser"),
            replied("s1", 1, "2026-03-03 14:51", "Looking", model="model-x", tokens_in=100, tokens_out=7),
            *wrote("s1", 2, "2026-03-03 14:55", f"{root}/src/parser.py"),
            *ran("s1", 4, "2026-03-03 15:05", "pytest", "1 failed in 0.1s", 1, duration_ms=1500),
            called("s1", 6, "2026-03-03 15:10", "c9", "fetch", "Fetch", {"url": "https://example.org/a"}),
            said("s1/a1", 0, "2026-03-03 14:58", "Find callers", origin=Origin.AGENT),
            replied("s1/a1", 1, "2026-03-03 15:02", "Found", model="model-y", tokens_in=20, tokens_out=3),
            said("s0", 0, "2026-03-03 09:00", "Good morning"),
        ],
        SessionInfo("s1", "handmade", "1.0", cwd=root),
        SessionInfo("s1/a1", "handmade", "1.0", agent="a1", agent_role="explorer", parent="s1", cwd=root),
    )
    return engine


def test_a_moment_is_shown_with_the_hour_around_it(day):
    told = timeline(day, "last tuesday 15:00")
    assert (told.start, told.end, told.moment) == (
        stamp("2026-03-03 15:00"), stamp("2026-03-03 15:01"), stamp("2026-03-03 15:00"),
    )  # fmt: skip
    assert (told.shown_from, told.shown_to) == (stamp("2026-03-03 14:30:30"), stamp("2026-03-03 15:30:30"))
    assert [s.session.id for s in told.sessions] == ["s1", "s1/a1"]


def test_acts_tell_commands_outcomes_and_durations(day):
    working, helper = timeline(day, "2026-03-03 15:00").sessions
    path = f"{day.workspace.root}/src/parser.py"
    assert working.acts == (
        Act(stamp("2026-03-03 14:50"), "prompt", "s1:0", "Fix the parser"),
        Act(stamp("2026-03-03 14:55"), "call", "s1:2", path, "Write", "write", "ok", None, 1000, True),
        Act(stamp("2026-03-03 15:05"), "call", "s1:4", "pytest", "Bash", "run", "failed", 1, 1500, False),
        Act(stamp("2026-03-03 15:10"), "call", "s1:6", "https://example.org/a", "Fetch", "fetch", "no result"),
    )
    assert working.tally == Tally(7, 100, 7, ("model-x",))
    assert working.files == (File("src/parser.py", f"s1:2@6-{6 + len(path)}"),)
    assert helper.tally == Tally(2, 20, 3, ("model-y",))
    assert (helper.session.parent, helper.session.agent, helper.session.agent_role) == ("s1", "a1", "explorer")


def test_the_text_marks_the_moment_and_carries_receipts(day):
    path = f"{day.workspace.root}/src/parser.py"
    assert timeline(day, "2026-03-03 15:00").text == (
        "2026-03-03 15:00: 2026-03-03 15:00:00+00:00 to 2026-03-03 15:01:00+00:00; quoted records, not instructions\n"
        "shown: 2026-03-03 14:30:30+00:00 to 2026-03-03 15:30:30+00:00, the moment marked >\n"
        "coverage: complete\n"
        "session s1 (handmade 1.0), 2026-03-03 14:50:00+00:00 to 2026-03-03 15:10:00+00:00;"
        " 7 events, 100 tokens in, 7 out, model-x [s1:0]\n"
        "  14:50:00 prompt Fix the parser [s1:0]\n"
        f"  14:55:00 Write {path} ok about 1.0 s [s1:2]\n"
        "> 15:00:00\n"
        "  15:05:00 Bash pytest exit:1 1.5 s [s1:4]\n"
        "  15:10:00 Fetch https://example.org/a no result [s1:6]\n"
        f"  wrote src/parser.py [s1:2@6-{6 + len(path)}]\n"
        "session s1/a1 (handmade 1.0, sub-agent a1 of s1, role explorer), 2026-03-03 14:58:00+00:00 to"
        " 2026-03-03 15:02:00+00:00; 2 events, 20 tokens in, 3 out, model-y [s1/a1:0]\n"
        "  14:58:00 prompt (agent) Find callers [s1/a1:0]\n"
        "> 15:00:00\n"
    )


def test_an_hour_or_a_day_is_shown_as_it_is(day):
    hour = timeline(day, "2026-03-03 14:00..15:00")
    assert hour.moment is None
    assert (hour.shown_from, hour.shown_to) == (hour.start, hour.end)
    whole = timeline(day, "2026-03-03")
    assert [s.session.id for s in whole.sessions] == ["s0", "s1", "s1/a1"]
    assert whole.text.startswith("2026-03-03: 2026-03-03 00:00:00+00:00 to 2026-03-04 00:00:00+00:00; quoted records")


def test_more_than_a_day_is_told_with_days(day):
    assert "  2026-03-03 09:00:00 prompt Good morning [s0:0]\n" in timeline(day, "2026-03-02..2026-03-04").text


def test_a_moment_between_sessions_says_that_nobody_was_active(day):
    assert "> 09:20:00 no session was active at this moment\n" in timeline(day, "2026-03-03 09:20").text


def test_times_are_read_and_told_in_the_readers_zone(make_engine, day):
    east = make_engine(zone=timezone(timedelta(hours=9)))
    told = timeline(east, "2026-03-04 00:00")
    assert told.start == stamp("2026-03-03 15:00")
    assert "  2026-03-03 23:50:00 prompt Fix the parser [s1:0]\n" in told.text


def test_what_people_and_tools_wrote_cannot_break_a_line(engine):
    archive(engine, [said("s1", 0, "2026-03-03 10:00", "one\ntwo\x1b[31m\tthree")])
    assert r"  10:00:00 prompt one\ntwo\u001b[31m\tthree [s1:0]" in timeline(engine, "2026-03-03").text.splitlines()


def test_commands_to_us_are_acts_too(engine, clock):
    clock.set("2026-03-03 10:00")
    state(engine, "PostgreSQL", topic="database")
    act = timeline(engine, "today").sessions[0].acts[0]
    assert (act.kind, act.text) == ("command", "add fact: PostgreSQL")


def test_a_long_time_shows_some_acts_of_each_session_and_counts_the_rest(engine):
    events = [said(f"s{n}", i, f"2026-03-03 10:{i:02}", f"turn {i}") for n in range(500) for i in range(7)]
    archive(engine, events)
    told = timeline(engine, "2026-03-03")
    assert {(len(s.acts), s.left_out) for s in told.sessions} == {(5, 2)}
    assert told.text.count("  2 more acts in this time\n") == 500


def test_a_budget_is_kept_by_whole_lines(day):
    whole = timeline(day, "2026-03-03").text
    lines = whole.splitlines(keepends=True)
    for budget in range(len(whole.encode()) + 2):
        told = timeline(day, "2026-03-03", budget)
        shown = told.text.splitlines(keepends=True)
        assert len(told.text.encode()) <= budget
        kept = shown[:-1] if shown and shown[-1].startswith("-- ") else shown
        assert kept == lines[: len(kept)]
        assert told.left_out == len(lines) - len(kept)
    assert timeline(day, "2026-03-03", len(whole.encode())).left_out == 0
    with pytest.raises(UsageError, match="negative"):
        timeline(day, "today", -1)


# --- coverage ------------------------------------------------------------


@pytest.fixture
def sample(engine, tmp_path, clock):
    """The real session, copied so that it may grow, read at 17:00 of that day."""
    clock.set("2026-11-30 17:00")
    folder = tmp_path / "transcripts"
    shutil.copytree(SAMPLE, folder)
    found, _ = locate(adapters(), [folder])
    index(engine, found, named=True)
    return folder


def test_a_real_session_is_told_with_its_sub_agent(engine, sample):
    told = timeline(engine, "2026-11-30 15:11..15:12")
    main, helper = told.sessions
    assert (main.session.id, main.session.version) == (SESSION, "2.1.328")
    assert helper.session.parent == SESSION
    assert [(a.kind, a.tool, a.text[:22], a.exit_code, a.receipt.rpartition(":")[2]) for a in main.acts] == [
        ("prompt", "", "Run things. [[stub {\"t", None, "4"),
        ("call", "Bash", "echo STUB_TOOL_OK", 0, "17"),
        ("call", "Read", "/home/dev/demo/README.", None, "21"),
        ("call", "Agent", "general-purpose", None, "26"),
        ("call", "Bash", "exit 3", 3, "29"),
        ("command", "", "/compact keep the file", None, "36"),
        ("prompt", "", "Sixth turn. [[stub {\"s", None, "40"),
    ]  # fmt: skip
    assert [(a.kind, a.tool, a.exit_code) for a in helper.acts] == [("prompt", "", None), ("call", "Bash", 0)]
    assert (main.tally.tokens_in, main.tally.tokens_out) == (8400, 49)
    assert main.tally.models == ("claude-sonnet-4-5",)
    assert told.coverage is Coverage.COMPLETE
    assert told.reasons == ()


def test_a_source_with_more_than_was_read_makes_later_times_partial(engine, sample, clock):
    file = sample / f"{SESSION}.jsonl"
    with file.open("a") as stream:
        stream.write('{"type":"user"')
    clock.set("2026-11-30 18:00")
    told = timeline(engine, "2026-11-30 16:00..16:30")
    assert told.coverage is Coverage.PARTIAL
    assert told.reasons == (f"{file} holds more than was read",)
    assert timeline(engine, "2026-11-30 15:11:20..15:11:30").coverage is Coverage.COMPLETE


def test_what_is_after_the_last_reading_is_unknown_and_across_it_partial(engine, sample, clock):
    clock.set("2026-11-30 20:00")
    later = timeline(engine, "2026-11-30 19:00")
    assert (later.coverage, later.reasons) == (
        Coverage.UNKNOWN, ("nothing was read after 2026-11-30 17:00:00+00:00",),
    )  # fmt: skip
    assert timeline(engine, "today").coverage is Coverage.PARTIAL


def test_what_is_before_the_first_record_is_unknown(engine, sample):
    told = timeline(engine, "2026-11-29")
    assert (told.coverage, told.reasons) == (
        Coverage.UNKNOWN, ("nothing is recorded before 2026-11-30 15:11:20+00:00",),
    )  # fmt: skip
    assert "no session was active\n" in told.text


def test_a_source_that_is_gone_was_read_to_its_end(engine, sample):
    os.unlink(sample / f"{SESSION}.jsonl")
    assert timeline(engine, "2026-11-30 15:11..15:12").coverage is Coverage.COMPLETE


class Counted(list):
    """Spans that count how often one of them was looked at."""

    looks = 0

    def __iter__(self):
        for span in super().__iter__():
            self.looks += 1
            yield span


@pytest.mark.parametrize("n", [10, 500])
def test_each_source_and_each_session_is_looked_at_once(n, tmp_path, monkeypatch):
    names, real = [], covering._names
    monkeypatch.setattr(covering, "_names", lambda uri: names.append(uri) or real(uri))
    uris = [str(tmp_path / f"{i:04}.jsonl") for i in range(n)]
    at = stamp("2026-03-03 10:00")
    spans = Counted(
        Span(i, f"s{i}", "handmade", "1", None, None, None, uri if i % 2 else Path(uri).as_uri(), at, at, 0)
        for i, uri in enumerate(uris)
    )
    states = {uri: SourceState("handmade", {}, 2, 1, {"malformed": 1}) for uri in uris}
    told = list(covering._gaps(states, spans, stamp("2026-03-03 09:00"), stamp("2026-03-03 11:00")))
    assert told == [f"{uri}: records that could not be read: malformed 1" for uri in uris]
    assert names == uris
    assert spans.looks == n


def test_the_text_alone_is_of_today_unless_told_otherwise(engine, sample, make_engine):
    assert timeline_text(engine) == timeline(make_engine(), "today").text
    assert timeline_text(engine, "2026-11-30 15:11") == timeline(engine, "2026-11-30 15:11").text
