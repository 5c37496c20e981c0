"""One way in for whatever is done to a fact that is there: `revise`, by the name of the action.

What the caller may not do becomes a proposal (`engine.proposing`): nothing changes until a person accepts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from muniment.engine import amending, finding, proposing, stating, uses
from muniment.engine.commanding import Admission
from muniment.engine.core import Caller, Engine
from muniment.engine.proposing import Request
from muniment.errors import UsageError
from muniment.model.fact import Action

VERDICTS = ("confirm", "suspect", "retract", "restore")
NOTED = {"success": "success", "failure": "failure", "touch": uses.OPENED}
"""What is noted of a fact beside the store: it makes no fact newer or truer."""
ACTIONS = (*VERDICTS, "correct", "supersede", "expire", "pin", "unpin", "update", *NOTED)


@dataclass(frozen=True, slots=True)
class Words:
    """What an action is given beside the fact: `value` is the time of `expire`, and what `update` gives the `field`."""

    claim: str = ""
    new_id: str = ""
    reason: str = ""
    tags: Sequence[str] = ()
    field: str = ""
    value: str = ""
    session: str | None = None


_NOTHING = Words()


def revise(engine: Engine, caller: Caller, text: str, action: str, words: Words = _NOTHING) -> Admission:
    """Do it, or propose it where only a person may; the ids that changed come back."""
    if action not in ACTIONS:
        raise UsageError(f"unknown action {action!r}", hint="actions: " + ", ".join(ACTIONS), about=action)
    if action in NOTED:
        return _noted(engine, text, action, words)
    fact = finding.fact(engine, text)
    if proposing.needs_person(caller, action, fact):
        request = Request(action, words.claim, words.new_id, words.reason, words.field, words.value)
        return proposing.asked(engine, caller, fact, request)
    return _DONE.get(action, _decided)(engine, caller, text, action, words)


def _noted(engine: Engine, text: str, action: str, words: Words) -> Admission:
    id_ = uses.record(engine, text, NOTED[action], words.reason, words.session)
    return Admission("noted", (id_,), reason=f"{action} of {id_}; standing, time and rank stay as they are")


def _decided(engine: Engine, caller: Caller, text: str, action: str, words: Words) -> Admission:
    return stating.decide(engine, caller, Action(action), text, words.reason)


def _corrected(engine: Engine, caller: Caller, text: str, _: str, words: Words) -> Admission:
    return stating.correct(engine, caller, text, words.claim, words.reason, words.tags)


def _superseded(engine: Engine, caller: Caller, text: str, _: str, words: Words) -> Admission:
    if not words.new_id:
        raise UsageError(
            "supersede needs the new fact", hint="the id of the fact that holds from now on", about="new_id"
        )
    return stating.supersede(engine, caller, text, words.new_id, words.reason)


def _expired(engine: Engine, caller: Caller, text: str, _: str, words: Words) -> Admission:
    return amending.expire(engine, caller, text, words.value or None, words.reason)


def _pinned(engine: Engine, caller: Caller, text: str, action: str, words: Words) -> Admission:
    return (amending.pin if action == "pin" else amending.unpin)(engine, caller, text, words.reason)


def _updated(engine: Engine, caller: Caller, text: str, _: str, words: Words) -> Admission:
    return amending.update(engine, caller, text, words.field, words.value, words.reason)


_DONE: Mapping[str, Callable[[Engine, Caller, str, str, Words], Admission]] = {
    "correct": _corrected, "supersede": _superseded, "expire": _expired, "pin": _pinned, "unpin": _pinned,
    "update": _updated,
}  # fmt: skip
