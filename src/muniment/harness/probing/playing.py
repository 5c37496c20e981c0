"""Run the turns of a probe, one after the other, beside a stub model, where nothing can leave this machine.

A plan is a JSON file: the stub's command, the steps with their command lines, folders, variables and seconds, and where to
write how each ended. The whole runs as a child of its own, so that it can be put behind a wall that has loopback only.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_NETWORK = ("unshare", "--net")
_PROCESSES = ("--pid", "--fork", "--kill-child", "--mount-proc")
WALLS = tuple((*_NETWORK, *own, *more) for more in (_PROCESSES, ()) for own in ((), ("--map-root-user",)))
"""What puts a child behind a wall, the best first: a network and processes of its own, so that nothing leaves and nothing
stays behind; without the rights for it, in a user's namespace of its own."""
_TAIL = 4000
_STARTS_WITHIN = 20.0


def wall() -> tuple[str, ...]:
    """The prefix of a command that gives it a network with loopback only; empty where the system does not allow it."""
    for prefix in WALLS:
        try:
            done = subprocess.run([*prefix, "true"], capture_output=True, check=False, timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return prefix
    return ()


def play(plan: Mapping[str, Any]) -> None:
    """Run the plan. Every step is run, whatever became of the one before."""
    if plan["walled"]:
        _raise_loopback()
    record = Path(plan["record"])
    record.touch()
    stub = subprocess.Popen(plan["stub"], env=plan["variables"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(Path(plan["port_file"]))
        with Path(plan["steps_file"]).open("a", encoding="utf-8") as out:
            for step in plan["steps"]:
                out.write(json.dumps({**_run(step, record), "until": _count(record)}) + "\n")
                out.flush()
    finally:
        stub.kill()
        stub.wait()


def _run(step: Mapping[str, Any], record: Path) -> dict[str, Any]:
    """One step, ended by force when its time is over: it and all that it started."""
    since, began = _count(record), time.monotonic()
    child = subprocess.Popen(
        step["command"], cwd=step["folder"], env=step["variables"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        said, _ = child.communicate(timeout=step["seconds"])
        ended = f"exit {child.returncode}"
    except subprocess.TimeoutExpired:
        end_group(child)
        said, ended = _rest(child), "timeout"
    end_group(child)
    told = said.decode("utf-8", "replace")
    took = round(time.monotonic() - began, 1)
    return {"name": step["name"], "ended": ended, "seconds": took, "since": since, "said": told[-_TAIL:]}


def _rest(child: subprocess.Popen[bytes]) -> bytes:
    try:
        return child.communicate(timeout=5)[0]
    except subprocess.TimeoutExpired:
        return b""


def end_group(child: subprocess.Popen[bytes]) -> None:
    """End what the child started and left running, by the group that it leads."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _count(record: Path) -> int:
    return record.read_bytes().count(b"\n")


def _await(port_file: Path) -> None:
    until = time.monotonic() + _STARTS_WITHIN
    while not (port_file.exists() and port_file.read_text(encoding="utf-8")):
        if time.monotonic() > until:
            raise TimeoutError(f"the stub model did not start: {port_file} is missing")
        time.sleep(0.05)


def _raise_loopback() -> None:
    """A fresh network has a loopback that is down."""
    import fcntl
    import socket
    import struct

    up, get_flags, set_flags = 1, 0x8913, 0x8914
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        asked = struct.pack("16sh14x", b"lo", 0)
        _, flags = struct.unpack("16sh14x", fcntl.ioctl(handle, get_flags, asked))
        fcntl.ioctl(handle, set_flags, struct.pack("16sh14x", b"lo", flags | up))


def main(arguments: Sequence[str]) -> None:
    """Run the plan in the named file."""
    play(json.loads(Path(arguments[0]).read_text(encoding="utf-8")))
