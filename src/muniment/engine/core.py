"""The composition root: one engine for one workspace, bound to it for life.

The engine names the concrete store, hands out what each verb needs and owns the clock and the source of new names. It
reads no environment and knows no current folder: surfaces pass both in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

from muniment.engine.truth import Freshness
from muniment.errors import MissingExtraError, NotFoundError, ReadOnlyStoreError, StoreError, UsageError
from muniment.model.event import Call, Origin, Result
from muniment.model.ids import show
from muniment.model.kept import VectorModel
from muniment.model.ports import Store
from muniment.model.scope import Workspace
from muniment.model.services import Services
from muniment.storage.sqlite import encryption
from muniment.storage.sqlite.hash_cache import HashCache
from muniment.storage.sqlite.store import LOCK_TIMEOUT
from muniment.storage.sqlite.whole import SqliteStore

if TYPE_CHECKING:
    from muniment.model.checks import Allowed
    from muniment.model.retention import Retention
    from muniment.model.tracing import Price

DATABASE = "memory.db"
JOURNAL = "journal"
"""The folder of the home in which is noted what was given out; nothing of it is part of a store."""


ERASING = "erasing"
"""The folder of the home in which an erasure is noted until it is done."""


def erasure_key(home: Path) -> bytes | None:
    """The key to the names of what was erased; None if nothing ever was in this home."""
    try:
        return (home / "erasure.key").read_bytes()
    except FileNotFoundError:
        return None


def system_clock() -> str:
    """Now, in the stored form."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def random_name() -> str:
    """A new name of 26 characters, for things that have no content to be named by."""
    return show(os.urandom(16))


def no_floor() -> float | None:
    """Where nothing is configured, the shipped floor holds."""
    return None


def no_key() -> str | None:
    """Where nothing is configured, stores are plain."""
    return None


def no_prices() -> Mapping[str, Price]:
    """Where nothing is configured, what a harness does not tell costs nobody knows what."""
    return {}


def no_masks() -> tuple[Sequence[str], Sequence[str]]:
    """Where nothing is configured, the shipped rules for secrets hold alone."""
    return (), ()


def _hold(settings: Settings) -> bool:
    """The person's own rules for secrets hold before the first text comes in. Are there files that are never kept?"""
    patterns, paths = settings.masks()
    if patterns or paths:
        from muniment.gate import own_rules  # most homes have none

        home = str(settings.home)
        try:
            own_rules.hold(home, own_rules.compiled(patterns, paths))
        except ValueError as error:
            hint = "see [masks] in config.toml of the home folder"
            raise UsageError(f"a rule for secrets makes no sense: {error}", hint=hint, about=home) from error
    return bool(paths)


def nothing_more() -> Allowed:
    """Where nothing is configured, a check looks at files and git alone."""
    from muniment.model.checks import Allowed

    return Allowed()


def kept_for_ever() -> Retention:
    """Where nothing is configured, nothing ends by its age."""
    from muniment.model.retention import Retention

    return Retention()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling, as the surface could tell from the channel. `vouched` is set where a program spoke for a person;
    `door` begins the names of the sessions that its commands make."""

    origin: Origin
    vouched: str | None = None
    door: str = "cli"
    grants: bytes | None = None
    """The proposal that a person grants with this call."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What surfaces pass in: where things live, the reader's zone, and seams for tests."""

    home: Path
    zone: tzinfo = UTC
    clock: Callable[[], str] = system_clock
    key: Callable[[], str | None] = no_key
    """The key of the home's stores, if they are encrypted; asked for when one is opened."""
    new_name: Callable[[], str] = random_name
    lock_timeout: float = LOCK_TIMEOUT
    services: Callable[[], Services] = Services
    """The servers that the configuration names; read when a verb needs one."""
    floor: Callable[[], float | None] = no_floor
    """One's own floor of search, if the configuration gives one; read at each search."""
    prices: Callable[[], Mapping[str, Price]] = no_prices
    """What tokens cost, by model; read when usage is asked for."""
    checks: Callable[[], Allowed] = nothing_more
    """What a check of evidence may do beyond files and git; read when evidence is looked at."""
    masks: Callable[[], tuple[Sequence[str], Sequence[str]]] = no_masks
    """Patterns of secrets, and globs of files whose content is never kept; read when an engine is made."""
    retention: Callable[[], Retention] = kept_for_ever
    """For how long what is remembered counts; read when somebody forgets by age."""
    server: str = field(default="", repr=False)
    """The address of a PostgreSQL server that holds the workspaces, in place of files below the home."""


class Engine:
    """One workspace. Verbs live in the modules beside this one and take the engine as their first argument."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self.workspace = workspace
        self.settings = settings
        self._store: Store | None = None
        encryption.lend(str(settings.home), settings.key)
        self._freshness: Freshness | None = None
        self._services: Services | None = None
        self._excludes = _hold(settings)

    @property
    def path(self) -> Path:
        """The store's file."""
        return self.settings.home / "workspaces" / self.workspace.id / DATABASE

    @property
    def is_open(self) -> bool:
        """Is the store open?"""
        return self._store is not None

    def now(self) -> str:
        """The clock."""
        return self.settings.clock()

    def store(self, *, create: bool = False) -> Store:
        """The open store; made first where a verb writes and none is there."""
        if self._store is None:
            if self.settings.server:
                self._store = _reached(self.settings, self.workspace, create)
            else:
                self._store = _open(self.path, create, self.settings.lock_timeout)
            self._store.embed = self._embed
            if self._excludes:
                from muniment.gate import excluding

                excluding.ask(self, self._store.events.was_flagged(excluding.FLAG))
            self._store.erasure_key = self._erasure_key
        if create and os.path.exists(self.settings.home / ERASING / self.workspace.id):
            from muniment.engine import erasing  # one was cut off

            erasing.resume(self)
        return self._store

    def _erasure_key(self) -> bytes | None:
        return erasure_key(self.settings.home)

    def _embed(self, model: VectorModel, texts: Sequence[str]) -> dict[str, bytes]:
        from muniment.engine import embedding  # loads what the model needs: only where dense is on

        return embedding.embed(self, model, texts)

    def has_store(self) -> bool:
        """Is anything remembered for this workspace?"""
        if not self.settings.server:
            return self.path.exists()
        try:
            self.store()
        except NotFoundError:
            return False
        return True

    def freshness(self) -> Freshness:
        """What is known of the files of this work tree, kept for the life of the engine."""
        if self._freshness is None:
            self._freshness = Freshness(self.workspace.root, HashCache(self.settings.home / "cache.db"))
        return self._freshness

    def services(self) -> Services:
        """The servers that the home's settings name, read once."""
        if self._services is None:
            self._services = self.settings.services()
        return self._services

    def unpack(self, packed: bytes, size: int) -> bytes:
        """The bytes of a packed text."""
        return _unpack(packed, size)

    def exists(self, uri: str | None) -> bool:
        """Is the file that a session was read from still there?"""
        if uri is None:
            return False
        if uri.startswith("file:"):
            from urllib.parse import urlsplit
            from urllib.request import url2pathname  # 40 ms to import, and only `read` asks

            uri = url2pathname(urlsplit(uri).path)
        return Path(uri).exists()

    def close(self) -> None:
        """Close the store, if it was opened."""
        if self._store is not None:
            if self._excludes:
                from muniment.gate import excluding

                excluding.ask(self, None)
            self._store.close()
            self._store = None
        if self._freshness is not None:
            self._freshness.close()
            self._freshness = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _open(path: Path, create: bool, lock_timeout: float) -> Store:
    if not create and not path.exists():
        raise _nothing_yet(str(path))
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        hint = "choose another home folder with --home or MUNIMENT_HOME"
        raise StoreError(
            f"the name of the folder is not UTF-8: {str(path)!r}", hint=hint, about=ascii(str(path))
        ) from None
    if create:
        _make_private(path.parent)
    return SqliteStore.open(path, _pack, _unpack, _decode, create=create, lock_timeout=lock_timeout)


def _nothing_yet(place: str) -> NotFoundError:
    return NotFoundError(
        f"nothing is remembered for this folder yet (no store at {place})",
        hint="run `muniment index` to read transcripts, or `muniment add` to state something",
        about=place,
    )


def missing_server_extra() -> MissingExtraError:
    """The extra for servers is not installed."""
    return MissingExtraError("a store on a server needs what is not installed", hint="pip install 'muniment[postgres]'")


def _reached(settings: Settings, workspace: Workspace, create: bool) -> Store:
    try:
        from muniment.storage.postgres.whole import PostgresStore
    except ModuleNotFoundError as error:
        raise missing_server_extra() from error
    found = PostgresStore.at(settings.server, workspace.id, _pack, _unpack, _decode, lock_timeout=settings.lock_timeout)
    if not create and not found.is_written():
        found.close()
        raise _nothing_yet(found.db.place)
    return found


# Most questions open no text: what compresses and decodes it is loaded by the first that does.


def _pack(data: bytes) -> bytes:
    return _packer()(data)


@cache
def _packer() -> Callable[[bytes], bytes]:
    from muniment.archive.blobs import pack

    return pack


def _unpack(packed: bytes, size: int) -> bytes:
    from muniment.archive.blobs import unpack

    return unpack(packed, size)


def _decode(text: str | None) -> tuple[tuple[Call, ...], tuple[Result, ...]]:
    from muniment.archive.parts import decode

    return decode(text)


def _make_private(folder: Path) -> None:
    """Make a store's folder; whatever of the home is made with it is nobody else's to read."""
    home = folder.parent.parent
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        for each in (home, folder.parent, folder):
            each.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        hint = "choose another home folder with --home or MUNIMENT_HOME"
        message = f"{home} cannot be made or written: {error.strerror}"
        raise ReadOnlyStoreError(message, hint=hint, about=str(home)) from error
