"""The verb `export atif`: sessions as trajectories, each with the sub-agents that it started.

One session goes into a file or a stream; without one, every session that no other started goes into a folder, a file
each. A session whose parent is not in the archive stands for itself. Commands given to us are no agent's run.
`retracing.py` is the way back.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from muniment.engine.core import Engine
from muniment.engine.waking import OWN
from muniment.errors import NotFoundError, UsageError
from muniment.model.ids import hash128
from muniment.model.ports import Store
from muniment.model.trace import Run, Told
from muniment.views import trajectory

Progress = Callable[[int, int, str], None]
"""Called with (sessions done, of how many, the session)."""

VERSIONS = trajectory.VERSIONS
_ODD = re.compile(r"[^A-Za-z0-9._-]")
_LONGEST = 120
_KNOWN_SESSIONS = "`muniment timeline` lists those of a day"


@dataclass(frozen=True, slots=True)
class TrajectoryReport:
    """What was written. `without_words` are sessions that hold nothing which a step could show."""

    format: str
    files: tuple[str, ...]
    sessions: int
    steps: int
    bytes: int
    without_words: int


def export_atif(
    engine: Engine, target: Path | BinaryIO, session: str | None = None, version: str = VERSIONS[0],
    progress: Progress | None = None,
) -> TrajectoryReport:  # fmt: skip
    """Write one session to a file or stream, or all of them to a folder. A file appears only when it is whole.

    NotFoundError if there is no such session, or none with words.
    """
    _demand(target, session, version)
    store = engine.store()
    with store.reading():
        tree = _Tree(store)
        wanted = tree.roots() if session is None else [tree.named(session)]
        report = TrajectoryReport(f"ATIF-v{version}", (), 0, 0, 0, 0)
        for done, told in enumerate(wanted):
            if progress is not None:
                progress(done, len(wanted), told.id)
            report = _written(report, trajectory.document(tree.run(told), version), target, told, session is None)
    if not report.sessions:
        about = session or ""
        raise NotFoundError("no session with words to export", hint="`muniment index` reads transcripts", about=about)
    return report


def _written(
    report: TrajectoryReport, document: trajectory.Json | None, target: Path | BinaryIO, told: Told, in_folder: bool
) -> TrajectoryReport:
    if document is None:
        return replace(report, without_words=report.without_words + 1)
    text = json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"
    files = report.files
    if isinstance(target, Path):
        place = target / f"{file_name(told.id)}.json" if in_folder else target
        _put(place, text)
        files = (*files, str(place))
    else:
        target.write(text)
    steps = report.steps + trajectory.steps([document])
    return replace(report, files=files, sessions=report.sessions + 1, steps=steps, bytes=report.bytes + len(text))


def file_name(session: str) -> str:
    """A name for a session's file: no two sessions share one, also where case does not count."""
    plain = _ODD.sub("_", session)[:_LONGEST]
    return plain if plain == session.lower() else f"{plain}-{hash128(session.encode()).hex()[:8]}"


def _put(place: Path, text: bytes) -> None:
    beside = place.with_name(f".{place.name}.{os.getpid()}.new")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(text)
        os.replace(beside, place)
    finally:
        beside.unlink(missing_ok=True)


def _demand(target: Path | BinaryIO, session: str | None, version: str) -> None:
    if version not in VERSIONS:
        hint = f"versions: {', '.join(VERSIONS)}"
        raise UsageError(f"unknown ATIF version {version!r}", hint=hint, about=version)
    if not isinstance(target, Path):
        if session is None:
            raise UsageError("a stream takes one session", hint="name it with --session, or give a folder", about="-")
        return
    if session is not None and target.is_dir():
        raise UsageError(f"{target} is a folder", hint="name a file in it for one session", about=str(target))
    if session is None and target.exists() and not target.is_dir():
        hint = "all sessions go into a folder; name one with --session to write a file"
        raise UsageError(f"{target} is a file", hint=hint, about=str(target))
    if not target.parent.exists():
        raise NotFoundError(f"no such folder: {target.parent}", hint="make it first", about=str(target))
    if session is None:
        target.mkdir(mode=0o700, exist_ok=True)


class _Tree:
    """Which session started which."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known = {told.id: told for told in store.traces.sessions() if told.harness != OWN}
        self._children: dict[str, list[Told]] = {}
        for told in self._known.values():
            if told.parent in self._known and told.parent != told.id:
                self._children.setdefault(told.parent, []).append(told)

    def roots(self) -> list[Told]:
        """Those that no known session started."""
        return [t for t in self._known.values() if t.parent not in self._known or t.parent == t.id]

    def named(self, session: str) -> Told:
        """The session with this name."""
        if session not in self._known:
            raise NotFoundError(f"no session {session!r}", hint=_KNOWN_SESSIONS, about=session)
        return self._known[session]

    def run(self, told: Told, above: Sequence[str] = ()) -> Run:
        """A session with all that it started; one that would stand within itself is left out."""
        path = (*above, told.id)
        children = [c for c in self._children.get(told.id, ()) if c.id not in path]
        records = tuple(self._store.traces.records(told.n))
        return Run(told, records, tuple(self.run(child, path) for child in children))
