"""Benchmarks and their reports. Black box: they use the public names and the command line, nothing else of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from muniment.errors import UsageError

BENCHES = {
    "query": "muniment.evals.query",
    "index": "muniment.evals.indexing",
    "search": "muniment.evals.search",
    "write": "muniment.evals.writing",
    "hook": "muniment.evals.hook",
    "extract": "muniment.evals.extract",
    "rows": "muniment.evals.rows",
    "recall": "muniment.evals.recall",
    "check": "muniment.evals.checking",
    "staleness": "muniment.evals.staleness",
    "mcp": "muniment.evals.mcp",
    "mine": "muniment.evals.recall.mine",
    "floor": "muniment.evals.floor",
}
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "recall": (
        "lang",
        "limit",
        "part",
        "audit",
        "foreign",
        "baselines",
        "budgets",
        "homes",
        "without",
        "fusion",
        "order_only",
    ),
    "mine": ("question", "relevant", "category"),
    "floor": ("apply", "show"),
    "hook": ("limit",),
    "staleness": ("repo",),
}
"""What some benchmarks can be told besides a size and a file."""

ON_REQUEST = ("recall", "mine", "floor")
"""Those that need data of somebody's, and so are not among `all`."""


WITH_EXTRA = ("mcp", "staleness")
"""Those that need an extra to be installed: asked for by name as well."""


def run(
    name: str, size: int | None = None, data: Path | None = None, options: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Run one benchmark; UsageError names those there are."""
    if name not in BENCHES:
        raise UsageError(f"unknown benchmark {name!r}", hint="benchmarks: " + ", ".join(BENCHES), about=name)
    measure: Callable[..., dict[str, Any]] = import_module(BENCHES[name]).run
    more = dict(options or {})
    return measure(data=data, **more) if size is None else measure(size=size, data=data, **more)
