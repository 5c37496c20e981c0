"""The same server by streamable HTTP: this machine alone, a token for every request, Host and Origin checked."""

from __future__ import annotations

import hmac
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import uvicorn

from muniment.errors import BusyError, ReadOnlyStoreError, UsageError
from muniment.surfaces.mcp.server import MemoryServer

HOST = "127.0.0.1"
PATH = "/mcp"
TOKEN_FILE = "http-token"  # noqa: S105 - the file's name
TOKEN_VARIABLE = "MUNIMENT_HTTP_TOKEN"  # noqa: S105 - the variable's name
_LEAST = 16
_WAITING = 128

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def serve(server: MemoryServer, home: Path, port: int) -> int:
    """Serve until interrupted. The address and the file with the token are said on stderr."""
    token = _token(home)
    settings = uvicorn.Config(app(server, token), host=HOST, port=port, log_level="warning", lifespan="on")
    listening = settings.bind_socket() if port == 0 else _bound(settings)
    listening.listen(_WAITING)  # before the address is told: who connects at once waits, and is not refused
    where = f"http://{HOST}:{listening.getsockname()[1]}{PATH}"
    sys.stderr.write(f"muniment: {where}; bearer token in {_told(home)}\n")
    sys.stderr.flush()
    uvicorn.Server(settings).run(sockets=[listening])
    return 0


def app(server: MemoryServer, token: str) -> App:
    """The application: the token is asked for before anything else is looked at."""
    inner: App = server.protocol.streamable_http_app(
        streamable_http_path=PATH, json_response=True, stateless_http=True, host=HOST
    )
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


def _told(home: Path) -> str:
    return TOKEN_VARIABLE if os.environ.get(TOKEN_VARIABLE) else str(home / TOKEN_FILE)


def _token(home: Path) -> str:
    """The variable's, else the one in the home folder, made once and readable by its owner alone."""
    given = os.environ.get(TOKEN_VARIABLE, "")
    if given:
        if len(given) < _LEAST or not given.isascii() or not given.isprintable():
            raise UsageError(f"{TOKEN_VARIABLE} is no fit token", hint=f"at least {_LEAST} plain characters")
        return given
    path = home / TOKEN_FILE
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        with os.fdopen(number, "r+", encoding="ascii") as file:
            kept = file.read().strip()
            if len(kept) < _LEAST:
                kept = secrets.token_urlsafe(32)
                file.seek(0)
                file.truncate()
                file.write(kept + "\n")
    except OSError as error:
        message = f"the token cannot be kept in {path}: {error.strerror}"
        raise ReadOnlyStoreError(message, hint=f"set {TOKEN_VARIABLE}", about=str(path)) from error
    return kept
