"""A process may be killed at any moment: nothing acknowledged is lost, nothing is torn, nothing is left about.

Ending a process this way is SIGKILL, or TerminateProcess on Windows. It shows what a crash of the program does,
not what a power cut does: what the process gave to the system is not lost with it.
"""

from __future__ import annotations

import random
import time

import pytest
from tests.faults import children
from tests.faults.checks import all_there, digest, facts, sound, stray

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing
from muniment.engine.stating import Statement, add
from muniment.testing.transcripts import write_claude_code

SEED = 20260305


@pytest.mark.timeout(600)
def test_two_hundred_kills_of_a_writer_lose_nothing_that_was_acknowledged(home, opened, born, project):
    kill_writers(home, opened, born, project, 200)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_five_thousand_kills_of_a_writer_lose_nothing_that_was_acknowledged(home, opened, born, project):
    kill_writers(home, opened, born, project, 5000)


def kill_writers(home, opened, born, project, kills):
    dice, told = random.Random(SEED), []
    opened().store(create=True)
    for n in range(kills):
        writer = born(children.states_forever, home, project, f"life {n}")
        told.extend(writer.hear() for _ in range(dice.randrange(1, 6)))  # "ready", then ids
        time.sleep(dice.random() * 0.012)
        writer.kill()
        while (more := writer.hear()) is not None:
            told.append(more)
        with opened() as engine:
            all_there(engine, [i for i in told[-50:] if i != "ready"])
        if n % 20 == 19:
            sound(opened())
    ids = [i for i in told if i != "ready"]
    engine = opened()
    all_there(engine, ids)
    # What was committed but not yet acknowledged may be there: at most one for each life.
    assert len(ids) <= facts(engine) <= len(ids) + kills
    sound(engine)
    engine.close()
    assert stray(home) == []
    print(f"{kills} kills, {len(ids)} acknowledged")


def test_writers_killed_in_a_crowd_hold_up_nobody(home, opened, born, project):
    dice, ids = random.Random(SEED), []
    for n in range(5):
        crowd = [born(children.states_forever, home, project, f"life {n} {w}") for w in range(4)]
        for writer in crowd:
            ids += [writer.hear() for _ in range(3)][1:]
        for writer in dice.sample(crowd, 4):
            time.sleep(dice.random() * 0.01)
            writer.kill()
        with opened(lock_timeout=5) as engine:
            ids.append(add(engine, children.PERSON, Statement("fact", f"after {n}")).ids[0])
    all_there(opened(), ids)
    sound(opened())


@pytest.mark.timeout(300)
def test_a_kill_while_the_store_is_made_leaves_none_or_a_whole_one(tmp_path, opened, born, project):
    dice, whole, half = random.Random(SEED), 0, 0
    for n in range(40):
        home = tmp_path / f"home{n}"
        maker = born(children.makes_a_store, home, project)
        children.start([maker])
        time.sleep(dice.random() * 0.02)
        maker.kill()
        whole += bool(list(home.rglob("memory.db")))
        half += bool(list(home.rglob("*.new")))
        with opened(home) as engine:
            made = add(engine, children.PERSON, Statement("fact", "after"))
            all_there(engine, made.ids)
            sound(engine)
        assert stray(home) == []
    print(f"40 kills: {whole} stores were whole, {half} left a half-made one")
    assert 0 < whole < 40


@pytest.mark.timeout(300)
def test_a_kill_while_transcripts_are_read_in_changes_nothing_of_the_result(tmp_path, opened, born, project):
    path = tmp_path / "sessions"
    for n in range(20):
        write_claude_code(path / f"{n:02}" / f"session{n}.jsonl", seed=n, size_bytes=100_000, cwd=str(project))
    found, _ = indexing.locate(adapters(), [path])
    undisturbed = opened(tmp_path / "other home")
    began = time.perf_counter()
    indexing.index(undisturbed, found, named=True)
    length = time.perf_counter() - began
    for n in range(5):
        home = tmp_path / f"home{n}"
        kill_readers(home, born, project, path, length, 6, n)
        with opened(home) as engine:
            left = indexing.index(engine, found, named=True).new_events
            assert digest(engine) == digest(undisturbed)
            sound(engine)
        assert stray(home) == []
        print(f"6 kills over a reading of {length:.1f} s; the last pass found {left} new")


def kill_readers(home, born, project, path, length, kills, seed):
    dice = random.Random(seed)
    for _ in range(kills):
        reader = born(children.reads_in, home, project, path)
        children.start([reader])
        time.sleep(dice.random() * length / 5)
        reader.kill()
