"""The words of `serve` and `server`."""

from __future__ import annotations

from argparse import ArgumentParser

SPEAKERS = ("agent", "person", "import")
RIGHTS = ("read", "write", "own")


def serve(p: ArgumentParser) -> None:
    """Where to serve, under which names."""
    p.add_argument("--http", action="store_true", help="the HTTP API with the agents' tools beside it (the default)")
    p.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="the address to listen at (default 127.0.0.1)"
    )
    p.add_argument("--port", type=int, default=8378, metavar="N", help="the port (default 8378; 0 takes a free one)")
    told = "a name, besides this machine's own, under which requests may come; may be given several times"
    p.add_argument("--allow-host", action="append", default=[], metavar="NAME", help=told)
    p.add_argument("--no-mcp", action="store_true", help="without the agents' tools at /mcp")
    p.add_argument(
        "--log", choices=("text", "json"), default="text", help="json: one object a request, without content"
    )


def server(p: ArgumentParser) -> None:
    """What to give out, to whom."""
    p.add_argument("what", choices=("key",), metavar="WHAT", help="key: what opens the store of a project by HTTP")
    p.add_argument("action", choices=("add", "list", "remove"), metavar="ACTION", help="add, list or remove")
    p.add_argument("name", nargs="?", metavar="NAME")
    told = "whose words a key brings: agent (default), person, or import"
    p.add_argument("--speaks", choices=SPEAKERS, default="agent", help=told)
    told = "read, write (default), or own (also what reads and writes files on the server's machine)"
    p.add_argument("--right", choices=RIGHTS, default="write", help=told)
    p.add_argument("--tenant", metavar="DIR", help="the home of the tenant whose store it opens (default: this home)")
