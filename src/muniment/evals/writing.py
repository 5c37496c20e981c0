"""`bench write`: stating facts from several processes at once; every acknowledged fact must be there afterwards."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any

from muniment import Memory
from muniment.evals.report import report, share

PROCESSES = 8


def run(size: int = 800, data: Path | None = None, seed: int = 1) -> dict[str, Any]:
    """`size` facts in all, by eight processes."""
    with tempfile.TemporaryDirectory(dir=data) as scratch:
        root = Path(scratch)
        (root / "project").mkdir()
        each = max(1, size // PROCESSES)
        start = time.perf_counter()
        with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
            waits = pool.starmap(_write, [(str(root), number, each) for number in range(PROCESSES)])
        seconds = time.perf_counter() - start
        stated = {id_ for ids, _ in waits for id_ in ids}
        lost = _lost(root, stated)
        times = sorted(t for _, ts in waits for t in ts)
        metrics = {
            "facts_per_s": len(stated) / seconds,
            "lost": float(lost),
            "p50_ms": share(times, 0.5),
            "p95_ms": share(times, 0.95),
            "max_ms": times[-1],
        }
        return report("write", {"facts": each * PROCESSES, "processes": PROCESSES, "seed": seed}, metrics)


def _write(root: str, number: int, count: int) -> tuple[list[str], list[float]]:
    ids: list[str] = []
    times: list[float] = []
    with Memory.open(Path(root) / "project", Path(root) / "home") as memory:
        for n in range(count):
            start = time.perf_counter()
            ids.extend(memory.add("fact", f"statement {n} of writer {number}").ids)
            times.append((time.perf_counter() - start) * 1000)
    return ids, times


def _lost(root: Path, stated: set[str]) -> int:
    with Memory.open(root / "project", root / "home") as memory:
        return sum(1 for id_ in stated if not memory.read(id_).verified)
