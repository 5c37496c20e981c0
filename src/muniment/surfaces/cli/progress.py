"""A progress bar on stderr, for long work that a person watches; silent when nobody looks."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

_WIDTH = 24
_EVERY = 0.1

Progress = Callable[[int, int, str], None]


@contextlib.contextmanager
def bar(enabled: bool) -> Iterator[Progress | None]:
    """A function to call with (done, of, what); None where no bar is wanted. The line is wiped at the end."""
    if not enabled:
        yield None
        return
    last = 0.0

    def show(done: int, of: int, what: str) -> None:
        nonlocal last
        if (now := time.monotonic()) - last < _EVERY:
            return
        last = now
        share = min(done / of, 1.0) if of else 0.0
        filled = "█" * round(share * _WIDTH)
        sys.stderr.write(f"\r\x1b[K{filled:░<{_WIDTH}} {f'{share:4.0%}' if of else '    '} {what[-40:]}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if last:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
