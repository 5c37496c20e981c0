from __future__ import annotations

import pytest
from tests.capture.extract_cases import archived, call, drafts, joined, result

from muniment.capture.extract import talk
from muniment.model.entity import SELF, Entity
from muniment.model.event import Origin, Role, Span
from muniment.model.fact import Draft


def prompt(text, *, role=Role.USER, origin=Origin.PERSON, kind="prompt", **more):
    return drafts(archived(text, role=role, origin=origin, kind=kind, **more))


def test_a_prompt_of_the_person_asks_with_the_highest_rung() -> None:
    assert prompt("\nFix it.\n\nThen rest.") == [
        Draft("asked", Entity("person", "me"), Span(1, 8), literal="Fix it.", rung=3)
    ]


@pytest.mark.parametrize("origin", [Origin.AGENT, Origin.IMPORT, Origin.MODEL])
def test_a_prompt_of_anybody_else_asks_for_its_session(origin) -> None:
    assert prompt("Fix it.", origin=origin) == [Draft("asked", SELF, Span(0, 7), literal="Fix it.", rung=0)]


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("a\nb\n\nc", "a\nb"),
        ("a\r\n\r\nb", "a"),
        ("a\n \t\nb", "a"),
        ("a\n> b", "a"),
        ("a:\n```\nx\n```", "a:"),
        ("> said\n> he\n\nWhy?", "Why?"),
        ("```py\nx\n\ny\n```\nWhy?", "Why?"),
        ("<note>\nx\n\ny\n</note> Why?", "Why?"),
        ("<div> is open", "<div> is open"),
        ("a < b and b > c", "a < b and b > c"),
        ("word " * 200, ("word " * 100).rstrip()),
        ("w" * 499 + " more", "w" * 499),
        ("w" * 500 + " more", "w" * 500),
        ("ab " + "w" * 600, "ab"),
        ("w" * 900, "w" * 500),
    ],
)
def test_the_first_own_paragraph_is_the_question(text, literal) -> None:
    (draft,) = prompt(text)
    assert draft.literal == literal


@pytest.mark.parametrize("text", ["", " \n ", "> quoted\n> only", "```\ncode\n```", "```\nopen", "<a>\nx\n</a>\n"])
def test_a_prompt_without_words_of_its_own_asks_nothing(text) -> None:
    assert prompt(text) == []


def test_harnesses_and_injected_words_never_ask() -> None:
    assert prompt("Fix it.", flags=("injected",)) == []
    assert prompt("Fix it.", role=Role.HARNESS) == []
    assert prompt("Fix it.", origin=Origin.HARNESS) == []
    assert prompt("Fix it.", role=Role.ASSISTANT) == []
    assert prompt("Fix it.", kind="command") == []


@pytest.mark.parametrize("action", ["delegate", "message"])
def test_a_message_is_sent_by_the_session(action) -> None:
    made = call(action, {"to": "code reviewer", "prompt": "Look at it. " * 100})
    expected = Draft(
        "sent",
        SELF,
        Span(len(action) + 15, len(action) + 515),
        literal=("Look at it. " * 100)[:500],
        context="to:code_reviewer",
    )
    assert drafts(made) == [expected]
    assert drafts(made, result("done", ok=True)) == [expected]
    assert drafts(made, result("no such agent", ok=False)) == []


def test_a_message_to_nobody_named_has_no_context() -> None:
    (draft,) = drafts(call("message", {"prompt": "hello"}))
    assert (draft.literal, draft.context) == ("hello", "")


def test_the_item_taken_up_is_claimed() -> None:
    assert drafts(joined("plan", {"active": "Write tests"}, "ok")) == [
        Draft("claimed", SELF, Span(5, 16), literal="Write tests")
    ]
    assert drafts(call("plan", {"todos": "x"})) == []


def test_a_long_prompt_of_open_tags_is_looked_at_in_linear_time() -> None:
    assert talk.first_paragraph("<a>" * 200_000) == Span(0, 500)
