"""The verb `forget`: by id, by words, by session, source or subject.

Without erasure it hides: what was chosen is retracted by a verdict, with the command as its receipt, and `restore` brings
it back. With erasure it goes for good (`engine.erasing`), which only a person may ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from muniment.engine import aging, erasing, finding, wanted
from muniment.engine.amendments import EXPIRY
from muniment.engine.commanding import Admission, Command
from muniment.engine.core import Caller, Engine
from muniment.engine.erasing import Certificate, Chosen, Going, Held
from muniment.engine.wording import masked
from muniment.errors import NotFoundError, NothingChangedError, RefusedError, ScopeError, UsageError
from muniment.gate.admission import claim_id
from muniment.model import settle
from muniment.model.entity import KINDS
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import is_prefix, show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact

MOST = 5_000
"""Facts that one command hides."""
_SAID_AGAIN = 16
"""A statement of so many characters takes with it whatever repeats it word for word."""
_ORIGINS = frozenset(o.value for o in Origin)
HOW = ("id", "match", "session", "source", "subject", "expired")


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be forgotten: `how` names the way in which `what` is understood."""

    how: str
    what: str

    @property
    def told(self) -> str:
        """The target as a command may keep it: the words that somebody wants gone are not repeated."""
        return "--match" if self.how == "match" else f"{self.what if self.how == 'id' else f'--{self.how} {self.what}'}"


@dataclass(frozen=True, slots=True)
class Outlook:
    """What would go, before anything does."""

    outcome: str
    events: tuple[str, ...]
    """Receipts."""
    facts: tuple[str, ...]
    verdicts: int
    proposals: int
    sessions: tuple[str, ...]
    others: tuple[Held, ...]
    """Other stores of the home that hold the same; they are left alone unless asked for."""


def hide(engine: Engine, caller: Caller, target: Target, reason: str = "", *, dry_run: bool = False) -> Admission:
    """Retract what was chosen, as far as the caller may; `restore ID` brings each back. Raises where nothing is left to hide."""
    facts = [f for f in _facts(engine.store(), engine, target) if f.standing != "retracted"]
    if not facts:
        raise NothingChangedError(
            "nothing of it is left to hide", hint="--erase removes it for good", about=target.what
        )
    mine = [f for f in facts if settle.outranks(caller.origin, f.row.origin)]
    if not mine:
        raise RefusedError(
            f"facts of origin {facts[0].row.origin} are not ended by origin {caller.origin}", about=target.what
        )
    if len(mine) > MOST:
        raise RefusedError(f"more than {MOST} facts", hint="name its sessions one by one", about=target.what)
    ids = tuple(show(f.row.id) for f in mine)
    left = f"{len(facts) - len(mine)} more are not ended by origin {caller.origin}" if len(mine) < len(facts) else ""
    if dry_run:
        return Admission("would hide", ids, reason=left or f"{len(ids)} facts; nothing was written")
    command = Command(engine, caller, f"forget {target.told}", reason, {})
    by_claim = groupby(sorted(mine, key=_claim), key=_claim)
    verdicts = [
        command.verdict(Action.RETRACT, group[0], [f.row.id for f in group], reason or "forgotten", part=bool(group[0].row.key))
        for group in (list(g) for _, g in by_claim)
    ]  # fmt: skip
    command.write(verdicts, _Hidden(tuple(f.row.id for f in mine)))
    return Admission("hidden", ids, receipt=command.receipt, reason=left or masked(reason))


def expire(engine: Engine, caller: Caller, target: Target, reason: str = "", *, dry_run: bool = False) -> Admission:
    """From now on nothing that is older than the configuration says is relied on; what it said until then stays."""
    now, store = engine.now(), engine.store()
    old = [f for f in aging.old(store, engine) if f.row.expires_at is None or f.row.expires_at > now]
    mine = [f for f in old if settle.outranks(caller.origin, f.row.origin)][:MOST]
    if not mine:
        raise NothingChangedError(
            "nothing is older than the configuration says", hint="[retention] in config.toml", about=target.how
        )
    ids = tuple(show(f.row.id) for f in mine)
    if dry_run:
        return Admission("would expire", ids, reason=f"{len(ids)} facts; nothing was written")
    command = Command(engine, caller, "forget --expired", reason, {})
    by_claim = {claim_id(f.row): f for f in mine}
    verdicts = [
        command.verdict(Action.EXPIRE, f, [f.row.id], reason or "older than is kept", (EXPIRY, now)) for f in by_claim.values()
    ]  # fmt: skip
    command.write(verdicts, _Expired(tuple(f.row.id for f in mine), now))
    return Admission("expired", ids, receipt=command.receipt, reason=masked(reason))


def outlook(engine: Engine, caller: Caller, target: Target) -> Outlook:
    """What `erase` would remove. Writes nothing."""
    _demand_person(caller)
    store = engine.store()
    with store.reading():
        what = erasing.going(store, choose(store, engine, target))
    _demand_some(what, target)
    others = tuple(erasing.held(engine, what))
    return Outlook(
        "would erase", what.receipts, what.facts, len(what.verdicts), len(what.proposals), what.sessions, others
    )


def erase(engine: Engine, caller: Caller, target: Target, *, everywhere: bool = False) -> Certificate:
    """Remove it for good and certify what went. NotFoundError where nothing is there."""
    _demand_person(caller)
    done = erasing.erase(engine, lambda store: choose(store, engine, target), everywhere=everywhere)
    if not done.done:
        raise _nothing(target)
    return done


class _Hidden(NamedTuple):
    """L9: every one of them is retracted."""

    targets: tuple[bytes, ...]

    def demand(self, store: Store) -> None:
        """Undo everything if one of them stands."""
        for fact in store.facts.facts(self.targets):
            if fact.standing != "retracted":
                message = f"{show(fact.row.id)} stays {fact.standing}"
                raise NothingChangedError(message, hint="a person confirmed it", about=show(fact.row.id))


class _Expired(NamedTuple):
    """L9: every one of them has ended."""

    targets: tuple[bytes, ...]
    now: str

    def demand(self, store: Store) -> None:
        """Undo everything if one of them goes on."""
        for fact in store.facts.facts(self.targets):
            if fact.row.expires_at is None or fact.row.expires_at > self.now:
                raise NothingChangedError(f"{show(fact.row.id)} stays as it is", about=show(fact.row.id))


def _claim(fact: StoredFact) -> tuple[bytes, bytes]:
    return claim_id(fact.row), fact.row.id


def _demand_person(caller: Caller) -> None:
    if caller.origin != Origin.PERSON:
        message = f"a caller of origin {caller.origin} erases nothing"
        raise ScopeError(message, hint="let the person run `muniment forget ... --erase`", about="erase")


def _demand_some(what: Going, target: Target) -> None:
    if what.is_empty:
        raise _nothing(target)


def _nothing(target: Target) -> NotFoundError:
    return NotFoundError(f"nothing here is meant by --{target.how}", hint="nothing was erased", about=target.how)


# --- what is meant


def choose(store: Store, engine: Engine, target: Target) -> Chosen:
    """The events, sessions and words that a target means in a store."""
    return _CHOOSE[target.how](store, engine, target.what)


def _by_id(store: Store, engine: Engine, what: str) -> Chosen:
    """A receipt means its event; a fact every event that states the same claim, and long words wherever they are repeated."""
    session, _, seq = what.partition("@")[0].rpartition(":")
    if session and seq.isdecimal():
        uids = frozenset(m.uid for m in store.messages(session, int(seq), int(seq)))
        if not uids:
            raise NotFoundError(f"no event {what}", about=what)
        return Chosen(uids)
    fact = finding.fact(engine, what)
    same = (
        [f for f in store.facts.with_key(fact.row.key) if f.row.value_key == fact.row.value_key]
        if fact.row.key
        else [fact]
    )
    words = tuple({w for f in same if (w := f.row.literal) is not None and len(w) >= _SAID_AGAIN})
    return _with_words(store, frozenset(f.row.uid for f in (*same, fact)), words)


def _by_match(store: Store, _: Engine, what: str) -> Chosen:
    if len(wanted.plain(what)) < 3:
        raise UsageError("words of at least three characters are needed", about="--match")
    return _with_words(store, frozenset(), (what,))


def _with_words(store: Store, uids: frozenset[bytes], words: tuple[str, ...]) -> Chosen:
    more = frozenset(wanted.events_with(store, words))
    return Chosen(uids | more, words=words, verdicts=frozenset(wanted.verdicts_with(store, words)))


def _by_session(store: Store, _: Engine, what: str) -> Chosen:
    sessions = store.erasure.sessions_like(what)
    return Chosen(frozenset(uid for s in sessions for uid in store.erasure.of_session(s)), frozenset(sessions))


def _by_source(store: Store, engine: Engine, what: str) -> Chosen:
    """An origin, a session, a URL, or the file of a transcript."""
    if what in _ORIGINS:
        return Chosen(frozenset(store.erasure.of_origin(what)))
    path = Path(what)
    uris = [what, *([path.as_uri()] if path.is_absolute() else [])]
    sessions = store.erasure.sessions_from(uris)
    found = [_by_session(store, engine, s) for s in (*sorted(sessions), what)]
    of_url = store.facts.select("f.source_url = ?", (what,), -1)
    return Chosen(
        frozenset(u for c in found for u in c.uids) | {f.row.uid for f in of_url},
        frozenset(s for c in found for s in c.sessions),
    )


def _by_subject(store: Store, _: Engine, what: str) -> Chosen:
    facts = _about(store, what)
    return Chosen(frozenset(f.row.uid for f in facts))


def _about(store: Store, what: str) -> list[StoredFact]:
    """The facts that have it as subject or object: `me`, `kind:key`, or a key of any kind."""
    kind, _, key = ("person", "", "me") if what == "me" else what.partition(":")
    args: dict[str, object]
    if key and kind in KINDS:
        where, args = "(s.kind = :k AND s.key = :w) OR (o.kind = :k AND o.key = :w)", {"k": kind, "w": key}
    else:
        where, args = "s.key = :w OR o.key = :w", {"w": what}
    return store.facts.select(f"({where})", args, -1)


def _by_age(store: Store, engine: Engine, _: str) -> Chosen:
    facts = frozenset(f.row.uid for f in aging.old(store, engine))
    return Chosen(facts | frozenset(aging.old_events(store, engine)))


_CHOOSE = {
    "id": _by_id, "match": _by_match, "session": _by_session, "source": _by_source, "subject": _by_subject,
    "expired": _by_age,
}  # fmt: skip


def _facts(store: Store, engine: Engine, target: Target) -> Sequence[StoredFact]:
    """The facts that a target means, where it only hides."""
    if target.how == "id" and is_prefix(target.what):
        return [finding.fact(engine, target.what)]
    if target.how == "subject":
        return _about(store, target.what)
    if target.how == "match":
        listed = store.facts.select("1", (), -1)
        return [
            f for f in listed if wanted.held_in(f"{f.row.value}\0{f.row.subject.key}\0{f.row.context}", (target.what,))
        ]
    chosen = choose(store, engine, target)
    return store.facts.facts(sorted(store.erasure.facts_of(chosen.uids)))
