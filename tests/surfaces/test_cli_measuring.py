"""`bench recall` and `bench mine` at a terminal and in a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.engine.talks import ENGLISH, SMALL_TALK, turns
from tests.evals.conftest import sample  # noqa: F401 - a fixture
from tests.surfaces.conftest import Terminal
from tests.surfaces.test_json_shapes import misfits

Sample = Callable[[str], Path]


@pytest.fixture
def chatty(terminal: Terminal, tmp_path: Path) -> Terminal:
    """A terminal in whose memory are three turns."""
    path = tmp_path / "turns.jsonl"
    texts = ["The spare key is under the blue pot.", "The dentist is on Elm Street.", "We leave at nine."]
    turns = [{"session": "c", "seq": n, "speaker": "Ana", "text": text} for n, text in enumerate(texts)]
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns), encoding="utf-8")
    terminal.ok("load", "conversation", str(path))
    return terminal


def test_recall_prints_a_table_and_with_json_one_object(terminal: Terminal, sample: Sample) -> None:  # noqa: F811
    path = str(sample("locomo"))
    table = terminal.ok("bench", "recall", "--data", path, "--baselines", "--budgets").out
    assert "format locomo" in table
    assert "baseline bm25" in table
    found = terminal.ok("bench", "recall", "--data", path, "--limit", "3", "--json").json
    assert misfits(found, "Bench") == []
    assert found["metrics"]["questions"] == 3.0


@pytest.mark.parametrize(
    "words",
    [("query", "--limit", "3"), ("recall", "--question", "x"), ("recall",), ("recall", "--data", "nowhere"),
     ("floor", "--part", "dev"), ("floor", "--show", "--apply"),
     ("mine", "--apply"), ("floor", "--data", "nowhere"), ("mine", "--part", "dev"),
     ("mine",), ("all", "--budgets"), ("mine", "--relevant", "c:1")],
)  # fmt: skip
def test_what_makes_no_sense_is_said(chatty: Terminal, words: tuple[str, ...]) -> None:
    ran = chatty.run("bench", *words)
    assert ran.code in (2, 3)
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 2


def test_a_label_is_given_in_one_command_and_its_figures_are_told(chatty: Terminal) -> None:
    label = ("--question", "Where is the spare key?", "--relevant", "conversation.c:0")
    assert "1 questions, recall@10 100.0" in chatty.ok("bench", "mine", *label).out
    found = chatty.ok("bench", "mine", "--json").json
    assert misfits(found, "Bench") == []
    assert len(found["parameters"]["history"]) == 2
    assert chatty.run("bench", "mine", *label).code == 3


def test_a_secret_in_a_label_is_masked(chatty: Terminal) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    chatty.ok("bench", "mine", "--question", f"Where is {secret} kept?", "--relevant", "conversation.c:0")
    (labels,) = chatty.memories.glob("workspaces/*/questions.jsonl")
    assert secret not in labels.read_text("utf-8")


@pytest.fixture
def long_talk(terminal: Terminal, tmp_path: Path) -> Terminal:
    """A terminal in whose memory people talk long enough for questions to be built."""
    path = tmp_path / "long.jsonl"
    texts = [f"{line} That was topic {n}." for n in range(4) for line in (*ENGLISH, *SMALL_TALK)]
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns(texts)), encoding="utf-8")
    terminal.ok("load", "conversation", str(path))
    return terminal


def test_a_floor_is_measured_proposed_and_set(long_talk: Terminal) -> None:
    shown = long_talk.ok("bench", "floor").out
    assert "proposed" in shown
    config = long_talk.memories / "config.toml"
    assert not config.exists()
    found = long_talk.ok("bench", "floor", "--apply", "--json").json
    assert misfits(found, "Bench") == []
    assert f"floor = {found['metrics']['proposed_floor']:g}" in config.read_text("utf-8")
    assert long_talk.run("bench", "floor", "--apply").code == 3
    explained = long_talk.run("search", "Where is the retry policy of the billing worker?", "--explain").out
    assert "the configured floor" in explained


def test_what_searches_met_is_shown(long_talk: Terminal) -> None:
    long_talk.ok("search", "Where did we move the retry policy of the billing worker?")
    long_talk.run("search", "Which dynasty built most of the Great Wall that stands today?")
    long_talk.ok("search", "Redis")
    shown = long_talk.ok("bench", "floor", "--show").out.splitlines()
    assert shown[0] == "floor -1.3 (shipped): 2 searches met it, 50 % of them below; 1 did not have to"
    assert any(line.endswith("-- the shipped floor") for line in shown)
    found = long_talk.ok("bench", "floor", "--show", "--json").json
    assert misfits(found, "Bench") == []
    assert found["metrics"]["searches"] == 2.0
    assert "2 searches met -1.3 (shipped), 50 % were below" in long_talk.run("doctor").out


def test_few_questions_set_no_floor(chatty: Terminal) -> None:
    assert "nothing is proposed" in chatty.ok("bench", "floor").out
    ran = chatty.run("bench", "floor", "--apply")
    assert (ran.code, len(ran.err.splitlines())) == (2, 2)
    assert not (chatty.memories / "config.toml").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of ours is a POSIX one")
def test_a_person_at_a_terminal_is_asked_and_chooses_by_number(chatty: Terminal) -> None:
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        chatty.command("bench", "mine"), cwd=chatty.project, env=chatty.environment(), stdin=theirs, stdout=theirs,
        stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        os.close(theirs)
        os.write(ours, b"Where is the spare key?\n1\n\n")
        assert process.stderr is not None
        said = process.stderr.read().decode("utf-8")
        shown = _drain(ours)
    assert process.returncode == 0
    assert "kept: 1 labelled questions" in said
    assert "[conversation.c:0]" in shown
    assert "recall@10 100.0" in shown


def _drain(number: int) -> str:
    """Everything that was printed on a terminal; reading past the end is an error there."""
    pieces = []
    try:
        while piece := os.read(number, 65536):
            pieces.append(piece)
    except OSError:
        pass
    os.close(number)
    return b"".join(pieces).decode("utf-8")
