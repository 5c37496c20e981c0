"""What every benchmark prints: one object with its name, the program, the machine, the parameters and plain numbers."""

from __future__ import annotations

import gc
import os
import platform
import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import muniment


def report(bench: str, parameters: dict[str, Any], metrics: dict[str, float]) -> dict[str, Any]:
    """The object to print. Numbers are rounded to what they are worth."""
    return {
        "bench": bench,
        "version": muniment.__version__,
        "machine": machine(),
        "parameters": parameters,
        "metrics": {k: round(v, 4) for k, v in metrics.items()},
    }


def machine() -> dict[str, Any]:
    """Where it ran, as far as a reader needs it to compare."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count() or 0,
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else -1.0,
    }


class Times(NamedTuple):
    """Milliseconds of processor time and of the wall, one pair a call, sorted."""

    cpu: list[float]
    wall: list[float]


def timed(calls: Iterable[Callable[[], object]], warm_up: int = 0) -> Times:
    """Time each call by itself, with the collector off, after `warm_up` calls that do not count."""
    cpu, wall = [], []
    gc.collect()
    gc.disable()
    try:
        for number, call in enumerate(calls):
            w, c = time.perf_counter_ns(), time.process_time_ns()
            call()
            c, w = time.process_time_ns() - c, time.perf_counter_ns() - w
            if number >= warm_up:
                cpu.append(c / 1e6)
                wall.append(w / 1e6)
    finally:
        gc.enable()
    return Times(sorted(cpu), sorted(wall))


def share(values: list[float], part: float) -> float:
    """The value that a share of the sorted values does not exceed."""
    return values[min(len(values) - 1, int(part * len(values)))]
