"""The verb behind `memory_assert`: an agent states something and quotes the words of its own session that say it.

The fact's receipt is the quoted span; its origin is agent and it is a hypothesis, whatever is quoted. Words that are not on
disk yet wait (`engine.pending`); words that never appear are refused. The assertion is an event of ours, and the draft is kept
by a verdict beside the event that it quotes, so that a rebuild draws the same fact.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from muniment.capture.extract import own
from muniment.engine import attaching, drafts, finding, opened, pending, quoting
from muniment.engine import calling as callers
from muniment.engine.calling import Calling, Whose
from muniment.engine.commanding import Admission, Command
from muniment.engine.core import Caller, Engine
from muniment.engine.extraction import OWN_HARNESS
from muniment.engine.pending import WAITS, Assertion, Pending
from muniment.engine.quoting import Place
from muniment.engine.stating import StandsSo, demand_right, subject_of
from muniment.errors import NothingChangedError, RefusedError, UsageError
from muniment.gate.admission import Method, Refusal, admit, claim_id, fact_id, written
from muniment.gate.intake import name
from muniment.model import address
from muniment.model.entity import SELF, Entity
from muniment.model.event import Kind, Origin, Role
from muniment.model.fact import Action, Archived, Draft, Standing, Verdict
from muniment.model.ids import hash128, show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact
from muniment.model.values import normalised
from muniment.model.vocabulary import Predicate, predicate

__all__ = ["Assertion", "Asserted", "Calling", "make", "resolve", "untold"]

AGENT = Caller(Origin.AGENT, door="mcp")
_LONGEST = 2000
_SHORTEST = 3
"""Letters or digits of a quote: fewer stand everywhere and prove nothing."""
_EXPIRES_DAYS = 7
_SLACK = 12 * 60.0
"""Minutes before an assertion within which its session must have said something."""
_METHOD = Method(own.ASSERTED, 1, own.precision)


@dataclass(frozen=True, slots=True)
class Asserted:
    """What became of an assertion: `stored` (then the admission says what), or `pending` and why it waits."""

    outcome: str
    admission: Admission | None = None
    reason: str = ""
    negated: bool = False


class Resolved(NamedTuple):
    """An assertion that waited, and what became of it."""

    pending: Pending
    outcome: str
    told: str


def make(
    engine: Engine, assertion: Assertion, calling: Calling, beside: Mapping[str, Any] | None = None
) -> Asserted:  # fmt: skip
    """State it if its words are found; let it wait if they may still come; RefusedError if they never were said."""
    assertion = checked(engine, assertion)
    callers.catch_up(engine, calling)
    whose = callers.whose(engine, calling)
    looked = _look(engine, assertion, whose, calling)
    if looked.place is not None:
        admission = state(engine, assertion, looked.place, beside=beside)
        return Asserted("stored", admission, negated=quoting.is_turned(looked.place))
    if looked.called_at is not None:
        raise RefusedError(_NEVER, hint="quote words as they stand in your session, letter by letter", about="quote")
    wait = Pending(assertion, engine.now(), calling.sessions, calling.harness, calling.call_id)
    pending.put(engine, wait)
    return Asserted("pending", reason=_why(whose, calling))


def correct(engine: Engine, text: str, claim: str, quote: str, reason: str, calling: Calling) -> Admission:
    """Say what is right in the place of a fact, in words of the caller's session. They must be on disk already."""
    old = finding.fact(engine, text)
    demand_right(AGENT, Action.CORRECT, old)
    if not reason.strip():
        raise UsageError("a correction needs the reason why it was wrong", hint="give reason", about="reason")
    row = old.row
    subject = f"{row.subject.kind}:{row.subject.key}"
    assertion = checked(engine, Assertion(row.predicate, subject, claim, quote, row.topic))
    if normalised(assertion.object) == row.value_key:
        raise NothingChangedError("the correction says what the fact says already", about=text)
    callers.catch_up(engine, calling)
    looked = _look(engine, assertion, callers.whose(engine, calling), calling)
    if looked.place is None:
        hint = "correct it without quote (then your call is the receipt), or again when the words are on disk"
        raise RefusedError("the quoted words are not in your session's transcript", hint=hint, about="quote")
    return state(engine, assertion, looked.place, old, reason)


def resolve(engine: Engine) -> list[Resolved]:
    """Look again for the words that assertions wait for. Called whenever a transcript was read."""
    waiting = [p for p in pending.listed(engine) if p.state == WAITS]
    if not waiting or not engine.has_store():
        return []
    return [done for p in waiting if (done := _resolved(engine, p)) is not None]


def untold(engine: Engine) -> list[Pending]:
    """What became of assertions that waited, once: the agent is told with its next call."""
    done = [p for p in pending.listed(engine) if p.state != WAITS]
    for each in done:
        pending.drop(engine, each)
    return done


def state(
    engine: Engine, assertion: Assertion, place: Place, corrects: StoredFact | None = None, reason: str = "", *,
    caller: Caller = AGENT, beside: Mapping[str, Any] | None = None,
) -> Admission:  # fmt: skip
    """The fact at that place, in one transaction with the assertion itself, and the end of what it corrects. What a person
    quotes is confirmed by that. `beside` are further fields of the draft."""
    verb = predicate(assertion.predicate)
    if not assertion.evidence:
        assertion = replace(assertion, evidence=opened.evidence_of(engine, verb.name, place))
    command = Command(
        engine, caller, f"assert {verb.name}", assertion.object, _words(assertion, place), tool=own.ASSERT
    )
    draft = replace(_draft(assertion, verb, place, command.event.uid), **(beside or {}))
    words = (draft.span, verb.name, draft.subject, draft.topic, written(draft), own.ASSERTED)
    id_ = fact_id(place.event.uid, *words)
    if engine.store().facts.fact(id_) is not None:
        raise NothingChangedError(f"asserted already, as {show(id_)}", hint="read it by its id", about=show(id_))
    row = admit(draft, place.event, _witness(command, engine), _METHOD)
    if isinstance(row, Refusal):
        raise RefusedError(f"refused: {row.reason}", hint="nothing was written", about=verb.name)
    verdict = _verdict(command, draft, id_, place.event.uid, row.key, caller)
    if caller.origin == Origin.PERSON:
        target = ("claim" if row.key else "fact", claim_id(row).hex())
        confirmed = command.decision(Action.CONFIRM, target, [id_], "", json.loads(verdict.draft))
        return command.state([verdict, confirmed])
    if corrects is None:
        return command.state([verdict])
    ended = command.verdict(Action.CORRECT, corrects, [id_], reason)
    return command.state([verdict, ended], StandsSo(Action.CORRECT, corrects.row.id))


def recent(engine: Engine) -> str:
    """Since when a session has to have said something to be the caller's, where nothing else tells which it is."""
    return callers.before(engine.now(), _SLACK)


# --- what is asserted


def checked(engine: Engine, a: Assertion) -> Assertion:
    """The assertion as it may be kept, its object as the quote has it; UsageError or RefusedError if it cannot stand."""
    verb = predicate(a.predicate)
    if verb.by == "tool":
        hint = "what tools did is recorded from their results; assert what was decided, said or found out"
        raise RefusedError(f"{verb.name} is what a tool did, so no agent asserts it", hint=hint, about=verb.name)
    quote, value = name(a.quote.strip()), name(a.object.strip())
    if not quote or not value:
        raise UsageError("quote and object may not be empty", hint="quote the words that say it", about="quote")
    if len(quote) > _LONGEST or sum(c.isalnum() for c in quote) < _SHORTEST:
        hint = f"quote the sentence that says it: {_SHORTEST} letters at least, {_LONGEST} characters at most"
        raise UsageError("no fit quote", hint=hint, about="quote")
    if quoting.holds(quote, value) is None:
        hint = "the object is words of the quote, unchanged; quote a passage that holds it"
        raise RefusedError(f"the object does not stand in the quote: {value[:80]!r}", hint=hint, about="object")
    kind, key = _subject(engine, a.subject, verb)
    evidence = attaching.anchored(engine, a.evidence)
    return replace(a, subject=f"{kind}:{key}", object=value, quote=quote, evidence=evidence)


def _subject(engine: Engine, given: str, verb: Predicate) -> Entity:
    text = given.strip()
    if text.lower() in ("session", "this session", "self") and "session" in verb.subjects:
        return SELF
    here = ("project", "this project", "repo", ".", engine.workspace.name.lower(), "project:project")
    if text.lower() in here and "project" in verb.subjects:
        return Entity("project", "project")
    if text.lower() in ("user", "the user", "i", "person", "person:me") and "person" in verb.subjects:
        return Entity("person", "me")
    return Entity(*subject_of(text or None, verb.subjects, (verb.subjects[0], verb.subjects[0])))


def _words(a: Assertion, place: Place) -> dict[str, str | None]:
    """What the command says of itself beside the object."""
    receipt = f"{place.event.session}:{place.event.seq}@{place.span.start}-{place.span.end}"
    words: dict[str, str | None] = {
        "predicate": a.predicate, "subject": a.subject, "topic": a.topic or None, "receipt": receipt,
    }  # fmt: skip
    return words | {f"evidence.{n}": ref for n, ref in enumerate(a.evidence)}


def _draft(a: Assertion, verb: Predicate, place: Place, witness: bytes) -> Draft:
    """The object as the event has it: a literal is a verbatim span."""
    words = place.event.text[place.span.start : place.span.end]
    at = quoting.holds(words, a.object)
    assert at is not None, "the place was chosen for holding it"
    value = words[at.start : at.end]
    kind, _, key = a.subject.partition(":")
    return Draft(
        verb.name, Entity(kind, key), place.span, a.topic, Entity(verb.object_kind, value) if verb.object_kind else None,
        None if verb.object_kind else value, standing=Standing.HYPOTHESIS, witness=witness, quoted=True,
        evidence=tuple((e.kind, e.ref) for e in map(address.parse, a.evidence)),
    )  # fmt: skip


def _witness(command: Command, engine: Engine) -> Archived:
    e = command.event
    head = (e.uid, e.session, e.seq, OWN_HARNESS, Role(e.role), Origin(e.origin), Kind.COMMAND.value, e.text)
    return Archived(*head, command.at, engine.workspace.root, engine.workspace.root, e.calls)


def _verdict(
    command: Command, draft: Draft, id_: bytes, quoted: bytes, key: bytes | None, caller: Caller
) -> Verdict:  # fmt: skip
    """What keeps the draft beside the event that it quotes."""
    kept = {
        "key": key.hex() if key else "", "fact": id_.hex(), "predicate": draft.predicate, "subject": list(draft.subject),
        "topic": draft.topic, "value": written(draft), "uid": quoted.hex(), "draft": drafts.encode(_METHOD, draft),
    }  # fmt: skip
    text = json.dumps(kept, ensure_ascii=False, sort_keys=True)
    own_id = hash128("verdict", Action.ASSERT, quoted.hex(), command.event.uid)
    return Verdict(
        own_id, Action.ASSERT.value, "event", quoted.hex(), id_.hex(), "", command.event.uid, command.at,
        caller.origin.value, text,
    )  # fmt: skip


# --- where its words are


_NEVER = "these words were never said in your session before you asserted them"


def _look(engine: Engine, a: Assertion, whose: Whose, calling: Calling) -> quoting.Looked:
    """In the caller's session and those of its sub-agents; where it is not known, in the one that holds the call."""
    nothing = quoting.Looked(None, None)
    if not engine.has_store():
        return nothing
    store = engine.store()
    with store.reading():
        if whose.session is not None:
            return _best(store, callers.family(store, whose.session), a)
        since = callers.before(calling.since or engine.now(), _SLACK)
        found = [_best(store, [s], a) for s in callers.live(store, since, calling.harness)]
        called = [f for f in found if f.called_at is not None]
        return called[0] if len(called) == 1 else nothing


def _best(store: Store, sessions: Sequence[str], a: Assertion) -> quoting.Looked:
    """The first session that holds the words; else the first that holds the call."""
    looked = [quoting.look(store, session, a) for session in sessions]
    placed = (found for found in looked if found.place is not None)
    return next(placed, next((f for f in looked if f.called_at is not None), looked[0]))


def _why(whose: Whose, calling: Calling) -> str:
    """Why it waits, in words for the agent."""
    if whose.session is not None:
        return f"the words are not in the transcript of your session {whose.session} yet"
    if calling.sessions:
        return f"nothing of your session {calling.sessions[0]} is on disk yet"
    if len(whose.candidates) > 1:
        listed = ", ".join(whose.candidates[:4])
        return f"which session is yours is ambiguous ({listed}); the transcript that shows this call will tell"
    return "no transcript of your session is known yet; the one that shows this call will tell"


def _resolved(engine: Engine, wait: Pending) -> Resolved | None:
    calling = Calling(wait.harness, wait.sessions, wait.call_id, wait.at)
    store = engine.store()
    session = callers.by_call(store, wait.call_id) or next(
        (s for s in wait.sessions if store.events.find_session(s) is not None), None
    )
    looked = _look(engine, wait.assertion, Whose(session), calling)
    is_late = wait.at <= callers.before(engine.now(), _EXPIRES_DAYS * 24 * 60)
    if looked.place is None and looked.called_at is None and not is_late:
        return None
    outcome, told = _outcome(engine, wait, looked.place)
    pending.settle(engine, wait, outcome, told)
    return Resolved(wait, outcome, told)


def _outcome(engine: Engine, wait: Pending, place: Place | None) -> tuple[str, str]:
    if place is None:
        return "refused", _NEVER
    try:
        admission = state(engine, wait.assertion, place)
    except (RefusedError, NothingChangedError, UsageError) as error:
        return "refused", error.message
    return "stored", admission.ids[0]
