"""An encrypted home: nothing readable on the disk, every door opens it by its key, and a wrong key is an error by name."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from muniment import Memory
from muniment.engine import hot, rekeying
from muniment.engine.core import Caller, Engine
from muniment.errors import BusyError, EncryptedStoreError, ScopeError, UsageError, WrongKeyError
from muniment.model.event import Origin
from muniment.surfaces.cli.main import main

WORDS = "Kingfisher-Marmalade-Parliament"
PERSON = Caller(Origin.PERSON)


@pytest.fixture(params=["a passphrase of 'words'", "0123456789abcdef" * 4], ids=["passphrase", "raw"])
def key(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MUNIMENT_KEY", request.param)
    return str(request.param)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path


def opened(place: Path, **more: object) -> Memory:
    return Memory.open(place / "project", place / "home", vouch="person", **more)  # type: ignore[arg-type]


def filled(place: Path) -> Memory:
    memory = opened(place)
    memory.add("fact", WORDS, predicate="uses", topic="database")
    memory.ingest([{"session": "s", "seq": n, "role": "user", "text": f"{WORDS} {n}"} for n in range(200)])
    return memory


def engine_of(memory: Memory) -> Engine:
    assert memory._open is not None
    return memory._open


def database(place: Path) -> Path:
    return next((place / "home").rglob("memory.db"))


def on_the_disk(place: Path) -> bytes:
    return b"".join(path.read_bytes() for path in database(place).parent.iterdir() if path.is_file())


def test_nothing_of_it_can_be_read_on_the_disk(place: Path, key: str) -> None:
    with filled(place) as memory:
        assert memory.query("p:uses").hits[0].text == WORDS
        raw = on_the_disk(place)
        for sign in (WORDS.encode(), b"CREATE TABLE", b"SQLite format 3", b"uses"):
            assert sign not in raw, sign
    with opened(place) as memory:
        assert memory.query("p:uses").hits[0].text == WORDS
        assert memory.verify(rebuild=True).ok
        assert memory.search("Marmalade").hits
        assert memory.healthy().ok
        with memory.scoped("project") as view:
            assert view.sql("SELECT object FROM v_now WHERE predicate = 'uses'").rows == ((WORDS,),)


@pytest.mark.parametrize("wrong", ["another passphrase", "f" * 64])
def test_a_wrong_key_is_an_error_by_name_and_changes_nothing(place: Path, key: str, wrong: str, monkeypatch) -> None:
    filled(place).close()
    before = database(place).read_bytes()
    monkeypatch.setenv("MUNIMENT_KEY", wrong)
    with opened(place) as memory:
        for ask in (
            lambda: memory.query(""),
            lambda: memory.add("fact", "x"),
            lambda: memory.scoped("project").sql("SELECT 1"),
        ):
            with pytest.raises(WrongKeyError) as raised:
                ask()
            assert raised.value.code == "wrong_key"
            assert wrong not in str(raised.value)
    assert database(place).read_bytes() == before
    with opened(place, on_error="degrade") as memory:
        assert "does not open" in memory.query("").reason


def test_without_a_key_it_says_that_it_is_encrypted(place: Path, key: str, monkeypatch) -> None:
    filled(place).close()
    monkeypatch.delenv("MUNIMENT_KEY")
    with opened(place) as memory, pytest.raises(EncryptedStoreError) as raised:
        memory.query("")
    assert raised.value.code == "encrypted"


def test_a_plain_store_is_not_taken_for_an_encrypted_one(place: Path, monkeypatch) -> None:
    filled(place).close()
    monkeypatch.setenv("MUNIMENT_KEY", "some passphrase")
    with opened(place) as memory, pytest.raises(EncryptedStoreError, match="not encrypted"):
        memory.query("")


def test_a_hook_opens_it_by_the_key(place: Path, key: str) -> None:
    from muniment.surfaces.hook import answering

    with filled(place) as memory:
        workspace, path = engine_of(memory).workspace, engine_of(memory).path
    from muniment.storage.sqlite import encryption
    from muniment.storage.sqlite.hot import Glance

    encryption._lent.clear()
    with pytest.raises(EncryptedStoreError), Glance(str(path)):
        pass
    answering._lend_key(str(place / "home"))
    with Glance(str(path)) as reads:
        assert WORDS in reads.rows("predicate", "uses", 1 << 60, 5)[0][1]
    assert workspace.id in str(path)


def test_rekey_puts_every_store_under_the_new_key_and_goes_on_where_it_stopped(
    place: Path, key: str, monkeypatch
) -> None:
    filled(place).close()
    (place / "second").mkdir()
    with Memory.open(place / "second", place / "home", vouch="person") as memory:
        memory.add("fact", "elsewhere")
    new = secrets.token_hex(32)
    done = rekeying.rekey(place / "home", PERSON, key, new)
    assert (len(done.stores), done.known, done.encrypted) == (2, (), True)
    again = rekeying.rekey(place / "home", PERSON, key, new)
    assert (again.stores, len(again.known)) == ((), 2)
    with opened(place) as memory, pytest.raises(WrongKeyError):
        memory.query("")
    monkeypatch.setenv("MUNIMENT_KEY", new)
    with opened(place) as memory:
        assert memory.query("p:uses").hits[0].text == WORDS
        assert memory.verify(rebuild=True).ok
    with pytest.raises(WrongKeyError):
        rekeying.rekey(place / "home", PERSON, "no key of it", "nor this")


def test_a_plain_store_is_encrypted_and_made_plain_again(place: Path, monkeypatch) -> None:
    with filled(place) as memory:
        digest = memory.verify().digest
    rekeying.rekey(place / "home", PERSON, None, "a passphrase")
    assert WORDS.encode() not in on_the_disk(place)
    monkeypatch.setenv("MUNIMENT_KEY", "a passphrase")
    with opened(place) as memory:
        assert memory.verify().digest == digest
        assert engine_of(memory).store().db.one("PRAGMA journal_mode") == ("wal",)
    rekeying.rekey(place / "home", PERSON, "a passphrase", None)
    monkeypatch.delenv("MUNIMENT_KEY")
    with opened(place) as memory:
        assert memory.verify().digest == digest


def test_rekey_waits_for_nobody_and_is_for_a_person(place: Path, key: str) -> None:
    with filled(place) as memory:
        assert memory.query("").hits
        with pytest.raises(BusyError):
            rekeying.rekey(place / "home", PERSON, key, "another passphrase")
        assert memory.query("").hits
    with pytest.raises(ScopeError):
        rekeying.rekey(place / "home", Caller(Origin.AGENT), key, "another passphrase")
    with opened(place) as memory:
        assert memory.query("").hits


def test_a_kill_while_it_is_encrypted_anew_leaves_one_key_or_the_other(place: Path, key: str, monkeypatch) -> None:
    filled(place).close()
    whole, new = database(place), secrets.token_hex(32)
    for step in range(6):
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                _die_after(step)
                rekeying.rekey(place / "home", PERSON, key, new)
            os._exit(0)
        os.waitpid(pid, 0)
        found = [k for k in (key, new) if _opens(place, k, monkeypatch)]
        assert len(found) == 1, step
        if found == [new]:
            rekeying.rekey(place / "home", PERSON, new, key)
    assert whole.exists()


def _die_after(step: int) -> None:
    import signal
    import threading

    threading.Timer(0.002 * 2**step, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()


def _opens(place: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setenv("MUNIMENT_KEY", key)
    try:
        with opened(place) as memory:
            return memory.query("p:uses").hits[0].text == WORDS and memory.verify().ok
    except WrongKeyError:
        return False


@pytest.fixture
def at_home(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The person's terminal, with that home."""
    for name in (
        "CLAUDECODE",
        "AI_AGENT",
        "CLAUDE_CODE_ENTRYPOINT",
        "CODEX_SANDBOX",
        "MUNIMENT_KEY",
        "MUNIMENT_KEY_FILE",
    ):
        monkeypatch.delenv(name, raising=False)
    from muniment.surfaces.cli import caller

    monkeypatch.setattr(caller, "agent_around", lambda _: None)
    monkeypatch.setenv("MUNIMENT_HOME", str(place / "home"))
    monkeypatch.chdir(place / "project")
    filled(place).close()
    return place


def test_the_command_makes_a_key_file_and_says_what_to_set(at_home: Path, capfd, monkeypatch) -> None:
    file = at_home / "key"
    assert main(["rekey", "--to-file", str(file)]) == 0
    said = capfd.readouterr()
    assert said.out.startswith("encrypted\tworkspaces/")
    assert f'key_file = "{file}"' in said.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["query", "p:uses"]) == 6
    (at_home / "home" / "config.toml").write_text(f'[encryption]\nkey_file = "{file}"\n', encoding="utf-8")
    assert main(["query", "p:uses"]) == 0
    assert WORDS in capfd.readouterr().out
    monkeypatch.setenv("MUNIMENT_KEY_FILE", str(file))
    monkeypatch.setenv("NEXT", "the next passphrase")
    assert main(["rekey", "--to-variable", "NEXT", "--json"]) == 0
    monkeypatch.setenv("MUNIMENT_KEY", "the next passphrase")
    assert main(["query", "p:uses"]) == 0
    assert main(["rekey", "--to-plain"]) == 0


def test_the_key_ring_keeps_a_key(at_home: Path, capfd, monkeypatch) -> None:
    import sys
    import types

    kept: dict[tuple[str, str], str] = {}
    ring = types.ModuleType("keyring")
    ring.get_password = lambda service, name: kept.get((service, name))  # type: ignore[attr-defined]
    ring.set_password = lambda service, name, value: kept.__setitem__((service, name), value)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", ring)
    assert main(["rekey", "--to-keyring"]) == 0
    (at_home / "home" / "config.toml").write_text("[encryption]\nkeyring = true\n", encoding="utf-8")
    assert main(["query", "p:uses"]) == 0
    assert kept["muniment", str(at_home / "home")] not in capfd.readouterr().err


@pytest.mark.parametrize("text", ["", "short", "two\nlines of a key"])
def test_a_key_that_is_none_is_said_where_it_stands(place: Path, text: str, monkeypatch) -> None:
    (place / "key").write_text(text, encoding="utf-8")
    monkeypatch.setenv("MUNIMENT_KEY_FILE", str(place / "key"))
    with opened(place) as memory, pytest.raises(UsageError, match="key"):
        memory.add("fact", "x")


def test_engines_of_other_homes_have_their_own_keys(place: Path, monkeypatch) -> None:
    filled(place).close()
    with opened(place) as plain:
        settings = replace(engine_of(plain).settings, home=place / "other", key=lambda: "a passphrase")
        with Engine(engine_of(plain).workspace, settings) as engine:
            engine.store(create=True)
            assert not engine.path.read_bytes().startswith(b"SQLite")
        assert plain.query("p:uses").hits
    assert apsw.mc_version is not None
    assert hot.lend is not None
