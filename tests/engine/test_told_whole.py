"""What people tell, the whole way: a conversation is taken in, and asked for what holds."""

from __future__ import annotations

import pytest
from tests.support import every_family_writes

from muniment import Memory
from muniment.capture.extract import registry


@pytest.fixture
def memory(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "ARE_TOLD_KEPT", True)
    every_family_writes(monkeypatch)
    with Memory.open(tmp_path, home=tmp_path) as opened:
        yield opened


def tell(memory, *texts, session="s"):
    """Take a conversation in; what begins with `A:` is the assistant's."""
    turns = [("assistant", t[2:].strip()) if t.startswith("A:") else ("user", t) for t in texts]
    memory.ingest(
        [
            {"session": session, "seq": n, "role": role, "text": text, "at": f"2026-03-01T10:{n:02}:00Z"}
            for n, (role, text) in enumerate(turns)
        ]
    )


def held(memory, selector):
    """What holds, as the texts of the hits."""
    return sorted(hit.text for hit in memory.query(selector).hits)


def test_one_message_gives_a_fact_for_each_thing_it_tells_and_a_request_gives_none(memory) -> None:
    tell(
        memory,
        "Hi, I'm Marta, I'm a data engineer at Portline. We're building a booking app for ferries in Django with Postgres."
        " Please always answer in short bullet points. Can you rename the function to load_all?",
    )
    reasons = [memory.why(hit.id) for hit in memory.query("origin:person").hits]
    found = {why.value: why for why in reasons if why.predicate != "asked"}
    wanted = {
        "Marta": ("named", "name"),
        "data engineer": ("is", "job"),
        "Portline": ("member_of", "employer"),
        "Django": ("uses", "framework.python"),
        "Postgres": ("uses", "database"),
    }
    for text, told in wanted.items():
        assert (found[text].predicate, found[text].topic) == told, text
    assert any(h.predicate == "building" and "booking app" in text for text, h in found.items())
    assert any(h.predicate == "prefers" and "short bullet points" in text for text, h in found.items())
    assert not any("load_all" in text for text in found)


def test_a_one_off_request_gives_nothing(memory) -> None:
    tell(memory, "rename the function to load_all and use tabs in this file please")
    assert held(memory, "p:prefers,practises,noted,decided standing:any") == []


def test_a_correction_ends_the_wrong_tool_in_its_topic_with_its_reason_and_names_the_turn(memory) -> None:
    tell(memory, "We use Flake8.", "A: I ran Flake8 over everything.", "No, we use Ruff, not Flake8")
    assert held(memory, "p:uses") == ["Ruff"]
    (hit,) = memory.query("p:uses").hits
    assert any(mark.startswith("corrects:conversation.s:1@") for mark in memory.why(hit.id).marks)
    steps = [(step.value, step.standing) for step in memory.history(hit.id).steps]
    assert ("Flake8", "superseded") in steps


@pytest.mark.parametrize(
    "said",
    ["We don't use Redis any more", "we no longer use Redis", "we stopped using Redis", "we moved away from Redis"],
)
def test_what_is_not_used_any_more_ends_its_use_and_nothing_else(memory, said) -> None:
    tell(memory, "We use Redis and Postgres.", said)
    assert held(memory, "p:uses") == ["Postgres"]


def test_what_is_used_again_is_used(memory) -> None:
    tell(memory, "We use Redis.", "We don't use Redis any more", "We use Redis again")
    assert held(memory, "p:uses") == ["Redis"]


def test_a_hedge_that_is_said_again_in_another_session_is_confirmed(memory) -> None:
    tell(memory, "I think we use Postgres", "I think we use Postgres", session="a")
    assert held(memory, "p:uses standing:confirmed") == []
    tell(memory, "we probably use Postgres", session="b")
    assert held(memory, "p:uses standing:confirmed") == ["Postgres"]


def test_a_turn_that_tells_something_is_found_once_and_as_it_was_said(memory) -> None:
    tell(memory, "We lint everything with Ruff.", "A: Good choice.")
    hits = memory.search("what do we lint with").hits
    assert [hit.text for hit in hits if "Ruff" in hit.text] == ["We lint everything with Ruff."]
    assert [hit.text for hit in memory.get("lint Ruff").hits] == ["Ruff"]
