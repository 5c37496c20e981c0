"""Files that show what is remembered: rendered again whenever that changed, and left alone once somebody edits them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass

from muniment.errors import MunimentError
from muniment.harness import files
from muniment.harness.contract import Own
from muniment.harness.planning import Change

_FILE = os.path.join("setup", "views.json")
NOTE = "<!-- muniment: written by `muniment init`, rendered again when what is remembered changes; do not edit -->\n"
NOTHING = "Nothing is remembered of this project yet.\n"
_TIME = re.compile(r'(<muniment [^>]*?) at="[^"]*"')


@dataclass(slots=True)
class View:
    """One rendered file: of which workspace, what stands before the text, and the digest of what we last wrote."""

    path: str
    workspace: str
    root: str
    harness: str
    head: str
    written: str


def exist(home: str) -> bool:
    """Is there any file to render? One look at the disk, for commands that have to be quick."""
    return os.path.exists(os.path.join(home, _FILE))


def load(home: str) -> list[View]:
    """All rendered files that are known of."""
    try:
        with open(os.path.join(home, _FILE), "rb") as file:
            return [View(**each) for each in json.loads(file.read())["views"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # they can be written again by `init`; a command must not fail for them


def save(home: str, found: Iterable[View]) -> None:
    """Replace the list; where nothing is left, it goes."""
    path, views = os.path.join(home, _FILE), list(found)
    if not views:
        files.remove(path, [os.path.dirname(path), home])
        return
    told = {"v": 1, "views": [asdict(each) for each in views]}
    now = files.read(path)
    files.replace(now.path, json.dumps(told, ensure_ascii=False, indent=1).encode(), 0o600, now.raw)


def body(text: str) -> str:
    """What is put into a file: the note, and what is remembered."""
    return NOTE + (text or NOTHING)


def remember(home: str, changes: Iterable[Change], workspace: str, root: str) -> None:
    """Keep word of the views among these changes, so that they are rendered again."""
    known = {view.path: view for view in load(home)}
    for change in changes:
        for name, part in change.parts:
            if isinstance(part, Own) and part.is_view:
                path = change.settings.path
                known[path] = View(path, workspace, root, name, part.head, files.digest(change.after))
    save(home, known.values())


def is_view(change: Change) -> bool:
    """Is the file one that shows what is remembered?"""
    return any(isinstance(part, Own) and part.is_view for _, part in change.parts)


def kept(home: str, changes: list[Change]) -> list[Change]:
    """The changes, but for views that say the same already, and for those that somebody edited: they are left as they are."""
    written = {view.path: view.written for view in load(home)}
    for change in changes:
        raw, path = change.settings.raw, change.settings.path
        if raw is None or not is_view(change):
            continue
        is_edited = path in written and files.digest(raw) != written[path]
        if is_edited or _timeless(raw) == _timeless(change.after):
            change.after = raw
    return changes


def forget(home: str, paths: Iterable[str]) -> None:
    """Render these no more."""
    if exist(home):
        gone = {os.path.realpath(path) for path in paths}
        save(home, [view for view in load(home) if view.path not in gone])


@dataclass(frozen=True, slots=True)
class Rendered:
    """What became of one view: written, same, or left (why)."""

    path: str
    what: str
    why: str = ""


def refresh(home: str, workspace: str, render: Callable[[], str]) -> list[Rendered]:
    """Render the views of a workspace again; `render` is asked only if there are any. Nothing here raises: a view is a copy."""
    known = load(home)
    mine = [view for view in known if view.workspace == workspace]
    if not mine:
        return []
    try:
        text = body(render())
        found = [_again(view, (view.head + text).encode("utf-8")) for view in mine]
        if any(each.what == "written" for each in found):
            save(home, known)
    except MunimentError as problem:
        return [Rendered(view.path, "left", problem.message) for view in mine]
    return found


def _again(view: View, raw: bytes) -> Rendered:
    try:
        now = files.read(view.path)
        if now.raw is None and not os.path.isdir(view.root):
            return Rendered(view.path, "left", "the project is not there")
        if now.raw is not None and files.digest(now.raw) != view.written:
            return Rendered(view.path, "left", "it was edited by hand; delete it to have it written again")
        if now.raw is not None and _timeless(now.raw) == _timeless(raw):
            return Rendered(view.path, "same")
        files.replace(now.path, raw, now.mode, now.raw)
    except MunimentError as problem:
        return Rendered(view.path, "left", problem.message)
    view.written = files.digest(raw)
    return Rendered(view.path, "written")


def _timeless(raw: bytes) -> str:
    """The text without the moment of its rendering: a file that would say the same is not written."""
    return _TIME.sub(r"\1", raw.decode("utf-8", "replace"))
