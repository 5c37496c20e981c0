"""Source turns beside hits: three caps, and no turn twice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from muniment.model.receipt import event_of
from muniment.recall.decoration import CAPS, Caps, Offer, Offered, decorate


def test_a_turn_below_the_least_share_is_left_out():
    assert decorate([Offered("f:1@0-3", [Offer("a:1", 0.2), Offer("b:1", 0.19)])]) == [("a:1",)]


def test_a_hit_has_at_most_so_many_turns_the_best_first():
    offers = [Offer("a:1", 0.3), Offer("b:1", 0.9), Offer("c:1", 0.5)]
    assert decorate([Offered("f:1", offers)]) == [("b:1", "c:1")]


def test_a_turn_that_is_shown_is_not_shown_again():
    hits = [Offered("s:1", [Offer("s:2", 1.0)]), Offered("s:2@0-4", [Offer("s:1", 1.0), Offer("s:3", 1.0)])]
    assert decorate(hits) == [(), ("s:3",)]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.lists(st.tuples(st.integers(0, 30), st.floats(0, 1)), max_size=6)), max_size=20
    )
)
def test_the_caps_hold_whatever_is_offered(drawn):
    hits = [Offered(f"h:{n}", [Offer(f"t:{t}", share) for t, share in offers]) for n, offers in drawn]
    taken = decorate(hits)
    every = [receipt for found in taken for receipt in found]
    assert len(taken) == len(hits)
    assert len(every) == len(set(every)) <= CAPS.turns_total
    assert all(len(found) <= CAPS.turns_per_fact for found in taken)


def test_caps_of_nothing_give_nothing():
    assert decorate([Offered("h:1", [Offer("t:1", 1.0)])], Caps(turns_total=0)) == [()]


def test_the_event_of_a_receipt_is_without_its_span():
    assert [event_of(r) for r in ("s:1@0-4", "s:1", "a@b:1", "a:1@2-3:4")] == ["s:1", "s:1", "a@b:1", "a:1@2-3:4"]
