"""The verb `copy`: a workspace from one store into another, in steps that can be taken up again, proved by equal digests.

What is primary is written through the gate's masks as a load writes it, and facts are drawn anew from it; so a copy is the
same as if the target had seen what the source saw. Each step is one transaction, and the target remembers in it how many
rows of which source it has: a copy that was broken off goes on there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from muniment.engine.archiving import Archivist
from muniment.engine.core import Caller, Engine
from muniment.engine.transfer import Loader, Progress, demand_person, primary_rows
from muniment.engine.upkeep import digest
from muniment.errors import ConflictError, NotFoundError, UsageError
from muniment.model.event import SessionInfo
from muniment.model.ports import Store

STEP = 2_000
"""Rows of one transaction."""
_MARK = "copied from "


@dataclass(frozen=True, slots=True)
class CopyReport:
    """What was copied. `taken_up`: rows that an earlier copy had brought; `is_equal`: the digests are the same. A target that
    held something of its own holds more than the source, and then they are not."""

    rows: int
    taken_up: int
    new: int
    digest: str
    target_digest: str

    @property
    def is_equal(self) -> bool:
        """Do both stores hold the same?"""
        return self.digest == self.target_digest


def copy(
    source: Engine, target: Engine, caller: Caller, progress: Progress | None = None, *, step: int = STEP
) -> CopyReport:
    """Bring all of one store into another of the same workspace. ConflictError if an empty target does not end up equal."""
    demand_person(caller)
    if source.workspace.id != target.workspace.id or source.settings.server == target.settings.server:
        raise UsageError("a store is copied to another store of the same workspace", hint="name another store")
    from_, into, before = source.store(), target.store(create=True), digest(source)
    was_empty = not any(into.transfer.counts().values()) or _done(into, before) is not None
    taken_up = _done(into, before) or 0
    with from_.reading():
        total = sum(
            from_.transfer.counts()[name] for name in ("sessions", "events", "positions", "verdicts", "tombstones")
        )
        new = _Steps(from_, into, before, taken_up, total).run(progress, step)
    report = CopyReport(total, taken_up, new, before, digest(target))
    if was_empty and not report.is_equal:
        hint = "`muniment verify` on both tells what is sound; the source is as it was"
        raise ConflictError("the copy does not hold what its source holds", hint=hint, about=into.db.place)
    with into.writing():
        into.db.run("DELETE FROM meta WHERE key = ?", (_MARK + before,))
    return report


class _Steps:
    """The rows of a source, a transaction for each so many."""

    def __init__(self, source: Store, into: Store, name: str, done: int, total: int) -> None:
        self._source, self._into, self._name = source, into, name
        self._done, self._total = done, total
        self._sessions = {row["id"]: row for row in source.transfer.sessions()}

    def run(self, progress: Progress | None, step: int) -> int:
        """How many rows were new to the target."""
        rows, new = primary_rows(self._source), 0
        next(islice(rows, self._done, self._done), None)
        while piece := list(islice(rows, step)):
            new += self._take(piece)
            if progress is not None:
                progress(self._done, self._total, "copying")
        return new

    def _take(self, piece: list[tuple[str, dict[str, Any]]]) -> int:
        with Archivist(self._into).batch(durable=True) as batch:
            for session in sorted({row["session"] for table, row in piece if table == "positions"}):
                fields = dict(self._sessions[session])  # a batch knows the sessions that it was told of
                batch.session(SessionInfo(**{k: v for k, v in fields.items() if k != "root"}), fields["root"])
            loader = Loader(self._into, batch)
            for table, row in piece:
                loader.take(table, row)
            self._done += len(piece)
            new = sum(loader.finish().new.values())
            sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)"
            self._into.db.run(sql, (_MARK + self._name, str(self._done)))
        return new


def _done(into: Store, name: str) -> int | None:
    row = into.db.one("SELECT value FROM meta WHERE key = ?", (_MARK + name,))
    return int(row[0]) if row else None


def demand_source(source: Engine) -> None:
    """NotFoundError where there is nothing to copy."""
    if not source.has_store():
        raise NotFoundError("there is nothing to copy: no store of this folder there", about=source.workspace.id)
