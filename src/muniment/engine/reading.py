"""Reading one source, batch by batch: what adapters yield goes through the gate into the archive, and every record is
counted. What waits for a checkpoint is not true yet: it is stored and counted with it, or not at all.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from muniment.archive import parts
from muniment.capture.transcripts.contract import Adapter, Checkpoint, Cursor, Item, Reset, Source
from muniment.engine.archiving import Archivist
from muniment.engine.core import Engine
from muniment.gate.intake import name, prepare, prepare_session, prepare_state, record_text
from muniment.model.event import Event, SessionInfo, Skipped
from muniment.model.kept import SourceState
from muniment.model.scope import workspace_of_record
from muniment.model.stored import Prepared

OTHER_WORKSPACE = "other workspace"
ERASED = "erased"
NO_FOLDER = "folder unknown here"
_DAMAGED = frozenset({"malformed", "nul", "oversize", "unreadable"})
_PASSING = "unfinished"
"""Seen and left where it is: counted for this pass, and part of no total, since the next pass sees it again."""
_KEPT_DETAILS = 1000
_SHOWN = 200
# What a reader may raise over a file that nobody foresaw. The file is counted by name, and the others are read.
_FAULTS = (OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
_OUT = object()


@dataclass(slots=True)
class HarnessReport:
    """Counts of one harness: every raw record is either kept or skipped for a reason."""

    read: int = 0
    kept: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    damaged: Counter[str] = field(default_factory=Counter)
    files: int = 0
    unchanged: int = 0

    def add(self, other: HarnessReport) -> None:
        """Take in the records that another report counted."""
        self.read += other.read
        self.kept += other.kept
        self.skipped.update(other.skipped)
        self.damaged.update(other.damaged)


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
    elsewhere_before: int = 0
    """Records that earlier passes left to other workspaces."""

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


class Taken(NamedTuple):
    """Which sessions are taken besides those of this workspace: of folders that this machine does not have, or all."""

    unknown: bool = False
    all: bool = False


class Reader:
    """Reads one source, batch by batch."""

    def __init__(self, engine: Engine, adapter: Adapter, uri: str, report: IndexReport, taken: Taken) -> None:
        self._engine = engine
        self._store = engine.store(create=True)
        self._adapter = adapter
        self._uri = uri
        self._report = report
        self._harness = report.harnesses.setdefault(adapter.name, HarnessReport())
        self._taken = taken
        self._archivist = Archivist(self._store)
        self._erased = self._store.tombstones()
        self._sessions: dict[str, tuple[SessionInfo, str | None] | None] = {}
        self._total = HarnessReport()
        self._seen = HarnessReport()
        self._is_anew = self._is_late = False
        self._begin_batch()

    def _begin_batch(self) -> None:
        """Nothing waits for a checkpoint."""
        self._batch = HarnessReport()
        self._last: Skipped | None = None
        self._dirty: set[str] = set()
        self._events: list[Prepared] = []
        self._skips: list[tuple[int, str, str]] = []

    def run(self, source: Source, state: SourceState | None, progress: Callable[[int], None]) -> None:
        """Everything new in the source since its last pass."""
        self._pass(source, self._resume(state), progress)
        if self._is_late:
            # Records stood before the one that told where the session belongs: now they are known to be ours.
            self._seen, self._total, self._is_anew = HarnessReport(), HarnessReport(), True
            self._pass(source, None, progress)
        self._harness.files += 1
        self._harness.unchanged += not self._seen.read
        self._harness.add(self._seen)

    def _pass(self, source: Source, cursor: Cursor | None, progress: Callable[[int], None]) -> None:
        for item in self._items(source, cursor):
            if isinstance(item, Checkpoint):
                self._checkpoint(item.cursor, cursor)
                progress(item.cursor.offset)
            else:
                self._take(item)
        self._give_up()

    def _items(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """What the adapter reads. What it did not foresee ends this file and no other; nothing of it is lost."""
        items = iter(self._adapter.read(source, cursor))
        while True:
            try:
                item = next(items)
            except StopIteration:
                return
            except _FAULTS as error:
                yield Skipped("unreadable", 0, f"{type(error).__name__}: {error}", 0)
                return
            yield item

    def _resume(self, state: SourceState | None) -> Cursor | None:
        """The cursor to go on from; none if the last pass left out sessions that this one takes."""
        if state is None:
            return None
        if (self._taken.unknown or self._taken.all) and any(r in state.skipped for r in (OTHER_WORKSPACE, NO_FOLDER)):
            return None
        self._total = HarnessReport(state.read, state.kept, Counter(state.skipped))
        return Cursor(**state.cursor)

    def _take(self, item: Item) -> None:
        if isinstance(item, Event):
            self._event(item)
        elif isinstance(item, Skipped):
            self._skip(item)
        elif isinstance(item, SessionInfo):
            self._session(item)
        elif isinstance(item, Reset):
            self._report.notes.append(f"{self._uri}: read again from its start ({item.reason})")
            self._reset()

    def _reset(self) -> None:
        """What waits for a checkpoint is void: the file may have changed under the reader."""
        self._begin_batch()
        self._sessions.clear()
        self._seen, self._total = HarnessReport(), HarnessReport()
        self._is_anew = True

    def _give_up(self) -> None:
        """The reading ended without a checkpoint: what waits is read next time, and why it ended is counted now."""
        last = self._last
        self._begin_batch()
        if last is not None:
            self._skip(last)
            self._seen.add(self._batch)
            self._report.notes.append(f"{self._uri}: {name(last.reason)} ({name(last.detail[:_SHOWN])})")

    def _event(self, event: Event) -> None:
        self._last = None
        prepared = prepare(event, self._adapter.name, parts.encode)
        session = prepared.session
        if session not in self._sessions:
            self._session(SessionInfo(session, self._adapter.name))
        if self._sessions[session] is None:
            reason = OTHER_WORKSPACE if session in self._report.elsewhere else NO_FOLDER
            self._count(reason, 1)
            return
        if self._erased is not None and self._erased.covers(prepared):
            self._count(ERASED, 1)
            return
        self._events.append(prepared)
        self._batch.read += 1
        self._batch.kept += 1
        if "malformed" in event.flags:
            self._batch.damaged["malformed"] += 1

    def _count(self, reason: str, count: int) -> None:
        self._batch.read += count
        self._batch.skipped[reason] += count
        if reason in _DAMAGED:
            self._batch.damaged[reason] += max(count, 1)

    def _skip(self, skipped: Skipped) -> None:
        self._last = skipped
        reason = name(skipped.reason)
        self._count(reason, skipped.count)
        is_dull = reason.startswith("noise:") or reason in ("blank", _PASSING)
        if not is_dull and len(self._skips) < _KEPT_DETAILS:
            self._skips.append((skipped.offset, reason, record_text(skipped.detail)))

    def _session(self, info: SessionInfo) -> None:
        """Decide by the one scope function whether a session belongs to this workspace."""
        key = name(info.id)
        old, known = self._sessions.get(key), self._store.events.find_session(key)
        if old is not None:
            info = _merged(info, old[0])
        elif info.cwd is None and known is not None:
            self._sessions[key] = (info, known[1])
            return
        root = self._root(key, info)
        self._sessions[key] = None if root is _OUT else (info, root)
        self._dirty.add(key)
        if (
            root is not _OUT
            and known is None
            and (NO_FOLDER in self._total.skipped or NO_FOLDER in self._batch.skipped)
        ):
            self._is_late = True

    def _root(self, key: str, info: SessionInfo) -> Any:
        here = self._engine.workspace
        there = workspace_of_record(info.cwd)
        if there is not None and there.id == here.id:
            return there.root
        if self._taken.all or (there is None and self._taken.unknown):
            if info.cwd:
                self._report.adopted.add(name(info.cwd))
            return info.cwd
        if there is not None:
            self._report.elsewhere.add(key)
        return _OUT

    def _checkpoint(self, cursor: Cursor, before: Cursor | None) -> None:
        """What was read since the last one is true: store it, unless there is nothing to store, and count it."""
        batch = self._batch
        self._total.add(batch)
        passing = self._total.skipped.pop(_PASSING, 0)
        self._total.read -= passing
        if cursor != before or self._events or self._skips:
            self._commit(cursor)
        self._seen.add(batch)
        self._begin_batch()

    def _commit(self, cursor: Cursor) -> None:
        """One transaction: what was read, what it implies, and how far the reading has come."""
        total, skips, is_anew = self._total, self._skips, self._is_anew
        place = {**cursor._asdict(), "state": prepare_state(cursor.state)}
        state = SourceState(self._adapter.name, place, total.read, total.kept, dict(total.skipped))
        now = self._engine.now()

        def also(_: object) -> None:
            if is_anew:
                self._store.sources.drop_skips(self._uri)
            self._store.sources.put(self._uri, state, now)
            self._store.sources.put_skips(self._uri, skips)

        done = self._archivist.write(self._masked_sessions(), self._events, durable=False, also=also)
        self._report.new_events += done.new
        self._report.known_events += done.seen
        self._report.facts += len(done.derived.stored)
        self._report.withdrawn += len(done.derived.withdrawn)
        self._report.proposed += done.derived.proposed
        self._report.refused.update(done.derived.refused)
        self._is_anew = False

    def _masked_sessions(self) -> dict[str, tuple[SessionInfo, str | None]]:
        """The sessions of this batch, as they may be kept."""
        needed = self._dirty | {e.session for e in self._events}
        entries = [(key, entry) for key, entry in self._sessions.items() if entry is not None and key in needed]
        return {key: (prepare_session(info, self._uri), root and name(root)) for key, (info, root) in entries}


def _merged(new: SessionInfo, old: SessionInfo) -> SessionInfo:
    """What two records of a session say together, as the store joins them: the least of each field, the last end."""
    both = dataclasses.asdict(old)
    for key, value in dataclasses.asdict(new).items():
        if value is not None:
            known = both[key]
            both[key] = value if known is None else max(value, known) if key == "ended_at" else min(value, known)
    return SessionInfo(**both)
