"""Places that cannot be written: reads go on, writes say why, and when the place can be written again they succeed.

As an ordinary user: where the tests are run by root, who may write anything, they step down for as long as it matters.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.faults import children
from tests.faults.checks import bytes_of, digest, sound, stray
from tests.faults.injector import FaultySystem

from muniment.engine.asking import query
from muniment.engine.stating import Statement, add
from muniment.engine.upkeep import verify
from muniment.errors import FullDiskError, NotFoundError, ReadOnlyStoreError, StoreError
from muniment.model.scope import MARKER
from muniment.storage.sqlite.store import Database

NOBODY = 65534
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
on_windows = sys.platform == "win32"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that an ordinary user can reach, with a project and a store of two facts."""
    folder = Path(tempfile.mkdtemp(prefix="muniment-"))
    os.chmod(folder, 0o755)
    (folder / "project").mkdir()
    (folder / "project" / MARKER).touch()
    with children.open_engine(folder / "home", folder / "project") as engine:
        for text in ("one", "two"):
            add(engine, children.PERSON, Statement("fact", text))
    yield folder
    for each in [folder, *folder.rglob("*")]:
        os.chmod(each, 0o755)
    shutil.rmtree(folder)


@contextlib.contextmanager
def ordinary_user(folder: Path) -> Iterator[None]:
    """Nobody special, who owns everything in that folder."""
    if not IS_ROOT:
        yield
        return
    for each in [folder, *folder.rglob("*")]:
        os.chown(each, NOBODY, -1)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def database(place: Path) -> Path:
    return next((place / "home").rglob("memory.db"))


def engine_of(place: Path):
    return children.open_engine(place / "home", place / "project")


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


@contextlib.contextmanager
def protected(path: Path) -> Iterator[None]:
    """Nothing can be written to this file or into this folder."""
    mode = stat.S_IMODE(path.stat().st_mode)
    os.chmod(path, mode & ~0o222)
    try:
        yield
    finally:
        os.chmod(path, mode)


@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_a_write_protected_store_can_be_read_and_says_why_it_cannot_be_written(what, place):
    file = database(place)
    before, files = bytes_of(file), names(file.parent)
    with ordinary_user(place), contextlib.ExitStack() as stack:
        if what != "folder":
            stack.enter_context(protected(file))
        if what != "file":
            stack.enter_context(protected(file.parent))
        with engine_of(place) as engine:
            assert "two" in query(engine).text
            assert verify(engine).ok
            with pytest.raises(ReadOnlyStoreError) as raised:
                add(engine, children.PERSON, Statement("fact", "three"))
            # Windows has no folders into which nothing can be written; there the file decides.
            assert "write-protected" in raised.value.message
            assert raised.value.about == str(file)
    assert bytes_of(file) == before
    assert names(file.parent) == files


def test_an_engine_that_could_not_write_can_when_the_place_allows_it_again(place):
    file = database(place)
    with ordinary_user(place), engine_of(place) as engine:
        with protected(file):
            assert query(engine).text
        added = add(engine, children.PERSON, Statement("fact", "three"))
        assert added.outcome == "stored"
        assert "three" in query(engine).text
        sound(engine)


def test_who_reads_without_locks_notices_that_somebody_writes(place):
    file = database(place)
    with ordinary_user(place), engine_of(place) as reader, engine_of(place) as writer:
        with protected(file):
            assert "three" not in query(reader).text
        add(writer, children.PERSON, Statement("fact", "three"))
        assert "three" in query(reader).text


def test_who_reads_without_locks_notices_that_somebody_wrote_and_left(place):
    file = database(place)
    with ordinary_user(place), engine_of(place) as reader:
        with protected(file):
            assert "three" not in query(reader).text
        with engine_of(place) as writer:
            add(writer, children.PERSON, Statement("fact", "three"))
        assert names(file.parent) == ["memory.db", "memory.db.lock"]
        assert "three" in query(reader).text


def test_a_protected_folder_with_a_log_in_it_is_refused_rather_than_read_without_the_log(place):
    file = database(place)
    kept = place / "kept"
    with engine_of(place) as engine:
        add(engine, children.PERSON, Statement("fact", "in the log alone"))
        shutil.copytree(file.parent, kept)
    for each in names(file.parent):
        (file.parent / each).unlink()
    for each in ("memory.db", "memory.db-wal"):
        shutil.copy(kept / each, file.parent / each)
    before = bytes_of(file)
    with ordinary_user(place), engine_of(place) as engine:
        with protected(file.parent), pytest.raises(StoreError):
            query(engine)
        assert bytes_of(file) == before
        assert "in the log alone" in query(engine).text
        sound(engine)


def test_a_home_that_cannot_be_made_is_named(tmp_path, place):
    with ordinary_user(place), protected(place / "project"):
        engine = children.open_engine(place / "project" / "home", place / "project")
        with pytest.raises(ReadOnlyStoreError) as raised:
            add(engine, children.PERSON, Statement("fact", "one"))
    assert str(place / "project") in raised.value.about
    assert names(place / "project") == [MARKER]


# --- a full disk ------------------------------------------------------------------------------------------------------


def test_a_file_that_may_not_grow_fails_by_name_loses_nothing_and_is_read_on(home, project, opened, born):
    if on_windows:  # no such limit there; the next test shows the same from within
        return
    child = born(children.fills_up, home, project, 600_000)
    kept, error, read, opened_then, after = child.hear()
    assert error[0] == "FullDiskError"
    assert "before" in read
    assert "before" in opened_then
    engine = opened()
    stored = [r[0] for r in engine.store().db.rows("SELECT hex(id) FROM facts")]
    assert len(stored) == len(kept) + 1
    assert after
    sound(engine)


@pytest.fixture
def system() -> Iterator[FaultySystem]:
    made = FaultySystem()
    yield made
    made.close()


class _Full(FaultySystem):
    """No write of any size succeeds while it is full."""

    def step(self, extended: int) -> None:
        self.count += 1
        if self.at and self.count >= self.at:
            raise apsw.FullError("database or disk is full")


@pytest.fixture
def disk() -> Iterator[_Full]:
    made = _Full()
    yield made
    made.close()


def test_on_a_full_disk_reads_go_on_and_writes_succeed_when_there_is_room_again(disk, home, project, opened):
    engine = opened()
    add(engine, children.PERSON, Statement("fact", "one"))
    before = digest(engine)
    disk.arm(1, apsw.FullError)
    for _ in range(3):
        with pytest.raises(FullDiskError):
            add(engine, children.PERSON, Statement("fact", "two"))
        assert "one" in query(engine).text
        assert digest(engine) == before
        assert digest(opened()) == before
    disk.arm(0, apsw.FullError)
    add(engine, children.PERSON, Statement("fact", "two"))
    assert "two" in query(engine).text
    sound(engine)


def test_a_store_that_cannot_be_made_for_want_of_room_leaves_nothing(system, home, project, opened):
    k, made = 0, False
    while not made:
        k += 1
        system.arm(k, apsw.FullError)
        try:
            opened().store(create=True)
            made = True
        except FullDiskError:
            assert list(home.rglob("memory.db")) == []
        system.arm(0, apsw.FullError)
        assert stray(home) == []
    print(f"{k - 1} calls failed while a store was made")
    assert k > 3
    add(opened(), children.PERSON, Statement("fact", "one"))


# --- files that go away -----------------------------------------------------------------------------------------------


def test_nothing_is_written_to_a_file_that_was_removed_or_replaced(home, project, opened):
    engine = opened()
    add(engine, children.PERSON, Statement("fact", "one"))
    moved = engine.path.with_name("moved.db")
    if on_windows:  # an open file cannot be moved there
        return
    engine.path.rename(moved)
    with pytest.raises(StoreError, match="removed or replaced"):
        add(engine, children.PERSON, Statement("fact", "two"))
    shutil.copy(moved, engine.path)
    with pytest.raises(StoreError, match="removed or replaced"):
        add(engine, children.PERSON, Statement("fact", "two"))


# --- what reading leaves behind ---------------------------------------------------------------------------------------


def test_asking_where_nothing_is_remembered_makes_nothing(home, project, opened):
    with pytest.raises(NotFoundError):
        query(opened())
    assert not home.exists()


def test_opening_a_store_read_only_makes_nothing_and_changes_nothing(place):
    file = database(place)
    before, files = bytes_of(file), names(file.parent)
    reader = Database(file, read_only=True)
    assert reader.rows("SELECT count(*) FROM facts") == [(2,)]
    with pytest.raises(ReadOnlyStoreError), reader.writing():
        pass
    with pytest.raises(ReadOnlyStoreError):
        reader.rows("DELETE FROM facts")
    reader.close()
    assert bytes_of(file) == before
    assert names(file.parent) == files


def test_only_the_user_can_read_what_is_kept(place):
    if on_windows:  # the folder's access list decides there, not a mode
        return
    with engine_of(place) as engine:
        add(engine, children.PERSON, Statement("fact", "three"))
        kept = [p for p in (place / "home").rglob("*") if p.is_file()]
        assert {p.name for p in kept} >= {"memory.db", "memory.db-wal", "memory.db-shm", "memory.db.lock"}
        assert [oct(stat.S_IMODE(p.stat().st_mode)) for p in kept] == ["0o600"] * len(kept)
    folders = [p for p in [place / "home", *(place / "home").rglob("*")] if p.is_dir()]
    assert [oct(stat.S_IMODE(p.stat().st_mode)) for p in folders] == ["0o700"] * len(folders)
