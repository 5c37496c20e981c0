"""Every object that `--json` prints has exactly the fields of the documented table, of the documented types."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.surfaces.conftest import SAMPLES, Terminal

from muniment.surfaces.cli import parser
from muniment.surfaces.cli.shapes import COMMANDS, SHAPES, WITHOUT_JSON

SIMPLE = {"text": str, "whole": int, "number": (int, float), "flag": bool, "any": object}


def misfits(value: Any, type_: str, where: str = "") -> list[str]:
    """What of a value is not as the type says."""
    if type_.endswith("?"):
        return [] if value is None else misfits(value, type_[:-1], where)
    if type_ in SIMPLE:
        fits = isinstance(value, SIMPLE[type_]) and (type_ in ("flag", "any") or not isinstance(value, bool))
        return [] if fits else [f"{where}: {value!r} is no {type_}"]
    if type_[0] == "[":
        return [m for n, v in enumerate(value) for m in misfits(v, type_[1:-1], f"{where}[{n}]")]
    if type_[0] == "{":
        return [m for k, v in value.items() for m in misfits(v, type_[1:-1], f"{where}.{k}")]
    if type_[0] == "(":
        parts = re.split(r", ", type_[1:-1])
        wrong = [] if len(parts) == len(value) else [f"{where}: {value!r} is not {type_}"]
        return wrong + [m for v, t in zip(value, parts, strict=False) for m in misfits(v, t, where)]
    names = [name for name, _, _ in SHAPES[type_]]
    wrong = [] if list(value) == names else [f"{where}: has {list(value)}, not {names}"]
    return wrong + [m for n, t, _ in SHAPES[type_] if n in value for m in misfits(value[n], t, f"{where}.{n}")]


def fits(terminal: Terminal, *words: str) -> Any:
    """The object that a command prints, held against its shape."""
    value = terminal.ok(*words, "--json").json
    assert misfits(value, COMMANDS.get(" ".join(words[:2])) or COMMANDS[words[0]]) == []
    return value


def test_every_command_is_in_the_table() -> None:
    assert {name.split()[0] for name in COMMANDS} == set(parser.COMMANDS) - set(WITHOUT_JSON)
    assert set(COMMANDS.values()) <= set(SHAPES)


def test_the_checker_notices_what_is_wrong() -> None:
    assert misfits({"view": "wake", "budget": 1, "bytes": True, "text": "x"}, "Wake")
    assert misfits({"view": "wake", "budget": 1, "bytes": 1}, "Wake")
    assert misfits({"view": "wake", "budget": 1, "bytes": 1, "text": "x", "more": 1}, "Wake")
    assert misfits([["a"]], "[(text, text?)]")
    assert not misfits([["a", None]], "[(text, text?)]")


def test_what_reads_prints_its_shape(own_read_in: Terminal) -> None:
    (hit,) = fits(own_read_in, "query", "p:passed")["rows"]
    fits(own_read_in, "query", "topic:nothing")
    fits(own_read_in, "search", "which tests failed", "--explain", "--why-not", hit["id"])
    fits(own_read_in, "list", "question")
    fits(own_read_in, "read", hit["id"], "--context", "3")
    fits(own_read_in, "read", hit["receipt"])
    fits(own_read_in, "history", hit["id"])
    fits(own_read_in, "why", hit["id"])
    fits(own_read_in, "wake")
    fits(own_read_in, "handoff")
    fits(own_read_in, "timeline", "--at", "2026-11-30")
    fits(own_read_in, "timeline", "--at", "2025-12-24 10:00")
    fits(own_read_in, "extract", "We use Vitest.")
    fits(own_read_in, "verify")
    fits(own_read_in, "verify", "--rebuild")
    fits(own_read_in, "doctor")
    fits(own_read_in, "doctor", "--quality")
    fits(own_read_in, "mask")
    fits(own_read_in, "sql", "SELECT 1 AS one", "--profile", "project")


def test_a_search_that_found_nothing_prints_its_shape(read_in: Terminal) -> None:
    value = read_in.run("search", "zyzzogeton", "--json").json
    assert misfits(value, COMMANDS["search"]) == []


def test_what_writes_prints_its_shape(terminal: Terminal) -> None:
    fits(terminal, "index", str(SAMPLES))
    fits(terminal, "index", str(SAMPLES))
    old = fits(terminal, "add", "fact", "PostgreSQL", "--predicate", "uses", "--topic", "database")["ids"][0]
    new = fits(terminal, "add", "fact", "SQLite", "--predicate", "uses", "--topic", "database")["ids"][0]
    for command in ("suspect", "confirm", "retract", "restore"):
        fits(terminal, command, new)
    fits(terminal, "correct", new, "DuckDB", "misread")
    first, second = (terminal.ok("add", "fact", text).ids[0] for text in ("one thing", "another thing"))
    fits(terminal, "supersede", first, second)
    for id_ in (old, new, first):
        fits(terminal, "history", id_)
        fits(terminal, "why", id_)


def test_what_is_done_over_a_life_prints_its_shape(terminal: Terminal) -> None:
    id_ = fits(terminal, "add", "preference", "Prefers tabs", "user", "style.code")["ids"][0]
    assert fits(terminal, "add", "preference", "Prefers spaces")["pairs"]
    fits(terminal, "get", "tabs style")
    assert misfits(terminal.run("get", "zebra", "--json").json, "Got") == []
    fits(terminal, "conflicts", "Prefers spaces")
    fits(terminal, "similar", "Prefers tabs", "0.5")
    fits(terminal, "update", id_, "tags", "style")
    for command in ("touch", "success", "failure", "pin", "unpin", "expire"):
        fits(terminal, command, id_)
    (terminal.project / "AGENTS.md").write_text("- Always use tabs\n- Never push to main\n", encoding="utf-8")
    (terminal.project / "memory.json").write_text('["the build is slow"]', encoding="utf-8")
    first, second = fits(terminal, "load", "rules")["ids"]
    fits(terminal, "load", "memory-json", "memory.json")
    assert fits(terminal, "review")["proposals"]
    fits(terminal, "review", "accept", first)
    fits(terminal, "review", "decline", second)
    fits(terminal, "review", "undo", second)


def test_moving_a_memory_prints_its_shape(read_in: Terminal, tmp_path) -> None:
    path = str(tmp_path / "all.jsonl")
    fits(read_in, "export", "jsonl", path)
    fits(read_in, "load", "jsonl", path, "--home", str(tmp_path / "other"))


def test_forgetting_pages_and_rules_print_their_shapes(terminal: Terminal, tmp_path) -> None:
    first, second = (terminal.ok("add", "fact", f"number {n} of all", "--json").json["ids"][0] for n in (1, 2))
    terminal.ok("add", "fact", "Count to three first", "--predicate", "requires", "--subject", "project")
    fits(terminal, "forget", first)
    fits(terminal, "forget", "--dry-run", "--erase", second)
    fits(terminal, "forget", "--erase", "--yes", second)
    fits(terminal, "rules", "--dry-run")
    fits(terminal, "rules", "--yes")
    (terminal.project / "memory").mkdir()
    (terminal.project / "memory" / "one.md").write_text("---\ntitle: One\n---\nFirst.\n")
    fits(terminal, "pages", "--list")
    fits(terminal, "pages")
    fits(terminal, "export", "okf", str(tmp_path / "o.zip"))
    fits(terminal, "export", "memoryfield", str(tmp_path / "m.zip"))
    fits(terminal, "load", "memoryfield", str(tmp_path / "m.zip"), "--folder", "more")
    fits(terminal, "load", "okf", str(tmp_path / "o.zip"), "--folder", "other")


def test_the_demo_and_the_benchmarks_print_their_shape(terminal: Terminal) -> None:
    fits(terminal, "demo")
    fits(terminal, "bench", "rows")


@pytest.mark.parametrize("words", [("query", "nonsense:x"), ("read", "7ZZZZZZZ"), ("nonsense",)])
def test_errors_have_their_shape(read_in: Terminal, words: tuple[str, ...]) -> None:
    assert misfits(read_in.run(*words, "--json").problem, "Failure") == []
