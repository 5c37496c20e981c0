"""A whole probe, on a harness of forty lines: what reaches the model is seen, and what is dropped is missed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from muniment.harness.probing import RECIPES, Package, Recipe, Room, Setting, prepared
from muniment.harness.probing.playing import play, wall
from muniment.harness.probing.recipe import Turn
from muniment.harness.probing.recipes.forms import claude_hooks

TINY = Path(__file__).with_name("tiny.py")
SOURCE = Path(__file__).parents[2] / "src"


def files(setting: Setting) -> dict[str, Any]:
    return {"~/hooks.json": claude_hooks(setting)}


def arguments(setting: Setting, turn: Turn, *more: str) -> Sequence[str]:
    goes_on = ["--continue"] if turn.goes_on else []
    return [str(TINY), str(setting.home / "hooks.json"), setting.url, *goes_on, *more, turn.prompt]


RECIPE = Recipe(
    "claude-code", "Tiny", Package("npm", "tiny", "1", os.path.basename(sys.executable)), files,
    lambda _: {"PYTHONPATH": str(SOURCE)}, arguments,
    marked=("SessionStart",), points=("SessionStart-startup", "SessionStart-resume", "SessionStart-compact"),
    ours=("SessionStart",), gives=("start", "resume", "compact"), compacts="/compact", summary="condense the history",
    has_tools=False, seconds=60,
)  # fmt: skip


def room(folder: Path, recipe: Recipe = RECIPE) -> Room:
    path = os.pathsep.join((os.path.dirname(sys.executable), os.defpath))
    return prepared(folder / "room", recipe, Path(sys.executable).parent, sys.executable, path, ())


def test_what_hooks_give_is_found_in_the_very_request_in_which_it_has_to_be(tmp_path: Path) -> None:
    probe = room(tmp_path)
    verdict = probe.play()
    assert verdict.missing == [], [s["said"] for s in probe.steps()]
    assert verdict.compacted
    assert {place.role for place in verdict.wake.values() if place} == {"user"}
    assert [step["ended"] for step in probe.steps() if "index" not in step["name"]] == ["exit 0"] * 4


def test_a_hook_that_ran_and_whose_words_were_dropped_is_missed(tmp_path: Path) -> None:
    deaf = replace(RECIPE, arguments=lambda setting, turn: arguments(setting, turn, "--deaf"))
    assert room(tmp_path, deaf).play().missing == [
        "point SessionStart-startup", "point SessionStart-resume", "point SessionStart-compact",
        "wake start", "wake resume", "wake compact",
    ]  # fmt: skip


def test_nothing_of_the_callers_environment_gets_in(tmp_path: Path) -> None:
    probe = room(tmp_path)
    assert set(probe.variables) == {"HOME", "PATH", "LANG", "TERM", "NO_COLOR", "CI", "TMPDIR", "PYTHONPATH"}
    assert all(str(tmp_path) in probe.variables[name] for name in ("HOME", "TMPDIR"))


def test_behind_the_wall_there_is_loopback_alone() -> None:
    told = [sys.executable, "-c", "import socket; print(*(name for _, name in socket.if_nameindex()))"]
    seen = subprocess.run([*wall(), *told], capture_output=True, text=True, check=True).stdout.split()
    assert not wall() or seen == ["lo"]


def test_a_probe_works_behind_the_wall(tmp_path: Path) -> None:
    assert replace(room(tmp_path), wall=wall()).play().missing == []


def test_a_turn_that_hangs_is_ended_with_all_that_it_started_and_the_next_is_run(tmp_path: Path) -> None:
    probe = room(tmp_path)
    plan = probe._plan()
    hangs = f"import subprocess, time; subprocess.Popen(['sleep', '600']); open({str(tmp_path / 'ran')!r}, 'w'); time.sleep(600)"
    plan["steps"] = [
        {**plan["steps"][0], "name": "hangs", "command": [sys.executable, "-c", hangs], "seconds": 3},
        {**plan["steps"][0], "name": "next", "command": [sys.executable, "-c", "print('here')"]},
    ]
    began = time.monotonic()
    play(plan)
    assert [(s["name"], s["ended"]) for s in probe.steps()] == [("hangs", "timeout"), ("next", "exit 0")]
    assert (tmp_path / "ran").exists()
    assert time.monotonic() - began < 300


def test_every_recipe_says_where_its_harness_comes_from_and_can_be_filled(tmp_path: Path) -> None:
    assert len(RECIPES) == 17
    for recipe in RECIPES.values():
        commands = {event: ["hook", event] for event in (*recipe.marked, *recipe.ours)}
        setting = Setting(tmp_path, tmp_path, "http://127.0.0.1:1", "POINT", commands, commands, ("server",), "view")
        for name, content in recipe.files(setting).items():
            assert isinstance(content, str | Path) or json.dumps(content), (recipe.harness, name)
        told = recipe.arguments(setting, Turn("tools", "the prompt"))
        assert any("the prompt" in word for word in told), recipe.harness
        assert recipe.package.registry in ("npm", "pypi"), recipe.harness
