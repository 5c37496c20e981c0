"""The writers' queue: an advisory lock on a side file.

SQLite's own busy handler sleeps and starves writers; the kernel's lock queue does not. The file holds the process id of
the last holder, so that a waiter who gives up can name it. A killed holder releases the lock by dying.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from muniment.errors import BusyError

_WIDTH = 12
"""The name of the holder is written over that of the last one: no cut, hence no room needed on a full disk."""

if sys.platform == "win32":  # pragma: no cover - the seam for Windows, kept to these two functions
    import msvcrt

    _FAR = 1 << 30

    def _try_lock(fd: int) -> bool:
        os.lseek(fd, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _wait_lock(fd: int) -> None:
        while not _try_lock(fd):
            time.sleep(0.005)

    def _unlock(fd: int) -> None:
        os.lseek(fd, _FAR, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait_lock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX)

    def _unlock(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)


class WriteLock:
    """One lock file. `held()` is a context in which this process is the only writer."""

    def __init__(self, path: Path, timeout: float) -> None:
        self._path = path
        self._timeout = timeout
        self._mine = threading.Lock()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Wait in the queue, at most the timeout (seconds); BusyError names the holder."""
        until = time.monotonic() + self._timeout
        if not self._mine.acquire(timeout=self._timeout):
            raise self._busy()
        try:
            fd = self._acquire(until)
            try:
                yield
            finally:
                _unlock(fd)
                os.close(fd)
        finally:
            self._mine.release()

    def is_free(self) -> bool:
        """Could the lock be had at this moment?"""
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return False
        try:
            is_free = _try_lock(fd)
            if is_free:
                _unlock(fd)
            return is_free
        except OSError:
            return False
        finally:
            os.close(fd)

    def _acquire(self, until: float) -> int:
        from muniment.storage.sqlite.connection import translated_os

        with translated_os(self._path, "locked"):
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not self._try(fd) and not self._wait(fd, until):
                raise self._busy()
        # The name is a courtesy to those who wait; on a full disk it is not worth the write.
        with contextlib.suppress(OSError):
            os.lseek(fd, 0, os.SEEK_SET)
            os.write(fd, f"{os.getpid():<{_WIDTH}}".encode())
        return fd

    def _try(self, fd: int) -> bool:
        try:
            return _try_lock(fd)
        except OSError:
            os.close(fd)
            raise

    def _wait(self, fd: int, until: float) -> bool:
        """Block in a thread, since a blocking lock has no timeout of its own; a late lock is given back at once."""
        waiter = _Waiter(fd)
        try:
            waiter.done.wait(max(until - time.monotonic(), 0))
        except BaseException:
            if not waiter.abandon():
                os.close(fd)
            raise
        return False if waiter.abandon() else waiter.claim()

    def _busy(self) -> BusyError:
        with contextlib.suppress(OSError):
            holder = self._path.read_text(encoding="ascii", errors="replace").strip()
            return BusyError(
                f"the store is being written by process {holder or 'unknown'} for more than {self._timeout:g} s",
                hint="try again, or end that process if it hangs; nothing was written",
                about=str(self._path),
            )
        return BusyError("the store is being written by another process", hint="try again", about=str(self._path))


class _Waiter:
    """One thread in the kernel's queue. Who gives up tells it so, or a lock would be held that nobody knows of."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._guard = threading.Lock()
        self._is_abandoned = False
        self._error: OSError | None = None
        self.done = threading.Event()
        threading.Thread(target=self._block, daemon=True, name="muniment-write-lock").start()

    def _block(self) -> None:
        try:
            _wait_lock(self._fd)
        except OSError as error:
            self._error = error
        with self._guard:
            self.done.set()
            if self._is_abandoned:
                os.close(self._fd)

    def claim(self) -> bool:
        """The lock is there, or what the kernel said instead."""
        if self._error is not None:
            os.close(self._fd)
            raise self._error
        return True

    def abandon(self) -> bool:
        """Give up; False if the lock came in this very moment."""
        with self._guard:
            self._is_abandoned = not self.done.is_set()
            return self._is_abandoned
