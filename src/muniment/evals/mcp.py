"""`bench mcp`: what a call of a tool costs over stdio, beside an empty request to the same server.

A `ping` is the empty request: it has no arguments to check and no answer to make, so it costs no more than an empty tool
would. The server is a process of its own, and the protocol is spoken by hand, line by line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self

from muniment import Memory
from muniment.errors import MissingExtraError
from muniment.evals.query import project_of
from muniment.evals.report import report, share

CALLS = 300
WARM_UP = 30
WORDS = "which tests failed"
_HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


def run(size: int = 10_000, data: Path | None = None, seed: int = 1) -> dict[str, Any]:
    """Build a store of about `size` facts (or take the one kept in folder `data`), ask by tool, and report."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(data) if data is not None else Path(scratch)
        project = project_of(root, size, seed)
        with Memory.open(project, root / "home") as memory:
            receipt = memory.query("p:ran", 4096).hits[0].receipt
            own = {
                "query": share(_times(lambda: memory.query("p:ran").text), 0.5),
                "search": share(_times(lambda: memory.search(WORDS).text), 0.5),
                "read": share(_times(lambda: memory.read(receipt, 2)), 0.5),
            }
        parameters = {"facts": size, "calls": CALLS, "budget": 4096, "seed": seed}
        return report("mcp", parameters, _measure(project, root / "home", receipt, own))


def _measure(project: Path, home: Path, receipt: str, own: dict[str, float]) -> dict[str, float]:
    begun = time.perf_counter()
    with _Server(project, home) as server:
        server.ask("initialize", _HELLO)
        metrics = {"start_s": time.perf_counter() - begun}
        server.tell("notifications/initialized")
        empty = _times(lambda: server.ask("ping", {}))
        metrics |= {"empty_p50_ms": share(empty, 0.5), "empty_p95_ms": share(empty, 0.95)}
        for name, tool, given in (
            ("query", "memory_query", {"selector": "p:ran"}),
            ("search", "memory_search", {"words": WORDS}),
            ("read", "memory_read", {"ids": [receipt], "context": 2}),
            ("refused", "memory_query", {"selector": "p:no_such"}),
        ):
            times = _times(partial(server.ask, "tools/call", {"name": tool, "arguments": given}))
            metrics[f"{name}_p50_ms"] = share(times, 0.5)
            metrics[f"{name}_over_ms"] = share(times, 0.5) - metrics["empty_p50_ms"]
            metrics[f"{name}_over_p95_ms"] = share(times, 0.95) - metrics["empty_p95_ms"]
            if name in own:  # what of it is the question itself, and what the way through the tool
                metrics[f"{name}_own_p50_ms"] = own[name]
                metrics[f"{name}_door_ms"] = metrics[f"{name}_over_ms"] - own[name]
    return metrics


def _times(ask: Callable[[], Any]) -> list[float]:
    """Milliseconds of each call after the first few."""
    found = []
    for n in range(WARM_UP + CALLS):
        begun = time.perf_counter()
        ask()
        if n >= WARM_UP:
            found.append((time.perf_counter() - begun) * 1000)
    return sorted(found)


class _Server:
    """`muniment mcp` as a harness starts it."""

    def __init__(self, project: Path, home: Path) -> None:
        command = [sys.executable, "-m", "muniment", "mcp", "-C", str(project), "--home", str(home)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=os.fspath(project)
        )
        self._number = 0

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request; MissingExtraError if the server went away for want of its kit."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            _, told = self._process.communicate()
            raise MissingExtraError(
                f"the server ended: {told.decode(errors='replace').strip()[:300]}",
                hint="pip install 'muniment[mcp]'",
                about="mcp",
            )
        answer: dict[str, Any] = json.loads(line)
        return answer

    def tell(self, method: str) -> None:
        """A notification."""
        self._send({"jsonrpc": "2.0", "method": method})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return  # `ask` reads why

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=30)
