"""`add`, `confirm`, `suspect`, `retract`, `restore`, `supersede`, `correct`: the commands that state and decide."""

from __future__ import annotations

import dataclasses

from muniment.engine import adding, comparing, lineage, stating, wording
from muniment.engine.revising import Words
from muniment.errors import UsageError
from muniment.surfaces.cli import output, remembering
from muniment.surfaces.cli.invocation import Invocation


def add(run: Invocation) -> int:
    """State one fact."""
    words = run.words
    caller, warning = wording.sourced(run.caller(), words.source)
    evidence = [*words.evidence, *lineage.addresses(run.engine, words.derives)]
    statement = stating.Statement(
        words.type, words.content, words.subject, words.predicate, words.topic, _tags(words.tags),
        words.source_url or None, words.context, evidence, "hypothesis" if words.unsure else "confirmed",
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
    """retract, suspect or restore, by the name of the command: one fact, or all that came from one source."""
    words = run.words
    given = [each for each in (words.source, words.session, words.origin) if each is not None]
    if not given:
        if words.id is None or words.dry_run:
            verb = words.command
            raise UsageError(f"{verb} what?", hint=f"{verb} ID, or {verb} --source S [--dry-run]", about=verb)
        return decide(run)
    if words.id is not None or len(given) > 1:
        raise UsageError("give one of: an id, --source, --session, --origin", about="--source")
    from muniment.engine import sources
    from muniment.model.fact import Action

    how = {"reason": words.reason, "dry_run": words.dry_run}
    if words.command == "restore":
        return told(run, sources.restore(run.engine, run.caller(), given[0], **how))
    return told(run, sources.retract(run.engine, run.caller(), given[0], **how, action=Action(words.command)))


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
