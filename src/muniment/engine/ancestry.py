"""Which harness a process is, and which processes are around us: the command line and the tool server both ask.

A limit that no local program can lift: another program of the same user can have any name.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

PROGRAMS = frozenset(
    "claude codex gemini qwen copilot opencode kilo cursor-agent aider goose amp crush cline droid kiro-cli auggie "
    "qodercli iflow letta openhands pi vibe forge gptme rovodev junie".split()
)
"""Names of harness programs, as a process list shows them."""

PACKAGES = frozenset("claude-code codex gemini-cli qwen-code copilot opencode-ai cline amp augment".split())
"""Folders under node_modules in which harnesses come that an interpreter runs."""

_INTERPRETERS = re.compile(r"^(?:node|bun|deno|python[\d.]*|pypy[\d.]*|ruby)$")
_DEPTH = 64
_STARTED = 19
"""The field of a process's start, counted behind its name."""


class Ancestor(NamedTuple):
    """A process that we descend from: its number, its name and its arguments."""

    pid: int
    name: str
    arguments: Sequence[str]


def harness_of(name: str, arguments: Sequence[str]) -> str | None:
    """The harness that a process is, or None."""
    program = _stem(arguments[0]) if arguments else ""
    for each in (name, program):
        if each in PROGRAMS:
            return each
    if not _INTERPRETERS.match(program) and not _INTERPRETERS.match(name):
        return None
    script = next((a for a in arguments[1:] if not a.startswith("-")), "")
    if _stem(script) in PROGRAMS:
        return _stem(script)
    parts = script.replace("\\", "/").split("/node_modules/")[1:]
    return next((p for part in parts for p in part.split("/")[:2] if p in PACKAGES), None)


def _stem(path: str) -> str:
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
    return re.sub(r"\.(?:exe|cmd|js|mjs|py)$", "", name)


def ancestors() -> Iterator[Ancestor]:
    """Our ancestors, nearest first. Nothing where the system does not show them (Windows: not looked for yet)."""
    yield from _from_proc() if os.path.isdir("/proc/self") else _from_ps() if sys.platform != "win32" else ()


def started_at(number: int) -> str | None:
    """When a process began, as the system counts it; None where the system does not show it."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            fields = file.read().decode("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return None
    return fields[_STARTED] if len(fields) > _STARTED else None


def _from_proc() -> Iterator[Ancestor]:
    number = os.getppid()
    for _ in range(_DEPTH):
        try:
            with open(f"/proc/{number}/stat", "rb") as file:
                stat = file.read().decode("utf-8", "replace")
            with open(f"/proc/{number}/cmdline", "rb") as file:
                arguments = file.read().decode("utf-8", "replace").rstrip("\0").split("\0")
        except OSError:
            return
        name, _, rest = stat.partition("(")[2].rpartition(")")
        yield Ancestor(number, name, arguments)
        number = int(rest.split()[1])
        if number <= 1:
            return


def _from_ps() -> Iterator[Ancestor]:
    """All processes in one call of `ps`, for systems without /proc."""
    import subprocess

    try:
        command = ["ps", "-axo", "pid=,ppid=,command="]
        listed = subprocess.run(command, capture_output=True, timeout=5, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return
    yield from ancestors_in(listed.decode("utf-8", "replace"), os.getppid())


def ancestors_in(listed: str, number: int) -> Iterator[Ancestor]:
    """The chain from process `number` upwards in what `ps` listed as pid, parent and command."""
    rows = (line.split(None, 2) for line in listed.splitlines())
    table = {int(row[0]): (int(row[1]), row[2]) for row in rows if len(row) == 3}
    for _ in range(_DEPTH):
        if number <= 1 or number not in table:
            return
        pid, (number, command) = number, table[number]
        arguments = command.split()
        yield Ancestor(pid, _stem(arguments[0]), arguments)
