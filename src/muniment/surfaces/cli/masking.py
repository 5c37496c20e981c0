"""`mask`: what is stored already, by the rules of today."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from muniment.surfaces.cli import output, progress

if TYPE_CHECKING:
    from muniment.surfaces.cli.invocation import Invocation


def words(p: argparse.ArgumentParser) -> None:
    """What `mask` takes."""
    p.add_argument("--apply", action="store_true", help="do it (without: only show what would be covered)")


def mask(run: Invocation) -> int:
    """What today's rules would cover, or did: events by receipt, verdicts, facts, sessions and files."""
    from muniment.engine import masking

    with progress.bar(run.config.progress and not run.json) as show:
        found = masking.apply(run.engine, show) if run.words.apply else masking.look(run.engine)
    if run.json:
        output.record(output.plain(found))
        return output.OK
    for sort, names in (("event", found.events), ("verdict", found.verdicts), ("session", found.sessions)):
        for name in names:
            output.line(f"{sort}\t{output.shown(name)}")
    for old, new in found.facts:
        output.line(f"fact\t{old}{f'{chr(9)}{new}' if new else ''}")
    for name in found.files:
        output.line(f"file\t{output.shown(name)}")
    done = "covered" if found.applied else "would be covered; --apply does it"
    output.say(f"muniment: {len(found.events)} events, {len(found.facts)} facts, {len(found.files)} files {done}")
    for told in found.left:
        output.say(f"muniment: {told}")
    return output.OK
