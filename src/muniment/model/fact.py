"""Facts, drafts, verdicts: the values that the rules work on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from muniment.model.entity import Entity
from muniment.model.event import Call, Origin, Result, Role, Span


class Standing(StrEnum):
    """How far a fact is believed."""

    CONFIRMED = "confirmed"
    HYPOTHESIS = "hypothesis"
    SUSPECT = "suspect"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    EXPIRED = "expired"


class Rung(int):
    """The k of the rank."""


ASSERTED, OBSERVED, VERIFIED, SAID_BY_PERSON = Rung(0), Rung(1), Rung(2), Rung(3)


@dataclass(frozen=True, slots=True)
class Archived:
    """An event as it stands in the archive: masked, named by `uid`, shown at (`session`, `seq`) and ordered by `order_at`."""

    uid: bytes
    session: str
    seq: int
    harness: str
    role: Role
    origin: Origin
    kind: str
    text: str
    order_at: str
    cwd: str | None = None
    root: str | None = None
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    flags: tuple[str, ...] = ()
    masked: bool = False
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """What an extractor makes of an event; the gate turns it into a fact, a proposal or a refusal.

    `span` is the place in the event's text that says it. `literal` or `object` (never both) is the value, as written.
    `witness` is the uid of the tool result that answered the call in this event: then role, origin and time of the fact
    are the result's. `anchor` is the SHA-256 of the file it is about, when the event proves it. `context` holds small
    measured details (`exit:1`, `ms:532`, `passed:12`), space separated. `quoted`: the span holds words that an agent
    quotes, and the value stands among them; who asserts it is the witness, and the time is the words'. `proposes`: what is
    asked of a person, where the draft may not be more than that.
    """

    predicate: str
    subject: Entity
    span: Span
    topic: str = ""
    object: Entity | None = None
    literal: str | None = None
    rung: int = 0
    standing: Standing = Standing.CONFIRMED
    valid_from: str | None = None
    valid_until: str | None = None
    witness: bytes | None = None
    anchor: str | None = None
    context: str = ""
    tags: tuple[str, ...] = ()
    evidence: tuple[tuple[str, str], ...] = ()
    source_url: str | None = None
    expires_at: str | None = None
    quoted: bool = False
    proposes: str = ""


class Action(StrEnum):
    """What a verdict does."""

    CONFIRM = "confirm"
    SUSPECT = "suspect"
    SUPERSEDE = "supersede"
    CORRECT = "correct"
    RETRACT = "retract"
    RESTORE = "restore"
    EXPIRE = "expire"
    """From a time on it is not to be relied on, whether it was true or not."""
    UNSURE = "unsure"
    """Back to a hypothesis: whoever said it was less sure than it looked."""
    AMEND = "amend"
    """Other tags, another topic or context; never other words."""
    NARROW = "narrow"
    """Right in a narrower scope than it says: the facts in the value tell which."""
    CHECK = "check"
    """What the world says of an address that facts depend on; its target is the address."""
    PIN = "pin"
    UNPIN = "unpin"
    ACCEPT = "accept"
    """A person makes a fact of a proposal, or grants what it asks."""
    DECLINE = "decline"
    UNDO = "undo"
    """What one command decided counts as undecided. Its target is that command's event."""
    ASSERT = "assert"
    """An agent's reading of words in its own session. It decides nothing: it keeps the draft beside the event quoted."""


class Verdict(NamedTuple):
    """An appended decision about a claim (of a state) or a fact (an occurrence).

    `target` is its 16 bytes in hexadecimal, `value` the ids of the facts it speaks of (hexadecimal, space separated),
    `uid` the event that gave it, `by` the origin of that event. `draft` is the target as it stood (JSON), so that a
    rebuild has it even where its event gives it no more.
    """

    id: bytes
    action: str
    target_kind: str
    target: str
    value: str
    reason: str
    uid: bytes
    at: str
    by: str
    draft: str
