"""Fusion: two ways to one ranking, with what each lane thought kept beside; a lane that finds nothing changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.recall.fusion import IN_NATS, WEIGHTS, Candidate, Found, fuse, together
from muniment.recall.lanes import registry

LANES = tuple(WEIGHTS)
METHODS = ("weighted", "rrf")
SCORES = st.dictionaries(st.integers(0, 12), st.floats(0.001, 50, allow_nan=False), max_size=8)
RANKED = st.dictionaries(st.sampled_from(LANES), SCORES, max_size=5)


def by_number(events: Sequence[int]) -> dict[int, int]:
    return {event: event for event in events}


def shape(found: list[Candidate]) -> list[tuple[int, float, dict[str, tuple[int, float]]]]:
    return [(c.event, c.score, c.lanes) for c in found]


RANKS = {
    "said": {1: 4.0, 2: 2.0, 3: 1.0},
    "time": {2: 3.0},
    "facts": {3: 9.0, 1: 3.0},
    "prior": {1: 0.5, 2: 1.0, 3: 1.0},
}


def test_places_are_added_as_one_over_sixty_and_the_place() -> None:
    found = {c.event: c for c in fuse(RANKS, by_number, "rrf")}
    assert found[1].score == pytest.approx(1.0 / 61 + 0.2 / 62 + 0.001 / 63)
    assert found[2].score == pytest.approx(1.0 / 62 + 1.0 / 61 + 0.001 / 61)
    assert found[3].score == pytest.approx(1.0 / 63 + 0.2 / 61 + 0.001 / 62)


def test_scores_in_nats_are_added_as_they_are_and_others_as_a_share_of_the_best() -> None:
    found = {c.event: c for c in fuse(RANKS, by_number)}
    assert found[1].score == pytest.approx(4 / 4 + 0.2 * 3 / 9 + 0.001 * 0.5)
    assert found[2].score == pytest.approx((2 + 3) / 4 + 0.001)
    assert found[3].score == pytest.approx(1 / 4 + 0.2 + 0.001)
    assert [c.event for c in fuse(RANKS, by_number)] == [2, 1, 3]


def test_scores_below_nothing_are_brought_between_nothing_and_all() -> None:
    found = {c.event: c.score for c in fuse({"dense": {1: -1.0, 2: 0.0, 3: 1.0}}, by_number, weights={"dense": 0.3})}
    assert found == pytest.approx({1: 0.0, 2: 0.15, 3: 0.3})


@pytest.mark.parametrize("method", METHODS)
def test_every_lane_keeps_its_place_and_its_score(method: str) -> None:
    found = {c.event: c.lanes for c in fuse(RANKS, by_number, method)}
    assert found[1] == {"said": (1, 4.0), "facts": (2, 3.0), "prior": (3, 0.5)}
    assert found[2] == {"said": (2, 2.0), "time": (1, 3.0), "prior": (1, 1.0)}


@pytest.mark.parametrize("method", METHODS)
def test_equal_scores_go_by_the_tie(method: str) -> None:
    ranked = {"said": {1: 2.0, 2: 2.0, 3: 2.0}}
    assert [c.event for c in fuse(ranked, lambda events: {e: -e for e in events}, method)] == [3, 2, 1]
    assert [c.event for c in fuse(ranked, by_number, method)] == [1, 2, 3]


@given(RANKED, st.sampled_from(METHODS), st.sampled_from(LANES))
def test_a_lane_that_finds_nothing_changes_nothing(ranked, method, lane) -> None:
    without = {name: scores for name, scores in ranked.items() if name != lane}
    assert shape(fuse({**without, lane: {}}, by_number, method)) == shape(fuse(without, by_number, method))


@given(RANKED, st.sampled_from(METHODS), st.randoms())
def test_neither_the_order_of_lanes_nor_that_of_their_events_matters(ranked, method, random) -> None:
    names = random.sample(list(ranked), len(ranked))
    other = {n: dict(random.sample(list(ranked[n].items()), len(ranked[n]))) for n in names}
    assert shape(fuse(other, by_number, method)) == shape(fuse(ranked, by_number, method))


@given(RANKED, st.sampled_from(METHODS))
def test_everything_that_was_found_is_ranked_once_best_first(ranked, method) -> None:
    found = fuse(ranked, by_number, method)
    assert sorted(c.event for c in found) == sorted({e for scores in ranked.values() for e in scores})
    assert [(-c.score, c.event) for c in found] == sorted((-c.score, c.event) for c in found)
    for lane, scores in ranked.items():
        places = sorted((c.lanes[lane][0], -c.lanes[lane][1]) for c in found if lane in c.lanes)
        assert [place for place, _ in places] == list(range(1, len(scores) + 1))
        assert [score for _, score in places] == sorted(score for _, score in places)


@given(RANKED)
def test_the_worth_of_a_lane_counts_whatever_the_scale_of_its_scores(ranked) -> None:
    scaled = {n: s if n in IN_NATS else {e: 8 * v for e, v in s.items()} for n, s in ranked.items()}
    assert {c.event: c.score for c in fuse(scaled, by_number)} == pytest.approx(
        {c.event: c.score for c in fuse(ranked, by_number)}
    )


# --- parts of a question


def of(scores: dict[int, float]) -> list[Candidate]:
    """A ranking by the one lane of what was said."""
    found = {"said": Found(scores, by_number)}
    return [Candidate(event, score, found) for event, score in scores.items()]


def test_what_a_part_finds_too_gains_a_tenth_of_its_share() -> None:
    found = together([of({1: 4.0, 2: 3.9}), of({2: 7.0, 3: 3.5})], by_number)
    assert {c.event: c.score for c in found} == pytest.approx({1: 1.0, 2: 3.9 / 4 + 0.1, 3: 0.05})
    assert [c.event for c in found] == [2, 1, 3]
    assert found[0].lanes == {"said": (2, 3.9)}


def test_a_part_that_finds_nothing_changes_no_order() -> None:
    found = together([of({1: 4.0, 2: 3.0}), [], []], by_number)
    assert [(c.event, c.score) for c in found] == [(1, 1.0), (2, 0.75)]
    assert together([[], []], by_number) == []


def test_every_lane_has_its_weight() -> None:
    assert {lane.name for lane in registry.LANES} <= WEIGHTS.keys()
