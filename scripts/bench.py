"""Measure this version and keep the figures: `python scripts/bench.py [--quick]`, or one benchmark: `... query --size 100000`.

Without a name the release set is run (about half an hour on two cores) and its objects, one a line, are kept in
benchmarks/results/<version>.jsonl. `--quick` runs the same benchmarks at small sizes and keeps nothing.
"""

import subprocess
import sys
from pathlib import Path

import setup

RELEASE = (
    ("query", "10000"), ("query", "100000"), ("query", "1000000"), ("index", "1000000000"), ("write", "4000"),
    ("rows", "0"), ("extract", "0"),
)  # fmt: skip
QUICK = (("query", "2000"), ("index", "3000000"), ("write", "80"), ("rows", "0"), ("extract", "0"))


def main(words):
    muniment = str(Path(sys.executable).with_name("muniment"))
    if words and words != ["--quick"]:
        return subprocess.call([muniment, "bench", *words])
    lines = []
    for name, size in QUICK if words else RELEASE:
        command = [muniment, "bench", name, "--size", size, "--json"]
        line = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=setup.ROOT).stdout
        print(line, end="", flush=True)
        lines.append(line)
    if not words:
        version = subprocess.run([muniment, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[
            -1
        ]
        results = setup.ROOT / "benchmarks" / "results" / f"{version}.jsonl"
        results.parent.mkdir(parents=True, exist_ok=True)
        results.write_text("".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    setup.enter()
    sys.exit(main(sys.argv[1:]))
