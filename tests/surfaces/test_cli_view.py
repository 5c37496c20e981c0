"""`view NAME` from a terminal and from a program."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.surfaces.conftest import SAMPLES, Terminal
from tests.surfaces.test_json_shapes import fits

from muniment import Memory, MunimentError


@pytest.mark.parametrize(
    "words",
    [("trace", "--at", "2026-11-30"), ("usage",), ("usage", "--by", "harness,month", "--everywhere"), ("wake",),
     ("handoff",), ("timeline", "--at", "2026-11-30"), ("trace", "--at", "2026-11-30", "--action", "run")],
)  # fmt: skip
def test_a_view_is_text_and_an_object_with_the_same_text(read_in: Terminal, words: tuple[str, ...]) -> None:
    told = fits(read_in, "view", *words)
    printed = read_in.ok("view", *words).out
    if words[0] in ("trace", "usage"):  # the others tell the time at which they were made
        assert told["text"] == printed
    assert printed


@pytest.mark.parametrize(
    "words", [("view", "trace", "--at", "2026-11-30"), ("view", "usage"), ("view", "touched", "**"), ("view", "wake"),
              ("view", "timeline", "--at", "2026-11-30"), ("timeline", "--at", "2026-11-30")],
)  # fmt: skip
def test_a_budget_without_room_for_a_line_is_said(read_in: Terminal, words: tuple[str, ...]) -> None:
    ran = read_in.ok(*words, "--budget", "5")
    assert ran.out == ""
    assert "not even the first line fits in 5 bytes" in ran.err


def test_who_touched_a_file_is_shown(read_in: Terminal) -> None:
    told = fits(read_in, "view", "touched", "**")
    assert told["touches"]
    assert told["paths"] > 1
    first = told["touches"][0]
    assert first["path"] in read_in.ok("view", "touched", first["path"]).out or told["paths"] == 1
    assert read_in.ok("read", first["receipt"], "--verify").out


def test_words_that_a_view_does_not_take_are_refused(read_in: Terminal) -> None:
    for words in [("usage", "--agent", "x"), ("wake", "src/x.py"), ("touched",), ("nonsense",), ("usage", "--by", "hue"),
                  ("trace", "--budget", "-1"), ("trace", "--action", "dance")]:  # fmt: skip
        assert read_in.run("view", *words).code == 2, words
    assert read_in.run("view", "touched", "no/such/file.py").code == 3


def test_what_other_projects_spent_is_not_for_an_agent(read_in: Terminal) -> None:
    refused = read_in.run("view", "usage", "--everywhere", env={"MUNIMENT_CALLER": "agent"})
    assert (refused.code, refused.out) == (6, "")
    assert read_in.run("view", "usage", "--everywhere", env={"CLAUDECODE": "1"}).code == 6


def test_a_program_gets_the_same_views(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    with Memory.open(tmp_path / "project", home=tmp_path / "home") as memory:
        memory.index([SAMPLES], adopt=True)
        assert memory.view("usage", by=["harness"]).startswith("harness\t")
        assert "deed" in memory.view("trace", at="2026-11-30", action="run")
        assert "work tree" in memory.view("touched", what="**")
        with pytest.raises(MunimentError):
            memory.view("usage", agent="x")
        with pytest.raises(MunimentError):
            memory.view("touched")
