"""Settling in the store: the keys that a write touched, their intervals, standings, links and lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from muniment.engine import doubts, opposing
from muniment.engine.doubts import Doubts, Found
from muniment.engine.verdicts import VerdictBook
from muniment.gate.admission import claim_id
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.rank import MICRO, time_key
from muniment.model.settle import Interval, Ruling, Settled, Statement, is_ended, is_retracted, is_suspect, settle
from muniment.model.stored import LEANS, FactRow, Line, StoredFact
from muniment.model.text_index import indexed
from muniment.model.time import to_ms
from muniment.model.vocabulary import ENDED_BY, OPPOSITE, VOCABULARY
from muniment.views import rows

BANDS = {"confirmed": 0, "suspect": 1, "hypothesis": 2}
_UNSOUND = frozenset({"suspect", "retracted", "superseded"})
"""Standings of a fact on which nothing can rest."""
_PERSON_RUNG = 3
PINNED, NARROWED = "pinned", "narrowed"


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

    def __init__(self, store: Store, book: VerdictBook) -> None:
        self._store = store
        self._book = book
        self.doubts = Doubts(store, book, self._of_parent)
        self._sessions: dict[str, int] = {}
        self._walked: set[bytes] = set()
        self.moved: set[bytes] = set()
        """Facts whose standing is another than it was: what rests on them has to be settled again."""

    def settle_all(self, keys: Iterable[bytes]) -> None:
        """Settle each key and store what came of it."""
        for key in sorted(keys):
            self._put(key, self.state(key))

    def state(self, key: bytes, known: str | None = None) -> KeyState:
        """The state of a key as known at an instant (None: all that is known); reads only."""
        facts = self._store.facts.with_key(key)
        if not facts:
            return KeyState([], Settled([], []), [], [])
        statements, rulings = self._inputs(facts, known)
        own = self.doubts.about(facts, known)
        doubted = self.doubts.spread(facts, own)
        rulings += doubts.rulings(doubted, facts)
        settled = settle(statements, rulings, known, VOCABULARY[facts[0].row.predicate].world)
        by_id = {f.row.id: f for f in facts}
        past = [r for r in rulings if known is None or r.at <= known]
        shown = [self._marked(self._shown(p, by_id, past), known, doubted) for p in settled.intervals]
        return KeyState(facts, settled, past, _contested(shown, {i: stated_end(f.row) for i, f in by_id.items()}))

    def _of_parent(self, id_: bytes, known: str | None) -> Found | None:
        """Why what rests on a fact cannot be relied on: it is in doubt, ended or was never true; None if it stands. A pure
        function of what is known, so it is the same in whatever order facts came; a circle supports nothing and ends here."""
        fact = self._store.facts.fact(id_)
        if fact is None or id_ in self._walked or (known is not None and fact.row.observed_at > known):
            return None
        self._walked.add(id_)
        try:
            standing, since = self._standing_of(fact, known)
        finally:
            self._walked.discard(id_)
        return Found(since, standing, standing, f"fact:{show(id_)}") if standing in _UNSOUND else None

    def _standing_of(self, fact: StoredFact, known: str | None) -> tuple[str, str]:
        """How a fact stands as known, and when something was last said that bears on it."""
        row = fact.row
        spoken = [
            v.at for claim in self._book.claims(row) for v in self._book.on(claim) if known is None or v.at <= known
        ]
        doubts = [d.at for d in self.doubts.about([fact], known).values()]
        if row.key is None:
            return self.occurrence_of(fact)[0], max([row.observed_at, *spoken, *doubts])
        state = self.state(row.key, known)
        over = replaced_by(row, state) or next((s.fact for s in reversed(state.shown)), fact)
        since = over.row.observed_at if known is None or over.row.observed_at <= known else row.observed_at
        return standings(state)[row.id], max([row.observed_at, since, *spoken, *doubts])

    # -- what goes in

    def _inputs(self, facts: Sequence[StoredFact], known: str | None) -> tuple[list[Statement], list[Ruling]]:
        again = _said_again(facts, known)
        statements = [self._said(f.row, known, again=f.row.id in again) for f in facts]
        rulings: list[Ruling] = []
        by_hex = {f.row.id.hex(): f.row for f in facts}
        for claim, row in {claim: f.row for f in facts for claim in self._book.claims(f.row)}.items():
            rulings.extend(self._book.rulings(claim, row.value_key))
            statements.extend(self._confirmations(claim, by_hex))
        rulings.extend(self._opposites(facts, known))
        return statements, sorted(set(rulings))

    def _said(self, row: FactRow, known: str | None, *, again: bool = False) -> Statement:
        """A fact as it was stated; as less sure where that was said since, as sure where a hedge was said again."""
        if self._book.unsure_since(row, known) >= row.observed_at:
            return _statement(row)._replace(standing="hypothesis")
        return _statement(row)._replace(standing="confirmed") if again else _statement(row)

    def _confirmations(self, claim: bytes, by_hex: Mapping[str, FactRow]) -> list[Statement]:
        """A confirmation (or being put in another's place) says the value again, with the authority of who did it."""
        found = []
        for v in self._book.on(claim):
            row = by_hex.get(v.value.split()[0]) if v.value else None
            if v.action == Action.CONFIRM and row is not None and v.at >= self._book.unsure_since(row):
                # Only a person's word makes a claim firm; an agent that puts it in another's place just says it again.
                standing = "confirmed" if v.by == Origin.PERSON else "hypothesis"
                found.append(Statement(v.at, v.id, v.by, row.value_key, standing, ref=row.id))
        return found

    def _opposites(self, facts: Sequence[StoredFact], known: str | None) -> list[Ruling]:
        """The same value under prefers and avoids of one topic, or under uses and avoids: the later ends the earlier."""
        row = facts[0].row
        found = []
        for predicate in ENDED_BY.get(row.predicate, ()):
            is_opinion = predicate == OPPOSITE.get(row.predicate)
            for value in {f.row.value_key for f in facts}:
                for other in self._store.facts.opposite_key_rows(predicate, row.subject, value):
                    earlier = _said_before(other.row, value, facts)
                    is_same = not is_opinion or other.row.topic == row.topic
                    if earlier and is_same and self._is_firm(other.row, known):
                        found.append(Ruling(other.row.observed_at, "end", value, other.row.origin, earlier))
        return found

    def _is_firm(self, row: FactRow, known: str | None) -> bool:
        """Was it said without a hedge, and not taken back by then?"""
        rulings = [r for r in self._book.rulings(claim_id(row), row.value_key) if known is None or r.at <= known]
        return self._said(row, known).standing == "confirmed" and not is_retracted(_statement(row), rulings)

    # -- what comes out

    def _shown(self, interval: Interval, by_id: dict[bytes, StoredFact], rulings: Sequence[Ruling]) -> Shown:
        best = interval.shown
        fact = by_id[best.ref]
        # A hypothesis that is said again after a suspicion does not clear what was confirmed before it.
        is_trusted = any(m.standing == best.standing and not is_suspect(m, rulings) for m in interval.members)
        standing = best.standing if is_trusted else "suspect"
        confirmed = any(m.tie != _tie(by_id[m.ref].row) and m.origin == "person" for m in interval.members)
        return Shown(interval, fact, standing, _PERSON_RUNG if confirmed else fact.row.rung, ())

    def _marked(self, shown: Shown, known: str | None, doubted: Mapping[bytes, Found]) -> Shown:
        """The wide statement stands, and says that a narrower one was made of it; what is doubted says by what."""
        doubt = doubted.get(shown.fact.row.id) if shown.standing == "suspect" else None
        narrowed = (NARROWED,) if self._book.is_narrowed(shown.fact.row, known) else ()
        return shown._replace(marks=(*narrowed, *([doubt.mark] if doubt is not None else [])))

    def _put(self, key: bytes, state: KeyState) -> None:
        for fact in state.facts:
            self._store.facts.drop_lines(fact.n)
        self._standings(state)
        self._store.facts.put_intervals(key, intervals_of(state))
        self._store.facts.put_lines(list(self.lines_of(state)))

    def lines_of(self, state: KeyState) -> Iterator[tuple[Line, str]]:
        """The rows of what holds to the end of what was said, and what the text index gets of each; reads only."""
        said = max((f.row.observed_at for f in state.facts), default="")
        against = self._against(state.facts)
        for s in state.shown:
            if s.interval.end is None or s.interval.end > said or "contested" in s.marks:
                end = None if "contested" in s.marks else s.interval.end
                newest = max(m.at for m in s.interval.members)
                is_plan = any(m.since == s.interval.start and m.since > m.at for m in s.interval.members)
                marks = (*s.marks, *contradicting(against.get(s.fact.row.id, ())))
                yield self._line(s.fact, s.standing, s.rung, s.interval.start, newest, end, marks, is_plan=is_plan)
        yield from self._refused_lines(state)

    def _refused_lines(self, state: KeyState) -> Iterator[tuple[Line, str]]:
        """An assertion that did not take hold is shown where hypotheses are asked for, with what it contradicts."""
        rivals: dict[bytes, set[bytes]] = {}
        for refused, standing in state.settled.contradictions:
            rivals.setdefault(refused.ref, set()).add(standing.ref)
        held = {m.ref for s in state.shown for m in s.interval.members}
        standing_of = standings(state)
        for fact in state.facts:
            row = fact.row
            is_loose = row.id in rivals and row.id not in held and opposing.is_asserted(row)
            if is_loose and standing_of[row.id] == "hypothesis":
                marks, end = contradicting(rivals[row.id] - {row.id}), stated_end(row)
                since = row.valid_from or row.observed_at
                yield self._line(fact, "hypothesis", row.rung, since, row.observed_at, end, marks)

    def occurrences(self, facts: Sequence[StoredFact]) -> None:
        """Occurrences never settle: only a verdict on one changes its standing. These were just put down."""
        lines = []
        for fact in facts:
            standing, row = self.occurrence_of(fact)
            if standing != fact.standing:
                self._store.facts.set_standing(fact.n, standing)
                self.moved.add(fact.row.id)
            for id_, others in self._against([fact]).items():
                self._store.facts.put_links(id_, "contradicts", others)
            if row is not None:
                lines.append(row)
        self._store.facts.put_lines(lines)

    def occurrence_of(self, fact: StoredFact) -> tuple[str, tuple[Line, str] | None]:
        """The standing of an occurrence, and its row if it is open; reads only."""
        row, claim = fact.row, claim_id(fact.row)
        standing = self._book.occurrence_standing(claim, row.stated)
        doubt = self.doubts.about([fact]).get(row.id) if standing in BANDS else None
        standing = "suspect" if doubt is not None else standing
        if standing not in BANDS:
            return standing, None
        rung = _PERSON_RUNG if self._book.is_confirmed(claim) else row.rung
        against = self._against([fact]).get(row.id, ())
        told = [doubt.mark] if doubt is not None else []
        marks = (*((NARROWED,) if self._book.is_narrowed(row) else ()), *told, *contradicting(against))
        return standing, self._line(fact, standing, rung, row.observed_at, row.observed_at, row.expires_at, marks)

    def _standings(self, state: KeyState) -> None:
        standing_of = standings(state)
        for fact in state.facts:
            self._store.facts.set_standing(fact.n, standing_of[fact.row.id])
            if standing_of[fact.row.id] != fact.standing:
                self.moved.add(fact.row.id)
        self._links(state)

    def _links(self, state: KeyState) -> None:
        supersedes: dict[bytes, list[bytes]] = {}
        for a, b in zip(state.shown, state.shown[1:], strict=False):
            if a.interval.end == b.interval.start and a.fact.row.id != b.fact.row.id:
                supersedes.setdefault(b.fact.row.id, []).append(a.fact.row.id)
        against = {id_: list(others) for id_, others in self._against(state.facts).items()}
        for refused, standing in state.settled.contradictions:
            if refused.ref != standing.ref:
                against.setdefault(refused.ref, []).append(standing.ref)
        members = {m.ref for s in state.shown for m in s.interval.members}
        for fact in state.facts:
            over = replaced_by(fact.row, state) if fact.row.id not in members else None
            if over is not None:
                supersedes.setdefault(over.row.id, []).append(fact.row.id)
        supports = {m.ref: [s.fact.row.id] for s in state.shown for m in s.interval.members if m.ref != s.fact.row.id}
        narrows = {f.row.id: wide for f in state.facts if (wide := self._book.narrowed_by(f.row.id))}
        for fact in state.facts:
            for relation, found in (
                ("narrows", narrows),
                ("supersedes", supersedes),
                ("contradicts", against),
                ("supports", supports),
            ):
                self._store.facts.put_links(fact.row.id, relation, found.get(fact.row.id, ()))

    def _against(self, facts: Sequence[StoredFact]) -> Mapping[bytes, list[bytes]]:
        return opposing.against(self._store, facts, lambda row: self._is_firm(row, None))

    def _line(
        self, fact: StoredFact, standing: str, rung: int, valid_from: str, newest: str, end: str | None, extra: tuple[str, ...],
        *, is_plan: bool = False,
    ) -> tuple[Line, str]:  # fmt: skip
        """The row of an open fact, and its words for the text index."""
        row = fact.row
        verb = VOCABULARY[row.predicate]
        is_pinned = self._book.is_pinned(row)
        marks = (*extra, PINNED) if is_pinned else extra
        text = rows.line(fact, rung, valid_from, rows.marks_of(fact, standing, marks))
        line = Line(
            fact.n, row.id, row.predicate, verb.type, verb.state, self._store.facts.entity(row.subject),
            self._store.facts.entity(row.object) if row.object is not None else None, row.topic, self._session(fact.session),
            row.role, row.origin, row.method, rung, BANDS[standing], raised(row, rung) + time_key(to_ms(newest), verb.state),
            to_ms(max(newest, valid_from)), to_ms(end) if end is not None else None, is_plan, is_pinned, self._anchor(row), text,
        )  # fmt: skip
        return line, indexed(f"{row.subject.key} {row.predicate} {row.topic} {row.value}")

    def _anchor(self, row: FactRow) -> str | None:
        """What a reader compares with files: the hash of the one that it is about, or that there is evidence to look at."""
        if row.anchor is not None or row.object is not None:
            return row.anchor
        return LEANS if self._store.evidence.has_files(row.id) else None

    def _session(self, session: str) -> int:
        n = self._sessions.get(session)
        if n is None:
            n = self._sessions[session] = self._store.events.session_number(session)
        return n


def contradicting(others: Iterable[bytes]) -> tuple[str, ...]:
    """The marks of what speaks against these facts."""
    return tuple(f"contradicts:{show(other)}" for other in sorted(others))


def intervals_of(state: KeyState) -> list[tuple[str, str | None, int, str, int, str, str]]:
    """The intervals of a key as rows: (valid_from, valid_to, fact, standing, rung, newest_at, marks) each."""
    return [
        (
            s.interval.start,
            s.interval.end,
            s.fact.n,
            s.standing,
            s.rung,
            max(m.at for m in s.interval.members),
            " ".join(s.marks),
        )
        for s in state.shown
    ]


def standings(state: KeyState) -> dict[bytes, str]:
    """The standing of every fact of a key, whether it is shown or not."""
    held: dict[bytes, str] = {}
    ends = {f.row.id: stated_end(f.row) for f in state.facts}
    for s in state.shown:
        for m in s.interval.members:
            ended = s.interval.end not in (None, ends[m.ref]) and "contested" not in s.marks
            standing = "superseded" if ended else "suspect" if is_suspect(m, state.rulings) else m.standing
            held[m.ref] = min(held.get(m.ref, standing), standing, key=_BEST.index)
    return {f.row.id: _standing(f.row, state, held) for f in state.facts}


_BEST = ("confirmed", "suspect", "hypothesis", "superseded")
"""A fact may be a member more than once (confirmed later, say): what it is best at counts."""


def _standing(row: FactRow, state: KeyState, held: dict[bytes, str]) -> str:
    """A fact that was taken back holds again where it was confirmed since."""
    if row.id in held:
        return held[row.id]
    said = _statement(row)
    if is_retracted(said, state.rulings):
        return "retracted"
    is_past = is_ended(said, state.rulings) or replaced_by(row, state) is not None
    return "superseded" if is_past else _refused(row)


def replaced_by(row: FactRow, state: KeyState) -> StoredFact | None:
    """What holds in the place of a fact that a later statement about an earlier time has covered whole."""
    said = _statement(row)
    start = said.since or said.at
    if is_retracted(said, state.rulings) or any(refused.ref == row.id for refused, _ in state.settled.contradictions):
        return None
    for s in state.shown:
        covers = s.interval.start <= start and (s.interval.end is None or start < s.interval.end)
        if covers and s.interval.value != said.value:
            return s.fact
    return None


def stated_end(row: FactRow) -> str | None:
    """When a state ends by its own words: its stated end, or the time from which it is not to be relied on."""
    return min((t for t in (row.valid_until, row.expires_at) if t is not None), default=None)


def raised(row: FactRow, rung: int) -> int:
    """The weight of a fact whose rung a verdict has raised."""
    return row.weight if rung == row.rung else row.weight + round(MICRO * math.log2((1 + rung) / (1 + row.rung)))


def _said_again(facts: Iterable[StoredFact], known: str | None) -> set[bytes]:
    """A person's hedged statements that say what he had said in another session: twice is no slip of the tongue."""
    first: dict[str, str] = {}
    found = set()
    for fact in sorted((f for f in facts if _is_told(f.row)), key=lambda f: _order(f.row)):
        if known is not None and fact.row.observed_at > known:
            break
        if first.setdefault(fact.row.value_key, fact.session) != fact.session and fact.row.stated == "hypothesis":
            found.add(fact.row.id)
    return found


def _is_told(row: FactRow) -> bool:
    return row.origin == Origin.PERSON and row.method.startswith("told.")


def _said_before(row: FactRow, value: str, facts: Iterable[StoredFact]) -> frozenset[bytes]:
    return frozenset(f.row.id for f in facts if f.row.value_key == value and _order(f.row) < _order(row))


def _order(row: FactRow) -> tuple[str, bytes]:
    return row.observed_at, _tie(row)


def _tie(row: FactRow) -> bytes:
    """Breaks ties of time: the event, then the place in it, then the fact."""
    return row.uid + row.span_start.to_bytes(6, "big") + row.span_end.to_bytes(6, "big") + row.id


def _statement(row: FactRow) -> Statement:
    since = row.valid_from if row.valid_from != row.observed_at else None
    return Statement(row.observed_at, _tie(row), row.origin, row.value_key, row.stated, since, stated_end(row), row.id)


def _refused(row: FactRow) -> str:
    """A statement that got no interval did not take hold."""
    return "hypothesis" if row.stated == "confirmed" else row.stated


def _contested(shown: list[Shown], stated_end: Mapping[bytes, str | None]) -> list[Shown]:
    """A person's state that a tool's observation ended, until a person speaks again: it and what is now are marked."""
    said = max((i for i, s in enumerate(shown) if _by(s, "person")), default=len(shown))
    if said >= len(shown) - 1 or shown[-1].interval.end is not None:
        return shown
    theirs, after = shown[said], shown[said + 1]
    was_ended = theirs.interval.end == after.interval.start and _by(after, "tool")
    is_agreed = shown[-1].interval.value == theirs.interval.value
    by_itself = any(stated_end[m.ref] == theirs.interval.end for m in theirs.interval.members)
    if not was_ended or is_agreed or by_itself:
        return shown
    pair = {said, len(shown) - 1}
    return [s._replace(marks=("contested", *s.marks)) if i in pair else s for i, s in enumerate(shown)]


def _by(s: Shown, origin: str) -> bool:
    return any(m.origin == origin for m in s.interval.members)
