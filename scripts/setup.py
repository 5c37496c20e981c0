"""Make `.venv` and install muniment in it, editable, with its development tools. Needs Python 3.11+ and nothing else.

    python scripts/setup.py

Every other script begins with `enter()`, so none needs this one to be run first. Nothing happens, and no network is
used, while `.venv` fits what pyproject.toml asks for.

This file, and the first lines of its siblings, must stay readable for older Pythons: they have to say what is missing.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "muniment-setup.json"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

NO_PYTHON = """muniment needs Python {oldest} or newer; this is Python {here} ({where}).
  Install one (python.org, your package manager, `uv python install 3.12`, `pyenv install 3.12`), then run it by name:
  python3.12 {script}        or        make PYTHON=python3.12 ...
"""
NO_VENV = """could not make the virtual environment {venv}.
  On Debian and Ubuntu the module is a package of its own: apt install python3-venv
"""
NO_INSTALL = """could not install muniment and its tools into {venv}.
  The first set-up needs the network (PyPI or your own index). Behind a proxy set HTTPS_PROXY or PIP_INDEX_URL.
  To begin afresh remove {venv} and try again.
"""


def enter():
    """Continue in the project's environment, made or renewed if need be."""
    ensure()
    if Path(sys.prefix).resolve() != VENV.resolve():
        hand_over(PYTHON)


def ensure():
    """Make the environment fit pyproject.toml; do nothing when it does."""
    require_python()
    wanted = fingerprint()
    if PYTHON.exists() and read_stamp() == wanted:
        return
    print("setting up .venv (once, about half a minute) ...", file=sys.stderr, flush=True)
    make_venv(moved=read_stamp().get("root") not in (None, wanted["root"]))
    failed = run(PYTHON, "-m", "pip", "install", "--quiet", "--no-input", "--editable", ".[dev]")
    if failed:
        stop(failed + NO_INSTALL.format(venv=VENV))
    STAMP.write_text(json.dumps(wanted), encoding="utf-8")


def require_python():
    """Go on in a Python that is new enough, or say where to get one."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(20, OLDEST[1] - 1, -1):
        found = shutil.which("python3.%d" % minor)  # noqa: UP031 - older Pythons read this line
        if found and run(found, "-c", "import venv") is None:
            hand_over(found)
    oldest, here = (".".join(map(str, v)) for v in (OLDEST, sys.version_info[:3]))
    stop(NO_PYTHON.format(oldest=oldest, here=here, where=sys.executable, script=sys.argv[0]))


def fingerprint():
    """What the environment depends on: the tables that pip and the build read, and where the checkout lies."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    read_by_pip = [project["build-system"], project["project"], project["tool"]["hatch"]]
    digest = hashlib.sha256(json.dumps(read_by_pip, sort_keys=True).encode()).hexdigest()
    return {"root": str(ROOT), "pyproject": digest}


def read_stamp():
    """The fingerprint of the last complete set-up, or an empty one."""
    try:
        return json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def make_venv(moved):
    """An environment with pip; one that is sound is kept, one that was copied from elsewhere is not."""
    usable = "import pip, sys; sys.exit(sys.version_info < (3, 11))"
    if not moved and PYTHON.exists() and run(PYTHON, "-c", usable) is None:
        return
    base = getattr(sys, "_base_executable", sys.executable) if Path(sys.prefix) == VENV else sys.executable
    failed = run(base, "-m", "venv", "--clear", VENV)
    if failed:
        stop(failed + NO_VENV.format(venv=VENV))


def run(*command):
    """Run quietly in the checkout. None when it went well, else the end of what it said."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET")}
    env["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    done = subprocess.run(
        [str(part) for part in command],
        cwd=str(ROOT),
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode == 0:
        return None
    said = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return "\n".join([*said[-30:], ""])


def hand_over(python):
    """Run this very command line in another Python and end as it ends."""
    command = [str(python), *sys.argv]
    if os.name == "nt":  # exec on Windows returns to the shell at once
        sys.exit(subprocess.call(command))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(command[0], command)  # noqa: S606 - the point is to become that process


def stop(message):
    """End with a message and what to do about it."""
    sys.exit("setup: " + message.rstrip())


if __name__ == "__main__":
    ensure()
