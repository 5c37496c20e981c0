"""Settling in the store: the keys that a write touched, their intervals, standings, links and lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from muniment.archive.text_index import indexed
from muniment.engine.verdicts import VerdictBook
from muniment.gate.admission import claim_id
from muniment.model.fact import Action
from muniment.model.rank import MICRO, time_key
from muniment.model.settle import Interval, Ruling, Settled, Statement, is_retracted, is_suspect, settle
from muniment.model.stored import FactRow, Line, StoredFact
from muniment.model.time import to_ms
from muniment.model.vocabulary import OPPOSITE, VOCABULARY
from muniment.storage.sqlite.whole import SqliteStore
from muniment.views import rows

BANDS = {"confirmed": 0, "suspect": 1, "hypothesis": 2}
_PERSON_RUNG = 3


class Shown(NamedTuple):
    """An interval as it is stored and shown: the fact that represents it, and how far it is believed."""

    interval: Interval
    fact: StoredFact
    standing: str
    rung: int
    marks: tuple[str, ...]


class KeyState(NamedTuple):
    """Everything that settling says of one key."""

    facts: list[StoredFact]
    settled: Settled
    rulings: list[Ruling]
    shown: list[Shown]


class Settler:
    """Runs `settle` over keys of the store."""

    def __init__(self, store: SqliteStore, book: VerdictBook) -> None:
        self._store = store
        self._book = book
        self._sessions: dict[str, int] = {}

    def settle_all(self, keys: Iterable[bytes]) -> None:
        """Settle each key and store what came of it."""
        for key in sorted(keys):
            self._put(key, self.state(key))

    def state(self, key: bytes, known: str | None = None) -> KeyState:
        """The state of a key as known at an instant (None: all that is known); reads only."""
        facts = self._store.facts.with_key(key)
        if not facts:
            return KeyState([], Settled([], []), [], [])
        statements, rulings = self._inputs(facts)
        settled = settle(statements, rulings, known, VOCABULARY[facts[0].row.predicate].world)
        by_id = {f.row.id: f for f in facts}
        past = [r for r in rulings if known is None or r.at <= known]
        shown = [self._shown(p, by_id, past) for p in settled.intervals]
        return KeyState(facts, settled, past, _contested(shown))

    # -- what goes in

    def _inputs(self, facts: Sequence[StoredFact]) -> tuple[list[Statement], list[Ruling]]:
        statements = [_statement(f.row) for f in facts]
        rulings: list[Ruling] = []
        for claim, row in {claim_id(f.row): f.row for f in facts}.items():
            rulings.extend(self._book.rulings(claim, row.value_key))
            statements.extend(self._confirmations(claim, facts))
        rulings.extend(self._opposites(facts))
        return statements, sorted(set(rulings))

    def _confirmations(self, claim: bytes, facts: Sequence[StoredFact]) -> list[Statement]:
        """A confirmation (or being put in another's place) says the value again, with the authority of who did it."""
        by_hex = {f.row.id.hex(): f.row for f in facts}
        found = []
        for v in self._book.on(claim):
            row = by_hex.get(v.value.split()[0]) if v.value else None
            if v.action == Action.CONFIRM and row is not None:
                found.append(Statement(v.at, v.id, v.by, row.value_key, ref=row.id))
        return found

    def _opposites(self, facts: Sequence[StoredFact]) -> list[Ruling]:
        """The same value under prefers and avoids: the later ends the earlier."""
        row = facts[0].row
        if row.predicate not in OPPOSITE:
            return []
        found = []
        for value in {f.row.value_key for f in facts}:
            for other in self._store.facts.opposite_key_rows(OPPOSITE[row.predicate], row.subject, value):
                if other.row.stated == "confirmed":
                    found.append(Ruling(other.row.observed_at, "end", value, other.row.origin))
        return found

    # -- what comes out

    def _shown(self, interval: Interval, by_id: dict[bytes, StoredFact], rulings: Sequence[Ruling]) -> Shown:
        best = interval.shown
        fact = by_id[best.ref]
        trusted = [m for m in interval.members if not is_suspect(m, rulings)]
        standing = best.standing if trusted else "suspect"
        confirmed = any(m.tie != _tie(by_id[m.ref].row) and m.origin == "person" for m in interval.members)
        return Shown(interval, fact, standing, _PERSON_RUNG if confirmed else fact.row.rung, ())

    def _put(self, key: bytes, state: KeyState) -> None:
        for fact in state.facts:
            self._store.facts.drop_lines(fact.n)
        self._standings(state)
        self._store.facts.put_intervals(
            key,
            [
                (s.interval.start, s.interval.end, s.fact.n, s.standing, s.rung, max(m.at for m in s.interval.members), " ".join(s.marks))
                for s in state.shown
            ],
        )
        newest = max((f.row.observed_at for f in state.facts), default="")
        for s in state.shown:
            if s.interval.end is None or s.interval.end > newest or "contested" in s.marks:
                self._interval_line(s)

    def _interval_line(self, s: Shown) -> None:
        end = None if "contested" in s.marks else s.interval.end
        newest = max(m.at for m in s.interval.members)
        self.put_line(s.fact, s.standing, s.rung, s.interval.start, newest, end, s.marks)

    def _standings(self, state: KeyState) -> None:
        standing_of = standings(state)
        for fact in state.facts:
            self._store.facts.set_standing(fact.n, standing_of[fact.row.id])
        self._links(state)

    def _links(self, state: KeyState) -> None:
        supersedes: dict[bytes, list[bytes]] = {}
        for a, b in zip(state.shown, state.shown[1:], strict=False):
            if a.interval.end == b.interval.start and a.fact.row.id != b.fact.row.id:
                supersedes.setdefault(b.fact.row.id, []).append(a.fact.row.id)
        against: dict[bytes, list[bytes]] = {}
        for refused, standing in state.settled.contradictions:
            if refused.ref != standing.ref:
                against.setdefault(refused.ref, []).append(standing.ref)
        supports = {m.ref: [s.fact.row.id] for s in state.shown for m in s.interval.members if m.ref != s.fact.row.id}
        for fact in state.facts:
            for relation, found in (("supersedes", supersedes), ("contradicts", against), ("supports", supports)):
                self._store.facts.put_links(fact.row.id, relation, found.get(fact.row.id, ()))

    def put_line(
        self, fact: StoredFact, standing: str, rung: int, valid_from: str, newest: str, end: str | None, extra: tuple[str, ...]
    ) -> None:
        """Render and store the row of an open fact."""
        row = fact.row
        verb = VOCABULARY[row.predicate]
        text = rows.line(fact, rung, valid_from, rows.marks_of(fact, standing, extra))
        until = min((t for t in (end, row.expires_at) if t is not None), default=None)
        line = Line(
            fact.n, row.id, row.predicate, verb.type, verb.state, self._store.facts.entity(row.subject),
            self._store.facts.entity(row.object) if row.object is not None else None, row.topic, self._session(fact.session),
            row.role, row.origin, row.method, rung, BANDS[standing], raised(row, rung) + time_key(to_ms(newest), verb.state),
            to_ms(max(newest, valid_from)), to_ms(until) if until is not None else None, row.anchor, text,
        )  # fmt: skip
        self._store.facts.put_line(line, indexed(f"{row.subject.key} {row.predicate} {row.topic} {row.value}"))

    def _session(self, session: str) -> int:
        n = self._sessions.get(session)
        if n is None:
            n = self._sessions[session] = self._store.events.session_number(session)
        return n


def standings(state: KeyState) -> dict[bytes, str]:
    """The standing of every fact of a key, whether it is shown or not."""
    held = {}
    stated_end = {f.row.id: f.row.valid_until for f in state.facts}
    for s in state.shown:
        for m in s.interval.members:
            ended = s.interval.end not in (None, stated_end[m.ref]) and "contested" not in s.marks
            held[m.ref] = "superseded" if ended else "suspect" if is_suspect(m, state.rulings) else m.standing
    return {f.row.id: _standing(f.row, state, held) for f in state.facts}


def _standing(row: FactRow, state: KeyState, held: dict[bytes, str]) -> str:
    return "retracted" if is_retracted(_statement(row), state.rulings) else held.get(row.id, _refused(row))


def raised(row: FactRow, rung: int) -> int:
    """The weight of a fact whose rung a verdict has raised."""
    return row.weight if rung == row.rung else row.weight + round(MICRO * math.log2((1 + rung) / (1 + row.rung)))


def _tie(row: FactRow) -> bytes:
    """Breaks ties of time: the event, then the place in it, then the fact."""
    return row.uid + row.span_start.to_bytes(6, "big") + row.span_end.to_bytes(6, "big") + row.id


def _statement(row: FactRow) -> Statement:
    since = row.valid_from if row.valid_from != row.observed_at else None
    return Statement(row.observed_at, _tie(row), row.origin, row.value_key, row.stated, since, row.valid_until, row.id)


def _refused(row: FactRow) -> str:
    """A statement that got no interval did not take hold."""
    return "hypothesis" if row.stated == "confirmed" else row.stated


def _contested(shown: list[Shown]) -> list[Shown]:
    """A person's state that a tool's later observation ended, until a person speaks again: both are marked."""
    out = list(shown)
    for i, (a, b) in enumerate(zip(shown, shown[1:], strict=False)):
        by_person = any(m.origin == "person" for m in a.interval.members)
        seconded = any(m.origin == "person" for m in b.interval.members)
        if a.interval.end == b.interval.start and by_person and not seconded and i == len(shown) - 2:
            out[i], out[i + 1] = a._replace(marks=("contested",)), b._replace(marks=("contested",))
    return out
