"""What would have to change for a harness to remember: worked out whole, and checked, before a byte is written."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from muniment.errors import RefusedError
from muniment.harness import editing, files
from muniment.harness.contract import MARK, Harness, Item, Mark, Member, Own, Part, Site, is_our_server
from muniment.harness.texts.form import Unreadable
from muniment.harness.texts.splice import Splice, applied

Wanted = tuple[str, Part]
"""The harness's name, and a part of it."""


@dataclass(slots=True)
class Change:
    """One file: as it is, as it would be, and by which steps. Nothing changes where `after` is what is there."""

    shown: str
    settings: files.Settings
    after: bytes
    parts: list[Wanted] = field(default_factory=list)
    steps: list[Splice] = field(default_factory=list)
    made: list[editing.Place] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        """Would the file be made?"""
        return self.settings.raw is None

    @property
    def changes(self) -> bool:
        """Is there anything to write?"""
        return self.after != self.settings.raw


def plan(chosen: Iterable[Harness], site: Site, more: Iterable[Part] = (), *, with_tools: bool = True) -> list[Change]:
    """The changes that set these harnesses up, a file each; without the tool server where it could not start.

    RefusedError, with file and place, if one cannot be made.
    """
    wanted = [(each.name, part) for each in chosen for part in each.parts(site) if with_tools or not is_server(part)]
    wanted += [(MARK, part) for part in (*more, *_unseen_by_git(wanted, site))]
    changes: dict[str, Change] = {}
    for name, part in wanted:
        path = os.path.realpath(part.file)
        if path not in changes:
            settings = files.read(part.file)
            changes[path] = Change(part.file, settings, settings.raw or b"")
        _add(changes[path], name, part)
    for change in changes.values():
        if change.changes:
            files.demand_writable(change.settings, change.shown)
    return list(changes.values())


def is_server(part: Part) -> bool:
    """Does the part register our tool server?"""
    if isinstance(part, Member):
        return part.path[-1] == MARK
    return isinstance(part, Item) and is_our_server(part.value)


def told(change: Change) -> list[str]:
    """The change for a person: lines that go and lines that come, with their places, and nothing of what stands around them.

    What stands around may hold keys that are nobody's to print.
    """
    if change.settings.raw is None or any(isinstance(part, Own) for _, part in change.parts):
        return _whole(change)
    lines, text = [], change.settings.text
    for step in change.steps:
        lines.append(f"@@ line {text.count(chr(10), 0, step.start) + 1} @@")
        lines += [f"-{line}" for line in step.removed.splitlines() if line.strip()]
        lines += [f"+{line}" for line in step.inserted.splitlines() if line.strip()]
        text = applied(text, [step])
    return lines


def _whole(change: Change) -> list[str]:
    before = (change.settings.raw or b"").decode("utf-8", "replace").splitlines()
    after = change.after.decode("utf-8").splitlines()
    return [
        line
        for line in difflib.unified_diff(before, after, lineterm="", n=0)
        if not line.startswith(("---", "+++"))
    ]  # fmt: skip


def _add(change: Change, name: str, part: Part) -> None:
    change.parts.append((name, part))
    if isinstance(part, Own):
        _demand_ours(change, part)
        change.after = part.text.encode("utf-8")
        return
    text = change.settings.text if not change.steps else _text(change)
    try:
        steps, made = editing.put(change.shown, text, part)
        after = applied(text, steps)
        if steps:
            editing.says(change.shown, after)
    except Unreadable as error:
        raise _refused(change.shown, error) from error
    change.steps += steps
    change.made += [place for place in made if place not in change.made]
    if steps:
        change.after = change.settings.encoded(after)


def _text(change: Change) -> str:
    return change.after.removeprefix(b"\xef\xbb\xbf").decode("utf-8")


def _demand_ours(change: Change, part: Own) -> None:
    """A file of that name that somebody else wrote stays."""
    if change.settings.raw is not None and MARK not in change.settings.text:
        hint = f"move it away, or leave {os.path.basename(part.file)} to whom it belongs; nothing was written"
        raise RefusedError(f"{part.file} is there, and not from us", hint=hint, about=part.file)


def _refused(file: str, error: Unreadable) -> RefusedError:
    where = f"{file}: line {error.line}, column {error.column}: {error.why}"
    hint = "mend it by hand, or leave that harness out (--harness names those to set up); nothing was written"
    return RefusedError(where, hint=hint, about=file)


def _unseen_by_git(wanted: Sequence[Wanted], site: Site) -> list[Part]:
    """What is remembered is for this machine alone: git is told, in the list that it does not share, to leave out views and
    the files that are made for them."""
    folder = _git_folder(site.root) if site.root else None
    if site.root is None or folder is None:
        return []
    inside = [(part.file, part) for _, part in wanted if part.file.startswith(os.path.join(site.root, ""))]
    paths = [file for file, part in inside if (isinstance(part, Own) and part.is_view) or not os.path.lexists(file)]
    lines = ["/" + os.path.relpath(file, site.root).replace(os.sep, "/") for file in paths]
    return [Mark(os.path.join(folder, "info", "exclude"), line) for line in dict.fromkeys(lines)]


def _git_folder(root: str) -> str | None:
    """The folder that all work trees of a repository share; None where there is no repository."""
    git = os.path.join(root, ".git")
    if os.path.isdir(git):
        return git
    told = _line(git)
    if not told.startswith("gitdir:"):
        return None
    folder = os.path.join(root, told.removeprefix("gitdir:").strip())
    common = _line(os.path.join(folder, "commondir"))
    return os.path.realpath(os.path.join(folder, common)) if os.path.isdir(folder) else None


def _line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""
