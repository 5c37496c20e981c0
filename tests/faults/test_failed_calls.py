"""Whatever call fails in the middle of a verb: the error has a name, nothing or all is stored, and a retry succeeds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import apsw
import pytest
from tests.faults.checks import digest, sound
from tests.faults.injector import FaultySystem, failing_statement
from tests.faults.verbs import VERBS, Stage, stage

from muniment.engine.core import Engine
from muniment.errors import BusyError, FullDiskError, MunimentError, NothingChangedError, StoreError
from muniment.storage.sqlite.store import Database

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


def test_a_store_that_kept_half_of_a_verb_would_be_noticed(on, monkeypatch):
    before, after, _ = undisturbed(on, "add")
    monkeypatch.setattr(Database, "_roll_back", lambda self: self.db.in_transaction and self.db.execute("COMMIT"))
    with on.fresh() as engine:
        with failing_statement(engine, 30, apsw.BusyError), pytest.raises(BusyError):
            VERBS["add"](engine, on)
        with pytest.raises(AssertionError):
            whole_or_nothing(engine, on, "add", before, after)


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
            system.arm(k, kind)
            error = failure(engine, on, verb)
            system.arm(0, kind)
            assert isinstance(error, NAMES[kind])
            as_after_a_kill(on, before, after)
            whole_or_nothing(engine, on, verb, before, after)
    print(f"{verb}: {calls} writes and syncs failed")


def writes(on: Stage, verb: str, system: FaultySystem) -> int:
    with on.fresh() as engine:
        system.arm(0, apsw.IOError)
        VERBS[verb](engine, on)
        return system.count


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


def test_copying_the_log_into_the_file_may_fail_at_any_call_and_loses_nothing(on, system):
    _, after, _ = undisturbed(on, "add")
    calls = checkpoint(on, system, 0)[1]
    for k in range(1, calls + 1):
        error, _ = checkpoint(on, system, k)
        assert isinstance(error, NAMES[KINDS[k % 2]])
        as_after_a_kill(on, after, after)
    print(f"checkpoint: {calls} writes and syncs failed")


def checkpoint(on: Stage, system: FaultySystem, at: int) -> tuple[MunimentError | None, int]:
    """What became of a checkpoint whose `at`-th call to the system fails, and how many calls it made."""
    with on.fresh() as engine:
        VERBS["add"](engine, on)
        system.arm(at, KINDS[at % 2])
        try:
            engine.store().db.upgrade_wal()
        except MunimentError as error:
            return error, system.count
        finally:
            calls = system.count
            system.arm(0, apsw.IOError)
        return None, calls
