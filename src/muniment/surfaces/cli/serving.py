"""`mcp`: the command that starts the tool server. Doors do not know each other, so this one is named and not imported."""

from __future__ import annotations

from importlib import import_module

from muniment.errors import UsageError
from muniment.surfaces.cli.invocation import Invocation

_SERVER = "muniment.surfaces.mcp.main"
_PORT = 8377


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
