"""`--why-not`: what keeps a named fact or event out of an answer, in one sentence."""

from __future__ import annotations

import pytest
from tests.support import archive, said, state

from muniment.engine.absence import why_not
from muniment.engine.answering import Placed
from muniment.engine.stating import decide
from muniment.errors import UsageError
from muniment.model.fact import Action

TURN = Placed("s:0", "s:0", 0.5, {"said": (1, 2.0)})


@pytest.fixture
def filled(engine):
    """One turn."""
    archive(engine, [said("s", 0, "2026-03-01 09:00", "Where is the retry policy?"), said("s", 1, None, "In Redis.")])
    return engine


@pytest.mark.parametrize(
    ("fate", "told"),
    [
        ("shown", "s:0 is in the answer (rank 2 of 2, score 0.5)"),
        ("earlier", "s:0 is in an earlier part of this answer"),
        ("cut", "s:0 was cut by the budget or the limit (rank 2 of 2, score 0.5)"),
        ("near-copy:t:9", "s:0 is a near copy of t:9, which stands for it"),
        ("seen", "s:0 was received by session S already"),
        ("superseded:0AB", "s:0 is superseded by 0AB"),
        ("below", "s:0 was found, but too far down"),
        ("odd", "s:0 was left out: odd"),
    ],
)
def test_a_candidate_has_its_rank_and_its_fate(filled, fate, told):
    other = Placed("f", "s:0@0-3", 0.9, {}, "shown")
    ranked = [other, Placed("s:0", "s:0", 0.5, {}, fate)]
    assert why_not(filled, "s:0", "retry", ranked, session="S").startswith(told)
    assert why_not(filled, "s:0@0-5", "retry", ranked, session="S").startswith("s:0@0-5 ")


def test_what_no_lane_found_shares_no_word_or_only_common_ones(filled):
    assert why_not(filled, "s:1", "retry", []) == "s:1 was found by no lane: it shares no word with the question"
    assert why_not(filled, "s:1", "who is in", []).endswith(
        "it shares words with the question (in), but no lane put it among its best"
    )


def test_what_is_not_there_is_said_to_be_nowhere(filled):
    for named in ("s:7", "nobody:0", "0" * 26):
        assert why_not(filled, named, "retry", [TURN]) == f"{named} is not in the store of this workspace"


def test_what_is_neither_an_id_nor_a_receipt_is_refused(filled):
    with pytest.raises(UsageError):
        why_not(filled, "!", "retry", [])


def test_a_standing_keeps_a_fact_out(filled, person):
    old = state(filled, "MySQL", topic="database").ids[0]
    new = state(filled, "SQLite", topic="database").ids[0]
    assert why_not(filled, old, "database", []).startswith(f"{old} is not in the answer: it is superseded by {new};")
    decide(filled, person, Action.RETRACT, new, "misread")
    assert "it is retracted: it was never true" in why_not(filled, new, "database", [])


def test_a_hypothesis_is_one(filled):
    id_ = state(filled, "Kafka", topic="queue", standing="hypothesis").ids[0]
    assert "--include hypothesis shows those too" in why_not(filled, id_, "queue", [])
