"""Order of arrival does not matter: ids, digest, answers and exports are functions of the set that a store was given."""

from __future__ import annotations

import io
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.worlds import World, answers, engine_at, home, worlds, write, write_all

from muniment.engine.core import Engine
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.engine.upkeep import digest, verify

seeds = st.integers(0, 1 << 32)
SEVERAL = settings(max_examples=40, deadline=None)


def exported(engine: Engine) -> bytes:
    stream = io.BytesIO()
    export_jsonl(engine, stream)
    return stream.getvalue()


def state(engine: Engine) -> tuple[object, ...]:
    return digest(engine), exported(engine), answers(engine)


def searchable(engine: Engine) -> list[bytes]:
    """The events that the text index holds."""
    sql = "SELECT h.uid FROM event_text_docsize d JOIN shown h ON h.event = d.id ORDER BY 1"
    return [uid for (uid,) in engine.store().db.rows(sql)]


@SEVERAL
@given(worlds(), seeds, seeds)
def test_any_order_repetition_and_batching_gives_the_same_store(world: World, one: int, other: int) -> None:
    if not world.items:
        return
    with home() as folder, engine_at(folder, "one") as a, engine_at(folder, "other") as b:
        write_all(a, world.items, one)
        write_all(b, world.items, other)
        assert digest(a) == digest(b)
        assert exported(a) == exported(b)
        assert answers(a) == answers(b)
        assert searchable(a) == searchable(b)


@SEVERAL
@given(worlds(), seeds)
def test_one_by_one_as_it_happened_gives_the_same_store_as_all_at_once(world: World, seed: int) -> None:
    if not world.items:
        return
    with home() as folder, engine_at(folder, "one") as a, engine_at(folder, "other") as b:
        for item in world.items:
            write(a, [item])
        write(b, world.items)
        assert state(a) == state(b)
        write_all(a, world.items, seed)
        assert state(a) == state(b)


@SEVERAL
@given(worlds(), seeds)
def test_a_rebuild_gives_the_same_digest_and_finds_nothing_wrong(world: World, seed: int) -> None:
    if not world.items:
        return
    with home() as folder, engine_at(folder, "one") as engine:
        write_all(engine, world.items, seed)
        before = state(engine)
        checked = verify(engine)
        assert checked.problems == ()
        rebuilt = verify(engine, rebuild=True)
        assert rebuilt.problems == ()
        assert rebuilt.rebuilt_digest == rebuilt.digest == checked.digest == before[0]
        assert state(engine) == before
        assert verify(engine).ok


@SEVERAL
@given(worlds(), st.data(), seeds)
def test_the_union_of_two_stores_is_the_store_that_saw_all(world: World, data: st.DataObject, seed: int) -> None:
    if not world.items:
        return
    sides = data.draw(st.lists(st.sampled_from("abc"), min_size=len(world.items), max_size=len(world.items)))
    with home() as folder, engine_at(folder, "a") as a, engine_at(folder, "b") as b, engine_at(folder, "all") as whole:
        write_all(whole, world.items, seed)
        for engine, skipped in ((a, "b"), (b, "a")):
            engine.store(create=True)
            write(engine, [i for i, side in zip(world.items, sides, strict=True) if side != skipped])
        first, second = folder / "a.jsonl", folder / "b.jsonl"
        export_jsonl(a, first)
        export_jsonl(b, second)
        load_jsonl(a, second, allow_nothing=True)
        load_jsonl(b, first, allow_nothing=True)
        with engine_at(folder, "fresh") as fresh:
            load_jsonl(fresh, second, allow_nothing=True)
            load_jsonl(fresh, first, allow_nothing=True)
            assert state(a) == state(b) == state(fresh) == state(whole)
        assert verify(a, rebuild=True).problems == ()


@SEVERAL
@given(worlds(), seeds)
def test_an_export_loaded_into_an_empty_store_is_that_export_again(world: World, seed: int) -> None:
    if not world.items:
        return
    with home() as folder, engine_at(folder, "one") as engine, engine_at(folder, "other") as empty:
        write_all(engine, world.items, seed)
        path = Path(folder, "all.jsonl")
        export_jsonl(engine, path)
        load_jsonl(empty, path)
        assert state(empty) == state(engine)
