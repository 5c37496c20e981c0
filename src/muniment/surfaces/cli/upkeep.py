"""`doctor`, `verify`, `export`: keeping a memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from muniment.errors import UsageError
from muniment.surfaces.cli import output, page_words, paging, progress
from muniment.surfaces.cli.invocation import Invocation

if TYPE_CHECKING:
    from muniment.engine.health import DamagedRecord, Doctor

STREAM = "-"


def verify(run: Invocation) -> int:
    """Everything that can be proved of a store; exit 1 if anything does not hold."""
    from muniment.engine import upkeep

    with _bar(run) as show:
        found = upkeep.verify(run.engine, rebuild=run.words.rebuild, progress=show)
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
    """Write everything primary, trajectories or plugin folders; to a file, a folder, or to stdout where PATH is a dash."""
    if run.words.path == STREAM and run.json:
        raise UsageError("--json and an export to stdout exclude each other", hint="export to a file")
    if run.words.format == "atif":
        return _trajectories(run)
    if run.words.format in page_words.FORMATS:
        return paging.export(run)
    if run.words.session is not None or run.words.version is not None:
        raise UsageError("--session and --version are for atif", hint="leave them out", about=run.words.format)
    return _plugin(run) if run.words.format == "plugin" else _everything(run)


def _everything(run: Invocation) -> int:
    from muniment.engine import transfer

    if run.words.path == STREAM:
        with output.printing("what was printed is not a whole export"):
            report = transfer.export_jsonl(run.engine, sys.stdout.buffer)
            sys.stdout.flush()
        output.say(f"muniment: {_told(report.counts)}")
        return output.OK
    with _bar(run) as show:
        report = transfer.export_jsonl(run.engine, Path(run.words.path), show)
    if run.json:
        output.record({"path": run.words.path, **output.plain(report)})
    else:
        output.line(f"{_told(report.counts)}; {report.bytes} bytes in {run.words.path}")
    return output.OK


def _trajectories(run: Invocation) -> int:
    from muniment.engine import trajectories

    words, is_stream = run.words, run.words.path == STREAM
    target = sys.stdout.buffer if is_stream else Path(words.path)
    version = words.version or trajectories.VERSIONS[0]
    with output.printing("what was printed is not whole") if is_stream else _bar(run) as show:
        report = trajectories.export_atif(run.engine, target, words.session, version, show)
        sys.stdout.flush()
    told = f"{report.format}: {report.steps} steps of {report.sessions} sessions, {report.bytes} bytes"
    if run.json:
        output.record({"path": words.path, **output.plain(report)})
    elif is_stream:
        output.say(f"muniment: {told}")
    else:
        output.line(f"{told} in {words.path}")
    return output.OK


def _plugin(run: Invocation) -> int:
    from importlib.util import find_spec

    from muniment.engine import packing

    if run.words.path == STREAM:
        raise UsageError("plugins are folders", hint="muniment export plugin DIR", about=STREAM)
    hook = find_spec("muniment.surfaces.hook.main")  # doors do not know each other: it is named, and not imported
    here = packing.Installation(sys.executable, (hook.origin if hook is not None else None) or "")
    report = packing.export_plugin(Path(run.words.path), here)
    if run.json:
        output.record({"path": run.words.path, **output.plain(report)})
        return output.OK
    for file in report.files:
        output.line(file)
    output.say(f"muniment: {len(report.files)} files written to {run.words.path}, {report.unchanged} were there")
    return output.OK


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items())


def _bar(run: Invocation) -> AbstractContextManager[progress.Progress | None]:
    return progress.bar(run.config.progress and not run.json)


def doctor(run: Invocation) -> int:
    """Four lights, each proved, and what there is to know; exit 1 while one is out."""
    from muniment.engine import health
    from muniment.surfaces.cli import lighting

    if run.words.quality:
        from muniment.surfaces.cli import quality

        return quality.quality(run)
    found = health.doctor(run.engine)
    lamps, others = lighting.current(run, found.harnesses), lighting.others(run)
    if run.json:
        seen = {"setup": output.plain(lamps), "layers": output.plain(others)}
        output.record({"ok": found.ok, **output.plain(found), **seen})
    else:
        for line in (*_diagnosis(found), *lighting.told(lamps), *lighting.warned(lamps, others)):
            output.line(line)
    return output.OK if found.ok else 1


def _diagnosis(found: Doctor) -> Iterator[str]:
    for light in found.lights:
        yield f"{'on ' if light.ok else 'OUT'}  {light.name:<10} {light.detail}"
    for harness in found.harnesses:
        versions = ", ".join(harness.versions) or "no version told"
        drift = f"; {harness.drift}" if harness.drift else ""
        held = f"{harness.events} events in {harness.sessions} session{'s' * (harness.sessions != 1)}"
        yield f"     {harness.name:<12} {held}; {versions}{drift}"
        if harness.damaged:
            yield f"     {'':<12} could not be read as they should: {output.grouped(harness.damaged)}"
        yield from (f"     {'':<12} {_place(r)}" for r in found.damaged if r.harness == harness.name)
    if found.counts:
        yield f"     holds        {_told(found.counts)}; {found.store_bytes} bytes"
    if found.skips:
        yield f"     skipped      {output.grouped(found.skips)}"
    if found.gone:
        yield f"     gone         {len(found.gone)} transcripts are no longer there; the archive holds what was read"
    writing = sum(method.may_write for method in found.methods)
    yield f"     an agent     is shown tools of about {found.tool_tokens} tokens; wakes to {found.wake_bytes} bytes"
    yield f"     extractors   {writing} of {len(found.methods)} may write"
    floor = found.floor
    if floor is not None and floor.met:
        kind = "configured" if floor.is_own else "shipped"
        told = f"{floor.met} searches met {floor.value:g} ({kind}), {100 * floor.below / floor.met:.0f} % were below"
        yield f"     floor        {told}; muniment bench floor --show"
    yield from (f"!    {warning}" for warning in found.warnings)


def _place(record: DamagedRecord) -> str:
    """Where a damaged record stands; one that was kept can be opened."""
    file = output.shown(record.file or "no file told")
    if record.receipt is None:
        return f"{record.reason}: {file}, byte {record.offset}"
    return f"{record.reason}: {file}, kept: muniment read {record.receipt}"
