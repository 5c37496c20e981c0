"""Erasure: what was chosen goes for good, with all that was drawn from it, and does not come back.

The order is what makes it whole. What is to go is noted in a file of the home; one transaction removes the rows, leaves
tombstones and derives everything else again; then the files beside the store are gone through, the store is written anew
without free space, and the note goes. Cut off anywhere, it is either not begun, or done to its end by the next command
that writes (`resume`): every step can be done twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

from muniment.archive import blobs, parts
from muniment.engine import drafts, remains
from muniment.engine.core import DATABASE, ERASING, Engine, erasure_key
from muniment.engine.derive import Derived, Deriver
from muniment.engine.extraction import OWN_HARNESS
from muniment.engine.verdicts import VerdictBook
from muniment.engine.wanted import held_in
from muniment.errors import BusyError, RefusedError, StoreError
from muniment.model.fact import Action, Verdict
from muniment.model.ids import parse, show
from muniment.model.ports import Store
from muniment.model.scope import workspace_of
from muniment.model.tombstones import KEY_BYTES, Tombstones
from muniment.storage.sqlite.whole import SqliteStore

Choose = Callable[[Store], "Chosen"]
"""What a person asked for, looked up in a store: once to show it, and again in the transaction that removes it."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was asked for: events by name, whole sessions, and the words that nothing may hold any more."""

    uids: frozenset[bytes] = frozenset()
    sessions: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    verdicts: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class Going:
    """All that goes with it, as plain values: this is what is noted until it is done."""

    uids: tuple[str, ...]
    facts: tuple[str, ...]
    verdicts: tuple[str, ...]
    proposals: tuple[str, ...]
    sessions: tuple[str, ...]
    receipts: tuple[str, ...]
    sources: tuple[str, ...]
    words: tuple[str, ...]
    addresses: tuple[str, ...] = ()
    """Of the bytes that go; another store may hold the same."""

    @property
    def is_empty(self) -> bool:
        """Is there nothing to erase?"""
        return not (self.uids or self.verdicts or self.sessions)


@dataclass(frozen=True, slots=True)
class Held:
    """Another store of the home that holds the same."""

    store: str
    events: int
    erased: bool = False


@dataclass(frozen=True, slots=True)
class Certificate:
    """What an erasure removed, by id and keyed hash; never by its words."""

    at: str
    workspace: str
    events: tuple[tuple[str, str], ...]
    """(receipt, keyed hash) of each."""
    facts: tuple[str, ...]
    verdicts: int
    sessions: int
    proposals: int
    files: tuple[str, ...]
    others: tuple[Held, ...]
    left: tuple[str, ...] = ()
    """Where the words still stand, and why."""
    bytes_before: int = 0
    bytes_after: int = 0
    done: bool = True


# --- what goes


def going(store: Store, chosen: Chosen) -> Going:
    """Everything that holds a word, an id or a hash of what was chosen. Reads only."""
    table, verdicts = store.erasure, store.facts.verdicts()
    uids, named, gone, facts, groups = set(chosen.uids), set(chosen.verdicts), set[bytes](), set[bytes](), set[bytes]()
    own = [(store.prepared(n).uid, store.prepared(n).text) for n in table.own(OWN_HARNESS)]
    while True:
        facts, groups = table.facts_of(uids), table.groups_of(uids)
        targets = {name.hex() for name in facts | uids | groups}
        gone = {v.id for v in verdicts if v.id in named or _goes(store, v, facts, uids, targets)}
        more = uids | _emptied(verdicts, gone) | _naming(own, {*map(show, facts), *map(show, groups)})
        if more == uids:
            break
        uids = more
    sources = table.sources_of(uids) | _uris(store, chosen.sessions)
    return Going(
        _hex(uids), tuple(sorted(map(show, facts))), _hex(gone), _hex(groups), tuple(sorted(chosen.sessions)),
        tuple(sorted(r for u in uids for r in table.sighted(u))), tuple(sorted(sources)), chosen.words,
        _hex(table.addresses(uids)),
    )  # fmt: skip


def _goes(store: Store, v: Verdict, facts: set[bytes], uids: set[bytes], targets: set[str]) -> bool:
    """Does a verdict hold a word or a name of what goes? One on an address goes with the last fact that depends on it."""
    if v.action == Action.CHECK:
        citing = store.evidence.citing(bytes.fromhex(v.target)) if facts else []
        return (bool(citing) and facts.issuperset(citing)) or v.uid in uids
    return v.target in targets or not targets.isdisjoint(v.value.split()) or not uids.isdisjoint(drafts.named(v))


def _emptied(verdicts: Iterable[Verdict], gone: set[bytes]) -> set[bytes]:
    """Commands of which no verdict is left."""
    left = {v.uid for v in verdicts if v.id not in gone}
    return {v.uid for v in verdicts if v.id in gone} - left


def _naming(own: Iterable[tuple[bytes, str]], ids: set[str]) -> set[bytes]:
    """Commands of ours that name what goes: an id is a hash of its words."""
    return {uid for uid, text in own if any(id_ in text for id_ in ids)} if ids else set()


def _uris(store: Store, sessions: Iterable[str]) -> set[str]:
    return {uri for s in sessions if (uri := store.source_of(s)) is not None}


def _hex(names: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(sorted(n.hex() for n in names))


# --- doing it


def erase(engine: Engine, choose: Choose, *, everywhere: bool = False) -> Certificate:
    """Erase what is chosen. NothingChangedError is for who asked: here nothing is an empty certificate."""
    if engine.settings.server:
        hint = (
            "copy the memory into a file, erase there, and copy it to a tenant made anew; `forget` alone hides it here"
        )
        raise RefusedError("erasure is not on a server's store yet: nothing was erased", hint=hint)
    store, at = engine.store(), engine.now()
    key, before = _key(engine.settings.home), engine.path.stat().st_size
    tombs = Tombstones(key, store.transfer.erased_at)
    store.erasure.zero_freed()
    with store.writing():
        store.begin_batch()
        what = going(store, choose(store))
        named = [(r, tombs.uid(u).hex()) for u in map(bytes.fromhex, what.uids) for r in store.erasure.sighted(u)]
        if not what.is_empty:
            _note(engine, what, everywhere=everywhere, at=at)
            _remove(store, what, at)
    if what.is_empty:
        return Certificate(at, engine.workspace.id, (), (), 0, 0, 0, (), (), done=False)
    files, others = _finish(engine, what, at, everywhere=everywhere)
    return Certificate(
        at, engine.workspace.id, tuple(sorted(named)), what.facts, len(what.verdicts),
        len(what.sessions), len(what.proposals), tuple(files), tuple(others), tuple(remains.left(engine, what.words)),
        before, engine.path.stat().st_size,
    )  # fmt: skip


def _remove(store: Store, what: Going, at: str) -> None:
    """The rows, inside the caller's transaction; what rested on them is derived again."""
    uids, tombs = [bytes.fromhex(u) for u in what.uids], store.tombstones_with_key()
    old = store.facts.verdicts()
    again = Deriver(store, VerdictBook(old)).with_partners(uids) | store.erasure.witnessed(uids)
    sessions = {store.events.session_number(r.rpartition(":")[0]) for r in what.receipts if store.erasure.is_session(r)}
    for uid in uids:
        for n, _ in store.events.revisions(uid):
            for name in tombs.names(store.prepared(n)):
                store.transfer.put_tombstone(name, at)
    for session in what.sessions:
        store.transfer.put_tombstone(tombs.session(session), at)
    for id_ in what.verdicts:
        store.erasure.drop_verdict(bytes.fromhex(id_))
    store.erasure.unname(parse(id_) or b"" for id_ in what.facts)
    _derive_again(store, uids, again, sessions, old)
    for emptied in store.erasure.drop_empty({r.rpartition(":")[0] for r in what.receipts} | set(what.sessions)):
        store.transfer.put_tombstone(tombs.emptied(emptied), at)
    store.erasure.tidy()
    _drop_local(store, what)


def _derive_again(
    store: Store, uids: Sequence[bytes], again: set[bytes], sessions: set[int], old: Sequence[Verdict]
) -> None:  # fmt: skip
    """Withdraw what was drawn from these events, let them go, and settle what that changes for others."""
    left = store.facts.verdicts()
    kept = {v.id for v in left}
    gone = [v for v in old if v.id not in kept]
    undone = {v.target for v in gone if v.action == Action.UNDO}
    deriver, done = Deriver(store, VerdictBook(left)), Derived()
    for uid in uids:
        for id_, n in store.facts.of_event(uid).items():
            deriver.withdraw(n, id_, done, for_good=True)
    for uid in uids:
        store.erasure.drop_event(uid)
    again |= {uid for session in sorted(sessions) for uid in store.events.reorder(session)}
    fresh = Deriver(store, VerdictBook(left))
    fresh.run(again - set(uids), [*gone, *(v for v in left if v.uid.hex() in undone)])
    fresh.settle(done.keys)


def _drop_local(store: Store, what: Going) -> None:
    """What no digest covers: places in transcripts, and what was seen at addresses."""
    for uri in what.sources:
        store.erasure.drop_source(uri)
    for uri, told in store.erasure.local():
        if held_in(told, what.words):
            store.erasure.drop_source(uri)
    store.erasure.drop_checks(lambda told: held_in(told, what.words))
    store.evidence.prune()


def bury(store: Store) -> int:
    """Remove what tombstones of another store cover, inside the caller's transaction; how many events that were."""
    tombs = store.tombstones()
    if tombs is None:
        return 0
    events = (store.prepared(n) for n in store.erasure.events())
    uids = frozenset(e.uid for e in events if tombs.covers(e._replace(session="")))
    uids |= {uid for s, _ in store.erasure.described() if tombs.holds_session(s) for uid in _by_then(store, tombs, s)}
    what = going(store, Chosen(uids))
    if not what.is_empty:
        at = max(str(t["at"]) for t in store.transfer.tombstones())
        store.erasure.zero_freed()
        _remove(store, what, at)
    store.erasure.drop_empty(s for s, _ in store.erasure.described() if tombs.waits(s))
    return len(what.uids)


def _by_then(store: Store, tombs: Tombstones, session: str) -> Iterator[bytes]:
    for uid in store.erasure.of_session(session):
        for n, _ in store.events.revisions(uid):
            if tombs.covers(store.prepared(n)._replace(session=session)):
                yield uid


def _finish(engine: Engine, what: Going, at: str, *, everywhere: bool) -> tuple[list[str], list[Held]]:
    """The files beside the store, the other stores, the file itself; at last the note of it."""
    files = list(remains.clean(engine, what))
    others = [_elsewhere(engine, path, what, at, everywhere=everywhere) for path in _stores(engine)]
    _compact(engine.store())
    note = engine.settings.home / ERASING / engine.workspace.id
    for path in (note.with_name(f".{note.name}.new"), note):  # the first is there if an erasure was cut off very early
        path.unlink(missing_ok=True)
    return files, [held for held in others if held is not None]


def _compact(store: Store) -> None:
    try:
        store.erasure.compact()
    except BusyError as error:
        message = "what was to go is gone from the store, and its bytes are not yet gone from the file: somebody is reading it"
        hint = "the next command that writes finishes it; no certificate was given"
        raise BusyError(message, hint=hint, about=error.about) from error


def resume(engine: Engine) -> None:
    """Finish an erasure that was cut off."""
    note = engine.settings.home / ERASING / engine.workspace.id
    try:
        told = json.loads(note.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return
    what = Going(**{f.name: tuple(told["what"][f.name]) for f in fields(Going)})
    store = engine.store()
    store.erasure.zero_freed()
    with store.writing():
        store.begin_batch()
        _remove(store, what, told["at"])
    _finish(engine, what, told["at"], everywhere=told["everywhere"])


def _note(engine: Engine, what: Going, *, everywhere: bool, at: str) -> None:
    """On disk before anything is removed."""
    folder = engine.settings.home / ERASING
    folder.mkdir(mode=0o700, exist_ok=True)
    told = {"v": 1, "at": at, "everywhere": everywhere, "what": {f.name: getattr(what, f.name) for f in fields(what)}}
    beside = folder / f".{engine.workspace.id}.new"
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        json.dump(told, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(folder / engine.workspace.id)


def _key(home: Path) -> bytes:
    """The key, made when first something is erased."""
    known = erasure_key(home)
    if known is not None and len(known) == KEY_BYTES:
        return known
    if known is not None:
        raise StoreError(
            "the key to what was erased is damaged", hint="restore erasure.key of the home from a copy",
            about=str(home / "erasure.key"),
        )  # fmt: skip
    key, beside = os.urandom(KEY_BYTES), home / f"erasure.key.{os.getpid()}"
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(beside, home / "erasure.key")  # whoever is first: two processes must not use two keys
    except FileExistsError:
        return _key(home)
    except OSError:  # no links on this file system
        beside.replace(home / "erasure.key")
    beside.unlink(missing_ok=True)
    return key


# --- other stores of the home


def _stores(engine: Engine) -> list[Path]:
    """Every other store of the home that we know of: other workspaces, the person's, and copies beside this one."""
    home = engine.settings.home
    places = [*home.glob(f"workspaces/*/{DATABASE}"), *home.glob(f"person/{DATABASE}"), *_copies(engine)]
    return sorted({p for p in places if p != engine.path})


def _copies(engine: Engine) -> Iterator[Path]:
    """Copies of the store in its own folder."""
    for path in engine.path.parent.iterdir():
        if path.is_file() and path.suffix != ".lock" and not path.name.endswith(("-wal", "-shm", "-journal")):
            with path.open("rb") as file:
                if file.read(16) == b"SQLite format 3\0":
                    yield path


def held(engine: Engine, what: Going) -> list[Held]:
    """Who else of this home holds the same events or the same bytes. Reads only."""
    found = ((path, _look(path, what)) for path in _stores(engine))
    return [Held(_named(engine, path), len(look.uids)) for path, look in found if look.uids]


class _Look(NamedTuple):
    """What another store holds of it, and the folders that its sessions ran in."""

    uids: frozenset[bytes] = frozenset()
    roots: tuple[str, ...] = ()


def _look(path: Path, what: Going) -> _Look:
    try:
        with closing(SqliteStore.open(path, blobs.pack, blobs.unpack, parts.decode, read_only=True)) as store:
            table = store.erasure
            uids = table.present(map(bytes.fromhex, what.uids)) | table.holders(map(bytes.fromhex, what.addresses))
            return _Look(frozenset(uids), tuple(table.roots()))
    except StoreError:
        return _Look()


def _elsewhere(engine: Engine, path: Path, what: Going, at: str, *, everywhere: bool) -> Held | None:
    """Erase the same in another workspace if that was asked for, through a handle that is bound to that one.

    What belongs to no workspace that can be reached (a copy, a project that is gone) is named and left alone.
    """
    look = _look(path, what)
    if not look.uids:
        return None
    other = _engine_of(engine, path, look.roots) if everywhere else None
    if other is None:
        return Held(_named(engine, path), len(look.uids))
    with other:
        store = other.store()
        store.erasure.zero_freed()
        with store.writing():
            store.begin_batch()
            theirs = going(store, Chosen(look.uids, words=what.words))
            _remove(store, theirs, at)
        for _ in remains.clean(other, theirs):
            pass
        _compact(store)
    return Held(_named(engine, path), len(look.uids), True)


def _engine_of(engine: Engine, path: Path, roots: Sequence[str]) -> Engine | None:
    """The engine of another workspace of this home, if its folder is still there and means that workspace."""
    for root in roots:
        if Path(root).is_dir() and (found := Engine(workspace_of(root), engine.settings)).path == path:
            return found
    return None


def _named(engine: Engine, path: Path) -> str:
    return path.relative_to(engine.settings.home).as_posix()
