"""What holds now comes first: which of two statements is the later word about a thing, and which deny each other."""

from __future__ import annotations

import pytest

from muniment.recall.lanes.contract import Held
from muniment.recall.truth import Statement, against, asks_for_value, current_first

ME = ("user", "ana")
WORDS = ("budget", "kitchen")


def says(event: int, text: str, who: tuple[str, str] = ME, day: int | None = None, wishes: bool = False) -> Statement:
    return Statement(event, who, (f"2026-03-{day or event:02d}", "s", event), text.lower(), wishes)


def held(*statements: Statement, words: tuple[str, ...] = WORDS) -> list[Held]:
    """What each of the question's words is held by."""
    return [Held((w,), 1.0, {s.event: 1 for s in statements if w in s.text}) for w in words]


def moves(question: str, *statements: Statement) -> list[tuple[int, int]]:
    return current_first(question, statements, held(*statements))


OLD, NEW = says(1, "The kitchen budget is 500 euros."), says(2, "The kitchen budget is 800 euros.")
ASKED = "What is the kitchen budget?"


def test_the_later_value_goes_before_the_earlier() -> None:
    assert moves(ASKED, OLD, NEW) == [(1, 0)]
    assert moves(ASKED, NEW, OLD) == []


def test_a_change_that_is_said_counts_without_a_number() -> None:
    later = says(2, "The kitchen budget was increased a bit.")
    assert moves(ASKED, OLD, later) == [(1, 0)]
    assert moves(ASKED, OLD, says(2, "The kitchen budget is a nice thing.")) == []


@pytest.mark.parametrize(
    "later",
    [
        says(2, "The kitchen budget is 800 euros.", ("assistant", "bot")),
        says(2, "The kitchen budget is 500 euros."),
        says(2, "My bathroom costs 800 euros."),
        says(2, "The kitchen budget is 800 euros.", day=1),
    ],
    ids=["somebody else", "the same number", "another thing", "the same moment and a later event"],
)
def test_what_is_no_later_word_of_the_same_about_the_same_stays_where_it_is(later: Statement) -> None:
    first = says(3, "The kitchen budget is 500 euros.", day=1) if later.at[0].endswith("01") else OLD
    assert moves(ASKED, first, later) == []


def test_a_wish_is_not_replaced_by_a_later_value() -> None:
    assert moves(ASKED, says(1, "Always keep the kitchen budget at 500 euros.", wishes=True), NEW) == []


@pytest.mark.parametrize(
    "question",
    ["What was the kitchen budget originally?", "How did the kitchen budget differ between March and May?",
     "Compare the kitchen budget and the bathroom budget", "kitchen budget", "When did the kitchen budget pass?"],
)  # fmt: skip
def test_a_question_about_another_time_keeps_the_order(question: str) -> None:
    assert not asks_for_value(question)
    assert moves(question, OLD, NEW) == []


@pytest.mark.parametrize(
    "question", [ASKED, "How many eggs do we need?", "is it still 500", "the latest kitchen budget"]
)
def test_a_question_for_what_holds_now_is_known(question: str) -> None:
    assert asks_for_value(question)


def test_of_three_the_newest_comes_first() -> None:
    newest = says(3, "The kitchen budget is 900 euros.")
    listed = [OLD, NEW, newest]
    order = [0, 1, 2]
    for later, earlier in moves(ASKED, *listed):
        order.remove(later)
        order.insert(order.index(earlier), later)
    assert order.index(2) < order.index(0)
    assert order.index(1) < order.index(0)


def test_what_denies_and_what_says_it_are_a_pair_where_yes_or_no_is_asked() -> None:
    yes, no = says(1, "I have painted the kitchen on a budget."), says(2, "I have never painted a kitchen on a budget.")
    words = held(yes, no)
    assert against("Have I painted the kitchen on a budget?", [yes, no], words) == [(0, 1)]
    assert against("Have I painted the kitchen on a budget?", [no, yes], words) == [(0, 1)]
    assert against("When have I painted the kitchen?", [yes, no], words) == []
    assert against("Have I painted the kitchen on a budget?", [yes, yes], words) == []


def test_only_words_of_one_speaker_about_the_same_speak_against_each_other() -> None:
    yes = says(1, "I have painted the kitchen on a budget.")
    other = says(2, "I have never painted a kitchen on a budget.", ("assistant", "bot"))
    apart = says(3, "I have never been to Rome.")
    question = "Have I painted the kitchen on a budget?"
    assert against(question, [yes, other, apart], held(yes, other, apart)) == []


def test_only_the_first_ten_are_looked_at() -> None:
    fill = [says(n, f"Nothing of it, number {n}.") for n in range(3, 12)]
    assert moves(ASKED, OLD, *fill, NEW) == []
    assert moves(ASKED, OLD, *fill[:8], NEW) == [(9, 0)]
