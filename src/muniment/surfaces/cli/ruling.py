"""`rules`: a section of an instruction file, shown first and written once a person said yes."""

from __future__ import annotations

import os
import sys

from muniment.engine.ruling import Ruler
from muniment.errors import NothingChangedError, ScopeError, UsageError
from muniment.harness import rulefile
from muniment.model.event import Origin
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation


def rules(run: Invocation) -> int:
    """Show the difference, ask, and write it."""
    words = run.words
    path = os.path.join(run.engine.workspace.root, words.file)
    if not words.dry_run:
        _demand_person(run)
    if words.off:
        return _off(run, path)
    given = rulefile.offer(Ruler(run.engine), path, words.leave, proposes=not words.dry_run)
    _demand_some(given, words.file)
    if words.dry_run or not words.yes:
        _show(run, given)
        if words.dry_run or not _agreed():
            return output.OK
    rulefile.accept(Ruler(run.engine), given)
    return _told(run, given)


def _demand_person(run: Invocation) -> None:
    origin = run.caller().origin
    if origin != Origin.PERSON:
        message = f"a caller of origin {origin} writes no rules: an always-loaded file is a person's"
        raise ScopeError(message, hint="let the person run `muniment rules`", about="rules")


def _demand_some(given: rulefile.Offer, file: str) -> None:
    if given.is_empty:
        waits = f"; {len(given.drawn.waiting)} more than a section holds" if given.drawn.waiting else ""
        raise NothingChangedError(f"{file} says already what holds{waits}", about=file)


def _show(run: Invocation, given: rulefile.Offer) -> None:
    if run.json and run.words.dry_run:
        output.record({"path": given.path, "difference": given.difference, "waiting": len(given.drawn.waiting)})
        return
    for line in given.difference.splitlines():
        (output.line if run.words.dry_run else output.say)(line)


def _agreed() -> bool:
    if not sys.stdin.isatty():
        raise UsageError(
            "nobody can be asked here; nothing was written", hint="--yes, after a look at --dry-run", about="rules"
        )
    sys.stderr.write("Write this? It is in front of every session from then on. [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    output.say("nothing was written")
    return False


def _told(run: Invocation, given: rulefile.Offer) -> int:
    drawn = given.drawn
    if run.json:
        output.record({"path": given.path, "ids": list(drawn.state.ids), "proposals": list(drawn.proposals)})
        return output.OK
    output.line(f"written\t{given.path}\t{len(drawn.state.ids)} rules")
    for proposal in drawn.proposals:
        output.line(f"proposed\t{proposal}")
    if drawn.waiting:
        output.say(f"muniment: {len(drawn.waiting)} more hold than a section has room for")
    return output.OK


def _off(run: Invocation, path: str) -> int:
    if not rulefile.drop(Ruler(run.engine), path):
        raise NothingChangedError(f"{run.words.file} has no section of remembered rules", about=run.words.file)
    if run.json:
        output.record({"path": path, "ids": [], "proposals": []})
    else:
        output.line(f"taken out\t{path}")
    return output.OK


def again(run: Invocation) -> None:
    """Render the files again that a person accepted, and tell what a person should know of it."""
    for each in rulefile.refresh(Ruler(run.engine)):
        if each.what == "left":
            output.say(f"muniment: {each.path} was not rendered again: {each.why}")
        for proposal in each.proposals:
            output.say(f"muniment: a line written into {each.path} waits as proposal {proposal} (muniment review)")
        if each.waiting:
            s = "s" * (each.waiting != 1)
            output.say(f"muniment: {each.waiting} rule{s} could go into {each.path} (muniment rules --dry-run)")
