"""What every extractor here needs: a call with the result that answers it, and the spans of both."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from muniment.capture.extract.contract import Window
from muniment.model.event import Action, Call, Result, Role, Span
from muniment.model.fact import Archived

TAIL = 64 * 1024
"""Outputs are looked at from this many characters before their end: summaries stand last, and work stays bounded."""

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Answered(NamedTuple):
    """A call of an event, the result that answered it, and the event that holds the result."""

    call: Call
    result: Result
    holder: Archived
    witness: bytes | None
    """The uid of `holder` when it is another event than the one that made the call."""


def may_speak(event: Archived) -> bool:
    """False for a harness's own words and for what we injected: those are never anybody's facts."""
    return event.role is not Role.HARNESS and "injected" not in event.flags


def answered(event: Archived, window: Window, actions: Collection[Action]) -> Iterator[Answered]:
    """The calls of this event with one of `actions` that were answered, here or in a later event."""
    for call in event.calls:
        if call.action in actions:
            found = answer(event, window, call)
            if found is not None:
                yield found


def answer(event: Archived, window: Window, call: Call) -> Answered | None:
    """The answer to a call of this event, if there is one yet."""
    for result in event.results:
        if result.call_id == call.call_id:
            return Answered(call, result, event, None)
    found = window.result(call.call_id)
    if found is None or not may_speak(found[0]):
        return None
    holder, result = found
    return Answered(call, result, holder, None if holder.uid == event.uid else holder.uid)


class Outcome(NamedTuple):
    """A result of this event and the call it answers, with the event that made the call."""

    result: Result
    call: Call
    caller: Archived


def outcomes(event: Archived, window: Window, action: Action) -> Iterator[Outcome]:
    """The results of this event whose calls did `action`."""
    for result in event.results:
        found = asker(event, window, result)
        if found is not None and found[1].action is action and may_speak(found[0]):
            yield Outcome(result, found[1], found[0])


def asker(event: Archived, window: Window, result: Result) -> tuple[Archived, Call] | None:
    """The call that this result answers."""
    for call in event.calls:
        if call.call_id == result.call_id:
            return event, call
    return window.call(result.call_id)


def argument(event: Archived, call: Call, name: str) -> Span | None:
    """Where a text argument stands, or None when it is missing, empty, blank or no text."""
    value = call.args.get(name)
    return value if isinstance(value, Span) and has_text(event, value) else None


def has_text(event: Archived, span: Span) -> bool:
    """Is this span a place in the event's text with something other than white space in it?"""
    return 0 <= span.start < span.end <= len(event.text) and not event.text[span.start : span.end].isspace()


def cut(event: Archived, span: Span) -> str:
    """The text of a span."""
    return event.text[span.start : span.end]


def tail(event: Archived, result: Result) -> tuple[str, int]:
    """The end of an output and where it begins in the event's text; colour codes become spaces, so offsets hold."""
    start, end = result.span
    if not 0 <= start <= end <= len(event.text):
        return "", 0
    start = max(start, end - TAIL)
    return _ESCAPES.sub(lambda found: " " * len(found.group()), event.text[start:end]), start


def exit_words(result: Result) -> list[str]:
    """How a call ended, as words of a draft's context."""
    words = [] if result.exit_code is None else [f"exit:{result.exit_code}"]
    if result.duration_ms is not None:
        words.append(f"ms:{result.duration_ms}")
    if result.ok is False and result.exit_code is None:
        words.append("failed")
    return words


def went_well(result: Result) -> bool:
    """True unless the record says that it failed."""
    return result.ok is not False and result.exit_code in (None, 0)
