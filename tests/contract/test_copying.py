"""A workspace goes to a server and back, and is the same; what is broken off goes on; the doors lead there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests import server
from tests.support import Clock, archive, counting_names, ran, replied, said, state, wrote

import muniment
from muniment import Memory
from muniment.engine import copying
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.upkeep import digest, verify
from muniment.errors import ConflictError, NotFoundError, ScopeError, UsageError
from muniment.model.event import Origin
from muniment.model.scope import MARKER, workspace_of

PERSON = Caller(Origin.PERSON)
Make = Callable[..., Engine]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Engines of one workspace: `make()` over a file, `make(address)` over a server, in a home of their own by name."""
    made: list[Engine] = []
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / MARKER).touch()

    def engine(address: str = "", home: str = "home") -> Engine:
        settings = Settings(home=tmp_path / home, clock=Clock(), new_name=counting_names(), server=address)
        made.append(Engine(workspace_of(tmp_path / "project"), settings))
        return made[-1]

    yield engine
    for each in made:
        each.close()


@pytest.fixture
def filled(make: Make) -> Engine:
    """A file with sessions, facts and verdicts, and a zero character in a text."""
    engine = make()
    archive(engine, [said("s1", 0, "2026-03-05 09:00", "We use postgres\0here"), replied("s1", 1, None, "Noted.")])
    archive(
        engine, ran("s2", 0, "2026-03-05 10:00", "pytest -q", "3 passed") + wrote("s2", 4, "2026-03-05 10:05", "a.py")
    )
    state(engine, "postgres", topic="database")
    state(engine, "sqlite", topic="database")
    state(engine, "odd \ue000 and \0 zero", predicate="noted")
    return engine


def test_there_and_back_again_the_digest_is_the_same(filled: Engine, make: Make) -> None:
    there, back = make(server.tenant()), make(home="other")
    assert copying.copy(filled, there, PERSON, step=3).is_equal
    assert verify(there, rebuild=True).problems == ()
    assert copying.copy(there, back, PERSON, step=3).is_equal
    assert verify(back, rebuild=True).problems == ()
    assert digest(filled) == digest(there) == digest(back)


def test_a_copy_that_was_broken_off_goes_on_where_it_was(filled: Engine, make: Make) -> None:
    address = server.tenant()

    def stop(done: int, total: int, what: str) -> None:
        if done >= 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copying.copy(filled, make(address), PERSON, stop, step=3)
    report = copying.copy(filled, make(address), PERSON, step=3)
    assert report.taken_up == 6
    assert report.is_equal
    assert copying.copy(filled, make(address), PERSON).new == 0


def test_what_the_target_had_stays_and_is_told(filled: Engine, make: Make) -> None:
    there = make(server.tenant())
    state(there, "rust", topic="language")
    report = copying.copy(filled, there, PERSON)
    assert not report.is_equal
    assert report.new > 0


def test_a_copy_that_lost_something_is_an_error(filled: Engine, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = copying.primary_rows
    monkeypatch.setattr(copying, "primary_rows", lambda store: (r for r in rows(store) if r[0] != "positions"))
    with pytest.raises(ConflictError, match="does not hold what its source holds"):
        copying.copy(filled, make(server.tenant()), PERSON)


def test_only_a_person_copies_and_only_to_another_store(filled: Engine, make: Make) -> None:
    with pytest.raises(ScopeError):
        copying.copy(filled, make(server.tenant()), Caller(Origin.AGENT))
    with pytest.raises(UsageError):
        copying.copy(filled, make(home="other"), PERSON)


def test_a_program_opens_a_memory_on_a_server(tmp_path: Path) -> None:
    address = server.tenant()
    with Memory.open(tmp_path, tmp_path / "home", vouch="person", store=address) as memory:
        assert memory.add("preference", "Prefers concise replies", topic="style.tone").ids
    with Memory.open(tmp_path, tmp_path / "elsewhere", store=address) as memory:
        assert "concise" in memory.query("p:prefers").text
    with Memory.open(tmp_path, tmp_path / "home", store=server.tenant()) as memory, pytest.raises(NotFoundError):
        memory.query("p:prefers")
    with pytest.raises(UsageError, match="no address of a server"):
        Memory.open(tmp_path, store="mysql://somewhere")


def run(folder: Path, *words: str, **variables: str) -> dict[str, object]:
    """What a command prints with --json."""
    command = [sys.executable, "-m", "muniment", "--home", str(folder / "home"), *words, "--json"]
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME")}
    kept["PYTHONPATH"] = str(Path(muniment.__file__).parent.parent)
    done = subprocess.run(command, cwd=folder, env={**kept, **variables}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_the_command_line_adds_a_tenant_and_copies_there_and_asks_there(tmp_path: Path) -> None:
    name, secret = f"desk_{os.getpid()}", tmp_path / "secret"
    secret.write_text("secret\n", encoding="utf-8")
    owner = server.owner()
    added = run(tmp_path, "server", "tenant", "add", name, "--password-file", str(secret), "--url", owner)
    assert [m["tenant"] for m in added["members"]] == [name]  # type: ignore[attr-defined]
    run(tmp_path, "add", "fact", "postgres", "--predicate", "uses", "--topic", "database")
    assert run(tmp_path, "copy", "--to", server.address(name))["is_equal"] is True
    rows = run(tmp_path, "query", "p:uses", MUNIMENT_STORE=server.address(name))["rows"]
    assert len(rows) == 1  # type: ignore[arg-type]
    assert name in {m["role"] for m in run(tmp_path, "server", "tenant", "list", MUNIMENT_SERVER=owner)["members"]}  # type: ignore[attr-defined]
    gone = run(tmp_path, "server", "tenant", "remove", name, "--erase", "--url", owner)
    assert gone["erased"]
