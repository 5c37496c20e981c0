"""Whose call is this? The session of an agent that asks by tool, from what its surface could find out.

A harness tells its session (by its environment, by what its hook left, or beside the call), or its transcripts tell it:
the call itself appears in exactly one of them sooner or later. Where neither does, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from muniment.engine.core import Engine
from muniment.engine.extraction import OWN_HARNESS
from muniment.engine.locating import Found
from muniment.errors import BusyError, ReadOnlyStoreError
from muniment.model.ports import Store
from muniment.model.time import from_ms, to_ms
from muniment.storage.sqlite.activity import ActivityTable

_MOST_FILES = 8
"""Transcripts that are read before a call is answered: the newest ones."""


_TELLING = 8
"""Characters of a session's id from which on it is in no path by accident."""


def _none() -> Found:
    return []


@dataclass(frozen=True, slots=True)
class Calling:
    """What a surface knows of its caller: the harness by the name of its adapter, ids of its session, the id of this very
    tool call, and when it began (a live session has said something since). `sources` finds its harness's transcripts."""

    harness: str | None = None
    sessions: tuple[str, ...] = ()
    call_id: str | None = None
    since: str | None = None
    sources: Callable[[], Found] = field(default=_none)
    transcript: Path | None = None


@dataclass(frozen=True, slots=True)
class Whose:
    """The session if it is known, else those that it could be."""

    session: str | None = None
    candidates: tuple[str, ...] = ()


def catch_up(engine: Engine, calling: Calling) -> None:
    """Read what is new in the transcripts that may be the caller's. A store that is busy is read as it is."""
    from muniment.engine.indexing import index

    found = _live(calling)
    if found:
        try:
            index(engine, found, named=False)
        except (BusyError, ReadOnlyStoreError):
            return


def whose(engine: Engine, calling: Calling) -> Whose:
    """The caller's session, by the best that is known: the call's id, the session's id, or that only one is live."""
    if not engine.has_store():
        return Whose()
    store = engine.store()
    session = by_call(store, calling.call_id) or next((s for s in calling.sessions if _is_known(store, s)), None)
    if session is not None or calling.sessions:
        return Whose(session)
    roots = sorted({root_of(s) for s in live(store, calling.since, calling.harness)})
    return Whose(roots[0] if len(roots) == 1 else None, tuple(roots))


def by_call(store: Store, call_id: str | None) -> str | None:
    """The session in which a tool call of this id was made."""
    if not call_id:
        return None
    holders = store.events.holders([call_id]).get((call_id, False), [])
    places = [place for uid in holders if (place := store.events.place_of(uid)) is not None]
    return places[0][0] if len({p[0] for p in places}) == 1 else None


def root_of(session: str) -> str:
    """The session that a sub-agent's belongs to."""
    return session.split("/", 1)[0]


def family(store: Store, session: str) -> list[str]:
    """A session and those of its sub-agents, itself first."""
    return [session, *(s.id for s in ActivityTable(store.db).lasts() if s.id.startswith(f"{session}/"))]


def live(store: Store, since: str | None, harness: str | None) -> list[str]:
    """The sessions of agents that said something since then; where records have no times, their files were written to."""
    begun = since or ""
    lasts = (s for s in ActivityTable(store.db).lasts() if s.harness != OWN_HARNESS and harness in (None, s.harness))
    return [s.id for s in lasts if (s.at >= begun if s.at else _written_since(s.source, begun))]


def _written_since(uri: str | None, begun: str) -> bool:
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    path = Path(url2pathname(urlsplit(uri).path)) if uri and uri.startswith("file:") else None
    return path is not None and _written(path) >= (to_ms(begun) if begun else 1)


def _is_known(store: Store, session: str) -> bool:
    return store.events.find_session(session) is not None


def _live(calling: Calling) -> Found:
    """The transcripts to read: the one that is named, else the newest that were written to since the caller began."""
    found = calling.sources()
    named = [(a, p) for a, p in found if _is_named(p, calling)]
    if named:
        return named
    begun = to_ms(calling.since) if calling.since else 0
    dated = [(time, n) for n, (_, path) in enumerate(found) if (time := _written(path)) >= begun]
    return [found[n] for _, n in sorted(dated, reverse=True)[:_MOST_FILES]]


def _is_named(path: Path, calling: Calling) -> bool:
    """Sub-agents have their files in a folder that is named after the session."""
    whole = path.as_posix()
    return path == calling.transcript or any(
        session in whole for session in calling.sessions if len(session) >= _TELLING
    )


def _written(path: Path) -> int:
    """When a file was written to, its journal counted in; 0 where that cannot be told."""
    return max((_mtime(each) for each in (path, path.with_name(f"{path.name}-wal"))), default=0)


def _mtime(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns // 1_000_000
    except OSError:
        return 0


def before(now: str, minutes: float) -> str:
    """So many minutes ago."""
    return from_ms(to_ms(now) - round(minutes * 60_000))
