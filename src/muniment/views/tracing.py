"""Who did what when, who touched a file, what was spent: as text, one line each, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import tzinfo

from muniment.model.event import Action
from muniment.model.time import local
from muniment.model.tracing import Deed, Spent, Touch, Touched, Trace, Usage
from muniment.views.rows import escaped
from muniment.views.timeline import FRAME
from muniment.views.words import between, counted, cut, length, within

VALUE_CAP = 200
"""Characters of a prompt or command that a line shows; the rest is one `read` of the receipt away."""
_VERBS = {"touched": "wrote", "read": "read", "predicted_write": "planned to write", "moved_by": "moved"}
_REASONS = 3
_EPOCH = "1970-01-01"
_COLUMNS = ("records", "tokens in", "of them cached", "tokens out", "cost")


def trace(told: Trace, zone: tzinfo, budget: int | None) -> tuple[str, int]:
    """The deeds in order, and how many lines were left out."""
    head = [
        f"{escaped(told.when)}: {between(told.start, told.end, zone)}; {FRAME}",
        f"coverage: {told.coverage}" + "".join(f"; {escaped(r)}" for r in told.reasons),
        f"{counted(len(told.deeds), 'deed')} in {counted(told.sessions, 'session')}"
        + (f"; {counted(told.left_out, 'more', 'more')} beyond the cap" if told.left_out else ""),
    ]
    return within([*head, *(_deed(deed, zone) for deed in told.deeds)], budget)


def _deed(deed: Deed, zone: tzinfo) -> str:
    text, missing = cut(deed.text, VALUE_CAP)
    what = f"{escaped(deed.tool) if deed.tool else deed.kind}{f' ({deed.origin})' if deed.origin else ''}"
    took = [] if deed.duration_ms is None else [("about " if deed.is_elapsed else "") + length(deed.duration_ms)]
    ended = f"exit:{deed.exit_code}" if deed.exit_code is not None else deed.outcome
    told = (
        what,
        f"({deed.action})" if deed.action not in ("", str(Action.OTHER)) else "",
        text,
        *missing,
        ended,
        *took,
    )
    who = _who(deed.harness, deed.agent, deed.agent_role, deed.parent)
    return f"{_at(deed.at, zone)}  {who}  {' '.join(filter(None, told))}  [{escaped(deed.receipt)}]"


def touched(told: Touched, zone: tzinfo, budget: int | None) -> tuple[str, int]:
    """The touches, newest first, and how many lines were left out."""
    verbs = [t.verb for t in told.touches]
    sums = ", ".join(f"{_VERBS.get(v, v)} {verbs.count(v)}" for v in dict.fromkeys(verbs))
    where = f" in {counted(told.folders, 'work tree')}" if told.folders else ""
    files = f"{counted(told.paths, 'file')}: " if told.paths > 1 else ""
    head = f"{escaped(told.path)}: {files}{sums}; by {counted(told.sessions, 'session')}{where}"
    left = [f"{counted(told.left_out, 'older touch', 'older touches')} not shown"] if told.left_out else []
    return within([head, *left, *(_touch(t, zone, told) for t in told.touches)], budget)


def _touch(touch: Touch, zone: tzinfo, told: Touched) -> str:
    who = _who(touch.harness, touch.agent, touch.agent_role, touch.parent)
    path = f" {escaped(touch.path)}" if told.paths > 1 else ""
    place = f" in {escaped(touch.folder)}" if told.folders > 1 and touch.folder else ""
    more = f" {escaped(touch.context)}" if touch.context else ""
    verb = _VERBS.get(touch.verb, touch.verb)
    return f"{_at(touch.at, zone)}  {who}  {verb}{path}{place}{more}  [{escaped(touch.receipt)}]"


def usage(told: Usage, budget: int | None) -> tuple[str, int]:
    """A table, tab separated, with its sum; then what is not in it. And how many lines were left out."""
    lines = ["\t".join((*told.by, *_COLUMNS)), *(_spent(group, list(group.by.values())) for group in told.groups)]
    lines.append(_spent(told.total, ["all", *[""] * (len(told.by) - 1)]))
    return within([*lines, *_remarks(told)], budget)


def _spent(group: Spent, names: Iterable[str]) -> str:
    numbers = (group.records, group.tokens_in, group.tokens_cached, group.tokens_out)
    return "\t".join((*map(escaped, names), *map(str, numbers), _cost(group)))


def _cost(group: Spent) -> str:
    if group.cost is None:
        return "-" if group.is_whole else "unknown"
    return f"{'~' if group.is_estimated else ''}${group.cost:.4f}{'' if group.is_whole else ' and more'}"


def _remarks(told: Usage) -> Iterator[str]:
    if told.total.is_estimated:
        yield "-- ~ counts some tokens at the prices in config.toml"
    if not told.total.is_whole:
        yield "-- of some tokens no cost is known: [prices] in config.toml names prices of yours"
    if told.untold:
        told_by = ", ".join(f"{escaped(name)} {n}" for name, n in told.untold.items())
        yield f"-- sessions that tell no tokens: {told_by}"
    for name in told.unread:
        yield f"-- not read: {escaped(name)}"
    if told.reasons:
        more = f"; {counted(len(told.reasons) - _REASONS, 'more reason')}" if len(told.reasons) > _REASONS else ""
        yield f"-- coverage: {told.coverage}; " + "; ".join(map(escaped, told.reasons[:_REASONS])) + more


def _at(at: str, zone: tzinfo) -> str:
    """A time in the reader's zone; a record before the first time of its session has none."""
    return "no time            " if at.startswith(_EPOCH) else local(at, zone)[:19]


def _who(harness: str, agent: str | None, role: str | None, parent: str | None) -> str:
    job = role or agent
    return escaped(f"{harness}/{job}" if job else f"{harness}/sub-agent" if parent else harness)
