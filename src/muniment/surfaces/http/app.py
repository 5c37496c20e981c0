"""The application: each request is guarded, its caller found by its token, its verb called in a thread, its answer encoded."""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Address
from starlette.types import ASGIApp, Receive, Scope, Send

from muniment import Memory
from muniment.engine import telemetry
from muniment.errors import MunimentError, RequestError, ScopeError, UsageError
from muniment.surfaces.http import arguments, guard, metrics, openapi, problems, routes, wire
from muniment.surfaces.http.guard import Limits, Pace
from muniment.surfaces.http.keys import Key, find
from muniment.surfaces.http.repeating import Repeats, Reply
from muniment.surfaces.http.routes import PREFIX, ROUTES, Route
from muniment.surfaces.http.stores import Stores, caller_of

JSON = "application/json"
FILE = "application/octet-stream"
VOUCH = "muniment-vouch"
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
"""All of them come here, so that a wrong one is told what there is."""
logger = logging.getLogger("muniment.http")

Beside = tuple[ASGIApp, Callable[[], AbstractAsyncContextManager[Any]]]
"""Another application, and what has to be open while it is asked."""


class _Other:
    """Another application at one address: the address is left as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


@dataclass
class Door:
    """What all requests share."""

    keys: Callable[[], Iterable[Key]]
    stores: Stores
    limits: Limits = field(default_factory=Limits)
    hosts: frozenset[str] = frozenset(guard.LOOPBACK)
    repeats: Repeats = field(default_factory=Repeats)

    def __post_init__(self) -> None:
        self.pace = Pace(self.limits)
        self.numbers = metrics.Numbers()

    def app(self, beside: Mapping[str, Beside] | None = None) -> Starlette:
        """The application. What stands `beside` it guards itself and is not looked into."""
        addresses = [
            Address(PREFIX + path, self._at(path), methods=_METHODS) for path in dict.fromkeys(r.path for r in ROUTES)
        ]
        addresses += [Address("/openapi.json", self._document), Address("/healthz", self._alive)]
        addresses += [Address("/readyz", self._ready), Address("/metrics", self._metrics)]
        addresses += [Address(path, _Other(other)) for path, (other, _) in (beside or {}).items()]

        @asynccontextmanager
        async def life(_: Starlette) -> AsyncIterator[None]:
            async with AsyncExitStack() as stack:
                for _other, open_for_life in (beside or {}).values():
                    await stack.enter_async_context(open_for_life())
                yield
            self.stores.close()

        return Starlette(routes=addresses, lifespan=life, exception_handlers={404: _no_route, 405: _no_route})

    # -- the verbs

    def _at(self, path: str) -> Callable[[Request], Any]:
        """What answers at one path, by method."""
        here = {route.method: route for route in ROUTES if route.path == path}

        async def answer(request: Request) -> Response:
            began = time.perf_counter()
            with telemetry.joined(request.headers):
                status, body, headers, who = await self._answered(request, here)
            self.numbers.note(request.method, path, status, time.perf_counter() - began)
            told = {"method": request.method, "path": path, "status": status, "key": who}
            logger.info("request", extra={"muniment": {**told, "ms": round((time.perf_counter() - began) * 1e3, 1)}})
            return Response(body, status, headers)

        return answer

    async def _answered(self, request: Request, here: Mapping[str, Route]) -> tuple[int, bytes, dict[str, str], str]:
        who = "-"
        try:
            key = self._key(request)
            who = key.name
            route = here.get("GET" if request.method == "HEAD" else request.method)
            if route is None:
                allowed = ", ".join(sorted(here))
                raise RequestError("wrong_method", f"there is no {request.method} here", hint=f"there is {allowed}")
            if not key.allows(route.needs):
                raise ScopeError(f"this key may not {route.needs}", hint="ask the owner of the memory", about=key.name)
            raw = await guard.body(request.receive, _headers(request), self.limits)
            return *await self._called(request, route, key, raw), who
        except MunimentError as problem:
            return *_problem(problem, here), who
        except Exception:  # the last line of defence: the caller learns that it was us, the log has the whole
            logger.exception("a request failed")
            return *_problem(RequestError("defect", "a defect of muniment", hint="its log has the whole"), here), who

    def _key(self, request: Request) -> Key:
        """The key of the token, after host and origin were looked at."""
        headers = _headers(request)
        guard.demand_host(headers, self.hosts)
        given = headers.get(b"authorization", [])
        kind, _, token = (given[0].decode("latin-1") if len(given) == 1 else "").partition(" ")
        key = find(self.keys(), token.strip()) if kind.lower() == "bearer" else None
        if key is None:
            hint = "send `Authorization: Bearer TOKEN`; `muniment serve` says where the owner's is"
            raise RequestError("unauthorized", "a token that is known here is needed", hint=hint)
        self.pace.demand(key.name)
        return key

    async def _called(self, request: Request, route: Route, key: Key, raw: bytes) -> Reply:
        given = _arguments(request, route, raw)
        caller = caller_of(key, vouched=_vouched(request))
        name = request.headers.get("idempotency-key") if route.needs != "read" else None
        expected = request.headers.get("if-match") if route.is_revision else None
        work = _Work(self.stores, key, caller, route, given, raw, expected, request.headers.get("if-none-match"))
        if name is None:
            return await anyio.to_thread.run_sync(work.reply)
        asked = b"\0".join((route.verb.encode(), str(request.url).encode(), raw))
        known = self.repeats.begin(key.name, name, asked)
        if known is not None:
            return known[0], known[1], {**known[2], "idempotency-replayed": "true"}
        return await self._first(work, key.name, name)

    async def _first(self, work: _Work, key: str, name: str) -> Reply:
        reply: Reply | None = None
        try:
            reply = await anyio.to_thread.run_sync(work.reply)
        finally:
            self.repeats.end(key, name, reply)
        return reply

    # -- beside them

    async def _document(self, request: Request) -> Response:
        return self._told(request, lambda: (json.dumps(openapi.document()), JSON))

    async def _alive(self, request: Request) -> Response:
        return self._told(request, lambda: ('{"status": "ok"}', JSON))

    async def _ready(self, request: Request) -> Response:
        def told() -> tuple[str, str]:
            found = self.numbers.readiness()
            return json.dumps(found), JSON

        return self._told(request, told)

    async def _metrics(self, request: Request) -> Response:
        def told() -> tuple[str, str]:
            self._key(request)
            return self.numbers.text(), metrics.MEDIA_TYPE

        return self._told(request, told)

    def _told(self, request: Request, told: Callable[[], tuple[str, str]]) -> Response:
        try:
            guard.demand_host(_headers(request), self.hosts)
            text, kind = told()
            return Response(text, 200, {"content-type": kind, "cache-control": "no-store"})
        except MunimentError as problem:
            status, body, headers = _problem(problem, {})
            return Response(body, status, headers)


@dataclass(frozen=True)
class _Work:
    """One call of a verb, as it runs in a thread."""

    stores: Stores
    key: Key
    caller: Any
    route: Route
    given: dict[str, Any]
    raw: bytes
    expected: str | None
    seen: str | None

    def reply(self) -> Reply:
        """Call the verb; the answer as status, body and headers."""
        if self.route.needs == "read":
            with self.stores.lent(self.key, self.caller, writes=False) as memory:
                return self._read(memory)
        with self.stores.lock(self.key), self.stores.lent(self.key, self.caller, writes=True) as memory:
            return self._written(memory)

    def _read(self, memory: Memory) -> Reply:
        body = _json(self._called(memory))
        headers = {"content-type": JSON, "cache-control": "no-store"}
        if self.route.verb in ("history", "why"):
            headers["etag"] = state_of(memory, self.given["id"])
            if self.seen is not None and headers["etag"] in _tags(self.seen):
                return 304, b"", headers
        return 200, body, headers

    def _written(self, memory: Memory) -> Reply:
        if self.expected is not None and self.expected.strip() != "*":
            self._demand_unchanged(memory, self.expected)
        if self.route.files:
            return self._with_file(memory)
        result = self._called(memory)
        return (201 if self.route.verb == "add" else 200), _json(result), {"content-type": JSON}

    def _called(self, memory: Memory) -> Any:
        verb = getattr(memory, self.route.verb)
        if not self.route.then:
            return verb(**self.given)
        first = {name: value for name, value in self.given.items() if name in wire.arguments_of(self.route.verb)}
        left = {name: value for name, value in self.given.items() if name not in first}
        return getattr(verb(**first), self.route.then)(**left)

    def _demand_unchanged(self, memory: Memory, expected: str) -> None:
        if state_of(memory, self.given["id"]) not in _tags(expected):
            hint = "read it again: GET /v1/facts/ID/history gives the state and its ETag"
            message = "the fact is no longer as it was when it was read"
            raise RequestError("changed_meanwhile", message, hint=hint, about=self.given["id"])

    def _with_file(self, memory: Memory) -> Reply:
        with tempfile.TemporaryDirectory(prefix="muniment-") as folder:
            path = Path(folder) / "memory"
            if self.route.files == "up":
                path.write_bytes(self.raw)
                return 200, _json(memory.load(path=path, **self.given)), {"content-type": JSON}
            report = memory.export(path=path, **self.given)
            if path.is_dir():
                raise UsageError("all sessions make a folder, not a file", hint="name one session", about="session")
            return 200, path.read_bytes(), {"content-type": FILE, "muniment-report": _json(report).decode("ascii")}


def state_of(memory: Memory, id: str) -> str:
    """The entity tag of a fact: it changes with all that was said or decided about it, and not with the clock."""
    why = memory.why(id)
    told = [wire.encode(memory.history(id)), why.tags, why.evidence, why.standing, wire.encode(why.verdicts)]
    return f'"{hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]}"'


def _tags(header: str) -> list[str]:
    return [each.strip().removeprefix("W/") for each in header.split(",")]


def _arguments(request: Request, route: Route, raw: bytes) -> dict[str, Any]:
    """All arguments of the call; UsageError where one is missing, unknown or of another type."""
    in_query = route.method == "GET" or route.files
    given = arguments.of_query(route, request.query_params.multi_items()) if in_query else _body(request, route, raw)
    if not in_query and request.url.query:
        raise UsageError("the arguments of this request stand in its body", about="query")
    given.update({name: request.path_params[name] for name in routes.in_path(route)})
    arguments.demand_all(route, given)
    return given


def _body(request: Request, route: Route, raw: bytes) -> dict[str, Any]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RequestError("media_type", f"the body must be {JSON}, not {kind or 'nameless'}")
    try:
        told = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the body is no JSON ({error})", about="body") from error
    return arguments.of_body(route, told)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _vouched(request: Request) -> bool:
    said = request.headers.get(VOUCH)
    if said not in (None, "person"):
        raise UsageError(f"{VOUCH}: {said[:40]!r} makes no sense", hint="a program may vouch for a 'person'")
    return said is not None


def _headers(request: Request) -> dict[bytes, list[bytes]]:
    found: dict[bytes, list[bytes]] = {}
    for name, value in request.scope["headers"]:
        found.setdefault(name, []).append(value)
    return found


def _json(result: Any) -> bytes:
    return json.dumps(wire.encode(result)).encode("ascii")


def _problem(problem: MunimentError, here: Mapping[str, Route]) -> Reply:
    status = problems.status(problem)
    headers = {"content-type": problems.MEDIA_TYPE}
    headers |= {"www-authenticate": "Bearer"} if status == 401 else {}
    headers |= {"retry-after": "1"} if status in (429, 503) else {}
    headers |= {"allow": ", ".join(sorted(here))} if status == 405 else {}
    return status, json.dumps(problems.body(problem)).encode("ascii"), headers


async def _no_route(request: Request, error: Exception) -> Response:
    code = "wrong_method" if getattr(error, "status_code", 404) == 405 else "no_such_route"
    status, body, headers = _problem(
        RequestError(code, f"nothing answers {request.method} {request.url.path}"[:200], hint="see /openapi.json"), {}
    )
    return Response(body, status, headers)
