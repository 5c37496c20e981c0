"""A remote memory with the verbs of a local one, so that a program goes from one to the other by changing one line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import quote, urlencode, urlsplit

from muniment.engine import telemetry
from muniment.errors import EndpointError, MunimentError, UsageError
from muniment.surfaces.http import problems, routes, wire
from muniment.surfaces.http.routes import PREFIX, Route

if TYPE_CHECKING:
    from muniment import Memory

_TIMEOUT = 60.0
_DONE = 300


class RemoteMemory:
    """The verbs of `Memory` over HTTP. Results are of the same classes, errors of the same tree."""

    def __init__(self, url: str, token: str, *, vouch: str | None = None, timeout: float = _TIMEOUT) -> None:
        at = urlsplit(url)
        if at.scheme not in ("http", "https") or not at.hostname:
            raise UsageError(f"no address of a server: {url}", hint="http://127.0.0.1:8378, say", about=url)
        kind = HTTPSConnection if at.scheme == "https" else HTTPConnection
        host, port = at.hostname, at.port
        self._make: Callable[[], HTTPConnection] = lambda: kind(host, port, timeout=timeout)
        self._base, self._url = at.path.rstrip("/"), url
        self._headers = {"authorization": f"Bearer {token}", **({"muniment-vouch": vouch} if vouch else {})}
        self._open: HTTPConnection | None = None

    def close(self) -> None:
        """Let go of the connection. Harmless when closed already."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        """The verb of that name."""
        route = routes.by_verb().get(name)
        if route is None:
            raise AttributeError(f"a remote memory has no {name!r}")
        return _verb(self, route)

    def call(self, route: Route, given: Mapping[str, Any], file: Path | None) -> Any:
        """Send one request and decode its answer; MunimentError as the server tells it."""
        inside = routes.in_path(route)
        path = "/".join(
            quote(str(given[part[1:-1]]), safe="") if part.startswith("{") else part for part in route.path.split("/")
        )
        left = {name: value for name, value in given.items() if name not in inside and value is not None}
        in_query = route.method == "GET" or bool(route.files)
        target = self._base + PREFIX + path + (_query(left) if in_query else "")
        body = _file_body(file) if route.files == "up" else None if in_query else json.dumps(left).encode()
        kind = "application/octet-stream" if route.files == "up" else "application/json"
        status, headers, answer = self._sent(route.method, target, body, {"content-type": kind} if body else {})
        if status >= _DONE:
            raise _problem(answer, status)
        if route.files == "down" and file is not None:
            file.write_bytes(answer)
            answer = headers.get("muniment-report", "null").encode()
        return wire.decode(wire.result_of(route.verb, route.then), json.loads(answer))

    def _sent(
        self, method: str, target: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """One exchange. A connection that the server had closed meanwhile is made anew, once, before anything was sent."""
        try:
            if self._open is None:
                self._open = self._make()
            self._open.request(method, target, body, telemetry.carried({**self._headers, **headers}))
            answer = self._open.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        except (OSError, HTTPException) as error:
            self.close()
            hint = "is `muniment serve` running there?"
            message = f"the memory at {self._url} does not answer ({str(error) or type(error).__name__})"
            raise EndpointError(message, hint=hint, about=self._url) from error


def connect(url: str, token: str | None = None, *, vouch: str | None = None, timeout: float = _TIMEOUT) -> Memory:
    """The memory that a server at `url` opens to a token (default: the variable MUNIMENT_HTTP_TOKEN), to be used as
    `Memory` is. `vouch="person"` says that a person stands behind what is sent, which counts if the key allows it."""
    given = token or os.environ.get("MUNIMENT_HTTP_TOKEN", "")
    if not given:
        raise UsageError("no token", hint="token=..., or the variable MUNIMENT_HTTP_TOKEN", about="token")
    return cast("Memory", RemoteMemory(url, given, vouch=vouch, timeout=timeout))


@cache
def _shape(verb: str) -> Any:
    return signature(getattr(wire.memory_class(), verb))


class _Chain:
    """What a verb would give back whose method is what is asked: `scoped(profile).sql(query)` is one request."""

    def __init__(self, memory: RemoteMemory, route: Route, told: Mapping[str, Any]) -> None:
        self._memory, self._route, self._told = memory, route, told

    def __getattr__(self, name: str) -> Any:
        """The method that the route calls."""
        if name != self._route.then:
            raise AttributeError(f"no {name!r} by HTTP")
        shape = signature(wire.called(self._route.verb, self._route.then)[-1])

        def call(*given: Any, **named: Any) -> Any:
            left = {
                name: value for name, value in shape.bind(self, *given, **named).arguments.items() if name != "self"
            }
            return self._memory.call(self._route, {**self._told, **left}, None)

        return call


def _verb(memory: RemoteMemory, route: Route) -> Callable[..., Any]:
    def call(*given: Any, **named: Any) -> Any:
        try:
            bound = _shape(route.verb).bind(memory, *given, **named)
        except TypeError as error:
            raise TypeError(f"{route.verb}(): {error}") from None
        told = {name: value for name, value in bound.arguments.items() if name not in ("self", "progress")}
        if route.then:
            return _Chain(memory, route, told)
        file = Path(told.pop("path")) if route.files and told.get("path") is not None else None
        return memory.call(route, {name: _plain(route.verb, name, value) for name, value in told.items()}, file)

    return call


def _plain(verb: str, name: str, value: Any) -> Any:
    """A value as it travels: turns out of a file, paths as text, lists of whatever was given."""
    if verb == "ingest" and name == "turns" and isinstance(value, str | os.PathLike):
        with open(value, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        return [_plain("", "", each) for each in value]
    return value


def _query(given: Mapping[str, Any]) -> str:
    pairs = [
        (name, each if isinstance(each, str) else json.dumps(each))
        for name, value in given.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    return "?" + urlencode(pairs) if pairs else ""


def _file_body(file: Path | None) -> bytes:
    if file is None:
        raise UsageError("a file is needed: its content is what travels", about="path")
    return file.read_bytes()


def _problem(answer: bytes, status: int) -> MunimentError:
    try:
        return problems.raised(json.loads(answer))
    except (ValueError, AttributeError):
        return EndpointError(f"the server answered {status} and no reason", about=str(status))
