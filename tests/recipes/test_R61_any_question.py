"""R61: any string may be searched for: no exception, no error that looks like an empty answer, and its own turn is found."""

from __future__ import annotations

from itertools import islice

import pytest
from tests.odd import strings

from muniment import Memory

COUNT = 500
QUICK, ALL = 4, 2_000
"""Blocks of the quick suite, and of both suites together: 2,000 strings, a million strings."""
AT = "2026-03-05T10:00:00Z"


def check(seed: int, folder) -> None:
    """Plant so many odd strings as turns of a memory, then search for each as it is."""
    texts = list(dict.fromkeys(islice(strings(seed), COUNT)))
    turns = [{"session": f"s{n}", "at": AT, "role": "user", "text": t} for n, t in enumerate(texts) if t.strip()]
    (folder / ".muniment").touch()
    with Memory.open(folder, home=folder / "home") as memory:
        assert memory.ingest(turns).kept == len(turns)
        lost = [text[:80] for n, text in enumerate(texts) if not is_answered(memory, text, n)]
    assert lost == []


def is_answered(memory: Memory, text: str, n: int) -> bool:
    """Is the turn among the hits, or named by one as its near copy? What is blank has no turn, and a reason."""
    finding = memory.search(text, budget=100_000)
    assert bool(finding.hits) != bool(finding.reason), repr(text[:80])
    assert finding.bytes <= 100_000
    named = [hit.receipt for hit in finding] + [m.removeprefix("alike:") for hit in finding for m in hit.marks]
    return not text.strip() or any(receipt.endswith(f".s{n}:0") for receipt in named)


@pytest.mark.parametrize("seed", range(QUICK))
def test_odd_strings_are_questions_and_find_their_turn(tmp_path, seed) -> None:
    check(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(QUICK, ALL))
def test_a_million_odd_strings_are_questions_and_find_their_turn(tmp_path, seed) -> None:
    check(seed, tmp_path)


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u2003"])
def test_what_is_blank_finds_nothing_and_says_so(tmp_path, text) -> None:
    (tmp_path / ".muniment").touch()
    with Memory.open(tmp_path, home=tmp_path / "home") as memory:
        memory.ingest([{"session": "s", "at": AT, "role": "user", "text": "something"}])
        assert memory.search(text).reason
