"""Four lights for each harness, each with its proof: what was looked at, and when. What was not looked at is not lit."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from muniment.harness import files
from muniment.harness.planning import Change

NAMES = ("installed", "reachable", "storing", "recalled")
ON, OUT, UNPROVED = "on", "out", "unproved"
_FILE = os.path.join("setup", "lights.json")


@dataclass(frozen=True, slots=True)
class Lamp:
    """One light of one harness: on, out or unproved; what that rests on, and when it was looked at."""

    harness: str
    name: str
    state: str
    proof: str
    at: str


def installed(harness: str, changes: Iterable[Change], at: str) -> Lamp:
    """Do the files of a harness hold what it needs? `changes` are those that would set it up now."""
    own = [change for change in changes if any(name == harness for name, _ in change.parts)]
    missing = [change.shown for change in own if change.changes]
    if missing:
        return Lamp(harness, "installed", OUT, f"not as it should be: {', '.join(missing)}", at)
    if not own:
        return Lamp(harness, "installed", OUT, "nothing of it can be written here", at)
    return Lamp(harness, "installed", ON, f"read back: {', '.join(change.shown for change in own)}", at)


def unproved(harness: str, name: str, why: str, at: str) -> Lamp:
    """A light that nobody has looked at."""
    return Lamp(harness, name, UNPROVED, why, at)


def load(home: str) -> dict[tuple[str, str], Lamp]:
    """The lights as they were last seen."""
    try:
        with open(os.path.join(home, _FILE), "rb") as file:
            found = [Lamp(**each) for each in json.loads(file.read())["lights"]]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return {(lamp.harness, lamp.name): lamp for lamp in found}


def save(home: str, found: Iterable[Lamp]) -> None:
    """Put these lights in the place of those of the same names; a proof is not put out by nobody having looked."""
    known = load(home)
    for lamp in found:
        before = known.get((lamp.harness, lamp.name))
        if lamp.state != UNPROVED or before is None or before.state == UNPROVED:
            known[lamp.harness, lamp.name] = lamp
    _write(home, known.values())


def forget(home: str, names: Iterable[str]) -> None:
    """Put out all lights of these harnesses."""
    gone = set(names)
    _write(home, [lamp for lamp in load(home).values() if lamp.harness not in gone])


def _write(home: str, found: Iterable[Lamp]) -> None:
    path, lights = os.path.join(home, _FILE), [asdict(lamp) for lamp in found]
    if not lights:
        files.remove(path, [os.path.dirname(path), home])
        return
    now = files.read(path)
    files.replace(
        now.path, json.dumps({"v": 1, "lights": lights}, ensure_ascii=False, indent=1).encode(), 0o600, now.raw
    )
