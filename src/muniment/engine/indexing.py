"""The verb `index`: read what is new in transcripts, archive it, draw its facts. `read = kept + skipped` always."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from muniment.archive.blobs import expand
from muniment.capture.transcripts.contract import Adapter, Source
from muniment.engine import spool
from muniment.engine.core import Engine
from muniment.engine.locating import discover, distinct, locate, sources
from muniment.engine.reading import NO_FOLDER, OTHER_WORKSPACE, HarnessReport, IndexReport, Reader, Taken
from muniment.errors import NothingChangedError
from muniment.model.time import to_ms
from muniment.storage.sqlite.foreign import open_foreign

__all__ = [
    "HarnessReport", "IndexReport", "NO_FOLDER", "OTHER_WORKSPACE", "Progress", "QUIET_MS", "demand_effect", "discover",
    "index", "locate", "sources",
]  # fmt: skip

QUIET_MS = 600_000
"""A file that was not written to for ten minutes is finished: a last line without a newline is then a record like the
others. No harness pauses so long within a line; should one go on with it all the same, the file is read again."""

LENT = {"unzstd": expand}
"""What readers are lent besides the way to open a database: some harnesses keep their sessions packed."""

Progress = Callable[[int, int, str], None]
"""Called with (bytes done, bytes in all, file)."""


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
    not have are taken in; `adopt`: so are sessions of other workspaces. Where nothing was named, what hooks left is read too."""
    store = engine.store(create=True)
    kept_before, elsewhere_before = store.sources.totals(OTHER_WORKSPACE)
    report = IndexReport(kept_before=kept_before, elsewhere_before=elsewhere_before)
    left = spool.waiting(engine) if not named else None
    places = distinct([*found, *(left.found if left else ())])
    total, done = sum(p.size for p in places), 0
    with _no_collector():
        for place in places:
            told = _share(progress, done, total, place.uri)
            told(0)
            quiet = _is_quiet(place.path, engine.now())
            source = Source(place.path, open_database or open_foreign, extra=dict(LENT), finished=quiet)
            state = store.sources.find(place.uri)  # of this one: a turn's end should not cost what all others left
            Reader(engine, place.adapter, place.uri, report, Taken(named, adopt)).run(source, state, told)
            done += place.size
    report.notes.extend(_resolved(engine))
    if not named and store.sources.named("pages:"):
        from muniment.engine import paging

        report.notes.extend(paging.again(engine))
    if progress is not None:
        progress(done, done, "")
    if left is not None:
        report.unclaimed.extend(left.unclaimed)
        report.notes.extend(left.notes)
        spool.let_go(engine, left.files)
    return report


def _resolved(engine: Engine) -> Iterator[str]:
    """What became of assertions that waited for words in a transcript."""
    from muniment.engine.pending import folder

    if not folder(engine).exists():
        return
    from muniment.engine.asserting import resolve

    for done in resolve(engine):
        what = f"asserted by an agent: {done.told}" if done.outcome == "stored" else f"assertion refused: {done.told}"
        yield f"{what} ({done.pending.assertion.predicate} {done.pending.assertion.object[:80]})"


@contextmanager
def _no_collector() -> Iterator[None]:
    """A pass makes millions of small values and no cycles: looking for cycles took 8 % of its time and found none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _is_quiet(path: Path, now: str) -> bool:
    try:
        return path.stat().st_mtime_ns // 1_000_000 <= to_ms(now) - QUIET_MS
    except OSError:
        return False


def _share(progress: Progress | None, before: int, of: int, name: str) -> Callable[[int], None]:
    """What one file's progress means for the whole."""
    return lambda done: progress(before + done, of, name) if progress is not None else None


def demand_effect(report: IndexReport, folder: str) -> None:
    """L9: NothingChangedError if this pass and all before it kept nothing."""
    if report.kept or report.kept_before:
        return
    elsewhere = report.skipped[OTHER_WORKSPACE] or report.elsewhere_before
    if elsewhere:
        hint = f"{elsewhere} records belong to sessions of other folders: run this there (-C DIR), or --adopt them"
    else:
        hint = "see the reasons above; `muniment index PATH` reads a file or folder that you name"
    raise NothingChangedError(f"nothing that was read belongs to {folder}", hint=hint, about=folder)
