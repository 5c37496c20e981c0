"""Measure this version and keep the figures: `python scripts/bench.py [--quick]`, or one benchmark: `... query --size 100000`.

    python scripts/bench.py --recall FOLDER      what is found, on every data set in a folder: results/<version>-recall.jsonl

Without a name the release set is run (about half an hour on two cores) and its objects, one a line, are kept in
benchmarks/results/<version>.jsonl. `--quick` runs the same benchmarks at small sizes and keeps nothing.
"""

import subprocess
import sys
from pathlib import Path

import setup

RELEASE = (
    ("query", "10000"), ("query", "100000"), ("query", "1000000"), ("index", "1000000000"), ("write", "4000"),
    ("mcp", "10000"), ("rows", "0"), ("extract", "0"),
)  # fmt: skip
QUICK = (("query", "2000"), ("index", "3000000"), ("write", "80"), ("rows", "0"), ("extract", "0"))


def main(words):
    muniment = str(Path(sys.executable).with_name("muniment"))
    if words[:1] == ["--recall"] and len(words) == 2:
        return recall(muniment, Path(words[1]))
    if words and words != ["--quick"]:
        return subprocess.call([muniment, "bench", *words])
    lines = []
    for name, size in QUICK if words else RELEASE:
        command = [muniment, "bench", name, "--size", size, "--json"]
        line = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=setup.ROOT).stdout
        print(line, end="", flush=True)
        lines.append(line)
    if not words:
        keep(muniment, "", lines)
    return 0


def recall(muniment, folder):
    """Every data set in a folder, and nothing of it but the figures. Other files there are passed over."""
    lines = []
    for path in sorted(folder.iterdir()):
        if path.name.endswith((".json", ".json.gz", "_memory.jsonl")) and "audit" not in path.name:
            command = [muniment, "bench", "recall", "--data", str(path), "--baselines", "--budgets", "--json"]
            done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True, cwd=setup.ROOT)
            print(path.name, "passed over" if done.returncode else done.stdout, flush=True)
            lines += [done.stdout] if done.returncode == 0 else []
    keep(muniment, "-recall", lines)
    return 0 if lines else 1


def keep(muniment, suffix, lines):
    told = subprocess.run([muniment, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    results = setup.ROOT / "benchmarks" / "results" / f"{told.split()[-1]}{suffix}.jsonl"
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    setup.enter()
    sys.exit(main(sys.argv[1:]))
