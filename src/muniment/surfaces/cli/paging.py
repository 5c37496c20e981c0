"""`pages`, and bundles of them: Markdown files of a folder as documents of the memory."""

from __future__ import annotations

from pathlib import Path

from muniment.errors import UsageError
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation


def pages(run: Invocation) -> int:
    """Read the pages of a folder, or list them."""
    from muniment.engine import paging

    folder = Path(run.words.folder) if run.words.folder else None
    report = paging.look(run.engine, folder) if run.words.list else paging.index(run.engine, folder)
    for note in report.notes:
        output.say(f"muniment: {note}")
    if run.json:
        output.record(output.plain(report))
        return output.OK
    for each in report.pages:
        marks = " ".join(m for m in (f"by:{each.by}" if each.by else "", "" if each.evidence else "no-evidence") if m)
        output.line(f"{each.name}\t{each.title}\t{each.standing}\t{each.receipt}\t{marks}")
    if not run.words.list:
        output.say(f"muniment: {report.read} pages: {report.new} new, {report.changed} changed, {report.gone} gone")
    return output.OK


def export(run: Invocation) -> int:
    """Write the pages as a bundle."""
    from muniment.engine import bundles

    if run.words.path == "-":
        raise UsageError("a bundle is a file or a folder", hint=f"muniment export {run.words.format} PATH", about="-")
    report = bundles.export(run.engine, run.words.format, Path(run.words.path), _folder(run))
    for note in report.notes:
        output.say(f"muniment: {note}")
    if run.json:
        output.record(report._asdict())
    else:
        output.line(f"{report.pages} files, {report.bytes} bytes in {report.path}")
    return output.OK


def load(run: Invocation) -> int:
    """Put the files of a bundle into the folder of pages, and read them."""
    from muniment.engine import bundles

    report = bundles.load(run.engine, run.words.format, Path(run.words.path[0]), _folder(run))
    for note in report.notes:
        output.say(f"muniment: {note}")
    if run.json:
        output.record(output.plain(report))
        return output.OK
    for name in report.written:
        output.line(f"written\t{name}")
    output.say(f"muniment: {len(report.written)} files written to {report.folder}, {report.known} were there")
    return output.OK


def _folder(run: Invocation) -> Path | None:
    return Path(run.words.folder) if run.words.folder else None
