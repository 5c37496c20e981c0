"""`doctor`, `verify`, `export`, `load`, `bench`."""

from __future__ import annotations

import json
import os
import shlex
import subprocess

import pytest
from tests.surfaces.conftest import Terminal


def test_the_doctor_s_lights_are_on_where_all_is_well(read_in: Terminal) -> None:
    ran = read_in.ok("doctor")
    assert [line.split()[:2] for line in ran.out.splitlines()[:4]] == [
        ["on", name] for name in ("installed", "reachable", "storing", "recalled")
    ]
    assert "claude-code" in ran.out


def test_the_doctor_says_what_is_out_where_nothing_is_remembered(terminal: Terminal) -> None:
    ran = terminal.run("doctor")
    assert ran.code == 1
    assert "OUT" in ran.out
    assert not terminal.memories.exists()


def test_a_rebuild_gives_the_same_digest(own_read_in: Terminal) -> None:
    plain = own_read_in.ok("verify", "--json").json
    rebuilt = own_read_in.ok("verify", "--rebuild", "--json").json
    assert plain["ok"]
    assert plain["digest"] == rebuilt["digest"] == rebuilt["rebuilt_digest"]
    assert f"digest\t{plain['digest']}" in own_read_in.ok("verify").out


def test_damage_is_found_and_exits_with_one(own_read_in: Terminal) -> None:
    (store,) = own_read_in.memories.rglob("memory.db")
    content = bytearray(store.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 4096] = bytes(4096)
    store.write_bytes(content)
    ran = own_read_in.run("verify", "--json")
    assert ran.code == 1
    assert not ran.json["ok"]
    assert ran.json["problems"]


def test_an_export_loads_elsewhere_and_gives_itself_again(own_read_in: Terminal, make_terminal) -> None:
    own_read_in.state("PostgreSQL")
    one, two = own_read_in.home / "one.jsonl", own_read_in.home / "two.jsonl"
    own_read_in.ok("export", "jsonl", str(one))
    other = make_terminal("other")
    other.ok("load", "jsonl", str(one))
    other.ok("export", "jsonl", str(two))
    assert one.read_bytes() == two.read_bytes()
    assert other.run("load", "jsonl", str(one)).code == 3
    assert own_read_in.ok("verify", "--json").json["digest"] == other.ok("verify", "--json").json["digest"]


def test_an_agent_loads_no_export_that_decides_for_a_person(terminal: Terminal, make_terminal) -> None:
    mine = terminal.state("PostgreSQL")
    path, other = terminal.home / "forged.jsonl", make_terminal("other")
    terminal.ok("export", "jsonl", str(path))
    other.ok("load", "jsonl", str(path))
    other.ok("retract", mine)
    other.ok("export", "jsonl", str(path))
    for env in ({"MUNIMENT_CALLER": "agent"}, {"MUNIMENT_CALLER": "import"}, {"CLAUDECODE": "1"}):
        ran = terminal.run("load", "jsonl", str(path), env=env)
        assert ran.code == 6
        assert "let a person run it" in ran.err
        assert "recorded as the words" not in ran.err
    assert terminal.ok("why", mine, "--json").json["standing"] == "confirmed"
    terminal.ok("load", "jsonl", str(path))
    assert terminal.ok("why", mine, "--json").json["standing"] == "retracted"


def test_a_dash_is_a_stream(read_in: Terminal, make_terminal) -> None:
    other = make_terminal("other")
    command = read_in.command("export", "jsonl", "-")
    out = subprocess.run(
        command, cwd=read_in.project, env=read_in.environment(), capture_output=True, check=True
    ).stdout
    json.loads(out.splitlines()[0])
    done = subprocess.run(
        other.command("load", "jsonl", "-"), input=out, cwd=other.project, env=other.environment(), capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done
    assert read_in.run("export", "jsonl", "-", "--json").code == 2


@pytest.mark.parametrize("content", ["", "no json\n", '{"format": "other"}\n'])
def test_what_is_no_export_is_refused_and_nothing_is_taken_in(terminal: Terminal, content: str) -> None:
    path = terminal.home / "wrong.jsonl"
    path.write_text(content)
    ran = terminal.run("load", "jsonl", str(path))
    assert ran.code == 2
    assert f"{path}, line 1: it is not a muniment export" in ran.err
    assert not terminal.memories.exists()


def test_an_export_names_the_place_that_was_typed(read_in: Terminal) -> None:
    ran = read_in.run("export", "jsonl", "/no/such/folder/x.jsonl")
    assert ran.err.startswith("muniment: no such folder: /no/such/folder\n")
    assert ".new" not in ran.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("format_", ["jsonl", "conversation", "atif", "memory-json"])
def test_a_named_pipe_that_nobody_writes_is_refused_at_once(terminal: Terminal, format_: str) -> None:
    pipe = terminal.home / "pipe.json"
    os.mkfifo(pipe)
    ran = terminal.run("load", format_, str(pipe))
    assert ran.code == 2
    assert f"{pipe} is no regular file" in ran.err
    assert not terminal.memories.exists()


@pytest.mark.parametrize("format_", ["jsonl", "conversation", "atif", "memory-json"])
@pytest.mark.parametrize("depth", [300, 985, 100_000])
def test_what_is_nested_deep_ends_in_no_defect_of_ours(terminal: Terminal, format_: str, depth: int) -> None:
    path = terminal.home / "deep.json"
    path.write_text('[{"content": "a", "x": ' + "[" * depth + "]" * depth + "}]")
    ran = terminal.run("load", format_, str(path))
    assert "unexpected" not in ran.err, ran


def test_a_store_that_is_nested_too_deep_is_named(terminal: Terminal) -> None:
    path = terminal.home / "deep.json"
    path.write_text("[" * 100_000 + "]" * 100_000)
    ran = terminal.run("load", "memory-json", str(path))
    assert ran.code == 2
    assert f"{path} is no store of a memory skill: it is nested too deep" in ran.err


def test_a_load_that_fails_late_leaves_no_new_store(read_in: Terminal, terminal: Terminal) -> None:
    path = terminal.home / "torn.jsonl"
    read_in.ok("export", "jsonl", str(path))
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert terminal.run("load", "jsonl", str(path)).code == 2
    with path.open("rb") as stream:
        done = subprocess.run(
            ["sh", "-c", f"cat | {shlex.join(terminal.command('load', 'jsonl', '-'))}"], stdin=stream, check=False,
            cwd=terminal.project, env=terminal.environment(), capture_output=True,
        )  # fmt: skip
    assert done.returncode == 2, done
    assert not terminal.memories.exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("load", "jsonl", "nowhere.jsonl"), 3),
        (("load", "jsonl", "."), 2),
        (("export", "jsonl", "no/such/folder/x.jsonl"), 3),
        (("export", "jsonl", "."), 2),
        (("load", "csv", "x"), 2),
        (("export", "csv", "x"), 2),
        (("bench", "nonsense"), 2),
    ],
)
def test_what_cannot_be_done_is_said(read_in: Terminal, words: tuple[str, ...], code: int) -> None:
    ran = read_in.run(*words)
    assert ran.code == code
    assert ran.err.startswith("muniment: ")


def test_a_benchmark_prints_one_object(terminal: Terminal) -> None:
    told = terminal.ok("bench", "rows").json
    assert told["bench"] == "rows"
    assert told["metrics"]["facts"] > 0
