"""Order of arrival does not matter: ids, digest, answers and exports are functions of the set that a store holds."""

from __future__ import annotations

import io
import multiprocessing
import random
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.properties.worlds import World, answers, engine_at, home, worlds, write, write_all

from muniment.capture.transcripts.adapters import adapters
from muniment.engine.core import Engine
from muniment.engine.indexing import index, locate
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.engine.upkeep import digest, verify
from muniment.testing.transcripts import write_corpus

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
    sql = """SELECT h.uid FROM (SELECT id FROM said_text_docsize UNION ALL SELECT id FROM work_text_docsize) d
        JOIN shown h ON h.event = d.id ORDER BY 1"""
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


def _archive_slice(home_folder: str, name: str, world: World, number: int, of: int) -> None:
    """A process of its own: every n-th item, one transaction each, in an order of its own."""
    with engine_at(Path(home_folder), name) as engine:
        for item in random.Random(number).sample(world.items[number::of], len(world.items[number::of])):
            write(engine, [item])


@settings(max_examples=3, deadline=None, phases=[Phase.generate])
@given(worlds())
def test_several_processes_writing_at_once_make_the_same_store(world: World) -> None:
    with home() as folder, engine_at(folder, "alone") as alone, engine_at(folder, "shared") as shared:
        write(alone, world.items)
        shared.store(create=True)
        spawn = multiprocessing.get_context("spawn")
        writers = [
            spawn.Process(target=_archive_slice, args=(str(folder), "shared", world, number, 3)) for number in range(3)
        ]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        assert [writer.exitcode for writer in writers] == [0, 0, 0]
        assert state(shared) == state(alone)
        assert verify(shared, rebuild=True).problems == ()


def test_transcripts_read_in_any_order_of_files_and_again_make_the_same_store() -> None:
    with home() as folder:
        files = write_corpus(folder / "tree", size_bytes=600_000, files=6, seed=7)
        found = []
        for name, order in (("forwards", files), ("backwards", files[::-1]), ("twice", [*files[3:], *files])):
            with engine_at(folder, name) as engine:
                for file in order:
                    index(engine, locate(adapters(), [file])[0], named=True)
                found.append(state(engine))
                assert verify(engine, rebuild=True).problems == ()
        assert found[0] == found[1] == found[2]
        assert b'"events":0' not in found[0][1]  # type: ignore[operator]


def test_a_transcript_read_while_it_grows_makes_the_same_store_as_read_at_once() -> None:
    with home() as folder:
        file = write_corpus(folder / "tree", size_bytes=200_000, files=1, seed=11)[0]
        whole = file.read_bytes()
        with engine_at(folder, "growing") as growing, engine_at(folder, "whole") as at_once:
            for share in (3, 5, 8, 10):
                file.write_bytes(whole[: len(whole) * share // 10])
                index(growing, locate(adapters(), [file])[0], named=True)
            index(at_once, locate(adapters(), [file])[0], named=True)
            assert state(growing) == state(at_once)
            assert verify(growing, rebuild=True).problems == ()
