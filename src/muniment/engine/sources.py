"""`retract --source`: all that came from one session, one URL or one origin, taken back by one command.

The same claim from elsewhere stays: a verdict here speaks of the facts of the source, and of no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from muniment.engine.commanding import Admission, Command
from muniment.engine.core import Caller, Engine
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


def retract(engine: Engine, caller: Caller, source: str, reason: str = "", *, dry_run: bool = False) -> Admission:
    """Retract what the source stated, as far as the caller may; with `dry_run` only name it."""
    facts = _facts(engine, source)
    mine = [f for f in facts if settle.outranks(caller.origin, f.row.origin)]
    if facts and not mine:
        raise RefusedError(f"what came from {source} is not ended by origin {caller.origin}", about=source)
    ids = tuple(show(f.row.id) for f in mine)
    left = f"{len(facts) - len(mine)} more are not ended by origin {caller.origin}" if len(mine) < len(facts) else ""
    if dry_run:
        return Admission("would retract", ids, reason=left or f"{len(ids)} facts; nothing was written")
    command = Command(engine, caller, f"retract --source {source}", reason, {})
    command.write(_verdicts(command, mine, reason or f"source {source}"), _Gone(tuple(f.row.id for f in mine)))
    return Admission("retracted", ids, receipt=command.receipt, reason=left or masked(reason))


class _Gone(NamedTuple):
    """L9: every one of them is retracted."""

    targets: tuple[bytes, ...]

    def demand(self, store: Store) -> None:
        """Undo everything if one of them stands."""
        standing = [f for f in store.facts.facts(self.targets) if f.standing != "retracted"]
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


def _facts(engine: Engine, source: str) -> list[StoredFact]:
    """What a source stated and what is not taken back yet."""
    facts = named(engine.store(), source, MOST + 1)
    if not facts:
        hint = "a source is the id of a session, a URL, or an origin: " + ", ".join(sorted(_ORIGINS))
        raise NotFoundError(f"nothing came from {source}", hint=hint, about=source)
    if len(facts) > MOST:
        raise RefusedError(
            f"more than {MOST} facts came from {source}", hint="name its sessions one by one", about=source
        )
    open_ = [f for f in facts if f.standing != "retracted"]
    if not open_:
        raise NothingChangedError(f"all that came from {source} is retracted already", about=source)
    return sorted(open_, key=lambda f: f.row.id)


def _verdicts(command: Command, facts: Sequence[StoredFact], reason: str) -> list[Verdict]:
    """One on each claim, of its facts from the source alone."""
    by_claim = groupby(sorted(facts, key=lambda f: (claim_id(f.row), f.row.id)), key=lambda f: claim_id(f.row))
    groups = [list(group) for _, group in by_claim]
    return [
        command.verdict(Action.RETRACT, group[0], [f.row.id for f in group], reason, part=group[0].row.key is not None)
        for group in groups
    ]
