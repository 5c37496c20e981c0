"""Of an answer's ten or more places at most a tenth go to one outside source; nothing is lost by it, and counts stay right."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support import archive, said, state

from muniment.engine import searching
from muniment.engine.asking import query
from muniment.engine.searching import Asking, search
from muniment.model.event import Origin
from muniment.recall import shares

ORIGINS = st.lists(st.sampled_from(["person", "tool", "model", *sorted(shares.OUTSIDE)]), max_size=80)


def most(origins: list[str]) -> int:
    """Of every outside source together: how often the worst stands there."""
    return max((n for o, n in Counter(origins).items() if o in shares.OUTSIDE), default=0)


def is_fair(origins: list[str]) -> bool:
    """The law itself."""
    return len(origins) < 10 or most(origins) * 10 <= len(origins)


@given(ORIGINS)
def test_every_beginning_of_a_fair_order_is_fair(origins):
    ordered = [o for _, o in shares.fair(enumerate(origins), lambda each: each[1])]
    assert all(is_fair(ordered[:n]) for n in range(len(ordered) + 1))
    inside = [o for o in origins if o not in shares.OUTSIDE]
    assert [o for o in ordered if o not in shares.OUTSIDE] == inside
    assert len(ordered) >= min(len(origins), 9)


@given(ORIGINS)
def test_what_is_crowded_is_what_the_law_forbids(origins):
    assert shares.is_crowded(origins) == any(not is_fair(origins[:n]) for n in range(len(origins) + 1))


@pytest.fixture
def flooded(engine):
    """Twenty turns of a person about otters, and sixty that say more of them and are from elsewhere."""
    turns = [
        said(f"p{n}", 0, "2026-02-01", f"the otter number {n} likes cold water and fish number {n * 7}")
        for n in range(20)
    ]
    pages = [
        said(f"w{n}", 0, "2026-03-01", f"otter likes water, note {n * 13}", origin=(Origin.IMPORT, Origin.WEB)[n % 2])
        for n in range(60)
    ]
    archive(engine, [*turns, *pages])
    return engine


@pytest.mark.parametrize("limit", [10, 15, 20, 30])
def test_a_search_gives_a_flood_a_tenth_of_its_places(flooded, limit):
    found = search(flooded, "otter likes water", Asking(limit=limit, budget=100_000))
    origins = [hit.origin for hit in found]
    assert len(origins) >= min(limit, 20)
    assert is_fair(origins)
    assert origins.count("person") >= min(limit, 20) * 0.8


def test_pages_of_a_search_lose_nothing_show_nothing_twice_and_count_right(flooded):
    found = search(flooded, "otter likes water", Asking(limit=10, budget=100_000))
    total, seen = len(found) + found.left_out, [hit.receipt for hit in found]
    while found.cursor:
        found = search(flooded, "", Asking(limit=10, budget=100_000, cursor=found.cursor))
        assert is_fair([hit.origin for hit in found])
        if not found.hits:
            break
        seen += [hit.receipt for hit in found]
        assert len(seen) <= 80
    assert len(seen) == len(set(seen))
    assert {r for r in seen if r.startswith("p")} == {f"p{n}:0" for n in range(20)}
    assert total >= 20


def test_the_same_question_gives_the_same_bytes(flooded):
    texts = {search(flooded, "otter likes water", Asking(limit=20, budget=9_000)).text for _ in range(3)}
    assert len(texts) == 1


def test_without_the_rule_the_flood_takes_the_answer(flooded, monkeypatch):
    """The mutant: the test above would not hold."""
    monkeypatch.setattr(searching.shares, "is_crowded", lambda _: False)
    found = search(flooded, "otter likes water", Asking(limit=20, budget=100_000))
    assert not is_fair([hit.origin for hit in found])


# --- query ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def mixed(engine, clock):
    """Statements of a person and, later and so before them, many of an import."""
    for n in range(25):
        clock.forward(minutes=1)
        state(engine, f"own statement {n}", "noted")
    for n in range(40):
        clock.forward(minutes=1)
        origin = (Origin.IMPORT, Origin.WEB)[n % 2]
        state(engine, f"foreign statement {n}", "noted", origin=origin)
    return engine


def test_a_query_of_any_standing_gives_each_source_a_tenth(mixed):
    answer = query(mixed, "p:noted standing:any", 100_000)
    origins = [hit.origin for hit in answer]
    assert origins.count("person") == 25
    assert is_fair(origins)
    assert len(answer) + answer.left_out == 65


def test_going_on_with_a_query_shows_each_row_once_and_ends(mixed):
    answer, seen = query(mixed, "p:noted standing:any", 1_500), []
    while True:
        assert is_fair([hit.origin for hit in answer])
        seen += [hit.id for hit in answer]
        assert len(seen) + answer.left_out == 65
        if answer.cursor is None:
            break
        answer = query(mixed, "", 1_500, cursor=answer.cursor)
    assert len(seen) == len(set(seen)) == 65


def test_who_names_a_source_gets_all_of_it(mixed):
    assert len(query(mixed, "origin:web standing:any", 100_000)) == 20


def test_what_fits_is_shown_within_the_budget_to_the_byte(mixed):
    for budget in range(200, 4000, 90):
        answer = query(mixed, "p:noted standing:any", budget)
        assert answer.bytes <= budget
        assert len(answer) + answer.left_out == 65


def test_what_is_all_from_outside_is_shown_nine_at_a_time_and_whole(engine, clock):
    for n in range(40):
        clock.forward(minutes=1)
        state(engine, f"foreign statement {n}", "noted", origin=(Origin.IMPORT, Origin.WEB)[n % 2])
    answer, seen = query(engine, "p:noted", 100_000), []
    while True:
        assert len(answer) <= 9
        seen += [hit.id for hit in answer]
        assert len(seen) + answer.left_out == 40
        if answer.cursor is None:
            break
        answer = query(engine, "", 100_000, cursor=answer.cursor)
    assert len(seen) == len(set(seen)) == 40
