"""The walls at full length: 100,000 generated statements of scoped SQL, and encryption under the driver's encrypting build.

    python scripts/walls.py [sql | encryption]

The encrypting build is put into a folder of its own (from PyPI), so that the environment keeps the plain one.
"""

import os
import subprocess
import sys
import tempfile

import setup


def sql():
    command = [sys.executable, "-m", "tests.walls.generated", "100000"]
    return subprocess.call(command, cwd=str(setup.ROOT), env=paths())


def encryption():
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, "apsw-sqlite3mc>=3.54"]
        command = [sys.executable, "-m", "pytest", "-q", "tests/encryption", "tests/walls"]
        return subprocess.call(pip) or subprocess.call(command, cwd=str(setup.ROOT), env=paths(folder))


def paths(*first):
    return os.environ | {"PYTHONPATH": os.pathsep.join([*first, str(setup.ROOT / "src"), str(setup.ROOT)])}


if __name__ == "__main__":
    setup.enter()
    known = {"sql": sql, "encryption": encryption}
    sys.exit(max([known[name]() for name in sys.argv[1:] or known]))
