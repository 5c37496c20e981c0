"""Starting the server: on this machine alone unless told otherwise, until it is interrupted, finishing what is at work."""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment import config
from muniment.errors import BusyError, MissingExtraError, NotFoundError
from muniment.surfaces.http import keys
from muniment.surfaces.http.keys import Key

HOST = "127.0.0.1"
PORT = 8378
_WAITING = 128
_GRACE = 10
"""Seconds that requests at work are given to finish."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What is served, and where."""

    folder: str
    home: str | None = None
    zone: str | None = None
    host: str = HOST
    port: int = PORT
    names: tuple[str, ...] = ()
    """Names of hosts, besides this machine's own, that requests may ask for."""
    log: str = "text"
    beside: Mapping[str, Callable[[Path, str], Any]] = field(default_factory=dict)
    """Other applications, by path: made of the home and the token that their requests bear."""


def serve(wanted: Serving) -> int:
    """Serve until interrupted. The address and the place of the token are said on stderr."""
    _demand_extra()
    import uvicorn

    _log(wanted.log)
    folder = os.path.abspath(wanted.folder)
    if not os.path.isdir(folder):
        raise NotFoundError(f"no such folder: {folder}", hint="-C takes a folder of the project", about=folder)
    home = config.read(os.environ, Path.home(), sys.platform, home=wanted.home, zone=wanted.zone).home
    token, kept_in = config.http_token(home, os.environ)
    settings = uvicorn.Config(
        _app(wanted, home, folder, token), host=wanted.host, port=wanted.port, log_config=None, access_log=False,
        lifespan="on", timeout_graceful_shutdown=_GRACE, server_header=False,
    )  # fmt: skip
    listening = _bound(wanted.host, wanted.port)
    listening.listen(_WAITING)
    where = f"http://{wanted.host}:{listening.getsockname()[1]}"
    sys.stderr.write(f"muniment: {where}/v1; bearer token in {kept_in}; document at {where}/openapi.json\n")
    sys.stderr.flush()
    uvicorn.Server(settings).run(sockets=[listening])
    return 0


def _app(wanted: Serving, home: Path, folder: str, token: str) -> Any:
    from muniment.surfaces.http.app import Door
    from muniment.surfaces.http.guard import LOOPBACK
    from muniment.surfaces.http.stores import Stores

    known = KeyRing(home, keys.owner(home, folder, token))
    door = Door(known.listed, Stores(wanted.zone), hosts=frozenset((*LOOPBACK, *wanted.names)))
    return door.app({path: make(home, token) for path, make in wanted.beside.items()})


class KeyRing:
    """The owner's key and those that were given out, read again when their file changed."""

    def __init__(self, home: Path, owner: Key) -> None:
        self._home, self._owner = home, owner
        self._read: tuple[object, list[Key]] = (None, [])

    def listed(self) -> Iterable[Key]:
        """All keys that hold now."""
        try:
            found = os.stat(self._home / keys.KEYS_FILE)
            state: object = (found.st_mtime_ns, found.st_size, found.st_ino)
        except FileNotFoundError:
            state = "none"
        if self._read[0] != state:
            self._read = (state, keys.read(self._home))
        return [self._owner, *self._read[1]]


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere the option would let two servers share the port
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        message = f"{host} port {port} cannot be used: {error.strerror}"
        raise BusyError(message, hint="choose another with --port, or 0 for any", about=str(port)) from error
    return made


class _AsJson(logging.Formatter):
    """A line of the log as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, logger, message, and what a request was."""
        told = {"at": self.formatTime(record), "level": record.levelname.lower(), "logger": record.name}
        told |= {"message": record.getMessage(), **getattr(record, "muniment", {})}
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told)


def _log(form: str) -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="muniment: %(message)s")
    if form == "json":
        for handler in logging.getLogger().handlers:
            handler.setFormatter(_AsJson())
        logging.getLogger("muniment.http").setLevel(logging.INFO)


def _demand_extra() -> None:
    """MissingExtraError where what serves is not installed."""
    try:
        import prometheus_client
        import starlette
        import uvicorn
    except ImportError as error:
        hint = "install it: pip install 'muniment[http]'"
        raise MissingExtraError(
            f"the server needs a package that is not here ({error})", hint=hint, about="http"
        ) from error
    del prometheus_client, starlette, uvicorn
