"""What the documents show is what the program does, and what they link to is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.sessions import ROOT, Machine, blocks, differences, documents, matches, steps

SHOWING = [path for path in documents() if blocks(path, "console")]
PROGRAMS = [path for path in documents() if blocks(path, "python")]
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SHOWING, ids=name)
def test_every_command_of_a_document_prints_what_the_document_says(path, tmp_path):
    found = list(differences(path, tmp_path))
    assert not found, f"{name(path)}\n\n" + "\n\n".join(found)


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_every_program_of_a_document_runs(path, tmp_path):
    machine = Machine(tmp_path)
    program = "\n".join(blocks(path, "python"))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=machine.clone, env=machine.environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [said for said in blocks(path, "text") if not matches(said.splitlines(), done.stdout)] == [], done.stdout


def test_the_readme_shows_a_session_and_the_two_commands_of_a_fresh_machine():
    readme = ROOT / "README.md"
    commands = [step.command for step in steps(readme)]
    assert sum(command.startswith("muniment ") for command in commands) >= 6
    makefile = (ROOT / "Makefile").read_text("utf-8")
    shown = re.findall(r"^make (\w+)", "\n".join(blocks(readme, "sh")), re.MULTILINE)
    assert {"demo", "test"} <= set(shown)
    assert [verb for verb in shown if not re.search(rf"^{verb}:", makefile, re.MULTILINE)] == []


@pytest.mark.parametrize("path", documents(), ids=name)
def test_every_relative_link_leads_to_a_file(path):
    links = LINK.findall(FENCE.sub("", path.read_text("utf-8")))
    relative = [link.partition("#")[0] for link in links if not re.match(r"[a-z][a-z0-9+.-]*:", link)]
    assert [link for link in relative if link and not (path.parent / link).exists()] == []


def test_every_page_is_reachable_from_the_readme():
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            links = [link.partition("#")[0] for link in LINK.findall(FENCE.sub("", path.read_text("utf-8")))]
            there = [(path.parent / link).resolve() for link in links if link.endswith(".md") and ":" not in link]
            waiting.extend(p for p in there if p.exists())
    assert [name(path) for path in documents() if path not in seen] == []


def test_a_wildcard_stands_for_anything_in_a_line_or_for_lines():
    assert matches(["a … c", "…", "z"], "a  b\tc\nlines\nmore\nz\n")
    assert matches(["…"], "")
    assert not matches(["a … c"], "a b d\n")
    assert not matches(["a"], "a\nb\n")
    assert not matches(["a", "b"], "a\n")


def test_a_document_that_shows_something_else_is_found_out(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo right\nwrong\n$ false\n$ cd / && where=here\n$ echo $where $PWD\nhere /\n```\n")
    first, second = differences(page, tmp_path / "room")
    assert "it prints\nright" in first
    assert "$ false\nends with 1" in second
