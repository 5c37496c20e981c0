"""`add`, `confirm`, `suspect`, `retract`, `restore`, `supersede`, `correct`: the commands that state and decide."""

from __future__ import annotations

import dataclasses

from muniment.engine import adding, comparing, stating, wording
from muniment.engine.revising import Words
from muniment.errors import UsageError
from muniment.surfaces.cli import output, remembering
from muniment.surfaces.cli.invocation import Invocation


def add(run: Invocation) -> int:
    """State one fact."""
    words = run.words
    caller, warning = wording.sourced(run.caller(), words.source)
    statement = stating.Statement(
        words.type, words.content, words.subject, words.predicate, words.topic, _tags(words.tags),
        words.source_url or None, words.context, words.evidence, "hypothesis" if words.unsure else "confirmed",
        wording.start(run.engine, words.since), wording.end(run.engine, words.until),
        wording.end(run.engine, words.expires),
    )  # fmt: skip
    how = adding.How(words.quote, words.session, words.if_clear)
    admission = adding.add(run.engine, caller, statement, how)
    return told(run, dataclasses.replace(admission, warnings=(*admission.warnings, warning)) if warning else admission)


def decide(run: Invocation) -> int:
    """confirm, suspect, retract or restore, by the name of the command."""
    return remembering.revise(run, run.words.id, Words(reason=run.words.reason))


def supersede(run: Invocation) -> int:
    """The new one takes the old one's place."""
    return remembering.revise(run, run.words.old, Words(new_id=run.words.new, reason=run.words.reason))


def correct(run: Invocation) -> int:
    """Say what is right in the place of what never was."""
    words = run.words
    return remembering.revise(run, words.id, Words(words.claim, reason=words.reason, tags=_tags(words.tags)))


def retract(run: Invocation) -> int:
    """One fact, or all that came from one source."""
    if run.words.source is None:
        if run.words.id is None or run.words.dry_run:
            raise UsageError("retract what?", hint="retract ID, or retract --source S [--dry-run]", about="retract")
        return decide(run)
    if run.words.id is not None:
        raise UsageError("give an id or --source, not both", about="--source")
    from muniment.engine import sources

    found = sources.retract(run.engine, run.caller(), run.words.source, run.words.reason, dry_run=run.words.dry_run)
    return told(run, found)


def _tags(text: str) -> list[str]:
    return [tag for tag in text.replace(",", " ").split() if tag]


def told(run: Invocation, admission: stating.Admission) -> int:
    """What became of the write: the outcome and the ids, one pair a line."""
    for warning in admission.warnings:
        output.say(f"muniment: {warning}")
    if run.json:
        output.record(output.plain(admission))
        return output.OK
    others = {*admission.superseded, *admission.conflicts}
    for id_ in admission.ids:
        if id_ not in others:
            output.line(f"{admission.outcome}\t{id_}")
    ended = "retracted" if admission.outcome == "corrected" else "superseded"
    for name, ids in ((ended, admission.superseded), ("conflict", admission.conflicts)):
        for id_ in ids:
            output.line(f"{name}\t{id_}")
    if not admission.ids:
        output.line(admission.outcome)
    for pair in admission.pairs:
        output.line(remembering.row(pair))
    if admission.pairs:
        output.say(f"  {'; '.join(comparing.CHOICES)}")
    if admission.reason:
        output.say(admission.reason)
    if admission.receipt:
        output.say(f"receipt {admission.receipt}")
    return output.OK
