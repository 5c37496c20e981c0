"""The frame around every command: exit codes, streams, locales, odd folders, broken pipes, no tracebacks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.surfaces.conftest import SAMPLES, Terminal

from muniment.surfaces.cli.parser import COMMANDS

WORDS = "Grüße, 日本語 und ✓"


@pytest.mark.parametrize("words", [(), ("nonsense",), ("query", "--nonsense"), ("query", "--budget", "-3"), ("read",)])
def test_words_that_make_no_sense_end_with_two_and_a_hint(terminal: Terminal, words: tuple[str, ...]) -> None:
    ran = terminal.run(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("muniment: ")
    assert "--help" in ran.err


def test_every_command_has_help(terminal: Terminal) -> None:
    listed = terminal.ok("--help").out
    for name, (_, told, _) in COMMANDS.items():
        assert f"    {name} " in listed
        assert told in terminal.ok(name, "--help").out


def test_the_version_is_told(terminal: Terminal) -> None:
    assert terminal.ok("--version").out.startswith("muniment ")


def test_options_of_the_program_may_stand_before_or_after_the_command(terminal: Terminal, tmp_path: Path) -> None:
    other = tmp_path / "other home"
    words = ("--home", str(other), "-C", str(terminal.project))
    id_ = terminal.ok(*words, "add", "fact", "x y").ids[0]
    before = terminal.ok(*words, "--json", "query", cwd=tmp_path).json
    after = terminal.ok("query", *words, "--json", cwd=tmp_path).json
    assert [r["id"] for r in before["rows"]] == [r["id"] for r in after["rows"]] == [id_]
    assert not terminal.memories.exists()


def test_a_folder_that_is_not_there_is_not_found(terminal: Terminal) -> None:
    assert terminal.run("-C", "no/such/folder", "query").code == 3


@pytest.mark.skipif(os.name == "nt", reason="modes mean little there")
def test_the_home_is_nobody_else_s_to_read(terminal: Terminal) -> None:
    terminal.state("PostgreSQL")
    for path in [terminal.memories, *terminal.memories.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"MUNIMENT_HOME": ""}, ".local/share/muniment"),
        ({"MUNIMENT_HOME": "", "XDG_DATA_HOME": "{home}/xdg"}, "xdg/muniment"),
        ({"MUNIMENT_HOME": "", "XDG_DATA_HOME": "relative"}, ".local/share/muniment"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="each system has its own place")
def test_memories_live_in_the_user_s_data_folder(terminal: Terminal, given: dict[str, str], place: str) -> None:
    terminal.ok("add", "fact", "x", env={k: v.format(home=terminal.home) for k, v in given.items()})
    assert list((terminal.home / place / "workspaces").glob("*/memory.db"))


def test_a_home_that_cannot_be_made_is_an_error_without_a_traceback(terminal: Terminal) -> None:
    (terminal.home / "file").write_text("in the way")
    ran = terminal.run("--home", str(terminal.home / "file"), "add", "fact", "x")
    assert ran.code != 0
    assert "Traceback" not in ran.err
    assert "file" in ran.err


def test_a_damaged_store_is_named_and_left_alone(terminal: Terminal) -> None:
    terminal.state("PostgreSQL")
    (store,) = terminal.memories.rglob("memory.db")
    for extra in terminal.memories.rglob("memory.db-*"):
        extra.unlink()
    store.write_bytes(b"not a database" * 1000)
    for words in (("query",), ("add", "fact", "x")):
        ran = terminal.run(*words, "--json")
        assert ran.code == 1
        assert ran.problem["code"] == "damaged"
    assert store.read_bytes() == b"not a database" * 1000


# --- text in and out -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LC_ALL": "en_US.ISO-8859-1"},
        {"LC_ALL": "ja_JP.SJIS", "PYTHONIOENCODING": "shift_jis"},
        {"PYTHONIOENCODING": "latin-1:strict"},
    ],
    ids=str,
)
def test_text_is_utf_8_whatever_the_locale(terminal: Terminal, locale: dict[str, str]) -> None:
    folder = terminal.home / "é 日本"
    folder.mkdir()
    (folder / ".muniment").touch()
    id_ = terminal.ok("-C", str(folder), "add", "fact", WORDS, env=locale).ids[0]
    assert WORDS in terminal.ok("query", "日本語", env=locale, cwd=folder).out
    assert terminal.ok("read", id_, "--json", env=locale, cwd=folder).json["text"] == WORDS
    assert WORDS in terminal.ok("query", env={"LC_ALL": "C.UTF-8"}, cwd=folder).out
    assert "日本" in terminal.run("read", "日本", env=locale, cwd=folder).err


def test_the_samples_give_the_same_rows_under_every_locale(
    terminal: Terminal, make_terminal: Callable[[str], Terminal]
) -> None:
    other = make_terminal("other")
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    terminal.ok("index", str(SAMPLES))
    other.ok("index", str(SAMPLES), env=plain)
    question = ("query", "type:question,event", "--budget", "200000")
    assert terminal.ok(*question).out == other.ok(*question, env=plain).out


ODD = [
    "a b",
    "é",
    "日本　語",
    "it's",
    "$x",
    "100%",
    "l" * 120,
    "ends in a dot.",
    "-dash",
    'quo"te',
    "new\nline",
    "%s{0}",
]


@pytest.mark.parametrize("name", ODD)
@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not have")
def test_homes_with_odd_names_work_alike(make_terminal: Callable[[str], Terminal], name: str) -> None:
    terminal = make_terminal(name)
    lines = terminal.ok("index", str(SAMPLES)).out
    assert "read" in lines
    (hit,) = terminal.ok("query", "p:passed", "--json").json["rows"]
    assert terminal.ok("read", hit["id"], "--verify", "--json").json["verified"]
    terminal.state("PostgreSQL")
    assert "PostgreSQL" in terminal.ok("query", "p:uses").out


def test_lone_bytes_in_an_argument_do_not_stop_the_program(terminal: Terminal) -> None:
    command = [os.fsencode(word) for word in terminal.command("add", "fact")]
    done = subprocess.run(
        [*command, b"caf\xe9"], cwd=terminal.project, env=terminal.environment(), capture_output=True, check=False
    )
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0
    assert "caf" in terminal.ok("query", "p:noted").out


def test_a_terminal_is_not_commanded_by_what_was_said(terminal: Terminal) -> None:
    id_ = terminal.ok("add", "fact", "red \x1b[31m alert \x07").ids[0]
    assert "\x1b" not in terminal.ok("query").out
    assert terminal.ok("read", id_, "--json").json["text"] == "red \x1b[31m alert \x07"


# --- ends ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
def test_a_reader_that_goes_away_makes_no_noise(read_in: Terminal) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = read_in.command("query", "type:question,event", "--budget", "100000")
    done = subprocess.run(
        command, cwd=read_in.project, env=read_in.environment(), stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)
    assert done.returncode == 141
    assert done.stderr == b""


def test_a_defect_is_one_line_and_on_demand_a_traceback(terminal: Terminal) -> None:
    script = (
        "from muniment.surfaces.cli import main, parser\n"
        "parser.COMMANDS['broken'] = ('nowhere:at_all', 'x', lambda p: None)\n"
        "main.entry()\n"
    )

    def run(**more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, "broken"]
        env = terminal.environment(more)
        return subprocess.run(command, cwd=terminal.project, env=env, capture_output=True, text=True, check=False)

    quiet, loud = run(), run(MUNIMENT_DEBUG="1")
    assert quiet.returncode == 1
    assert quiet.stderr.splitlines()[0].startswith("muniment: unexpected: ModuleNotFoundError")
    assert "MUNIMENT_DEBUG=1" in quiet.stderr
    assert "Traceback" not in quiet.stderr
    assert "Traceback" in loud.stderr


def test_an_error_is_one_json_object_on_stderr_when_asked(terminal: Terminal) -> None:
    for words in (("query", "rolle:x"), ("nonsense",), ("read", "x", "--context", "no")):
        ran = terminal.run(*words, "--json")
        assert ran.out == ""
        assert set(json.loads(ran.err)["error"]) == {"code", "message", "hint", "about"}
