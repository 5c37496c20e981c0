"""One request of JSON to a server that the configuration names, and its answer; every failure is one clear error.

No redirect is followed and no proxy of the environment is used: what is sent goes to the address that was written down.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib import error, request
from urllib.parse import urlsplit

from muniment.errors import EndpointError, UsageError

LARGEST = 64 << 20
"""Bytes of an answer that are read."""
_TOLD = 200


class _Stay(request.HTTPRedirectHandler):
    """A redirect is an error: the key and the words are for the address that was named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def post(url: str, body: dict[str, Any], key: str | None, timeout: float, more: Mapping[str, str] | None = None) -> Any:
    """What the server answers; `more` are headers beside ours. EndpointError if it does not, in time and in JSON."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "User-Agent": "muniment",
        **(more or {}),
    }
    if key:
        headers["Authorization"] = f"Bearer {key}"
    demand_address(url)
    call = request.Request(url, json.dumps(body).encode("utf-8"), headers, method="POST")  # noqa: S310 - http(s), above
    try:
        with request.build_opener(request.ProxyHandler({}), _Stay).open(call, timeout=timeout) as answer:
            raw = answer.read(LARGEST + 1)
    except error.HTTPError as problem:
        with problem:
            raise _failed(url, f"answered {problem.code}: {_told(problem.read(_TOLD * 4))}") from problem
    except TimeoutError as problem:
        raise _failed(url, f"did not answer within {timeout:g} s") from problem
    except (OSError, http.client.HTTPException) as problem:
        raise _failed(url, f"cannot be asked: {getattr(problem, 'reason', None) or problem!r}") from problem
    if len(raw) > LARGEST:
        raise _failed(url, f"answered with more than {LARGEST >> 20} MiB")
    try:
        return json.loads(raw)
    except ValueError as problem:
        raise _failed(url, f"did not answer in JSON: {_told(raw)}") from problem


def demand_address(url: str) -> None:
    """UsageError unless this is an address that can be asked."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    if not sound or not url.isascii() or any(c.isspace() or not c.isprintable() for c in url):
        hint = "write it like http://localhost:8080/v1"
        raise UsageError(f"not an address that can be asked: {url!r}", hint=hint, about=url)


def _failed(url: str, what: str) -> EndpointError:
    return EndpointError(
        f"{url} {what}", hint="is the server running, and are address, model and key right?", about=url
    )


def _told(raw: bytes) -> str:
    return " ".join(raw.decode("utf-8", "replace").split())[:_TOLD] or "nothing"
