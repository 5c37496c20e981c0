"""Realistic agent transcripts from a seed: for benchmarks, property tests and the compression dictionary.

    python -m muniment.testing.transcripts ROOT --size 1G --files 200 --seed 1

The same arguments give the same bytes on every machine. Memory does not grow with the size. The stages stand alone:
`story` invents what happened, `write_claude_code` and `write_codex` put it on disk as those programs do.
"""

from __future__ import annotations

import argparse
import sys
from datetime import timedelta
from pathlib import Path

from muniment.testing.claude_code import slug, write_claude_code
from muniment.testing.codex import write_codex
from muniment.testing.jsonl import EPOCH, START
from muniment.testing.lexicon import Dice, derive
from muniment.testing.steps import Step
from muniment.testing.story import Story, story

__all__ = ["Step", "Story", "story", "write_claude_code", "write_codex", "write_corpus"]

PROJECTS = ("demo", "billing", "atlas", "kiosk", "ledger-api", "notes_app", "fleet", "search.next")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def write_corpus(root: Path, *, size_bytes: int, files: int, seed: int, dialects: int = 4) -> list[Path]:
    """A home folder with so many sessions of both harnesses, about half each, of this size altogether.

    Sizes differ as they do in life (a few long sessions hold much of the text). Returns the session files in order of
    writing; the files of sub-agents lie beside theirs and count towards the size. Raises ValueError when the size does
    not allow 64 KiB a file.
    """
    smallest = 64 * 1024
    if files < 1 or size_bytes < files * smallest:
        raise ValueError(f"{files} files need at least {files * smallest} bytes")
    dice = Dice(derive("corpus", seed))
    shares = [dice.lognormal(100, 500, 2_000) + 1 for _ in range(files)]
    # each harness gets half of the bytes that are free above the minimum
    halves = [sum(shares[n::2]) for n in range(2)]
    free = (size_bytes - files * smallest) / min(2, files)
    written = []
    for n, share in enumerate(shares):
        size = smallest + int(free * share / halves[n % 2])
        start = START + timedelta(minutes=97 * n + dice.below(60))
        cwd, number = f"/home/dev/{dice.pick(PROJECTS)}", derive(seed, n)
        if n % 2 == 0:
            session = dice.uuid4()
            path = root / ".claude" / "projects" / slug(cwd) / f"{session}.jsonl"
            version = "2.1.197" if dice.chance(0.3) else "2.1.328"
            write_claude_code(
                path,
                seed=number,
                size_bytes=size,
                cwd=cwd,
                session=session,
                version=version,
                start=start,
                dialect=n % dialects,
            )
        else:
            session = dice.uuid7((start - EPOCH) // timedelta(milliseconds=1))
            path = (
                root
                / ".codex"
                / "sessions"
                / start.strftime("%Y/%m/%d")
                / f"rollout-{start.strftime('%Y-%m-%dT%H-%M-%S')}-{session}.jsonl"
            )
            write_codex(path, seed=number, size_bytes=size, cwd=cwd, session=session, start=start, dialect=n % dialects)
        written.append(path)
    return written


def bytes_of(text: str) -> int:
    """A size such as 300K, 64M or 1G; ValueError for anything else."""
    unit = UNITS.get(text[-1:].upper())
    return int(float(text[:-1]) * unit) if unit else int(text)


def main(arguments: list[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m muniment.testing.transcripts", description="Write invented agent transcripts."
    )
    parser.add_argument("root", type=Path)
    parser.add_argument("--size", type=bytes_of, default=64 << 20, help="of all files together, such as 64M or 1G")
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    written = write_corpus(given.root, size_bytes=given.size, files=given.files, seed=given.seed)
    sys.stdout.write(f"{len(written)} sessions under {given.root}\n")


if __name__ == "__main__":
    main()
