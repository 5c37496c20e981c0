"""One turn of a person's own harness, in their own setting: what it wrote down of its request is the proof, not its answer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from muniment.engine import indexing
from muniment.errors import MunimentError
from muniment.harness.contract import Harness
from muniment.harness.lights import ON, OUT, UNPROVED, Lamp
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

_PROMPT = "Answer with the one word ok. Use no tool."
_TURNS: dict[str, tuple[str, ...]] = {
    "claude-code": ("-p", _PROMPT), "codex": ("exec", "--skip-git-repo-check", _PROMPT), "gemini-cli": ("-p", _PROMPT),
    "qwen-code": ("-p", _PROMPT), "copilot-cli": ("-p", _PROMPT), "opencode": ("run", _PROMPT), "kilo": ("run", _PROMPT),
    "pi": ("-p", _PROMPT), "continue": ("-p", _PROMPT), "openhands": ("--headless", "-t", _PROMPT),
    "hermes": ("chat", "-Q", "-q", _PROMPT),
}  # fmt: skip
"""How a harness is given one prompt without a terminal, and nothing else: the person's own model, rights and settings."""
_FRAME = re.compile(rb'muniment view=(?:\\*"|\\*&quot;)wake')
_SECONDS = 240
_LARGEST = 64 << 20


def runnable(chosen: Sequence[Harness]) -> list[Harness]:
    """Those that can be given a turn: it is known how, and their program is on the PATH."""
    return [each for each in chosen if each.name in _TURNS and _program(each) is not None]


def turn(run: Invocation, harness: Harness, at: str) -> list[Lamp]:
    """Give the harness one turn; what its own log then shows of the view."""
    program = _program(harness)
    if harness.name not in _TURNS or program is None:
        return [Lamp(harness.name, "recalled", UNPROVED, "it cannot be given a turn from here", at)]
    if not _has_view(run):
        why = "nothing is remembered of this project yet, so there was nothing to give: muniment index, or add"
        return [Lamp(harness.name, "recalled", UNPROVED, why, at)]
    output.say(f"muniment: {harness.title} is given one turn, which may cost tokens")
    began = time.time() - 1
    ended = _given([program, *_TURNS[harness.name]], run.engine.workspace.root)
    return [_read(harness, began, ended, at)]


def _program(harness: Harness) -> str | None:
    return next((path for name in harness.programs if (path := shutil.which(name))), None)


def _has_view(run: Invocation) -> bool:
    from muniment.surfaces.cli import refreshing

    return bool(refreshing.remembered(run))


def _given(words: Sequence[str], folder: str) -> str:
    """Run it to its end; how it ended."""
    try:
        done = subprocess.run(
            words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"it did not end within {_SECONDS} s"
    except OSError as error:
        return f"it did not start: {error.strerror}"
    told = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return (
        "it ended well"
        if done.returncode == 0
        else f"it ended with {done.returncode}: {(told or ['no word'])[-1][:120]}"
    )


def _read(harness: Harness, began: float, ended: str, at: str) -> Lamp:
    logs = _logs(harness.name, began)
    for path in logs:
        if _shows(path):
            return Lamp(harness.name, "recalled", ON, f"the view stands in {path}, written by a turn of your own", at)
    if not logs or ended != "it ended well":
        return Lamp(harness.name, "recalled", UNPROVED, f"a turn of your own left nothing to read; {ended}", at)
    if harness.gives == "file":  # few harnesses write down what files they read
        why = f"a turn of your own went well; {logs[0]} does not say what files it was given"
        return Lamp(harness.name, "recalled", UNPROVED, why, at)
    return Lamp(harness.name, "recalled", OUT, f"a turn of your own went well, and {logs[0]} holds no view", at)


def _logs(name: str, began: float) -> list[Path]:
    """The transcripts of a harness that were written to since, the newest first."""
    try:
        found, _ = indexing.sources(None, Path.home(), os.environ, sys.platform)
    except MunimentError:
        return []
    places = [
        place for adapter, path in found if adapter.name == name for place in (path, path.with_name(f"{path.name}-wal"))
    ]
    fresh = [place for place in places if place.is_file() and place.stat().st_mtime >= began]
    return sorted(fresh, key=lambda place: -place.stat().st_mtime)


def _shows(path: Path) -> bool:
    with path.open("rb") as file:
        return _FRAME.search(file.read(_LARGEST)) is not None
