"""The words of `serve`."""

from __future__ import annotations

from argparse import ArgumentParser


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
