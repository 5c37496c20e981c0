"""Builds archived events for the extractor tests."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.capture.extract import registry
from muniment.model.event import Action, Call, Origin, Result, Role, Span
from muniment.model.fact import Archived, Draft


def archived(text, *, name="e", role=Role.ASSISTANT, origin=Origin.MODEL, kind="call", **more) -> Archived:
    return Archived(
        uid=name.encode(),
        session="s",
        seq=0,
        harness="test",
        role=role,
        origin=origin,
        kind=kind,
        text=text,
        order_at="2026-01-01T00:00:00.000Z",
        **more,
    )


def call(action, args, numbers=None, *, call_id="c", name="call", **more) -> Archived:
    """An event with one call; its text is the action and the arguments, one a line."""
    text, spans = action.upper(), {}
    for key, value in args.items():
        spans[key] = Span(len(text) + 1, len(text) + 1 + len(value))
        text += "\n" + value
    return archived(
        text, name=name, calls=(Call(call_id, "tool", Action(action), {**spans, **(numbers or {})}),), **more
    )


def result(output, *, call_id="c", name="result", head="", flags=(), **facts) -> Archived:
    """An event with one result."""
    span = Span(len(head), len(head) + len(output))
    return archived(
        head + output,
        name=name,
        role=Role.TOOL,
        origin=Origin.TOOL,
        kind="result",
        flags=flags,
        results=(Result(call_id, span, **facts),),
    )


def joined(action, args, output, **facts) -> Archived:
    """One event with a call and its result, as OpenCode writes it."""
    made = call(action, args)
    text = made.text + "\n" + output
    answer = Result("c", Span(len(made.text) + 1, len(text)), **facts)
    return archived(text, name="both", role=Role.TOOL, origin=Origin.TOOL, calls=made.calls, results=(answer,))


@dataclass
class Session:
    """The window over a list of events."""

    events: tuple[Archived, ...]

    def call(self, call_id: str):
        return next(((e, c) for e in self.events for c in e.calls if c.call_id == call_id), None)

    def result(self, call_id: str):
        return next(((e, r) for e in self.events for r in e.results if r.call_id == call_id), None)


def drafts(*events, only=None) -> list[Draft]:
    """All drafts of the events in order, or those of one predicate."""
    window = Session(events)
    found = [draft for event in events for _, draft in registry.draw(event, window)]
    return [draft for draft in found if only is None or draft.predicate == only]


def ran(command, output="", *, only=None, **facts) -> list[Draft]:
    """The drafts of a command and its result, in two events."""
    return drafts(call("run", {"command": command}), result(output, **facts), only=only)
