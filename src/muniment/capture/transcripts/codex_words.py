"""Who says what in the user's messages of Codex: the person, or those who put text before the model in that role."""

from __future__ import annotations

import re
from typing import Any

from muniment.capture.transcripts.contract import OWN_MARK, OWN_SESSION
from muniment.capture.transcripts.pieces import is_own, items, texts
from muniment.capture.transcripts.words import COMMAND, NOTE, PROMPT, Spoken, without_injected
from muniment.model.event import TextBuilder

_INJECTED = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<permissions instructions>",
    "<skills_instructions>",
    "<skill>",
    "<subagent_notification>",
    "<collaboration_mode>",
    "<user_action>",
    "<model_switch>",
    "<hook_context",
    "Another language model started to solve this problem",
)
_ABORTED = "<turn_aborted>"
_SHELL = re.compile(r"\s*<user_shell_command>\s*<command>\s*(.*?)\s*</command>", re.DOTALL)
_EDITOR, _REQUEST = "# Context from my IDE setup:", "## My request for Codex:\n"
_PERSON = "user."


def heard(content: Any, labels: Any) -> Spoken:
    """Whose words a message in the user's role holds. Newer versions label each part; else the text tells."""
    parts = items(content)
    kinds = labels if isinstance(labels, list) and len(labels) == len(parts) else [None] * len(parts)
    pieces = [(text, kind) for part, kind in zip(parts, kinds, strict=True) for text in texts([part])]
    whole = "\n".join(text for text, _ in pieces)
    begin = whole[:64].lstrip()
    if begin.startswith(OWN_SESSION):
        return Spoken(NOTE, whole, own=True)
    if begin.startswith(_ABORTED):
        return Spoken(NOTE, whole, ("interrupted",))
    if typed := _SHELL.match(whole):
        return Spoken(COMMAND, typed[1])
    into = TextBuilder()
    for text, kind in pieces:
        for own in _persons(text, kind):
            into.add(own)
    if any(part.strip() for part in into.parts):
        return Spoken(PROMPT, into.text)
    return Spoken(NOTE, whole, ("injected",) if pieces else ())


def _persons(text: str, kind: Any) -> tuple[str, ...]:
    """The person's words in one part of a message."""
    if isinstance(kind, str) and kind != "unknown" and not kind.startswith(_PERSON):
        return ()
    if is_own(text):
        return ()
    if not (isinstance(kind, str) and kind.startswith(_PERSON)):
        if text.lstrip().startswith(_INJECTED):
            return ()
        if text.startswith(_EDITOR):
            # The editor's context may quote such a heading from a file: the person's words are behind the last one.
            _, found, asked = text.rpartition(_REQUEST)
            return (asked,) if found else ()
    return tuple(without_injected(text)) if OWN_MARK in text else (text,)
