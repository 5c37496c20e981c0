"""Statements given to us directly (`add`, `correct`): the command is an event like others, and the fact is drawn from it."""

from __future__ import annotations

from collections.abc import Iterable

from muniment.capture.extract.contract import Window
from muniment.model import address
from muniment.model.entity import Entity
from muniment.model.event import Call, Span
from muniment.model.fact import Archived, Draft, Standing
from muniment.model.vocabulary import VOCABULARY

TOOL = "muniment.state"
"""The name of the call that such an event carries; its arguments are spans of the event's text."""

ASSERT = "muniment.assert"
"""The same of an assertion: it states nothing here, since its fact stands beside the words that it quotes."""

ASSERTED = "own.assert"
"""The method of what an agent asserts: nothing was misread, and nothing was proved."""

name = "own.state"
version = 1
predicates: tuple[str, ...] = tuple(VOCABULARY)
precision = 1.0
"""The statement is taken as given, so there is nothing to misread."""


def draw(event: Archived, window: Window) -> Iterable[Draft]:
    """The draft that the caller dictated."""
    del window
    for call in event.calls:
        if call.tool == TOOL:
            yield _draft(event, call)


def _draft(event: Archived, call: Call) -> Draft:
    def word(key: str) -> str | None:
        at = call.args.get(key)
        return event.text[at.start : at.end] if isinstance(at, Span) else None

    span = call.args["content"]
    if not isinstance(span, Span):
        span = Span(0, 0)
    content = event.text[span.start : span.end]
    predicate = word("predicate") or "noted"
    kind = VOCABULARY[predicate].object_kind if predicate in VOCABULARY else None
    refs = (v for k in sorted(call.args, key=_place) if k.startswith("evidence.") and (v := word(k)) is not None)
    evidence = tuple((a.kind, a.ref) for a in map(address.parse, refs))
    return Draft(
        predicate,
        Entity(word("subject_kind") or "project", word("subject") or "project"),
        span,
        topic=word("topic") or "",
        object=Entity(kind, content) if kind else None,
        literal=None if kind else content,
        rung=3 if event.origin == "person" else 0,
        standing=Standing(word("standing") or "confirmed"),
        valid_from=word("valid_from"),
        valid_until=word("valid_until"),
        context=word("context") or "",
        tags=tuple((word("tags") or "").split()),
        evidence=evidence,
        source_url=word("source_url"),
        expires_at=word("expires_at"),
        proposes=word("proposes") or "",
    )


def _place(key: str) -> tuple[int, str]:
    """`evidence.10` stands behind `evidence.9`."""
    return len(key), key
