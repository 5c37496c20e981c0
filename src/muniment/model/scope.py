"""The one function that derives the scope: which workspace a folder belongs to."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from blake3 import blake3

MARKER = ".muniment"
_ID_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Workspace:
    """One project. `root` is the work tree's top folder (paths are keyed relative to it); the id names the store."""

    id: str
    root: str
    name: str
    is_anchored: bool
    """True if a repository or a marker file fixes it, False if it is just that folder."""


def workspace_of(folder: str | Path) -> Workspace:
    """The workspace of an existing folder: its repository's common git directory, else a marked ancestor, else itself."""
    path = Path(os.path.realpath(folder))
    for candidate in (path, *path.parents):
        common = _common_git_dir(candidate)
        if common is not None:
            return Workspace(_id(common), str(candidate), candidate.name or str(candidate), True)
    for candidate in (path, *path.parents):
        if (candidate / MARKER).exists():
            return Workspace(_id(candidate), str(candidate), candidate.name or str(candidate), True)
    return Workspace(_id(path), str(path), path.name or str(path), False)


def workspace_of_record(cwd: str | None) -> Workspace | None:
    """The workspace of a folder that a transcript names, or None if that folder tells nothing on this machine.

    A folder that is gone still belongs to the repository or marked folder around it.
    """
    if not cwd or not os.path.isabs(cwd):
        return None
    path = Path(cwd)
    if _is_dir(path):
        return workspace_of(path)
    around = next((p for p in path.parents if _is_dir(p)), None)
    found = workspace_of(around) if around is not None else None
    return found if found is not None and found.is_anchored else None


def _is_dir(path: Path) -> bool:
    """A name that no file system takes (too long, a NUL in it) is no folder, and neither is one that we may not see."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _common_git_dir(folder: Path) -> Path | None:
    git = folder / ".git"
    try:
        if git.is_dir():
            return Path(os.path.realpath(git)) if (git / "HEAD").exists() else None
        if git.is_file():
            return _linked_git_dir(folder, git)
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir():
            return folder
    except OSError:
        return None
    return None


def _linked_git_dir(folder: Path, git: Path) -> Path | None:
    """A work tree or submodule: `.git` is a file that names the git directory, which may name a common one."""
    text = git.read_text(encoding="utf-8", errors="replace").strip()
    if not text.startswith("gitdir:"):
        return None
    target = Path(os.path.realpath(folder / text.removeprefix("gitdir:").strip()))
    common = target / "commondir"
    if common.is_file():
        target = Path(os.path.realpath(target / common.read_text(encoding="utf-8", errors="replace").strip()))
    return target if target.is_dir() else None


def _id(path: Path) -> str:
    """First 16 hexadecimal digits of BLAKE3 over the canonical bytes of the path."""
    text = os.path.realpath(path)
    if sys.platform == "win32":
        text = os.path.normcase(text)
    return blake3(os.fsencode(text)).hexdigest()[:_ID_LENGTH]
