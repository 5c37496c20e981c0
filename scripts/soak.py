"""The tests marked `slow`: long runs, large data, many processes. Arguments go to pytest."""

import subprocess
import sys

import setup

if __name__ == "__main__":
    setup.enter()
    sys.exit(subprocess.call([sys.executable, "-m", "pytest", "-m", "slow", *sys.argv[1:]], cwd=str(setup.ROOT)))
