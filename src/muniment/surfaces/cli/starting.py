"""`run HARNESS ...`: what the harness is shown is rendered anew, then it is started in our place."""

from __future__ import annotations

import os
import shutil
import subprocess

from muniment.errors import NotFoundError
from muniment.harness import registry
from muniment.surfaces.cli import output, refreshing
from muniment.surfaces.cli.invocation import Invocation


def run(run: Invocation) -> int:
    """Start it; its exit code is ours."""
    (harness,) = registry.named([run.words.harness])
    program = next((path for name in harness.programs if (path := shutil.which(name))), None)
    if program is None:
        names = " or ".join(harness.programs) or "it"
        hint = (
            "install it, or add its folder to the PATH" if harness.programs else "it is a part of an editor: start that"
        )
        raise NotFoundError(f"{names} is not on the PATH", hint=hint, about=harness.name)
    refreshing.after(run)
    run.close()
    output.close()
    words = [program, *run.words.arguments]
    if os.name == "posix":
        os.execv(program, words)  # noqa: S606 - the person named it
    return subprocess.run(words, check=False).returncode
