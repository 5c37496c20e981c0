"""The one function that derives the scope: which workspace a folder belongs to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from muniment.model.ground import MARKER, ground

__all__ = ["MARKER", "Workspace", "workspace_of", "workspace_of_record", "workspace_of_store"]


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
    return Workspace(*ground(os.fspath(folder)))


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


def workspace_of_store(id: str) -> Workspace:
    """The workspace that a store is named by, where nothing is known of it but that: it has no folder and no name."""
    return Workspace(id, "", "", False)


def _is_dir(path: Path) -> bool:
    """A name that no file system takes (too long, a NUL in it) is no folder, and neither is one that we may not see."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
