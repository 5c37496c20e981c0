"""`init`: what each harness needs, shown, written, looked at, and taken back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from muniment.errors import NothingChangedError, RefusedError, UsageError
from muniment.harness import installing, layers, lights, planning, registry, views
from muniment.harness.contract import Found, Harness, Mark, Part, Site
from muniment.harness.editing import BEGIN, END
from muniment.harness.turns import turn
from muniment.surfaces.cli import lighting, machine, output, refreshing, trusting, undoing
from muniment.surfaces.cli.invocation import Invocation

LINE = (
    f"{BEGIN} What was decided, done or asked before in this project is remembered: ask the tools memory_search and"
    f" memory_query of muniment before you guess, and cite the receipt they give. {END}"
)
_RULES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md")


@dataclass(slots=True)
class Setup:
    """One run of `init`: what was found, what is chosen, what would change, and what is to be said about it."""

    site: Site
    found: list[Found]
    chosen: list[Harness]
    changes: list[planning.Change] = field(default_factory=list)
    layers: list[layers.Layer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def init(run: Invocation) -> int:
    """Set up the harnesses of this machine, or take that back."""
    if run.words.undo:
        return undoing.undo(run)
    if run.json and not (run.words.yes or run.words.print):
        raise UsageError("--json does not ask", hint="add --yes, or --print to see what would be written", about="init")
    setup = prepare(run)
    effective = [change for change in setup.changes if change.changes]
    if not run.json:
        _show(setup, effective)
    if run.words.print:
        return _told(run, setup, effective, [])
    if effective:
        _demand_consent(run, len(effective))
        with turn(str(run.config.home)):
            installing.install(str(run.config.home), setup.changes)
            _remember_views(run, setup)
    trusted = trusting.trust_in_codex(run, setup.chosen)
    how = _how(run, setup.chosen)
    lamps = lighting.look(run, setup.chosen, lambda: _plan(run, setup.site, setup.chosen), how)
    has_effect = bool(effective or trusted or how)
    if has_effect or not run.json:
        _told(run, setup, effective, lamps)
    if not has_effect:
        names = ", ".join(each.name for each in setup.chosen)
        raise NothingChangedError(f"already set up: {names}", hint="muniment doctor shows the lights", about="init")
    return output.OK


def prepare(run: Invocation) -> Setup:
    """Find the harnesses, leave out those with another memory, and work out the changes of the rest."""
    site = machine.site(run, views.body(refreshing.remembered(run)))
    found = registry.detect(site.machine, run.words.harness)
    others = layers.find(site.machine, [each.harness.name for each in found], site.root)
    taken = set() if run.words.alongside else {layer.harness for layer in others}
    chosen = [each.harness for each in found if each.harness.name not in taken]
    if not chosen:
        raise RefusedError(
            "another memory is there, and nothing is written beside it: " + "; ".join(_other(layer) for layer in others),
            hint="--alongside writes all the same; both then put text before a session", about="init",
        )  # fmt: skip
    changes = _plan(run, site, chosen)
    return Setup(site, found, chosen, changes, others, list(_notes(run, site, chosen)))


def _plan(run: Invocation, site: Site, chosen: Sequence[Harness]) -> list[planning.Change]:
    changes = planning.plan(chosen, site, _lines(run, site, chosen), with_tools=machine.has_tools())
    return views.kept(str(run.config.home), changes)


def _lines(run: Invocation, site: Site, chosen: Sequence[Harness]) -> list[Part]:
    """The marked line, in the files that were asked for."""
    names = list(run.words.instructions)
    if run.words.rules:
        names = [name for name in _RULES if any(each.instructions == name for each in chosen)]
    if not names:
        return []
    if site.root is None:
        hint = "run it in a project: a folder with a repository, or with a file .muniment"
        raise UsageError("there is no project here whose files could take the line", hint=hint, about=os.getcwd())
    root, known = os.path.realpath(site.root), {each.instructions for each in registry.HARNESSES.values()}
    for name in names:
        if os.path.splitext(name)[1].lower() not in (".md", ".mdc") and name not in known:
            raise UsageError(f"{name} is no file of instructions", hint="such as AGENTS.md or CLAUDE.md", about=name)
        if not os.path.realpath(os.path.join(root, name)).startswith(os.path.join(root, "")):
            raise UsageError(f"{name} is not in this project", hint=f"a file in {root}", about=name)
    return [Mark(os.path.join(site.root, name), LINE) for name in dict.fromkeys(names)]


def _notes(run: Invocation, site: Site, chosen: Sequence[Harness]) -> Iterator[str]:
    for each in chosen:
        notes = (each.refused, *each.notes) if each.refused else each.notes
        if each.name != "codex" or site.machine.find("codex") is None:  # where Codex can be asked, it says so itself
            yield from (f"{each.name}: {note}" for note in notes)
        if each.gives == "file" and site.root is None:
            yield f"{each.name}: it is given a file of the project, and there is no project here: run init in one"
        if each.grounds == "read":
            yield f"{each.name}: written as its documents say; nobody has seen it at work here (unproved)"
    if not machine.has_tools():
        yield "tools: not registered, as the tool server needs a package: pip install 'muniment[mcp]', then init again"
    if os.name != "posix" and (home := machine.unusual_home(run)) is not None:
        yield f"hooks: set MUNIMENT_HOME={home} for your whole account, or they look in the usual place"


def _other(layer: layers.Layer) -> str:
    own = "its own memory, " if layer.is_own else ""
    return f"{layer.harness} has {own}{layer.name} ({layer.where})"


def _demand_consent(run: Invocation, files: int) -> None:
    if run.words.yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(
            "nobody is there to be asked", hint="--yes writes without asking; --print only shows", about="init"
        )
    if not asked(f"Write to {files} file{'s' * (files != 1)}?"):
        raise NothingChangedError("nothing was written, as you wished", about="init")


def _how(run: Invocation, chosen: Sequence[Harness]) -> str:
    """In which way the harnesses are to be asked for their requests. A turn of the person's own costs, so they are asked."""
    if run.words.offline or run.words.live:
        return "offline" if run.words.offline else "live"
    if run.words.yes or run.json or not sys.stdin.isatty():
        return ""
    from muniment.surfaces.cli import live_turn

    names = ", ".join(each.title for each in live_turn.runnable(chosen))
    question = f"Give {names} one turn each, to see whether it arrives? It may cost tokens."
    return "live" if names and asked(question) else ""


def asked(question: str) -> bool:
    """Ask the person at the terminal; only a plain yes is one."""
    output.close()
    output.say(f"{question} [y/N]")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _remember_views(run: Invocation, setup: Setup) -> None:
    if setup.site.root is not None:
        views.remember(str(run.config.home), setup.changes, run.engine.workspace.id, setup.site.root)


# --- telling


def _show(setup: Setup, effective: Sequence[planning.Change]) -> None:
    for each in setup.found:
        signs = ", ".join(each.signs) or "not seen on this machine; set up because you named it"
        output.line(f"{each.harness.name:<16} {each.harness.title}: {signs}")
    for layer in setup.layers:
        output.line(f"other memory     {_other(layer)}")
    for change in effective:
        output.line(f"\n{'new ' if change.is_new else ''}{change.shown}  ({', '.join(_names(change))})")
        for line in planning.told(change):
            output.line(f"  {output.shown(line)}")
    output.line()


def _told(run: Invocation, setup: Setup, effective: Sequence[planning.Change], lamps: Sequence[lights.Lamp]) -> int:
    if run.json:
        output.record(_shape(run, setup, effective, lamps))
        return output.OK
    for note in setup.notes:
        output.line(f"!  {note}")
    for line in lighting.told(lamps):
        output.line(line)
    left_out = [each.harness.name for each in setup.found if each.harness not in setup.chosen]
    if left_out:
        output.line(f"left out, as another memory is there: {', '.join(left_out)} (--alongside writes all the same)")
    if run.words.print and not effective:
        output.line("nothing would change")
    return output.OK


def _names(change: planning.Change) -> list[str]:
    return list(dict.fromkeys(name for name, _ in change.parts))


def _shape(
    run: Invocation, setup: Setup, effective: Sequence[planning.Change], lamps: Sequence[lights.Lamp]
) -> dict[str, Any]:
    return {
        "written": not run.words.print and bool(effective),
        "harnesses": [
            {
                "name": each.harness.name, "gives": each.harness.gives, "grounds": each.harness.grounds,
                "signs": list(each.signs), "left_out": each.harness not in setup.chosen,
            }
            for each in setup.found
        ],
        "files": [
            {
                "path": change.shown, "is_new": change.is_new, "changes": change.changes, "harnesses": _names(change),
                "lines": planning.told(change) if change.changes else [],
            }
            for change in setup.changes
        ],
        "layers": [output.plain(layer) for layer in setup.layers],
        "notes": setup.notes,
        "lights": [output.plain(lamp) for lamp in lamps],
    }  # fmt: skip
