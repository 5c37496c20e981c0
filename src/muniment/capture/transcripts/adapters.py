"""Every adapter, in the order in which a file is offered to them."""

from __future__ import annotations

from functools import cache

from muniment.capture.transcripts.contract import Adapter


@cache
def adapters() -> tuple[Adapter, ...]:
    """All harnesses that can be read. Imported when first asked for: hooks and questions never need them."""
    from muniment.capture.transcripts.aider import Aider
    from muniment.capture.transcripts.antigravity import Antigravity
    from muniment.capture.transcripts.auggie import Auggie
    from muniment.capture.transcripts.claude_code import ClaudeCode
    from muniment.capture.transcripts.cline import Cline, KiloCode, RooCode
    from muniment.capture.transcripts.codex import Codex
    from muniment.capture.transcripts.continue_dev import Continue
    from muniment.capture.transcripts.copilot_cli import CopilotCli
    from muniment.capture.transcripts.crush import Crush
    from muniment.capture.transcripts.cursor import CursorEditor
    from muniment.capture.transcripts.gemini import GeminiCli, TabnineCli
    from muniment.capture.transcripts.goose import Goose
    from muniment.capture.transcripts.opencode import Kilo, OpenCode
    from muniment.capture.transcripts.qwen import IFlow, QwenCode
    from muniment.capture.transcripts.trae import Trae, TraeCli
    from muniment.capture.transcripts.vscode_copilot import VisualStudioCopilot, VsCodeCopilot
    from muniment.capture.transcripts.windsurf import Windsurf
    from muniment.capture.transcripts.zed import Zed

    # Those that could be taken for a relative stand before it.
    return (
        IFlow(), TraeCli(), ClaudeCode(), Codex(), CopilotCli(), OpenCode(), Kilo(),
        Aider(), Antigravity(), Auggie(), Cline(), Continue(), Crush(), CursorEditor(), GeminiCli(), Goose(), KiloCode(),
        QwenCode(), RooCode(), TabnineCli(), Trae(), VisualStudioCopilot(), VsCodeCopilot(), Windsurf(), Zed(),
    )  # fmt: skip
