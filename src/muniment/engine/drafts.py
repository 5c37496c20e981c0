"""A verdict keeps the draft of the fact it speaks of, so that the fact stays where its extractor gives it no more.

The draft goes through the gate again each time: where the words have gone from the event, so has the receipt, and with
it the fact.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from muniment.gate.admission import Method
from muniment.model.entity import Entity
from muniment.model.event import Span
from muniment.model.fact import Draft, Standing, Verdict

_UID = re.compile(r'"uid": ?"([0-9a-f]{32})"')
_WITNESS = re.compile(r'"witness": ?"([0-9a-f]{32})"')
_PLAIN = (
    "predicate",
    "topic",
    "literal",
    "rung",
    "valid_from",
    "valid_until",
    "anchor",
    "context",
    "source_url",
    "expires_at",
)


class Kept(NamedTuple):
    """A fact that a verdict speaks of, as it was drawn. `is_accepted`: a person made it one of a proposal."""

    fact: bytes
    method: Method
    draft: Draft
    is_accepted: bool = False


def encode(method: Method, draft: Draft) -> dict[str, Any]:
    """A draft and what made it, as JSON values."""
    fields: dict[str, Any] = {name: getattr(draft, name) for name in _PLAIN}
    return fields | {
        "subject": list(draft.subject),
        "span": list(draft.span),
        "object": None if draft.object is None else list(draft.object),
        "standing": draft.standing.value,
        "witness": None if draft.witness is None else draft.witness.hex(),
        "tags": list(draft.tags),
        "evidence": [list(e) for e in draft.evidence],
        "method": list(method),
        **({"quoted": True} if draft.quoted else {}),
    }


def amendment(verdict: Verdict) -> tuple[str, str] | None:
    """(field, value) of what a verdict amends."""
    field = json.loads(verdict.draft).get("amends")
    return (str(field[0]), str(field[1])) if field else None


def claim_of(verdict: Verdict) -> bytes | None:
    """The claim that a fact made before a verdict gave it another topic."""
    claim = json.loads(verdict.draft).get("claim")
    return bytes.fromhex(claim) if claim else None


def fact_of(verdict: Verdict) -> bytes | None:
    """The fact that a verdict was given on."""
    fact = json.loads(verdict.draft).get("fact")
    return bytes.fromhex(fact) if fact else None


def uid_of(verdict: Verdict) -> bytes | None:
    """The event of the fact that a verdict speaks of."""
    found = _UID.search(verdict.draft)
    return bytes.fromhex(found[1]) if found else None


def witness_of(verdict: Verdict) -> bytes | None:
    """The result that the kept draft of a verdict rests on, beside its event."""
    found = _WITNESS.search(verdict.draft)
    return bytes.fromhex(found[1]) if found else None


def named(verdict: Verdict) -> list[bytes]:
    """The events whose words a verdict may hold: its own command's, and those that the fact it speaks of rests on."""
    return [uid for uid in (verdict.uid, uid_of(verdict), witness_of(verdict)) if uid is not None]


def decode(verdict: Verdict) -> Kept | None:
    """The draft that a verdict keeps, if it keeps one."""
    written = json.loads(verdict.draft)
    fields = written.get("draft")
    if not fields:
        return None
    method, draft = read(fields)
    return Kept(bytes.fromhex(written["fact"]), method, draft)


def read(fields: dict[str, Any]) -> tuple[Method, Draft]:
    """What `encode` wrote."""
    plain = {name: fields[name] for name in _PLAIN}
    draft = Draft(
        **plain,
        subject=Entity(*fields["subject"]),
        span=Span(*fields["span"]),
        object=None if fields["object"] is None else Entity(*fields["object"]),
        standing=Standing(fields["standing"]),
        witness=None if fields["witness"] is None else bytes.fromhex(fields["witness"]),
        tags=tuple(fields["tags"]),
        evidence=tuple((kind, ref) for kind, ref in fields["evidence"]),
        quoted=bool(fields.get("quoted")),
    )
    return Method(*fields["method"]), draft


def key_of(verdict: Verdict) -> bytes | None:
    """The settle key of the claim that a verdict targets; None for an occurrence."""
    key = json.loads(verdict.draft).get("key")
    return bytes.fromhex(key) if key else None
