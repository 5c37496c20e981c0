"""Where editors of the VS Code family and their extensions keep their data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from muniment.capture.transcripts.pieces import obj, word
from muniment.capture.transcripts.sections import load

_DASHES = re.compile(r"[^A-Za-z0-9]+")

CODE = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Trae", "Antigravity", "Kiro", "Positron")
"""Editors that run the extensions of others."""


def app_folder(home: Path, variables: Mapping[str, str], platform: str) -> Path:
    """Where a platform's programs keep their settings: `~/.config`, Application Support or `%APPDATA%`."""
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return Path(variables.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(variables.get("XDG_CONFIG_HOME") or home / ".config")


def data_folder(home: Path, variables: Mapping[str, str], platform: str) -> Path:
    """Where a platform's programs keep their data: `~/.local/share`, Application Support or `%LOCALAPPDATA%`."""
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return Path(variables.get("LOCALAPPDATA") or home / "AppData" / "Local")
    return Path(variables.get("XDG_DATA_HOME") or home / ".local" / "share")


def user_folders(
    home: Path, variables: Mapping[str, str], platform: str, editors: tuple[str, ...] = CODE
) -> Iterator[Path]:
    """The `User` folders of these editors, and those of their servers on a remote machine."""
    base = app_folder(home, variables, platform)
    for editor in editors:
        yield base / editor / "User"
    for server in (".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"):
        if editors is CODE:
            yield home / server / "data" / "User"


def workspace_of(folder: Path) -> str | None:
    """The folder that a `workspaceStorage/<hash>` folder is about."""
    return local_path(word(obj(load(folder / "workspace.json")).get("folder")))


def folder_named(slug: str) -> str | None:
    """The folder of this machine whose path, with dashes for all that is no letter or digit, gives this name."""
    drive = Path(f"{slug[:1]}:/")
    if slug[1:2] == "-" and slug[:1].isalpha() and drive.exists():
        return _below(drive, slug[2:])
    return _below(Path("/"), slug) if slug else None


def _below(folder: Path, slug: str) -> str | None:
    try:
        children = sorted(child for child in folder.iterdir() if child.is_dir())
    except OSError:
        return None
    for child in children:
        name = _DASHES.sub("-", child.name).strip("-")
        if name and slug == name:
            return str(child)
        found = _below(child, slug[len(name) + 1 :]) if name and slug.startswith(name + "-") else None
        if found is not None:
            return found
    return None


def local_path(uri: str | None) -> str | None:
    """The path in a `file:` address; a plain path as it is; nothing of another machine's."""
    if uri is None or "://" not in uri:
        return uri
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    path = unquote(parts.path)
    return path[1:] if path[2:3] == ":" and path.startswith("/") else path
