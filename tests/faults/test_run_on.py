"""A host with `on_error="degrade"` runs on: reads say why they are empty, no write that did not happen is called one, it heals."""

from __future__ import annotations

import inspect
import logging
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.faults import children
from tests.faults.injector import failing_statement
from tests.faults.test_places import ordinary_user, protected

from muniment import Memory
from muniment.engine import careful, written
from muniment.errors import MunimentError, NotFoundError, UsageError

SAMPLES = Path(__file__).parents[2] / "src" / "muniment" / "samples"
READS: dict[str, Callable[[Any], Any]] = {
    "query": lambda m: m.query("p:uses"),
    "list": lambda m: m.list("fact"),
    "search": lambda m: m.search("which database"),
    "get": lambda m: m.get("database"),
    "conflicts": lambda m: m.conflicts("We use MySQL"),
    "similar": lambda m: m.similar("We use MySQL"),
    "read": lambda m: m.read("0VP0V7J7VAGJ3BZ0JZX3QSM5MD"),
    "history": lambda m: m.history("0VP0V7J7VAGJ3BZ0JZX3QSM5MD"),
    "why": lambda m: m.why("0VP0V7J7VAGJ3BZ0JZX3QSM5MD"),
    "review": lambda m: m.review(),
    "scoped": lambda m: m.scoped("project").sql("SELECT * FROM v_now"),
}
WRITES: dict[str, Callable[[Any, Path], Any]] = {
    "revise": lambda m, _: m.revise("0VP0V7J7VAGJ3BZ0JZX3QSM5MD", "retract"),
    "update": lambda m, _: m.update("0VP0V7J7VAGJ3BZ0JZX3QSM5MD", "tags", "x"),
    "retract_source": lambda m, _: m.retract_source("s"),
    "decide": lambda m, _: m.decide("0VP0V7J7VAGJ3BZ0JZX3QSM5MD", "accept"),
    "index": lambda m, _: m.index(SAMPLES),
    "load": lambda m, samples: m.load("jsonl", samples / "all.jsonl"),
    "export": lambda m, samples: m.export("jsonl", samples / "out.jsonl"),
}
KEPT: dict[str, Callable[[Any], Any]] = {
    "add": lambda m: m.add("fact", "PostgreSQL 17", predicate="uses", topic="database"),
    "ingest": lambda m: m.ingest({"session": "c", "text": f"turn {n}", "role": "user", "seq": n} for n in range(3)),
}


class Host:
    """A program with a memory of a fact; it may look at the files, which the handle cannot know of."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.project.mkdir()
        with Memory.open(self.project, self.home, vouch="person") as memory:
            self.id = memory.add("fact", "SQLite", predicate="uses", topic="database").ids[0]

    def open(self, **settings: Any) -> Any:
        memory = Memory.open(self.project, self.home, "degrade", vouch="person")
        if settings and memory._open is not None:
            memory._open.settings = replace(memory._open.settings, **settings)
            memory._open.close()
        return memory

    @property
    def database(self) -> Path:
        return next(self.home.rglob("memory.db"))

    def values(self) -> set[str]:
        with Memory.open(self.project, self.home) as memory:
            return {hit.text for hit in memory.query("p:uses,noted", 1_000_000)}

    def events(self) -> int:
        with Memory.open(self.project, self.home) as memory:
            return int(memory.scoped("project").sql("SELECT count(*) FROM events").rows[0][0])


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


# --- what may happen to a store; each says what its reason must name


@contextmanager
def damaged(host: Host) -> Iterator[str]:
    path, whole = host.database, host.database.read_bytes()
    path.write_bytes(whole[:100] + os.urandom(len(whole) - 100))
    yield "damaged"
    path.write_bytes(whole)


@contextmanager
def emptied(host: Host) -> Iterator[str]:
    path, whole = host.database, host.database.read_bytes()
    path.write_bytes(b"")
    yield "is empty"
    path.write_bytes(whole)


@contextmanager
def newer(host: Host) -> Iterator[str]:
    path = host.database
    with apsw.Connection(str(path)) as db:
        version = db.pragma("user_version")
        db.pragma("user_version", 99)
    db.close()
    yield "format 99"
    with apsw.Connection(str(path)) as db:
        db.pragma("user_version", version)
    db.close()


@contextmanager
def foreign(host: Host) -> Iterator[str]:
    path, whole = host.database, host.database.read_bytes()
    path.unlink()
    apsw.Connection(str(path)).execute("CREATE TABLE x (y)").close()
    yield "not a store of muniment"
    path.write_bytes(whole)


@contextmanager
def no_folder(host: Host) -> Iterator[str]:
    """A file stands where the folder of the store was."""
    folder, beside = host.database.parent, host.home / "beside"
    folder.rename(beside)
    folder.write_text("")
    yield ""
    folder.unlink()
    beside.rename(folder)


TROUBLES = (damaged, emptied, newer, foreign, no_folder)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may become larger, as on a full disk."""
    resource = pytest.importorskip("resource")
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


def honest(answer: Any, sign: str) -> None:
    """It is empty, and says why."""
    assert sign in answer.reason, answer
    for name in ("hits", "rows", "ids", "entries", "pairs", "steps", "proposals", "turns"):
        assert not getattr(answer, name, ()), (name, answer)
    assert getattr(answer, "answer", "UNKNOWN") == "UNKNOWN"
    assert not getattr(answer, "verified", False)
    assert not getattr(answer, "ok", False)
    assert getattr(answer, "outcome", "refused") in ("refused", "pending")


@pytest.mark.parametrize("trouble", TROUBLES[:-1])
def test_reads_are_empty_and_say_why_and_heal(host: Host, trouble, caplog: pytest.LogCaptureFixture) -> None:
    memory = host.open()
    memory.close()
    with trouble(host) as sign:
        memory = host.open()
        for name, ask in READS.items():
            honest(ask(memory), sign)
            assert name
        assert not memory.verify().ok
        assert sign in memory.view("wake", 4096)
        assert memory.view("wake", 10) == ""
        health = memory.healthy()
        assert not health
        assert [light.ok for light in health.lights] == [True, False, False, False]
        assert sign in health.reason
        lines = [r for r in caplog.records if r.name == "muniment" and r.levelno >= logging.WARNING]
        assert len({r.getMessage() for r in lines}) == len(lines) <= 2
    assert [hit.text for hit in memory.query("p:uses")] == ["SQLite"]
    assert memory.healthy().ok
    assert caplog.records[-1].getMessage() == "muniment: memory can be used again"
    memory.close()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_no_write_that_did_not_happen_is_called_one(host: Host, trouble, tmp_path: Path) -> None:
    with host.open() as memory:
        memory.export("jsonl", tmp_path / "all.jsonl")
    with trouble(host) as sign:
        before = host.database.read_bytes() if host.database.exists() else b"" if trouble is not no_folder else None
        memory = host.open()
        for write in WRITES.values():
            answer = write(memory, tmp_path)
            honest(answer, sign)
            assert not getattr(answer, "kept", 0)
            assert not getattr(answer, "new_events", 0)
        assert not (tmp_path / "out.jsonl").exists()
        for write in KEPT.values():
            answer = write(memory)
            honest(answer, sign)
            assert "nothing was stored yet" in answer.reason
        health = memory.healthy()
        assert health.backlog == 2
        assert health.oldest is not None
        if before is not None and trouble is not no_folder:
            assert host.database.read_bytes() == before
    assert memory.healthy().backlog == 0
    assert host.values() >= {"PostgreSQL 17"}
    assert host.events() == 5
    memory.close()
    host.open().close()
    assert host.events() == 5


def test_what_waits_is_taken_in_by_the_next_program(host: Host) -> None:
    with newer(host):
        with host.open() as memory:
            assert memory.add("fact", "kept over a restart").outcome == "pending"
        with host.open() as memory:
            assert memory.healthy().backlog == 1
    with host.open() as memory:
        assert memory.healthy().backlog == 0
    assert "kept over a restart" in host.values()


def test_what_waits_lends_nobody_the_authority_of_another(host: Host) -> None:
    with newer(host), host.open() as memory:
        memory.add("fact", "a person said it")
    with Memory.open(host.project, host.home, "degrade") as memory:  # origin import
        assert memory.healthy().backlog == 1
    assert "a person said it" not in host.values()
    with host.open() as memory:
        assert memory.query("a person said it").hits[0].origin == "person"


def test_no_secret_waits_on_the_disk(host: Host) -> None:
    key = "sk-ant-api03-" + "Ab1" * 31 + "AA"
    with newer(host), host.open() as memory:
        memory.add("fact", f"the key is {key}")
        memory.ingest([{"session": "c", "text": f"the key is {key}", "role": "user"}])
    files = list((host.home / "spool" / "written").rglob("*.json"))
    assert len(files) == 2
    assert not any(key in file.read_text() for file in files)
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_what_no_store_would_take_is_set_aside_and_named(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    with newer(host), host.open() as memory:
        given = {"type": "nonsense", "content": "what no store takes"}
        written.put(memory._open, written.write(memory._open, "add", given, memory._caller))
        memory.add("fact", "sound")
    with host.open() as memory:
        health = memory.healthy()
    assert (health.backlog, health.refused) == (0, 1)
    assert any("refused and set aside" in r.getMessage() for r in caplog.records)
    assert "sound" in host.values()


@pytest.mark.parametrize("error", [apsw.IOError, apsw.FullError, apsw.BusyError])
def test_a_failure_at_any_statement_is_no_success_and_nothing_twice(host: Host, error) -> None:
    with host.open() as memory:
        memory.query("")
        with failing_statement(memory._open, 0, error) as counting:
            assert memory.add("fact", "counted").outcome == "stored"
        steps = counting.count
        for at in range(1 + len(error.__name__) % 3, steps + 1, 3):
            events = host.events()
            memory.query("")
            with failing_statement(memory._open, at, error):
                answer = memory.add("fact", f"at statement {at}")
            assert answer.outcome in ("stored", "pending"), (at, answer)
            assert (f"at statement {at}" in host.values()) >= (answer.outcome == "stored")
            memory.query("")
            assert f"at statement {at}" in host.values()
            assert host.events() == events + 1
            assert memory.healthy().backlog == 0


def test_a_store_that_is_locked_is_waited_for_and_then_the_write_waits(host: Host, born) -> None:
    holder = born(children.holds_a_transaction, host.home, host.project)
    assert holder.hear() == "ready"
    children.pause(holder)
    with host.open(lock_timeout=0.2) as memory:
        answer = memory.add("fact", "while it was locked")
        assert answer.outcome == "pending"
        assert f"process {holder.pid} " in answer.reason
        assert [hit.text for hit in memory.query("p:uses")] == ["SQLite"]
        assert memory.healthy().backlog == 1
        children.resume(holder)
        holder.tell()
        assert holder.hear() == "done"
        assert memory.add("fact", "afterwards").outcome == "stored"
    assert {"while it was locked", "afterwards"} <= host.values()


def test_where_nothing_may_be_written_reads_go_on_and_the_reason_names_both_places() -> None:
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="muniment-"))
    folder.chmod(0o755)
    host = Host(folder)
    try:
        with ordinary_user(folder), protected(host.database), protected(host.database.parent), protected(host.home):
            memory = host.open()
            assert [hit.text for hit in memory.query("p:uses")] == ["SQLite"]
            answer = memory.add("fact", "nowhere to go")
            assert answer.outcome == "refused"
            assert "cannot be written" in answer.reason
            assert "the write cannot wait" in answer.reason
            assert [light.ok for light in memory.healthy().lights] == [True, True, False, True]
            memory.close()
        assert "nowhere to go" not in host.values()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_where_nothing_may_even_be_read_the_reason_says_so() -> None:
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="muniment-"))
    folder.chmod(0o755)
    host = Host(folder)
    path = host.database
    try:
        with ordinary_user(folder):
            path.chmod(0)
            memory = host.open()
            honest(memory.query("p:uses"), "ermission")
            assert memory.add("fact", "kept").outcome == "pending"
            path.chmod(0o600)
            assert [hit.text for hit in memory.query("p:uses")] == ["SQLite"]
            memory.close()
        assert "kept" in host.values()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_full_disk_loses_nothing_that_was_called_stored(host: Host) -> None:
    with host.open() as memory:
        room = host.database.stat().st_size + 20_000
        with room_for(room):
            answers = [memory.add("fact", f"{n} " + os.urandom(700).hex()) for n in range(40)]
        outcomes = [answer.outcome for answer in answers]
        assert set(outcomes) <= {"stored", "pending", "refused"}
        assert outcomes[0] == "stored"
        assert set(outcomes) > {"stored"}
        memory.query("")
        with Memory.open(host.project, host.home) as other:
            known = {hit.id for hit in other.query("p:noted", 1_000_000)}
        for answer in answers:
            assert answer.outcome != "stored" or answer.ids[0] in known


def test_a_vanished_home_is_said_and_a_new_one_is_made_by_the_next_write(host: Host) -> None:
    memory = host.open()
    assert memory.query("p:uses").hits
    shutil.rmtree(host.home)
    answer = memory.query("p:uses")
    honest(answer, "nothing is remembered")
    assert memory.add("fact", "after the flood").outcome == "stored"
    assert host.values() == {"after the flood"}
    memory.close()


def test_a_project_that_is_not_there_yet_is_found_when_it_is(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "later", tmp_path / "home", "degrade")
    honest(memory.query(""), "no such folder")
    assert memory.add("fact", "too early").outcome == "refused"
    health = memory.healthy()
    assert not health.ok
    assert "no such folder" in health.reason
    (tmp_path / "later").mkdir()
    assert memory.add("fact", "in time").outcome == "stored"
    memory.close()


def test_opening_never_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in ({"zone": "Nowhere/Here"}, {"vouch": "king"}, {"home": tmp_path / "a\0b"}, {"path": 3}):
        memory = Memory.open(**{"path": tmp_path, "home": tmp_path, **words}, on_error="degrade")  # type: ignore[arg-type]
        assert memory.query("").reason
        memory.close()
    monkeypatch.setenv("MUNIMENT_CALLER", "nobody")
    memory = Memory.open(tmp_path, tmp_path, "degrade")
    assert "MUNIMENT_CALLER" in memory.query("").reason
    memory.close()


def test_what_makes_no_sense_is_raised_as_ever(host: Host) -> None:
    with host.open() as memory:
        with pytest.raises(UsageError):
            memory.query("nonsense:x")
        with pytest.raises(NotFoundError):
            memory.read("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")
        with pytest.raises(TypeError):
            memory.query(colour=1)
        with pytest.raises(MunimentError):
            memory.add("nonsense", "x")
    with pytest.raises(UsageError):
        memory.query("")
    with pytest.raises(UsageError):
        Memory.open(on_error="ignore")


def test_before_anything_is_remembered_nothing_is_wrong(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Memory.open(tmp_path, tmp_path / "home", "degrade") as memory:
        assert "nothing is remembered" in memory.query("").reason
        assert not caplog.records
        assert memory.add("fact", "first").outcome == "stored"
        assert memory.healthy().lights[3].ok


def test_a_healthy_handle_gives_what_the_plain_one_gives(host: Host) -> None:
    with host.open() as careful_one, Memory.open(host.project, host.home) as plain:
        assert careful_one.query("p:uses").text == plain.query("p:uses").text
        assert careful_one.history(host.id) == plain.history(host.id)
        assert careful_one.read(host.id) == plain.read(host.id)
        assert isinstance(careful_one, Memory)
        health = plain.healthy()
        assert health.ok
        assert health.last_success is not None
        assert health.backlog == 0


def test_every_verb_that_may_change_something_is_known_as_one() -> None:
    verbs = {name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")}
    assert careful.WRITES & verbs >= {
        "add",
        "ingest",
        "index",
        "revise",
        "update",
        "retract_source",
        "decide",
        "load",
        "forget",
    }
