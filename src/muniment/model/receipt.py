"""Receipts: `session:seq` or `session:seq@start-end`."""

from __future__ import annotations

import re
from typing import NamedTuple

from muniment.errors import UsageError
from muniment.model.event import Span

_FORM = re.compile(r"^(?P<session>.+):(?P<seq>\d{1,18})(?:@(?P<start>\d{1,12})-(?P<end>\d{1,12}))?$", re.DOTALL)


class Receipt(NamedTuple):
    """A place in the archive: the event at (session, seq), and a span of code points in its text (None: all of it)."""

    session: str
    seq: int
    span: Span | None = None

    def __str__(self) -> str:
        place = f"{self.session}:{self.seq}"
        return place if self.span is None else f"{place}@{self.span.start}-{self.span.end}"


def looks_like(text: str) -> bool:
    """Has the text the form of a receipt?"""
    return _FORM.match(text) is not None


def parse(text: str) -> Receipt:
    """Read a receipt as written; UsageError if it is none."""
    found = _FORM.match(text.strip())
    if found is None:
        raise UsageError(
            f"not a receipt: {text!r}", hint="a receipt is session:seq or session:seq@start-end", about=text
        )
    span = None
    if found["start"] is not None:
        span = Span(int(found["start"]), int(found["end"]))
        if span.end < span.start:
            raise UsageError(f"the span of {text!r} ends before it starts", hint="write @start-end", about=text)
    return Receipt(found["session"], int(found["seq"]), span)


def event_of(text: str) -> str:
    """A receipt as written, without its span: `session:seq` of the event."""
    head, at, span = text.rpartition("@")
    return head if at and _FORM.match(text) and _FORM.match(head) and span.replace("-", "").isdigit() else text
