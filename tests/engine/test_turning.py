"""Source turns beside hits: replies to questions, sources of facts, within the bytes that are left."""

from __future__ import annotations

import pytest
from tests.support import archive, replied, said

from muniment.engine.searching import Asking, search
from muniment.engine.turning import with_turns


@pytest.fixture
def filled(engine):
    """A question, its reply, and a question without one."""
    archive(engine, [
        said("s", 0, "2026-03-01 09:00", "Where is the retry policy kept?"),
        replied("s", 1, "2026-03-01 09:01", "In Redis, under the key of the worker."),
        said("t", 0, "2026-03-02 09:00", "Is the retry policy old?"),
    ])  # fmt: skip
    return engine


def found(engine, budget=4096, **more):
    return with_turns(engine, search(engine, "retry policy", Asking(budget, **more)), ["retry"])


def test_the_reply_to_a_turn_that_asks_is_shown_with_it(filled):
    finding = (
        found(filled, limit=1, floor=False)
        if search(filled, "retry policy").hits[0].receipt == "s:0"
        else found(filled)
    )
    replies = [turn for turn in finding.turns if turn.receipt == "s:1"]
    shown = {hit.receipt for hit in finding}
    assert ("s:1" in shown) != bool(replies)
    assert all("for:s:0" in turn.marks for turn in replies)
    assert "s:1\tassistant (model)" in finding.text
    assert finding.text.splitlines()[-1].startswith("Next: ")


@pytest.mark.parametrize("budget", range(0, 700, 23))
def test_turns_take_only_what_the_hits_leave(filled, budget):
    plain = search(filled, "retry policy", Asking(budget))
    finding = found(filled, budget)
    assert finding.bytes <= budget
    assert finding.hits == plain.hits
    assert all(row in finding.text for row in (turn.row for turn in finding.turns))


def test_nothing_found_has_no_turns(filled):
    assert with_turns(filled, search(filled, "zebra")).turns == ()
