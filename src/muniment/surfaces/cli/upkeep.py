"""`doctor`, `verify`, `export`, `load`, `bench`: keeping a memory, and measuring it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from muniment.errors import UsageError
from muniment.surfaces.cli import output, progress
from muniment.surfaces.cli.invocation import Invocation

STREAM = "-"


def verify(run: Invocation) -> int:
    """Everything that can be proved of a store; exit 1 if anything does not hold."""
    from muniment.engine import upkeep

    found = upkeep.verify(run.engine, rebuild=run.words.rebuild, progress=_bar(run))
    if run.json:
        output.record(output.plain(found))
        return output.OK if found.ok else 1
    for problem in found.problems:
        output.line(f"{'repaired' if problem.repaired else 'problem'}\t{problem.part}\t{problem.about}\t{problem.text}")
    output.line(f"{'ok' if found.ok else 'NOT ok'}\t{', '.join(f'{n} {name}' for name, n in found.counts.items())}")
    output.line(f"digest\t{found.digest or 'cannot be read'}")
    if found.rebuilt_digest is not None:
        output.line(f"rebuilt\t{found.rebuilt_digest}")
    return output.OK if found.ok else 1


def export(run: Invocation) -> int:
    """Write everything primary to a file, or to stdout where PATH is a dash."""
    from muniment.engine import transfer

    if run.words.path == STREAM:
        if run.json:
            raise UsageError("--json and an export to stdout exclude each other", hint="export to a file")
        report = transfer.export_jsonl(run.engine, sys.stdout.buffer)
        output.say(f"muniment: {_told(report.counts)}")
        return output.OK
    report = transfer.export_jsonl(run.engine, Path(run.words.path), _bar(run))
    if run.json:
        output.record({"path": run.words.path, **output.plain(report)})
    else:
        output.line(f"{_told(report.counts)}; {report.bytes} bytes in {run.words.path}")
    return output.OK


def load(run: Invocation) -> int:
    """Take in an export, from a file or, where PATH is a dash, from stdin."""
    from muniment.engine import transfer

    source = sys.stdin.buffer if run.words.path == STREAM else Path(run.words.path)
    report = transfer.load_jsonl(run.engine, source, _bar(run))
    if run.json:
        output.record(output.plain(report))
        return output.OK
    new = {name: n for name, n in report.new.items() if n}
    output.line(f"new: {_told(new)}; {report.known} rows were here; {report.facts} facts came of it")
    if report.masked:
        output.say(f"muniment: {report.masked} events were masked again on the way in")
    return output.OK


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def _bar(run: Invocation) -> Callable[[int, int, str], None] | None:
    return progress.bar(run.config.progress and not run.json)


def doctor(run: Invocation) -> int:
    """Four lights, each proved; exit 1 if one is red."""
    from muniment.engine import upkeep

    found: Any = upkeep.doctor(run.engine)
    output.record(output.plain(found))
    return output.OK


def bench(run: Invocation) -> int:
    """One benchmark as one JSON object; all of them as one object a line."""
    from muniment import evals

    for found in evals.run(run.words.name, run.words.size, run.words.data):
        output.record(found)
    return output.OK
