"""An agent that asserts the opposite by quoting part of a person's sentence gains nothing, in whatever order things arrive."""

from __future__ import annotations

import pytest
from tests.support import archive, called, said, state

from muniment.engine import adding, finding, history, reviewing
from muniment.engine.adding import How
from muniment.engine.asking import query
from muniment.engine.asserting import Assertion, make
from muniment.engine.calling import Calling
from muniment.engine.core import Caller
from muniment.engine.stating import Statement
from muniment.engine.upkeep import verify
from muniment.errors import RefusedError
from muniment.model.event import Action, Origin

AT = "2026-03-05 11:00"
MINE = Calling(sessions=("s",))
SENTENCE = "Please, never use MySQL for this, I said so before."


def asserted(
    engine, predicate: str = "uses", object_: str = "MySQL", subject: str = "project", topic: str = "database"
) -> str:
    """What the agent makes of the part that it quotes."""
    done = make(engine, Assertion(predicate, subject, object_, "use MySQL for this", topic), MINE)
    assert done.admission is not None
    return done.admission.ids[0]


@pytest.mark.parametrize("first", ["person", "agent"])
def test_the_persons_fact_stands_and_the_assertion_is_a_hypothesis_marked_contradicts(engine, clock, first):
    archive(engine, [said("s", 0, AT, SENTENCE)])
    if first == "agent":
        theirs = asserted(engine)
    mine = state(engine, "Postgres", topic="database").ids[0]
    if first == "person":
        theirs = asserted(engine)
    assert finding.fact(engine, mine).standing == "confirmed"
    (row,) = query(engine, "p:uses").hits
    assert (row.id, row.text) == (mine, "Postgres")
    shown = {h.id: h for h in query(engine, "standing:hypothesis").hits}
    if first == "person":  # said later than the words that it quotes, the person's word ends it
        assert finding.fact(engine, theirs).standing in ("hypothesis", "superseded")
    assert all(h.origin == "agent" for h in shown.values())
    assert verify(engine, rebuild=True).ok


def test_quoted_after_the_person_spoke_it_says_what_it_contradicts(engine, clock):
    clock.set("2026-03-05 10:00")
    mine = state(engine, "Postgres", topic="database").ids[0]
    clock.set("2026-03-05 12:00")
    archive(engine, [said("s", 0, AT, SENTENCE)])
    theirs = asserted(engine)
    (row,) = query(engine, "standing:hypothesis").hits
    assert (row.id, row.standing) == (theirs, "hypothesis")
    assert f"contradicts:{mine}" in row.marks
    links = {(k.id, k.relation, k.other) for k in history.why(engine, theirs).links}
    assert (theirs, "contradicts", mine) in links
    assert finding.fact(engine, mine).standing == "confirmed"


def test_the_opposite_of_what_the_person_avoids_is_marked_too(engine, clock):
    clock.set("2026-03-05 10:00")
    mine = state(engine, "MySQL", "avoids", topic="database", type_="preference").ids[0]
    clock.set("2026-03-05 12:00")
    archive(engine, [said("s", 0, AT, SENTENCE)])
    theirs = asserted(engine, "prefers", subject="user")
    (row,) = query(engine, f"id:{theirs} standing:hypothesis").hits
    assert f"contradicts:{mine}" in row.marks
    (kept,) = query(engine, "p:avoids").hits
    assert (kept.id, kept.standing) == (mine, "confirmed")
    assert verify(engine, rebuild=True).ok


def test_what_the_same_sentence_was_kept_as_is_contradicted_by_half_of_it(engine):
    archive(engine, [said("s", 0, AT, SENTENCE)])
    whole = Statement("procedure", "never use MySQL for this", predicate="practises")
    mine = adding.add(engine, Caller(Origin.PERSON), whole, How(quote="never use MySQL for this", session="s")).ids[0]
    assert finding.fact(engine, mine).standing == "confirmed"
    theirs = asserted(engine, "practises", "use MySQL", "user", "")
    (row,) = query(engine, f"id:{theirs} standing:hypothesis").hits
    assert f"contradicts:{mine}" in row.marks
    assert finding.fact(engine, mine).standing == "confirmed"
    assert verify(engine, rebuild=True).ok


def test_a_person_may_give_the_words_that_say_it_as_the_receipt(engine):
    archive(engine, [said("s", 0, AT, "By the way: we test with Vitest here.")])
    given = Statement("fact", "Vitest", predicate="uses", topic="test_runner", tags=("code.testing",))
    done = adding.add(engine, Caller(Origin.PERSON), given, How(quote="we test with Vitest"))
    told = history.why(engine, done.ids[0])
    assert (told.receipt, told.standing, told.origin) == ("s:0@12-31", "confirmed", "person")
    assert told.tags == ("code.testing",)
    with pytest.raises(RefusedError, match="stand in no session"):
        adding.add(engine, Caller(Origin.PERSON), given, How(quote="we never test with Vitest"))


def test_what_only_a_person_says_of_himself_is_proposed_by_an_agent(engine):
    agent = Caller(Origin.AGENT)
    done = adding.add(engine, agent, Statement("preference", "Prefers tabs"))
    assert done.outcome == "proposed"
    assert query(engine, "").hits == ()
    accepted = reviewing.accept(engine, Caller(Origin.PERSON), done.ids[0])
    (row,) = query(engine, "p:prefers").hits
    assert (row.id, row.standing, row.origin) == (accepted.ids[0], "confirmed", "person")


def test_an_agents_statement_whose_quote_never_was_said_is_a_proposal(engine):
    call = {"predicate": "uses", "subject": "project", "object": "Jest", "quote": "we test with Jest"}
    tool = "mcp__muniment__memory_assert"
    archive(engine, [said("s", 0, AT, "We test with Vitest."), called("s", 1, AT, "c-1", Action.OTHER, tool, call)])
    given = Statement("fact", "Jest", predicate="uses", topic="test_runner")
    done = adding.add(engine, Caller(Origin.AGENT), given, How(quote="we test with Jest", session="s"))
    assert (done.outcome, query(engine, "p:uses").hits) == ("proposed", ())
    assert query(engine, "standing:hypothesis").hits == ()
    (one,) = reviewing.review(engine).proposals
    assert (one.asks, one.text) == ("add", "Jest")
