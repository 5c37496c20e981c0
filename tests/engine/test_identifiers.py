"""Identifiers are found whole and by their pieces, in what was said and in what tools put out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from muniment import Memory

NAMES = {
    "getUserName": ("getUserName", "get user name", "user name", "getusername"),
    "idx_memory_units_text_search": ("idx_memory_units_text_search", "memory units", "memory units text search"),
    "src/billing/reader.ts": ("src/billing/reader.ts", "billing reader", "reader.ts"),
    "HTTPServer2Config": ("HTTPServer2Config", "server config", "http server"),
    "a1b2c3d": ("a1b2c3d", "commit a1b2c3d"),
}
ASKED = [(name, question) for name, questions in NAMES.items() for question in questions]
TALK = (
    "We talked about the weather and the garden for a while.", "Lunch was good, the soup above all.",
    "The train was late again, as it is every week.", "I will call my mother tomorrow at noon.",
)  # fmt: skip


@pytest.fixture(scope="module", params=["user", "assistant", "tool"])
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A store in which each name stands once, among other turns, all of them by the same side."""
    home = tmp_path_factory.mktemp("told")
    (home / "project").mkdir()
    texts = [text for name in NAMES for text in (*TALK, f"Then there was {name} which nobody knew.", *TALK)]
    with Memory.open(home / "project", home / "home") as memory:
        memory.ingest([{"session": "s", "seq": n, "role": request.param, "text": t} for n, t in enumerate(texts)])
        yield memory


@pytest.mark.parametrize(("name", "question"), ASKED)
def test_a_name_is_found_whole_and_by_its_pieces(told: Memory, name: str, question: str) -> None:
    assert name in told.search(question).hits[0].text
