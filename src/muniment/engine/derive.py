"""From archived events to facts: what the archive implies, kept equal to it whatever came in and in whatever order.

Everything here runs inside the caller's writing transaction. A fact is a function of its event, the event's window,
where the event is shown, and the verdicts that keep it; so an event is drawn again when any of these changed, and what
it no longer gives is withdrawn.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from muniment.capture.extract.registry import may_say
from muniment.engine import drafts, lineage
from muniment.engine.amendments import amended
from muniment.engine.extraction import OWN_HARNESS, Drawn, Extraction, draw
from muniment.engine.settling import Settler
from muniment.engine.verdicts import VerdictBook
from muniment.gate.admission import Method, Refusal, admit, claim_id, fact_id, written
from muniment.model.address import Address
from muniment.model.event import Call, Kind, Result
from muniment.model.fact import Action, Archived, Draft, Verdict
from muniment.model.ids import hash128, show
from muniment.model.ports import Store
from muniment.model.stored import FactRow, Prepared, StoredFact
from muniment.model.vocabulary import ENDED_BY

_REMEMBERED = 500
"""Events and pairs that a derivation holds in memory beside the fresh ones."""


@dataclass(slots=True)
class Derived:
    """What a derivation did. Refusals and proposals are counted when an event is drawn for the first time."""

    stored: list[bytes] = field(default_factory=list)
    withdrawn: list[bytes] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    proposed: int = 0
    keys: set[bytes] = field(default_factory=set)


def is_silent(event: Prepared, book: VerdictBook) -> bool:
    """Talk that no extractor looks at and no verdict speaks of: most of what comes in. It need not be derived."""
    is_talk = not event.calls and not event.results and event.kind != Kind.PROMPT
    return (
        is_talk
        and not may_say(event.kind, event.text)
        and event.harness != OWN_HARNESS
        and not book.speaks_of(event.uid)
    )


class StoreWindow:
    """The events that belong to one event by call id, from this batch or from the store."""

    def __init__(self, uid: bytes, partners: Partners) -> None:
        self._uid = uid
        self._partners = partners

    def call(self, call_id: str) -> tuple[Archived, Call] | None:
        """The event that made a call."""
        for event in self._partners.of(call_id, self._uid, result=False):
            for call in event.calls:
                if call.call_id == call_id:
                    return event, call
        return None

    def result(self, call_id: str) -> tuple[Archived, Result] | None:
        """The event that answered it."""
        for event in self._partners.of(call_id, self._uid, result=True):
            for result in event.results:
                if result.call_id == call_id:
                    return event, result
        return None


class Partners:
    """Who answers whom, remembered for one derivation: every extractor of an event asks again."""

    def __init__(self, store: Store, fresh: Mapping[bytes, Archived]) -> None:
        self._store = store
        self._fresh = fresh
        self._known: dict[tuple[str, bytes, bool], list[bytes]] = {}
        self._holders: dict[tuple[str, bool], list[bytes]] = {}
        self._fetched: set[str] = set()
        self._loaded: dict[bytes, Archived | None] = {}

    def fetch(self) -> None:
        """Learn in one query who holds the call ids of the fresh events."""
        for event in self._fresh.values():
            self._fetched.update(c.call_id for c in event.calls)
            self._fetched.update(r.call_id for r in event.results)
        self._holders = self._store.events.holders(self._fetched)

    def uids(self, call_id: str, uid: bytes, *, result: bool) -> list[bytes]:
        """The events that answer (or made) a call of this event: the one that counts first."""
        if call_id in self._fetched:
            holders = self._holders.get((call_id, result), ())
            own = [uid] if uid in holders else []
            return own + [o for o in holders if o != uid and self._together(uid, o)]
        key = (call_id, uid, result)
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = self._store.events.partners(call_id, uid, result=result)
        return self._known[key]

    def _together(self, uid: bytes, other: bytes) -> bool:
        """A fresh event was seen once, in the session where it is shown."""
        a, b = self._fresh.get(uid), self._fresh.get(other)
        if a is not None and b is not None:
            return a.session == b.session
        return self._store.events.together(uid, other)

    def of(self, call_id: str, uid: bytes, *, result: bool) -> Iterator[Archived]:
        """The same events themselves. One may turn out to be revised and to hold that call no more."""
        for other in self.uids(call_id, uid, result=result):
            event = self.load(other)
            if event is not None:
                yield event

    def load(self, uid: bytes) -> Archived | None:
        """An event, of this batch or not."""
        if uid in self._fresh:
            return self._fresh[uid]
        if uid not in self._loaded:
            if len(self._loaded) >= _REMEMBERED:
                self._loaded.clear()
            self._loaded[uid] = self._store.archived(uid)
        return self._loaded[uid]


class Deriver:
    """Draws facts from events, settles the keys they touch and renders the lines of what is open."""

    def __init__(
        self,
        store: Store,
        book: VerdictBook,
        fresh: Mapping[bytes, Archived] | None = None,
        extraction: Extraction = draw,
    ) -> None:
        self._store = store
        self._book = book
        self._draw = extraction
        self._fresh: Mapping[bytes, Archived] = fresh or {}
        self._settler = Settler(store, book)
        self._partners = Partners(store, self._fresh)
        self._drawn: list[tuple[FactRow, Archived]] = []

    def run(
        self, again: Iterable[bytes] = (), verdicts: Iterable[Verdict] = (), first: Collection[bytes] = ()
    ) -> Derived:
        """Derive the fresh events and those whose facts may have changed, and what verdicts speak of; then settle.

        `first` names the events that are new but not fresh.
        """
        done = Derived()
        self._partners.fetch()
        todo = {*self._fresh, *again}
        given = list(verdicts)
        for verdict in (*given, *self._book.voided(given)):
            uid, key = drafts.uid_of(verdict), drafts.key_of(verdict)
            todo.update([uid] if uid is not None else [])
            todo.update(self._spoken_of(verdict, key))
            done.keys.update([key] if key is not None else [])
            done.keys.update(self._narrowing(verdict))
            if verdict.action == Action.CHECK:
                self._citing(bytes.fromhex(verdict.target), done.keys, todo)
        self.derive(sorted(todo | self.with_partners(todo)), done, first)
        self.settle(done.keys)
        self._follow(done)
        return done

    def _follow(self, done: Derived) -> None:
        """What rests on facts whose standing moved is settled again, and what rests on that, until nothing moves."""
        followed: set[bytes] = set()
        while moved := self._settler.moved - followed:
            followed |= moved
            self._settler.moved.clear()
            keys, todo = set[bytes](), set[bytes]()
            for id_ in moved:
                self._citing(Address(lineage.FACT, show(id_)).id, keys, todo)
            self.derive(sorted(todo), done)
            self.settle(keys)

    def _citing(self, name: bytes, keys: set[bytes], todo: set[bytes]) -> None:
        """What depends on an address is settled again; an occurrence, which never settles, is put down again."""
        for fact in self._store.facts.facts(self._store.evidence.citing(name)):
            if fact.row.key is None:
                todo.add(fact.row.uid)
            else:
                keys.add(fact.row.key)

    def _narrowing(self, verdict: Verdict) -> Iterator[bytes]:
        """The keys of facts that narrow another: the link is theirs."""
        named = map(bytes.fromhex, verdict.value.split()) if verdict.action == Action.NARROW else ()
        yield from (f.row.key for f in self._store.facts.facts(named) if f.row.key is not None)

    def _spoken_of(self, verdict: Verdict, key: bytes | None) -> Iterator[bytes]:
        """The events of every fact that a verdict on a claim changes, where it changes what is drawn."""
        yield from self._book.moved_from(verdict.target)
        if verdict.action == Action.EXPIRE and key is not None:
            yield from (f.row.uid for f in self._store.facts.with_key(key) if claim_id(f.row).hex() == verdict.target)

    def derive(self, uids: Iterable[bytes], done: Derived, first: Collection[bytes] = ()) -> None:
        """Draw these events again; the keys to settle are collected in `done`."""
        for uid in uids:
            event = self._partners.load(uid)
            if event is not None:
                self._derive(event, done, counts=uid in self._fresh or uid in first)
            if len(self._drawn) >= _REMEMBERED:
                self._store_drawn(done)
        self._store_drawn(done)

    def settle(self, keys: Iterable[bytes]) -> None:
        """Settle keys, and those of the opposite predicate with the same value."""
        self._settler.settle_all({*keys, *self._opposites(keys)})

    def _opposites(self, keys: Iterable[bytes]) -> Iterator[bytes]:
        for key in keys:
            for predicate, subject, value_key in self._store.facts.values_of(key):
                for other in ENDED_BY.get(predicate, ()):
                    yield from self._store.facts.keys_with(other, subject, value_key)

    def drafts(self, event: Archived) -> Iterator[Drawn]:
        """What the extractors make of an event."""
        return self._draw(event, StoreWindow(event.uid, self._partners))

    def with_partners(self, todo: Collection[bytes]) -> set[bytes]:
        """Facts drawn from a call depend on the events that may answer it, and the other way round; kept ones on theirs."""
        found: set[bytes] = set()
        for uid in todo:
            found.update(self._book.resting_on(uid))
            for call_id, is_result in self._call_ids(uid):
                found.update(self._partners.uids(call_id, uid, result=not is_result))
        return found

    def _call_ids(self, uid: bytes) -> Iterable[tuple[str, bool]]:
        event = self._fresh.get(uid)
        if event is None:
            return self._store.call_ids(uid)
        return [*((c.call_id, False) for c in event.calls), *((r.call_id, True) for r in event.results)]

    def _derive(self, event: Archived, done: Derived, *, counts: bool) -> None:
        wanted, proposals = self._admitted(event, done, counts=counts)
        if proposals or event.uid not in self._fresh:
            self._store.facts.put_proposals(event.uid, proposals)
        existing = {} if event.uid in self._fresh else self._store.facts.of_event(event.uid)
        for id_, n in existing.items():
            self.withdraw(n, id_, done, for_good=id_ not in wanted)
        for row in wanted.values():
            self._drawn.append((row, event))
            if row.id not in existing:
                done.stored.append(row.id)

    def _admitted(
        self, event: Archived, done: Derived, *, counts: bool
    ) -> tuple[dict[bytes, FactRow], dict[bytes, tuple[str, str]]]:
        """The facts of an event by id; and what may only be proposed, by what it says: (draft, reason)."""
        wanted: dict[bytes, FactRow] = {}
        proposals: dict[bytes, tuple[str, str]] = {}
        for method, draft in self.drafts(event):
            verdict = draft if isinstance(draft, Refusal) else self._admit(event, method, draft)
            if not isinstance(verdict, Refusal):
                wanted[verdict.id] = verdict
                continue
            if verdict.proposed and isinstance(draft, Draft):
                group = group_of(draft)
                proposals[group] = (json.dumps(drafts.encode(method, draft), sort_keys=True), verdict.reason)
            if counts:
                done.proposed += verdict.proposed
                done.refused[verdict.reason] = done.refused.get(verdict.reason, 0) + 1
        for kept in self._book.kept(event.uid):
            is_known = kept.fact in wanted
            row = None if is_known else self._admit(event, kept.method, kept.draft, is_accepted=kept.is_accepted)
            if isinstance(row, FactRow) and row.id == kept.fact:
                wanted[row.id] = row
        return {id_: amended(row, self._book) for id_, row in wanted.items()}, proposals

    def _admit(
        self, event: Archived, method: Method, draft: Draft, *, is_accepted: bool = False
    ) -> FactRow | Refusal:  # fmt: skip
        witness = self._partners.load(draft.witness) if draft.witness is not None else None
        return admit(draft, event, witness, method, is_accepted=is_accepted)

    def withdraw(self, n: int, id_: bytes, done: Derived, *, for_good: bool) -> None:
        """Remove a fact that is drawn no more; the keys to settle are collected in `done`."""
        self._settler.moved.add(id_)
        for predicate, subject, value_key, key in self._store.facts.withdraw(n, id_):
            done.keys.add(key)
            for other in ENDED_BY.get(predicate, ()):
                done.keys.update(self._store.facts.keys_with(other, subject, value_key))
        narrow = self._store.facts.facts(self._book.narrowing(id_))  # their links to it went with it
        done.keys.update(f.row.key for f in narrow if f.row.key is not None)
        if for_good:
            done.withdrawn.append(id_)

    def _store_drawn(self, done: Derived) -> None:
        """Put down what was drawn, table by table: each is found warm, which a fact by itself would not."""
        put = self._store.facts.put
        facts = [StoredFact(put(row, row.stated), row, row.stated, e.session, e.seq) for row, e in self._drawn]
        self._drawn.clear()
        done.keys.update(f.row.key for f in facts if f.row.key is not None)
        self._settler.occurrences([f for f in facts if f.row.key is None])


def group_of(draft: Draft) -> bytes:
    """The name of what is proposed: drafts that say the same, or ask the same, are one proposal."""
    asked = draft.proposes.split(": ", 1)[0]
    return hash128("proposal", draft.predicate, *draft.subject, draft.topic, written(draft), asked)


def kept_by_verdict(store: Store, fact: StoredFact) -> dict[str, Any]:
    """What a verdict keeps of the fact it speaks of: the event, the draft, and the claim in words."""
    row = fact.row
    return {
        "key": row.key.hex() if row.key else "", "fact": row.id.hex(), "predicate": row.predicate,
        "subject": list(row.subject), "topic": row.topic, "value": row.value, "uid": row.uid.hex(),
        "draft": _draft_of(store, fact),
    }  # fmt: skip


def _draft_of(store: Store, fact: StoredFact) -> dict[str, Any] | None:
    event, book = store.archived(fact.row.uid), VerdictBook(store.facts.verdicts())
    if event is None:
        return None
    drawn = Deriver(store, book).drafts(event)
    for method, draft in itertools.chain(drawn, ((k.method, k.draft) for k in book.kept(event.uid))):
        if isinstance(draft, Refusal):
            continue
        words = (draft.predicate, draft.subject, draft.topic, written(draft), method.name)
        id_ = fact_id(event.uid, draft.span, *words)
        if id_ == fact.row.id:
            return drafts.encode(method, draft)
    return None
