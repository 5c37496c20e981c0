"""`init --undo`: every file as it was, and word of what is left."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence

from muniment.errors import NotFoundError
from muniment.harness import installing, lights, registry, views
from muniment.harness.turns import turn
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

_STORES = ("workspaces", "person", "spool", "journal", "cache.db", "config.toml")


def undo(run: Invocation) -> int:
    """Take back what `init` wrote, for the harnesses named or for all."""
    home = str(run.config.home)
    names = [each.name for each in registry.named(run.words.harness)]
    with contextlib.nullcontext() if run.words.print or not os.path.isdir(home) else turn(home):
        done = _undone(run, home, names)
    left = list(_left(home))
    _tell(run, done, left)
    return 1 if any(each.what == "left" and each.why != installing.EDITED for each in done) else output.OK


def _undone(run: Invocation, home: str, names: Sequence[str]) -> list[installing.Undone]:
    rendered = [view.written for view in views.load(home)]
    done = installing.undo(home, names, rendered=rendered, is_trial=run.words.print)
    if not done:
        about = ", ".join(names) or "init"
        raise NotFoundError(
            f"nothing of {about} is written down to be undone", hint="muniment init --print", about=about
        )
    if not run.words.print:
        views.forget(home, [each.path for each in done if each.what != "kept"])
        lights.forget(home, names or list(registry.HARNESSES))
    return done


def _tell(run: Invocation, done: Sequence[installing.Undone], left: Sequence[str]) -> None:
    if run.json:
        output.record(
            {"undone": not run.words.print, "files": [output.plain(each) for each in done], "left": list(left)}
        )
        return
    for each in done:
        output.line(f"{each.what:<9} {each.path}{f' ({each.why})' if each.why else ''}")
    for path in left:
        output.line(f"stays     {path}")
    if left:
        output.line("What is remembered was not touched; delete the home folder to be rid of it.")
    elif not any(each.what in ("left", "kept") for each in done):
        output.line("Nothing is left.")


def _left(home: str) -> Iterator[str]:
    """What of ours is still on this machine: the stores, and what hooks and readers left beside them."""
    for name in _STORES:
        if os.path.exists(path := os.path.join(home, name)):
            yield path
