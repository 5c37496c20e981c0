"""Files that show what is remembered, rendered again after a command that may have changed it."""

from __future__ import annotations

import os

from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

_FILE = os.path.join("setup", "views.json")
_RULES = os.path.join("setup", "rules.json")


def after(run: Invocation) -> None:
    """Render them again if there are any: one look at the disk otherwise."""
    if os.path.exists(os.path.join(run.config.home, _FILE)):
        render(run)
    if os.path.exists(os.path.join(run.config.home, _RULES)) and run.words.command != "rules":
        from muniment.surfaces.cli import ruling

        ruling.again(run)


def render(run: Invocation) -> None:
    """Render the files of this workspace again, and say which were edited by hand and left alone."""
    from muniment.harness import views

    for each in views.refresh(str(run.config.home), run.engine.workspace.id, lambda: remembered(run)):
        if each.what == "left":
            output.say(f"muniment: {each.path} was not rendered again: {each.why}")


def remembered(run: Invocation) -> str:
    """The wake view; empty where nothing is remembered. An error of the store is none of "nothing"."""
    from muniment.engine import viewing
    from muniment.errors import NotFoundError

    try:
        return viewing.wake(run.engine)
    except NotFoundError:
        return ""
