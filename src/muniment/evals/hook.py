"""`bench hook`: the whole process of a hook, from its start to its last byte, over stores in six states.

Each call is a session start of its own, as a harness makes it: an absolute interpreter with `-S -E -s`, the event on stdin. The
states take turns, so that what else the machine does falls on all of them alike. `p50_ms` and `p95_ms` are of the healthy store;
`worst_p95_ms` of the worst state; `python_*` of the same interpreter with nothing to do. On a machine that others use as well,
processor time (`*_cpu_ms`) is what counts. The large store is the healthy one with
`large_mb` of archived bytes added, which no view reads: a stand-in for a long history.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import muniment
from muniment.evals.query import project_of
from muniment.evals.report import report, share

CALLS, WARM_UP = 60, 5
LARGE_MB = 1024
_MIB = 1 << 20
_HOOK = Path(muniment.__file__).parent / "surfaces" / "hook" / "main.py"
_PYTHON = [sys.executable, "-S", "-E", "-s"]
_STATES = ("healthy", "busy", "missing", "large", "damaged", "read_only")


def run(size: int = 10_000, data: Path | None = None, seed: int = 1, limit: int = CALLS) -> dict[str, Any]:
    """Build a store of about `size` facts (or take the one kept in folder `data`), and call the hook `limit` times a state."""
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as stack:
        project = project_of(Path(data) if data is not None else Path(scratch) / "bench", size, seed).resolve()
        homes = _homes(Path(scratch), project.parent / "home")
        stack.enter_context(_held(homes["busy"]))
        logs = {name: _log(Path(scratch), name, mib) for name, mib in (("log_small", 1), ("log_large", 1024))}
        cells: dict[str, Callable[[int], _Call]] = {s: _start(homes[s], project, s) for s in _STATES}
        cells |= {name: _start(homes["healthy"], project, name, log) for name, log in logs.items()}
        cells |= {"silent": _start(homes["healthy"], project, "silent", event="PostToolUse"), "python": _bare}
        return report("hook", _parameters(size, seed, limit), _measured(cells, limit))


class _Call:
    """One process: milliseconds of the wall and of the processor, exit code, bytes of its answer."""

    def __init__(self, command: list[str], event: bytes, env: dict[str, str]) -> None:
        begun, used = time.perf_counter_ns(), _processor()
        done = subprocess.run(command, input=event, capture_output=True, env=env, check=False)
        self.ms, self.cpu_ms = (time.perf_counter_ns() - begun) / 1e6, _processor() - used
        self.code, self.bytes = done.returncode, len(done.stdout)


def _processor() -> float:
    """Milliseconds that the processes we waited for have used; 0 on systems that do not tell."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return 0.0
    used = getrusage(RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def _parameters(size: int, seed: int, limit: int) -> dict[str, Any]:
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return {"facts": size, "seed": seed, "calls": limit, "large_mb": LARGE_MB, "write_protection_binds": not root}


def _measured(cells: dict[str, Callable[[int], _Call]], limit: int) -> dict[str, float]:
    calls: dict[str, list[_Call]] = {name: [] for name in cells}
    for number in range(limit + WARM_UP):
        for name, call in cells.items():
            done = call(number)
            if number >= WARM_UP:
                calls[name].append(done)
    metrics: dict[str, float] = {}
    for name, done_ in calls.items():
        times = sorted(c.ms for c in done_)
        cpu = sorted(c.cpu_ms for c in done_)
        metrics |= {f"{name}_p50_ms": share(times, 0.5), f"{name}_p95_ms": share(times, 0.95)}
        metrics |= {f"{name}_p50_cpu_ms": share(cpu, 0.5), f"{name}_p95_cpu_ms": share(cpu, 0.95)}
    every = [c for done_ in calls.values() for c in done_]
    return {
        "p50_ms": metrics["healthy_p50_ms"], "p95_ms": metrics["healthy_p95_ms"],
        "p50_cpu_ms": metrics["healthy_p50_cpu_ms"], "p95_cpu_ms": metrics["healthy_p95_cpu_ms"],
        "worst_p95_ms": max(metrics[f"{s}_p95_ms"] for s in _STATES),
        "slowest_ms": max(c.ms for c in every), "failed": float(sum(c.code != 0 for c in every)),
        "answer_bytes": float(max(c.bytes for c in calls["healthy"])), **metrics,
    }  # fmt: skip


def _start(
    home: Path, project: Path, name: str, log: Path | None = None, event: str = "SessionStart"
) -> Callable[[int], _Call]:
    command = [*_PYTHON, str(_HOOK), "claude-code"]
    env = {"MUNIMENT_HOME": str(home)}
    fixed = {"cwd": str(project), "hook_event_name": event, "source": "startup", "transcript_path": str(log or "")}
    return lambda n: _Call(command, json.dumps({**fixed, "session_id": f"{name}-{n}-{time.time_ns()}"}).encode(), env)


def _bare(_: int) -> _Call:
    return _Call([*_PYTHON, "-c", ""], b"", {})


# --- the states -------------------------------------------------------------------------------------------------------


def _homes(scratch: Path, healthy: Path) -> dict[str, Path]:
    homes = {s: scratch / s for s in _STATES if s not in ("healthy", "missing")}
    for home in homes.values():
        shutil.copytree(healthy, home, ignore=shutil.ignore_patterns("spool", "journal", "*.lock"))
    _grow(_store(homes["large"]))
    _damage(_store(homes["damaged"]))
    _protect(homes["read_only"])
    return {"healthy": healthy, "missing": scratch / "missing", **homes}


def _store(home: Path) -> Path:
    return next(home.glob("workspaces/*/memory.db"))


def _grow(store: Path) -> None:
    db = sqlite3.connect(store)
    with db:
        for _ in range(LARGE_MB):
            db.execute(
                "INSERT INTO blobs (blake3, bytes, size) VALUES (?, ?, ?)", (os.urandom(32), os.urandom(_MIB), _MIB)
            )
    db.close()


def _damage(store: Path) -> None:
    """Rubbish over the second half of the file: it opens, and its rows cannot be read."""
    with store.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (store.stat().st_size - 4096))


def _protect(home: Path) -> None:
    for path in sorted(home.rglob("*"), reverse=True):
        path.chmod(0o500 if path.is_dir() else 0o400)
    home.chmod(0o500)


@contextmanager
def _held(home: Path) -> Iterator[None]:
    """Another process has the store for itself, which nobody does for long."""
    db = sqlite3.connect(_store(home), isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        db.close()


def _log(scratch: Path, name: str, mib: int) -> Path:
    """A transcript of that length; sparse, since nobody reads it."""
    path = scratch / f"{name}.jsonl"
    with path.open("wb") as file:
        file.truncate(mib * _MIB)
    return path
