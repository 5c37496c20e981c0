"""Which session a running harness has: read from what its hook left, by whoever descends from the same process.

    spool/sessions/<harness>-<pid>.json     {"v", "harness", "session", "transcript", "cwd", "pid", "started", "at"}

`pid` is the process of the harness; `started` is when it began as the system counts it (null where it tells none), so that a
number that was used again is not taken for it. A file that is torn is nobody's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from muniment.engine.ancestry import started_at

FOLDER = "sessions"


class Presence(NamedTuple):
    """A session that runs in process `pid`, and when it was last heard of."""

    harness: str
    session: str
    at: str
    pid: int
    started: str | None = None
    transcript: str | None = None


def around(home: Path, processes: Iterable[int], harness: str | None = None) -> list[Presence]:
    """The sessions of the nearest of these processes that has any, the last heard of first."""
    known = [p for p in _all(home) if harness in (None, p.harness)]
    for number in processes if known else ():
        mine = [p for p in known if p.pid == number and p.started in (None, started_at(number))]
        if mine:
            return sorted(mine, key=lambda p: (p.at, p.session), reverse=True)
    return []


def _all(home: Path) -> Iterator[Presence]:
    try:
        files = sorted((home / "spool" / FOLDER).glob("*.json"))
    except OSError:
        return
    for file in files:
        try:
            told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            words = (str(told["harness"]), str(told["session"]), str(told["at"]), int(told["pid"]))
            yield Presence(*words, told.get("started"), told.get("transcript"))
        except (OSError, ValueError, TypeError, KeyError):
            continue
