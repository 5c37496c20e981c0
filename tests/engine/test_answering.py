"""From ranked candidates to an answer: never a byte too many, nothing lost between two parts, copies named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.engine import place
from muniment.engine.answering import Choice, Form, abstain, lay_out, placed
from muniment.engine.place import Place
from muniment.errors import UsageError
from muniment.views.found import HEAD

NOW = "2026-03-05T12:00:00.000Z"
PLACE = Place("what of words", NOW)


def turn(n: int, text: str = "", **more) -> Choice:
    text = text or f"Turn {n} says something of its own about words, number {n * 7919}."
    return Choice("event", f"s:{n}", text, 1 / (n + 1), {"said": (n + 1, 9.0 - n)}, "user", "person", at=NOW, **more)


def asked(budget: int = 4096, at: Place = PLACE, **more) -> Form:
    return Form(
        at.words, lambda n, last: at.after(n, last).encode(), budget, ("words",), skip=at.shown, last=at.last, **more
    )


TURNS = [turn(n) for n in range(30)]


def test_the_frame_comes_first_and_the_next_step_last():
    lines = lay_out(TURNS[:3], asked()).finding.text.splitlines()
    assert lines[0] == HEAD
    assert [line.split("\t")[0] for line in lines[1:4]] == ["s:0", "s:1", "s:2"]
    assert lines[4:] == ["Next: muniment read s:0 --context 2"]


@given(st.integers(0, 100_000), st.integers(0, 30), st.one_of(st.none(), st.integers(0, 40)))
def test_never_a_byte_over_the_budget_and_all_is_accounted_for(budget, count, limit):
    finding = lay_out(TURNS[:count], asked(budget, limit=limit)).finding
    assert finding.bytes <= budget
    assert len(finding) + finding.left_out == count
    assert limit is None or len(finding) <= limit
    assert (finding.cursor is not None) == (finding.left_out > 0 or budget == 0)
    assert not finding.text or finding.text.endswith("\n")
    assert [hit.row for hit in finding] == [line for line in finding.text.splitlines() if "\t" in line]


def test_a_larger_budget_gives_no_fewer_rows():
    counts = [len(lay_out(TURNS, asked(budget)).finding) for budget in range(0, 6000, 20)]
    ends = 400  # bytes of the frame and of the end, which may come in where there was no room for them before
    assert all(a <= b for a, b in zip(counts, counts[ends // 20 :], strict=False))
    assert (counts[0], counts[-1]) == (0, 30)


def test_nothing_at_all_is_said_at_budget_0_but_the_handle():
    finding = lay_out(TURNS, asked(0)).finding
    assert (finding.text, len(finding), finding.left_out, finding.reason) == ("", 0, 30, None)
    assert place.decode(finding.cursor) == PLACE


def test_a_budget_too_small_for_a_row_says_so():
    assert "not even the next row fits in 20 bytes" in lay_out(TURNS, asked(20)).finding.reason


@pytest.mark.parametrize("budget", [400, 700, 1500])
def test_the_parts_of_an_answer_are_the_answer(budget):
    at, names = PLACE, []
    while True:
        finding = lay_out(TURNS, asked(budget, at)).finding
        names += [hit.id for hit in finding]
        if finding.cursor is None:
            break
        at = place.decode(finding.cursor)
    assert names == [c.receipt for c in TURNS]


def test_going_on_begins_behind_the_last_hit_wherever_it_stands_now():
    at = PLACE.after(3, "s:2")
    assert lay_out([turn(99), *TURNS], asked(at=at)).finding.hits[0].id == "s:3"
    assert lay_out([c for c in TURNS if c.receipt != "s:2"], asked(at=at)).finding.hits[0].id == "s:4"


def test_going_on_loses_nothing_where_the_earlier_part_counts_as_received():
    received = [replace(c, fate="seen") for c in TURNS[:3]] + TURNS[3:]
    assert lay_out(received, asked(at=PLACE.after(3, "s:2"))).finding.hits[0].id == "s:3"


def test_copies_are_shown_once_and_named():
    listed = [turn(0, "We use Vitest."), turn(1), turn(2, "we use VITEST"), turn(3, "We do not use Vitest.")]
    laid = lay_out(listed, asked())
    assert laid.fates == ("shown", "shown", "near-copy:s:0", "shown")
    assert laid.finding.hits[0].marks == ("alike:+1", "alike:s:2")
    assert laid.finding.hits[0].row.endswith("\talike:+1")


def test_a_standing_is_the_first_mark_and_keeps_copies_apart():
    old = replace(turn(1, "We use Vitest."), standing="superseded", marks=("by:0ABC",))
    laid = lay_out([turn(0, "We use Vitest."), old], asked())
    assert [hit.marks for hit in laid.finding] == [(), ("superseded", "by:0ABC")]


def test_what_has_a_fate_is_not_shown_and_keeps_it():
    laid = lay_out([turn(0, fate="seen"), turn(1), *TURNS[2:20]], asked(limit=1))
    assert laid.fates[:3] == ("seen", "shown", "cut")
    assert [p.fate for p in placed([turn(0, fate="seen"), turn(1)], laid.fates[:2])] == ["seen", "shown"]
    assert laid.finding.left_out == 18


def test_nothing_found_names_the_reason_and_the_nearest_miss():
    finding = abstain(asked(), "the word 'zebra' stands nowhere", TURNS[0])
    first, step = finding.text.splitlines()
    assert first.startswith(
        "nothing found: the word 'zebra' stands nowhere; nearest: s:0  user  2026-03-05 12:00  Turn 0"
    )
    assert step == "Next: muniment search --no-floor -- 'what of words'"
    assert (finding.nearest.id, len(finding), finding.cursor) == ("s:0", 0, None)


@pytest.mark.parametrize("budget", range(0, 400, 9))
def test_nothing_found_keeps_to_the_budget_too(budget):
    finding = abstain(asked(budget), "nobody knows", TURNS[0])
    assert finding.bytes <= budget
    assert finding.reason == "nobody knows"


@given(
    st.text(st.characters()), st.integers(0, 10**6), st.text(), st.booleans(), st.lists(st.text(), max_size=3),
    st.one_of(st.none(), st.text()),
)  # fmt: skip
def test_a_handle_is_read_back_as_it_was_written(words, shown, last, floor, include, unseen):
    at = replace(PLACE, words=words, floor=floor, include=tuple(include), unseen=unseen).after(shown, last)
    assert place.decode(at.encode()) == at
    assert at.encode().replace(".", "").replace("-", "").replace("_", "").isalnum()


def test_a_handle_is_short():
    assert len(PLACE.after(10, "a" * 40 + ":5").encode()) <= 60


@pytest.mark.parametrize(
    "rare", ['{"shown":1}', '{"floor":1}', '{"include":"x"}', "[]", '{"unseen":null}', "[" * 10_000]
)
def test_a_handle_with_other_fields_is_refused(rare):
    from base64 import urlsafe_b64encode

    body = f"18 1  {rare}\0words"
    forged = "s1." + urlsafe_b64encode((place.mark(body)[:4] + body).encode()).decode().rstrip("=")
    with pytest.raises(UsageError, match="not a cursor of a search"):
        place.decode(forged)


@pytest.mark.parametrize(
    "text", ["", "s1.", "m1.abc", "s1.%%%", "s1.W10", "s1." + "W1td" * 10_000, PLACE.encode()[:20]]
)
def test_what_is_no_handle_is_refused(text):
    with pytest.raises(UsageError, match="not a cursor of a search"):
        place.decode(text)
