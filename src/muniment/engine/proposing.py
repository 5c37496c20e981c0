"""What an agent may ask for and a person decides: to confirm or pin a fact, or to touch one that a person stated.

The request is an event of ours, and the open proposal is drawn from it like everything else; nothing changes until a person
accepts it.
"""

from __future__ import annotations

from dataclasses import dataclass

from muniment.engine import finding
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import Command
from muniment.errors import NothingChangedError, UsageError
from muniment.gate.intake import name
from muniment.model import settle
from muniment.model.ids import show
from muniment.model.stored import StoredFact

FOR_PERSONS = frozenset({"confirm", "pin"})
"""Actions that only a person takes."""
_WITH_CLAIM = frozenset({"correct"})


@dataclass(frozen=True, slots=True)
class Proposed:
    """A request that waits for a person: what it asks of which fact, why it is only that, and where it stands."""

    action: str
    id: str
    why: str
    receipt: str


def needs_person(caller: Caller, action: str, fact: StoredFact) -> str | None:
    """Why this caller may only propose the action on that fact; None where it may take it."""
    if action in FOR_PERSONS:
        return f"only a person may {action}"
    if not settle.outranks(caller.origin, fact.row.origin):
        return f"a fact of origin {fact.row.origin} is not changed by origin {caller.origin}"
    return None


def propose(
    engine: Engine, caller: Caller, text: str, action: str, claim: str = "", new_id: str = "", reason: str = ""
) -> Proposed:  # fmt: skip
    """Put the request before the person. NothingChangedError if the same one is open."""
    fact = finding.fact(engine, text)
    why = needs_person(caller, action, fact) or f"{action} is proposed"
    asked = _asked(engine, fact, action, new_id)
    if action in _WITH_CLAIM and not claim.strip():
        raise UsageError("a correction needs what is right", hint="give claim", about="claim")
    said = f"{asked}: {name(reason)}" if reason else asked
    if any(open_ == said for _, _, open_ in engine.store().facts.proposals()):
        raise NothingChangedError(f"proposed already: {asked}", hint="a person decides", about=show(fact.row.id))
    row, content = fact.row, claim or fact.row.value
    words = {
        "predicate": row.predicate, "subject_kind": row.subject.kind, "subject": row.subject.key,
        "topic": row.topic or None, "proposes": said,
    }  # fmt: skip
    command = Command(engine, caller, f"propose {asked}", content, words, note=reason)
    command.write(only_proposes=True)
    return Proposed(action, show(row.id), why, command.receipt)


def _asked(engine: Engine, fact: StoredFact, action: str, new_id: str) -> str:
    other = f" by {show(finding.fact(engine, new_id).row.id)}" if new_id else ""
    return f"{action} {show(fact.row.id)}{other}"
