"""Requests that are sent again: the same `Idempotency-Key` gets the same answer, and nothing is done twice."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from muniment.errors import BusyError, RequestError

_KEPT = 10_000
Reply = tuple[int, bytes, dict[str, str]]


@dataclass
class Repeats:
    """The answers of the last writes, for the life of the server. What is stated again after a restart is a support of
    the same claim, so a repetition that crosses one adds a receipt and no second fact."""

    _known: OrderedDict[tuple[str, str], tuple[bytes, Reply | None]] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, key: str, name: str, request: bytes) -> Reply | None:
        """The answer that was given; None for the first time. RequestError where the name stood for another request,
        BusyError where the first one is still at work."""
        print_of = hashlib.sha256(request).digest()
        with self._guard:
            known = self._known.get((key, name))
            if known is None:
                self._known[(key, name)] = (print_of, None)
                while len(self._known) > _KEPT:
                    self._known.popitem(last=False)
                return None
        if known[0] != print_of:
            raise RequestError("key_reused", "this Idempotency-Key stood for another request", about=name[:80])
        if known[1] is None:
            raise BusyError("the first request with this Idempotency-Key is still at work", hint="ask again")
        return known[1]

    def end(self, key: str, name: str, reply: Reply | None) -> None:
        """Keep the answer; None lets the name be used again, after a failure that may pass."""
        with self._guard:
            known = self._known.get((key, name))
            if known is None:
                return
            if reply is None:
                del self._known[(key, name)]
            else:
                self._known[(key, name)] = (known[0], reply)
