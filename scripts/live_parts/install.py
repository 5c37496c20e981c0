"""Harnesses from their registries into a folder, one after the other, each once."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

SECONDS = 900
NODES = {22: "22", 24: "24"}
"""Nodes come from npm themselves: a harness asks for one that the system may not have."""


class Found(NamedTuple):
    """An installed harness: where, which version, and the PATH that it runs with."""

    folder: Path
    version: str
    path: str


def ensure(package, folder, *, latest, may_install):
    """The package under `folder`, installed if it is not yet."""
    version = newest(package) if latest else package.version
    node = node_for(package, folder, may_install)
    path = os.pathsep.join([*([str(node)] if node else []), "/usr/local/bin", "/usr/bin", "/bin"])
    place = folder / f"{package.name.replace('/', '+')}-{version}"
    wanted, stamp = "\n".join([f"{package.name} {version}", *package.beside]), place / ".installed"
    if not (stamp.exists() and stamp.read_text(encoding="utf-8") == wanted):
        if not may_install:
            raise FileNotFoundError(f"{package.name} {version} is not installed in {folder}")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (by_npm if package.registry == "npm" else by_pip)(package, version, place, path)
        stamp.write_text(wanted, encoding="utf-8")
    return Found(place, version, path)


def newest(package):
    """The newest version that the registry has."""
    if package.registry == "npm":
        return said(["npm", "view", package.name, "version"]).strip()
    return json.loads(said([sys.executable, "-m", "pip", "index", "versions", "--json", package.name]))["latest"]


def node_for(package, folder, may_install):
    """The folder with a Node that the harness runs on; None for one that needs none."""
    if package.registry != "npm":
        return None
    major = NODES[24 if (package.node or 0) > 22 else 22]
    place = folder / f"node-{major}"
    if not (place / ".installed").exists():
        if not may_install:
            raise FileNotFoundError(f"Node {major} is not installed in {folder}")
        place.mkdir(parents=True, exist_ok=True)
        run(["npm", "install", *_QUIET, "--prefix", str(place), f"node@{major}"])
        (place / ".installed").touch()
    return next(path.parent for path in place.rglob("bin/node") if path.is_file() and path.stat().st_size > 1_000_000)


_QUIET = ("--no-audit", "--no-fund", "--no-save", "--loglevel=error")


def by_npm(package, version, place, path):
    run(["npm", "install", *_QUIET, "--prefix", str(place), f"{package.name}@{version}", *package.beside], path)


def by_pip(package, version, place, _path):
    """Into an environment of its own, with the Python that it was seen to run on if there is one."""
    run([python_of(package.python), "-m", "venv", str(place)])
    run([str(place / "bin" / "pip"), "install", "--quiet", f"{package.name}=={version}", *package.beside])


def python_of(version):
    """A Python of that version: on the PATH, or one that a version manager keeps; else this one."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    kept += sorted(Path.home().glob(f".local/share/uv/python/cpython-{version}.*/bin/python3"))
    for candidate in (shutil.which(f"python{version}"), *map(str, reversed(kept))):
        tried = candidate and subprocess.run([candidate, "-c", "import venv"], capture_output=True, check=False)
        if tried and tried.returncode == 0:
            return candidate
    return sys.executable


def run(command, path=None):
    """Run an installer, niced, with an end; RuntimeError with the end of what it said."""
    env = {**os.environ, **({"PATH": path + os.pathsep + os.environ["PATH"]} if path else {})}
    nice = ["nice", "-n", "10"] if shutil.which("nice") else []
    done = subprocess.run(
        [*nice, *command],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:3])}: {(done.stderr or done.stdout).strip()[-300:]}")


def said(command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
