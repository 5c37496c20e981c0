"""Measure: `muniment bench all`, or what is given: `python scripts/bench.py query --size 100000`."""

import subprocess
import sys
from pathlib import Path

import setup

if __name__ == "__main__":
    setup.enter()
    what = sys.argv[1:] or ["all"]
    sys.exit(subprocess.call([str(Path(sys.executable).with_name("muniment")), "bench", *what]))
