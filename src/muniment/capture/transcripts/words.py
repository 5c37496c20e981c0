"""The words of a user's turn and whose they are. Harnesses, editors, hooks and other agents speak in that role too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from muniment.model.event import Kind, Origin, Role

Who: TypeAlias = tuple[Role, Origin, Kind]

PROMPT: Who = (Role.USER, Origin.PERSON, Kind.PROMPT)
COMMAND: Who = (Role.USER, Origin.PERSON, Kind.COMMAND)
NOTE: Who = (Role.HARNESS, Origin.HARNESS, Kind.NOTE)

# What the harness, the editor, hooks and we put into a user's turn, each between two tags of that name.
_INJECTED = re.compile(
    r"<(system-reminder|ide_\w+|local-command-\w+|bash-std\w+|user-prompt-submit-hook|post-tool-use-hook|"
    r"task-notification|new-diagnostics|user-memory-input|session-start-hook|command-contents|muniment[\w-]*)(?=[\s>])"
)


class Spoken(NamedTuple):
    """The words of a user's turn and whose they are; `own` where the turn starts a background session of ours."""

    who: Who
    text: str
    flags: tuple[str, ...] = ()
    own: bool = False


def without_injected(text: str, tags: re.Pattern[str] = _INJECTED) -> Iterable[str]:
    """What is left of a piece of text without the passages that others put in, each between two of `tags`.

    A passage reaches to the *last* end tag of its name: one that comes earlier may be part of what was put in, and
    words after it would pass for the person's.
    """
    while found := tags.search(text):
        if before := text[: found.start()].rstrip():
            yield before
        end = text.rfind(f"</{found[1]}>", found.end())
        text = text[end + len(found[1]) + 3 :].lstrip() if end >= 0 else ""
    if text:
        yield text
