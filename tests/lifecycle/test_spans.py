"""Where cited lines went: by their content, whatever was done around them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from muniment.lifecycle.spans import Pair, Span, lines_of, mark, marked

OLD = [f"def step_{n}(value):\n    return value + {n * 17}\n" for n in range(12)]
LINES = lines_of("\n".join(OLD).encode())
SPAN = Span(13, 14)


def now(text: list[str]) -> Pair:
    return Pair(LINES, lines_of("\n".join(text).encode()))


def test_an_edit_above_moves_lines_and_leaves_them_as_they_were():
    assert now(["# a line more", *OLD]).kept(SPAN) == Span(14, 15)


def test_an_edit_below_does_nothing():
    assert now([*OLD, "# a line more"]).kept(SPAN) == SPAN


def test_a_changed_line_is_not_there_and_what_stands_in_its_place_is_told():
    changed = [*OLD]
    changed[4] = "def step_4(value):\n    return value - 1\n"
    pair = now(changed)
    assert pair.follow(SPAN) is None
    assert pair.now(Span(14, 14)) == ["    return value - 1"]


def test_a_line_put_between_is_a_change():
    changed = [*OLD]
    changed[4] = "def step_4(value):\n    log(value)\n    return value + 68\n"
    assert now(changed).follow(SPAN) is None


def test_a_block_that_was_put_elsewhere_is_found_there():
    moved = [*OLD[:4], *OLD[5:], OLD[4]]
    found = now(moved).put(SPAN)
    assert found is not None
    assert found.first > SPAN.first


def test_the_same_words_that_always_stood_elsewhere_are_not_the_lines_that_went():
    old = ["a = compute_everything(1)", "b = 2", "a = compute_everything(1)"]
    pair = Pair(old, ["b = 2", "a = compute_everything(1)"])
    assert pair.follow(Span(1, 1)) is None
    assert pair.follow(Span(3, 3)) == Span(2, 2)


def test_the_ends_of_lines_do_not_count():
    assert lines_of(b"a\r\nb\r\n") == lines_of(b"a\nb\n") == ["a", "b"]


def test_lines_of_which_only_the_hash_is_known_are_found_nearest_to_where_they_were():
    wanted = mark(LINES[12:14])
    assert marked(LINES, 2, wanted, 13) == SPAN
    assert marked(["x", *LINES], 2, wanted, 13) == Span(14, 15)
    assert marked(LINES[:10], 2, wanted, 13) is None


_TEXTS = st.lists(st.sampled_from(["", "}", "return", "alpha = 1", "beta = 2", "gamma", "delta"]), max_size=14)


@given(old=_TEXTS, new=_TEXTS, first=st.integers(1, 14), size=st.integers(1, 4))
def test_what_is_followed_reads_as_it_did(old, new, first, size):
    span = Span(first, first + size - 1)
    if span.last > len(old):
        return
    found = Pair(old, new).follow(span)
    if found is not None:
        assert new[found.first - 1 : found.last] == old[span.first - 1 : span.last]
    if old == new:
        assert found == span


@given(put=_TEXTS, size=st.integers(1, len(LINES)))
def test_lines_put_in_front_only_move_what_is_behind(put, size):
    assert Pair(LINES, [*put, *LINES]).follow(Span(1, size)) == Span(len(put) + 1, len(put) + size)
