"""A session, a source or an origin as a whole: suspected, retracted, and restored exactly; and what derives from it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import Clock

from muniment.engine import finding, revising, sources, transfer
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.revising import Words, revise
from muniment.engine.stating import Statement, add
from muniment.engine.upkeep import digest, verify
from muniment.errors import NothingChangedError
from muniment.model.event import Origin
from muniment.model.fact import Action

PERSON = Caller(Origin.PERSON)


def told(engine: Engine, content: str, *parents: str, topic: str = "") -> str:
    evidence = tuple(f"fact:{p}" for p in parents)
    return add(engine, PERSON, Statement("fact", content, evidence=evidence, topic=topic)).ids[0]


def standing(engine: Engine, id_: str) -> str:
    return finding.fact(engine, id_).standing


def rows(engine: Engine) -> list[str]:
    """What is shown, but for the rung that a person's word raises."""
    return [row.split("\t")[2] + row.split("\t")[8] for row in query(engine, "p:noted").text.splitlines()]


def family(engine: Engine) -> tuple[str, str, str]:
    root = told(engine, "billing reads from a replica")
    child = told(engine, "reports may be a minute late", root)
    return root, child, told(engine, "the report says so in its footer", child)


def test_what_derives_from_a_suspect_fact_is_suspect_and_names_it(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine()
    root, child, grandchild = family(engine)
    revise(engine, PERSON, root, "suspect")
    assert [standing(engine, i) for i in (root, child, grandchild)] == ["suspect"] * 3


def test_confirming_the_root_heals_the_family(make_engine: Callable[..., Engine], clock: Clock) -> None:
    engine = make_engine()
    ids = family(engine)
    before = sorted(rows(engine))
    for action, undone in (("suspect", "confirm"), ("retract", "restore")):
        revise(engine, PERSON, ids[0], action)
        assert standing(engine, ids[2]) == "suspect"
        clock.forward(minutes=1)
        revise(engine, PERSON, ids[0], undone)
        clock.forward(minutes=1)
        assert [standing(engine, i) for i in ids] == ["confirmed"] * 3
        assert sorted(rows(engine)) == before


def test_a_person_may_speak_for_a_child_until_something_else_is_wrong(
    make_engine: Callable[..., Engine], clock: Clock
) -> None:
    engine = make_engine()
    root, child, grandchild = family(engine)
    revise(engine, PERSON, root, "suspect")
    clock.forward(minutes=1)
    revise(engine, PERSON, child, "confirm")
    assert [standing(engine, i) for i in (root, child, grandchild)] == ["suspect", "confirmed", "confirmed"]
    clock.forward(minutes=1)
    revise(engine, PERSON, root, "retract")
    assert [standing(engine, i) for i in (child, grandchild)] == ["suspect", "suspect"]


def test_a_superseded_ground_makes_suspect_and_a_rebuild_gives_the_same(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine()
    old = add(engine, PERSON, Statement("fact", "replica", subject="billing", predicate="is", topic="source")).ids[0]
    child = told(engine, "reports may be late", old)
    revising.revise(engine, PERSON, old, "correct", Words("primary", reason="it moved"))
    assert standing(engine, child) == "suspect"
    assert verify(engine, rebuild=True).ok


def test_a_session_that_went_wrong_is_suspect_as_a_whole_and_comes_back_exactly(
    make_engine: Callable[..., Engine], clock: Clock
) -> None:
    engine = make_engine()
    wrong = told(engine, "the cache is to blame")
    child = told(engine, "turn the cache off", wrong)
    session = finding.fact(engine, wrong).session
    before = sorted(rows(engine))
    for decide, stands in ((Action.SUSPECT, "suspect"), (Action.RETRACT, "retracted")):
        clock.forward(minutes=1)
        dry = sources.retract(engine, PERSON, session, dry_run=True, action=decide)
        assert dry.ids == (wrong,)
        assert sorted(rows(engine)) == before
        sources.retract(engine, PERSON, session, action=decide)
        assert (standing(engine, wrong), standing(engine, child)) == (stands, "suspect")
        clock.forward(minutes=1)
        assert sources.restore(engine, PERSON, session).ids == (wrong,)
        assert sorted(rows(engine)) == before
    assert verify(engine, rebuild=True).ok
    with pytest.raises(NothingChangedError):
        sources.restore(engine, PERSON, session)


def test_the_union_of_two_memories_is_the_same_whoever_is_loaded_first(
    make_engine: Callable[..., Engine], clock: Clock, tmp_path: Path
) -> None:
    one = make_engine("one")
    root, _, grandchild = family(one)
    early, late = tmp_path / "early.jsonl", tmp_path / "late.jsonl"
    transfer.export_jsonl(one, early)
    clock.forward(minutes=1)
    revise(one, PERSON, root, "suspect")
    transfer.export_jsonl(one, late)
    for name, files in (("two", (late, early)), ("three", (early, late))):
        other = make_engine(name)
        for file in files:
            with contextlib.suppress(NothingChangedError):
                transfer.load_jsonl(other, file)
        assert standing(other, grandchild) == "suspect"
        assert digest(other) == digest(one)
