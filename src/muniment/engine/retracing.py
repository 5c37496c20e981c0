"""The verb `load atif`: trajectories from elsewhere become sessions, their sub-agents sessions below them.

All files are read before anything is written: a file that is not sound changes nothing. Each trajectory is then one
transaction. A record that came out of this very archive, by the name that our exporter gave it, is known and not taken
twice. Who owns a trajectory may vouch for the roles in it, as with a conversation; otherwise all of it is an import.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from muniment.archive import parts
from muniment.capture import trajectory
from muniment.engine.archiving import Archivist
from muniment.engine.core import Caller, Engine
from muniment.engine.given import demand_regular
from muniment.engine.ingesting import IngestReport, vouching
from muniment.errors import NotFoundError, NothingChangedError, UsageError
from muniment.gate.intake import name, prepare, prepare_session
from muniment.model.event import SessionInfo, Skipped
from muniment.model.ids import show
from muniment.model.scope import workspace_of_record
from muniment.model.stored import Prepared
from muniment.model.time import canonical

Progress = Callable[[int, int, str], None]
"""Called with (files done, of how many, the file)."""

_HINT = "an ATIF trajectory: a JSON object with schema_version, agent and steps"


def load_atif(
    engine: Engine, caller: Caller, source: Path | BinaryIO, trust: str, *, may_vouch: bool,
    progress: Progress | None = None,
) -> IngestReport:  # fmt: skip
    """Take in a trajectory, or every `*.json` of a folder. Once more is harmless, and told: NothingChangedError.

    RefusedError where the caller may not vouch; UsageError, naming file and place, for what is no trajectory.
    """
    reader = trajectory.Reader(vouching(trust, caller, may_vouch), lambda v: canonical(v, engine.settings.zone))
    found = [(where, uri, _pieces(reader, where, data)) for where, uri, data in _opened(source)]
    loader = _Loader(engine, "trajectory" if reader.vouched else None)
    for done, (where, uri, pieces) in enumerate(found):
        if progress is not None:
            progress(done, len(found), where)
        loader.take(pieces, uri)
    return loader.report_of_effect(str(source) if isinstance(source, Path) else "the stream")


def _opened(source: Path | BinaryIO) -> Iterator[tuple[str, str | None, bytes]]:
    """What to call each file, its path, its bytes."""
    if not isinstance(source, Path):
        yield "the stream", None, source.read()
        return
    if not source.exists():
        raise NotFoundError(f"no such file: {source}", hint=_HINT, about=str(source))
    files = sorted(source.glob("*.json")) if source.is_dir() else [source]
    if not files:
        raise NotFoundError(f"no *.json in {source}", hint=_HINT, about=str(source))
    for file in files:
        demand_regular(file)
        yield str(file), str(file.absolute()), file.read_bytes()


def _pieces(reader: trajectory.Reader, where: str, data: bytes) -> list[trajectory.Piece]:
    try:
        return reader.read(json.loads(data))
    except RecursionError:
        problem = "it is nested too deep"
    except ValueError as error:
        problem = name(str(error))
    raise UsageError(f"{where} is no trajectory: {problem}", hint=f"{_HINT}; nothing was loaded", about=where) from None


class _Loader:
    """Puts trajectories into the archive, each with its sub-agents in one transaction, and counts every record."""

    def __init__(self, engine: Engine, vouched: str | None) -> None:
        self._engine = engine
        self._store = engine.store(create=True)
        self._vouched = vouched
        self._report = IngestReport()

    def take(self, pieces: list[trajectory.Piece], uri: str | None) -> None:
        """One document."""
        sessions: dict[str, tuple[SessionInfo, str | None]] = {}
        events: list[Prepared] = []
        for piece in pieces:
            info = prepare_session(piece.session, name(uri) if uri else None)
            taken = [event for given in piece.given if (event := self._event(given)) is not None]
            if taken:
                sessions[info.id] = (info, self._root(piece.session.cwd))
                self._report.sessions[piece.name] = info.id
                events += taken
        if events:
            self._write(sessions, events)

    def _event(self, given: trajectory.Given) -> Prepared | None:
        report = self._report
        report.read += 1
        if isinstance(given.made, Skipped):
            report.skipped[given.made.reason] += 1
            return None
        report.kept += 1
        if given.uids and all(map(self._store.events.revisions, given.uids)):
            report.known_events += 1
            return None
        return prepare(given.made, trajectory.HARNESS, parts.encode, self._vouched)

    def _root(self, cwd: str | None) -> str | None:
        there = workspace_of_record(cwd)
        return there.root if there is not None and there.id == self._engine.workspace.id else cwd and name(cwd)

    def _write(self, sessions: dict[str, tuple[SessionInfo, str | None]], events: list[Prepared]) -> None:
        revised = sum(self._is_revised(event) for event in events)
        done = Archivist(self._store).write(sessions, events, durable=True)
        report, derived = self._report, done.derived
        report.kept -= done.erased
        if done.erased:
            report.skipped["erased"] += done.erased
        report.new_events += done.new
        report.known_events += done.seen
        report.changed_events += done.changed
        report.revised += revised
        report.facts += len(derived.stored)
        report.ids.extend(map(show, derived.stored))
        report.withdrawn += len(derived.withdrawn)
        report.proposed += derived.proposed
        report.refused.update(derived.refused)

    def _is_revised(self, event: Prepared) -> bool:
        known = self._store.events.revisions(event.uid)
        return bool(known) and all(content != event.content_hash for _, content in known)

    def report_of_effect(self, about: str) -> IngestReport:
        """What was done; L9: a load that added nothing says so."""
        report = self._report
        if not report.new_events and not report.changed_events:
            told = f"{report.read} records read, {report.known_events} of them known"
            raise NothingChangedError(f"nothing was new: {told}", hint="it is all here already", about=about)
        return report
