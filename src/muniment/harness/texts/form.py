"""How a file is written: its line ends, its indent; and what is said of one that cannot be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

_INDENTED = re.compile(r"^([ \t]+)\S", re.MULTILINE)


class Unreadable(ValueError):
    """The text is not what its file's name says; `line` and `column` count from one."""

    def __init__(self, text: str, at: int, why: str) -> None:
        super().__init__(why)
        before = text[:at].replace("\r\n", "\n").replace("\r", "\n")
        self.line, self.column, self.why = before.count("\n") + 1, len(before) - before.rfind("\n"), why


@dataclass(frozen=True, slots=True)
class Form:
    """Line end, indent of one step, and whether colons and commas are followed by a blank."""

    newline: str = "\n"
    unit: str = "  "
    spaced: bool = True


def form_of(text: str) -> Form:
    """The form that a text has, or the usual one where it shows none."""
    crlf, bare = text.count("\r\n"), text.count("\n") - text.count("\r\n")
    indents = _INDENTED.findall(text)
    unit = min(indents, key=len) if indents else "  "
    packed = bool(re.search(r'[^\s]":\S', text)) and not re.search(r'":[ \t]', text)
    return Form("\r\n" if crlf > bare else "\n", "\t" if unit.startswith("\t") else unit, not packed)
