"""Whose call is this? What a harness says beside the call, sets in our environment, left by its hook, or shows as a process.

What stands beside the call comes first: a server may serve many sessions, and an environment is inherited (a harness that was
started from another one's shell still carries that one's variables), so a variable counts only for the harness that sets it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment.engine import presence
from muniment.engine.ancestry import Ancestor, ancestors, harness_of
from muniment.engine.calling import Calling
from muniment.engine.locating import Found, discover, readers

HARNESSES: Mapping[str, str] = {
    "claude": "claude-code", "claude-code": "claude-code", "codex": "codex", "codex-mcp-client": "codex",
    "gemini": "gemini-cli", "gemini-cli": "gemini-cli", "qwen": "qwen-code", "qwen-code": "qwen-code",
    "copilot": "copilot-cli", "opencode": "opencode", "opencode-ai": "opencode", "kilo": "kilo", "cline": "cline",
    "continue": "continue", "cn": "continue", "goose": "goose", "amp": "amp", "crush": "crush", "droid": "factory-droid",
    "kimi": "kimi-cli", "kiro-cli": "kiro-cli", "auggie": "auggie", "augment": "auggie", "qodercli": "qoder",
    "iflow": "iflow", "letta": "letta-code", "openhands": "openhands", "pi": "pi", "vibe": "mistral-vibe",
    "gptme": "gptme", "rovodev": "rovodev", "junie": "junie", "grok": "grok-build", "hermes": "hermes",
    "forge": "forgecode", "cursor": "cursor", "cursor-agent": "cursor", "windsurf": "windsurf", "zed": "zed",
    "antigravity": "antigravity-cli", "agy": "antigravity-cli",
}  # fmt: skip
"""How programs and clients call themselves, and the reader of their transcripts."""

VARIABLES: Mapping[str, str] = {
    "CLAUDE_CODE_SESSION_ID": "claude-code", "CODEX_THREAD_ID": "codex", "COPILOT_AGENT_SESSION_ID": "copilot-cli",
    "OPENCODE_SESSION_ID": "opencode", "AMP_THREAD_ID": "amp", "GROK_SESSION_ID": "grok-build",
}  # fmt: skip
"""Where a harness puts the id of the session for what it starts."""

OURS = "MUNIMENT_SESSION"
"""Set by whoever starts the server for one session and knows its id."""

_CALL_IDS = ("claudecode/toolUseId", "claude/toolUseId")
_SESSION_IDS = ("threadId", "sessionId", "session_id", "ai.opencode/sessionID", "antigravity.google/conversation_id")
_CODEX = "x-codex-turn-metadata"


@dataclass(frozen=True)
class Surroundings:
    """What is around this process: looked up once, since none of it changes while the server runs."""

    variables: Mapping[str, str]
    user_home: Path
    platform: str
    home: Path
    since: str | None
    around: Sequence[Ancestor] = field(default_factory=lambda: list(ancestors()))

    def calling(self, client: str | None, meta: Mapping[str, Any]) -> Calling:
        """The caller of one call, by its client's name and what stands beside the call."""
        harness = self.harness(client)
        told = list(_told(meta)) or self._named(harness)
        noted = [] if told else presence.around(self.home, (a.pid for a in self.around), harness)
        sessions = told or ([noted[0].session] if len(noted) == 1 else [])
        transcript = Path(noted[0].transcript) if len(noted) == 1 and noted[0].transcript else None
        call = next((str(meta[key]) for key in _CALL_IDS if meta.get(key)), None)
        return Calling(harness, tuple(sessions), call, self.since, lambda: self._sources(harness), transcript)

    def session(self, client: str | None, meta: Mapping[str, Any]) -> str | None:
        """The session if it is told outright: enough to note what it was given, and nothing is read for it."""
        told = list(_told(meta)) or self._named(self.harness(client))
        return told[0] if told else None

    def harness(self, client: str | None) -> str | None:
        """The harness by the name of its client, else by the process that started us."""
        name = _plain(client or "")
        found = HARNESSES.get(name) or next((HARNESSES[k] for k in _longest() if name.startswith(f"{k}-")), None)
        if found is not None:
            return found
        programs = (harness_of(a.name, a.arguments) for a in self.around)
        return next((HARNESSES[p] for p in programs if p is not None and p in HARNESSES), None)

    def _named(self, harness: str | None) -> list[str]:
        ours = self.variables.get(OURS)
        if ours:
            return [ours]
        known = [(h, self.variables[v]) for v, h in VARIABLES.items() if self.variables.get(v)]
        if harness is None:  # of several variables all but one are inherited, and nobody can say which
            return [session for _, session in known] if len(known) == 1 else []
        return [session for h, session in known if h == harness]

    def _sources(self, harness: str | None) -> Found:
        chosen = [a for a in readers() if harness in (None, a.name)]
        return discover(chosen, self.user_home, self.variables, self.platform)


def _told(meta: Mapping[str, Any]) -> Iterable[str]:
    """Session ids that stand beside a call."""
    inner = meta.get(_CODEX)
    if isinstance(inner, str):
        try:
            inner = json.loads(inner)
        except ValueError:
            inner = None
    for part in (meta, inner if isinstance(inner, dict) else {}):
        for key in (*_SESSION_IDS, "thread_id"):
            if isinstance(part.get(key), str) and part[key]:
                yield part[key]


def _longest() -> list[str]:
    return sorted(HARNESSES, key=len, reverse=True)


def _plain(name: str) -> str:
    return "-".join(name.lower().replace("_", " ").replace("/", " ").replace("@", " ").replace("-", " ").split())


def here(home: Path, since: str | None) -> Surroundings:
    """The surroundings of this process."""
    import sys

    return Surroundings(dict(os.environ), Path.home(), sys.platform, home, since)
