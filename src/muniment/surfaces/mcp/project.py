"""Whose memory is served where nobody says so: that of the folder we are started in, unless that is our own plugin.

Clients of Agent Plugins start a plugin's servers in the plugin's folder. The project is then the folder that the harness
works in: it says so in a variable, or has it as its own folder, or was started there by a shell.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from muniment.engine.ancestry import Ancestor, ancestors, harness_of
from muniment.errors import NotFoundError

_MANIFESTS = ("plugin.json", "gemini-extension.json", "manifest.json")
_SAYING = ("CLAUDE_PROJECT_DIR", "COPILOT_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "WORKSPACE_FOLDER")
"""Variables in which harnesses name the folder of the project to what they start."""


def here(folder: str, variables: Mapping[str, str], around: Iterable[Ancestor] | None = None) -> str:
    """The folder of the project for a server that was started in `folder`.

    NotFoundError where that is our plugin's own folder and nothing tells of another.
    """
    if not is_plugin(folder):
        return folder
    for place in _places(variables, ancestors() if around is None else around):
        if os.path.isabs(place) and os.path.isdir(place) and not is_plugin(place):
            return place
    message = "started in the folder of its plugin, and nothing tells which project is meant"
    raise NotFoundError(message, hint='give the server its folder: "args": ["mcp", "-C", "/the/project"]', about=folder)


def is_plugin(folder: str) -> bool:
    """Is this a folder that `export plugin` writes?"""
    for name in _MANIFESTS:
        try:
            manifest = json.loads((Path(folder) / name).read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(manifest, dict) and manifest.get("name") == "muniment":
            return True
    return False


def _places(variables: Mapping[str, str], around: Iterable[Ancestor]) -> Iterator[str]:
    yield from (variables[name] for name in _SAYING if variables.get(name))
    for ancestor in around:
        if harness_of(ancestor.name, ancestor.arguments) is not None:
            try:
                yield os.readlink(f"/proc/{ancestor.pid}/cwd")
            except OSError:
                continue
    if variables.get("PWD"):
        yield variables["PWD"]  # of the shell that started the harness, which starts us in another folder without one
