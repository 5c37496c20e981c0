"""What a description of a harness says: how it is found, and what has to stand in which file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MARK = "muniment"
_FORWARD = str.maketrans("\\", "/")


@dataclass(frozen=True, slots=True)
class Machine:
    """The person's machine as plain values: nothing here looks at the environment by itself."""

    home: str
    platform: str
    variables: Mapping[str, str]
    find: Callable[[str], str | None]
    """Where a program of that name is on the PATH, if anywhere."""

    def at(self, *names: str) -> str:
        """A path below the person's home folder."""
        return os.path.join(self.home, *names)

    def moved(self, variable: str, *names: str) -> str:
        """The folder that a variable names, else that one below the home folder."""
        return self.variables.get(variable) or self.at(*names)

    def config(self, *names: str) -> str:
        """A path below the folder of settings that programs of the Unix kind use on every system."""
        given = self.variables.get("XDG_CONFIG_HOME", "")
        return os.path.join(given if os.path.isabs(given) else self.at(".config"), *names)

    def application(self, *names: str) -> str:
        """A path below the folder of settings that desktop programs use on this system."""
        if self.platform == "win32":
            base = self.variables.get("APPDATA") or self.at("AppData", "Roaming")
        elif self.platform == "darwin":
            base = self.at("Library", "Application Support")
        else:
            base = self.config()
        return os.path.join(base, *names)


@dataclass(frozen=True, slots=True)
class Commands:
    """How a harness starts our hook and our tool server: whole paths, as graphical programs have a bare PATH."""

    hook: tuple[str, ...]
    server: tuple[str, ...]
    platform: str

    def hook_words(self, harness: str, event: str = "") -> list[str]:
        """The hook's words for one harness, and one event where the harness does not name it."""
        return [*self.hook, harness, *([event] if event else [])]

    def hook_line(self, harness: str, event: str = "") -> str:
        """The same as one line for a shell."""
        words = self.hook_words(harness, event)
        if self.platform == "win32":
            return " ".join(f'"{w}"' if " " in w else w for w in (word.translate(_FORWARD) for word in words))
        return shlex.join(words)


def is_ours(value: Any) -> bool:
    """Is this a hook entry of ours: does a command in it start our hook?"""
    if isinstance(value, str):
        text = value.translate(_FORWARD)
        return "muniment-hook" in text or "muniment/surfaces/hook/main.py" in text
    if isinstance(value, Mapping):
        return any(is_ours(each) for each in value.values())
    return isinstance(value, Sequence) and any(is_ours(each) for each in value)


def is_our_server(value: Any) -> bool:
    """Is this item of a list our tool server?"""
    if isinstance(value, str):
        return any(line.strip().removeprefix("- ").replace('"', "") == "name: muniment" for line in value.splitlines())
    return isinstance(value, Mapping) and value.get("name") == MARK


# --- what stands in files


@dataclass(frozen=True, slots=True)
class Member:
    """`value` under these keys of a settings file."""

    file: str
    path: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Item:
    """`value` as an item of the list under these keys; an earlier version of it is known by what it starts or is called."""

    file: str
    path: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Mark:
    """One line in a file of text that belongs to the person."""

    file: str
    line: str


@dataclass(frozen=True, slots=True)
class Own:
    """A whole file of ours. `is_view`: it shows what is remembered, and is rendered again when that changes."""

    file: str
    text: str
    is_view: bool = False
    head: str = ""
    """Of a view: what stands before what is remembered."""


Part = Member | Item | Mark | Own


@dataclass(frozen=True, slots=True)
class Site:
    """For whom a harness is set up: the machine, our commands, and the project, if there is one."""

    machine: Machine
    commands: Commands
    root: str | None
    view: str = ""
    """What is remembered of the project, framed."""

    def server(self, **more: Any) -> dict[str, Any]:
        """The usual entry of a tool server, with what this harness wants beside it."""
        command, *arguments = self.commands.server
        return {"command": command, "args": arguments, **more}

    def project(self, *names: str) -> str:
        """A path below the project; only called where there is one."""
        return os.path.join(self.root or "", *names)

    def shown(self, path: str, head: str = "") -> list[Part]:
        """A file of the project that shows what is remembered; none where there is no project."""
        return [Own(self.project(path), head + self.view, True, head)] if self.root else []


@dataclass(frozen=True, slots=True)
class Harness:
    """One harness. `gives` says how it comes to know what is remembered before its first word:

    hook      by a hook's answer                     plugin   by an extension of ours that asks the hook
    file      by a file that is rendered again       tools    not before it asks, by our tools
    """

    name: str
    title: str
    programs: tuple[str, ...]
    folders: Callable[[Machine], Sequence[str]]
    parts: Callable[[Site], list[Part]]
    gives: str
    grounds: str
    """wire: what is given was seen in a request; fires: hooks run and are not shown; read: from documents, unproved."""
    notes: tuple[str, ...] = ()
    refused: str = ""
    """What is known not to work here, with the names of the reports; something else is written instead."""
    instructions: str = "AGENTS.md"
    """The file of the project that it reads by itself."""


@dataclass(frozen=True, slots=True)
class Found:
    """A harness on this machine, and what showed it."""

    harness: Harness
    signs: tuple[str, ...] = field(default_factory=tuple)


def look(harness: Harness, machine: Machine) -> Found | None:
    """The harness, if a program of it is on the PATH or a folder of it is there."""
    programs = [path for name in harness.programs if (path := machine.find(name))]
    folders = [folder for folder in harness.folders(machine) if os.path.exists(folder)]
    return Found(harness, (*programs, *folders)) if programs or folders else None
