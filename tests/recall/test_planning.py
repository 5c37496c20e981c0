"""What a question asks, read without a model: its shape, its parts, its terms."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recall.questions import QUESTIONS

from muniment.recall.planning import content_terms, read_question
from muniment.recall.shapes import Shape

BY_SHAPE = [(shape, line.strip()) for shape, lines in QUESTIONS.items() for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("shape", "question"), BY_SHAPE)
def test_a_question_has_the_shape_of_its_answer(shape: str, question: str) -> None:
    assert read_question(question).shape == shape


def test_every_shape_has_its_questions() -> None:
    assert set(QUESTIONS) == {shape.value for shape in Shape}
    assert all(len(set(lines.strip().splitlines())) >= 15 for lines in QUESTIONS.values())


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What did Ana say about the budget and how did Ben react to the delay?",
            ["What did Ana say about the budget", "how did Ben react to the delay?"],
        ),
        ("why did we reject yarn, and who decided it?", ["why did we reject yarn", "who decided it?"]),
        ("Did the build pass and is the cache warm?", ["Did the build pass", "is the cache warm?"]),
        (
            "Which port does the api use, what is the timeout, and where is it set?",
            ["Which port does the api use, what is the timeout", "where is it set?"],
        ),
        ("When and where did Ana meet Ben?", ["When did Ana meet Ben?", "where did Ana meet Ben?"]),
        (
            "who, when and why changed the port",
            ["who changed the port", "when changed the port", "why changed the port"],
        ),
        ("compare yarn and npm", ["yarn", "npm"]),
        (
            "Compare Postgres with SQLite for the event store",
            ["Postgres for the event store", "SQLite for the event store"],
        ),
        ("what is the difference between the lexer and the parser?", ["lexer?", "the parser?"]),
        ("yarn vs npm", ["yarn", "npm"]),
        ("is yarn vs npm faster in CI", ["is yarn faster in CI", "is npm faster in CI"]),
        ("Ada Lovelace vs. Grace Hopper", ["Ada Lovelace", "Grace Hopper"]),
        ("Did both Ana and Ben like the plan?", ["Did Ana like the plan?", "Did Ben like the plan?"]),
        ("do both the reader and the writer lock", ["do reader lock", "do writer lock"]),
        ("What do Ana and Ben have in common?", ["What do Ana have in common?", "What do Ben have in common?"]),
        ("What did Ana and Ben both buy?", ["What did Ana buy?", "What did Ben buy?"]),
        ("I lost my keys. Where did I put them?", ["I lost my keys.", "Where did I put them?"]),
        ("Who wrote it?\nWhen was it merged?", ["Who wrote it?", "When was it merged?"]),
        ("Which port do we use? Answer briefly.", ["Which port do we use?"]),
        ("Did Dr. Smith call? Mrs. Jones did.", ["Did Dr. Smith call?", "Mrs. Jones did."]),
    ],
)
def test_a_compound_question_is_taken_apart(question: str, parts: list[str]) -> None:
    assert list(read_question(question).parts) == parts


@pytest.mark.parametrize(
    "question",
    [
        "where do we keep the retry policy",
        "which port does the api use now",
        "why did we reject yarn",
        "What areas has Ben been to or is planning to go to?",
        "what are the pros and cons of yarn",
        "Did Ana and Ben meet in Oslo?",
        "is it v1.2.3 or e.g. 2.0",
        "research and development budget",
        "who and where",
        "read and write locks in src/store.py",
        "What did Ana want and need",
        "terms and conditions",
        "both",
        "and",
        "vs",
        "compare",
        "?",
        "",
    ],
)
def test_a_question_that_is_one_stays_whole(question: str) -> None:
    assert read_question(question).parts == (question,)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("where do we keep the retry policy", "keep retry policy"),
        ("which port does the api use now", "port api use now"),
        ("What's Ana's budget for the trip?", "ana budget trip"),
        ("who calls getUserName in src/billing/reader.ts", "calls getusername src/billing/reader.ts"),
        ("why don't we use yarn, and won't we ever", "use yarn"),
        ("what did Will say to May", "will may"),
        ("will we deploy", "deploy"),
        ("who won the vote", "won vote"),
        ("What Is The Best Way To Do It", "best way"),
        ("budget, Budget and BUDGET", "budget"),
        ("Which port do we use? Answer briefly.", "port use"),
        ("is it?", "is it"),
        ("who", "who"),
        ("検索 の 設定", "検索 の 設定"),
        ("", ""),
    ],
)
def test_terms_carry_the_topic_and_nothing_is_left_without(question: str, terms: str) -> None:
    assert " ".join(read_question(question).terms) == terms


FLAGS = {"first": "is_first_person", "past": "is_past", "now": "is_current", "not": "is_negated"}


@pytest.mark.parametrize(
    ("question", "flags"),
    [
        ("where do we keep the retry policy", "first"),
        ("which port does the api use now", "now"),
        ("what did I originally plan", "first past"),
        ("what did we use before yarn", "first past"),
        ("who used to own the parser", "past"),
        ("is the cache still on", "now"),
        ("what is the latest version", "now"),
        ("what have I never eaten", "first not"),
        ("why don't we use yarn", "first not"),
        ("which tests run without a network", "not"),
        ("my previous editor", "first past"),
        ("what did Ana say", ""),
        ("the know-how of Nora", ""),
        ("does Ben no longer use it", "past not"),
        ("what's our current port", "first now"),
        ("mine", "first"),
        ("It's me", "first"),
    ],
)
def test_whose_and_which_time_are_read_from_words(question: str, flags: str) -> None:
    asked = read_question(question)
    assert {name for name, field in FLAGS.items() if getattr(asked, field)} == set(flags.split())


WORDS = st.sampled_from(
    """what when where who why how did do is are we I Ana Ben and or both vs compare between with to the a budget yarn
    never not used before now still list which many ? . , ; can you tell me remember Dr. Mrs. \n""".split(" ")
)
TEXTS = st.text() | st.lists(WORDS, max_size=25).map(" ".join)


@given(TEXTS)
def test_any_text_is_a_question(text: str) -> None:
    asked = read_question(text)
    assert asked == read_question(text)
    assert asked.parts
    assert len(asked.terms) == len(set(asked.terms))
    assert bool(asked.terms) == bool(re.search(r"[^\W_]", text))


@given(TEXTS)
def test_a_part_says_nothing_that_was_not_asked(text: str) -> None:
    asked = read_question(text)
    said = set(re.findall(r"[^\W_]+", asked.text))
    assert all(set(re.findall(r"[^\W_]+", part)) <= said for part in asked.parts)


@given(TEXTS)
def test_terms_are_words_of_the_text(text: str) -> None:
    tidy = " ".join(text.replace("’", "'").split()).lower()
    assert all(term in tidy for term in content_terms(text)) or not text.isascii()
