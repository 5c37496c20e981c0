"""Where the time of `muniment index` goes: shares by package, on a generated corpus (`python scripts/profile_index.py [BYTES]`).

The profiler slows small functions more than large ones, so the shares are a guide and the rates are not comparable with
`muniment bench index`.
"""

import collections
import cProfile
import pstats
import sys
import tempfile
from pathlib import Path

import setup

MB = 1_000_000
STAGES = {
    ("reading.py", "run"): "the whole pass over the files",
    ("lines.py", "read"): "  reading and parsing records",
    ("intake.py", "prepare"): "  masks, names and hashes",
    ("masks.py", "mask_together"): "    of it masking text and raw record",
    ("archiving.py", "write"): "  one transaction a batch",
    ("archiving.py", "event"): "    archive and text index",
    ("derive.py", "run"): "    facts, their rows and text index",
}


def main(size):
    from muniment import Memory
    from muniment.testing.transcripts import write_corpus

    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "project").mkdir()
        write_corpus(root / "corpus", size_bytes=size, files=4, seed=1)
        profile = cProfile.Profile()
        with Memory.open(root / "project", root / "home") as memory:
            profile.runcall(memory.index, [root / "corpus"])
        report(pstats.Stats(profile).stats)


def report(stats):
    spent = {(Path(f).name, name): cumulative for (f, _, name), (_, _, _, cumulative, _) in stats.items()}
    whole = spent[next(iter(STAGES))]
    for stage, told in STAGES.items():
        print(f"{100 * spent.get(stage, 0.0) / whole:5.1f} %  {told}")
    print()
    shares = collections.Counter()
    for (file, _, name), (_, _, own, _, _) in stats.items():
        shares[group(file, name)] += own
    total = sum(shares.values())
    for what, seconds in shares.most_common():
        print(f"{100 * seconds / total:5.1f} %  {what}")


def group(file, name):
    """What a function belongs to: a package of ours, the engine's calls, or a library."""
    if "muniment" in file:
        parts = file.replace("\\", "/").split("/muniment/")[-1].split("/")
        return "/".join(parts[:2]) if parts[0] == "capture" else parts[0]
    for word, what in (("apsw", "SQLite: rows and text index"), ("zstandard", "compression"), ("json", "parsing JSON")):
        if word in name or f"/{word}/" in file.replace("\\", "/"):
            return what
    return "built-in functions and the rest"


if __name__ == "__main__":
    setup.enter()
    main(int(sys.argv[1]) if sys.argv[1:] else 12 * MB)
