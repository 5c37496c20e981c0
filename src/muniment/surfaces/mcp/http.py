"""The same server by streamable HTTP: this machine alone, a token for every request, Host and Origin checked."""

from __future__ import annotations

import hmac
import os
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

from muniment import config
from muniment.errors import BusyError
from muniment.surfaces.mcp.server import MemoryServer

if TYPE_CHECKING:
    from starlette.applications import Starlette

HOST = "127.0.0.1"
PATH = "/mcp"
_WAITING = 128

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def serve(server: MemoryServer, home: Path, port: int) -> int:
    """Serve until interrupted. The address and the file with the token are said on stderr."""
    token, kept_in = config.http_token(home, os.environ)
    settings = uvicorn.Config(app(server, token), host=HOST, port=port, log_level="warning", lifespan="on")
    listening = settings.bind_socket() if port == 0 else _bound(settings)
    listening.listen(_WAITING)  # before the address is told: who connects at once waits, and is not refused
    where = f"http://{HOST}:{listening.getsockname()[1]}{PATH}"
    sys.stderr.write(f"muniment: {where}; bearer token in {kept_in}\n")
    sys.stderr.flush()
    uvicorn.Server(settings).run(sockets=[listening])
    return 0


def app(server: MemoryServer, token: str) -> App:
    """The application: the token is asked for before anything else is looked at."""
    return _guarded(_inner(server), token)


def mounted(server: MemoryServer, token: str) -> tuple[App, Callable[[], AbstractAsyncContextManager[Any]]]:
    """The application for another server to mount, and what has to be open while it is asked."""
    inner = _inner(server)
    return _guarded(inner, token), lambda: inner.router.lifespan_context(inner)


def _inner(server: MemoryServer) -> Starlette:
    return server.protocol.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, host=HOST
    )


def _guarded(inner: App, token: str) -> App:
    expected = f"Bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _has(scope, expected):
            await inner(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send(
            {"type": "http.response.body", "body": b"a bearer token is needed; `muniment mcp --http` says where"}
        )

    return guarded


def _has(scope: Scope, expected: bytes) -> bool:
    given = [value for name, value in scope["headers"] if name == b"authorization"]
    return len(given) == 1 and hmac.compare_digest(given[0], expected)


def _bound(settings: uvicorn.Config) -> Any:
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, settings.port))
        except OSError as error:
            message = f"port {settings.port} cannot be used: {error.strerror}"
            raise BusyError(
                message, hint="choose another with --port, or 0 for any", about=str(settings.port)
            ) from error
    return settings.bind_socket()
