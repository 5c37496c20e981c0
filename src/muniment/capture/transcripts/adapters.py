"""Every adapter, in the order in which a file is offered to them."""

from __future__ import annotations

from functools import cache

from muniment.capture.transcripts.contract import Adapter


@cache
def adapters() -> tuple[Adapter, ...]:
    """All harnesses that can be read. Imported when first asked for: hooks and questions never need them."""
    from muniment.capture.transcripts.aider import Aider
    from muniment.capture.transcripts.claude_code import ClaudeCode
    from muniment.capture.transcripts.codex import Codex
    from muniment.capture.transcripts.copilot_cli import CopilotCli
    from muniment.capture.transcripts.opencode import OpenCode

    return (ClaudeCode(), Codex(), CopilotCli(), OpenCode(), Aider())
