"""The text of a trace."""

from __future__ import annotations

from datetime import UTC

import pytest

from muniment.model.activity import Coverage
from muniment.model.tracing import Trace
from muniment.views import tracing


@pytest.mark.parametrize(("left", "told"), [(1, "; 1 more beyond the cap"), (19_800, "; 19,800 more beyond the cap")])
def test_what_lies_beyond_the_cap_is_counted_in_words_that_are_english(left: int, told: str) -> None:
    at = "2026-03-03T00:00:00.000Z"
    text, _ = tracing.trace(Trace("today", at, at, (), 2, Coverage.COMPLETE, (), left), UTC, None)
    assert text.endswith(f"0 deeds in 2 sessions{told}\n")
