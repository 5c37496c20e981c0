"""`bench index`: reading generated transcripts through the command line, measured from outside the process.

Rates are raw megabytes (10^6 bytes) a second of processor time on one core, masking and extraction included; memory is
the largest resident set of the process. POSIX only: the figures come from the system's accounting of a finished child.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from muniment.evals.report import report
from muniment.testing.compact import write_calls
from muniment.testing.transcripts import write_claude_code, write_corpus

MB = 1_000_000


class Run(NamedTuple):
    """One finished `muniment index`."""

    cpu_s: float
    wall_s: float
    rss_mb: float


def run(size: int = 100 * MB, data: Path | None = None, seed: int = 1, files: int = 0) -> dict[str, Any]:
    """Index a generated corpus of `size` bytes twice, then a thousand small files twice, then appends."""
    size = max(size, MB)
    with tempfile.TemporaryDirectory(dir=data) as scratch:
        root = Path(scratch)
        files = files or max(2, size // (5 * MB))
        metrics = _corpus(root, size, files, seed) | _unchanged(root) | _appends(root, size, seed)
        return report("index", {"bytes": size, "files": files, "seed": seed}, metrics)


def _corpus(root: Path, size: int, files: int, seed: int) -> dict[str, float]:
    write_corpus(root / "corpus", size_bytes=size, files=files, seed=seed)
    first, second = _index(root, "corpus"), _index(root, "corpus")
    mb = sum(p.stat().st_size for p in (root / "corpus").rglob("*.jsonl")) / MB
    store = sum(p.stat().st_size for p in (root / "home").rglob("memory.db*")) / MB
    return {
        "mb_per_s": mb / first.cpu_s,
        "mb_per_wall_s": mb / first.wall_s,
        "rss_mb": first.rss_mb,
        "again_wall_s": second.wall_s,
        "store_bytes_per_raw_byte": store / mb,
    }


def _unchanged(root: Path) -> dict[str, float]:
    """A second pass with nothing new over a thousand files."""
    for number in range(1_000):
        session = f"00000000-0000-4000-9000-{number:012x}"
        write_calls(root / "many" / f"{session}.jsonl", seed=number, facts=3, session=session)
    _index(root, "many", home="home-many")
    idle, second = _start(), _index(root, "many", home="home-many")
    return {
        "unchanged_s_per_1000": second.wall_s,
        "unchanged_cpu_s_per_1000": second.cpu_s,
        "start_wall_s": idle.wall_s,
    }


def _appends(root: Path, size: int, seed: int) -> dict[str, float]:
    """What an append costs: a tenth of a large file against the same bytes alone, and one turn at growing sizes."""
    out: dict[str, float] = {}
    part = max(size // 10, MB)
    for name, base in (("small", MB), ("large", size)):
        file = root / f"append-{name}" / "11111111-0000-4000-8000-000000000001.jsonl"
        file.parent.mkdir()
        write_claude_code(file, seed=seed, size_bytes=base)
        _index(root, file.parent.name, home=f"home-{name}")
        turn = _cost_of_append(root, file, name, _turn(file.stem))
        tail = root / f"tail-{name}.jsonl"
        write_claude_code(tail, seed=seed + 1, size_bytes=part, session=file.stem)
        out[f"append_turn_to_{name}_cpu_s"] = turn.cpu_s
        out[f"append_tenth_to_{name}_cpu_s"] = _cost_of_append(root, file, name, tail.read_bytes()).cpu_s
    return out


def _turn(session: str) -> bytes:
    record = (
        f'{{"type":"user","uuid":"{session}-turn","sessionId":"{session}","timestamp":"2027-01-01T00:00:00.000Z",'
        f'"cwd":"/home/dev/demo","version":"2.1.328","message":{{"role":"user","content":"One more thing, please."}}}}\n'
    )
    return record.encode()


def _cost_of_append(root: Path, file: Path, name: str, data: bytes) -> Run:
    """Of the file alone: the files of its sub-agents beside it are an unchanged pass, which has a line of its own."""
    with file.open("ab") as stream:
        stream.write(data)
    return _index(root, f"{file.parent.name}/{file.name}", home=f"home-{name}")


def _index(root: Path, folder: str, home: str = "home") -> Run:
    return _child(root, home, "index", str(root / folder))


def _start() -> Run:
    with tempfile.TemporaryDirectory() as empty:
        return _child(Path(empty), "home", "--version")


def _child(root: Path, home: str, *words: str) -> Run:
    """Run our command in a child and read what the system says of it."""
    import time

    project = root / "project"
    project.mkdir(exist_ok=True)
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "MUNIMENT_HOME": str(root / home), "HOME": str(root)}
    start = time.perf_counter()
    sink = os.open(os.devnull, os.O_WRONLY)
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "muniment", "-C", str(project), *words],
        environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, sink, 1), (os.POSIX_SPAWN_DUP2, sink, 2)],
    )
    _, status, usage = os.wait4(pid, 0)
    os.close(sink)
    if os.waitstatus_to_exitcode(status):
        raise RuntimeError(f"muniment {' '.join(words)} ended with {os.waitstatus_to_exitcode(status)}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss * unit / MB)
