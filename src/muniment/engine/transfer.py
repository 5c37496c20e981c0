"""The verbs `export` and `load` for our own format: primary data, complete, as lines of JSON.

The first line tells format and version and how many rows follow; then come sessions, events, positions, verdicts and
tombstones, each in an order that does not depend on arrival. So two stores that hold the same give the same bytes, and
a store loaded from an export gives that export again. What was derived is not in it: it is derived again.

A load is one transaction. It trusts the file as the store it came from was trusted: origins are taken as written, which
is why only a person may load one. What it holds passes the gate's masks once more; where today's rules mask what was not
masked then, the event gets the more masked content under its old name, and takes the place of the other. Loading in any
order, or twice, ends in the same.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from muniment.archive import parts
from muniment.engine import erasing, lines
from muniment.engine.archiving import Archivist, Batch
from muniment.engine.core import Caller, Engine
from muniment.engine.given import demand_regular
from muniment.errors import NotFoundError, NothingChangedError, ScopeError, UsageError
from muniment.gate.intake import readmit
from muniment.model.event import Origin, SessionInfo
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.storage.sqlite.transfer import TABLES

Progress = Callable[[int, int, str], None]
"""Called with (rows or bytes done, of how many, what)."""

_EVERY = 500


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written: rows of each table, and bytes."""

    counts: dict[str, int]
    bytes: int


@dataclass(slots=True)
class LoadReport:
    """What a load did. `known` rows were there before; `ids` are the facts that came of it."""

    new: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TABLES, 0))
    known: int = 0
    masked: int = 0
    erased: int = 0
    """Rows of what was erased here: they stay out, or went with the tombstones that the file holds."""
    facts: int = 0
    withdrawn: int = 0
    ids: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Did the file add nothing?"""
        return not any(self.new.values())


def export_jsonl(engine: Engine, target: Path | BinaryIO, progress: Progress | None = None) -> ExportReport:
    """Write everything primary to a stream, or to a file that appears only when it is whole."""
    if not isinstance(target, Path):
        return _write(engine, target, progress)
    _demand_place(target)
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            report = _write(engine, stream, progress)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, target)
    except OSError as error:
        if error.filename == str(beside):
            error.filename = str(target)  # the name that was given; nobody asked for the other
        raise
    finally:
        beside.unlink(missing_ok=True)
    return report


def demand_person(caller: Caller) -> None:
    """ScopeError where the caller is no person: an export says itself whose words are in it, verdicts among them."""
    if caller.origin != Origin.PERSON:
        message = f"a caller of origin {caller.origin} cannot load an export: it says what a person said and decided"
        raise ScopeError(message, hint="let a person run it, or a program that vouches for one", about="jsonl")


def load_jsonl(
    engine: Engine, source: Path | BinaryIO, progress: Progress | None = None, *, allow_nothing: bool = False
) -> LoadReport:
    """Take in an export: all of it or, if a line of it is not sound, nothing.

    Raises UsageError for a file that is no export (naming the line), NewerStoreError for one of a newer format, and
    NothingChangedError for one that adds nothing, unless `allow_nothing`.
    """
    with ExitStack() as stack:
        stream = stack.enter_context(_opened(source)) if isinstance(source, Path) else source
        name = str(source) if isinstance(source, Path) else "the stream"
        if not engine.has_store():
            stream = _sound(stream, name, stack, allow_nothing)
        size = os.fstat(stream.fileno()).st_size if isinstance(source, Path) else 0
        reader = lines.Reader(stream, name)
        reader.header()
        store = engine.store(create=True)
        batch = stack.enter_context(Archivist(store).batch(durable=True))
        loader = Loader(store, batch)
        for count, (table, row) in enumerate(reader.rows()):
            with reader.naming_the_line():
                loader.take(table, row)
            if progress is not None and count % _EVERY == 0:
                progress(reader.bytes, size, "loading")
        report = loader.finish()
        if report.is_empty and not allow_nothing:
            erased = f"; {report.erased} of its records were erased here" if report.erased else ""
            raise NothingChangedError(f"{name} holds nothing that is not here already{erased}", about=str(source))
    if report.erased and report.new["tombstones"]:
        store.erasure.compact()
    return report


def _demand_place(target: Path) -> None:
    if target.is_dir():
        raise UsageError(f"{target} is a folder", hint="name a file in it", about=str(target))
    if not target.parent.exists():
        hint = f"make the folder {target.parent} first, or name another"
        raise NotFoundError(f"no such folder: {target.parent}", hint=hint, about=str(target))


def _opened(source: Path) -> BinaryIO:
    if source.is_dir():
        raise UsageError(f"{source} is a folder", hint="name the file that an export wrote", about=str(source))
    if not source.exists():
        hint = "name the file that `muniment export` wrote"
        raise NotFoundError(f"no such file: {source}", hint=hint, about=str(source))
    demand_regular(source)
    return source.open("rb")


def _sound(stream: BinaryIO, name: str, stack: ExitStack, allow_nothing: bool) -> BinaryIO:
    """The stream at its start again, once all of it was looked at: what is not sound must not leave a new store."""
    if not stream.seekable():
        copy = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        shutil.copyfileobj(stream, copy)
        copy.seek(0)
        stream = copy
    start = stream.tell()
    if not lines.check(lines.Reader(stream, name)) and not allow_nothing:
        raise NothingChangedError(f"{name} holds nothing", about=name)
    stream.seek(start)
    return stream


# --- out ------------------------------------------------------------


def _write(engine: Engine, stream: BinaryIO, progress: Progress | None) -> ExportReport:
    store = engine.store()
    with store.reading():
        counts = {t: n for t, n in store.transfer.counts().items() if t in TABLES}
        total, written = sum(counts.values()), stream.write(lines.header(counts))
        for done, (table, row) in enumerate(primary_rows(store)):
            written += stream.write(lines.line(table, row))
            if progress is not None and done % _EVERY == 0:
                progress(done, total, table)
    if progress is not None:
        progress(total, total, "written")
    return ExportReport(counts, written)


def primary_rows(store: Store) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every primary row of a store with its table, in the order of an export."""
    for session in store.transfer.sessions():
        yield "sessions", session
    for event, text, raw in store.transfer.events():
        yield "events", {**event, "text": text.decode("utf-8"), **lines.raw_fields(raw)}
    for place in store.transfer.positions():
        yield "positions", dict(zip(("session", "seq", "uid"), place, strict=True))
    for verdict in store.transfer.verdicts():
        yield "verdicts", {**verdict._asdict(), "origin": verdict.by}
    for tombstone in store.transfer.tombstones():
        yield "tombstones", tombstone


# --- in ------------------------------------------------------------


class Loader:
    """Puts the rows of a file into one batch and counts what is new."""

    def __init__(self, store: Store, batch: Batch) -> None:
        self._store = store
        self._batch = batch
        self._report = LoadReport()

    def take(self, table: str, row: dict[str, Any]) -> None:
        """One row; its table says how."""
        is_new: bool = getattr(self, f"_{table}")(row)
        self._report.new[table] += is_new
        self._report.known += not is_new

    def finish(self) -> LoadReport:
        """Derive; what is new of facts is told by their ids."""
        derived = self._batch.finish().derived
        self._report.erased = self._batch.done.erased
        if self._report.new["tombstones"]:
            self._report.erased += erasing.bury(self._store)
        self._report.facts, self._report.withdrawn = len(derived.stored), len(derived.withdrawn)
        self._report.ids = tuple(map(show, derived.stored))
        return self._report

    def _sessions(self, row: dict[str, Any]) -> bool:
        root = row.pop("root", None)
        return self._batch.session(SessionInfo(**row), root).is_changed

    def _events(self, row: dict[str, Any]) -> bool:
        event = lines.event(row)
        admitted = readmit(event, parts.encode)
        self._report.masked += admitted.content_hash != event.content_hash
        put = self._batch.revision(admitted)
        return put.is_new or put.is_changed

    def _positions(self, row: dict[str, Any]) -> bool:
        if self._batch.is_erased(row["uid"]):
            return False
        if not self._store.events.revisions(row["uid"]):
            raise ValueError("a position of an event that is not there")
        return self._batch.sighting(row["session"], row["seq"], row["uid"])

    def _verdicts(self, row: dict[str, Any]) -> bool:
        return self._batch.verdict(lines.verdict(row))

    def _tombstones(self, row: dict[str, Any]) -> bool:
        return self._store.transfer.put_tombstone(row["target"], row["at"])
