"""The same set, the same answer to a question in words: whatever came first, after a rebuild, and in a store made of an export."""

from __future__ import annotations

import itertools
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.worlds import Item, World, engine_at, home, worlds, write, write_all

from muniment.engine.core import Engine
from muniment.engine.searching import Asking, Finding, search
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.engine.upkeep import verify

QUESTIONS = (
    "could you look at it and tell me why it fails?", "door tulip", "what does load do and how did the tests fail?",
    "which database do we use now", "did we use tabs in March 2026", "is `src/a.py` right?", "SQLite PostgreSQL MariaDB",
    "passed 3 in 0.12s", "both the door and the office", "nothing of the kind, zebra", "!!",
)  # fmt: skip
WAYS = (
    Asking(100_000, explain=True), Asking(400, limit=2), Asking(100_000, floor=False, fusion="rrf"),
    Asking(100_000, include=("hypothesis", "superseded"), explain=True, floor=False),
)  # fmt: skip
seeds = st.integers(0, 1 << 32)
SEVERAL = settings(max_examples=12, deadline=None)


def told(finding: Finding) -> tuple[object, ...]:
    """All that an answer says; its bytes and what stands beside them."""
    hits = [(h.id, h.kind, h.receipt, h.score, h.lanes, h.standing, h.marks, h.row) for h in finding]
    nearest = finding.nearest.row if finding.nearest else None
    return (
        finding.text,
        hits,
        finding.left_out,
        finding.cursor,
        finding.reason,
        nearest,
        finding.confidence,
        finding.explained,
    )


def answers(engine: Engine) -> list[tuple[object, ...]]:
    """The answers to all questions, asked in every way."""
    return [told(search(engine, words, how)) for words, how in itertools.product(QUESTIONS, WAYS)]


def apart(world: World) -> World:
    """Without a second event at a place that another has: which of two such is the nearer neighbour is not said."""
    taken: dict[tuple[str, int], bytes] = {}
    kept: list[Item] = []
    for item in world.items:
        event = item.event
        if event is None or taken.setdefault((event.session, event.seq), event.uid) == event.uid:
            kept.append(item)
    return World(tuple(kept))


@SEVERAL
@given(worlds().map(apart), seeds, seeds)
def test_whatever_came_first_the_answers_are_the_same(world: World, one: int, other: int) -> None:
    if not world.items:
        return
    with home() as folder, engine_at(folder, "one") as a, engine_at(folder, "other") as b:
        write_all(a, world.items, one)
        write_all(b, world.items, other)
        assert answers(a) == answers(b)


@SEVERAL
@given(worlds().map(apart), seeds)
def test_a_rebuild_an_export_and_opening_it_again_change_no_answer(world: World, seed: int) -> None:
    if not world.items:
        return
    with home() as folder, engine_at(folder, "one") as engine, engine_at(folder, "other") as loaded:
        write_all(engine, world.items, seed)
        first = answers(engine)
        assert answers(engine) == first
        export_jsonl(engine, Path(folder, "all.jsonl"))
        load_jsonl(loaded, Path(folder, "all.jsonl"))
        assert answers(loaded) == first
        engine.close()
        assert answers(engine) == first
        assert verify(engine, rebuild=True).problems == ()
        assert answers(engine) == first


@SEVERAL
@given(worlds().map(apart))
def test_what_a_process_remembers_between_questions_is_never_old(world: World) -> None:
    with home() as folder, engine_at(folder, "one") as engine, engine_at(folder, "one") as writer:
        for item in world.items[:12]:
            write(writer, [item])
            with engine_at(folder, "one") as fresh:
                questions = QUESTIONS[:3]
                found = [told(search(engine, words, WAYS[0])) for words in questions]
                assert found == [told(search(fresh, words, WAYS[0])) for words in questions]
