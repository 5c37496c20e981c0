"""A handle whose host must run on: `careful(Memory)` is Memory with verbs that answer emptily where the store cannot be used.

What was asked wrongly is raised as ever; only trouble with the store, its place or its settings is turned into an answer, and
each such answer says why. Every call tries the store again, so the handle heals by itself.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, wraps
from typing import Any, Self, TypeVar

from muniment.engine import absent, healthy, written
from muniment.engine.core import Caller, Engine
from muniment.engine.healthy import Health
from muniment.engine.scoped import Rows, Scoped
from muniment.errors import BusyError, EndpointError, MunimentError, NotFoundError, StoreError, UsageError

Made = TypeVar("Made", bound=type[Any])
_AS_EVER = frozenset({"open", "close", "extract", "scoped", "healthy"})
WRITES = frozenset(
    "index ingest add revise update retract_source suspect_source restore_source decide forget load check".split()
)
"""Verbs that may change what is remembered: refused while they cannot, and two of them kept for later."""
logger = logging.getLogger("muniment")


@cache
def careful(kind: Made) -> Made:
    """The same class, whose `_begin` makes the engine when it is first needed, and again until it can."""
    verbs = {
        name: _guarded(name, verb)
        for name, verb in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and name not in _AS_EVER
    }
    own = {**verbs, **_OWN, "__doc__": kind.__doc__, "_plain": kind}
    return type(f"Careful{kind.__name__}", (kind,), own)  # type: ignore[return-value]


def _guarded(name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(verb)

    @wraps(verb)
    def guarded(self: Any, *words: Any, **named: Any) -> Any:
        bound = signature.bind(self, *words, **named)  # what does not fit is the program's mistake
        bound.apply_defaults()
        given = {key: value for key, value in bound.arguments.items() if key != "self"}
        if self._nested:
            return verb(self, *words, **named)
        return _tried(self, name, given, lambda: verb(self, *words, **named))

    return guarded


def _tried(self: Any, name: str, given: Mapping[str, Any], call: Callable[[], Any]) -> Any:
    if self._is_closed:
        raise UsageError("this memory is closed", hint="open it again with Memory.open")
    one: written.Write | None = None
    self._nested = True
    try:
        engine: Engine = self._begin()
        if name in written.VERBS:
            given = _listed(given)
            one = written.write(engine, name, given, self._caller)
        self._drain(engine)
        answer = self._run(engine, one, call)
        if engine.is_open:
            self._recovered()
        return answer
    except Exception as error:  # the host runs on, whatever the store does
        if not is_trouble(error, self._open):
            raise
        return self._refused(name, given, one, error)
    finally:
        self._nested = False


def is_trouble(error: Exception, engine: Engine | None) -> bool:
    """Is it the store that cannot be used, rather than the call that makes no sense?"""
    if engine is None or isinstance(error, StoreError | BusyError | OSError):
        return True
    if isinstance(error, NotFoundError):
        return error.about == str(engine.path)
    return not isinstance(error, MunimentError | EndpointError | TypeError)


def _listed(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Turns that can be gone through once only are held, so that they can be given again."""
    turns = given.get("turns")
    if turns is None or isinstance(turns, str) or hasattr(turns, "__fspath__"):
        return given
    return {**given, "turns": list(turns), "progress": None}


# --- what the class has besides


def _begin(self: Any) -> Engine:
    """The engine; made now if that was not possible before. What vanished since is opened anew."""
    if self._open is None:
        self._open, self._caller, self._may_vouch = self._make()
    if not _is_there(self._open):
        with suppress(Exception):
            self._open.close()
    engine: Engine = self._open
    return engine


def _is_there(engine: Engine) -> bool:
    return bool(engine.settings.server) or engine.path.exists()


def _run(self: Any, engine: Engine, one: written.Write | None, call: Callable[[], Any]) -> Any:
    if one is None:
        return call()
    with written.pinned(engine, one):
        return getattr(self._plain, one.verb)(self, **one.given)


def _drain(self: Any, engine: Engine) -> None:
    """Do what waited. A write that the store itself would never take is set aside, and the log says so."""

    def do(one: written.Write) -> None:
        try:
            self._run(engine, one, lambda: None)
        except MunimentError as error:
            if is_trouble(error, engine):
                raise
            if error.code != "nothing_changed":
                logger.warning(
                    "muniment: a write of %s that waited was refused and set aside: %s", one.at, error.message
                )
                written.refuse(engine, one)

    if not self._may_wait or not written.waiting(engine):
        return
    try:
        if not engine.store(create=True).db.is_free():  # whoever only asks does not wait for whoever writes
            return
        done = written.drain(engine, self._caller, do)
    except Exception as error:  # noqa: BLE001 - what was asked now is tried all the same
        self._troubled(error)
        return
    self._may_wait = done == 0
    if done:
        logger.warning("muniment: %d write%s that waited reached the store", done, "s" * (done != 1))


def _refused(self: Any, name: str, given: Mapping[str, Any], one: written.Write | None, error: Exception) -> Any:
    reason = self._troubled(error)
    if one is not None and self._open is not None:
        try:
            path = written.put(self._open, one)
            self._may_wait = True
            kept = f"nothing was stored yet ({reason}); kept in {path}, and written when the store is back"
            return absent.empty(name, kept, given, "pending")
        except MunimentError as problem:
            reason = f"{reason}; and {problem.message}"
    if name in WRITES:
        reason = f"nothing was written: {reason}"
    return absent.empty(name, reason, given)


def _troubled(self: Any, error: Exception) -> str:
    """The reason in words; logged once for each kind of trouble. The store is let go, so that the next call opens it anew."""
    told = error.message if isinstance(error, MunimentError) else f"{type(error).__name__}: {error}"
    reason = " ".join(told.split())
    if self._open is not None:
        with suppress(Exception):
            self._open.close()
    is_new = isinstance(error, NotFoundError) and self._open is not None
    if reason != self._trouble and not is_new:  # that nothing is remembered yet is no trouble
        logger.warning("muniment: memory cannot be used, going on without: %s", reason)
    self._trouble = None if is_new else reason
    return reason


def _recovered(self: Any) -> None:
    self._last_used = self._open.now()
    if self._trouble is not None:
        logger.warning("muniment: memory can be used again")
        self._trouble = None


def _init(self: Any, make: Callable[[], tuple[Engine, Caller, bool]]) -> None:
    self._make, self._open, self._caller, self._may_vouch = make, None, None, False
    self._last_used = None
    self._wrote, self._nested, self._is_closed, self._trouble, self._may_wait = False, False, False, None, True
    try:
        engine = self._begin()
        if _is_there(engine):
            engine.store()
            self._nested = True
            self._drain(engine)
    except Exception as error:  # noqa: BLE001 - opening never raises
        self._troubled(error)
    finally:
        self._nested = False


def _close(self: Any) -> None:
    """Let go of the store. Harmless when closed already, and never raises."""
    try:
        self._plain.close(self)
    except Exception as error:  # noqa: BLE001 - the host runs on
        self._troubled(error)
    finally:
        self._open, self._is_closed = None, True


def _healthy(self: Any) -> Health:
    """Never raises: where not even the place is known, three lights are dark and say why."""
    self._nested = True
    try:
        engine = self._begin()
        self._drain(engine)
        found = healthy.healthy(engine, self._last_used)
        if found.lights[1].ok:
            self._recovered()
        return found
    except Exception as error:  # noqa: BLE001 - as everywhere here
        reason = self._troubled(error)
        return healthy.unreachable(reason) if self._open is None else healthy.healthy(self._open, self._last_used)
    finally:
        self._nested = False


class View:
    """`scoped(profile)` of a careful handle: `sql` gives no rows, and the reason, while the store cannot be used."""

    def __init__(self, memory: Any, profile: str) -> None:
        self._memory, self._profile = memory, profile
        self._scoped: Scoped | None = None

    def sql(self, query: str) -> Any:
        """The rows of one SELECT."""
        return _tried(self._memory, "sql", {"query": query}, lambda: self._asked(query))

    def _asked(self, query: str) -> Rows:
        if self._scoped is None:
            self._scoped = self._memory._plain.scoped(self._memory, self._profile)
        return self._scoped.sql(query)

    def close(self) -> None:
        """Let go of the store."""
        if self._scoped is not None:
            self._scoped.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _view(self: Any, profile: str) -> View:
    """What a profile grants; one that makes no sense is raised when it is asked."""
    return View(self, profile)


_OWN: Mapping[str, Any] = {
    "__init__": _init, "close": _close, "_begin": _begin, "_run": _run, "_drain": _drain, "_refused": _refused,
    "_troubled": _troubled, "_recovered": _recovered, "healthy": _healthy, "scoped": _view,
}  # fmt: skip
