"""The whole process of a hook: whatever comes in and whatever state the machine is in, it ends well and says sound things."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.surfaces.conftest import SOURCE
from tests.surfaces.hooks import MAIN, WORDS, Host, text_of

from muniment import config
from muniment.surfaces.hook import answering

START = {"hook_event_name": "SessionStart", "source": "startup"}

OURS = """
    muniment
    engine engine.hot engine.waking
    errors
    model model.ground model.notation
    storage storage.sqlite storage.sqlite.hot storage.sqlite.schema
    surfaces surfaces.hook surfaces.hook.answering surfaces.hook.event surfaces.hook.table
    views views.escapes views.wake
"""
"""The modules of ours that a hook which gives the view may load."""
OTHERS = """
    __future__ gc _stat
    _collections _collections_abc _json _operator _sha2 _sha256 apsw blake3 collections keyword operator os reprlib
    stat genericpath posixpath ntpath itertools
"""
"""What else it may load: each of these costs less than a millisecond, and the two libraries what they must."""
SILENT = {"engine.waking", "errors", "storage", "storage.sqlite", "storage.sqlite.hot", "storage.sqlite.schema", "views",
          "views.escapes", "views.wake"}  # fmt: skip
"""Of ours what a hook that gives nothing does without."""

LIST = """
import sys
before = set(sys.modules)
sys.path[:0] = {paths!r}
from muniment.surfaces.hook import answering
answering.answer(["claude-code"], {variables!r}, sys.platform, 0)
sys.stderr.write(" ".join(set(sys.modules) - before))
"""


@pytest.fixture
def host(tmp_path: Path) -> Host:
    made = Host(tmp_path)
    made.remember()
    return made


# --- what comes in ----------------------------------------------------------------------------------------------------

BAD: dict[str, bytes] = {
    "nothing": b"",
    "blank": b" \n\t ",
    "no JSON": b"hello",
    "half of an object": b'{"hook_event_name":"SessionStart","session_id":"x',
    "two objects": b"{}{}",
    "a list": b'["SessionStart"]',
    "a number": b"7",
    "null": b"null",
    "NUL bytes": b'{"hook_event_name":"SessionStart",\0\0"cwd":"/x\0y"}',
    "a NUL in a name": b'{"hook_event_name":"SessionStart","cwd":"/x\\u0000y","session_id":"a\\u0000b"}',
    "no UTF-8": b'{"hook_event_name":"\xff\xfe\x80"}',
    "lone surrogates": b'{"hook_event_name":"SessionStart","session_id":"\\ud800","cwd":"\\udfff"}',
    "nested without end": b"[" * 200_000,
    "wrong types": b'{"hook_event_name":7,"session_id":[],"cwd":{},"source":null,"transcript_path":true}',
    "a list of wrong types": b'{"hook_event_name":["SessionStart"],"session_id":[[1]],"cwd":[null]}',
    "a very long name": b'{"hook_event_name":"SessionStart","session_id":"' + b"x" * 100_000 + b'"}',
    "a name that climbs": b'{"hook_event_name":"SessionStart","session_id":"../../../../etc/x","cwd":"../.."}',
    "a folder that is none": b'{"hook_event_name":"SessionStart","cwd":"/no/such/folder"}',
    "ten megabytes": b'{"hook_event_name":"PostToolUse","tool_response":"' + b"y" * (10 << 20) + b'"}',
    "ten megabytes of rubbish": os.urandom(10 << 20),
}


@pytest.mark.parametrize("what", sorted(BAD))
def test_bad_input_ends_well_and_says_nothing_unsound(what: str, host: Host) -> None:
    done = host.run("claude-code", event=BAD[what], cwd=host.project)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not done.stdout or json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == "SessionStart"


@pytest.mark.parametrize("words", [(), ("no-such-harness",), ("claude-code", "no-such-event"), ("", ""), ("--help",)])
def test_odd_commands_end_well(words: tuple[str, ...], host: Host) -> None:
    done = host.run(*words, event=b"{}")
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("harness", ["claude-code", "cline", "hermes", "kiro-cli"])
@pytest.mark.parametrize("streams", [(0,), (1,), (0, 1), (0, 1, 2)], ids=str)
def test_closed_streams_end_well_and_nothing_is_written_into_files_that_took_their_numbers(
    harness: str, streams: tuple[int, ...], host: Host
) -> None:
    """A file that is opened gets the lowest free number: an answer must never end up in it."""
    closing = ";".join(f"os.close({n})" for n in streams)
    command = [sys.executable, "-S", "-E", "-s", str(MAIN), harness, "SessionStart"]
    script = f"import os; {closing}; os.execv({command[0]!r}, {command!r})"
    event = json.dumps(host.event(**START)).encode()
    done = subprocess.run(
        [sys.executable, "-c", script], input=event if 0 not in streams else None, env=host.variables(), cwd=host.project,
        stdout=subprocess.PIPE, check=False, timeout=30, stdin=subprocess.DEVNULL if 0 in streams else None,
    )  # fmt: skip
    assert done.returncode == 0
    kept = b"".join(path.read_bytes() for path in host.home.rglob("*.json*") if path.is_file())
    assert b"hookSpecificOutput" not in kept
    assert b"<muniment" not in kept
    with host.engine() as engine:
        assert engine.store().db.one("PRAGMA integrity_check") == ("ok",)


def test_a_host_that_never_ends_its_event_is_not_kept_waiting(host: Host) -> None:
    command = [sys.executable, "-S", "-E", "-s", str(MAIN), "claude-code"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=host.variables()) as hook:
        assert hook.stdin is not None
        assert hook.stdout is not None
        hook.stdin.write(b'{"hook_event_name":')
        hook.stdin.flush()
        assert (hook.wait(30), hook.stdout.read()) == (0, b"")
    assert answering.DEADLINE_S < 1


def test_an_event_counts_once_it_is_whole_though_the_pipe_stays_open(host: Host) -> None:
    command = [sys.executable, "-S", "-E", "-s", str(MAIN), "claude-code"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=host.variables()) as hook:
        assert hook.stdin is not None
        assert hook.stdout is not None
        hook.stdin.write(json.dumps(host.event(**START)).encode())
        hook.stdin.flush()
        out = hook.stdout.read()
        assert hook.wait(30) == 0
    assert WORDS in text_of(out.decode())


def test_the_transcript_is_never_opened(host: Host) -> None:
    """Whoever opens a pipe that nobody writes to waits for ever: a hook costs the same whatever the transcript's size."""
    pipe = host.project / "t.jsonl"
    os.mkfifo(pipe)
    assert WORDS in text_of(host.run("claude-code", event=host.event(**START)).stdout.decode())
    assert host.left("queue")[0]["transcript"] == str(pipe)


# --- the state of the machine -----------------------------------------------------------------------------------------


def _missing(host: Host) -> None:
    host.home = host.home.with_name("elsewhere")


def _home_is_a_file(host: Host) -> None:
    host.home = host.home.with_name("file")
    host.home.write_text("x")


def _empty(host: Host) -> None:
    host.store.write_bytes(b"")


def _rubbish(host: Host) -> None:
    host.store.write_bytes(b"\xa5" * 50_000)


def _rotten(host: Host) -> None:
    with host.store.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (host.store.stat().st_size - 4096))


def _newer(host: Host) -> None:
    data = bytearray(host.store.read_bytes())
    data[60:64] = (9999).to_bytes(4, "big")
    host.store.write_bytes(data)


def _folder(host: Host) -> None:
    host.store.unlink()
    host.store.mkdir()


def _no_spool(host: Host) -> None:
    (host.home / "spool").write_text("a file where a folder should be")


def _no_journal(host: Host) -> None:
    (host.home / "journal").write_text("a file where a folder should be")


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (_missing, 0), (_home_is_a_file, 0), (_empty, 1), (_rubbish, 1), (_rotten, 1), (_newer, 1), (_folder, 1),
        (_no_spool, 0), (_no_journal, 1),
    ],
)  # fmt: skip
def test_a_home_or_store_in_a_bad_state_gives_nothing_and_the_reason_is_kept(state, told: int, host: Host) -> None:
    state(host)
    done = host.run("claude-code", event=host.event(**START))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    missed = host.left("missed") if (host.home / "spool").is_dir() else []
    assert len(missed) == told
    assert all(m["why"] and m["moment"] == "start" and m["session"] == "h1" for m in missed)


@pytest.mark.parametrize("protected", ["store", "folder"])
def test_a_store_that_cannot_be_written_is_read(protected: str, host: Host) -> None:
    """Read-only means that nothing is written; what hooks leave lies elsewhere in the home."""
    path = host.store if protected == "store" else host.store.parent
    path.chmod(0o400 if protected == "store" else 0o500)
    try:
        assert WORDS in text_of(host.run("claude-code", event=host.event(**START)).stdout.decode())
    finally:
        path.chmod(0o700)


def test_what_cannot_be_recorded_is_not_given(host: Host) -> None:
    _no_journal(host)
    assert host.run("claude-code", event=host.event(**START)).stdout == b""


# --- what it loads ----------------------------------------------------------------------------------------------------


def loaded(host: Host, **told: str) -> set[str]:
    """Every module that one hook loads."""
    import apsw

    paths = [str(SOURCE), os.path.dirname(os.path.dirname(apsw.__file__))]
    script = LIST.format(paths=paths, variables=host.variables())
    command = [sys.executable, "-S", "-E", "-s", "-c", script]
    event = json.dumps(host.event(**told)).encode()
    done = subprocess.run(command, input=event, capture_output=True, check=True)
    return set(done.stderr.decode().split())


def _split(names: set[str]) -> tuple[set[str], set[str]]:
    ours = {n.removeprefix("muniment.") for n in names if n.split(".")[0] == "muniment"}
    return ours, {n.split(".")[0] for n in names if n.split(".")[0] not in ("muniment", "org")}


def test_a_hook_loads_what_is_listed_and_nothing_else(host: Host) -> None:
    ours, others = _split(loaded(host, **START))
    assert ours == set(OURS.split())
    assert others <= set(OTHERS.split())


def test_a_hook_that_gives_nothing_loads_no_database(host: Host) -> None:
    ours, others = _split(loaded(host, hook_event_name="PostToolUse"))
    assert ours == set(OURS.split()) - SILENT
    assert others <= set(OTHERS.split()) - {"apsw"}


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(
    "variables", [{}, {"XDG_DATA_HOME": "/data"}, {"XDG_DATA_HOME": "relative"}, {"LOCALAPPDATA": "/local"},
                  {"MUNIMENT_HOME": "/m/../n"}]
)  # fmt: skip
def test_the_home_is_where_every_other_door_looks_for_it(platform: str, variables: dict[str, str]) -> None:
    found = config.read(variables, Path.home(), platform).home
    assert answering._home(variables, platform) == str(found)
