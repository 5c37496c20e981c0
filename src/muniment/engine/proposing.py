"""What may only be asked for, and a person decides: to confirm or pin a fact, to touch one that a person stated, or to
make a pattern of what is alike.

The request is an event of ours, and the open proposal is drawn from it like everything else; nothing changes until a person
accepts it (`engine.reviewing`). What a person declined is not asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from muniment.engine import finding
from muniment.engine.commanding import Admission, Command
from muniment.engine.core import Caller, Engine
from muniment.engine.derive import group_of
from muniment.engine.verdicts import VerdictBook
from muniment.errors import NothingChangedError, UsageError
from muniment.gate.intake import name
from muniment.model import settle
from muniment.model.entity import Entity
from muniment.model.event import Span
from muniment.model.fact import Action, Draft
from muniment.model.ids import show
from muniment.model.stored import StoredFact
from muniment.model.vocabulary import VOCABULARY

FOR_PERSONS = frozenset({"confirm", "pin", "unpin"})
"""Actions that only a person takes."""
_ON_FACTS = frozenset("confirm suspect retract restore correct supersede expire pin unpin update".split())
"""Requests about a fact: granted once, they may come again."""
_WITH_CLAIM = frozenset({"correct"})
PATTERN, NOW, ADD = "pattern", "now", "add"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A request that waits for a person: what it asks of which fact, why it is only that, and where it stands."""

    action: str
    id: str
    why: str
    receipt: str
    proposal: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a fact: `field` and `value` are for `update`, `value` alone for `expire`."""

    action: str
    claim: str = ""
    new_id: str = ""
    reason: str = ""
    field: str = ""
    value: str = ""


def needs_person(caller: Caller, action: str, fact: StoredFact) -> str | None:
    """Why this caller may only propose the action on that fact; None where it may take it."""
    if caller.origin == "person":
        return None
    if action in FOR_PERSONS:
        return f"only a person may {action}"
    if not settle.outranks(caller.origin, fact.row.origin):
        return f"a fact of origin {fact.row.origin} is not changed by origin {caller.origin}"
    return None


def propose(
    engine: Engine, caller: Caller, text: str, action: str, claim: str = "", new_id: str = "", reason: str = ""
) -> Proposed:  # fmt: skip
    """Put the request before the person. NothingChangedError if the same one is open, or was declined."""
    return ask(engine, caller, finding.fact(engine, text), Request(action, claim, new_id, reason))


def ask(engine: Engine, caller: Caller, fact: StoredFact, request: Request) -> Proposed:
    """The same, of a fact that was found."""
    row, action = fact.row, request.action
    why = needs_person(caller, action, fact) or f"{action} is proposed"
    if action in _WITH_CLAIM and not request.claim.strip():
        raise UsageError("a correction needs what is right", hint="give claim", about="claim")
    asked, content = _asked(engine, fact, request), _content(fact, request)
    said = f"{asked}: {name(request.reason)}" if request.reason else asked
    words = {
        "predicate": row.predicate, "subject_kind": row.subject.kind, "subject": row.subject.key,
        "topic": row.topic or None, "proposes": said,
    }  # fmt: skip
    command, group = _put(engine, caller, f"propose {asked}", content, words, request.reason)
    return Proposed(action, show(row.id), why, command.receipt, show(group))


def asked(engine: Engine, caller: Caller, fact: StoredFact, request: Request) -> Admission:
    """What became of a request, as of every other write: the proposal is what it made."""
    done = ask(engine, caller, fact, request)
    told = f"{done.action} {done.id}: {done.why}, so a person decides; until then the fact stands"
    return Admission("proposed", (done.proposal,), receipt=done.receipt, reason=told)


def statement(
    engine: Engine, caller: Caller, given: tuple[str, str], words: Mapping[str, str | None], why: str
) -> Admission:  # fmt: skip
    """Propose a statement, (type, content), that this caller may not make."""
    type_, content = given
    command, group = _put(engine, caller, f"propose {type_}", content, {**words, "proposes": ADD}, "")
    return Admission("proposed", (show(group),), receipt=command.receipt, reason=f"{why}, so a person decides")


def pattern(engine: Engine, caller: Caller, text: str, of: Sequence[str], subject: Entity) -> Proposed:
    """Propose that a text tells what these facts have in common."""
    words = {
        "predicate": "generalises", "subject_kind": subject.kind, "subject": subject.key,
        "proposes": f"{PATTERN}: of {', '.join(of)}",
        **{f"evidence.{n}": f"fact:{id_}" for n, id_ in enumerate(of)},
    }  # fmt: skip
    command, group = _put(engine, caller, f"propose {PATTERN}", text, words, "")
    return Proposed(PATTERN, of[0], f"{len(of)} facts are alike", command.receipt, show(group))


def _put(
    engine: Engine, caller: Caller, title: str, content: str, words: dict[str, str | None] | dict[str, str], note: str
) -> tuple[Command, bytes]:  # fmt: skip
    group = _group(name(content), words)
    _demand_new(engine, group, title, is_request=title.split()[1] in _ON_FACTS)
    command = Command(engine, caller, title, content, dict(words), note=note)
    command.write(only_proposes=True)
    return command, group


def _group(content: str, words: dict[str, str | None] | dict[str, str]) -> bytes:
    subject = Entity(words["subject_kind"] or "", words["subject"] or "")
    predicate, kind = words["predicate"] or "", VOCABULARY[words["predicate"] or ""].object_kind
    draft = Draft(
        predicate, subject, Span(0, 1), topic=words.get("topic") or "", object=Entity(kind, content) if kind else None,
        literal=None if kind else content, proposes=words["proposes"] or "",
    )  # fmt: skip
    return group_of(draft)


def _demand_new(engine: Engine, group: bytes, title: str, *, is_request: bool) -> None:
    """L9: what waits is not asked again, and neither is what a person declined, or made a fact."""
    store, about = engine.store(create=True), show(group)
    decision = VerdictBook(store.facts.verdicts()).decided(group)
    if decision is not None and decision.action == Action.DECLINE:
        message = f"a person declined this on {decision.at[:10]}: {title.removeprefix('propose ')}"
        raise NothingChangedError(message, hint="`muniment review undo` opens it again", about=about)
    if decision is not None and not is_request:
        raise NothingChangedError(f"accepted already: {title.removeprefix('propose ')}", about=about)
    if decision is None and store.facts.has_proposal(group):
        raise NothingChangedError(
            f"proposed already: {title.removeprefix('propose ')}", hint="a person decides", about=about
        )


def _asked(engine: Engine, fact: StoredFact, request: Request) -> str:
    other = f" by {show(finding.fact(engine, request.new_id).row.id)}" if request.new_id else ""
    return f"{request.action} {show(fact.row.id)}{other}"


def _content(fact: StoredFact, request: Request) -> str:
    """What the request is about in words: what is right, what a field shall be, or what the fact says."""
    if request.action == "update":
        return f"{request.field}={request.value}"
    return request.claim or request.value or (NOW if request.action == "expire" else fact.row.value)


put, group = _put, _group
"""For the verbs beside these that propose a statement: make it, and what it is called."""
