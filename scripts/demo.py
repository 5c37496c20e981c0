"""The one-minute tour: `muniment demo` in the project's environment. Nothing to configure, nothing left behind."""

import subprocess
import sys
from pathlib import Path

import setup

if __name__ == "__main__":
    setup.enter()
    sys.exit(subprocess.call([str(Path(sys.executable).with_name("muniment")), "demo", *sys.argv[1:]]))
