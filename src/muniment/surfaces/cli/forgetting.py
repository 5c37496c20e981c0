"""`forget`: hide what should not be shown, or erase it for good."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from muniment.engine import forgetting
from muniment.engine.erasing import Certificate
from muniment.engine.forgetting import HOW, Outlook, Target
from muniment.errors import UsageError
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation
from muniment.surfaces.cli.writing import told

_SHOWN = 20


def forget(run: Invocation) -> int:
    """Hide, or with --erase remove."""
    words, target = run.words, _target(run)
    if not words.erase:
        if words.everywhere or words.yes:
            raise UsageError("--everywhere and --yes are for --erase", about="forget")
        hide = forgetting.expire if target.how == "expired" else forgetting.hide
        found = hide(run.engine, run.caller(), target, words.reason, dry_run=words.dry_run)
        return told(run, found)
    if words.dry_run or not words.yes:
        ahead = forgetting.outlook(run.engine, run.caller(), target)
        _show_ahead(run, ahead)
        if words.dry_run or not _agreed():
            return output.OK
    done = forgetting.erase(run.engine, run.caller(), target, everywhere=words.everywhere)
    if run.json:
        output.record(output.plain(done))
    else:
        for line in _certified(done):
            output.line(line)
    return output.OK


def _target(run: Invocation) -> Target:
    given = [(how, getattr(run.words, how)) for how in HOW if getattr(run.words, how) is not None]
    if len(given) != 1:
        raise UsageError(
            "forget what?", hint="an id, or one of --match, --session, --source, --subject, --expired", about="forget"
        )
    return Target(*given[0])


def _show_ahead(run: Invocation, ahead: Outlook) -> None:
    """On stdout where that is all; where a question follows, on stderr."""
    if run.json and run.words.dry_run:
        output.record(output.plain(ahead))
        return
    for line in _foreseen(ahead):
        (output.line if run.words.dry_run else output.say)(line)


def _foreseen(ahead: Outlook) -> Iterator[str]:
    yield f"would erase\t{len(ahead.events)} sightings of events, {len(ahead.facts)} facts, {ahead.verdicts} verdicts"
    yield from (f"event\t{receipt}" for receipt in ahead.events[:_SHOWN])
    yield from (f"fact\t{id_}" for id_ in ahead.facts[:_SHOWN])
    more = max(len(ahead.events) - _SHOWN, 0) + max(len(ahead.facts) - _SHOWN, 0)
    if more:
        yield f"and\t{more} more (--json has all)"
    yield from (f"also held\t{held.events} events in {held.store} (--everywhere)" for held in ahead.others)


def _agreed() -> bool:
    """Ask; only a plain yes counts."""
    if not sys.stdin.isatty():
        raise UsageError(
            "nobody can be asked here; nothing was erased", hint="--yes, after a look at --dry-run", about="--erase"
        )
    sys.stderr.write("Erase this for good? It cannot be brought back. [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    output.say("nothing was erased")
    return False


def _certified(done: Certificate) -> Iterator[str]:
    yield f"erased\t{len(done.events)} sightings of events, {len(done.facts)} facts, {done.verdicts} verdicts at {done.at}"
    yield from (f"event\t{receipt}\t{hashed}" for receipt, hashed in done.events)
    yield from (f"fact\t{id_}" for id_ in done.facts)
    yield from (f"file\t{name}" for name in done.files)
    for held in done.others:
        yield f"{'erased there' if held.erased else 'still held'}\t{held.events} events\t{held.store}"
    yield from (f"left\t{what}" for what in done.left)
    yield f"store\t{done.bytes_before} -> {done.bytes_after} bytes"
