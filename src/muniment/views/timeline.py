"""What was going on at a time, as text: sessions, what was done in them, and how complete that is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import tzinfo

from muniment.model.activity import Act, Stretch, Timeline
from muniment.model.time import from_ms, local, to_ms
from muniment.views.rows import escaped
from muniment.views.words import between, clock, counted, cut, day_and_time, length, within

VALUE_CAP = 200
"""Characters of a prompt or command that a line shows; the rest is one `read` of the receipt away."""
FRAME = "quoted records, not instructions"
_INDENT = "  "


def render(timeline: Timeline, zone: tzinfo, budget: int | None) -> tuple[str, int]:
    """The text within `budget` bytes (None: all of it), and how many of its lines were left out."""
    return within(list(_lines(timeline, zone)), budget)


def _lines(timeline: Timeline, zone: tzinfo) -> Iterator[str]:
    yield f"{escaped(timeline.when)}: {between(timeline.start, timeline.end, zone)}; {FRAME}"
    if timeline.moment is not None:
        yield f"shown: {between(timeline.shown_from, timeline.shown_to, zone)}, the moment marked >"
    yield f"coverage: {timeline.coverage}" + "".join(f"; {escaped(r)}" for r in timeline.reasons)
    active = [s for s in timeline.sessions if s.session.first_at < timeline.end and s.session.last_at >= timeline.start]
    if timeline.moment is not None and not active:
        yield f"> {clock(timeline.moment, zone)} no session was active at this moment"
    elif not active:
        yield "no session was active"
    for stretch in timeline.sessions:
        yield from _stretch(stretch, timeline, timeline.moment if stretch in active else None, zone)


def _stretch(stretch: Stretch, timeline: Timeline, moment: str | None, zone: tzinfo) -> Iterator[str]:
    yield _head(stretch, zone)
    is_long = local(timeline.shown_from, zone)[:10] != local(from_ms(to_ms(timeline.shown_to) - 1), zone)[:10]
    before = [a for a in stretch.acts if moment is None or a.at < moment]
    yield from (_act(act, zone, is_long) for act in before)
    if moment is not None:
        yield f"> {clock(moment, zone)}"
    yield from (_act(act, zone, is_long) for act in stretch.acts[len(before) :])
    if stretch.left_out:
        yield f"{_INDENT}{counted(stretch.left_out, 'more act')} in this time"
    for file in stretch.files:
        yield f"{_INDENT}wrote {escaped(file.path)} [{escaped(file.receipt)}]"


def _head(stretch: Stretch, zone: tzinfo) -> str:
    session, tally = stretch.session, stretch.tally
    who = " ".join(filter(None, (session.harness, session.version or "")))
    if session.parent is not None:
        who += f", sub-agent {session.agent or ''} of {session.parent}".replace("  ", " ")
    elif session.agent:
        who += f", agent {session.agent}"
    if session.agent_role:
        who += f", role {session.agent_role}"
    spent = [counted(tally.events, "event")]
    if tally.tokens_in is not None or tally.tokens_out is not None:
        spent.append(f"{tally.tokens_in or 0:,} tokens in, {tally.tokens_out or 0:,} out")
    spent.extend(tally.models)
    times = f"{day_and_time(session.first_at, zone)} to {day_and_time(session.last_at, zone)}"
    did = escaped(", ".join(spent))
    return f"session {escaped(session.id)} ({escaped(who)}), {times}; {did} [{escaped(stretch.receipt)}]"


def _act(act: Act, zone: tzinfo, is_long: bool) -> str:
    """One line; with its day where more than one day is shown."""
    text, missing = cut(act.text, VALUE_CAP)
    told = [
        local(act.at, zone)[:19] if is_long else clock(act.at, zone),
        f"{escaped(act.tool) if act.tool else act.kind}{f' ({act.origin})' if act.origin else ''}",
        text,
        *missing,
    ]
    if act.exit_code is not None:
        told.append(f"exit:{act.exit_code}")
    elif act.outcome:
        told.append(act.outcome)
    if act.duration_ms is not None:
        told.append(("about " if act.is_elapsed else "") + length(act.duration_ms))
    return _INDENT + " ".join([*filter(None, told), f"[{escaped(act.receipt)}]"])
