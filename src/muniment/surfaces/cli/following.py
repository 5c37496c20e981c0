"""`blast` and `diff`: consequences, in facts, sessions and files, and over time."""

from __future__ import annotations

from muniment.engine import blasting, differing
from muniment.engine.differing import Belief
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation
from muniment.views.rows import escaped


def blast(run: Invocation) -> int:
    """Say how far something reached."""
    words = run.words
    found = blasting.blast(run.engine, words.id, session=words.session, source=words.source, origin=words.origin)
    if run.json:
        output.record(output.plain(found))
        return output.OK
    for kind, facts in (("fact", found.facts), ("derived", found.derived)):
        for one in facts:
            by = f"via {one.via}" if one.via else ""
            output.line("\t".join((kind, one.id, one.standing, one.predicate, escaped(one.text), by)))
    for each in found.given:
        ids = " ".join(each.ids)
        output.line("\t".join(("given", escaped(each.session), each.at, each.surface, escaped(each.query), ids)))
    for use in found.used:
        output.line("\t".join(("used", use.id, use.how, use.at, escaped(use.session or ""), escaped(use.note))))
    for file in found.files:
        output.line("\t".join(("touched", escaped(file.path), escaped(file.session), file.at, file.receipt)))
    output.say(
        f"muniment: {len(found.facts)} facts, {len(found.derived)} derived; given to {len(found.sessions)} sessions in "
        f"{len(found.given)} answers, used {len(found.used)} times, {len(found.files)} files touched afterwards"
    )
    return output.OK


def diff(run: Invocation) -> int:
    """Say what changed."""
    found = differing.diff(run.engine, run.words.start, run.words.end, " ".join(run.words.selector))
    if run.json:
        changes = [{"kind": c.kind, **output.plain(c)} for c in found.changes]
        output.record({**output.plain(found), "changes": changes})
        return output.OK
    for change in found.changes:
        for sign, beliefs in (("-", change.before), ("+", change.after)):
            for each in beliefs:
                output.line(_row(sign, each))
    more = "; there is more than is compared at once: narrow it by a selector" if found.is_partial else ""
    output.say(f"muniment: {len(found.changes)} changed, {found.same} the same, {found.start} to {found.end}{more}")
    return output.OK


def _row(sign: str, each: Belief) -> str:
    return f"{sign}\t{each.predicate}\t{each.subject}\t{each.value}\t{each.since}\t{each.receipt}\t{each.id}"
