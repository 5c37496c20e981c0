"""The second half of the gate: a draft becomes a fact, a proposal or a refusal with its reason."""

from __future__ import annotations

from typing import NamedTuple

from muniment.errors import UsageError
from muniment.model.entity import KINDS, SELF, Entity, path_key
from muniment.model.event import Origin, Role, Span
from muniment.model.fact import Archived, Draft, Standing
from muniment.model.ids import hash128
from muniment.model.rank import weight_key
from muniment.model.stored import FactRow
from muniment.model.values import normalised
from muniment.model.vocabulary import Predicate, predicate

LEAST_PRECISION = 0.80
"""A method measured below this may only propose."""

_BY = {
    "any": frozenset(Origin) - {Origin.HARNESS},
    "person": frozenset({Origin.PERSON}),
    "tool": frozenset({Origin.TOOL, Origin.WEB, Origin.AGENT}),
    "agent": frozenset({Origin.MODEL, Origin.AGENT, Origin.PERSON}),
    "model": frozenset({Origin.MODEL, Origin.AGENT}),
    "import": frozenset({Origin.IMPORT, Origin.WEB, Origin.PERSON, Origin.REPOSITORY}),
}
_FIRM_ORIGINS = frozenset({Origin.PERSON, Origin.TOOL})


class Method(NamedTuple):
    """The extractor that made a draft, with the precision that was frozen with its version."""

    name: str
    version: int
    precision: float

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class Refusal(NamedTuple):
    """A draft that may not become a fact: `proposed` ones may be accepted by a person later."""

    reason: str
    proposed: bool = False


def admit(
    draft: Draft, event: Archived, witness: Archived | None, method: Method, *, is_accepted: bool = False
) -> FactRow | Refusal:  # fmt: skip
    """Apply the laws to one draft. Origin, role and time are read off the event (or the result that witnesses it).

    `is_accepted`: a person made it a fact, so that it need not have been more than a proposal; all else holds.
    """
    channel = witness or event
    refusal = _receipt(draft, event, witness) or _channel(event, channel)
    if refusal is not None:
        return refusal
    try:
        verb = predicate(draft.predicate)
    except UsageError as error:
        return Refusal(error.message)
    if draft.proposes and not is_accepted:
        return Refusal(draft.proposes, True)
    refusal = _meaning(draft, verb, event, channel)
    if refusal is not None:
        return refusal
    if method.precision < LEAST_PRECISION and not is_accepted:
        return Refusal(
            f"{method} is measured at {method.precision:.2f}; below {LEAST_PRECISION} it only proposes", True
        )
    return _row(draft, verb, event, channel, method)


def _receipt(draft: Draft, event: Archived, witness: Archived | None) -> Refusal | None:
    """L1: the span lies in the event, and what is claimed as written stands there."""
    start, end = draft.span
    if start == end:
        return Refusal("no receipt: the span is empty")
    if not 0 <= start < end <= len(event.text):
        return Refusal(f"no receipt: span {start}-{end} is outside the event's {len(event.text)} characters")
    words = event.text[start:end]
    if draft.literal is not None and words != draft.literal and not (draft.quoted and draft.literal in words):
        return Refusal("no receipt: the literal is not what stands at the span")
    if draft.quoted and draft.witness is None:
        return Refusal("no receipt: nobody is known who quotes these words")
    if draft.witness is not None and (witness is None or witness.uid != draft.witness):
        return Refusal("no receipt: the witness is not the result of this call")
    return None


def _channel(event: Archived, channel: Archived) -> Refusal | None:
    """L2: what the harness injected is nobody's word; a hook or harness record states nothing."""
    if Role.HARNESS in (event.role, channel.role) or "injected" in event.flags or "injected" in channel.flags:
        return Refusal("the harness put these words there; they are nobody's statement")
    return None


def _meaning(draft: Draft, verb: Predicate, event: Archived, channel: Archived) -> Refusal | None:
    if (draft.literal is None) == (draft.object is None):
        return Refusal("a fact has a literal or an object, never both and never neither")
    if draft.literal is not None and not draft.literal.strip():
        return Refusal("an empty statement")
    if draft.subject.kind not in KINDS or (draft.object is not None and draft.object.kind not in KINDS):
        return Refusal(f"unknown kind of entity: {draft.subject.kind}")
    speaker = event if draft.quoted else channel  # what only a person can say of himself is quoted from a person
    if speaker.origin not in _BY[verb.by]:
        return Refusal(f"{verb.name} is drawn from {verb.by}, not from origin {speaker.origin}")
    if verb.by == "tool" and channel.role != Role.TOOL:  # what an agent or a page says of a run is not the run
        return Refusal(f"{verb.name} is what a tool did, and a record of {channel.role} says only that it did")
    return None


def _row(draft: Draft, verb: Predicate, event: Archived, channel: Archived, method: Method) -> FactRow:
    subject = _resolve(draft.subject, event)
    object_ = _resolve(draft.object, event) if draft.object is not None else None
    value_key = (
        normalised(draft.literal) if draft.literal is not None else f"{object_[0]}:{object_[1]}" if object_ else ""
    )
    rung = draft.rung
    id_ = fact_id(event.uid, draft.span, verb.name, draft.subject, draft.topic, written(draft), method.name)
    return FactRow(
        id_, subject, verb.name, draft.topic, object_, draft.literal, value_key,
        settle_key(verb, subject, draft.topic, value_key) if verb.state else None, event.uid, draft.witness,
        draft.span[0], draft.span[1], str(method), rung, _stated(draft, verb, channel), str(channel.role), str(channel.origin),
        (event if draft.quoted else channel).order_at, draft.valid_from, draft.valid_until, draft.anchor,
        hash128(event.text[draft.span[0] : draft.span[1]]), draft.expires_at,
        weight_key(channel.role, rung, method.precision), draft.context, draft.source_url, draft.tags, draft.evidence,
    )  # fmt: skip


def fact_id(uid: bytes, span: Span, verb: str, subject: Entity, topic: str, written: str, method: str) -> bytes:
    """The name of a fact: its event and place, and what is stated there as written. No time, no machine, no resolution."""
    return hash128(uid, f"{span[0]}-{span[1]}", verb, *subject, topic, written, method)


def written(draft: Draft) -> str:
    """The value of a draft as written."""
    if draft.literal is not None:
        return draft.literal
    return f"{draft.object[0]}:{draft.object[1]}" if draft.object else ""


def _stated(draft: Draft, verb: Predicate, channel: Archived) -> str:
    """A state is confirmed at once only by a person's explicit words or a tool's observation."""
    if draft.quoted or (verb.state and channel.origin not in _FIRM_ORIGINS):
        return Standing.HYPOTHESIS.value
    return draft.standing.value


def _resolve(entity: Entity, event: Archived) -> Entity:
    if entity == SELF:
        return Entity("session", event.session)
    if entity.kind == "path":
        return Entity("path", path_key(entity.key, event.cwd, event.root))
    return entity


def settle_key(verb: Predicate, subject: Entity, topic: str, value_key: str) -> bytes:
    """The key under which statements settle: (subject, predicate, topic), and the value where many hold at a time."""
    many = () if verb.is_single(topic) else (value_key,)
    return hash128("key", verb.name, *subject, topic, *many)


def claim_id(row: FactRow) -> bytes:
    """What a verdict on a fact targets: its claim for a state, the fact itself for an occurrence."""
    return hash128("claim", row.key, row.value_key) if row.key is not None else row.id
