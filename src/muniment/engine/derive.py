"""From archived events to facts: what the archive implies, kept equal to it whatever came in and in whatever order.

Everything here runs inside the caller's writing transaction. A fact is a function of its event, the event's window and
where the event is shown; so an event is drawn again when any of these changed, and what it no longer gives is withdrawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from muniment.engine.extraction import Extraction, draw
from muniment.engine.settling import BANDS, Settler
from muniment.engine.verdicts import VerdictBook
from muniment.gate.admission import Refusal, admit, claim_id
from muniment.model.event import Call, Result
from muniment.model.fact import Archived, Verdict
from muniment.model.stored import FactRow, StoredFact
from muniment.model.vocabulary import OPPOSITE
from muniment.storage.sqlite.whole import SqliteStore


@dataclass(slots=True)
class Derived:
    """What a derivation did."""

    stored: list[bytes] = field(default_factory=list)
    withdrawn: list[bytes] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    proposed: int = 0
    keys: set[bytes] = field(default_factory=set)


class StoreWindow:
    """The events that belong to one event by call id, from this batch or from the store."""

    def __init__(self, fresh: dict[bytes, Archived], uid: bytes, partners: Partners) -> None:
        self._fresh = fresh
        self._uid = uid
        self._partners = partners

    def call(self, call_id: str) -> tuple[Archived, Call] | None:
        """The event that made a call."""
        event = self._partner(call_id, result=False)
        return next(((event, c) for c in event.calls if c.call_id == call_id), None) if event else None

    def result(self, call_id: str) -> tuple[Archived, Result] | None:
        """The event that answered it."""
        event = self._partner(call_id, result=True)
        return next(((event, r) for r in event.results if r.call_id == call_id), None) if event else None

    def _partner(self, call_id: str, *, result: bool) -> Archived | None:
        uid = self._partners.find(call_id, self._uid, result=result)
        if uid is None:
            return None
        return self._fresh.get(uid) or self._partners.load(uid)


class Partners:
    """Who answers whom, remembered for one derivation: every extractor of an event asks again."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._known: dict[tuple[str, bytes, bool], bytes | None] = {}
        self._loaded: dict[bytes, Archived | None] = {}

    def find(self, call_id: str, uid: bytes, *, result: bool) -> bytes | None:
        """The event that answers (or made) a call of this event."""
        key = (call_id, uid, result)
        if key not in self._known:
            self._known[key] = self._store.events.partner(call_id, uid, result)
        return self._known[key]

    def load(self, uid: bytes) -> Archived | None:
        """An event that is not of this batch."""
        if uid not in self._loaded:
            self._loaded[uid] = self._store.archived(uid)
        return self._loaded[uid]


class Deriver:
    """Draws facts from events, settles the keys they touch and renders the lines of what is open."""

    def __init__(self, store: SqliteStore, book: VerdictBook, extraction: Extraction = draw) -> None:
        self._store = store
        self._book = book
        self._draw = extraction
        self._settler = Settler(store, book)
        self._partners = Partners(store)

    def run(self, fresh: dict[bytes, Archived], again: Iterable[bytes] = ()) -> Derived:
        """Derive the fresh events and those whose facts may have changed; then settle."""
        done = Derived()
        for uid in sorted(self._with_partners(fresh, set(again))):
            event = fresh.get(uid) or self._store.archived(uid)
            if event is not None:
                self._derive(event, fresh, done, is_new=uid in fresh)
        self._settler.settle_all(done.keys)
        return done

    def _with_partners(self, fresh: dict[bytes, Archived], again: set[bytes]) -> set[bytes]:
        """Facts drawn from a call depend on its result and the other way round."""
        todo = set(fresh) | again
        for uid in list(todo):
            event = fresh.get(uid) or self._store.archived(uid)
            if event is not None and (event.calls or event.results):
                todo.update(self._partners_of(event))
        return todo

    def _partners_of(self, event: Archived) -> Iterable[bytes]:
        pairs = [(c.call_id, True) for c in event.calls] + [(r.call_id, False) for r in event.results]
        found = (self._partners.find(call_id, event.uid, result=result) for call_id, result in pairs)
        return [uid for uid in found if uid is not None and uid != event.uid]

    def _derive(self, event: Archived, fresh: dict[bytes, Archived], done: Derived, *, is_new: bool) -> None:
        wanted = self._admitted(event, fresh, done)
        existing = {} if is_new else self._store.facts.of_event(event.uid)
        for id_, n in existing.items():
            if id_ in wanted or not self._book.names(id_):
                self._withdraw(n, id_, done, for_good=id_ not in wanted)
        for row in wanted.values():
            self._store_fact(row, event, done)
            if row.id not in existing:
                done.stored.append(row.id)

    def _admitted(self, event: Archived, fresh: dict[bytes, Archived], done: Derived) -> dict[bytes, FactRow]:
        window = StoreWindow(fresh, event.uid, self._partners)
        wanted: dict[bytes, FactRow] = {}
        for method, draft in self._draw(event, window):
            witness = None
            if draft.witness is not None:
                witness = fresh.get(draft.witness) or self._store.archived(draft.witness)
            verdict = admit(draft, event, witness, method)
            if isinstance(verdict, Refusal):
                done.proposed += verdict.proposed
                done.refused[verdict.reason] = done.refused.get(verdict.reason, 0) + 1
            else:
                wanted[verdict.id] = verdict
        return wanted

    def _withdraw(self, n: int, id_: bytes, done: Derived, *, for_good: bool) -> None:
        key = self._store.facts.withdraw(n, id_)
        if key is not None:
            done.keys.add(key)
        if for_good:
            done.withdrawn.append(id_)

    def _store_fact(self, row: FactRow, event: Archived, done: Derived) -> None:
        n = self._store.facts.put(row, row.stated)
        if row.key is not None:
            done.keys.add(row.key)
            if row.predicate in OPPOSITE:
                others = self._store.facts.opposite_key_rows(OPPOSITE[row.predicate], row.subject, row.value_key)
                done.keys.update(o.row.key for o in others if o.row.key is not None)
            return
        self._occurrence(StoredFact(n, row, row.stated, event.session, event.seq))

    def _occurrence(self, fact: StoredFact) -> None:
        """An occurrence never settles: only a verdict on it changes its standing."""
        standing = self._book.occurrence_standing(claim_id(fact.row), fact.row.stated)
        if standing != fact.standing:
            self._store.facts.set_standing(fact.n, standing)
        if standing in BANDS:
            rung = 3 if self._book.is_confirmed(claim_id(fact.row)) else fact.row.rung
            self._settler.put_line(fact, standing, rung, fact.row.observed_at, fact.row.observed_at, None, ())

    def apply(self, verdicts: Iterable[Verdict]) -> None:
        """Verdicts that were just added: settle the keys, and decide again the occurrences, that they name."""
        keys = set()
        for fact in self._named(verdicts):
            if fact.row.key is not None:
                keys.add(fact.row.key)
            else:
                self._store.facts.drop_lines(fact.n)
                self._occurrence(fact)
        self._settler.settle_all(keys)

    def _named(self, verdicts: Iterable[Verdict]) -> Iterable[StoredFact]:
        """The facts of the claims that verdicts target: each verdict carries the key of a state or the id of an occurrence."""
        for verdict in verdicts:
            draft = json.loads(verdict.draft)
            if draft["key"]:
                yield from self._store.facts.with_key(bytes.fromhex(draft["key"]))[:1]
            else:
                yield from self._store.facts.facts([bytes.fromhex(verdict.target)])

