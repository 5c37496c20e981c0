"""The quick test suite. Arguments go to pytest: `python scripts/test.py tests/model -k ids`."""

import subprocess
import sys

import setup

if __name__ == "__main__":
    setup.enter()
    sys.exit(subprocess.call([sys.executable, "-m", "pytest", "-q", *sys.argv[1:]], cwd=str(setup.ROOT)))
