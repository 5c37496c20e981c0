"""Questions about another time: what held then (`as-of`), what was believed then (`known`), and what is no longer open.

`as-of` reads today's intervals: a fact that was true then and has ended since is shown, one that was never true is not.
`known` settles again with what had been said and decided by then. Both compose: out of what was believed at one moment,
what held at another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from muniment.engine import sharing
from muniment.engine.asking import End, checked, finish, naming, received
from muniment.engine.core import Engine
from muniment.engine.handle import Handle, Position
from muniment.engine.settling import BANDS, KeyState, Settler, Shown, contradicting, raised, standings
from muniment.engine.verdicts import VerdictBook
from muniment.errors import UsageError
from muniment.gate.admission import claim_id
from muniment.model import rank
from muniment.model.selector import TIME_KEYS, Selector, Term, Value, times
from muniment.model.stored import LEANS, Hit, StoredFact
from muniment.model.text_index import contains
from muniment.model.time import local, to_ms
from muniment.recall import hydrate
from muniment.recall.answer import Answer
from muniment.recall.plan import ROW_CAP, conditions
from muniment.recall.shares import is_crowded
from muniment.views import rows

_OPEN = frozenset(BANDS)
_EVERY = _OPEN | {"superseded", "retracted", "expired"}
_CONTESTED = "contested"
# The tests of a selector are written for lines, which only open facts have; this gives every fact the same columns.
_LIKE_LINES = """f.n IN (SELECT l.fact FROM (SELECT f.n AS fact, f.id, f.predicate, f.subject, f.object, f.topic,
    f.role, f.origin, f.method, h.session FROM facts f JOIN shown h ON h.uid = f.uid) l WHERE {})"""


class Clocks(NamedTuple):
    """Facts are read as they stood at `at`, out of what was said and decided by `known` (None: all that ever was)."""

    now: str
    at: str
    known: str | None
    is_asked: bool
    """Was a time asked for, or is `at` only the reader's clock?"""


class Past(NamedTuple):
    """A fact as it stood: [start, end), the newest evidence for it by then, and marks of its own."""

    fact: StoredFact
    standing: str
    rung: int
    start: str
    end: str | None
    newest: str
    marks: tuple[str, ...] = ()


_Ranked = tuple[int, bytes, Past]
"""(minus the score at the clock of the question, id, fact): sorts as the answer does."""


class _Period(NamedTuple):
    """An interval of a key, stored or settled for the occasion. `fact` is the number of the one shown."""

    start: str
    end: str | None
    fact: int
    standing: str
    rung: int
    newest: str
    marks: tuple[str, ...]

    def is_over(self, at: str) -> bool:
        return self.end is not None and self.end <= at

    def holds(self, at: str) -> bool:
        return self.start <= at and (self.end is None or at < self.end or _CONTESTED in self.marks)


class Question:
    """One question about another time, over one snapshot."""

    def __init__(self, engine: Engine, parsed: Selector, handle: Handle, end: End) -> None:
        self._engine = engine
        self._end = end
        self._store = engine.store()
        self._freshness = engine.freshness()
        self._freshness.begin(self._store)
        self._zone = engine.settings.zone
        self._handle = handle
        self._parsed = parsed
        self._times = _instants(engine, parsed, handle)
        self._clocks = _clocks(self._times, handle.now)
        self._wanted = _wanted(parsed)
        self._is_list = bool(self._wanted - _OPEN)

    def answer(self, budget: int) -> Answer:
        """The rows that match, best first."""
        with self._store.reading():
            self._book = VerdictBook(self._store.facts.verdicts(), self._clocks.known)
            self._settler = Settler(self._store, self._book)
            candidates, is_partial = self._candidates()
            found = self._listed(candidates) if self._is_list else self._held(candidates)
            fit = [p for p in found if p.standing in self._wanted and self._is_in_range(p)]
            firm, suspect = self._ranked(fit, self._handle.firm, self._handle.suspect)
            total = len(firm) + len(suspect)
            apart = [self._hit(s) for s in suspect]
            hits, lines, _ = hydrate.fill(map(self._hit, firm), apart, self._render, budget)
            is_apart, place = not self._parsed.get("standing"), None
            if (self._handle.outside or is_crowded([h.origin for h in hits])) and not sharing.is_named(self._parsed):
                shared = sharing.Shared(self._handle, with_suspect=is_apart)
                firm, suspect = self._ranked(fit, shared.earliest, shared.earliest_suspect)
                apart = [self._hit(s) for s in suspect]
                hits, lines, _ = shared.fill(map(self._hit, firm), apart, self._render, budget)
                total, place = shared.passed(len(firm) + len(suspect)), shared.after
            told = (self._reason(), self._end)
            return finish(
                self._handle,
                hits,
                lines,
                total,
                budget,
                told,
                is_partial=is_partial,
                with_suspect=is_apart,
                place=place,
            )

    def _reason(self) -> str:
        at, known = self._clocks.at, self._clocks.known
        if self._is_list:
            return "nothing with that standing matches"
        if known is None:
            return f"nothing that held at {local(at, self._zone)} matches"
        held = "" if at == known else f" of what held at {local(at, self._zone)}"
        return f"nothing that was known at {local(known, self._zone)}{held} matches"

    # -- candidates

    def _candidates(self) -> tuple[list[StoredFact], bool]:
        """Facts of any standing that the terms select, newest first, and whether the cap left some out."""
        plan = conditions(self._parsed, naming(self._engine), received(self._engine))
        where = [_LIKE_LINES.format(" AND ".join(plan.tests))] if plan.tests else ["1 = 1"]
        if self._clocks.known is not None:
            where.append(f"f.observed_at <= {plan.arg(self._clocks.known)}")
        if self._clocks.is_asked:
            # A state may have been true before it was said; what happened later had not happened then.
            always = "" if self._is_list else "f.key IS NOT NULL OR "
            where.append(f"({always}f.observed_at <= {plan.arg(self._clocks.at)})")
        found = self._store.facts.select(" AND ".join(where), plan.args, ROW_CAP + 1)
        is_cut = len(found) > ROW_CAP
        words = self._parsed.get("text")
        return [f for f in found[:ROW_CAP] if all(_says(f, term) for term in words)], is_cut

    # -- what held

    def _held(self, candidates: Sequence[StoredFact]) -> Iterator[Past]:
        for key, facts in _by_key(candidates):
            if key is None:
                yield from filter(None, map(self._happened, facts))
            else:
                by_number = {f.n: f for f in facts}
                for period in self._holding(key, by_number):
                    yield from self._stood(by_number[period.fact], period)

    def _holding(self, key: bytes, by_number: dict[int, StoredFact]) -> list[_Period]:
        """What held at the moment. A contested value is shown past its end too, but not beside itself: where the same value
        was in force again by then, that says it."""
        at = self._clocks.at
        held = [p for p in self._periods(key) if p.fact in by_number and p.holds(at)]
        in_force = {by_number[p.fact].row.value_key for p in held if not p.is_over(at)}
        return [p for p in held if not p.is_over(at) or by_number[p.fact].row.value_key not in in_force]

    def _happened(self, fact: StoredFact) -> Past | None:
        past = self._occurrence(fact)
        return past if past.standing in _OPEN else None

    def _occurrence(self, fact: StoredFact) -> Past:
        row, claim = fact.row, claim_id(fact.row)
        known = self._clocks.known
        standing = fact.standing if known is None else self._book.occurrence_standing(claim, row.stated, known)
        if known is not None and standing in _OPEN and self._settler.doubts.about([fact], known):
            standing = "suspect"
        rung = 3 if self._book.is_confirmed(claim, known) else row.rung
        return self._expired(Past(fact, standing, rung, row.observed_at, row.expires_at, row.observed_at))

    def _periods(self, key: bytes) -> list[_Period]:
        if self._clocks.known is None:
            return [_stored(r) for r in self._store.facts.intervals(key)]
        return [_settled(s) for s in self._settler.state(key, self._clocks.known).shown]

    def _stood(self, fact: StoredFact, p: _Period) -> Iterator[Past]:
        end = None if _CONTESTED in p.marks else p.end
        if p.standing in _OPEN:
            yield Past(fact, p.standing, p.rung, p.start, end, p.newest, p.marks)

    def _expired(self, past: Past) -> Past:
        expires_at = past.fact.row.expires_at
        is_over = expires_at is not None and expires_at <= self._clocks.at
        return past._replace(standing="expired") if is_over and past.standing in _OPEN else past

    # -- what has which standing

    def _listed(self, candidates: Sequence[StoredFact]) -> Iterator[Past]:
        for key, facts in _by_key(candidates):
            if key is None:
                yield from map(self._occurrence, facts)
            else:
                state = self._settler.state(key, self._clocks.known)
                standing_of = standings(state)
                yield from (self._expired(self._judged(f, state, standing_of[f.row.id])) for f in facts)

    def _judged(self, fact: StoredFact, state: KeyState, standing: str) -> Past:
        row = fact.row
        shown = next((s for s in reversed(state.shown) if any(m.ref == row.id for m in s.interval.members)), None)
        if shown is None or standing == "retracted":
            return Past(fact, standing, row.rung, row.valid_from or row.observed_at, None, row.observed_at)
        rung = shown.rung if shown.fact.n == fact.n else row.rung
        end = shown.interval.end
        if standing == "superseded" and end is not None and end > self._clocks.at:
            standing = row.stated  # it had not been ended then
        end = None if _CONTESTED in shown.marks else end
        return Past(fact, standing, rung, shown.interval.start, end, row.observed_at, shown.marks)

    # -- order and rows

    def _is_in_range(self, past: Past) -> bool:
        at = max(min(past.newest, self._clocks.at), past.start)
        return self._times.get("since", "") <= at and ("until" not in self._times or at < self._times["until"])

    def _ranked(
        self, found: Iterable[Past], after: Position | None, after_suspect: Position | None
    ) -> tuple[list[_Ranked], list[_Ranked]]:
        """Firm rows and suspect ones, each from a place on; hypotheses only where nothing is firm."""
        ranked = sorted(((self._rank(p), p.fact.row.id, p) for p in found), key=lambda r: r[:2])
        if self._parsed.get("standing"):
            return _behind(ranked, after), []
        firm = [r for r in ranked if r[2].standing == "confirmed"]
        suspect = [r for r in ranked if r[2].standing == "suspect"]
        if not firm and not suspect:
            firm = ranked
        return _behind(firm, after), _behind(suspect, after_suspect)

    def _rank(self, past: Past) -> int:
        is_state, at = past.fact.row.key is not None, self._clocks.at
        age = rank.time_key(to_ms(at), is_state) - rank.time_key(to_ms(min(past.newest, at)), is_state)
        return age - raised(past.fact.row, past.rung)

    def _anchor(self, past: Past) -> str | None:
        """What was so at another time is not compared with the files of today, but for what holds still."""
        row = past.fact.row
        is_now = self._clocks.known is None and not self._clocks.is_asked
        leans = is_now and row.object is None and self._store.evidence.has_files(row.id)
        return LEANS if row.anchor is None and leans else row.anchor

    def _hit(self, ranked: _Ranked) -> Hit:
        score, id_, past = ranked
        row = past.fact.row
        band = BANDS.get(past.standing, len(BANDS))
        object_ = self._store.facts.find_entity(row.object) if row.anchor and row.object else None
        from_ms = to_ms(max(min(past.newest, self._clocks.at), past.start))
        return Hit(score, id_, self._line(past), band, from_ms, object_, self._anchor(past), row.origin)

    def _line(self, past: Past) -> str:
        since_ended = past.end is not None and past.end <= self._clocks.now
        extra = (*past.marks, f"until:{past.end}") if since_ended else past.marks
        if past.standing == "hypothesis":
            extra = tuple(dict.fromkeys((*extra, *contradicting(self._against(past.fact)))))
        return rows.line(past.fact, past.rung, past.start, rows.marks_of(past.fact, past.standing, extra))

    def _against(self, fact: StoredFact) -> list[bytes]:
        id_ = fact.row.id
        return [b for a, b, relation in self._store.facts.links(id_) if a == id_ and relation == "contradicts"]

    def _render(self, hit: Hit) -> str:
        return checked(self._freshness, self._store, hit)


# --- clocks ------------------------------------------------------------


def _instants(engine: Engine, parsed: Selector, handle: Handle) -> dict[str, str]:
    """The time terms of the selector and of the call as instants in the reader's zone."""
    given = [Term(key, (Value(text),)) for key, text in (("as-of", handle.as_of), ("known", handle.known)) if text]
    for term in given:
        if parsed.get(term.key):
            raise UsageError(f"{term.key} is given twice", hint="in the selector or beside it", about=term.canonical())
    terms = [t for t in parsed.terms if t.key in TIME_KEYS]
    return times(Selector((*terms, *given)), handle.now, engine.settings.zone)


def _clocks(found: dict[str, str], now: str) -> Clocks:
    known = found.get("known")
    at = found.get("as-of") or known
    return Clocks(now, at or now, known, at is not None)


# --- terms ------------------------------------------------------------


def _wanted(parsed: Selector) -> frozenset[str]:
    """The standings that are asked for; without a term that asks for more, those of open facts."""
    terms = parsed.get("standing")
    wanted = _OPEN if all(t.negated for t in terms) else _EVERY
    for term in terms:
        named = frozenset().union(*(_EVERY if v.text == "any" else {v.text} for v in term.values))
        wanted = wanted - named if term.negated else wanted & named
    return wanted


def _says(fact: StoredFact, term: Term) -> bool:
    row = fact.row
    text = f"{row.subject.key} {row.predicate} {row.topic} {row.value}"
    return any(contains(text, v.text) for v in term.values) != term.negated


# --- pieces ------------------------------------------------------------


def _by_key(facts: Iterable[StoredFact]) -> Iterator[tuple[bytes | None, list[StoredFact]]]:
    """The facts of each key together, occurrences first."""
    ordered = sorted(facts, key=lambda f: (f.row.key or b"", f.row.id))
    for key, group in groupby(ordered, key=lambda f: f.row.key):
        yield key, list(group)


def _stored(row: tuple[Any, ...]) -> _Period:
    start, end, fact, standing, rung, newest, marks = row
    return _Period(start, end, fact, standing, rung, newest, tuple(marks.split()))


def _settled(s: Shown) -> _Period:
    newest = max(m.at for m in s.interval.members)
    return _Period(s.interval.start, s.interval.end, s.fact.n, s.standing, s.rung, newest, s.marks)


def _behind(ranked: list[_Ranked], position: Position | None) -> list[_Ranked]:
    if position is None:
        return ranked
    return [r for r in ranked if r[:2] > (-position.score, position.id)]
