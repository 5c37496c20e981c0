"""The quick test suite, one process a core. Arguments go to pytest: `python scripts/test.py tests/model -k ids -n 0`."""

import subprocess
import sys

import setup

if __name__ == "__main__":
    setup.enter()
    sys.exit(
        subprocess.call(
            [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", *sys.argv[1:]],
            cwd=str(setup.ROOT),
        )
    )
