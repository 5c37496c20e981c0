"""`update`, `expire`, `pin`: verdicts that change what stands beside the words, in any order and after a rebuild the same."""

from __future__ import annotations

import io

import pytest
from tests.support import archive, said, state, values

from muniment.engine import amending, finding, history, viewing
from muniment.engine.asking import query
from muniment.engine.core import Caller
from muniment.engine.stating import decide
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.engine.upkeep import verify
from muniment.errors import NothingChangedError, RefusedError, UsageError
from muniment.model.event import Origin
from muniment.model.fact import Action

PERSON, AGENT = Caller(Origin.PERSON), Caller(Origin.AGENT)


def sound(engine) -> bool:
    """Does a rebuild tell the same?"""
    told = verify(engine, rebuild=True)
    return told.ok and told.digest == told.rebuilt_digest


def test_tags_topic_and_context_change_and_the_words_do_not(engine, clock):
    id_ = state(engine, "tabs", "prefers", type_="preference", tags=("a",)).ids[0]
    clock.forward(hours=1)
    amending.update(engine, PERSON, id_, "tags", "style.code, indent")
    amending.update(engine, PERSON, id_, "topic", "code.indent")
    amending.update(engine, PERSON, id_, "context", "python")
    (row,) = query(engine, "tag:style.code topic:code.indent").hits
    assert (row.id, row.text, row.marks) == (id_, "tabs", ("python",))
    assert query(engine, "tag:a").hits == ()
    assert [v.action for v in history.why(engine, id_).verdicts] == ["amend", "amend", "amend"]
    assert sound(engine)


def test_a_fact_under_another_topic_meets_what_holds_there(engine, clock):
    old = state(engine, "spaces", "prefers", type_="preference", topic="code.indent").ids[0]
    clock.forward(hours=1)
    new = state(engine, "tabs", "prefers", type_="preference").ids[0]
    clock.forward(hours=1)
    amending.update(engine, PERSON, new, "topic", "code.indent")
    assert values(query(engine, "type:preference").text) == ["tabs"]
    assert finding.fact(engine, old).standing == "superseded"
    assert sound(engine)


def test_what_was_decided_about_a_claim_stays_with_the_fact_that_moves(engine, clock):
    id_ = state(engine, "tabs", "prefers", type_="preference").ids[0]
    clock.forward(hours=1)
    decide(engine, PERSON, Action.RETRACT, id_)
    clock.forward(hours=1)
    amending.update(engine, PERSON, id_, "topic", "code.indent")
    assert finding.fact(engine, id_).standing == "retracted"
    clock.forward(hours=1)
    decide(engine, PERSON, Action.RESTORE, id_)
    assert values(query(engine, "topic:code.indent").text) == ["tabs"]
    assert sound(engine)


def test_an_expired_claim_is_over_whoever_supports_it_and_new_words_bring_it_back(engine, clock):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    clock.forward(hours=1)
    state(engine, "Postgres", topic="database")
    clock.forward(hours=1)
    amending.expire(engine, PERSON, id_, reason="the trial is over")
    assert query(engine, "p:uses").hits == ()
    assert {s.standing for s in history.history(engine, id_).steps} == {"expired"}
    assert values(query(engine, "p:uses", as_of="2026-03-05 13:30").text) == ["Postgres"]
    with pytest.raises(NothingChangedError):
        amending.expire(engine, PERSON, id_)
    clock.forward(hours=1)
    state(engine, "Postgres", topic="database")
    assert values(query(engine, "p:uses").text) == ["Postgres"]
    assert sound(engine)


def test_an_expiry_may_lie_ahead_and_be_lifted(engine, clock):
    id_ = state(engine, "the freeze is on", "noted").ids[0]
    clock.forward(hours=1)
    amending.update(engine, PERSON, id_, "expiry", "2026-03-10")
    assert len(query(engine, "freeze").hits) == 1
    clock.set("2026-03-12")
    assert query(engine, "freeze").hits == ()
    amending.update(engine, PERSON, id_, "expiry", "never")
    assert len(query(engine, "freeze").hits) == 1
    assert sound(engine)


def test_what_expired_is_not_confirmed_but_stated_again(engine, clock):
    id_ = state(engine, "the freeze is on", "noted").ids[0]
    clock.forward(hours=1)
    amending.expire(engine, PERSON, id_)
    clock.forward(hours=1)
    with pytest.raises(NothingChangedError, match="has expired"):
        decide(engine, PERSON, Action.CONFIRM, id_)
    assert query(engine, "freeze").hits == ()


def test_an_old_copy_that_arrives_later_does_not_revive_what_expired(engine, clock):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    clock.forward(days=2)
    amending.expire(engine, PERSON, id_)
    clock.forward(days=1)
    clock.set("2026-03-06")
    state(engine, "Postgres", topic="database")
    clock.set("2026-03-09")
    assert query(engine, "p:uses").hits == ()


def test_unsure_is_a_hypothesis_again_and_what_it_had_ended_holds(engine, clock):
    state(engine, "Postgres", topic="database")
    clock.forward(hours=1)
    id_ = state(engine, "SQLite", topic="database").ids[0]
    clock.forward(hours=1)
    amending.update(engine, PERSON, id_, "confidence", "uncertain")
    assert values(query(engine, "p:uses").text) == ["Postgres"]
    assert values(query(engine, "p:uses", known="2026-03-05 13:30").text) == ["SQLite"]
    clock.forward(hours=1)
    amending.update(engine, PERSON, id_, "confidence", "sure")
    assert values(query(engine, "p:uses").text) == ["SQLite"]
    assert sound(engine)


def test_a_pin_stands_first_in_wake_while_the_fact_holds(engine, clock):
    for n in range(5):
        state(engine, f"rule {n}", "requires")
    id_ = state(engine, "the release is on Friday", "noted").ids[0]
    clock.forward(hours=1)
    amending.pin(engine, PERSON, id_)
    text = viewing.wake(engine)
    assert text.index("pinned:") < text.index("rules of the person:")
    assert text.splitlines()[text.splitlines().index("pinned:") + 1].startswith(
        "- project noted the release is on Friday (pinned)"
    )
    assert sound(engine)
    clock.forward(hours=1)
    decide(engine, PERSON, Action.RETRACT, id_)
    assert "pinned:" not in viewing.wake(engine)
    with pytest.raises(NothingChangedError):
        amending.pin(engine, PERSON, state(engine, "x y", "noted").ids[0]) and amending.pin(engine, PERSON, id_)


def test_an_agent_changes_nothing_of_a_person_and_its_own_only_until_a_person_spoke(engine, clock):
    mine = state(engine, "Postgres", topic="database", tags=("a",)).ids[0]
    for field, value in (("tags", "b"), ("topic", "x"), ("expiry", "2026-04-01"), ("confidence", "uncertain")):
        with pytest.raises(RefusedError):
            amending.update(engine, AGENT, mine, field, value)
    theirs = state(engine, "Redis", topic="cache", origin=Origin.AGENT).ids[0]
    clock.forward(hours=1)
    amending.update(engine, PERSON, theirs, "tags", "checked")
    clock.forward(hours=1)
    with pytest.raises(NothingChangedError, match="stays as it is"):
        amending.update(engine, AGENT, theirs, "tags", "mine")
    with pytest.raises(RefusedError):
        amending.pin(engine, AGENT, theirs)


def test_words_and_unknown_fields_are_refused_by_name(engine):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    for field in ("content", "standing", ""):
        with pytest.raises(UsageError):
            amending.update(engine, PERSON, id_, field, "x")
    with pytest.raises(UsageError, match="sure or uncertain"):
        amending.update(engine, PERSON, id_, "confidence", "0.7")


def test_two_stores_that_amended_apart_come_to_the_same(make_engine, clock):
    one, two = make_engine("one"), make_engine("two")
    archive(one, [said("s", 0, "2026-03-05 11:00", "hello")])
    id_ = state(one, "tabs", "prefers", type_="preference").ids[0]
    clock.forward(hours=1)
    load_jsonl(two, io.BytesIO(_exported(one)))
    amending.update(one, PERSON, id_, "topic", "code.indent")
    amending.pin(one, PERSON, id_)
    clock.forward(hours=1)
    amending.expire(two, PERSON, id_)
    amending.update(two, PERSON, id_, "tags", "style")
    ours, theirs = _exported(one), _exported(two)
    load_jsonl(one, io.BytesIO(theirs))
    load_jsonl(two, io.BytesIO(ours))
    assert verify(one).digest == verify(two).digest
    assert finding.fact(one, id_).row.topic == "code.indent"
    assert query(one, "type:preference").hits == ()
    assert sound(one)
    assert sound(two)


def _exported(engine) -> bytes:
    stream = io.BytesIO()
    export_jsonl(engine, stream)
    return stream.getvalue()
