"""The verbs that state and decide: `add`, `confirm`, `suspect`, `supersede`, `correct`, `retract`, `restore`.

Each command is an event of our own session, so that what it states has a receipt like everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from muniment.engine import attaching, finding
from muniment.engine.commanding import Admission, Command
from muniment.engine.comparing import Said
from muniment.engine.core import Caller, Engine
from muniment.engine.settling import Settler, stated_end
from muniment.engine.verdicts import VerdictBook
from muniment.engine.wording import masked
from muniment.errors import NothingChangedError, RefusedError, UsageError
from muniment.model import address, settle
from muniment.model.entity import Entity
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact
from muniment.model.values import normalised
from muniment.model.vocabulary import DEFAULT_PREDICATE, Predicate, predicate
from muniment.recall.contrast import NARROWER, Saying, contrast

__all__ = ["Admission", "Command", "Statement", "add", "correct", "decide", "supersede"]

_PERSON_ONLY = frozenset({Action.CONFIRM, Action.PIN, Action.UNPIN})
_OWN_SUBJECT = {"preference": ("person", "me"), "procedure": ("person", "me"), "pattern": ("person", "me")}


@dataclass(frozen=True, slots=True)
class Statement:
    """What `add` is given."""

    type: str
    content: str
    subject: str | None = None
    predicate: str | None = None
    topic: str = ""
    tags: Sequence[str] = ()
    source_url: str | None = None
    context: str = ""
    evidence: Sequence[str] = ()
    standing: str = "confirmed"
    valid_from: str | None = None
    valid_until: str | None = None
    expires_at: str | None = None


def add(engine: Engine, caller: Caller, statement: Statement) -> Admission:
    """State one fact. What it supersedes or contradicts is named in the answer."""
    _demand_time(statement, engine.now())
    evidence = attaching.anchored(engine, statement.evidence)
    words = _words(replace(statement, evidence=evidence))
    done = Command(engine, caller, f"add {statement.type}", statement.content, words).state()
    loose = attaching.loose(evidence)
    return replace(done, warnings=(*done.warnings, *loose)) if loose else done


def said(statement: Statement) -> Said:
    """What a statement says, under the predicate and the subject that it will have."""
    words = _words(statement)
    subject = Entity(words["subject_kind"] or "", words["subject"] or "")
    return Said(statement.content, words["predicate"] or "", subject, statement.topic)


def words_of(statement: Statement) -> dict[str, str | None]:
    """A statement as the words of a command."""
    return _words(statement)


def may_say(verb: Predicate, origin: Origin) -> bool:
    """May this origin say that of itself, or is it only a person's to say?"""
    return verb.by != Origin.PERSON or origin == Origin.PERSON


def type_of(name: str) -> str:
    """The type of what a predicate states."""
    return predicate(name).type


def decide(engine: Engine, caller: Caller, action: Action, text: str, reason: str = "") -> Admission:
    """confirm, suspect, retract or restore the fact with that id."""
    target = finding.fact(engine, text)
    _may(caller, action, target)
    _effect(engine, action, target)
    event = Command(engine, caller, f"{action} {show(target.row.id)}", reason, {})
    verdict = event.verdict(action, target, [target.row.id], reason)
    event.write([verdict], StandsSo(action, target.row.id))
    return Admission(_PAST[action], (show(target.row.id),), receipt=event.receipt, reason=masked(reason))


def supersede(engine: Engine, caller: Caller, old_text: str, new_text: str, reason: str = "") -> Admission:
    """The new fact takes the old one's place from now on; the old one was true until then."""
    old, new = finding.fact(engine, old_text), finding.fact(engine, new_text)
    if old.row.id == new.row.id:
        raise UsageError("a fact cannot supersede itself", about=old_text)
    _may(caller, Action.SUPERSEDE, old)
    _effect(engine, Action.SUPERSEDE, old)
    if caller.origin != Origin.PERSON and _is_over(engine, new):
        message = f"{show(new.row.id)} does not hold any more, so it cannot take the place of another"
        raise RefusedError(message, hint="state it again with `add`, or `restore` it first", about=new_text)
    event = Command(engine, caller, f"supersede {show(old.row.id)} {show(new.row.id)}", reason, {})
    verdicts = [event.verdict(Action.SUPERSEDE, old, [new.row.id], reason)]
    if caller.origin == Origin.PERSON or new.row.origin != Origin.PERSON:  # nobody speaks in a person's name
        verdicts.append(event.verdict(Action.CONFIRM, new, [new.row.id], reason))
    event.write(verdicts, StandsSo(Action.SUPERSEDE, old.row.id))
    ids = (show(new.row.id), show(old.row.id))
    return Admission("superseded", ids, superseded=ids[1:], receipt=event.receipt, reason=masked(reason))


def correct(engine: Engine, caller: Caller, text: str, claim: str, reason: str, tags: Sequence[str] = ()) -> Admission:
    """The fact was never true: retract it, and state what is true in its place and for its time, with the reason."""
    old = finding.fact(engine, text)
    _may(caller, Action.CORRECT, old)
    _effect(engine, Action.CORRECT, old)
    if not claim.strip():
        raise UsageError("a correction needs what is right", hint="correct ID CLAIM REASON")
    if not reason.strip():
        raise UsageError("a correction needs the reason why it was wrong", hint="correct ID CLAIM REASON")
    row = old.row
    words = _in_place_of(engine, old, tags)
    event = Command(engine, caller, f"correct {show(row.id)}", claim, words, note=reason)
    new = event.fact_id()
    if normalised(claim) == row.value_key:
        raise NothingChangedError("the correction says what the fact says already", about=text)
    holds_many = not predicate(row.predicate).is_single(row.topic)
    if holds_many and contrast(Saying(claim), Saying(row.value)) == NARROWER:
        return _narrowed(event, old, new, reason)
    verdict = event.verdict(Action.CORRECT, old, [new], reason)
    made = event.state([verdict], StandsSo(Action.CORRECT, row.id))
    return Admission(
        "corrected", (*made.ids, show(row.id)), (show(row.id),), made.conflicts, event.receipt, masked(reason)
    )


def _narrowed(event: Command, old: StoredFact, new: bytes, reason: str) -> Admission:
    """What is right in a narrower scope does not make the wide statement untrue: it stays, and is marked."""
    made = event.state([event.verdict(Action.NARROW, old, [new], reason)])
    ids = (*made.ids, show(old.row.id))
    return Admission("narrowed", ids, made.superseded, made.conflicts, event.receipt, masked(reason))


_PAST = {
    Action.CONFIRM: "confirmed",
    Action.SUSPECT: "suspected",
    Action.RETRACT: "retracted",
    Action.RESTORE: "restored",
}


def _in_place_of(engine: Engine, old: StoredFact, tags: Sequence[str]) -> dict[str, str | None]:
    """The words of a statement that stands where another stood: same key, same time, same surroundings."""
    row, facts = old.row, engine.store().facts
    start, end = _held(engine, old)
    words: dict[str, str | None] = {
        "predicate": row.predicate,
        "subject_kind": row.subject.kind,
        "subject": row.subject.key,
        "topic": row.topic or None,
        "valid_from": start,
        "valid_until": end if end != row.expires_at else None,
        "expires_at": row.expires_at,
        "context": row.context or None,
        "tags": " ".join(tags or facts.tags(row.id)) or None,
        "source_url": row.source_url,
    }
    again = attaching.again(engine, [address.of(*e) for e in facts.evidence(row.id)])
    words.update({f"evidence.{i}": e for i, e in enumerate(again)})
    return words


def _held(engine: Engine, fact: StoredFact) -> tuple[str, str | None]:
    """From when to when a fact held: its interval where it has one, else what it says of itself."""
    row, store = fact.row, engine.store()
    if row.key is not None:
        shown = Settler(store, VerdictBook(store.facts.verdicts())).state(row.key).shown
        mine = [s for s in shown if any(m.ref == row.id for m in s.interval.members)]
        if mine:
            end = None if "contested" in mine[-1].marks else mine[-1].interval.end
            return mine[0].interval.start, end
    return row.valid_from or row.observed_at, stated_end(row)


def _is_over(engine: Engine, fact: StoredFact) -> bool:
    """Was it taken back, or did it end? (A plan is not over.)"""
    if fact.standing in ("retracted", "superseded"):
        return True
    end = _held(engine, fact)[1]
    return end is not None and end <= engine.now()


def _demand_time(s: Statement, now: str) -> None:
    """A statement that could hold at no time is refused rather than stored for nobody to see."""
    start = s.valid_from or now
    if s.valid_until is not None and s.valid_until <= start:
        message = f"it would end ({s.valid_until}) before it begins ({start})"
        raise UsageError(message, hint="give both --since and --until", about="until")
    if s.expires_at is not None and s.expires_at <= max(now, start):
        raise UsageError(
            f"it would have expired already, at {s.expires_at}", hint="--expires is a time to come", about="expires"
        )


def _words(s: Statement) -> dict[str, str | None]:
    if s.type not in DEFAULT_PREDICATE:
        raise UsageError(f"unknown type {s.type!r}", hint="types: " + ", ".join(DEFAULT_PREDICATE), about=s.type)
    if not s.content.strip():
        raise UsageError("nothing to remember: the content is empty", hint="add TYPE CONTENT")
    verb = predicate(s.predicate or DEFAULT_PREDICATE[s.type])
    kind, key = subject_of(s.subject, verb.subjects, _OWN_SUBJECT.get(s.type, ("project", "project")))
    words: dict[str, str | None] = {
        "predicate": verb.name,
        "subject_kind": kind,
        "subject": key,
        "topic": s.topic or None,
        "standing": s.standing if s.standing != "confirmed" else None,
        "valid_from": s.valid_from,
        "valid_until": s.valid_until,
        "expires_at": s.expires_at,
        "context": s.context or None,
        "tags": " ".join(s.tags) or None,
        "source_url": s.source_url,
    }
    words.update({f"evidence.{i}": e for i, e in enumerate(s.evidence)})
    return words


def subject_of(given: str | None, kinds: Sequence[str], default: tuple[str, str]) -> tuple[str, str]:
    """(kind, key) of a subject as written: `me`, `kind:key`, or a name of the kind that is usual."""
    if given is None:
        return default if default[0] in kinds else (kinds[0], "me" if kinds[0] == "person" else kinds[0])
    if given == "me":
        return "person", "me"
    kind, _, key = given.partition(":")
    if key and kind in kinds:
        return kind, key
    return (default[0] if default[0] in kinds else kinds[0]), given


def _may(caller: Caller, action: Action, target: StoredFact) -> None:
    """L5: nothing without the right ends a person's fact, and only a person confirms."""
    if action in _PERSON_ONLY and caller.origin != Origin.PERSON:
        raise RefusedError(
            f"only a person may {action}", hint=f"run `muniment {action}` in a terminal", about=show(target.row.id)
        )
    if not settle.outranks(caller.origin, target.row.origin):
        raise RefusedError(
            f"a fact of origin {target.row.origin} is not ended by origin {caller.origin}",
            hint="ask the person to run it",
            about=show(target.row.id),
        )


_ALREADY = {
    Action.CONFIRM: ("retracted", "superseded"),
    Action.CORRECT: ("retracted",),
    Action.RETRACT: ("retracted",),
    Action.SUSPECT: ("suspect", "retracted"),
    Action.SUPERSEDE: ("superseded", "retracted"),
    Action.UNSURE: ("hypothesis", "superseded", "retracted"),
    Action.EXPIRE: ("superseded", "retracted"),
    Action.PIN: ("superseded", "retracted"),
}


def _effect(engine: Engine, action: Action, target: StoredFact) -> None:
    """L9: a verdict that changes nothing is refused."""
    standing = target.standing
    if standing in _ALREADY.get(action, ()):
        hint = "`restore` takes a retraction back; what was superseded is stated again with `add`"
        raise NothingChangedError(f"{show(target.row.id)} is {standing} already", hint=hint, about=show(target.row.id))
    expires_at = target.row.expires_at
    if action == Action.CONFIRM and expires_at is not None and expires_at <= engine.now():
        hint = "`update ID expiry never`, or state it again with `add`"
        raise NothingChangedError(f"{show(target.row.id)} has expired", hint=hint, about=show(target.row.id))
    if action in _ON_WHAT_HOLDS and _is_over(engine, target):
        raise NothingChangedError(f"{show(target.row.id)} does not hold any more", about=show(target.row.id))
    if action == Action.RESTORE and standing not in ("retracted", "suspect"):
        raise NothingChangedError(
            f"{show(target.row.id)} is {standing}; there is nothing to restore", about=show(target.row.id)
        )


_ON_WHAT_HOLDS = (Action.SUSPECT, Action.EXPIRE, Action.PIN, Action.UNSURE)
_AFTER = {
    Action.RETRACT: frozenset({"retracted"}),
    Action.CORRECT: frozenset({"retracted"}),
    Action.SUSPECT: frozenset({"suspect"}),
    Action.SUPERSEDE: frozenset({"superseded"}),
    Action.RESTORE: frozenset({"confirmed", "hypothesis", "superseded"}),
    Action.UNSURE: frozenset({"hypothesis", "suspect"}),
    Action.CONFIRM: frozenset({"confirmed"}),
}


class StandsSo(NamedTuple):
    """L9 once more, before the commit: what a verdict must have made of its target."""

    action: Action
    target: bytes

    def demand(self, store: Store) -> None:
        """Undo everything if settling did not follow the verdict."""
        fact = store.facts.fact(self.target)
        standing = fact.standing if fact is not None else "withdrawn"
        if standing not in _AFTER.get(self.action, {standing}):
            raise NothingChangedError(
                f"{show(self.target)} stays {standing}",
                hint="who decided before has more authority, or the clock stands before the time at which it was said",
                about=show(self.target),
            )


demand_right, is_over, demand_change = _may, _is_over, _effect
"""For the verbs beside these that decide."""
