"""The verbs that change what stands beside the words of a fact: `update`, `expire`, `pin`, `unpin`. Never the words.

Each is a verdict with the command as its receipt, so it can be told from what was said, and undone by another.
"""

from __future__ import annotations

from typing import NamedTuple

from muniment.engine import amendments, finding, wording
from muniment.engine.commanding import Admission, Command
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import StandsSo, demand_change, demand_right
from muniment.engine.verdicts import VerdictBook
from muniment.engine.wording import masked
from muniment.errors import NothingChangedError, UsageError
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact

CONFIDENCE = "confidence"
FIELDS = ("tags", "topic", CONFIDENCE, "expiry", "context")
_CONFIDENT = {"sure": Action.CONFIRM, "uncertain": Action.UNSURE}
_NEVER = frozenset({"never", "none", ""})
_WORDS = frozenset({"content", "claim", "text", "type", "object", "literal"})


def update(engine: Engine, caller: Caller, text: str, field: str, value: str, reason: str = "") -> Admission:
    """Give the fact with that id other tags, another topic, context, expiry or confidence (sure, uncertain)."""
    if field not in FIELDS:
        hint = "words are never changed: `supersede` or `correct` it" if field in _WORDS else ""
        raise UsageError(f"cannot update {field!r}", hint=hint or "fields: " + ", ".join(FIELDS), about=field)
    if field == CONFIDENCE:
        return _sure(engine, caller, text, value, reason)
    if field == amendments.EXPIRY:
        return _expire(engine, caller, text, None if value.lower() in _NEVER else value, reason, "updated")
    return _amend(engine, caller, text, field, _written(field, value), reason)


def expire(engine: Engine, caller: Caller, text: str, at: str | None = None, reason: str = "") -> Admission:
    """From now (or `at`) on the fact is not to be relied on; what it said until then stays."""
    demand_change(engine, Action.EXPIRE, finding.fact(engine, text))
    return _expire(engine, caller, text, at or "now", reason, "expired")


def pin(engine: Engine, caller: Caller, text: str, reason: str = "") -> Admission:
    """The fact stands first in every wake view until it is unpinned or ends."""
    return _pin(engine, caller, Action.PIN, text, reason)


def unpin(engine: Engine, caller: Caller, text: str, reason: str = "") -> Admission:
    """The fact takes its place by rank again."""
    return _pin(engine, caller, Action.UNPIN, text, reason)


class _Stands(NamedTuple):
    """L9: after the command the fact is as it was asked to be."""

    target: bytes
    field: str
    value: str

    def demand(self, store: Store) -> None:
        """Undo everything if it is not so."""
        fact = store.facts.fact(self.target)
        if fact is None or _value(store, fact, self.field) != self.value:
            message = f"the {self.field} of {show(self.target)} stays as it is"
            raise NothingChangedError(message, hint="who changed it before has more authority", about=show(self.target))


def _value(store: Store, fact: StoredFact, field: str) -> str:
    """What a fact has now, as an amendment would write it."""
    row = fact.row
    if field == amendments.TAGS:
        return " ".join(store.facts.tags(row.id))
    return {"topic": row.topic, "context": row.context, "expiry": row.expires_at or ""}[field]


def _written(field: str, value: str) -> str:
    """As it may be kept."""
    if field == amendments.TAGS:
        return " ".join(sorted(set(map(masked, value.replace(",", " ").split()))))
    return masked(value.strip())


def _amend(engine: Engine, caller: Caller, text: str, field: str, value: str, reason: str) -> Admission:
    target = finding.fact(engine, text)
    return _changed(engine, caller, target, Action.AMEND, (field, value), reason, "updated")


def _expire(
    engine: Engine, caller: Caller, text: str, at: str | None, reason: str, outcome: str
) -> Admission:  # fmt: skip
    target = finding.fact(engine, text)
    end = "" if at is None else engine.now() if at == "now" else wording.end(engine, at) or ""
    return _changed(engine, caller, target, Action.EXPIRE, (amendments.EXPIRY, end), reason, outcome)


def _changed(
    engine: Engine, caller: Caller, target: StoredFact, action: Action, amends: tuple[str, str], reason: str, outcome: str
) -> Admission:  # fmt: skip
    """One verdict that gives a field of a fact another value; NothingChangedError where it has that one."""
    demand_right(caller, action, target)
    id_, (field, value) = show(target.row.id), amends
    if _value(engine.store(), target, field) == value:
        raise NothingChangedError(f"the {field} of {id_} is {value or 'empty'} already", about=id_)
    command = Command(engine, caller, f"update {id_} {field}", value, {}, note=reason)
    verdict = command.verdict(action, target, [target.row.id], reason, amends)
    command.write([verdict], _Stands(target.row.id, field, value))
    return Admission(outcome, (id_,), receipt=command.receipt, reason=masked(reason))


def _sure(engine: Engine, caller: Caller, text: str, value: str, reason: str) -> Admission:
    action = _CONFIDENT.get(value.lower())
    if action is None:
        raise UsageError(f"confidence is sure or uncertain, not {value!r}", about=value)
    target = finding.fact(engine, text)
    demand_right(caller, action, target)
    demand_change(engine, action, target)
    if action == Action.CONFIRM and target.standing == "confirmed" and caller.origin == target.row.origin:
        raise NothingChangedError(f"{show(target.row.id)} is sure already", about=show(target.row.id))
    return _decided(engine, caller, action, target, reason, "updated", StandsSo(action, target.row.id))


class _Pinned(NamedTuple):
    """L9: after the command the open fact is pinned, or is not."""

    target: bytes
    wanted: bool

    def demand(self, store: Store) -> None:
        """Undo everything if it is not so."""
        if is_pinned(store, self.target) != self.wanted:
            raise NothingChangedError(f"{show(self.target)} stays as it is", about=show(self.target))


def is_pinned(store: Store, id_: bytes) -> bool:
    """Does the fact with this id stand first?"""
    fact = store.facts.fact(id_)
    return fact is not None and VerdictBook(store.facts.verdicts()).is_pinned(fact.row)


def _pin(engine: Engine, caller: Caller, action: Action, text: str, reason: str) -> Admission:
    target = finding.fact(engine, text)
    demand_right(caller, action, target)
    wanted, done = action == Action.PIN, "pinned" if action == Action.PIN else "unpinned"
    if is_pinned(engine.store(), target.row.id) == wanted:
        already = "pinned already" if wanted else "not pinned"
        raise NothingChangedError(f"{show(target.row.id)} is {already}", about=show(target.row.id))
    demand_change(engine, action, target)
    return _decided(engine, caller, action, target, reason, done, _Pinned(target.row.id, wanted))


def _decided(
    engine: Engine, caller: Caller, action: Action, target: StoredFact, reason: str, outcome: str,
    effect: StandsSo | _Pinned,
) -> Admission:  # fmt: skip
    id_ = show(target.row.id)
    command = Command(engine, caller, f"{action} {id_}", reason, {})
    command.write([command.verdict(action, target, [target.row.id], reason)], effect)
    return Admission(outcome, (id_,), receipt=command.receipt, reason=masked(reason))
