"""Transcripts of many small tool calls: the cheapest way to a store of a given number of facts.

Each call and its result are two Claude Code records of a few hundred bytes and give one fact. Shares of commands, reads
and writes follow the long transcripts of `transcripts.py`; texts are short, so that a million facts fit in a gigabyte.
"""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

_FOLDERS = ("src", "src/billing", "src/auth", "src/api", "tests", "tests/api", "docs", "scripts")
_STEMS = (
    "reader",
    "writer",
    "index",
    "session",
    "model",
    "router",
    "client",
    "config",
    "store",
    "retry",
    "ledger",
    "cache",
)
_COMMANDS = (
    "pytest -q {f}",
    "git status",
    "git diff {f}",
    "ruff check {f}",
    "ls {d}",
    "grep -n retry {f}",
    "cat {f}",
    "make build",
)
_FIRST = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)


_FILES_PER_STEM = 60


def paths_of() -> list[str]:
    """Every path that such transcripts speak of, relative to the project."""
    return [f"{folder}/{stem}_{n}.py" for folder in _FOLDERS for stem in _STEMS for n in range(_FILES_PER_STEM)]


def write_calls(
    path: Path, *, seed: int, facts: int, session: str, start: datetime = _FIRST, cwd: str = "/home/dev/demo"
) -> datetime:
    """Write one transcript that gives about `facts` facts; returns the time after its last record."""
    dice = random.Random(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    at = start
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number in range(facts):
            at += timedelta(milliseconds=dice.randrange(2_000, 40_000))
            if number % 40 == 0:
                _line(file, session, cwd, at, number * 2, "user", f"Please look at task {seed}-{number} and fix it.")
                continue
            tool, arguments, result = _call(dice, cwd)
            call = f"toolu_{seed:06d}{number:09d}"
            _line(
                file,
                session,
                cwd,
                at,
                number * 2,
                "assistant",
                [{"type": "tool_use", "id": call, "name": tool, "input": arguments}],
            )
            answer = [{"type": "tool_result", "tool_use_id": call, "content": result, "is_error": False}]
            _line(file, session, cwd, at + timedelta(milliseconds=900), number * 2 + 1, "user", answer)
    return at


def _line(file, session: str, cwd: str, at: datetime, number: int, role: str, content: object) -> None:  # type: ignore[no-untyped-def]
    stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record = {
        "type": role, "uuid": f"{session}-{number:06x}", "sessionId": session, "timestamp": stamp, "cwd": cwd,
        "version": "2.1.328", "isSidechain": False, "message": {"role": role, "content": content},
    }  # fmt: skip
    file.write(json.dumps(record, separators=(",", ":")) + "\n")


def _call(dice: random.Random, cwd: str) -> tuple[str, dict[str, str], str]:
    folder = dice.choice(_FOLDERS)
    file = f"{folder}/{dice.choice(_STEMS)}_{dice.randrange(_FILES_PER_STEM)}.py"
    roll = dice.random()
    if roll < 0.6:
        return "Bash", {"command": dice.choice(_COMMANDS).format(f=file, d=folder)}, f"ok {dice.randrange(1000)}"
    if roll < 0.8:
        return "Read", {"file_path": f"{cwd}/{file}"}, f"1\tvalue = {dice.randrange(1000)}"
    return "Write", {"file_path": f"{cwd}/{file}", "content": f"value = {dice.randrange(10**6)}\n"}, "File written"


def write_store_of(
    root: Path, *, facts: int, seed: int = 1, per_session: int = 2_000, cwd: str = "/home/dev/demo"
) -> list[Path]:
    """Transcripts under `root` that give about `facts` facts in all."""
    at, paths = _FIRST, []
    for number in range(0, facts, per_session):
        session = f"{seed:08x}-0000-4000-8000-{number:012x}"
        path = root / f"{session}.jsonl"
        at = write_calls(
            path,
            seed=seed * 100_003 + number,
            facts=min(per_session, facts - number),
            session=session,
            start=at,
            cwd=cwd,
        )
        paths.append(path)
    return paths
