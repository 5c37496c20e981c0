"""Whatever call fails in the middle of a verb: the error has a name, nothing or all is stored, and a retry succeeds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import apsw
import pytest

from muniment.engine.core import Engine
from muniment.errors import BusyError, FullDiskError, MunimentError, NothingChangedError, StoreError
from tests.faults.checks import digest, sound
from tests.faults.injector import FaultySystem, failing_statement
from tests.faults.verbs import VERBS, Stage, stage

KINDS = (apsw.IOError, apsw.FullError, apsw.BusyError)
NAMES = {apsw.IOError: StoreError, apsw.FullError: FullDiskError, apsw.BusyError: BusyError}


@pytest.fixture
def on(tmp_path, project) -> Stage:
    return stage(tmp_path / "stage", project)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_whose_kth_statement_fails_is_whole_or_nothing_and_can_be_repeated(verb, on):
    before, after, calls = undisturbed(on, verb)
    for k in range(1, calls + 1):
        kind = KINDS[k % len(KINDS)]
        with on.fresh() as engine:
            with failing_statement(engine, k, kind), pytest.raises(NAMES[kind]) as raised:
                VERBS[verb](engine, on)
            assert raised.value.about, "the error names the place"
            assert not engine.store().db.db.in_transaction
            whole_or_nothing(engine, on, verb, before, after)
    print(f"{verb}: {calls} statements failed")


def undisturbed(on: Stage, verb: str) -> tuple[str, str, int]:
    """The digests before and after the verb, and the number of statements that it takes."""
    with on.fresh() as engine:
        before = digest(engine)
        with failing_statement(engine, 0, apsw.IOError) as counter:
            VERBS[verb](engine, on)
        after = digest(engine)
        sound(engine)
    assert before != after
    return before, after, counter.count


def whole_or_nothing(engine: Engine, on: Stage, verb: str, before: str, after: str) -> None:
    """Never something between; and in the end what an undisturbed run gives."""
    found = digest(engine)
    assert found in (before, after)
    if found == before or verb == "index":
        VERBS[verb](engine, on)
    else:
        with pytest.raises(NothingChangedError):
            VERBS[verb](engine, on)
    assert digest(engine) == after
    sound(engine)


@pytest.fixture
def system() -> Iterator[FaultySystem]:
    made = FaultySystem()
    yield made
    made.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_whose_kth_write_or_sync_fails_is_whole_or_nothing_and_can_be_repeated(verb, on, system):
    before, after, _ = undisturbed(on, verb)
    calls = writes(on, verb, system)
    for k in range(1, calls + 1):
        kind = KINDS[k % 2]
        with on.fresh() as engine:
            always_checkpoint(engine)
            system.arm(k, kind)
            error = failure(engine, on, verb)
            system.arm(0, kind)
            assert error is None or isinstance(error, NAMES[kind])
            as_after_a_kill(on, before, after)
            if error is None:
                assert digest(engine) == after
            else:
                whole_or_nothing(engine, on, verb, before, after)
    print(f"{verb}: {calls} writes and syncs failed")


def writes(on: Stage, verb: str, system: FaultySystem) -> int:
    with on.fresh() as engine:
        always_checkpoint(engine)
        system.arm(0, apsw.IOError)
        VERBS[verb](engine, on)
        return system.count


def always_checkpoint(engine: Engine) -> None:
    """Copy the log into the file at every commit, so that the writes to both fail."""
    engine.store().db.db.pragma("wal_autocheckpoint", 1)


def failure(engine: Engine, on: Stage, verb: str) -> MunimentError | None:
    try:
        VERBS[verb](engine, on)
    except MunimentError as error:
        return error
    return None


def as_after_a_kill(on: Stage, before: str, after: str) -> None:
    """The files as they lie there now, opened by another process, hold all or nothing too."""
    copy = on.folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(on.folder / "work", copy)
    for shared in copy.rglob("*-shm"):
        shared.unlink()
    with on.engine(copy) as engine:
        assert digest(engine) in (before, after)
        sound(engine)
