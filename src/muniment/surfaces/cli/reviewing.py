"""`review`: what waits for a person, and what the person says."""

from __future__ import annotations

from muniment.engine import reviewing
from muniment.engine.commanding import Admission
from muniment.engine.core import Caller
from muniment.errors import UsageError
from muniment.surfaces.cli import checking, output, progress
from muniment.surfaces.cli.invocation import Invocation
from muniment.surfaces.cli.writing import told
from muniment.views.rows import escaped


def review(run: Invocation) -> int:
    """Show what is to be decided, or decide it."""
    if run.words.verb is None:
        return checking.stale(run) if run.words.stale else _shown(run)
    if not run.words.ids:
        raise UsageError(f"{run.words.verb} what?", hint=f"muniment review {run.words.verb} ID", about=run.words.verb)
    if run.words.verb in checking.VERBS:
        return checking.decide(run, run.words.verb, run.words.ids)
    caller = run.caller()
    for id_ in run.words.ids:
        told(run, _decided(run, caller, id_))
    return output.OK


def _decided(run: Invocation, caller: Caller, id_: str) -> Admission:
    if run.words.verb == "accept":
        return reviewing.accept(run.engine, caller, id_)
    if run.words.verb == "decline":
        return reviewing.decline(run.engine, caller, id_, run.words.reason)
    return reviewing.undo(run.engine, caller, id_)


def _shown(run: Invocation) -> int:
    found = reviewing.review(run.engine, everything=run.words.all, state=run.words.state)
    if run.json:
        output.record(output.plain(found))
        return output.OK
    for one in found.proposals:
        about = f" {one.about}" if one.about else ""
        verb = f"{one.predicate}.{one.topic}" if one.topic else one.predicate
        evidence = " ".join(ref for _, ref in one.evidence)
        cells = (one.id, f"{one.asks}{about}", escaped(one.text), verb, escaped(one.reason), f"origin:{one.origin}")
        output.line("\t".join((*cells, evidence or one.receipt, f"{one.damage:.2f}")))
    output.say(f"muniment: {len(found.proposals)} of {found.open} {run.words.state}; {_day(found)}")
    return output.OK


def _day(found: reviewing.Review) -> str:
    return f"{found.decided_today} of {found.per_day} decided today"


def suggest(run: Invocation) -> int:
    """Let a model point at statements; say what came of it and what it cost."""
    from muniment.engine import suggesting

    with progress.bar(run.config.progress and not run.json) as show:
        found = suggesting.suggest(run.engine, run.words.session, show)
    if run.json:
        output.record(output.plain(found))
        return output.OK
    for id_ in found.ids:
        output.line(id_)
    dropped = f"; dropped {output.grouped(found.dropped)}" if found.dropped else ""
    output.say(
        f"muniment: {found.suggested} proposed of {found.turns} turns in {found.windows} questions, {found.known} known"
        f"{dropped}; {found.tokens:,} tokens" + (f"; stopped: {found.stopped}" if found.stopped else "")
    )
    return output.OK
