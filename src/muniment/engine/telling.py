"""The verb `extract`: what the extractors would make of a person's turn. Pure: nothing is read or kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from muniment.capture.extract import registry
from muniment.capture.extract.told import claim, drafting
from muniment.errors import UsageError
from muniment.gate.admission import Method, Refusal, admit
from muniment.gate.intake import name
from muniment.model.event import Call, Kind, Origin, Result, Role
from muniment.model.fact import Archived, Draft
from muniment.model.vocabulary import VOCABULARY

ROLES = {"user": (Role.USER, Origin.PERSON, Kind.PROMPT), "assistant": (Role.ASSISTANT, Origin.MODEL, Kind.REPLY)}
"""Whose turn it may be."""

_HEDGED = 0.5


@dataclass(frozen=True, slots=True)
class Extract:
    """One statement as it would be drawn. `span` is its place in the text; `outcome` is confirmed, hypothesis, proposed or
    refused; `confidence` the measured precision of its method, half of that where the words hedge."""

    type: str
    predicate: str
    subject: str
    topic: str
    literal: str
    tags: tuple[str, ...]
    confidence: float
    scope: str
    span: tuple[int, int]
    method: str
    outcome: str
    corrects: tuple[int, int] | None = None
    """Of a correction: the place in the turn before it of the claim that it corrects."""


def extract(text: str, role: str = "user", previous: str = "") -> list[Extract]:
    """What would be drawn from a turn, in the order of its words. `previous` is the assistant's turn before it."""
    if role not in ROLES:
        raise UsageError(f"unknown role {role!r}", hint="roles: " + ", ".join(ROLES), about="role")
    event = _event(text, role)
    found = [_extract(event, method, draft, previous) for method, draft in _drawn(event)]
    return sorted(found, key=lambda e: (e.span, e.predicate, e.method))


def _event(text: str, role: str) -> Archived:
    who, origin, kind = ROLES[role]
    kept = name(text)
    return Archived(b"\0" * 16, "extract", 0, "extract", who, origin, kind, kept, "1970-01-01T00:00:00.000Z")


def _drawn(event: Archived) -> Iterator[tuple[Method, Draft]]:
    for extractor in registry.TELLING:
        for draft in extractor.draw(event, _NoWindow()):
            precision = registry.precision(extractor.name, extractor.version)
            yield Method(extractor.name, extractor.version, precision), draft


def _extract(event: Archived, method: Method, draft: Draft, previous: str) -> Extract:
    row = admit(draft, event, None, method)
    hedged = draft.standing.value == "hypothesis"
    outcome = ("proposed" if row.proposed else "refused") if isinstance(row, Refusal) else row.stated
    return Extract(
        VOCABULARY[draft.predicate].type,
        draft.predicate,
        f"{draft.subject.kind}:{draft.subject.key}" if draft.subject.kind != draft.subject.key else draft.subject.kind,
        draft.topic,
        draft.literal or "",
        draft.tags,
        round(method.precision * (_HEDGED if hedged else 1.0), 2),
        "person" if drafting.is_of_person(draft) else "workspace",
        (draft.span.start, draft.span.end),
        str(method),
        outcome,
        _claim(event.text, draft, previous),
    )


def _claim(text: str, draft: Draft, previous: str) -> tuple[int, int] | None:
    wrong = claim.wrong_of(draft.context)
    if draft.predicate != "corrected" or not previous:
        return None
    return claim.claim_in(previous, text[wrong[0] : wrong[1]] if wrong else "")


class _NoWindow:
    """No other event belongs to a turn by itself."""

    def call(self, call_id: str) -> tuple[Archived, Call] | None:
        """Nothing."""
        del call_id
        return None

    def result(self, call_id: str) -> tuple[Archived, Result] | None:
        """Nothing."""
        del call_id
        return None
