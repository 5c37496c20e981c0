"""The verb `add` as every door has it: look for what stands against a statement, state it, and say what was met.

The look comes before the write and decides nothing: the pairs and the choices are shown, and the writer decides. Three or more
statements of one type that are alike make a proposal of a pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from muniment.engine import asserting, comparing, proposing, quoting, stating
from muniment.engine.asserting import Assertion
from muniment.engine.calling import Calling
from muniment.engine.commanding import Admission
from muniment.engine.comparing import Pair, Said
from muniment.engine.core import Caller, Engine
from muniment.engine.quoting import Place
from muniment.engine.stating import Statement
from muniment.errors import ConflictError, NothingChangedError, RefusedError, UsageError
from muniment.model.entity import Entity
from muniment.model.event import Origin
from muniment.model.fact import Standing
from muniment.model.vocabulary import predicate
from muniment.recall import contrast
from muniment.storage.sqlite.activity import ActivityTable

PATTERN_AT, PATTERN_OF = 0.20, 3
"""From how many statements that share so much of their words a pattern is proposed."""
_SESSIONS = 200
_WAITING = ("pending", "proposed")


@dataclass(frozen=True, slots=True)
class How:
    """`quote`: words of a session that say it, `session` which. `if_clear`: write nothing where it meets a conflict."""

    quote: str | None = None
    session: str | None = None
    if_clear: bool = False


_PLAIN = How()


def add(engine: Engine, caller: Caller, statement: Statement, how: How = _PLAIN) -> Admission:
    """State one fact. ConflictError with `if_clear` where something stands against it; nothing is written then."""
    said = stating.said(statement)
    pairs = tuple(p for p in comparing.against(engine, said) if not _is_mere_claim(p))
    if how.if_clear and pairs:
        raise _unclear(pairs)
    if not stating.may_say(predicate(said.predicate), caller.origin):
        why = f"{said.predicate} is what a person says, not origin {caller.origin}"
        return replace(_proposed(engine, caller, statement, why), pairs=pairs)
    if how.quote is None:
        admission = stating.add(engine, caller, statement)
    else:
        admission = _quoted(engine, caller, statement, said, how)
    known = {*admission.ids, *admission.superseded, *admission.conflicts}
    left = tuple(p for p in pairs if p.id not in known and p.kind != contrast.VALUE)  # of one key settling has decided
    admission = replace(admission, pairs=left)
    return admission if admission.outcome in _WAITING else _with_pattern(engine, caller, said, admission)


def beside(engine: Engine, a: Assertion) -> tuple[Pair, ...]:
    """What an assertion would stand against in words or by its question; none where it makes no sense."""
    try:
        statement = stating.said(Statement("fact", a.object, a.subject or None, a.predicate, a.topic))
    except UsageError:
        return ()
    return tuple(p for p in comparing.against(engine, statement) if not _is_mere_claim(p))


def _proposed(engine: Engine, caller: Caller, statement: Statement, why: str) -> Admission:
    words = stating.words_of(statement)
    return proposing.statement(engine, caller, (statement.type, statement.content), words, why)


def _is_mere_claim(pair: Pair) -> bool:
    """Another answer that nobody confirmed: settling sets it aside, and there is nothing to decide."""
    return pair.kind == contrast.VALUE and pair.standing == Standing.HYPOTHESIS


def _unclear(pairs: Sequence[Pair]) -> ConflictError:
    listed = "\n".join(f"{p.kind}\t{p.id}\t{p.text}" for p in pairs)
    hint = "nothing was written; " + "; ".join(comparing.CHOICES)
    return ConflictError(f"it stands against {len(pairs)} of what holds", hint=hint, about=f"{listed}\n")


# --- patterns


def _with_pattern(engine: Engine, caller: Caller, said: Said, admission: Admission) -> Admission:
    """A statement that makes three alike is followed by a proposal."""
    type_ = stating.type_of(said.predicate)
    if type_ in ("pattern", "ingested", "event", "question"):
        return admission
    like = [a for a in comparing.alike(engine, said.text, PATTERN_AT) if a.type == type_]
    text = _told([a.text for a in reversed(like)]) if len(like) >= PATTERN_OF else ""
    if not text:
        return admission
    try:
        made = proposing.pattern(engine, caller, text, [a.id for a in like], _whose(said))
    except NothingChangedError:
        return admission
    told = f"{len(like)} of type {type_} are alike: proposed as a pattern, {made.proposal}"
    return replace(admission, warnings=(*admission.warnings, told), proposed=made.proposal)


def _told(texts: list[str]) -> str:
    """What they have in common in their own words; more than one word, or it says nothing."""
    shared = contrast.common(texts)
    return shared if len(shared.split()) > 1 else ""


def _whose(said: Said) -> Entity:
    return said.subject if said.subject.kind in ("person", "project") else Entity("project", "project")


# --- a receipt of its own


def _quoted(engine: Engine, caller: Caller, statement: Statement, said: Said, how: How) -> Admission:
    """The fact at the words that are quoted. An agent's may wait for them; everybody else's are there or are not."""
    given = f"{said.subject.kind}:{said.subject.key}"
    words = Assertion(
        said.predicate, given, statement.content, how.quote or "", statement.topic, tuple(statement.evidence)
    )
    if caller.origin == Origin.AGENT:
        calling = Calling(sessions=(how.session,) if how.session else (), since=asserting.recent(engine))
        try:
            done = asserting.make(engine, words, calling, beside=_beside(statement))
        except RefusedError as problem:
            if problem.about != "quote":
                raise
            return _proposed(engine, caller, statement, problem.message)
        return done.admission or Admission("pending", reason=done.reason)
    words = asserting.checked(engine, words)
    place = _place(engine, words, how.session)
    if place is None:
        hint = "quote words as they stand in the transcript; `muniment search` finds them"
        raise RefusedError("the quoted words stand in no session that was read", hint=hint, about="quote")
    return asserting.state(engine, words, place, caller=caller, beside=_beside(statement))


def _beside(statement: Statement) -> dict[str, Any]:
    return {
        "tags": tuple(statement.tags), "context": statement.context, "source_url": statement.source_url,
        "valid_from": statement.valid_from, "valid_until": statement.valid_until, "expires_at": statement.expires_at,
        "standing": Standing.HYPOTHESIS,
    }  # fmt: skip


def _place(engine: Engine, words: Assertion, session: str | None) -> Place | None:
    """Where the words were said last."""
    store = engine.store()
    with store.reading():
        lasts = sorted(ActivityTable(store.db).lasts(), key=lambda s: (s.at or "", s.id), reverse=True)
        sessions = [session] if session else [s.id for s in lasts][:_SESSIONS]
        found = (quoting.look(store, s, words).place for s in sessions)
        return next((place for place in found if place is not None), None)
