"""An erasure that is cut off is not begun, or is done to its end by whoever writes next; nothing lies between."""

from __future__ import annotations

import os
import random
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import apsw
import pytest
from tests.engine.erased_worlds import PERSON, World, names_of, traces
from tests.faults import children

from muniment.engine import forgetting, upkeep
from muniment.engine.core import ERASING
from muniment.engine.forgetting import Target
from muniment.errors import NotFoundError

FILES = frozenset({"open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir"})


def erases(pipe: Connection, home: Path, project: Path, word: str, at: int) -> None:
    """Erase, and be killed at the `at`-th step that touches a file or the store (0: never); answer how many there are."""
    steps = 0
    is_on = False

    def step(*_: object) -> bool:
        nonlocal steps
        steps += is_on
        if is_on and steps == at:
            os.kill(os.getpid(), signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        return True

    apsw.connection_hooks.append(lambda db: db.set_exec_trace(step))
    sys.addaudithook(lambda event, _: step() if event in FILES else None)
    with children.open_engine(home, project) as engine:
        is_on = True
        forgetting.erase(engine, PERSON, Target("match", word))
        is_on = False
    pipe.send(steps)


def count_steps(born, made) -> int:
    home, project, word, _, _ = made()
    child = born(erases, home, project, word, 0)
    steps = child.hear()
    assert isinstance(steps, int)
    assert steps > 100
    return steps


def noted(home: Path) -> list[Path]:
    """What is noted of erasures that are not done."""
    return list((home / ERASING).iterdir()) if (home / ERASING).exists() else []


@pytest.fixture
def made(tmp_path):
    """Makes a memory with a word in it: (home, project, word, hashes, digest)."""
    numbers = iter(range(10_000))

    def make():
        n = next(numbers)
        home, project = tmp_path / f"home{n}", tmp_path / f"project{n}"
        project.mkdir()
        with children.open_engine(home, project) as engine:
            world = World(engine, tmp_path / f"outside{n}", 7).filled()
            return home, project, world.word, names_of(engine, world.word), upkeep.digest(engine)

    return make


@pytest.mark.timeout(600)
def test_an_erasure_killed_at_any_step_is_whole_or_nothing_or_finished_by_the_next_write(born, made):
    steps = count_steps(born, made)
    dice = random.Random(5)
    at_end = range(steps - 30, steps + 1)
    done = {"nothing": 0, "finished": 0, "whole": 0}
    for at in sorted({*dice.sample(range(1, steps - 30), 20), *at_end, *range(1, 12)}):
        home, project, word, names, before = made()
        child = born(erases, home, project, word, at)
        child.process.join(children.PATIENCE)
        is_noted = any(not p.name.startswith(".") for p in noted(home))
        with children.open_engine(home, project) as engine:
            engine.store(create=True)
            if not is_noted and upkeep.digest(engine) == before:
                done["nothing"] += 1
                forgetting.erase(engine, PERSON, Target("match", word))
            else:
                done["finished" if is_noted else "whole"] += 1
            checked = upkeep.verify(engine, rebuild=True)
            assert (checked.ok, checked.problems) == (True, ()), at
            with pytest.raises(NotFoundError):
                forgetting.erase(engine, PERSON, Target("match", word))
        assert traces(home, word, names) == [], at
        assert noted(home) == [], at
    assert all(done.values()), done
