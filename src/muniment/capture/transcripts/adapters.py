"""Every adapter, in the order in which a file is offered to them."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from muniment.capture.transcripts.contract import Adapter

# Module and class. Those that could be taken for a relative stand before it.
_READERS = """
qwen.IFlow trae.TraeCli claude_code.ClaudeCode codex.Codex copilot_cli.CopilotCli opencode.OpenCode opencode.Kilo

aider.Aider amp.Amp antigravity.Antigravity auggie.Auggie chat_exports.ChatGptExport chat_exports.ClaudeAiExport cline.Cline
continue_dev.Continue crush.Crush cursor.CursorEditor deepseek_harness.DeepSeekHarness factory_droid.FactoryDroid
forgecode.ForgeCode gemini.GeminiCli goose.Goose gptme.Gptme grok_build.GrokBuild hermes.Hermes junie.Junie cline.KiloCode
kimi_cli.KimiCli kiro_cli.KiroCli letta_code.LettaCode mistral_vibe.MistralVibe mux.Mux openclaw.OpenClaw
openhands.OpenHands pi.Pi qoder.Qoder qwen.QwenCode cline.RooCode rovodev.RovoDev gemini.TabnineCli trae.Trae
vscode_copilot.VisualStudioCopilot vscode_copilot.VsCodeCopilot warp.Warp windsurf.Windsurf zed.Zed
"""


@cache
def adapters() -> tuple[Adapter, ...]:
    """All harnesses that can be read. Imported when first asked for: hooks and questions never need them."""
    return tuple(_made(*each.split(".")) for each in _READERS.split())


def _made(module: str, name: str) -> Adapter:
    made: Adapter = getattr(import_module(f"muniment.capture.transcripts.{module}"), name)()
    return made
