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


EMPTY = [
    *(("add", "fact", "x", option, "") for option in (
        "--expires", "--since", "--until", "--topic", "--subject", "--predicate", "--evidence", "-C", "--home", "--zone",
    )),
    *(("query", option, "") for option in ("--as-of", "--known", "--cursor")),
    ("retract", "x", "--reason", ""),
    ("timeline", "--at", ""),
    ("--zone", "", "query"),
    ("query", "--as-of="),
]  # fmt: skip


@pytest.mark.parametrize("words", EMPTY, ids=" ".join)
def test_an_option_with_an_empty_value_is_named_and_refused(terminal: Terminal, words: tuple[str, ...]) -> None:
    ran = terminal.run(*words)
    assert ran.code == 2
    option = next(word for word in words if word.startswith("-")).rstrip("=")
    assert option in ran.err.splitlines()[0]
    assert "the value is empty" in ran.err
    assert not terminal.memories.exists()


def test_words_that_hold_a_place_may_be_empty(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "x", "", "", "", "")
    terminal.ok("query", "")


def test_an_option_may_still_be_repeated(terminal: Terminal) -> None:
    for name in ("one", "two"):
        (terminal.project / name).write_text(name)
    id_ = terminal.ok("add", "fact", "x", "--evidence", "one", "--evidence", "two").ids[0]
    told = terminal.ok("why", id_).out
    assert "one" in told
    assert "two" in told


@pytest.mark.parametrize(
    ("number", "told"),
    [
        ("-5", "less than 0: '-5'"),
        ("9" * 16, "too large (a number has at most 15 digits)"),
        ("9" * 5000, "too large (a number has at most 15 digits)"),
        ("2.5", "not a whole number: '2.5'"),
        ("many", "not a whole number: 'many'"),
        ("", "not a whole number: ''"),
    ],
    ids=lambda word: word[:20],
)
def test_a_number_that_will_not_do_is_told_why(terminal: Terminal, number: str, told: str) -> None:
    ran = terminal.run("query", "--budget", number)
    assert ran.code == 2
    assert "--budget" in ran.err
    assert told in ran.err


@pytest.mark.parametrize("number", ["0", "-0", "+512", "0" * 20 + "512", "9" * 15])
def test_whole_numbers_are_taken_however_they_are_written(terminal: Terminal, number: str) -> None:
    terminal.state("PostgreSQL")
    terminal.ok("query", "--budget", number)


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


def closing(terminal: Terminal, redirection: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run with a stream closed or full, as a shell's redirection makes it."""
    command = ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *terminal.command(*words)]
    return subprocess.run(command, cwd=terminal.project, env=terminal.environment(), capture_output=True, check=False)


@pytest.mark.parametrize(
    "words", [("query",), ("add", "fact", "x"), ("export", "jsonl", "-"), ("--version",), ("--help",)]
)
@pytest.mark.skipif(os.name == "nt", reason="shells close no streams there")
def test_a_closed_stdout_is_a_reader_that_went_away(terminal: Terminal, words: tuple[str, ...]) -> None:
    terminal.state("PostgreSQL")
    done = closing(terminal, ">&-", *words)
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr
    assert b"unexpected" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="shells close no streams there")
def test_what_was_committed_before_a_closed_stdout_stays(terminal: Terminal) -> None:
    assert closing(terminal, "<&- >&- 2>&-", "add", "fact", "still here").returncode == 141
    assert "still here" in terminal.ok("query").out


@pytest.mark.parametrize("redirection", ["<&-", "2>&-", "<&- 2>&-"])
@pytest.mark.skipif(os.name == "nt", reason="shells close no streams there")
def test_a_closed_stdin_or_stderr_stops_no_command(terminal: Terminal, redirection: str) -> None:
    done = closing(terminal, redirection, "add", "fact", "x y")
    assert done.returncode == 0
    assert done.stdout.startswith(b"stored\t")
    assert b"x y" in closing(terminal, redirection, "query").stdout
    assert closing(terminal, redirection, "nonsense").returncode == 2
    assert closing(terminal, redirection, "load", "jsonl", "-").returncode not in (0, 120, 141)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_report_that_cannot_be_printed_is_told_from_a_step_that_failed(terminal: Terminal) -> None:
    done = closing(terminal, ">/dev/full", "add", "fact", "still here")
    assert done.returncode == 1
    told = done.stderr.decode()
    assert "muniment: stdout: No space left on device\n  what was asked for was done; only its report" in told
    assert "nothing was written" not in told
    assert "still here" in terminal.ok("query").out
    problem = json.loads(closing(terminal, ">/dev/full", "query", "--json").stderr.splitlines()[-1])["error"]
    assert (problem["code"], problem["about"]) == ("unprinted", "stdout")


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("export", "jsonl", "-")])
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_nothing_is_lost_on_a_full_stdout_without_a_word(terminal: Terminal, words: tuple[str, ...]) -> None:
    terminal.state("PostgreSQL")
    done = closing(terminal, ">/dev/full", *words)
    assert done.returncode == 1
    assert done.stderr.startswith(b"muniment: stdout: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_stderr_that_takes_nothing_stops_no_command(terminal: Terminal) -> None:
    done = closing(terminal, "2>/dev/full", "add", "fact", "x")
    assert (done.returncode, done.stdout[:7]) == (0, b"stored\t")
    assert closing(terminal, "2>/dev/full", "nonsense").returncode == 2


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
