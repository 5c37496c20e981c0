"""The verb `doctor`: four lights, each proved, and what is known of harnesses, sources, files and methods."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from muniment.archive import blobs
from muniment.capture.extract import own, registry
from muniment.capture.transcripts.adapters import adapters
from muniment.engine import floor as floors
from muniment.engine import receipts, viewing
from muniment.engine.asking import query
from muniment.engine.core import ERASING, Engine
from muniment.errors import MunimentError, NotFoundError
from muniment.model.kept import SourceState
from muniment.model.ports import Store
from muniment.storage.sqlite import mounts
from muniment.storage.sqlite.census import Census, engine_version
from muniment.views import tools

_UNKNOWN = "unknown:"
_PROOF_BUDGET = 4096
_NUMBER = re.compile(r"\d+")
_OTHERS = 0o077
_DAMAGED = ("malformed", "nul", "oversize", "unreadable")
_FLAGS = ("malformed", "drift")
_SHOWN = 5
"""Damaged records of one harness that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class Light:
    """One of installed, reachable, storing, recalled: is it on, and what proved it (or what stands against it)."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class HarnessHealth:
    """What the store holds of one harness. `unknown` counts events by the type of record that nobody here knows,
    `damaged` the records that could not be read as they should, by what is wrong with them.
    """

    name: str
    events: int
    unknown: dict[str, int]
    versions: tuple[str, ...]
    checked: tuple[str, ...]
    is_newer: bool
    sessions: int = 0
    damaged: dict[str, int] = field(default_factory=dict)

    @property
    def drift(self) -> str | None:
        """What to know about this harness's format, in one line; None if nothing is new."""
        parts = []
        if self.unknown:
            total, types = sum(self.unknown.values()), len(self.unknown)
            parts.append(f"{total} record{'s' * (total != 1)} of {types} unknown type{'s' * (types != 1)}")
        if self.is_newer:
            parts.append("this version is newer than checked")
        return "; ".join(parts) or None


@dataclass(frozen=True, slots=True)
class DamagedRecord:
    """Where a record stands that could not be read as it should: at `offset` bytes of a file if it was not kept, behind
    `receipt` if it was.
    """

    harness: str
    reason: str
    file: str | None
    offset: int | None
    receipt: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class MethodHealth:
    """One extractor: what was measured of it, and whether it may write."""

    name: str
    version: int
    precision: float
    interval: tuple[float, float]
    sample: int
    may_write: bool


@dataclass(frozen=True, slots=True)
class FloorHealth:
    """The floor of search: how many searches met it, how many of them were below, and how many did not have to meet it."""

    value: float
    is_own: bool
    met: int
    below: int
    not_judged: int


@dataclass(frozen=True, slots=True)
class Doctor:
    """Everything that `doctor` found. Warnings do not put out a light."""

    lights: tuple[Light, ...]
    harnesses: tuple[HarnessHealth, ...] = ()
    skips: dict[str, int] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    store_bytes: int = 0
    wal_bytes: int = 0
    file_system: str | None = None
    journal: str = ""
    warnings: tuple[str, ...] = ()
    methods: tuple[MethodHealth, ...] = ()
    damaged: tuple[DamagedRecord, ...] = ()
    floor: FloorHealth | None = None
    tool_tokens: int = 0
    """What the list of tools and their instructions cost an agent in every request; an estimate."""
    wake_bytes: int = 0
    """What the wake view of this moment puts before a new session."""

    @property
    def ok(self) -> bool:
        """Are all lights on?"""
        return all(light.ok for light in self.lights)


def doctor(engine: Engine) -> Doctor:
    """Look at the installation and the store of this workspace. Never writes to the store, and never raises for it."""
    installed_ = installed()
    try:
        store = engine.store()
    except MunimentError as error:
        lights = _dark(installed_, error)
        return Doctor(
            lights, methods=methods(), warnings=tuple(_file_warnings(engine)), file_system=_file_system(engine),
            tool_tokens=tools.tokens(),
        )  # fmt: skip
    lights = _lit(engine, store, installed_)
    try:
        return _report(engine, store, lights)
    except MunimentError as error:
        warning = f"the store cannot be counted: {error.message}; `muniment verify` tells more"
        return Doctor(lights, methods=methods(), warnings=(warning, *_file_warnings(engine)))


def _report(engine: Engine, store: Store, lights: tuple[Light, ...]) -> Doctor:
    census = Census(store.db)
    sources = store.sources.all()
    skips: Counter[str] = Counter()
    for state in sources.values():
        skips.update(state.skipped)
    damaged = list(_damaged(store, sources))
    return Doctor(
        lights,
        tuple(_harnesses(census, _counted(damaged, sources))),
        dict(sorted(skips.items())),
        tuple(uri for uri, state in sorted(sources.items()) if state.adapter != "pages" and not engine.exists(uri)),
        store.transfer.counts(),
        _size(engine.path),
        _size(_beside(engine.path, "-wal")),
        _file_system(engine),
        census.journal(),
        (*_unfinished(engine), *_file_warnings(engine), *_vector_warnings(engine, store), *_floor_warnings(engine)),
        methods(),
        tuple(_first(damaged)),
        _floor(engine),
        tools.tokens(),
        len(viewing.wake(engine).encode("utf-8")),
    )


def _unfinished(engine: Engine) -> Iterator[str]:
    if (engine.settings.home / ERASING / engine.workspace.id).exists():
        yield "an erasure was cut off: its bytes may still be in the file; the next command that writes finishes it"


# --- lights ------------------------------------------------------------


def lights(engine: Engine) -> tuple[Light, ...]:
    """The four lights alone. Never raises for the store."""
    try:
        store = engine.store()
    except MunimentError as error:
        return _dark(installed(), error)
    return _lit(engine, store, installed())


def _lit(engine: Engine, store: Store, first: Light) -> tuple[Light, ...]:
    return first, _reachable(store), _storing(store), _recalled(engine, store)


def installed() -> Light:
    """The compiled parts load and work together."""
    try:
        sample = b"muniment"
        works = blobs.unpack(blobs.pack(sample), len(sample)) == sample
    except (OSError, ValueError) as error:
        return Light("installed", False, f"what compresses the archive does not work: {error}")
    return Light("installed", works, f"SQLite {engine_version()}; the archive compresses and opens")


def _dark(installed: Light, error: MunimentError) -> tuple[Light, ...]:
    nothing = isinstance(error, NotFoundError)
    rest = "nothing is stored here yet" if nothing else "the store does not open"
    reachable = Light("reachable", False, error.message)
    return installed, reachable, Light("storing", False, rest), Light("recalled", False, rest)


def _reachable(store: Store) -> Light:
    try:
        events = store.transfer.counts()["events"]
    except MunimentError as error:
        return Light("reachable", False, error.message)
    return Light("reachable", True, f"{store.db.place} opens, its tables are as they should be, {events} events")


def _storing(store: Store) -> Light:
    """A row is written, read back and undone, under the lock that every writer takes."""
    try:
        works = Census(store.db).try_write()
    except MunimentError as error:
        return Light("storing", False, error.message)
    return Light(
        "storing", works, "a row was written, read back and undone" if works else "a row was written and not found"
    )


def _recalled(engine: Engine, store: Store) -> Light:
    """A question is answered, and the receipt of its first row opens and holds."""
    try:
        answer = query(engine, "", _PROOF_BUDGET)
        if not answer.hits:
            nothing = "there is nothing to recall yet" if not store.transfer.counts()["lines"] else answer.reason
            return Light("recalled", False, nothing or "a question was answered with nothing")
        record = receipts.read(engine, answer.hits[0].id)
    except MunimentError as error:
        return Light("recalled", False, error.message)
    held = f"receipt {record.receipt} opens and holds" if record.verified else "; ".join(record.problems)
    return Light("recalled", record.verified, f"{len(answer.hits)} facts answered; {held}")


# --- what is known ------------------------------------------------------------


def _harnesses(census: Census, damaged: dict[str, dict[str, int]]) -> list[HarnessHealth]:
    checked = {a.name: tuple(a.checked) for a in adapters()}
    unknown: dict[str, dict[str, int]] = {}
    for harness, flag, count in census.flags(_UNKNOWN):
        unknown.setdefault(harness, {})[flag.removeprefix(_UNKNOWN)] = count
    versions: dict[str, list[str]] = {}
    for harness, version in census.versions():
        versions.setdefault(harness, []).append(version)
    events, sessions = census.events(), census.sessions()
    found = [
        _harness(name, events.get(name, 0), unknown.get(name, {}), versions.get(name, []), checked.get(name, ()))
        for name in sorted(events.keys() | damaged.keys())
    ]
    return [replace(h, sessions=sessions.get(h.name, 0), damaged=damaged.get(h.name, {})) for h in found]


def _damaged(store: Store, sources: Mapping[str, SourceState]) -> Iterator[DamagedRecord]:
    """Records that were left out and say where they stand, then those that were kept as they are."""
    for uri, offset, reason, detail in store.sources.skips():
        if reason in _DAMAGED and uri in sources:
            yield DamagedRecord(sources[uri].adapter, reason, uri, offset, None, detail)
    for harness, flag, file, session, seq in Census(store.db).flagged(_FLAGS):
        yield DamagedRecord(harness, flag, file, None, f"{session}:{seq}", "")


def _counted(damaged: Iterable[DamagedRecord], sources: Mapping[str, SourceState]) -> dict[str, dict[str, int]]:
    """By harness and reason. Of what was left out a pass counts everything and keeps the place of the first ones."""
    kept, placed, told = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for record in damaged:
        (kept if record.receipt else placed)[record.harness, record.reason] += 1
    for state in sources.values():
        told.update({(state.adapter, reason): state.skipped.get(reason, 0) for reason in _DAMAGED})
    found: dict[str, dict[str, int]] = {}
    for (harness, reason), count in sorted((kept + (placed | told)).items()):
        found.setdefault(harness, {})[reason] = count
    return found


def _first(damaged: Iterable[DamagedRecord]) -> Iterator[DamagedRecord]:
    seen: Counter[str] = Counter()
    for record in damaged:
        seen[record.harness] += 1
        if seen[record.harness] <= _SHOWN:
            yield record


def _harness(
    name: str, events: int, unknown: dict[str, int], versions: list[str], checked: tuple[str, ...]
) -> HarnessHealth:
    newest = max(map(_number, checked), default=())
    is_newer = bool(newest) and any(_number(v) > newest for v in versions)
    return HarnessHealth(name, events, unknown, tuple(sorted(versions, key=_number)), checked, is_newer)


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(version)))


def methods() -> tuple[MethodHealth, ...]:
    """Every extractor with what was measured of it."""
    found = [MethodHealth(own.name, own.version, own.precision, (own.precision, own.precision), 0, True)]
    for extractor in (*registry.EXTRACTORS, *registry.SAID, *registry.TELLING):
        m = registry.measured(extractor.name, extractor.version)
        if m is not None:
            interval = (m.interval_low, m.interval_high)
            found.append(MethodHealth(extractor.name, extractor.version, m.precision, interval, m.sample, m.may_write))
    return tuple(found)


def _vector_warnings(engine: Engine, store: Store) -> Iterator[str]:
    """What of the dense lane does not work as it was turned on to."""
    if not store.vectors.models():
        return
    from muniment.engine import embedding  # loads the model, to see that it can be

    found = embedding.status(engine)
    if found.problem:
        yield f"dense is on and does not work: {found.problem}"
    if found.waiting:
        yield f"{found.waiting} of {found.turns} turns wait for a vector: muniment dense on"
    if any(model.state == "staged" for model in found.models):
        yield "a model for dense is half built: `muniment dense on MODEL` goes on, `muniment dense status` tells which"


def _floor(engine: Engine) -> FloorHealth:
    found = floors.histogram(engine)
    now = found.floor
    return FloorHealth(now.value, now.is_own, found.total, found.below(now.value), found.unjudged)


def _floor_warnings(engine: Engine) -> Iterator[str]:
    warning = floors.in_force(engine).warning
    if warning:
        yield warning


# --- files ------------------------------------------------------------


def _file_system(engine: Engine) -> str | None:
    return mounts.mount_type(engine.path)


def _file_warnings(engine: Engine) -> list[str]:
    found = []
    kind = _file_system(engine)
    if mounts.is_network(kind):
        found.append(
            f"the store is on a network file system ({kind}): a write-ahead log is not safe there and is not used;"
            " writers and readers wait for each other, and locks are only as good as the server's"
        )
    if os.name == "posix":
        found += [f"{path} can be read by others (mode {mode:04o})" for path, mode in _open_to_others(engine)]
    return found


def _open_to_others(engine: Engine) -> list[tuple[Path, int]]:
    path = engine.path
    files = [path, *(_beside(path, end) for end in ("-wal", "-shm", "-journal", ".lock"))]
    there = [each for each in (engine.settings.home, path.parent, *files) if each.exists()]
    modes = [(each, each.stat().st_mode & 0o777) for each in there]
    return [(each, mode) for each, mode in modes if mode & _OTHERS]


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
