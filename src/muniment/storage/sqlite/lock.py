"""The writers' queue: an advisory lock on a side file.

SQLite's own busy handler sleeps and starves writers; the kernel's lock queue does not. The file holds the process id of
the last holder, so that a waiter who gives up can name it. A killed holder releases the lock by dying.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from muniment.errors import BusyError

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
        import time

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
        if not self._mine.acquire(timeout=self._timeout):
            raise self._busy()
        try:
            fd = self._acquire()
            try:
                yield
            finally:
                _unlock(fd)
                os.close(fd)
        finally:
            self._mine.release()

    def _acquire(self) -> int:
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _try_lock(fd) and not self._wait(fd):
            raise self._busy()
        os.ftruncate(fd, 0)
        os.pwrite(fd, str(os.getpid()).encode(), 0) if hasattr(os, "pwrite") else os.write(fd, str(os.getpid()).encode())
        return fd

    def _wait(self, fd: int) -> bool:
        """Block in a thread, since a blocking lock has no timeout of its own; a late lock is given back at once."""
        done, state = threading.Event(), {"abandoned": False}
        guard = threading.Lock()

        def block() -> None:
            _wait_lock(fd)
            with guard:
                done.set()
                if state["abandoned"]:
                    os.close(fd)

        threading.Thread(target=block, daemon=True).start()
        if done.wait(self._timeout):
            return True
        with guard:
            if done.is_set():
                return True
            state["abandoned"] = True
        return False

    def _busy(self) -> BusyError:
        with contextlib.suppress(OSError):
            holder = self._path.read_text().strip()
            return BusyError(
                f"the store is being written by process {holder or 'unknown'} for more than {self._timeout:g} s",
                hint="try again, or end that process if it hangs; nothing was written",
                about=str(self._path),
            )
        return BusyError("the store is being written by another process", hint="try again", about=str(self._path))
