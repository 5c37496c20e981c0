"""What hooks left: transcripts to read, and moments at which nothing could be given. (Of sessions that run: `presence`.)"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import hot
from muniment.engine.core import Engine
from muniment.engine.locating import Found, locate
from muniment.errors import MunimentError
from muniment.model import notation

_LARGEST = 1 << 16


class Left(NamedTuple):
    """One file of a hook, what it says, and when it was written."""

    path: Path
    told: dict[str, Any]
    mtime_ns: int


class Waiting(NamedTuple):
    """What waits in one workspace: sources to read, what to tell of the hooks, and the files to let go afterwards."""

    found: Found
    unclaimed: list[str]
    notes: list[str]
    files: list[Left]


def waiting(engine: Engine) -> Waiting:
    """The transcripts that hooks named since they were last asked for, and what went wrong for them."""
    queue, missed = (list(_left(_folder(engine, kind))) for kind in (hot.QUEUE, hot.MISSED))
    paths = {str(left.told["transcript"]) for left in queue if isinstance(left.told.get("transcript"), str)}
    found, unclaimed = _located(sorted(paths))
    return Waiting(found, unclaimed, [_note(left.told) for left in missed], [*queue, *missed])


def let_go(engine: Engine, files: Iterable[Left]) -> None:
    """Remove what was taken in. A file that was written again meanwhile waits for the next time."""
    for left in files:
        try:
            if left.path.stat().st_mtime_ns == left.mtime_ns:
                left.path.unlink()
        except OSError:  # gone, or a home that cannot be written: it is read again, which changes nothing
            continue
    with contextlib.suppress(OSError):
        hot.tidy(os.fspath(engine.settings.home))


def _folder(engine: Engine, kind: str) -> Path:
    return engine.settings.home / hot.SPOOL / kind / engine.workspace.id


def _left(folder: Path) -> Iterator[Left]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return
    for name in names:
        path = folder / name
        try:
            at = path.stat().st_mtime_ns
            with path.open("rb") as file:
                told = notation.read(file.read(_LARGEST).decode("utf-8", "replace"))
        except (OSError, ValueError):
            continue
        if isinstance(told, dict):
            yield Left(path, told, at)


def _located(paths: Iterable[str]) -> tuple[Found, list[str]]:
    found: Found = []
    unclaimed: list[str] = []
    known = adapters()
    for path in paths:
        if not os.path.isfile(path):
            continue  # not written yet, or gone
        try:
            more, others = locate(known, [Path(path)])
        except MunimentError:  # it went between the two looks
            continue
        found, unclaimed = [*found, *more], [*unclaimed, *others]
    return found, unclaimed


def _note(told: dict[str, Any]) -> str:
    who = f"{told.get('harness')} session {told.get('session') or 'without a name'}"
    return f"hooks: {who} was given nothing at {told.get('moment')} ({told.get('at')}): {told.get('why')}"
