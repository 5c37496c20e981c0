"""The commands that start servers. Doors do not know each other, so they are named here and not imported."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from muniment.errors import UsageError
from muniment.surfaces.cli.invocation import Invocation

_SERVER = "muniment.surfaces.mcp.main"
_PORT = 8377
_HTTP = "muniment.surfaces.http"


def mcp(run: Invocation) -> int:
    """Serve until the other side is gone."""
    words = run.words
    if words.port is not None and not words.http:
        raise UsageError("--port goes with --http", hint="muniment mcp --http --port N", about="--port")
    if run.json:
        raise UsageError("the server speaks a protocol on stdout, so it takes no --json", about="--json")
    port = (_PORT if words.port is None else words.port) if words.http else None
    door = import_module(_SERVER)
    return int(door.serve(door.Serving(words.workspace, words.home, words.zone, port, words.profile)))


def serve(run: Invocation) -> int:
    """Serve the verbs by HTTP, and the agents' tools beside them where their kit is installed."""
    words = run.words
    if run.json:
        raise UsageError("the server answers by HTTP, so it takes no --json", hint="--log json", about="--json")
    folder = words.workspace or os.getcwd()
    door = import_module(f"{_HTTP}.main")
    beside = {} if words.no_mcp or find_spec("mcp") is None else {"/mcp": lambda _, token: _tools(run, folder, token)}
    return int(
        door.serve(
            door.Serving(
                folder, words.home, words.zone, words.host, words.port, tuple(words.allow_host), words.log, beside
            )
        )
    )


def _tools(run: Invocation, folder: str, token: str) -> Any:
    """The tool server as an application to be mounted."""
    return import_module(_SERVER).application(
        import_module(_SERVER).Serving(folder, run.words.home, run.words.zone, 0), token
    )
