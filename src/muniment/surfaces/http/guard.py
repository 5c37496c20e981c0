"""What is looked at before anything else: the host asked for, where the request comes from, its size and its pace.

These are the walls against pages in a browser: one of another origin can send requests to this machine, and a name that it
owns can be made to point here. It cannot, however, send them with our host's name, without an Origin, and with a token.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from muniment.errors import RequestError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Limits:
    """What one request and one key may ask for."""

    body_bytes: int = 16 * 1024 * 1024
    body_seconds: float = 20.0
    """From the first to the last byte of a body."""
    per_second: float = 200.0
    burst: int = 400


@dataclass
class Pace:
    """A bucket for each key: it holds `burst` requests and fills by `per_second`."""

    limits: Limits
    clock: Callable[[], float] = time.monotonic
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def demand(self, key: str) -> None:
        """RequestError where the key asked too often."""
        now = self.clock()
        left, then = self._left.get(key, (float(self.limits.burst), now))
        left = min(self.limits.burst, left + (now - then) * self.limits.per_second)
        if left < 1:
            raise RequestError(
                "too_many_requests", f"more than {self.limits.per_second:g} requests a second", hint="wait"
            )
        self._left[key] = (left - 1, now)


def demand_host(headers: dict[bytes, list[bytes]], allowed: frozenset[str]) -> None:
    """RequestError unless the request names a host of ours, and no page of another origin sent it."""
    hosts = headers.get(b"host", [])
    name = _host(f"//{hosts[0].decode('latin-1')}") if len(hosts) == 1 else None
    if name not in allowed:
        raise RequestError(
            "foreign_host", "this server does not go by that name", hint="start it with --allow-host NAME"
        )
    for origin in headers.get(b"origin", []):
        if _host(origin.decode("latin-1")) not in allowed:
            raise RequestError("foreign_origin", "requests of pages from elsewhere are refused")


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


async def body(receive: Receive, headers: dict[bytes, list[bytes]], limits: Limits) -> bytes:
    """The whole body, within the limits."""
    told = headers.get(b"content-length", [b"0"])[0]
    if told.isdigit() and int(told) > limits.body_bytes:
        raise _too_large(limits)
    try:
        async with asyncio.timeout(limits.body_seconds):
            return await _gathered(receive, limits)
    except TimeoutError:
        message = f"the body took longer than {limits.body_seconds:g} s"
        raise RequestError("slow_body", message) from None


async def _gathered(receive: Receive, limits: Limits) -> bytes:
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RequestError("slow_body", "the other side went away")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limits.body_bytes:
            raise _too_large(limits)
        more = message.get("more_body", False)
    return b"".join(parts)


def _too_large(limits: Limits) -> RequestError:
    return RequestError("too_large", f"a body has at most {limits.body_bytes:,} bytes", hint="send it in parts")
