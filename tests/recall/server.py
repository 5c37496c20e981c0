"""A server on the loopback that answers as a test says, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """One request."""

    path: str
    key: str | None
    body: Any


class Served:
    """The address of a running server, and the requests it had. `reply` makes (status, bytes) of a request."""

    def __init__(self, reply: Callable[[Asked], tuple[int, bytes]]) -> None:
        self.reply = reply
        self.asked: list[Asked] = []
        self.url = ""


def answered(value: Any) -> tuple[int, bytes]:
    """An answer in JSON."""
    return 200, json.dumps(value).encode("utf-8")


@contextmanager
def serving(reply: Callable[[Asked], tuple[int, bytes]]) -> Iterator[Served]:
    """Run a server for the length of a block."""
    served = Served(reply)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(self.path, self.headers.get("Authorization"), body)
            served.asked.append(asked)
            status, raw = served.reply(asked)
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            if status in (301, 302, 307):
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: Any) -> None:
            """Who asked may have gone away by now."""

    with Server(("127.0.0.1", 0), Handler) as server:
        served.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield served
        finally:
            server.shutdown()
            thread.join()
