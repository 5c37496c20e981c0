"""What the child processes of these tests do. A child is started, told where its store is, and may be ended any time.

Every function here is the target of a process; it answers over its end of a pipe, where a message counts only if whole.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.stating import Statement, add
from muniment.errors import MunimentError
from muniment.model.event import Origin
from muniment.model.scope import workspace_of

PERSON = Caller(Origin.PERSON)
PATIENCE = 60.0
"""Seconds after which a child that says nothing is taken to hang."""


def context() -> BaseContext:
    """Processes that share nothing with the tests; where the system can fork, forked from one that has loaded us."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["tests.faults.children"])
    return found


class Child:
    """A process of ours and our end of its pipe."""

    def __init__(self, target: Any, *args: Any) -> None:
        ours, theirs = context().Pipe()
        self.pipe: Connection = ours
        self.process: BaseProcess = context().Process(target=target, args=(theirs, *args), daemon=True)  # type: ignore[attr-defined]
        self.process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self.process.pid is not None
        return self.process.pid

    def hear(self, patience: float = PATIENCE) -> Any:
        """The next thing it says; None once it has ended."""
        try:
            assert self.pipe.poll(patience), "the child says nothing"
            return self.pipe.recv()
        except (EOFError, OSError):
            return None

    def tell(self, word: Any = "go") -> None:
        """Say something to it."""
        self.pipe.send(word)

    def kill(self) -> None:
        """End it the hard way; it cannot clean up."""
        self.process.kill()
        self.process.join(PATIENCE)

    def end(self) -> None:
        """Wait until it is done; it must have gone well."""
        self.process.join(PATIENCE)
        assert self.process.exitcode == 0
        self.process.close()
        self.pipe.close()


def pause(child: Child) -> None:
    """Stop a process without ending it, where the system can; elsewhere it only waits to be told."""
    if hasattr(signal, "SIGSTOP"):
        os.kill(child.pid, signal.SIGSTOP)


def resume(child: Child) -> None:
    """Let it go on."""
    if hasattr(signal, "SIGCONT"):
        os.kill(child.pid, signal.SIGCONT)


def open_engine(home: Path, project: Path, **settings: Any) -> Engine:
    """One engine, as a surface would make it."""
    return Engine(workspace_of(project), Settings(home, **settings))


# --- what they do -----------------------------------------------------------------------------------------------------


def states_forever(pipe: Connection, home: Path, project: Path, name: str) -> None:
    """Add facts, and say the id of each as soon as the call came back."""
    with open_engine(home, project) as engine:
        pipe.send("ready")
        n = 0
        while True:
            n += 1
            pipe.send(add(engine, PERSON, Statement("fact", f"{name} {n}")).ids[0])


def states_so_many(pipe: Connection, home: Path, project: Path, name: str, count: int) -> None:
    """Add so many facts when told to; answer (ids, waits, errors)."""
    ids, waits, errors = [], [], []
    with open_engine(home, project) as engine:
        _together(pipe)
        for n in range(count):
            began = time.perf_counter()
            try:
                ids.append(add(engine, PERSON, Statement("fact", f"{name} {n}")).ids[0])
            except MunimentError as error:
                errors.append(error.message)
            waits.append(time.perf_counter() - began)
    pipe.send((ids, waits, errors))


def states_until_told(pipe: Connection, home: Path, project: Path, name: str) -> None:
    """Add facts until told to stop; answer how many."""
    count = 0
    with open_engine(home, project) as engine:
        _together(pipe)
        while not pipe.poll():
            add(engine, PERSON, Statement("fact", f"{name} {count}"))
            count += 1
    pipe.send(count)


def asks_until_told(pipe: Connection, home: Path, project: Path) -> None:
    """Ask until told to stop; answer how often."""
    count = 0
    with open_engine(home, project) as engine:
        _together(pipe)
        while not pipe.poll():
            query(engine)
            count += 1
    pipe.send(count)


def states_the_same(pipe: Connection, home: Path, project: Path, barrier: Barrier, rounds: int) -> None:
    """At every barrier say what all the others say; answer the outcomes."""
    outcomes = []
    with open_engine(home, project) as engine:
        _together(pipe)
        for n in range(rounds):
            barrier.wait(PATIENCE)
            outcomes.append(add(engine, PERSON, Statement("fact", f"The build needs tool 4.{n}")).outcome)
    pipe.send(outcomes)


def reads_in(pipe: Connection, home: Path, project: Path, path: Path) -> None:
    """Index one transcript when told to; answer how many events were new."""
    with open_engine(home, project) as engine:
        found, _ = indexing.locate(adapters(), [path])
        _together(pipe)
        report = indexing.index(engine, found, named=True)
    pipe.send(report.new_events)


def reads_in_again(pipe: Connection, home: Path, project: Path, path: Path, barrier: Barrier, rounds: int) -> None:
    """At every barrier index a transcript into a fresh home; all children the same one."""
    found, _ = indexing.locate(adapters(), [path])
    _together(pipe)
    for n in range(rounds):
        barrier.wait(PATIENCE)
        with open_engine(home / str(n), project) as engine:
            indexing.index(engine, found, named=True)
    pipe.send("done")


def makes_a_store(pipe: Connection, home: Path, project: Path) -> None:
    """Make a store and say so."""
    with open_engine(home, project) as engine:
        _together(pipe)
        engine.store(create=True)
        pipe.send("made")
        pipe.recv()


def holds_a_transaction(pipe: Connection, home: Path, project: Path) -> None:
    """Begin to write, say so, and commit when told to."""
    with open_engine(home, project) as engine:
        with engine.store(create=True).writing():
            _together(pipe)
        pipe.send("done")


def holds_like_another_program(pipe: Connection, database: Path) -> None:
    """The same without our lock, as a database browser would."""
    import apsw

    db = apsw.Connection(str(database))
    db.execute("BEGIN IMMEDIATE")
    _together(pipe)
    db.execute("COMMIT")
    db.close()
    pipe.send("done")


def fills_up(pipe: Connection, home: Path, project: Path, room: int) -> None:
    """Add facts with a limit on the size of files, as on a full disk, until it fails; answer what a caller sees.

    The last part tells whether it can write once there is room again.
    """
    import resource

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open_engine(home, project) as engine:
        kept = [add(engine, PERSON, Statement("fact", "before")).ids[0]]
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
        error = None
        while error is None:
            try:
                kept.append(add(engine, PERSON, Statement("fact", f"note {len(kept)} " + "x" * 500)).ids[0])
            except MunimentError as raised:
                error = (type(raised).__name__, raised.message)
        read_while_full = query(engine, "before").text
        with open_engine(home, project) as second:
            opened_while_full = query(second, "before").text
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        after = add(engine, PERSON, Statement("fact", "after")).ids[0]
    pipe.send((kept, error, read_while_full, opened_while_full, after))


def upgrades(pipe: Connection, database: Path, migrations: Any, at: int) -> None:
    """Open a store as a later program; be killed before the `at`-th statement of the upgrade (0: never)."""
    import apsw

    from muniment.storage.sqlite import schema
    from muniment.storage.sqlite.store import Database

    count = 0

    def trace(_: object, sql: str, __: object) -> bool:
        nonlocal count
        count += bool(count) or sql == "BEGIN IMMEDIATE"
        if count and count == at:
            os.kill(os.getpid(), signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        return True

    schema.MIGRATIONS, schema.VERSION = migrations, len(migrations)
    apsw.connection_hooks.append(lambda db: db.set_exec_trace(trace))
    _together(pipe)
    Database(database).close()
    pipe.send(count)


def _together(pipe: Connection) -> None:
    """Say that all is loaded and wait for the word, so that children begin at once."""
    pipe.send("ready")
    pipe.recv()


def start(children: list[Child]) -> None:
    """Wait until all are ready, then let them go."""
    for child in children:
        assert child.hear() == "ready"
    for child in children:
        child.tell()
