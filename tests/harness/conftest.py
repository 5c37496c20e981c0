"""A person's home with settings files in it, and harnesses set up there without anything of this machine."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

import pytest

from muniment.harness import installing, planning, registry
from muniment.harness.contract import Commands, Machine, Part, Site

VIEW = '<muniment view="wake" workspace="p" at="2026-03-05 12:00" note="x">\n- one thing\n</muniment>\n'


class Place:
    """One person's machine: a home, a project in it, and a home of ours elsewhere."""

    def __init__(self, room: Path, name: str = "home") -> None:
        self.home = room / name
        self.project = self.home / "work" / "project"
        self.ours = room / "ours"
        self.project.mkdir(parents=True)
        (self.project / ".git" / "info").mkdir(parents=True)
        (self.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.variables: dict[str, str] = {}
        self.platform = "linux"

    def write(self, file: str, raw: bytes) -> Path:
        """Put a file into the home."""
        path = self.home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        return path

    def site(self, hook: str = "/opt/py thon/bin/python") -> Site:
        """As `init` would see it; another `hook` is another installation of ours."""
        machine = Machine(str(self.home), self.platform, self.variables, lambda _: None)
        script = "/opt/lib/muniment/surfaces/hook/main.py"
        commands = Commands((hook, "-S", script), ("/opt/bin/muniment", "mcp"), self.platform)
        return Site(machine, commands, str(self.project), VIEW)

    def plan(self, *names: str, site: Site | None = None, more: Iterable[Part] = ()) -> list[planning.Change]:
        """What setting up would change."""
        return planning.plan(registry.named(names), site or self.site(), more)

    def install(self, *names: str, site: Site | None = None, more: Iterable[Part] = ()) -> list[planning.Change]:
        """Set up; the changes that had an effect."""
        return installing.install(str(self.ours), self.plan(*names, site=site, more=more))

    def undo(self, *names: str) -> dict[str, str]:
        """Take back; what became of each file."""
        return {os.path.relpath(each.path, self.home): each.what for each in installing.undo(str(self.ours), names)}

    def snapshot(self) -> dict[str, tuple[object, ...]]:
        """Every file, folder and link of the home, with its bytes and mode."""
        found: dict[str, tuple[object, ...]] = {}
        for path in sorted(self.home.rglob("*")):
            there = path.lstat()
            kind = stat.S_IFMT(there.st_mode)
            held = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
            found[str(path.relative_to(self.home))] = (kind, None if path.is_symlink() else there.st_mode & 0o777, held)
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty home with a project."""
    return Place(tmp_path)
