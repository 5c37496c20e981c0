"""A progress bar on stderr, for long work that a person watches; silent when nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

_WIDTH = 24
_EVERY = 0.1


def bar(enabled: bool) -> Callable[[int, int, str], None] | None:
    """A function to call with (done, of, what); None where no bar is wanted."""
    if not enabled:
        return None
    last = 0.0

    def show(done: int, of: int, what: str) -> None:
        nonlocal last
        now = time.monotonic()
        if what and now - last < _EVERY:
            return
        last = now
        share = min(done / of, 1.0) if of else 1.0
        filled = "█" * round(share * _WIDTH)
        text = f"{filled:░<{_WIDTH}} {share:4.0%} {what[-40:]}" if what else ""
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    return show
