"""One at a time: who writes settings, and word of it, holds a lock on the home folder for as long as that takes."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator

from muniment.errors import BusyError, ReadOnlyStoreError

_FILE = "setup.lock"
_WAIT_S, _STEP_S = 5.0, 0.05
_held: set[str] = set()


@contextlib.contextmanager
def turn(home: str, wait: float = _WAIT_S) -> Iterator[None]:
    """Hold it; within one turn another is the same. BusyError if somebody else has it for too long.

    The file goes with the turn, so that nothing of an undone setup is left.
    """
    place = os.path.realpath(home)
    if place in _held:
        yield
        return
    path = os.path.join(place, _FILE)
    number = _taken(path, time.monotonic() + wait)
    _held.add(place)
    try:
        yield
    finally:
        _held.discard(place)
        _let_go(path, number)
        with contextlib.suppress(OSError):
            os.rmdir(place)  # of a home that holds nothing else


def _taken(path: str, until: float) -> int:
    lock = _lock()
    while True:
        try:
            _make(os.path.dirname(path))
            number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:  # the last turn took its home away at this moment
            continue
        except OSError as error:
            message = f"{path} cannot be made: {error.strerror}"
            raise ReadOnlyStoreError(message, hint="nothing was written", about=path) from error
        if lock(number) and _is_there(path, number):
            return number
        os.close(number)
        if time.monotonic() > until:
            raise BusyError("another `muniment init` is at work", hint="run it again once it is done", about=path)
        time.sleep(_STEP_S)


def _is_there(path: str, number: int) -> bool:
    """Is what was locked still what others will lock? The turn before may have removed it."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(number))
    except FileNotFoundError:
        return False


def _let_go(path: str, number: int) -> None:
    """Removed while it is held, where the system allows that."""
    with contextlib.suppress(OSError):
        os.unlink(path)
    os.close(number)
    with contextlib.suppress(OSError):
        if os.name != "posix":
            os.unlink(path)


def _make(home: str) -> None:
    if not os.path.isdir(home):
        os.makedirs(os.path.dirname(home), exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(home, 0o700)


def _lock() -> Callable[[int], bool]:
    try:
        import fcntl
    except ImportError:
        return _lock_windows

    def lock(number: int) -> bool:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    return lock


def _lock_windows(number: int) -> bool:
    import importlib

    msvcrt = importlib.import_module("msvcrt")
    try:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
