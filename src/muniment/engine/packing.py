"""The verb `export plugin`: folders that harnesses install, with the skill, the tools and the hooks, for this machine.

What lies in the package is the portable form: it names our programs and trusts the PATH. Written out it names this very
installation, because a program with windows starts its servers with a PATH that knows nothing. Agent Plugins allow no
absolute path for a server, so that one file keeps the name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath

from muniment.errors import ConflictError, NothingChangedError, UsageError

_MARK = PurePosixPath("plugin/plugin.json")
_LAUNCHER = PurePosixPath("plugin/hooks")
_SKILLS = PurePosixPath("plugin/skills")
_SERVED = (PurePosixPath("plugin/.claude-plugin/plugin.json"), PurePosixPath("gemini/gemini-extension.json"))
_PLACES = "launch.at"
_SKIPPED = frozenset({"__init__.py", "__pycache__"})
_LAUNCHERS = ("launch", "launch.cmd")


@dataclass(frozen=True, slots=True)
class Installation:
    """Where we are installed: the interpreter, and the file that it runs as our hook."""

    python: str
    hook: str


@dataclass(frozen=True, slots=True)
class PackReport:
    """What was written, by path below the folder."""

    files: tuple[str, ...]
    unchanged: int


def export_plugin(folder: Path, here: Installation) -> PackReport:
    """Write the folders `plugin` (Agent Plugins and Claude Code), `gemini` and `mcpb`, and a marketplace that names the first.

    Files of an earlier export are replaced. ConflictError if something else is in the folder, NothingChangedError if all
    of it is there already.
    """
    _demand_ours(folder)
    written = []
    wanted = dict(packed(here))
    for path, data in wanted.items():
        target = folder / path
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if path.name == _LAUNCHERS[0]:
                target.chmod(0o755)
            written.append(str(path))
    if not written:
        raise NothingChangedError(f"{folder} holds all of it already", hint="nothing to do", about=str(folder))
    return PackReport(tuple(sorted(written)), len(wanted) - len(written))


def packed(here: Installation | None = None) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Every file with its path; as it lies in the package where no installation is given."""
    for path, data in _shared(dict(_files(files("muniment.packs"), PurePosixPath()))):
        yield path, _served(data, here.python) if here is not None and path in _SERVED else data
        if here is not None and path.name == _LAUNCHERS[0]:
            yield path.with_name(_PLACES), f"{here.python}\n{here.hook}\n".encode()


def _shared(found: dict[PurePosixPath, bytes]) -> Iterator[tuple[PurePosixPath, bytes]]:
    """What lies there, and for the Gemini extension the launcher and the skill once more: an extension is one folder."""
    for path, data in sorted(found.items()):
        yield path, data
        is_launcher = path.parent == _LAUNCHER and path.name in _LAUNCHERS
        if is_launcher or path.is_relative_to(_SKILLS):
            yield PurePosixPath("gemini", *path.parts[1:]), data


def _files(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, bytes]]:
    for each in folder.iterdir():
        if each.name in _SKIPPED or each.name.endswith(".pyc"):
            continue
        if each.is_dir():
            yield from _files(each, path / each.name)
        else:
            yield path / each.name, each.read_bytes()


def _served(data: bytes, python: str) -> bytes:
    """A manifest whose server is started by this interpreter."""
    manifest = json.loads(data)
    manifest["mcpServers"]["muniment"] |= {"command": python, "args": ["-m", "muniment", "mcp"]}
    return json.dumps(manifest, indent=2, ensure_ascii=False).encode() + b"\n"


def _demand_ours(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file", hint="name a folder, or one that is to be made", about=str(folder))
    if not folder.exists() or not os.listdir(folder):
        return
    try:
        ours = json.loads((folder / _MARK).read_bytes())["name"] == "muniment"
    except (OSError, ValueError, KeyError, TypeError):
        ours = False
    if not ours:
        hint = "name an empty folder, one that is to be made, or one that was written before"
        raise ConflictError(f"{folder} holds something else", hint=hint, about=str(folder))
