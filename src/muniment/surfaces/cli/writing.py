"""`add`, `confirm`, `suspect`, `retract`, `restore`, `supersede`, `correct`: the commands that state and decide."""

from __future__ import annotations

import dataclasses

from muniment.engine import stating, wording
from muniment.model.fact import Action
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation


def add(run: Invocation) -> int:
    """State one fact."""
    words = run.words
    caller, warning = wording.sourced(run.caller(), words.source)
    statement = stating.Statement(
        words.type, words.content, words.subject, words.predicate, words.topic, _tags(words.tags), words.source_url,
        words.context, words.evidence, "hypothesis" if words.unsure else "confirmed",
        wording.start(run.engine, words.since), wording.end(run.engine, words.until),
        wording.end(run.engine, words.expires),
    )  # fmt: skip
    admission = stating.add(run.engine, caller, statement)
    return _told(run, dataclasses.replace(admission, warnings=(*admission.warnings, warning)) if warning else admission)


def decide(run: Invocation) -> int:
    """confirm, suspect, retract or restore, by the name of the command."""
    words = run.words
    return _told(run, stating.decide(run.engine, run.caller(), Action(words.command), words.id, words.reason))


def supersede(run: Invocation) -> int:
    """The new one takes the old one's place."""
    return _told(run, stating.supersede(run.engine, run.caller(), run.words.old, run.words.new, run.words.reason))


def correct(run: Invocation) -> int:
    """Say what is right in the place of what never was."""
    words = run.words
    return _told(run, stating.correct(run.engine, run.caller(), words.id, words.claim, words.reason, _tags(words.tags)))


def _tags(text: str) -> list[str]:
    return [tag for tag in text.replace(",", " ").split() if tag]


def _told(run: Invocation, admission: stating.Admission) -> int:
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
    if admission.reason:
        output.say(admission.reason)
    output.say(f"receipt {admission.receipt}")
    return output.OK
