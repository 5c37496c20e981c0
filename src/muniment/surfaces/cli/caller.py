"""Who is calling: a person at a terminal, or an agent that runs us as one of its tools.

A harness around us shows in the variables that it sets for its tools, or among our ancestor processes. Where neither
is seen, the caller is the person; that includes their scripts. Another program of the same user can pass for a person:
a limit that no local program can lift, and that is written down instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from muniment.engine.ancestry import ancestors, harness_of

SIGNS = (
    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX", "CODEX_THREAD_ID",
    "CODEX_SANDBOX_NETWORK_DISABLED", "COPILOT_CLI", "COPILOT_PROJECT_DIR", "COPILOT_AGENT_SESSION_ID", "GEMINI_CLI",
    "QWEN_CODE", "OPENCODE", "OPENCODE_SESSION_ID", "CURSOR_AGENT", "GOOSE_TERMINAL", "AMP_THREAD_ID",
    "CLINE_ACTIVE", "AI_AGENT",
)  # fmt: skip
"""Variables that a harness sets for what it runs. Those that people set to configure one (CODEX_HOME) are not here."""

Process = tuple[str, Sequence[str]]
"""The name of a process, and its arguments."""


def agent_around(variables: Mapping[str, str], around: Callable[[], Iterable[Process]] | None = None) -> str | None:
    """What shows that an agent is calling, in a few words; None if nothing does."""
    for sign in SIGNS:
        if variables.get(sign):
            return f"{sign} is set"
    for name, arguments in (around or processes)():
        if (harness := harness_of(name, arguments)) is not None:
            return f"started by {harness}"
    return None


def processes() -> Iterable[Process]:
    """Our ancestors, nearest first."""
    return ((a.name, a.arguments) for a in ancestors())
