"""Rewrite the code in the house format and mend what the linter can mend by itself."""

import subprocess
import sys

import setup

if __name__ == "__main__":
    setup.enter()
    failed = [
        subprocess.call([sys.executable, "-m", "ruff", *verb.split(), "."], cwd=str(setup.ROOT))
        for verb in ("check --fix --quiet", "format")
    ]
    sys.exit(max(failed))
