"""`dense`: the vectors of one workspace, switched on, off or over to another model."""

from __future__ import annotations

from collections.abc import Iterator

from muniment.engine import embedding
from muniment.errors import UsageError
from muniment.surfaces.cli import output, progress
from muniment.surfaces.cli.invocation import Invocation


def dense(run: Invocation) -> int:
    """Do what the first word says; an interrupted `on` is gone on with by the next."""
    if run.words.model is not None and run.words.action != "on":
        raise UsageError(f"dense {run.words.action} takes no model", hint="muniment dense on MODEL")
    with progress.bar(run.config.progress and not run.json) as show:
        if run.words.action == "on":
            report = embedding.turn_on(run.engine, run.words.model, show)
        elif run.words.action == "off":
            report = embedding.turn_off(run.engine, show)
        else:
            report = embedding.DenseReport(0, 0, embedding.status(run.engine))
    if run.json:
        output.record(_shape(report))
    else:
        for line in _told(report):
            output.line(line)
    return output.OK


def _told(report: embedding.DenseReport) -> Iterator[str]:
    found = report.status
    if report.made or report.removed:
        yield f"{report.made} vectors made, {report.removed} removed"
    if not found.on:
        yield f"dense is off; {found.turns} turns would get a vector: muniment dense on"
    for model in found.models:
        waiting = f", {model.waiting} of {found.turns} turns wait: muniment dense on" if model.waiting else ""
        of = f"{output.shown(model.name)} {output.shown(model.version)}"
        yield f"{model.state:<7} {of}, {model.dimension} numbers: {model.vectors} vectors{waiting}"
    if found.problem:
        yield f"!       {output.shown(found.problem)}"


def _shape(report: embedding.DenseReport) -> dict[str, object]:
    found = report.status
    models = [model._asdict() for model in found.models]
    about = {"on": found.on, "turns": found.turns, "waiting": found.waiting, "problem": found.problem, "models": models}
    return {"made": report.made, "removed": report.removed, **about}
