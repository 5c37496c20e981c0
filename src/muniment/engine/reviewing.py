"""The verb `review`: what waits for a person, in groups, the most pressing first, so many a day; accepted, declined, undone.

What only proposes: weak extractors and paraphrases, rules read from files, patterns, and whatever an agent asks that is a
person's to decide. Accepting makes the draft a fact where its words stand, confirmed by the person, or does what was asked.
Declining is remembered for everything that says the same. Each decision is a verdict, and undoing one is another.

The order is by expected damage, the product of three numbers:

    wrong     how likely something false is believed while it waits: high where a fact that holds is disputed, low for a
              draft, which nobody believes yet (half as much again where it stands against what holds)
    reach     1 + log2(1 + uses) of the fact that it is about
    weight    1 + log2(sightings): what is said again and again
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from muniment.engine import drafts, proposing, revising, uses
from muniment.engine.commanding import Admission, Command
from muniment.engine.core import Caller, Engine
from muniment.engine.drafts import Kept
from muniment.engine.verdicts import VerdictBook
from muniment.engine.wording import masked
from muniment.errors import NotFoundError, NothingChangedError, RefusedError, UsageError
from muniment.gate.admission import Refusal, admit, claim_id, settle_key
from muniment.model.event import Origin
from muniment.model.fact import Action, Verdict
from muniment.model.ids import parse, parse_prefix, show
from muniment.model.ports import Store
from muniment.model.stored import FactRow
from muniment.model.time import local
from muniment.model.values import normalised
from muniment.model.vocabulary import VOCABULARY

PER_DAY = 20
"""Decisions that a person is asked for in one day."""
OPEN, ACCEPTED, DECLINED = "open", "accepted", "declined"
_WRONG = {
    "correct": 1.0, "retract": 1.0, "supersede": 0.9, "expire": 0.8, "suspect": 0.7, "update": 0.4, "restore": 0.4,
    "confirm": 0.3, "pin": 0.2, "unpin": 0.1,
}  # fmt: skip
_DRAFTED = {"preference": 0.3, "procedure": 0.3, "fact": 0.25, "decision": 0.2, "promise": 0.15, "pattern": 0.15}
_LEAST = 0.05
_AGAINST = 1.5


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to decide. `asks` is what is asked (add, or an action on the fact `about`), `sightings` how often."""

    id: str
    asks: str
    about: str | None
    text: str
    predicate: str
    topic: str
    subject: str
    reason: str
    origin: str
    receipt: str
    at: str
    evidence: tuple[tuple[str, str], ...]
    sightings: int
    damage: float
    state: str
    decided_at: str | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """What is to be decided now, by kind, the most pressing first; how many wait, and how many the day still takes."""

    proposals: tuple[Proposal, ...]
    groups: dict[str, int]
    open: int
    decided_today: int
    per_day: int


def review(engine: Engine, *, everything: bool = False, state: str = OPEN) -> Review:
    """The proposals of one state. Without `everything` no more open ones than the day still takes."""
    if state not in (OPEN, ACCEPTED, DECLINED):
        raise UsageError(f"no such state: {state!r}", hint="states: open, accepted, declined", about=state)
    store = engine.store()
    with store.reading():
        desk = _Desk(engine, store)
        found = [p for p in desk.proposals() if p.state == state]
        today = desk.decided_today()
    room = len(found) if everything or state != OPEN else max(0, PER_DAY - today)
    ordered = sorted(found, key=lambda p: (-p.damage, p.id))
    groups = Counter(_kind(p) for p in found)
    first: dict[str, float] = {}
    for p in ordered:
        first.setdefault(_kind(p), p.damage)
    shown = sorted(ordered[:room], key=lambda p: (-first[_kind(p)], _kind(p), -p.damage, p.id))
    return Review(tuple(shown), dict(groups.most_common()), len(found), today, PER_DAY)


def _kind(p: Proposal) -> str:
    return f"add {VOCABULARY[p.predicate].type}" if p.asks == "add" else p.asks


def accept(engine: Engine, caller: Caller, text: str) -> Admission:
    """Make a fact of the proposal, or do what it asks, in the person's name."""
    _demand_person(caller, "accept")
    one, kept, uid = _found(engine, text)
    _demand_open(one)
    if one.about is None:
        return _made(engine, caller, one, kept, uid)
    granting = replace(caller, grants=parse(one.id))
    field, _, value = one.text.partition("=")
    words = revising.Words(
        claim=one.text if one.asks == "correct" else "", new_id=_other(one), reason=one.reason or f"proposal {one.id}",
        field=field if one.asks == "update" else "", value=value if one.asks == "update" else _time(one),
    )  # fmt: skip
    done = revising.revise(engine, granting, one.about, one.asks, words)
    return replace(done, reason=f"accepted {one.id}: {one.asks}")


def decline(engine: Engine, caller: Caller, text: str, reason: str = "") -> Admission:
    """The proposal is not wanted, now and whenever it comes again."""
    _demand_person(caller, "decline")
    one, _, _ = _found(engine, text)
    _demand_open(one)
    command = Command(engine, caller, f"decline {one.id}", one.text, {}, note=reason)
    verdict = command.decision(Action.DECLINE, ("proposal", _group(one).hex()), [], reason, {})
    command.write([verdict], only_proposes=True)
    return Admission(DECLINED, (one.id,), receipt=command.receipt, reason=masked(reason))


def undo(engine: Engine, caller: Caller, text: str) -> Admission:
    """Take back what was decided about a proposal: it waits again, and what the decision made of it no longer counts."""
    _demand_person(caller, "undo")
    one, _, _ = _found(engine, text)
    store = engine.store()
    decision = VerdictBook(store.facts.verdicts()).decided(_group(one))
    if decision is None:
        raise NothingChangedError(f"{one.id} is open; there is nothing to undo", about=one.id)
    command = Command(engine, caller, f"undo {one.id}", one.text, {})
    stated = store.facts.facts(store.facts.of_event(decision.uid))
    verdicts = [command.decision(Action.UNDO, ("command", decision.uid.hex()), [], "", {})]
    verdicts += [command.verdict(Action.RETRACT, f, [f.row.id], f"undone: {one.id}", part=True) for f in stated]
    done = command.write(verdicts, _Waits(engine, one.id), only_proposes=True)
    gone = tuple(show(id_) for id_ in sorted({*done.derived.withdrawn, *(f.row.id for f in stated)}))
    return Admission("reopened", (one.id,), superseded=gone, receipt=command.receipt)


@dataclass(frozen=True, slots=True)
class _Waits:
    """L9: after the command the proposal is open."""

    engine: Engine
    id: str

    def demand(self, store: Store) -> None:
        """Undo everything if it is not so."""
        if any(p.id == self.id and p.state != OPEN for p in _Desk(self.engine, store).proposals()):
            raise NothingChangedError(f"{self.id} stays decided", about=self.id)


def _demand_person(caller: Caller, verb: str) -> None:
    if caller.origin != Origin.PERSON:
        raise RefusedError(f"only a person may {verb} a proposal", hint=f"run `muniment review {verb}` in a terminal")


def _demand_open(one: Proposal) -> None:
    if one.state != OPEN:
        hint = f"`muniment review undo {one.id}` opens it again"
        raise NothingChangedError(f"{one.id} was {one.state} on {(one.decided_at or '')[:10]}", hint=hint, about=one.id)


def _group(one: Proposal) -> bytes:
    group = parse(one.id)
    assert group is not None, "it was shown"
    return group


def _other(one: Proposal) -> str:
    """The fact that is to take another's place, out of what is asked."""
    return one.reason.partition(" ")[0] if one.asks == "supersede" else ""


def _time(one: Proposal) -> str:
    return one.text if one.asks == "expire" and one.text != proposing.NOW else ""


def _made(engine: Engine, caller: Caller, one: Proposal, kept: Kept, uid: bytes) -> Admission:
    """The draft as a fact where its words stand; where the gate lets only a person say so, as the person's own words."""
    row = _row(engine.store(), kept, uid)
    if isinstance(row, Refusal):
        return _restated(engine, caller, one, kept)
    command = Command(engine, caller, f"accept {one.id}", one.text, {})
    draft = {
        "key": row.key.hex() if row.key else "", "fact": row.id.hex(), "predicate": row.predicate,
        "subject": list(row.subject), "topic": row.topic, "value": row.value, "uid": uid.hex(),
        "draft": drafts.encode(kept.method, kept.draft),
    }  # fmt: skip
    accepted = command.decision(Action.ACCEPT, ("proposal", _group(one).hex()), [row.id], "", draft)
    target = ("claim" if row.key else "fact", claim_id(row).hex())
    confirmed = command.decision(Action.CONFIRM, target, [row.id], f"accepted {one.id}", draft)
    done = command.state([accepted, confirmed])
    return replace(done, outcome=ACCEPTED, reason=f"accepted {one.id}")


def _row(store: Store, kept: Kept, uid: bytes) -> FactRow | Refusal:
    event = store.archived(uid)
    if event is None:
        return Refusal("its event is not there")
    witness = store.archived(kept.draft.witness) if kept.draft.witness is not None else None
    return admit(kept.draft, event, witness, kept.method, is_accepted=True)


def _restated(engine: Engine, caller: Caller, one: Proposal, kept: Kept) -> Admission:
    draft = kept.draft
    words = {
        "predicate": draft.predicate, "subject_kind": draft.subject.kind, "subject": draft.subject.key,
        "topic": draft.topic or None, "tags": " ".join(draft.tags) or None, "context": draft.context or None,
        "evidence.0": f"receipt:{one.receipt}",
    }  # fmt: skip
    command = Command(engine, replace(caller, grants=_group(one)), f"accept {one.id}", one.text, words)
    return replace(command.state(), outcome=ACCEPTED, reason=f"accepted {one.id}")


def _found(engine: Engine, text: str) -> tuple[Proposal, Kept, bytes]:
    """The proposal with that id, or unique beginning of one; with its draft and the event that holds it."""
    bounds = parse_prefix(text)
    if bounds is None:
        raise UsageError(f"not the id of a proposal: {text!r}", hint="`muniment review` shows ids", about=text)
    store = engine.store()
    with store.reading():
        desk = _Desk(engine, store)
        found = [p for p in desk.proposals() if bounds[0] <= (parse(p.id) or b"") <= bounds[1]]
        if len(found) == 1:
            return found[0], *desk.kept(found[0].id)
    if not found:
        raise NotFoundError(f"no proposal {text}", hint="`muniment review` shows ids", about=text)
    raise UsageError(f"{text} is the beginning of several ids", hint="give more characters", about=text)


class _Desk:
    """All that is proposed, over one snapshot."""

    def __init__(self, engine: Engine, store: Store) -> None:
        self._engine, self._store = engine, store
        self._verdicts = store.facts.verdicts()
        self._book = VerdictBook(self._verdicts)
        self._uses = uses.counted(engine)
        self._rows: dict[bytes, list[Any]] = {}
        for row in store.facts.proposed():
            self._rows.setdefault(row[0], []).append(row)

    def proposals(self) -> Iterator[Proposal]:
        """Each once, in whatever state."""
        for group, rows in self._rows.items():
            yield self._proposal(group, rows)

    def kept(self, id_: str) -> tuple[Kept, bytes]:
        """The draft of a proposal where it was seen first, and the event."""
        row = self._rows[parse(id_) or b""][0]
        made = drafts.read(json.loads(row[2]))
        return Kept(b"", *made), row[1]

    def decided_today(self) -> int:
        """Decisions about proposals on the reader's day."""
        zone = self._engine.settings.zone
        today = local(self._engine.now(), zone)[:10]
        decided = (v for v in self._verdicts if v.action in (Action.ACCEPT, Action.DECLINE))
        return sum(local(v.at, zone)[:10] == today for v in decided)

    def _proposal(self, group: bytes, rows: Sequence[Any]) -> Proposal:
        _, _, draft, reason, origin, _, session, seq, at = rows[0]
        told, newest = json.loads(draft), rows[-1][8]
        asks, about, why = _asked(reason)
        value = told["object"][1] if told["object"] else told["literal"]
        state, decided_at = self._state(group, newest, is_request=about is not None)
        start, end = told["span"]
        one = Proposal(
            show(group), asks, about, value, told["predicate"], told["topic"], told["subject"][1], why, origin,
            f"{session}:{seq}@{start}-{end}", at, tuple((k, r) for k, r in told["evidence"]), len(rows), 0.0, state,
            decided_at,
        )  # fmt: skip
        return replace(one, damage=round(self._damage(one, told), 4))

    def _state(self, group: bytes, newest: str, *, is_request: bool) -> tuple[str, str | None]:
        """A request that comes again after it was granted is a new one; what was declined stays so."""
        decision: Verdict | None = self._book.decided(group)
        if decision is None or (is_request and decision.action == Action.ACCEPT and newest > decision.at):
            return OPEN, None
        return (ACCEPTED if decision.action == Action.ACCEPT else DECLINED), decision.at

    def _damage(self, one: Proposal, told: dict[str, Any]) -> float:
        weight = 1.0 + math.log2(one.sightings)
        if one.about is not None:
            reach = 1.0 + math.log2(1 + max(0, self._uses.get(one.about, 0)))
            return _WRONG.get(one.asks, _LEAST) * reach * weight
        wrong = _DRAFTED.get(VOCABULARY[one.predicate].type, _LEAST)
        return wrong * (_AGAINST if self._is_disputed(one, told) else 1.0) * weight

    def _is_disputed(self, one: Proposal, told: dict[str, Any]) -> bool:
        """Does another value hold under the key that the draft would have?"""
        from muniment.model.entity import Entity

        verb = VOCABULARY[one.predicate]
        if not verb.state or not verb.is_single(one.topic):
            return False
        key = settle_key(verb, Entity(*told["subject"]), one.topic, normalised(one.text))
        facts = self._store.facts.with_key(key)
        return any(f.standing == "confirmed" and f.row.value_key != normalised(one.text) for f in facts)


def _asked(reason: str) -> tuple[str, str | None, str]:
    """(what is asked, of which fact, why) out of a proposal's reason."""
    asked, _, why = reason.partition(": ")
    words = asked.split()
    if len(words) >= 2 and words[0] in revising.ACTIONS and parse(words[1]) is not None:
        by = f"{words[3]} " if len(words) == 4 and words[2] == "by" else ""
        return words[0], words[1], f"{by}{why}".strip()
    if asked in (proposing.PATTERN, "rule", "model"):
        return asked, None, why
    return "add", None, "" if reason == proposing.ADD else reason
