"""`bench check`: how long `muniment check` takes, from outside: the start of the program and every call of git are part of it.

Facts cite lines of the files of a repository (five a file). `cold_s`: nobody has looked yet; `warm_s`: nothing changed since;
`edited_s`: one file in fifty changed; `all_s`: all of them did, outside of what is cited. `…_cpu_s`: of processors.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from muniment import Memory
from muniment.evals.report import report
from muniment.testing import cited

_PER_FILE = 5
_LINES = 60


def run(size: int = 10_000, data: Path | None = None) -> dict[str, Any]:
    """`size` facts over a fifth as many files."""
    files = max(1, size // _PER_FILE)
    with tempfile.TemporaryDirectory(dir=data) as scratch:
        root, home = Path(scratch, "project"), Path(scratch, "home")
        commit = _repository(root, files)
        with Memory.open(root, home=home, vouch="person") as memory:
            cited.write(Path(scratch, "facts.jsonl"), str(root), _facts(size, files, commit))
            memory.load("jsonl", Path(scratch, "facts.jsonl"))
        metrics = _check("cold", root, home) | _check("warm", root, home)
        for name, step in (("edited", 50), ("all", 1)):
            for number in range(0, files, step):
                _file(root, number).write_text(f"# {name}\n{_text(number)}", encoding="utf-8")
            _age(root, files)
            metrics |= _check(name, root, home)
        with Memory.open(root, home=home) as memory:
            metrics["flagged"] = float(memory.drifts().facts)
        return report("check", {"facts": size, "files": files}, metrics)


def _facts(size: int, files: int, commit: str) -> list[tuple[str, str]]:
    places = ((n % files, n // files * 10 + 2) for n in range(size))
    return [
        (f"fact {n} of {_name(file)}", f"lines:{_name(file)}#L{line}-L{line + 3}@git:{commit}")
        for n, (file, line) in enumerate(places)
    ]


def _repository(root: Path, files: int) -> str:
    for number in range(files):
        _file(root, number).parent.mkdir(parents=True, exist_ok=True)
        _file(root, number).write_text(_text(number), encoding="utf-8")
    _age(root, files)
    _git(root, "init", "-q")
    _git(root, "add", ".")
    _git(root, "-c", "user.name=Dev", "-c", "user.email=dev@example.org", "commit", "-qm", "first")
    return _git(root, "rev-parse", "HEAD").strip()


def _age(root: Path, files: int) -> None:
    """What was written a moment ago is looked at again to be sure; files of a project are older than that."""
    then = time.time() - 3600
    for number in range(files):
        os.utime(_file(root, number), (then, then))


def _file(root: Path, number: int) -> Path:
    return root / _name(number)


def _name(number: int) -> str:
    return f"src/part{number % 40:02}/module_{number}.py"


def _text(number: int) -> str:
    return "".join(f"value_{number}_{n} = compute({n}, {number * n % 97})\n" for n in range(_LINES))


def _check(name: str, root: Path, home: Path) -> dict[str, float]:
    """Seconds of the wall, and of processors (the calls of git among them), which say more on a machine that is busy."""
    command = [sys.executable, "-m", "muniment", "--home", str(home), "-C", str(root), "check", "--quiet"]
    before, start = os.times(), time.perf_counter()
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(root.parent), "PATH": os.defpath}
    subprocess.run(command, check=True, env=environment, capture_output=True)
    wall, after = time.perf_counter() - start, os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return {f"{name}_s": wall, f"{name}_cpu_s": spent}


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout
