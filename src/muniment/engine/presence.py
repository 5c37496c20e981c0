"""Which sessions are running: what a hook of a harness leaves so that other processes of the same harness can tell.

One small file a session in the home's spool. Its name is the session's; it holds the harness, the transcript, and the numbers
of the processes from the hook up to the harness. A tool server that descends from one of them belongs to that session. A file
that is torn, or whose processes are gone, is nobody's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from muniment.model.ids import hash128

FOLDER = "sessions"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Presence:
    """A session that runs: when it was last heard of, and the processes it runs in."""

    harness: str
    session: str
    at: str
    processes: tuple[int, ...] = ()
    transcript: str | None = None


def note(home: Path, presence: Presence) -> None:
    """Keep it, in the place of what was known of that session. OSError if it cannot be kept."""
    path = _path(home, presence.harness, presence.session)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps({"v": _VERSION, **asdict(presence)}), encoding="ascii")
    draft.replace(path)


def end(home: Path, harness: str, session: str) -> None:
    """The session is over."""
    _path(home, harness, session).unlink(missing_ok=True)


def around(home: Path, processes: Iterable[int], harness: str | None = None) -> list[Presence]:
    """The sessions that run in one of these processes, the last heard of first."""
    mine = set(processes)
    found = (p for p in _all(home) if harness in (None, p.harness) and mine.intersection(p.processes))
    return sorted(found, key=lambda p: (p.at, p.session), reverse=True)


def _path(home: Path, harness: str, session: str) -> Path:
    return home / "spool" / FOLDER / f"{hash128('presence', harness, session).hex()}.json"


def _all(home: Path) -> Iterator[Presence]:
    try:
        files = sorted((home / "spool" / FOLDER).glob("*.json"))
    except OSError:
        return
    for file in files:
        try:
            told: dict[str, Any] = json.loads(file.read_text(encoding="ascii"))
            words = (str(told["harness"]), str(told["session"]), str(told["at"]))
            yield Presence(*words, tuple(int(n) for n in told["processes"]), told.get("transcript"))
        except (OSError, ValueError, TypeError, KeyError):
            continue
