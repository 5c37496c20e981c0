"""`check`: is what facts lean on still there? The drift report, and an exit code for CI."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.engine import drift, evidence, revising
from muniment.engine.drift import Drift, Drifts
from muniment.engine.evidence import Report
from muniment.engine.revising import Words
from muniment.errors import UsageError
from muniment.model import address
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation
from muniment.surfaces.cli.writing import told
from muniment.views.rows import escaped

VERBS = ("confirm", "retract", "supersede")
"""What the inbox of stale facts takes."""
STALE = 4
"""The exit code where something is stale and that was to be an error."""


def check(run: Invocation) -> int:
    """Look at evidence; say what drifted."""
    words = run.words
    report = evidence.check(run.engine, words.since)
    found = drift.drifts(run.engine, 0 if words.quiet else drift.MOST)
    if run.json:
        drifting = {"drifting": found.addresses}
        output.record({**output.plain(found), **drifting, **output.plain(report)})
    else:
        _show(report, found, quiet=words.quiet)
    return STALE if words.fail_stale and found.facts else output.OK


def _show(report: Report, found: Drifts, *, quiet: bool) -> None:
    for each in () if quiet else found.drifts:
        for line in lines(each):
            output.line(line)
    if not quiet and len(found.drifts) < found.addresses:
        output.line(f"... {found.addresses - len(found.drifts)} more addresses")
    counts = ", ".join(f"{state} {n}" for state, n in report.states.items())
    output.say(f"muniment: {report.addresses} addresses ({report.looked} looked at): {counts}")
    for what, why in report.unknown[:5]:
        output.say(f"  unknown: {escaped(what)}: {escaped(why)}")
    news = f"; new: {len(report.suspect)}, healed: {len(report.healed)} [{report.receipt}]" if report.receipt else ""
    output.say(
        f"muniment: {found.facts} facts in doubt{news}; {report.without_evidence} facts that hold have no evidence"
    )
    if found.facts:
        output.say("  muniment review --stale: confirm, supersede or retract them")


def stale(run: Invocation) -> int:
    """The inbox: what leans on something that changed or is gone, and nobody has decided about since."""
    found = drift.drifts(run.engine)
    if run.json:
        output.record(output.plain(found))
        return output.OK
    for each in found.drifts:
        for line in lines(each):
            output.line(line)
    output.say(f"muniment: {found.facts} facts in doubt by {found.addresses} addresses")
    if found.facts:
        output.say("  review confirm ID: it holds all the same, until its evidence changes again")
        output.say("  review supersede OLD NEW: another fact took its place; correct ID CLAIM REASON: it was never so")
        output.say("  review retract ID: it was never true")
    return output.OK


def decide(run: Invocation, verb: str, ids: Sequence[str]) -> int:
    """confirm or retract facts, or supersede one by another."""
    if verb != "supersede":
        for id_ in ids:
            told(run, revising.revise(run.engine, run.caller(), id_, verb, Words(reason=run.words.reason)))
        return output.OK
    if len(ids) != 2:
        raise UsageError("supersede what by what?", hint="muniment review supersede OLD NEW", about="supersede")
    words = Words(new_id=ids[1], reason=run.words.reason)
    return told(run, revising.revise(run.engine, run.caller(), ids[0], verb, words))


def lines(each: Drift) -> list[str]:
    """One drift as text: the address, who did it, the facts, and what changed."""
    found = address.parse(each.address)
    moved = f" -> {each.place}" if each.place not in ("", found.place) else ""
    text = [f"{each.state}\t{found.kind}:{escaped(found.place)}{escaped(moved)}\t{escaped(who(each))}"]
    text += [f"  {f.id}\t{f.standing}\t{escaped(f.text)}\t[{f.receipt}]" for f in each.facts]
    return [*text, *(f"    {escaped(line)}" for line in each.diff)]


def who(each: Drift) -> str:
    """Who did it, in words."""
    if each.commit:
        by = f"commit {each.by} by {each.author}, {each.at}: {each.title}"
        return f"{by} (session {each.session})" if each.session else by
    return f"session {each.session}" if each.session else "outside of all sessions, not committed"
