"""The machine as this process finds it, and how others start our programs on it."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from muniment import config
from muniment.harness.contract import Commands, Machine, Site
from muniment.surfaces.cli.invocation import Invocation

_HOOK = os.path.join("surfaces", "hook", "main.py")


def machine() -> Machine:
    """Home, platform, variables, and the programs on the PATH."""
    return Machine(str(Path.home()), sys.platform, os.environ, shutil.which)


def commands(run: Invocation) -> Commands:
    """Our hook in the form that starts quickest, and our tool server; both with the home folder, if it is not the usual one."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    hook = [sys.executable, "-S", "-E", "-s", os.path.join(package, _HOOK)]
    program = os.path.join(os.path.dirname(sys.executable), "muniment.exe" if os.name == "nt" else "muniment")
    server = [program] if os.path.exists(program) else [sys.executable, "-P", "-m", "muniment"]
    home = unusual_home(run)
    if home is not None:
        hook = [*_with_home(home), *hook]
        server += ["--home", home]
    return Commands(tuple(hook), (*server, "mcp"), sys.platform)


def unusual_home(run: Invocation) -> str | None:
    """The home folder, if programs that are started without our variables would not find it."""
    usual = config.data_folder(os.environ, Path.home(), sys.platform)
    return None if run.config.home == usual else str(run.config.home)


def _with_home(home: str) -> list[str]:
    """A hook is told its home by a variable; where there is no program that sets one, the person has to."""
    return ["/usr/bin/env", f"MUNIMENT_HOME={home}"] if os.name == "posix" else []


def has_tools() -> bool:
    """Is what the tool server stands on installed?"""
    return find_spec("mcp") is not None


def site(run: Invocation, view: str) -> Site:
    """This machine, and the project around the folder; none in a folder that nothing marks as one, or in the person's home."""
    found = run.engine.workspace
    is_project = found.is_anchored and os.path.realpath(found.root) != os.path.realpath(Path.home())
    return Site(machine(), commands(run), found.root if is_project else None, view)
