"""The verb `index`: read what is new in transcripts, archive it, draw its facts. `read = kept + skipped` always."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment.archive import parts
from muniment.capture.transcripts.adapters import adapters
from muniment.capture.transcripts.contract import Adapter, Checkpoint, Cursor, Reset, Source
from muniment.engine.archiving import Archivist
from muniment.engine.core import Engine
from muniment.errors import NotFoundError, NothingChangedError
from muniment.gate.intake import prepare
from muniment.model.event import Event, SessionInfo, Skipped
from muniment.model.scope import workspace_of_record
from muniment.model.stored import Prepared
from muniment.storage.sqlite.foreign import open_foreign
from muniment.storage.sqlite.sources import SourceState
from muniment.storage.sqlite.whole import SqliteStore

OTHER_WORKSPACE = "other workspace"
NO_FOLDER = "folder unknown here"
_DAMAGED = frozenset({"malformed", "nul", "oversize", "unreadable"})
_KEPT_DETAILS = 1000
_HEAD = 4096

Progress = Callable[[int, int, str], None]
"""Called with (bytes done, bytes in all, file)."""


@dataclass(slots=True)
class HarnessReport:
    """Counts of one harness: every raw record is either kept or skipped for a reason."""

    read: int = 0
    kept: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    damaged: Counter[str] = field(default_factory=Counter)
    files: int = 0
    unchanged: int = 0


@dataclass(slots=True)
class IndexReport:
    """What one pass did."""

    harnesses: dict[str, HarnessReport] = field(default_factory=dict)
    new_events: int = 0
    known_events: int = 0
    facts: int = 0
    withdrawn: int = 0
    proposed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    adopted: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    unclaimed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    kept_before: int = 0
    """Records that earlier passes kept."""

    @property
    def read(self) -> int:
        """Raw records seen."""
        return sum(h.read for h in self.harnesses.values())

    @property
    def kept(self) -> int:
        """Records that became (or already were) events of this workspace."""
        return sum(h.kept for h in self.harnesses.values())

    @property
    def skipped(self) -> Counter[str]:
        """Records that did not, by reason."""
        return sum((h.skipped for h in self.harnesses.values()), Counter())

    @property
    def damaged(self) -> Counter[str]:
        """Records that could not be read as what they should be, by what is wrong with them."""
        return sum((h.damaged for h in self.harnesses.values()), Counter())


def index(
    engine: Engine,
    found: Sequence[tuple[Adapter, Path]],
    *,
    named: bool,
    adopt: bool = False,
    open_database: Any = None,
    progress: Progress | None = None,
) -> IndexReport:
    """Read every source in `found`. `named`: a person named these files, so sessions of folders that this machine does
    not have are taken in; `adopt`: so are sessions of other workspaces."""
    store = engine.store(create=True)
    states = store.sources.all()
    report = IndexReport(kept_before=sum(s.kept for s in states.values()))
    open_database = open_database or open_foreign
    sizes = [_size(p) for _, p in found]
    done = 0
    for (adapter, path), size in zip(found, sizes, strict=True):
        if progress is not None:
            progress(done, sum(sizes), str(path))
        reader = _Reader(engine, store, adapter, path, report, named, adopt)
        reader.run(Source(path, open_database), states.get(str(path)), lambda n, at=done, of=sum(sizes), p=path: progress and progress(at + n, of, str(p)))
        done += size
    if progress is not None:
        progress(done, done, "")
    return report


def sources(
    paths: Sequence[Path] | None, home: Path, variables: Mapping[str, str], platform: str
) -> tuple[list[tuple[Adapter, Path]], list[str]]:
    """What there is to read: under `paths` if any are named, else where harnesses keep their transcripts; and unclaimed files.

    NotFoundError if that is nothing at all.
    """
    found, unclaimed = locate(adapters(), paths) if paths else (discover(adapters(), home, variables, platform), [])
    if not found:
        where = ", ".join(map(str, paths)) if paths else f"the places where {', '.join(a.name for a in adapters())} keep them"
        raise NotFoundError(f"no transcripts in {where}", hint="name a file or folder: `muniment index PATH`", about=where)
    return found, unclaimed


def demand_effect(report: IndexReport, folder: str) -> None:
    """L9: NothingChangedError if this pass and all before it kept nothing."""
    if report.kept or report.kept_before:
        return
    if report.elsewhere:
        hint = f"{len(report.elsewhere)} sessions belong to other folders: run this there (-C DIR), or take them in with --adopt"
    else:
        hint = "see the reasons above; `muniment index PATH` reads a file or folder that you name"
    raise NothingChangedError(f"nothing of {report.read} records belongs to {folder}", hint=hint, about=folder)


def locate(known: Iterable[Adapter], paths: Sequence[Path]) -> tuple[list[tuple[Adapter, Path]], list[str]]:
    """The sources among files and folders that a person named; and the files that no adapter takes."""
    found: list[tuple[Adapter, Path]] = []
    unclaimed: list[str] = []
    for path in paths:
        if not path.exists():
            raise NotFoundError(f"no such file or folder: {path}", hint="check the path", about=str(path))
        for file in _files(path):
            adapter = _recogniser(known, file)
            if adapter is None:
                unclaimed.append(str(file))
            else:
                found.append((adapter, file))
    return found, unclaimed


def discover(known: Iterable[Adapter], home: Path, variables: Mapping[str, str], platform: str) -> list[tuple[Adapter, Path]]:
    """Every source at the places where harnesses keep their transcripts."""
    return [
        (adapter, source)
        for adapter in known
        for place in adapter.places(home, variables, platform)
        if place.exists()
        for source in adapter.sources(place)
    ]


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for child in sorted(path.rglob("*"), key=lambda p: (len(p.parts), str(p))):
        if child.is_file():
            yield child


def _recogniser(known: Iterable[Adapter], file: Path) -> Adapter | None:
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return None
    return next((a for a in known if a.recognises(file, head)), None)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class _Reader:
    """Reads one source, batch by batch."""

    def __init__(
        self, engine: Engine, store: SqliteStore, adapter: Adapter, path: Path, report: IndexReport, named: bool, adopt: bool
    ) -> None:
        self._engine = engine
        self._store = store
        self._adapter = adapter
        self._uri = str(path)
        self._report = report
        self._harness = report.harnesses.setdefault(adapter.name, HarnessReport())
        self._named = named
        self._adopt = adopt
        self._archivist = Archivist(store)
        self._sessions: dict[str, tuple[SessionInfo, str | None] | None] = {}
        self._dirty: set[str] = set()
        self._events: list[Prepared] = []
        self._skips: list[tuple[int, str, str]] = []
        self._totals = Counter[str]()
        self._read = self._kept = 0

    def run(self, source: Source, state: SourceState | None, progress: Callable[[int], None]) -> None:
        """Everything new in the source since its last pass."""
        cursor = self._resume(state)
        self._harness.files += 1
        read_before = self._read
        for item in self._adapter.read(source, cursor):
            if isinstance(item, Checkpoint):
                if item.cursor != cursor or self._events or self._skips:
                    self._commit(item.cursor)
                progress(item.cursor.offset)
            else:
                self._take(item)
        if self._read == read_before:
            self._harness.unchanged += 1

    def _resume(self, state: SourceState | None) -> Cursor | None:
        """The cursor to go on from; none if the last pass left out sessions that this one takes."""
        if state is None:
            return None
        if (self._named or self._adopt) and any(r in state.skipped for r in (OTHER_WORKSPACE, NO_FOLDER)):
            return None
        self._totals.update(state.skipped)
        self._read, self._kept = state.read, state.kept
        return Cursor(**state.cursor)

    def _take(self, item: object) -> None:
        if isinstance(item, Event):
            self._event(item)
        elif isinstance(item, Skipped):
            self._skip(item.reason, item.offset, item.detail, item.count)
        elif isinstance(item, SessionInfo):
            self._session(item)
        elif isinstance(item, Reset):
            self._report.notes.append(f"{self._uri}: read again from its start ({item.reason})")
            self._totals.clear()
            self._read = self._kept = 0

    def _event(self, event: Event) -> None:
        if event.session not in self._sessions:
            self._session(SessionInfo(event.session, self._adapter.name))
        if self._sessions[event.session] is None:
            reason = OTHER_WORKSPACE if event.session in self._report.elsewhere else NO_FOLDER
            self._skip(reason, event.seq, event.session, 1, remember=False)
            return
        self._events.append(prepare(event, self._adapter.name, parts.encode))
        self._count_read()
        self._kept += 1
        self._harness.kept += 1
        if "malformed" in event.flags:
            self._harness.damaged["malformed"] += 1

    def _count_read(self, count: int = 1) -> None:
        self._read += count
        self._harness.read += count

    def _skip(self, reason: str, offset: int, detail: str, count: int, *, remember: bool = True) -> None:
        self._count_read(count)
        self._totals[reason] += count
        self._harness.skipped[reason] += count
        if reason in _DAMAGED:
            self._harness.damaged[reason] += max(count, 1)
        if remember and not reason.startswith("noise:") and reason != "blank" and len(self._skips) < _KEPT_DETAILS:
            self._skips.append((offset, reason, detail))

    def _session(self, info: SessionInfo) -> None:
        """Decide by the one scope function whether a session belongs to this workspace."""
        old = self._sessions.get(info.id)
        if old is not None:
            info = _filled(info, old[0])
        elif info.cwd is None and (known := self._store.events.find_session(info.id)) is not None:
            self._sessions[info.id] = (info, known[0])
            return
        root = self._root(info)
        self._sessions[info.id] = None if root is _OUT else (info, root)
        self._dirty.add(info.id)

    def _root(self, info: SessionInfo) -> Any:
        here = self._engine.workspace
        there = workspace_of_record(info.cwd)
        if there is not None and there.id == here.id:
            return there.root
        if self._adopt or (there is None and self._named):
            if info.cwd:
                self._report.adopted.add(info.cwd)
            return info.cwd
        if there is not None:
            self._report.elsewhere.add(info.id)
        return _OUT

    def _commit(self, cursor: Cursor) -> None:
        """One transaction: what was read, what it implies, and how far the reading has come."""
        state = SourceState(self._adapter.name, cursor._asdict(), self._read, self._kept, dict(self._totals))
        skips, now = self._skips, self._engine.now()

        def also(_: object) -> None:
            self._store.sources.put(self._uri, state, now)
            self._store.sources.put_skips(self._uri, skips)

        sessions = {s: entry for s, entry in self._sessions.items() if entry is not None and s in self._needed()}
        done = self._archivist.write(sessions, self._events, durable=False, also=also)
        self._report.new_events += done.new
        self._report.known_events += done.seen
        self._report.facts += len(done.derived.stored)
        self._report.withdrawn += len(done.derived.withdrawn)
        self._report.proposed += done.derived.proposed
        self._report.refused.update(done.derived.refused)
        self._events, self._skips = [], []
        self._dirty.clear()

    def _needed(self) -> set[str]:
        return self._dirty | {e.session for e in self._events}


_OUT = object()


def _filled(new: SessionInfo, old: SessionInfo) -> SessionInfo:
    """What is new of a session, with the gaps filled by what was known."""
    gaps = {f.name: getattr(old, f.name) for f in dataclasses.fields(new) if getattr(new, f.name) is None}
    return dataclasses.replace(new, **gaps)
