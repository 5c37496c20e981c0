"""The verbs `history` and `why`, and `query` about another time.

`history` is the life of a belief: every fact that ever spoke to the same question, what was decided about each and when
each held. `why` is the account of one fact: what it rests on, and the numbers that gave it its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from muniment.capture.extract import own, registry
from muniment.engine import claims, finding
from muniment.engine.asking import End
from muniment.engine.core import Engine
from muniment.engine.handle import Handle
from muniment.engine.past import Question
from muniment.engine.settling import BANDS, KeyState, Settler, Shown, raised
from muniment.engine.verdicts import VerdictBook
from muniment.gate.admission import claim_id
from muniment.model import rank
from muniment.model.belief import Decision, History, Link, Rank, Step, Support, Why
from muniment.model.event import AUTHORITY
from muniment.model.fact import Action, Verdict
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.selector import Selector
from muniment.model.stored import FactRow, StoredFact
from muniment.model.time import to_ms
from muniment.recall.answer import Answer

BELIEF_CAP = 1000
"""Facts of one belief that a history follows over corrections into other keys."""

_NAMING = {Action.CORRECT.value: "corrects", Action.SUPERSEDE.value: "supersedes"}


def query_history(engine: Engine, parsed: Selector, handle: Handle, budget: int, end: End) -> Answer:
    """The facts that held, or were believed, at another time, or that have a standing which is not open; best first."""
    return Question(engine, parsed, handle, end).answer(budget)


def history(engine: Engine, text: str) -> History:
    """The life of the belief that the fact with this id (or unique beginning of one) belongs to."""
    store = engine.store()
    with store.reading():
        fact = finding.fact(engine, text)
        teller = _Teller(engine, store)
        facts = teller.belief(fact)
        steps = tuple(teller.step(f, is_subject=f.row.id == fact.row.id) for f in facts)
    row = fact.row
    return History(show(row.id), row.predicate, row.topic, row.subject.key, row.key is not None, steps)


def why(engine: Engine, text: str) -> Why:
    """What the fact with this id (or unique beginning of one) rests on, and the numbers of its rank."""
    store = engine.store()
    with store.reading():
        return _Teller(engine, store).account(finding.fact(engine, text))


class _Teller:
    """Tells what is known of facts, over one snapshot."""

    def __init__(self, engine: Engine, store: Store) -> None:
        self._store = store
        self._freshness = engine.freshness()
        self._freshness.begin(store)
        self._now = engine.now()
        verdicts = store.facts.verdicts()
        self._book = VerdictBook(verdicts)
        self._verdicts = self._book.in_force(verdicts)
        self._settler = Settler(store, self._book)
        self._states: dict[bytes, KeyState] = {}

    # -- history

    def belief(self, fact: StoredFact) -> list[StoredFact]:
        """The facts of the same key, and those that corrections and supersessions lead to and come from."""
        found: dict[bytes, StoredFact] = {}
        todo = [fact]
        while todo and len(found) < BELIEF_CAP:
            one = todo.pop()
            if one.row.id not in found:
                found[one.row.id] = one
                todo.extend(self._state(one.row.key).facts if one.row.key is not None else ())
                todo.extend(self._store.facts.facts(sorted(self._named_with(one.row))))
        return sorted(found.values(), key=lambda f: _order(f.row))

    def _named_with(self, row: FactRow) -> set[bytes]:
        named = {bytes.fromhex(i) for v in self._book.on(claim_id(row)) for i in v.value.split()}
        return named | {_target(v) for v in self._verdicts if v.action in _NAMING and row.id.hex() in v.value.split()}

    def step(self, fact: StoredFact, *, is_subject: bool) -> Step:
        """One fact as its history tells it."""
        row = fact.row
        return Step(
            show(row.id), row.observed_at, row.role, row.origin, row.value, self._standing(fact), _receipt(fact),
            self._intervals(fact), self._marks(fact), self._decisions(row), self._links(row), is_subject,
        )  # fmt: skip

    # -- why

    def account(self, fact: StoredFact) -> Why:
        """One fact with all that made it."""
        row, shown = fact.row, self._shown(fact)
        newest = max(m.at for m in shown.interval.members) if shown else row.observed_at
        ranked, interval, sample = self._rank(fact, shown, newest)
        spoken_for = shown is not None and shown.fact.row.id != row.id
        return Why(
            show(row.id), row.predicate, row.topic, row.subject.key, row.value, _receipt(fact), self._witness(row),
            row.method, interval, sample, row.role, row.origin, AUTHORITY[row.origin], row.stated, self._standing(fact),
            row.observed_at, newest, self._intervals(fact), self._marks(fact), ranked,
            show(shown.fact.row.id) if shown is not None and spoken_for else None, self._supports(fact, shown),
            self._decisions(row), self._links(row), tuple(self._store.facts.tags(row.id)),
            tuple(self._store.facts.evidence(row.id)), row.source_url, *self._checks(row),
        )  # fmt: skip

    def _checks(self, row: FactRow) -> tuple[tuple[tuple[str, str, str | None, str], ...], bool]:
        cited = self._store.evidence.of(row.id)
        told = tuple((c.address.text, c.state, c.checked_at, c.changed_by) for c in cited)
        return told, bool(cited) or row.key is None

    def _rank(self, fact: StoredFact, shown: Shown | None, newest: str) -> tuple[Rank, tuple[float, float] | None, int]:
        row, is_state = fact.row, fact.row.key is not None
        precision, interval, sample = _measure(row.method)
        rung = self._rung(fact, shown)
        key = raised(row, rung) + rank.time_key(to_ms(newest), is_state)
        now = max(to_ms(self._now), to_ms(newest))
        score = 2.0 ** ((key - rank.time_key(now, is_state)) / rank.MICRO)
        half_life = rank.STATE_HALF_LIFE_MS if is_state else rank.OCCURRENCE_HALF_LIFE_MS
        age = now - to_ms(newest)
        return Rank(rank.ROLE_WEIGHT[row.role], rung, precision, age, half_life, key, score), interval, sample

    def _rung(self, fact: StoredFact, shown: Shown | None) -> int:
        if shown is not None and shown.fact.row.id == fact.row.id:
            return shown.rung
        is_raised = fact.row.key is None and self._book.is_confirmed(fact.row.id)
        return 3 if is_raised else fact.row.rung

    def _witness(self, row: FactRow) -> str | None:
        place = self._store.events.place_of(row.witness) if row.witness is not None else None
        return f"{place[0]}:{place[1]}" if place else None

    def _supports(self, fact: StoredFact, shown: Shown | None) -> tuple[Support, ...]:
        refs = {m.ref for m in shown.interval.members} - {fact.row.id} if shown else ()
        facts = sorted(self._store.facts.facts(refs), key=lambda f: _order(f.row))
        return tuple(Support(show(f.row.id), f.row.observed_at, f.row.role, f.row.origin, _receipt(f)) for f in facts)

    # -- both

    def _state(self, key: bytes) -> KeyState:
        if key not in self._states:
            self._states[key] = self._settler.state(key)
        return self._states[key]

    def _periods(self, fact: StoredFact) -> list[Shown]:
        """The intervals that a fact holds up."""
        if fact.row.key is None:
            return []
        shown = self._state(fact.row.key).shown
        return [s for s in shown if any(m.ref == fact.row.id for m in s.interval.members)]

    def _shown(self, fact: StoredFact) -> Shown | None:
        return next(reversed(self._periods(fact)), None)

    def _intervals(self, fact: StoredFact) -> tuple[tuple[str, str | None], ...]:
        return tuple((s.interval.start, s.interval.end) for s in self._periods(fact))

    def _marks(self, fact: StoredFact) -> tuple[str, ...]:
        row, marks = fact.row, [m for s in self._periods(fact)[-1:] for m in s.marks]
        number = self._store.facts.find_entity(row.object) if row.object is not None else None
        if row.anchor is not None and number is not None:
            stale = self._freshness.mark(self._store, number, row.anchor, to_ms(row.observed_at))
            marks += [stale] if stale else []
        claim = claims.corrected(self._store, fact) if row.method.startswith("told.") else None
        return (*marks, *([f"corrects:{claim}"] if claim else []), *row.context.split())

    def _standing(self, fact: StoredFact) -> str:
        is_over = fact.row.expires_at is not None and fact.row.expires_at <= self._now
        return "expired" if is_over and fact.standing in BANDS else fact.standing

    def _decisions(self, row: FactRow) -> tuple[Decision, ...]:
        """The verdicts on a fact: those on its claim from the moment it was said."""
        spoken = {v.id: v for target in (*self._book.claims(row), row.id) for v in self._book.told_of(target)}
        cited = self._store.evidence.cited([row.id]).get(row.id, ()) if self._book.has(Action.CHECK) else ()
        found = [v for name in cited for v in self._book.told_of(name)]
        told = sorted({v.id: v for v in (*spoken.values(), *found)}.values(), key=lambda v: (v.at, v.id))
        return tuple(self._decision(v) for v in told if v.at >= row.observed_at)

    def _decision(self, v: Verdict) -> Decision:
        place = self._store.events.place_of(v.uid)
        receipt = f"{place[0]}:{place[1]}" if place else ""
        return Decision(v.action, v.by, v.at, v.reason, receipt, tuple(show(bytes.fromhex(i)) for i in v.value.split()))

    def _links(self, row: FactRow) -> tuple[Link, ...]:
        """Stored links; and what a command named as the new in place of the old, which may stand under another key."""
        stored = {Link(show(a), relation, show(b)) for a, b, relation in self._store.facts.links(row.id)}
        named = {link for v in self._verdicts if v.action in _NAMING for link in _named(v) if show(row.id) in link[::2]}
        return tuple(sorted(stored | {Link(*n) for n in named}, key=lambda k: (k.relation, k.id, k.other)))


def _named(v: Verdict) -> Iterable[tuple[str, str, str]]:
    return ((show(bytes.fromhex(i)), _NAMING[v.action], show(_target(v))) for i in v.value.split())


def _target(v: Verdict) -> bytes:
    """The fact that a verdict was given on."""
    return bytes.fromhex(json.loads(v.draft)["fact"])


def _order(row: FactRow) -> tuple[str, bytes, int, int, bytes]:
    return row.observed_at, row.uid, row.span_start, row.span_end, row.id


def _receipt(fact: StoredFact) -> str:
    return f"{fact.session}:{fact.seq}@{fact.row.span_start}-{fact.row.span_end}"


def _measure(method: str) -> tuple[float, tuple[float, float] | None, int]:
    """(precision, its interval, size of the sample) of a method; what was stated to us is not measured but given."""
    name, _, version = method.rpartition("@")
    found = registry.measured(name, int(version)) if name not in (own.name, own.ASSERTED) else None
    if found is None:
        return own.precision, None, 0
    return found.precision, (found.interval_low, found.interval_high), found.sample
