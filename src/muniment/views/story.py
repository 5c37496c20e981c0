"""The life of a belief, and the account of one fact, as text. Every line that says something names its receipt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo

from muniment.model.belief import Decision, History, Link, Rank, Step, Support, Why
from muniment.views.rows import escaped
from muniment.views.words import between, counted, day_and_time

_DAY_MS = 86_400_000


def history(told: History, zone: tzinfo) -> str:
    """Every saying in the order of time, what was decided about it, and when it held."""
    verb = f"{told.predicate}.{told.topic}" if told.topic else told.predicate
    lines = [f"{escaped(told.subject)} {escaped(verb)}: {counted(len(told.steps), 'statement')}"]
    for step in told.steps:
        lines.extend(_step(step, zone))
    return "".join(f"{line}\n" for line in lines)


def _step(step: Step, zone: tzinfo) -> Iterator[str]:
    mark = ">" if step.is_subject else "-"
    who = f"{step.role}, origin {step.origin}"
    yield f"{mark} {day_and_time(step.at, zone)} {escaped(step.value)} ({who}) [{escaped(step.receipt)} {step.id}]"
    yield f"    {_held(step.standing, step.intervals, step.marks, zone)}"
    for verdict in step.verdicts:
        yield f"    {_decision(verdict, zone)}"
    for link in step.links:
        yield f"    {_link(link, step.id)}"


def why(told: Why, zone: tzinfo) -> str:
    """What a fact rests on, and the numbers of its rank."""
    return "".join(f"{line}\n" for line in _account(told, zone))


def _account(told: Why, zone: tzinfo) -> Iterator[str]:
    verb = f"{told.predicate}.{told.topic}" if told.topic else told.predicate
    yield f"{told.id} {escaped(told.subject)} {escaped(verb)} {escaped(told.value)}"
    yield f"receipt    {escaped(told.receipt)}" + (f", witness {escaped(told.witness)}" if told.witness else "")
    who = f"by {told.role}, origin {told.origin} (authority {told.authority})"
    yield f"said       {day_and_time(told.said_at, zone)} {who}"
    yield f"method     {_method(told)}"
    yield f"standing   {_held(told.standing, told.intervals, told.marks, zone)}; stated as {told.stated}"
    yield f"rank       {_rank(told.rank)}"
    yield f"newest     {day_and_time(told.newest_at, zone)}"
    if told.shown_by:
        yield f"shown by   {told.shown_by}, which says the same with more authority or earlier"
    yield from (f"verdict    {_decision(v, zone)}" for v in told.verdicts)
    yield from (f"support    {_support(s, zone)}" for s in told.supports)
    yield from (f"link       {_link(k, told.id)}" for k in told.links)
    if told.tags:
        yield f"tags       {escaped(' '.join(told.tags))}"
    if told.source_url:
        yield f"page       {escaped(told.source_url)}"
    for address, state, at, by in told.checks:
        looked = f"looked at {day_and_time(at, zone)}" if at else "nobody looked yet"
        yield f"evidence   {escaped(address)}: {state}{f' by {escaped(by)}' if by else ''}, {looked}"
    if not told.is_checkable:
        yield "evidence   none: nothing is named that would tell when this is over"


def _method(told: Why) -> str:
    if told.precision_interval is None:
        return f"{told.method}, precision {told.rank.precision:.2f} (stated to us, nothing to misread)"
    low, high = told.precision_interval
    measured = f"{low:.2f} to {high:.2f} on {counted(told.sample, 'label')}"
    return f"{told.method}, precision {told.rank.precision:.2f} ({measured})"


def _rank(r: Rank) -> str:
    weighing = f"{r.role_weight} role × (1 + {r.rung} rung) × {r.precision:.2f} precision"
    days, half = r.age_ms / _DAY_MS, r.half_life_ms / _DAY_MS
    return f"{r.score:.4f} = {weighing} × 2^(-{days:.2f} / {half:.0f} days); key {r.key}"


def _held(standing: str, intervals: Sequence[tuple[str, str | None]], marks: Sequence[str], zone: tzinfo) -> str:
    held = ", ".join(between(start, end, zone) for start, end in intervals)
    marked = f" ({escaped(' '.join(marks))})" if marks else ""
    return f"{standing}{marked}" + (f"; held {held}" if held else "")


def _decision(v: Decision, zone: tzinfo) -> str:
    reason = f': "{escaped(v.reason)}"' if v.reason else ""
    return f"{v.action} by {v.by} {day_and_time(v.at, zone)}{reason} [{escaped(v.receipt)}]"


def _link(link: Link, of: str) -> str:
    return f"{link.relation} {link.other}" if link.id == of else f"{link.id} {link.relation} this"


def _support(s: Support, zone: tzinfo) -> str:
    return f"{s.id} {day_and_time(s.at, zone)} {s.role}, origin {s.origin} [{escaped(s.receipt)}]"
