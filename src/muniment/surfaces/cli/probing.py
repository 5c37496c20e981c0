"""What a harness sends to a model that is not one, as proof that what is remembered arrives: no account, no tokens, no network."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.errors import MunimentError
from muniment.harness.contract import Harness
from muniment.harness.lights import ON, OUT, UNPROVED, Lamp
from muniment.surfaces.cli import output

if TYPE_CHECKING:
    from muniment.harness.probing import Room

_PROBED = ("reachable", "recalled")


def probe(harness: Harness, at: str) -> list[Lamp]:
    """Set the harness up in a home of its own, let it speak to a stub, and read its requests."""
    from muniment.harness.probing import RECIPES

    program = next((path for name in harness.programs if (path := shutil.which(name))), None)
    if harness.name not in RECIPES:
        return _dark(harness, "nobody knows how to run it without its vendor", at)
    if program is None:
        return _dark(harness, "its program is not on the PATH", at)
    output.say(f"muniment: {harness.title} is run against a model that is not one; a minute or two")
    with tempfile.TemporaryDirectory(prefix="muniment-probe-", ignore_cleanup_errors=True) as folder:
        try:
            return list(_played(harness, program, Path(folder), at))
        except (MunimentError, OSError, ValueError) as problem:
            return _dark(harness, f"the probe could not be run: {problem}", at)


def _dark(harness: Harness, why: str, at: str) -> list[Lamp]:
    return [Lamp(harness.name, name, UNPROVED, why, at) for name in _PROBED]


def _played(harness: Harness, program: str, folder: Path, at: str) -> Iterator[Lamp]:
    room = _room(harness, program, folder)
    told = room.run("init", "--harness", harness.name, "--yes", "--alongside", "--trust-hooks", "--json")
    if '"written": true' not in told:
        yield from _dark(harness, f"init did not work in the probe's home: {told.strip()[:200]}", at)
        return
    room.play()
    asked = _asked(room.root / "record.jsonl")
    if not asked:
        ended = "; ".join(f"{step['name']}: {step['ended']}" for step in room.steps()[:3])
        yield from _dark(harness, f"it sent nothing to the stub ({ended})", at)
        return
    yield _reachable(harness, asked, at)
    yield _recalled(harness, asked, room, at)


def _room(harness: Harness, program: str, folder: Path) -> Room:
    from muniment.harness.probing import RECIPES, prepared
    from muniment.harness.probing.playing import wall

    recipe = replace(RECIPES[harness.name], marked=(), rules=())
    path = os.pathsep.join((os.path.dirname(program), os.environ.get("PATH", os.defpath)))
    beside = _beside(program, harness.name)
    room = prepared(folder / "room", recipe, beside, sys.executable, path, wall(), ours=False)
    return replace(room, program=(program,))


def _beside(program: str, name: str) -> Path:
    """The folder with what was installed beside a program; its own settings, where a kit for plugins lies there."""
    settings = Path.home() / ".config" / name
    if (settings / "node_modules").is_dir():
        return settings
    real = Path(os.path.realpath(program))
    return next((each.parent for each in real.parents if each.name == "node_modules"), real.parent)


def _asked(record: Path) -> list[dict[str, Any]]:
    """The requests for words that the stub wrote down."""
    from muniment.harness.probing.verdict import turns_of

    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    return [dict(request) for request in turns_of(json.loads(line) for line in lines if line.strip())]


def _reachable(harness: Harness, asked: Sequence[Mapping[str, Any]], at: str) -> Lamp:
    """Are our tools offered to the model?"""
    from muniment.harness.probing.verdict import tools_seen

    if names := tools_seen(asked):
        told = f"{len(names)} tools of ours in its requests ({names[0]}, ...)"
        return Lamp(harness.name, "reachable", ON, _with(told, asked), at)
    place = _named(asked)
    if place is not None:
        told = f"our tools are named in request {place[0]} at {place[1]}"
        return Lamp(harness.name, "reachable", ON, _with(told, asked), at)
    state = UNPROVED if harness.name in _WITHOUT_TOOLS else OUT
    return Lamp(harness.name, "reachable", state, _with("none of its requests holds a tool of ours", asked), at)


def _named(asked: Sequence[Mapping[str, Any]]) -> tuple[int, str] | None:
    """Where a tool of ours is named by the harness: the prompt names it for the stub, and the stub for the harness."""
    from muniment.harness.probing.verdict import strings

    for request in asked:
        for path, role, text in strings(request["body"]):
            if "memory_query" in text and _SCRIPT not in text and role not in _ANSWERS:
                return int(request["number"]), path
    return None


_SCRIPT = "[[stub "
_ANSWERS = ("assistant", "model", "tool", "function")
_WITHOUT_TOOLS = ("pi", "aider", "letta-code")
"""Harnesses that take no tool servers, or none that anybody has seen."""


def _recalled(harness: Harness, asked: Sequence[Mapping[str, Any]], room: Room, at: str) -> Lamp:
    """Did what was planted arrive before the model's first word, or at least by our tools?"""
    from muniment.harness.probing.verdict import FRAME, found

    place = found(asked, FRAME, room.words.mark)
    if place is not None:
        told = f"the planted fact stands in request {place.request} at {place.path}, role {place.role or 'none'}"
        return Lamp(harness.name, "recalled", ON, _with(told, asked), at)
    place = found(asked, room.words.mark)
    if place is not None:
        told = f"by its tools alone: the planted fact stands in request {place.request} at {place.path}"
        return Lamp(harness.name, "recalled", ON, _with(told, asked), at)
    return Lamp(harness.name, "recalled", OUT, _with("the planted fact is in none of its requests", asked), at)


def _with(told: str, asked: Sequence[object]) -> str:
    return f"{told}; {len(asked)} requests, offline"
