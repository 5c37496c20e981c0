"""`retract --source`, `suspect --source`: all that came from one session, one URL or one origin, by one command; `restore
--source` takes that command back, and everything stands as it would have without it.

The same claim from elsewhere stays: a verdict here speaks of the facts of the source, and of no others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from muniment.engine.commanding import Admission, Command
from muniment.engine.core import Caller, Engine
from muniment.engine.verdicts import VerdictBook
from muniment.engine.wording import masked
from muniment.errors import NotFoundError, NothingChangedError, RefusedError
from muniment.gate.admission import claim_id
from muniment.model import settle
from muniment.model.event import Origin
from muniment.model.fact import Action, Verdict
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact

MOST = 5_000
"""Facts that one command takes back."""
_ORIGINS = frozenset(o.value for o in Origin)


def retract(
    engine: Engine, caller: Caller, source: str, reason: str = "", *, dry_run: bool = False, action: Action = Action.RETRACT
) -> Admission:  # fmt: skip
    """Retract (or suspect) what the source stated, as far as the caller may; with `dry_run` only name it."""
    facts = _facts(engine, source, action)
    mine = [f for f in facts if settle.outranks(caller.origin, f.row.origin)]
    if facts and not mine:
        raise RefusedError(f"what came from {source} is not ended by origin {caller.origin}", about=source)
    ids = tuple(show(f.row.id) for f in mine)
    left = f"{len(facts) - len(mine)} more are not ended by origin {caller.origin}" if len(mine) < len(facts) else ""
    if dry_run:
        return Admission(f"would {action}", ids, reason=left or f"{len(ids)} facts; nothing was written")
    command = Command(engine, caller, f"{action} --source {source}", reason, {})
    verdicts = _verdicts(command, mine, reason or f"source {source}", action, source)
    command.write(verdicts, _Stand(tuple(f.row.id for f in mine), _DONE[action]))
    return Admission(_TOLD[action], ids, receipt=command.receipt, reason=left or masked(reason))


def restore(engine: Engine, caller: Caller, source: str, reason: str = "", *, dry_run: bool = False) -> Admission:
    """Take back whatever was decided about the source as a whole."""
    store = engine.store()
    book = VerdictBook(store.facts.verdicts())
    decided = [v for v in book.in_force(store.facts.verdicts()) if json.loads(v.draft).get(_SOURCE) == source]
    mine = [v for v in decided if settle.outranks(caller.origin, v.by)]
    if decided and not mine:
        raise RefusedError(f"what was decided of {source} is not undone by origin {caller.origin}", about=source)
    if not mine:
        raise NothingChangedError(f"nothing was decided about all of {source}", about=source)
    ids = tuple(sorted({show(bytes.fromhex(i)) for v in mine for i in v.value.split()}))
    if dry_run:
        return Admission("would restore", ids, reason=f"{len(ids)} facts; nothing was written")
    command = Command(engine, caller, f"restore --source {source}", reason, {})
    commands = sorted({v.uid for v in mine})
    command.write([command.decision(Action.UNDO, ("command", uid.hex()), [], reason, {}) for uid in commands])
    return Admission("restored", ids, receipt=command.receipt, reason=masked(reason))


_SOURCE = "source"
_TOLD = {Action.RETRACT: "retracted", Action.SUSPECT: "suspected"}
_DONE = {Action.RETRACT: ("retracted",), Action.SUSPECT: ("suspect", "superseded", "hypothesis")}


class _Stand(NamedTuple):
    """L9: every one of them stands as it was decided."""

    targets: tuple[bytes, ...]
    wanted: tuple[str, ...]

    def demand(self, store: Store) -> None:
        """Undo everything if one of them stands otherwise."""
        standing = [f for f in store.facts.facts(self.targets) if f.standing not in self.wanted]
        if standing:
            message = f"{show(standing[0].row.id)} stays {standing[0].standing}"
            raise NothingChangedError(message, hint="a person confirmed it", about=show(standing[0].row.id))


def named(store: Store, source: str, most: int) -> list[StoredFact]:
    """What came from a source (an origin, a session, or a URL), the newest first, at most so many."""
    if source in _ORIGINS:
        where = "f.origin = ?"
    elif store.events.find_session(source) is not None:
        where = "e.id = ?"
    else:
        where = "f.source_url = ?"
    return store.facts.select(where, (source,), most)


def _facts(engine: Engine, source: str, action: Action) -> list[StoredFact]:
    """What a source stated and what is not taken back yet."""
    facts = named(engine.store(), source, MOST + 1)
    if not facts:
        hint = "a source is the id of a session, a URL, or an origin: " + ", ".join(sorted(_ORIGINS))
        raise NotFoundError(f"nothing came from {source}", hint=hint, about=source)
    if len(facts) > MOST:
        raise RefusedError(
            f"more than {MOST} facts came from {source}", hint="name its sessions one by one", about=source
        )
    over = ("retracted",) if action == Action.RETRACT else ("retracted", "superseded", "suspect")
    open_ = [f for f in facts if f.standing not in over]
    if not open_:
        raise NothingChangedError(f"all that came from {source} is {over[-1]} or over already", about=source)
    return sorted(open_, key=lambda f: f.row.id)


def _verdicts(
    command: Command, facts: Sequence[StoredFact], reason: str, action: Action, source: str
) -> list[Verdict]:  # fmt: skip
    """One on each claim, of its facts from the source alone."""
    by_claim = groupby(sorted(facts, key=lambda f: (claim_id(f.row), f.row.id)), key=lambda f: claim_id(f.row))
    groups = [list(group) for _, group in by_claim]
    made = (
        command.verdict(action, group[0], [f.row.id for f in group], reason, part=group[0].row.key is not None)
        for group in groups
    )
    return [v._replace(draft=_with_source(v.draft, source)) for v in made]


def _with_source(draft: str, source: str) -> str:
    return json.dumps({**json.loads(draft), _SOURCE: source}, ensure_ascii=False, sort_keys=True)
