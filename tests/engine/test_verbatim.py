"""Questions of signs and scraps find the turn that holds them to the letter."""

from __future__ import annotations

import pytest
from tests.support import archive, said

from muniment.engine.searching import search
from muniment.engine.verbatim import is_odd


@pytest.mark.parametrize(
    "text",
    [
        "👍🏽",
        "{{x}}",
        "?1",
        "§ 3",
        "-- -x",
        "\U00075205",
        "1️⃣ 😀",
        "x" * 300,
        "NOT -x * a AND",
        "JIRA-1234???",
        "\u0301",
        "\u202e",
    ],
)
def test_signs_and_scraps_are_odd(text):
    assert is_odd(text)


@pytest.mark.parametrize(
    "text",
    ["where is the retry policy?", "", "src/billing/reader.ts", "idx_memory_units_text_search", "它在哪里？", "naïve café",
     "don't use Jest", "ไทยคือ", "e\u0301tude of it all", "a1b2c3d"],
)  # fmt: skip
def test_questions_and_identifiers_are_not(text):
    assert not is_odd(text)


def test_the_turn_that_holds_the_signs_comes_first_the_closest_before_all(engine):
    texts = ["👍🏽 shipped, and much more was said about it", "nothing here", "👍🏽", "👍 plain"]
    archive(engine, [said("s", n, "2026-03-01 09:00", text) for n, text in enumerate(texts)])
    assert [hit.receipt for hit in search(engine, " 👍🏽 ")] == ["s:2", "s:0"]
    assert search(engine, "🦄").reason


def test_what_is_said_just_so_comes_first_unless_it_only_asks(engine):
    texts = ["retry policy retry policy retry policy", "retry policy", "Where is the retry policy?"]
    archive(engine, [said("s", n, "2026-03-01 09:00", text) for n, text in enumerate(texts)])
    assert search(engine, "retry policy").hits[0].receipt == "s:1"
    assert search(engine, "Where is the retry policy?").hits[0].receipt != "s:2"
