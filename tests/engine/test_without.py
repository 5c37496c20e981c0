"""A search that does without one of its parts: for measuring, and by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from muniment import Memory
from muniment.errors import UsageError
from muniment.recall import without
from muniment.recall.lanes.registry import LANES

TURNS = [
    ("2026-03-01", "Ana", "The weekly review meeting is on Monday at 9."),
    ("2026-03-02", "Ben", "I planted tomatoes in the garden."),
    ("2026-03-02", "Ana", "Where did you buy the tomatoes?"),
    ("2026-03-03", "Ana", "The weekly review meeting moved to Thursday at 11."),
    ("2026-03-04", "Ben", "Lentil soup again, and the garden is dry."),
]
QUESTION = "When is the weekly review meeting?"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """Five turns of two people."""
    (tmp_path / "project").mkdir()
    with Memory.open(tmp_path / "project", tmp_path / "home", zone="UTC") as opened:
        opened.ingest(
            {"session": "c", "seq": n, "at": at, "speaker": who, "role": "user", "text": text}
            for n, (at, who, text) in enumerate(TURNS)
        )
        yield opened


def order(memory: Memory, question: str, *names: str) -> list[str]:
    """The receipts, without these parts."""
    return [hit.receipt for hit in memory.search(question, floor=False, without=names)]


def test_every_lane_can_be_left_out_by_its_name() -> None:
    assert [lane.name for lane in LANES] == [name for name in without.LANES if name != "dense"]


@pytest.mark.parametrize("name", [name for name in without.LANES if name != "dense"])
def test_a_lane_that_is_left_out_found_nothing(memory: Memory, name: str) -> None:
    found = memory.search("weekly review on 3 March 2026", floor=False, without=[name], explain=True)
    assert found.explained is not None
    assert all(name not in placed.lanes for placed in found.explained.placed)


@pytest.mark.parametrize("name", without.NAMES)
def test_every_part_can_be_left_out(memory: Memory, name: str) -> None:
    assert len(memory.search(QUESTION, without=[name])) <= 10


def test_what_holds_now_is_not_put_first_without_that_step(memory: Memory) -> None:
    assert order(memory, QUESTION)[0].startswith("conversation.c:3")
    assert order(memory, QUESTION, "order", "prior", "context")[0].startswith("conversation.c:0")


def test_without_its_context_a_turn_that_holds_no_word_is_not_found(memory: Memory) -> None:
    question = "Who is fond of tomatoes?"
    assert "conversation.c:3" in order(memory, question)
    assert "conversation.c:3" not in order(memory, question, "context")


def test_a_compound_question_is_asked_whole_without_its_parts(memory: Memory) -> None:
    question = "When is the review meeting and what did Ben plant in the garden?"
    for names, parts in ((), 2), (("parts",), 0):
        found = memory.search(question, floor=False, without=names, explain=True)
        assert found.explained is not None
        assert len(found.explained.parts) == parts


def test_characters_of_a_script_without_spaces_are_looked_for_one_by_one(memory: Memory) -> None:
    memory.ingest([{"session": "zh", "seq": 0, "speaker": "Li", "text": "昨天吃了葡萄和草莓"}])
    assert order(memory, "莓和葡") != []
    assert order(memory, "莓和葡", "characters") == []


def test_a_cursor_goes_on_without_the_same_parts(memory: Memory) -> None:
    question = "weekly review meeting in the garden"
    everything = [
        hit.receipt for hit in memory.search(question, floor=False, without=["context", "said", "time"], fusion="rrf")
    ]
    first = memory.search(question, limit=1, floor=False, without=["time", "said", "context"], fusion="rrf")
    rest = memory.search(cursor=first.cursor) if first.cursor else ()
    assert [hit.receipt for hit in (*first, *rest)] == everything


def test_an_unknown_part_or_fusion_is_refused_by_its_name(memory: Memory) -> None:
    with pytest.raises(UsageError, match="no part 'sayd'") as caught:
        memory.search(QUESTION, without=["said", "sayd"])
    assert "said, time, facts" in caught.value.hint
    with pytest.raises(UsageError, match="unknown fusion 'sum'"):
        memory.search(QUESTION, fusion="sum")  # type: ignore[arg-type]


def test_fusion_by_places_gives_scores_of_places(memory: Memory) -> None:
    found = memory.search(QUESTION, floor=False, fusion="rrf")
    assert 0 < max(hit.score for hit in found) < 0.1
