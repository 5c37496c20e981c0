"""Patches as data: which files a patch names, where, and what an added file holds.

Two grammars: `*** Begin Patch` (Add, Update, Delete File, Move to) and unified diffs (`--- a/x`, `+++ b/x`, hunks).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from muniment.model.event import Span

_HEADER = re.compile(r"\*\*\* (Add File|Update File|Delete File|Move to): (\S[^\n]{0,4095})")
_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_PREFIXES = ("a/", "b/")
_NOWHERE = "/dev/null"


class Change(StrEnum):
    """What a patch does to a file."""

    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"


_CHANGES = {"Add File": Change.ADD, "Update File": Change.UPDATE, "Delete File": Change.DELETE}


@dataclass(slots=True)
class FileChange:
    """One file of a patch: the span of its path, of the path it moves to, and the whole content when it is given."""

    change: Change
    path: Span
    to: Span | None = None
    content: str | None = None

    @property
    def after(self) -> Span:
        """The path under which the file stands afterwards."""
        return self.to or self.path


def changes(text: str, base: int) -> list[FileChange]:
    """The files that the patch names, in its order; spans are moved by `base`."""
    lines = list(_lines(text, base))
    if any(line.startswith("*** Begin Patch") or _HEADER.match(line) for line, _ in lines):
        return _grammar(lines)
    return _unified(lines)


def _lines(text: str, base: int) -> Iterator[tuple[str, int]]:
    for line in text.split("\n"):
        yield line.removesuffix("\r"), base
        base += len(line) + 1


def _grammar(lines: list[tuple[str, int]]) -> list[FileChange]:
    found: list[FileChange] = []
    for line, start in lines:
        header = _HEADER.match(line)
        if header is not None:
            _open_file(found, header, start)
        elif found and found[-1].change is Change.ADD and not line.startswith("***"):
            _add_line(found[-1], line)
    return found


def _open_file(found: list[FileChange], header: re.Match[str], start: int) -> None:
    place = Span(start + header.start(2), start + header.start(2) + len(header[2].rstrip()))
    if header[1] != "Move to":
        change = _CHANGES[header[1]]
        found.append(FileChange(change, place, content="" if change is Change.ADD else None))
    elif found and found[-1].change is Change.UPDATE:
        found[-1].to = place


def _add_line(file: FileChange, line: str) -> None:
    """An added file is known in full as long as each of its lines begins with `+`."""
    if line.startswith("+") and file.content is not None:
        file.content += line[1:] + "\n"
    elif line:
        file.content = None


def _unified(lines: list[tuple[str, int]]) -> list[FileChange]:
    found: list[FileChange] = []
    old = new = 0
    for index, (line, start) in enumerate(lines):
        if old > 0 or new > 0:  # inside a hunk, where `--- x` is a removed line and no header
            old, new = old - (line[:1] != "+" and line[:1] != "\\"), new - (line[:1] != "-" and line[:1] != "\\")
        elif (hunk := _HUNK.match(line)) is not None:
            old, new = int(hunk[1] or 1), int(hunk[2] or 1)
        elif line.startswith("+++ ") and index and lines[index - 1][0].startswith("--- "):
            found.extend(_headers(lines[index - 1], (line, start)))
    return found


def _headers(minus: tuple[str, int], plus: tuple[str, int]) -> Iterator[FileChange]:
    old, new = _path(*minus), _path(*plus)
    if old[0] == _NOWHERE and new[0] != _NOWHERE:
        yield FileChange(Change.ADD, new[1])
    elif new[0] == _NOWHERE and old[0] != _NOWHERE:
        yield FileChange(Change.DELETE, old[1])
    elif old[0] != _NOWHERE:
        yield FileChange(Change.UPDATE, old[1], new[1] if new[0] != old[0] else None)


def _path(line: str, start: int) -> tuple[str, Span]:
    written = line[4:].split("\t", maxsplit=1)[0].rstrip()
    skip = 2 if written.startswith(_PREFIXES) else 0
    return written[skip:], Span(start + 4 + skip, start + 4 + len(written))
