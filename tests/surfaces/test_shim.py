"""The `memory.sh` that ships for skills which call it, run as they run it: the old arguments in the old order."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.surfaces.conftest import HERE, SOURCE, Ran, Terminal

SHIM = SOURCE / "muniment" / "shims" / "memory.sh"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell script")


@pytest.fixture
def memory(terminal: Terminal):
    """Runs the script in the project."""
    program = f"{sys.executable} {HERE / 'as_person.py'}"

    def run(*words: str) -> Ran:
        done = subprocess.run(
            ["/bin/sh", str(SHIM), *words], cwd=terminal.project, env=terminal.environment({"MUNIMENT": program}),
            stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=90,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def test_it_is_packed_and_may_be_run():
    assert SHIM.read_bytes().startswith(b"#!/bin/sh\n")
    assert os.access(SHIM, os.X_OK)
    assert '"src/muniment/**/*.sh"' in (Path(HERE).parents[1] / "pyproject.toml").read_text(encoding="utf-8")


def test_add_takes_its_places_in_the_old_order(memory, terminal: Terminal):
    id_ = memory(
        "add", "preference", "Prefers concise responses", "user", "style,tone", "", "casual conversations"
    ).ids[0]
    told = terminal.ok("why", id_, "--json").json
    assert (told["tags"], told["marks"], told["origin"]) == (["style", "tone"], ["casual", "conversations"], "person")
    page = memory("add", "ingested", "On retries", "web", "net", "https://example.org/retry").ids[0]
    assert terminal.ok("why", page, "--json").json["origin"] == "web"


def test_a_life_by_the_old_commands(memory):
    old = memory("add", "fact", "Alex works at CompanyA", "user", "work").ids[0]
    assert memory("conflicts", "Alex works at CompanyB").out.startswith("POTENTIAL_CONFLICTS\n")
    assert memory("conflicts", "The moon is round").out == "NO_CONFLICTS\n"
    assert memory("similar", "Alex works", "0.10").out.startswith("SIMILAR_ENTRIES\n")
    assert memory("similar", "nothing of it").out == "NONE\n"
    new = memory("add", "fact", "Alex works at CompanyB", "user", "work").ids[0]
    assert memory("supersede", old, new).ids == [new, old]
    assert [row.split("\t")[7] for row in memory("get", "Alex work").out.splitlines()] == [new]
    assert memory("update", new, "confidence", "uncertain").ids == [new]
    assert memory("update", new, "confidence", "sure").ids == [new]
    right = memory("correct", new, "Alex works at CompanyC", "misheard", "work,job").ids[0]
    assert memory("success", right, "used it in a letter").ids == [right]
    assert memory("touch", right).ids == [right]
    assert "CompanyC" in memory("list", "fact").out
    assert "CompanyA" in memory("history", right).out


def test_a_claim_that_begins_with_a_dash_is_a_claim(memory):
    assert memory("add", "fact", "-x is the flag").code == 0
    assert "-x is the flag" in memory("get", "flag").out


def test_what_it_does_not_know_is_an_error(memory):
    assert (memory("frobnicate").code, memory("frobnicate").out) == (2, "")
    assert memory().code == 2
    assert memory("get", "nothing here").code == 3
