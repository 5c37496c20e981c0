"""Who is calling: a person at a terminal, or an agent that runs us as one of its tools.

A harness around us shows in the variables that it sets for its tools, or among our ancestor processes. Where neither
is seen, the caller is the person; that includes their scripts. Another program of the same user can pass for a person:
a limit that no local program can lift, and that is written down instead.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

SIGNS = (
    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX", "CODEX_THREAD_ID",
    "CODEX_SANDBOX_NETWORK_DISABLED", "COPILOT_CLI", "COPILOT_PROJECT_DIR", "COPILOT_AGENT_SESSION_ID", "GEMINI_CLI",
    "QWEN_CODE", "OPENCODE", "OPENCODE_SESSION_ID", "CURSOR_AGENT", "GOOSE_TERMINAL", "AMP_THREAD_ID",
    "CLINE_ACTIVE", "AI_AGENT",
)  # fmt: skip
"""Variables that a harness sets for what it runs. Those that people set to configure one (CODEX_HOME) are not here."""

PROGRAMS = frozenset(
    "claude codex gemini qwen copilot opencode kilo cursor-agent aider goose amp crush cline droid kiro-cli auggie "
    "qodercli iflow letta openhands pi vibe forge gptme rovodev junie".split()
)
"""Names of harness programs, as a process list shows them."""

PACKAGES = frozenset("claude-code codex gemini-cli qwen-code copilot opencode-ai cline amp augment".split())
"""Folders under node_modules in which harnesses come that an interpreter runs."""

_INTERPRETERS = re.compile(r"^(?:node|bun|deno|python[\d.]*|pypy[\d.]*|ruby)$")
_DEPTH = 64

Process = tuple[str, Sequence[str]]
"""The name of a process, and its arguments."""


def agent_around(variables: Mapping[str, str], ancestors: Callable[[], Iterable[Process]] | None = None) -> str | None:
    """What shows that an agent is calling, in a few words; None if nothing does."""
    for sign in SIGNS:
        if variables.get(sign):
            return f"{sign} is set"
    for name, arguments in (ancestors or processes)():
        if (harness := harness_of(name, arguments)) is not None:
            return f"started by {harness}"
    return None


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


def processes() -> Iterator[Process]:
    """Our ancestors, nearest first. Nothing where the system does not show them (Windows: not looked for yet)."""
    yield from _from_proc() if os.path.isdir("/proc/self") else _from_ps() if sys.platform != "win32" else ()


def _from_proc() -> Iterator[Process]:
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
        yield name, arguments
        number = int(rest.split()[1])
        if number <= 1:
            return


def _from_ps() -> Iterator[Process]:
    """All processes in one call of `ps`, for systems without /proc."""
    import subprocess

    try:
        command = ["ps", "-axo", "pid=,ppid=,command="]
        listed = subprocess.run(command, capture_output=True, timeout=5, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return
    yield from ancestors_in(listed.decode("utf-8", "replace"), os.getppid())


def ancestors_in(listed: str, number: int) -> Iterator[Process]:
    """The chain from process `number` upwards in what `ps` listed as pid, parent and command."""
    rows = (line.split(None, 2) for line in listed.splitlines())
    table = {int(row[0]): (int(row[1]), row[2]) for row in rows if len(row) == 3}
    for _ in range(_DEPTH):
        if number <= 1 or number not in table:
            return
        number, command = table[number]
        arguments = command.split()
        yield _stem(arguments[0]), arguments
