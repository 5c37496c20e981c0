"""The demo holds on this machine, says so, leaves nothing behind, and would notice a deviation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.surfaces.conftest import SAMPLES, Terminal

from muniment.surfaces.cli import demo


def test_the_demo_holds_and_leaves_nothing_behind(terminal: Terminal, tmp_path: Path) -> None:
    room = tmp_path / "temporary"
    room.mkdir()
    before = sorted(terminal.home.rglob("*"))
    ran = terminal.ok("demo", env={"TMPDIR": str(room)}, person=False)
    titles = re.findall(r"^\d+\. .+$", ran.out, re.MULTILINE)
    assert len(titles) == len(demo.STEPS)
    assert "All 7 steps held" in ran.out
    assert ran.err == ""
    assert list(room.iterdir()) == []
    assert sorted(terminal.home.rglob("*")) == before
    assert str(room) not in ran.out


def test_each_step_fits_on_a_screen(terminal: Terminal) -> None:
    text = terminal.ok("demo").out
    assert max(len(line) for line in text.splitlines()) <= 120
    assert max(part.count("\n") for part in re.split(r"^\d+\. ", text, flags=re.MULTILINE)) <= 40


def test_the_demo_tells_its_steps_as_json(terminal: Terminal) -> None:
    told = terminal.ok("demo", "--json").json
    assert told["ok"]
    assert len(told["steps"]) == len(demo.STEPS)


@pytest.mark.parametrize("name", ["a b", "é", "日本　語", "it's", "100%"])
def test_the_demo_works_in_temporary_folders_with_odd_names(terminal: Terminal, tmp_path: Path, name: str) -> None:
    room = tmp_path / name
    room.mkdir()
    terminal.ok("demo", env={"TMPDIR": str(room)})


def test_a_step_that_deviates_is_named(terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(tour: demo.Tour) -> None:
        """Two and two are five"""
        demo.demand(2 + 2 == 5, "they are four")

    tour = demo.Tour(None, tmp_path, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(demo.DemoError, match=r"step 3, Two and two are five: they are four") as told:
        tour.step(3, wrong)
    assert told.value.exit_code == 1


def test_samples_hold_nobody_s_places() -> None:
    for path in SAMPLES.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not re.search(rb"/(?:root|Users)/|/home/(?!dev/|dev\b|\.\.\.)", content), path
    assert sum(p.stat().st_size for p in SAMPLES.rglob("*") if p.is_file()) < 600_000
