"""`index`: read transcripts once, or keep looking."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from muniment.engine import indexing
from muniment.errors import NotFoundError
from muniment.surfaces.cli import output, progress, refreshing
from muniment.surfaces.cli.invocation import Invocation


def index(run: Invocation) -> int:
    """One pass, or passes until a signal ends them."""
    if run.words.watch:
        return _watch(run)
    with progress.bar(run.config.progress and not run.json) as show:
        report = _pass(run, show)
    _print(run, report)
    indexing.demand_effect(report, run.engine.workspace.root)
    return 1 if run.words.strict and report.damaged else output.OK


def _pass(run: Invocation, show: indexing.Progress | None = None) -> indexing.IndexReport:
    paths = [Path(os.path.abspath(p)) for p in run.words.paths]
    here = os.path.abspath(run.words.workspace or os.getcwd())  # some harnesses keep their logs in the project
    found, unclaimed = indexing.sources(paths, Path.home(), {**os.environ, "PWD": here}, sys.platform)
    report = indexing.index(run.engine, found, named=bool(paths), adopt=run.words.adopt, progress=show)
    report.unclaimed.extend(unclaimed)
    return report


def _watch(run: Invocation) -> int:
    """Look every few seconds and say only what is new. A signal ends it between two passes, so nothing is half done."""
    stop = threading.Event()

    def ask(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), ask)
    is_first = True
    while True:
        report = _try(run)
        if report is not None and (is_first or report.new_events or report.damaged):
            _print(run, report)
            output.close()
            refreshing.after(run)
        is_first = is_first and report is None
        if stop.wait(run.words.every):
            return output.OK


def _try(run: Invocation) -> indexing.IndexReport | None:
    """One pass; None while there is nothing to read yet (what a person named must be there)."""
    try:
        return _pass(run)
    except NotFoundError:
        if run.words.paths:
            raise
        return None


def _print(run: Invocation, report: indexing.IndexReport) -> None:
    for note in report.notes:
        output.say(note)
    if report.damaged:
        told = ", ".join(f"{n} {reason}" for reason, n in sorted(report.damaged.items()))
        output.say(
            f"muniment: records that could not be read as they should: {told}; kept or counted, see `muniment doctor`"
        )
    if run.json:
        output.record(_shape(report))
        return
    for name, harness in sorted(report.harnesses.items()):
        skipped = sum(harness.skipped.values())
        output.line(
            f"{name:<12} read {harness.read} = kept {harness.kept} + skipped {skipped}{_reasons(harness.skipped)}"
        )
    output.line(f"{'all':<12} read {report.read} = kept {report.kept} + skipped {sum(report.skipped.values())}")
    output.line(_totals(report))


def _reasons(skipped: dict[str, int]) -> str:
    return f" ({output.grouped(skipped)})" if skipped else ""


def _totals(report: indexing.IndexReport) -> str:
    new = f"{_many(report.new_events, 'new event')}, {_many(report.facts, 'fact')}"
    parts = [new if report.new_events else "nothing new"]
    for count, one, rest in (
        (report.proposed, "", "proposed"), (report.withdrawn, "", "withdrawn"),
        (sum(report.refused.values()), "", "refused"), (len(report.adopted), "folder", " adopted"),
        (len(report.elsewhere), "session", " of other folders left out"),
        (len(report.unclaimed), "file", " that no harness claims"),
    ):  # fmt: skip
        if count:
            parts.append(f"{_many(count, one) if one else f'{count} '}{rest}")
    return "; ".join(parts)


def _many(count: int, one: str) -> str:
    return f"{count} {one}{'s' * (count != 1)}"


def _shape(report: indexing.IndexReport) -> dict[str, object]:
    harnesses = {
        name: {
            "read": h.read, "kept": h.kept, "skipped": dict(sorted(h.skipped.items())),
            "damaged": dict(sorted(h.damaged.items())), "files": h.files, "unchanged": h.unchanged,
        }
        for name, h in sorted(report.harnesses.items())
    }  # fmt: skip
    return {
        "read": report.read, "kept": report.kept, "skipped": dict(sorted(report.skipped.items())),
        "harnesses": harnesses,
        "new_events": report.new_events, "known_events": report.known_events, "facts": report.facts,
        "withdrawn": report.withdrawn, "proposed": report.proposed, "refused": dict(sorted(report.refused.items())),
        "damaged": dict(sorted(report.damaged.items())), "adopted": sorted(report.adopted),
        "elsewhere": sorted(report.elsewhere), "unclaimed": report.unclaimed, "notes": report.notes,
    }  # fmt: skip
