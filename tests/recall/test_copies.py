"""Near-copies collapse into one; what differs in a number, a negation or a hedge is no copy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.recall.copies import LEAST, Group, Item, _Print, groups

LONG = "the cache of the billing service lives in the second region because the first one was too far from the people "


def copies(*texts):
    return groups([Item(text) for text in texts])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use Vitest.", "we use  VITEST!"),
        ("Ａ BÉTA test", "a beta test"),
        (LONG * 3, LONG * 3 + "indeed"),
        ("!!!", "!!!"),
        ("", "  "),
        ("数据库 很 好", "数据库 很 好。"),
    ],
)
def test_the_best_ranked_of_two_copies_stands_for_both(one, other):
    assert copies(one, "something else altogether", other) == [Group(0, (2,)), Group(1, ())]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG * 3, LONG * 3 + "not"),
        (LONG * 3 + "port 8080", LONG * 3 + "port 8081"),
        (LONG * 3 + "a1b2c3d", LONG * 3 + "a1b2c3e"),
        (LONG * 3, LONG * 3 + "maybe"),
        (LONG * 3, LONG * 3 + "?"),
        ("We use Vitest", "We use Jest"),
        ("!!!", "???"),
        ("我们用", "我们不用"),
    ],
)
def test_what_differs_where_it_matters_is_no_copy(one, other):
    assert copies(one, other) == [Group(0, ()), Group(1, ())]


def test_what_is_to_be_kept_apart_is():
    assert groups([Item("We use Vitest", "confirmed"), Item("We use Vitest", "superseded")]) == [
        Group(0, ()),
        Group(1, ()),
    ]


def test_a_third_copy_joins_the_first():
    assert copies("a b c", "d e f", "A B C", "a, b, c", "D e f") == [Group(0, (2, 3)), Group(1, (4,))]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=30).map(" ".join), max_size=12))
def test_the_quick_way_finds_what_comparing_all_pairs_finds(texts):
    prints, firsts, expected = [_Print(Item(t)) for t in texts], [], {}
    for n, each in enumerate(prints):
        first = next((m for m in firsts if _jaccard(each, prints[m]) >= LEAST - 1e-9), n)
        firsts += [n] if first == n else []
        expected.setdefault(first, []).extend([n] if first != n else [])
    assert copies(*texts) == [Group(first, tuple(rest)) for first, rest in expected.items()]


def _jaccard(a, b):
    return len(a.shingles & b.shingles) / len(a.shingles | b.shingles)
