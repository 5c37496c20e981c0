"""`bench query`: questions of the common shapes, hydrated to 4,096 bytes, in process, at a given number of facts.

Processor time is what counts on a shared machine; wall time stands beside it. The project's files exist, so every row
about a file is re-checked: `touched` rows carry an anchor each, `ran` rows none, and the difference between their shapes
is what re-checking costs. `curve_*` asks for ever more matching rows at one budget: cost follows what is returned.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from muniment import Memory
from muniment.evals.report import Times, report, share, timed
from muniment.testing.compact import paths_of, write_store_of

BUDGET = 4096
CALLS = 1000
WARM_UP = 200


def run(size: int = 10_000, data: Path | None = None, seed: int = 1) -> dict[str, Any]:
    """Build a store of about `size` facts (or take the one kept in folder `data`), ask, and report."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(data) if data is not None else Path(scratch)
        project = project_of(root, size, seed)
        with Memory.open(project, root / "home") as memory:
            return report(
                "query", {"facts": size, "budget": BUDGET, "calls": CALLS, "seed": seed}, _measure(memory, seed)
            )


def project_of(root: Path, size: int, seed: int) -> Path:
    """The project with its files, and the store beside it, made once."""
    project = root / "project"
    if not project.exists():
        for path in paths_of():
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            (project / path).write_text(f"# {path}\n", encoding="utf-8")
        transcripts = root / "transcripts"
        write_store_of(transcripts, facts=size, seed=seed, cwd=str(project))
        with Memory.open(project, root / "home") as memory:
            memory.index([transcripts])
    return project


def _measure(memory: Memory, seed: int) -> dict[str, float]:
    metrics: dict[str, float] = {}
    worst = Times([], [])
    for name, asks in _shapes(memory, random.Random(seed)).items():
        times = timed(_calls(memory, asks), WARM_UP)
        metrics |= _numbers(name, times)
        worst = max(worst, times, key=lambda t: share(t.cpu, 0.5) if t.cpu else -1.0)
    everything = {
        "p50_ms": share(worst.cpu, 0.5),
        "p99_ms": share(worst.wall, 0.99),
        "p99_cpu_ms": share(worst.cpu, 0.99),
    }
    return everything | metrics | _curve(memory)


def _numbers(name: str, times: Times) -> dict[str, float]:
    return {
        f"{name}_p50_cpu_ms": share(times.cpu, 0.5),
        f"{name}_p99_cpu_ms": share(times.cpu, 0.99),
        f"{name}_p50_wall_ms": share(times.wall, 0.5),
        f"{name}_p99_wall_ms": share(times.wall, 0.99),
    }


def _shapes(memory: Memory, dice: random.Random) -> dict[str, Callable[[], str]]:
    newest = memory.query("p:ran", BUDGET).hits[0].row.split("\t")[6]
    week_before = date.fromisoformat(newest[:10]) - timedelta(days=6)
    sessions = sorted(_sessions(memory))
    paths = paths_of()
    return {
        "subject_and_predicate": lambda: f"s:{dice.choice(sessions)} p:{dice.choice(('ran', 'read', 'touched'))}",
        "commands_of_last_week": lambda: f"p:ran since:{week_before}",
        "history_of_a_path": lambda: f"path:{dice.choice(paths)}",
        "newest_of_a_type": lambda: f"type:{dice.choice(('question', 'event'))}",
        "everything_open": lambda: "",
        "rechecked_touched": lambda: "p:touched",
        "unchecked_ran": lambda: "p:ran",
    }


def _sessions(memory: Memory) -> set[str]:
    """Some sessions of the store, far apart in time: those of the prompts that an unbounded answer lists."""
    return {h.receipt.rsplit(":", 1)[0] for h in memory.query("type:question", 200_000).hits}


def _calls(memory: Memory, asks: Callable[[], str]) -> Iterator[Callable[[], object]]:
    for _ in range(WARM_UP + CALLS):
        text = asks()
        yield partial(memory.query, text, BUDGET)


def _curve(memory: Memory) -> dict[str, float]:
    """One answer size over ever more matching rows: a narrow window, a session, a path, a predicate, everything."""
    session = next(iter(_sessions(memory)))
    asked = {
        "session_failed": f"session:{session} p:committed",
        "session": f"session:{session}",
        "path": f"path:{paths_of()[0]}",
        "predicate": "p:ran",
        "all": "",
    }
    out = {}
    for name, text in asked.items():
        answer = memory.query(text, 10_000_000 if name.startswith("session") or name == "path" else BUDGET)
        times = timed([partial(memory.query, text, BUDGET)] * 300, 50)
        matched = len(answer) + answer.left_out
        out[f"curve_{name}_matched{'' if answer.left_out_is_exact else '_at_least'}"] = float(matched)
        out[f"curve_{name}_p50_cpu_ms"] = share(times.cpu, 0.5)
    return out
