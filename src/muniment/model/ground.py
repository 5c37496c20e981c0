"""Which ground a folder stands on: the one derivation of a workspace's id, by the operating system's own calls alone.

`scope` gives it a type. What hooks run has no time for more than this, so nothing costly may be imported here.
"""

from __future__ import annotations

import os
import sys

from blake3 import blake3

MARKER = ".muniment"
_ID_LENGTH = 16


def ground(folder: str) -> tuple[str, str, str, bool]:
    """(id, root, name, is anchored) of an existing folder: its repository's common git directory, else a marked ancestor,
    else itself."""
    path = os.path.realpath(folder)
    around = list(_with_parents(path))
    for candidate in around:
        common = _common_git_dir(candidate)
        if common is not None:
            return _id(common), candidate, os.path.basename(candidate) or candidate, True
    for candidate in around:
        if os.path.exists(os.path.join(candidate, MARKER)):
            return _id(candidate), candidate, os.path.basename(candidate) or candidate, True
    return _id(path), path, os.path.basename(path) or path, False


def digest(text: str) -> str:
    """A short name for any text: 16 hexadecimal digits of BLAKE3."""
    return blake3(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_LENGTH]


def _with_parents(path: str) -> list[str]:
    found = [path]
    while (parent := os.path.dirname(path)) != path:
        found.append(parent)
        path = parent
    return found


def _common_git_dir(folder: str) -> str | None:
    git = os.path.join(folder, ".git")
    try:
        if os.path.isdir(git):
            return os.path.realpath(git) if os.path.exists(os.path.join(git, "HEAD")) else None
        if os.path.isfile(git):
            return _linked_git_dir(folder, git)
        is_bare = os.path.isfile(os.path.join(folder, "HEAD")) and all(
            os.path.isdir(os.path.join(folder, name)) for name in ("objects", "refs")
        )
    except OSError:
        return None
    return folder if is_bare else None


def _linked_git_dir(folder: str, git: str) -> str | None:
    """A work tree or submodule: `.git` is a file that names the git directory, which may name a common one."""
    text = _text(git)
    if not text.startswith("gitdir:"):
        return None
    target = os.path.realpath(os.path.join(folder, text.removeprefix("gitdir:").strip()))
    common = os.path.join(target, "commondir")
    if os.path.isfile(common):
        target = os.path.realpath(os.path.join(target, _text(common)))
    return target if os.path.isdir(target) else None


def _text(path: str) -> str:
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace").strip()


def _id(path: str) -> str:
    """First 16 hexadecimal digits of BLAKE3 over the canonical bytes of the path."""
    text = os.path.realpath(path)
    if sys.platform == "win32":
        text = os.path.normcase(text)
    return blake3(os.fsencode(text)).hexdigest()[:_ID_LENGTH]
