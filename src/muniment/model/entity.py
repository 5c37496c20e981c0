"""Entities: what facts speak about, and how a path gets its key."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

KINDS = frozenset(
    "session agent person team org machine repo path commit symbol host tool run anchor rule decision question message"
    " page topic project".split()
)

_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")


class Entity(NamedTuple):
    """`(kind, key)`. The key `SELF` of kind session stands for the session in which the event is shown."""

    kind: str
    key: str


SELF = Entity("session", "")


def path_key(written: str, cwd: str | None, root: str | None) -> str:
    """The key of a path as written: relative to `root` if inside it, else absolute; always with forward slashes.

    Pure text work (no disk): `..` and `.` are folded, a relative path starts at `cwd`. A trailing slash is dropped.
    """
    path = _slashes(written.strip())
    if not _absolute(path) and cwd:
        path = posixpath.join(_slashes(cwd), path)
    path = posixpath.normpath(path) if path else "."
    path = path[1:] if path.startswith("//") else path
    if _DRIVE.match(path):
        path = path[0].upper() + path[1:]
    return _relative(path, root)


def _slashes(path: str) -> str:
    return path.replace("\\", "/") if _DRIVE.match(path) or path.startswith("\\\\") or "/" not in path else path


def _absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or bool(_DRIVE.match(path))


def _relative(path: str, root: str | None) -> str:
    if not root:
        return path
    root = posixpath.normpath(_slashes(root))
    if _DRIVE.match(root):
        root = root[0].upper() + root[1:]
    if path == root:
        return "."
    prefix = root if root.endswith("/") else root + "/"
    return path.removeprefix(prefix)
