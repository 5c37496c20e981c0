"""What people tell in the turns that come in: facts with their authority, what ends what, and which claim was wrong."""

from __future__ import annotations

import pytest
from tests.support import archive, every_family_writes, replied, said

from muniment.capture.extract import registry
from muniment.engine import history
from muniment.engine.asking import query
from muniment.model.event import Kind, Origin, Role

LARGE = 100_000


@pytest.fixture(autouse=True)
def _kept(monkeypatch):
    """As it will be: what is told is kept."""
    monkeypatch.setattr(registry, "ARE_TOLD_KEPT", True)
    every_family_writes(monkeypatch)


def turns(*texts, session="s"):
    """A conversation: what begins with `A:` is the assistant's."""
    made = []
    for seq, text in enumerate(texts):
        at = f"2026-03-01 10:{seq:02}"
        is_reply = text.startswith("A:")
        made.append(replied(session, seq, at, text[2:].strip()) if is_reply else said(session, seq, at, text))
    return made


def values(engine, selector):
    return sorted(hit.text for hit in query(engine, selector, LARGE).hits)


def test_a_persons_turn_gives_facts_of_a_person_with_receipts(engine) -> None:
    archive(engine, turns("I'm Marcus and we use Vitest."))
    (hit,) = query(engine, "p:uses", LARGE).hits
    assert (hit.text, hit.origin, hit.role, hit.receipt) == ("Vitest", "person", "user", "s:0@22-28")
    assert values(engine, "p:named") == ["Marcus"]


def test_the_later_alternative_ends_the_earlier_and_what_stands_beside_it_stays(engine) -> None:
    archive(engine, turns("We use Jest.", "We use pytest.", "We use Vitest now."))
    assert values(engine, "p:uses") == ["Vitest", "pytest"]


def test_a_correction_ends_the_wrong_value_keeps_its_words_and_names_the_assistants_turn(engine) -> None:
    archive(
        engine, turns("We use Flake8.", "A: Done.", "A: I ran flake8. All is clean.", "No, we use Ruff, not Flake8")
    )
    assert values(engine, "p:uses") == ["Ruff"]
    assert values(engine, "p:corrected") == ["we use Ruff"]
    (hit,) = query(engine, "p:uses", LARGE).hits
    assert "corrects:s:2@0-13" in history.why(engine, hit.id).marks
    told = history.history(engine, hit.id)
    assert [(s.value, s.standing) for s in told.steps if s.value in ("Flake8", "Ruff")] == [
        ("Flake8", "superseded"),
        ("Ruff", "confirmed"),
    ]


def test_the_assistants_turn_is_found_whatever_came_in_first(engine, make_engine) -> None:
    conversation = turns("A: I ran flake8.", "No, we use Ruff, not Flake8")
    other = make_engine("other")
    for event in conversation:
        archive(engine, [event])
    for event in reversed(conversation):
        archive(other, [event])
    marks = [history.why(e, query(e, "p:uses", LARGE).hits[0].id).marks for e in (engine, other)]
    assert marks[0] == marks[1] == ("corrects:s:0@0-13",)


def test_a_hedge_is_a_hypothesis_and_ends_nothing(engine) -> None:
    archive(engine, turns("We use Postgres.", "I think we use MySQL maybe"))
    assert values(engine, "p:uses standing:confirmed") == ["Postgres"]


def test_nobody_but_a_person_is_drawn_from(engine) -> None:
    words = "We use Vitest and I prefer tabs."
    archive(
        engine,
        [
            replied("a", 0, "2026-03-01 10:00", words),
            said("b", 0, "2026-03-01 10:00", words, origin=Origin.AGENT),
            said("c", 0, "2026-03-01 10:00", words, origin=Origin.IMPORT),
            said("d", 0, "2026-03-01 10:00", words, flags=("injected",)),
            said("e", 0, "2026-03-01 10:00", words, role=Role.HARNESS, origin=Origin.HARNESS, kind=Kind.NOTE),
            said("f", 0, "2026-03-01 10:00", words, role=Role.TOOL, origin=Origin.WEB, kind=Kind.RESULT),
        ],
    )
    assert values(engine, "p:uses,prefers standing:any") == []


def test_what_is_masked_is_not_told(engine) -> None:
    archive(engine, turns("I live in <private>Rome</private>.", "remember my password is hunter2hunter2"))
    assert values(engine, "p:located_in,noted standing:any") == []


def test_each_speaker_of_a_conversation_speaks_of_himself(engine) -> None:
    events = [
        said("s", 0, "2026-03-01 10:00", "I live in Oslo.", speaker="Ada"),
        said("s", 1, "2026-03-01 10:01", "I live in Bergen.", speaker="Ben"),
    ]
    archive(engine, events)
    assert values(engine, "p:located_in") == ["Bergen", "Oslo"]


def test_so_far_nothing_that_is_told_is_kept(engine, monkeypatch) -> None:
    monkeypatch.undo()
    archive(engine, turns("I'm Marcus and we use Vitest."))
    assert values(engine, "p:uses,named standing:any") == []
