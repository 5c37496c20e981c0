"""Benchmarks and their reports. Black box: they use the public names and the command line, nothing else of ours."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from muniment.errors import UsageError

BENCHES = {
    "query": "muniment.evals.query",
    "index": "muniment.evals.indexing",
    "write": "muniment.evals.writing",
    "extract": "muniment.evals.extract",
    "rows": "muniment.evals.rows",
}


def run(name: str, size: int | None = None, data: Path | None = None) -> dict[str, Any]:
    """Run one benchmark; UsageError names those there are."""
    if name not in BENCHES:
        raise UsageError(f"unknown benchmark {name!r}", hint="benchmarks: " + ", ".join(BENCHES), about=name)
    measure: Callable[..., dict[str, Any]] = import_module(BENCHES[name]).run
    return measure(data=data) if size is None else measure(size=size, data=data)
