"""`check`: is what facts lean on still there? The drift report, and an exit code for CI."""

from __future__ import annotations

from muniment.engine import drift, evidence
from muniment.engine.drift import Drift, Drifts
from muniment.engine.evidence import Report
from muniment.model import address
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation
from muniment.views.rows import escaped

STALE = 4
"""The exit code where something is stale and that was to be an error."""


def check(run: Invocation) -> int:
    """Look at evidence; say what drifted."""
    words = run.words
    report = evidence.check(run.engine, words.since)
    found = drift.drifts(run.engine, with_diff=not words.quiet)
    if run.json:
        output.record({**output.plain(report), **output.plain(found)})
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
    told = f"{found.facts} facts in doubt"
    if report.suspect or report.healed:
        told += f"; new: {len(report.suspect)}, healed: {len(report.healed)} [{report.receipt}]"
    output.say(f"muniment: {told}; {report.without_evidence} facts that hold have no evidence")
    if found.facts:
        output.say("  muniment review --stale: confirm, supersede or retract them")


def lines(each: Drift) -> list[str]:
    """One drift as text: the address, who did it, the facts, and what changed."""
    found = address.parse(each.address)
    moved = f" -> {each.place}" if each.place not in ("", found.place) else ""
    told = [f"{each.state}\t{found.kind}:{escaped(found.place)}{escaped(moved)}\t{escaped(who(each))}"]
    told += [f"  {f.id}\t{f.standing}\t{escaped(f.text)}\t[{f.receipt}]" for f in each.facts]
    return [*told, *(f"    {escaped(line)}" for line in each.diff)]


def who(each: Drift) -> str:
    """Who did it, in words."""
    if each.commit:
        by = f"commit {each.by} by {each.author}, {each.at}: {each.title}"
        return f"{by} (session {each.session})" if each.session else by
    return f"session {each.session}" if each.session else "outside of all sessions, not committed"
