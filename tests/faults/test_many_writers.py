"""Many processes write at once: nothing lost, no error shown to a caller, nobody starved."""

from __future__ import annotations

import time

import pytest
from tests.faults import children
from tests.faults.checks import all_there, facts, sound

from muniment.engine.asking import query
from muniment.testing.transcripts import write_claude_code


@pytest.mark.timeout(300)
def test_eight_writers_of_five_hundred_facts_lose_nothing_and_see_no_error(home, project, opened, born):
    writes_all(home, project, opened, born, 8, 500)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("writers", "each"), [(2, 20), (32, 200), (32, 2000)])
def test_any_number_of_writers_loses_nothing(writers, each, home, project, opened, born):
    writes_all(home, project, opened, born, writers, each)


def test_writers_lose_nothing_while_a_transcript_is_read_in(home, project, opened, born, tmp_path):
    path = tmp_path / "session.jsonl"
    write_claude_code(path, seed=5, turns=30, cwd=str(project))
    reader = born(children.reads_in, home, project, path)
    writes_all(home, project, opened, born, 4, 50, beside=[reader])
    assert reader.hear() > 0


def writes_all(home, project, opened, born, writers, each, beside=()):
    made = [born(children.states_so_many, home, project, f"writer{w}", each) for w in range(writers)]
    children.start([*beside, *made])
    answers = [child.hear(1800) for child in made]
    assert [errors for _, _, errors in answers] == [[]] * writers
    engine = opened()
    ids = [i for done, _, _ in answers for i in done]
    assert len(set(ids)) == writers * each
    all_there(engine, ids)
    if not beside:
        assert facts(engine) == writers * each
    order_is_kept(engine, [done for done, _, _ in answers])
    sound(engine)
    waits = sorted(wait for _, each_wait, _ in answers for wait in each_wait)
    print(f"{writers}x{each}: p50 {waits[len(waits) // 2] * 1e3:.0f} p95 {waits[len(waits) * 95 // 100] * 1e3:.0f} ms")


def order_is_kept(engine, per_writer):
    """What a writer said later was stored later."""
    from muniment.model.ids import show

    place = {show(r[0]): r[1] for r in engine.store().db.rows("SELECT id, n FROM facts")}
    for ids in per_writer:
        places = [place[i] for i in ids]
        assert places == sorted(places)


def test_no_writer_starves_in_a_window_of_time(home, project, opened, born):
    made = [born(children.states_until_told, home, project, f"writer{w}") for w in range(8)]
    children.start(made)
    time.sleep(6)
    for child in made:
        child.tell("stop")
    counts = [child.hear() for child in made]
    print(f"least {min(counts)}, most {max(counts)} in 6 s")
    assert min(counts) >= max(counts) / 2
    assert facts(opened()) == sum(counts)


def test_readers_go_on_while_many_write(home, project, opened, born):
    children.start([seed := born(children.states_so_many, home, project, "seed", 5)])
    seed.hear()
    writers = [born(children.states_so_many, home, project, f"writer{w}", 40) for w in range(4)]
    readers = [born(children.asks_until_told, home, project) for _ in range(2)]
    children.start([*writers, *readers])
    assert [child.hear()[2] for child in writers] == [[]] * 4
    for child in readers:
        child.tell("stop")
        assert child.hear() > 0
    assert query(opened(), "writer0").hits
