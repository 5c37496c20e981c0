"""Vectors in bytes: compared in whole numbers, ordered the same on every machine, and the coarse search misses little."""

from __future__ import annotations

import heapq
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.recall.embedders.vectors import packed
from muniment.recall.lanes import codes
from muniment.recall.lanes.codes import Numbers, SignBits, cosines, signs

DIMENSION = 192
BYTES = st.binary(min_size=DIMENSION, max_size=DIMENSION).map(lambda raw: raw.replace(b"\x80", b"\x81"))


def cosine(a: bytes, b: bytes) -> float:
    """As it is defined, in Python's own numbers."""
    x, y = (np.frombuffer(each, np.int8).tolist() for each in (a, b))
    length = sqrt(max(sum(i * i for i in x) * sum(j * j for j in y), 1))
    return round(sum(i * j for i, j in zip(x, y, strict=True)) / length, 6)


def made(count: int, seed: int = 7) -> dict[int, bytes]:
    """Vectors around forty centres, by event number."""
    drawn = np.random.default_rng(seed)
    centres = drawn.normal(size=(40, DIMENSION))
    rows = centres[drawn.integers(0, 40, count)] + 0.5 * drawn.normal(size=(count, DIMENSION))
    return {3 * n + 1: packed(row) for n, row in enumerate(rows)}


def pages(vectors: dict[int, bytes], size: int) -> list[tuple[bytes, bytes]]:
    rows = sorted(vectors.items())
    parts = [rows[at : at + size] for at in range(0, len(rows), size)]
    return [(b"".join(n.to_bytes(8, "little") for n, _ in p), b"".join(signs(v) for _, v in p)) for p in parts]


@given(BYTES, st.lists(BYTES, min_size=1, max_size=4))
def test_a_cosine_is_what_the_definition_says(query, rows):
    found = cosines(query, dict(enumerate(rows)))
    assert found == {n: pytest.approx(cosine(query, row), abs=1.1e-6) for n, row in enumerate(rows)}


def test_a_vector_without_direction_is_near_nothing():
    assert cosines(packed([0.0] * 8), {1: packed([1.0] * 8), 2: packed([0.0] * 8)}) == {1: 0.0, 2: 0.0}


def test_long_vectors_are_added_exactly_as_well():
    loud = np.full(4096, 127, np.int8).tobytes()
    assert cosines(loud, {1: loud}) == {1: 1.0}


@given(st.integers(0, 40), st.integers(0, 2))
def test_the_best_are_the_first_of_all_in_order_and_of_equals_the_earlier(limit, kinds):
    vectors = {n: packed([1.0, float(n % (kinds + 1))]) for n in range(1, 31)}
    query = packed([1.0, 0.2])
    ordered = sorted(cosines(query, vectors).items(), key=lambda each: (-each[1], each[0]))
    assert list(codes.best(query, vectors, limit).items()) == ordered[:limit]


def test_numbers_grow_to_what_they_would_be_at_once():
    vectors = made(100)
    query = vectors[1]
    grown = Numbers(DIMENSION)
    for at in range(0, 100, 7):
        grown.extend(dict(list(vectors.items())[at : at + 7]))
    assert grown.cosines(query) == cosines(query, vectors)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=60), st.integers(1, 60))
def test_the_least_are_the_least_and_of_equals_the_first(distances, count):
    repeated = distances * 5
    found = codes._least(np.array(repeated, np.uint16), count).tolist()
    distances = repeated
    assert found == sorted(sorted(range(len(distances)), key=lambda n: (distances[n], n))[:count])


@pytest.mark.parametrize("size", [1024, 100_000])
def test_sign_bits_find_the_nearest_in_whatever_pages_they_came(size):
    vectors = made(30_000)
    bits = SignBits(DIMENSION // 64)
    for page in pages(vectors, size):
        bits.extend([page])
    assert (len(bits), bits.last) == (len(vectors), max(vectors))
    for event in list(vectors)[::6000]:
        near = bits.nearest(signs(vectors[event]), 1000)
        assert near == sorted(near)
        true = heapq.nlargest(10, cosines(vectors[event], vectors).items(), key=lambda each: each[1])
        assert len({n for n, _ in true} & set(near)) >= 9


def test_only_those_that_are_asked_about_are_found():
    vectors = made(3000)
    bits = SignBits(DIMENSION // 64)
    bits.extend(pages(vectors, 1024))
    some = list(vectors)[::3]
    assert set(bits.nearest(signs(vectors[1]), 50, some)) <= set(some)
    assert len(bits.nearest(signs(vectors[1]), 50, some)) == 50
