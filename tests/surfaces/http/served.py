"""A server in this process or in one of its own, and requests to it by hand."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import uvicorn
from tests.surfaces.conftest import Terminal

from muniment.client import connect
from muniment.surfaces.http import keys
from muniment.surfaces.http.app import Door
from muniment.surfaces.http.guard import Limits
from muniment.surfaces.http.main import KeyRing, _bound
from muniment.surfaces.http.stores import Stores

TOKEN = "a-token-of-these-tests-0123456789"


@dataclass
class Told:
    """An answer, read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


@dataclass
class Served:
    """A server that listens, for the project of a folder."""

    port: int
    home: Path
    folder: Path
    token: str = TOKEN
    clients: list[Any] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def memory(self, token: str | None = None, *, vouch: str | None = "person") -> Any:
        """A client, closed with the server."""
        self.clients.append(connect(self.url, token or self.token, vouch=vouch))
        return self.clients[-1]

    def ask(self, method: str, path: str, body: Any = None, *, token: str | None = None, **headers: str) -> Told:
        """One request by hand. Header names are written with underscores; a body is sent as JSON unless it is bytes."""
        sent = {"authorization": f"Bearer {self.token if token is None else token}"}
        sent |= {"content-type": "application/json"} if body is not None else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, raw, {name: value for name, value in sent.items() if value})
            answer = connection.getresponse()
            return Told(answer.status, {n.lower(): v for n, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()


@contextmanager
def serving(home: Path, folder: Path, limits: Limits | None = None) -> Iterator[Served]:
    """A server in a thread of this process, on a free port."""
    ring = KeyRing(home, keys.owner(home, str(folder), TOKEN))
    door = Door(ring.listed, Stores("UTC"), limits or Limits(per_second=100_000, burst=100_000))
    config = uvicorn.Config(door.app(), log_config=None, access_log=False, lifespan="on")
    server, listening = uvicorn.Server(config), _bound("127.0.0.1", 0)
    listening.listen(128)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    made = Served(listening.getsockname()[1], home, folder)
    try:
        yield made
    finally:
        for client in made.clients:
            client.close()
        server.should_exit = True
        thread.join(30)
        listening.close()


@contextmanager
def process(terminal: Terminal, *words: str) -> Iterator[tuple[Served, subprocess.Popen[str]]]:
    """A server in a process of its own, as users start it."""
    command = terminal.command("serve", "--port", "0", *words)
    variables = terminal.environment({"MUNIMENT_HTTP_TOKEN": TOKEN})
    server = subprocess.Popen(command, cwd=terminal.project, env=variables, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        port = int(line.split("/v1")[0].rpartition(":")[2])
        yield Served(port, terminal.memories, terminal.project), server
    finally:
        if server.poll() is None:
            server.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        server.communicate(timeout=30)
