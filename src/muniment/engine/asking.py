"""The verb `query`: a selector, hydrated to a budget. What is asked about another time goes to `engine.history`."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from muniment.engine.core import Engine
from muniment.engine.handle import Handle, Position, decode
from muniment.engine.truth import Freshness
from muniment.errors import UsageError
from muniment.model import rank
from muniment.model import selector as selectors
from muniment.model.entity import path_key
from muniment.model.kept import Walk, Weather
from muniment.model.ports import Store
from muniment.model.stored import LEANS, Hit
from muniment.model.text_index import phrase
from muniment.model.time import to_ms
from muniment.recall import hydrate
from muniment.recall.answer import Answer
from muniment.recall.plan import ROW_CAP, Entities, Plan, Received, needs_history, plan
from muniment.recall.shares import PART, is_crowded

__all__ = ["DEFAULT_BUDGET", "Answer", "End", "checked", "finish", "naming", "query", "received", "shell_end"]

DEFAULT_BUDGET = 4096
FUTURE_CAP = 1000
_FIRM, _SUSPECT, _HYPOTHESIS = 0, 1, 2
_LEAST = "-- 1 shown, 1 more"
_ENOUGH = hydrate.COUNT_LIMIT + 100
"""Rows are counted to this: more than the limit by what one answer can show."""


End = Callable[[str, str], str]
"""The last line or lines of an answer that is cut, of what was left out and the handle that goes on."""


def shell_end(told: str, cursor: str) -> str:
    """As the command line is asked to go on."""
    return f"{told}; --cursor {cursor}"


def query(
    engine: Engine,
    text: str = "",
    budget: int = DEFAULT_BUDGET,
    *,
    as_of: str | None = None,
    known: str | None = None,
    cursor: str | None = None,
    end: End = shell_end,
) -> Answer:
    """The open facts that match, best first, within `budget` bytes of UTF-8; `end` words how to go on."""
    if budget < 0:
        raise UsageError(f"a budget cannot be negative: {budget}", hint="0 gives only the handle")
    handle = decode(cursor) if cursor else Handle(text, engine.now(), as_of, known, None, None)
    parsed = _parse(handle.selector)
    if any(term.key in selectors.ASKING for term in parsed.terms):
        from muniment.engine import asked

        parsed = asked.resolved(engine, parsed)
    if handle.as_of or handle.known or needs_history(parsed):
        from muniment.engine.history import query_history

        return query_history(engine, parsed, handle, budget, end)
    with engine.store().reading():
        return _Question(engine, parsed, handle, end).answer(budget)


@lru_cache(maxsize=256)
def _parse(text: str) -> selectors.Selector:
    """The archive holds no lone surrogates: each stands as U+FFFD there, so it does in a question."""
    return selectors.parse(
        text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


@lru_cache(maxsize=256)
def _has_times(parsed: selectors.Selector) -> bool:
    return any(term.key in selectors.TIME_KEYS for term in parsed.terms)


class _Question:
    """One question about what is open now, over one snapshot."""

    def __init__(self, engine: Engine, parsed: selectors.Selector, handle: Handle, end: End) -> None:
        self._engine = engine
        self._end = end
        self._store = engine.store()
        self._handle = handle
        self._parsed = parsed
        self._now = to_ms(handle.now)
        self._base = {False: rank.time_key(self._now, False), True: rank.time_key(self._now, True)}
        times = selectors.times(parsed, handle.now, engine.settings.zone) if _has_times(parsed) else {}
        self._freshness = engine.freshness()
        self._freshness.begin(self._store)
        self._memo = self._freshness.memo
        names = naming(engine, self._memo)
        self._plan = plan(parsed, times, names, text_test, self._store.walks.predicates_of, received(engine))
        self._streams: list[_Stream] = []
        self._weather = Weather(1, 1, 1)
        self._ahead = 0
        """Rows dated after the reader's clock, which no stream has."""

    def answer(self, budget: int) -> Answer:
        """At most three passes: firm rows, suspect ones, and hypotheses where nothing else is there."""
        try:
            return self._hydrated(budget)
        finally:
            for stream in self._streams:
                stream.rows.close()

    def _hydrated(self, budget: int) -> Answer:
        bands = self._plan.bands
        self._weather = self._store.walks.weather(self._now)
        has_doubt = bands is None and bool(self._weather.has_doubt)
        suspect = list(self._suspects(budget)) if has_doubt else []
        firm = self._merged((_FIRM,) if bands is None else bands, self._handle.firm)
        hits, rows, more = hydrate.fill(firm, suspect, self._render, budget)
        if has_doubt and not hits and (not more or budget == 0) and not self._is_anything_firm(budget):
            bands = (_HYPOTHESIS,)
            firm = self._merged(bands, self._handle.firm)
            hits, rows, more = hydrate.fill(firm, (), self._render, budget)
            has_doubt = False
        if self._handle.outside or (len(hits) >= PART and is_crowded([hit.origin for hit in hits])):
            return self._shared(bands, budget, has_doubt=has_doubt) or self._close(hits, rows, more, budget)
        return self._close(hits, rows, more, budget)

    def _shared(self, bands: Iterable[int] | None, budget: int, *, has_doubt: bool) -> Answer | None:
        """The same laid out again, so that no outside source has more than its part; None where one is asked for by name."""
        from muniment.engine import sharing  # hardly ever

        if sharing.is_named(self._parsed):
            return None
        for stream in self._streams:
            stream.rows.close()
        self._streams, self._ahead = [], 0
        shared = sharing.Shared(self._handle, with_suspect=self._plan.bands is None)
        suspect = self._merged((_SUSPECT,), shared.earliest_suspect) if has_doubt else iter(())
        firm = self._merged((_FIRM,) if bands is None else bands, shared.earliest)
        hits, rows, _ = shared.fill(firm, suspect, self._render, budget)
        total = shared.passed(self._total())
        is_partial = any(self._store.walks.is_cut(s.walk) for s in self._streams)
        told = (self._plan.is_empty or "nothing that is still true matches", self._end)
        return finish(
            self._handle, hits, rows, total, budget, told, is_partial=is_partial, with_suspect=True, place=shared.after
        )

    def _is_anything_firm(self, budget: int) -> bool:
        """Does anything but hypotheses match? Asked of the whole, also where the handle stands further on."""
        if budget and self._handle.firm is None and self._handle.suspect is None:
            return False  # two passes found nothing
        kept, ahead = len(self._streams), self._ahead
        is_any = next(self._merged((_FIRM, _SUSPECT), None), None) is not None
        for stream in self._streams[kept:]:
            stream.rows.close()
        del self._streams[kept:]  # they were opened for this question alone and are no part of the total
        self._ahead = ahead
        return is_any

    # -- streams

    def _merged(self, bands: Iterable[int], after: Position | None) -> Iterator[Hit]:
        sources: list[Iterable[Hit]] = [
            self._stream(driver, band, after) for band in bands for driver in self._plan.drivers
        ]
        sources.extend([future] if (future := self._future(bands, after)) else [])
        merged = heapq.merge(*sources) if len(sources) > 1 else iter(*sources) if sources else iter(())
        return _distinct(merged) if self._plan.overlaps else merged

    def _stream(self, driver: tuple[tuple[str, object], ...], band: int, after: Position | None) -> Iterator[Hit]:
        walk = self._walk(driver, band)
        if after is not None:
            walk = _behind(walk, after)
        rows = self._store.walks.rows(walk, self._now)
        self._streams.append(_Stream(walk, rows))
        return rows

    def _walk(self, driver: tuple[tuple[str, object], ...], band: int) -> Walk:
        is_state = _is_state(driver)
        low, high = self._plan.key_range(is_state)
        tests = tuple(self._plan.tests)
        cap = ROW_CAP if self._plan.needs_cap(driver) else None
        all_hold = not self._weather.has_future and not self._weather.has_ended
        args = tuple(self._plan.args.items())
        return Walk(driver, band, low, high, tests, args, cap, self._base[is_state], all_hold)

    def _future(self, bands: Iterable[int], after: Position | None) -> list[Hit]:
        if not self._weather.has_future:
            return []
        rows = self._store.walks.future(self._plan.tests, self._plan.args, self._now, FUTURE_CAP)
        scored = sorted(r for r in rows if r.band in set(bands) and self._drives(r))
        found = [s for s in scored if after is None or s[:2] > (-after.score, after.id)]
        self._ahead += len(found)
        return found

    def _drives(self, row: Hit) -> bool:
        return any(self._store.walks.matches(driver, row.id) for driver in self._plan.drivers)

    def _suspects(self, budget: int) -> Iterator[Hit]:
        """At most as many as could fit: they are read twice, once for their share and once for what is left."""
        taken = 0
        for hit in self._merged((_SUSPECT,), self._handle.suspect):
            yield hit
            taken += len(hit.line)
            if taken > budget:
                return

    # -- rows

    def _render(self, hit: Hit) -> str:
        return hit.line if hit.anchor is None else checked(self._freshness, self._store, hit)

    # -- the end of the text

    def _close(self, hits: list[Hit], rows: list[str], more: bool, budget: int) -> Answer:
        is_partial = not more and any(self._store.walks.is_cut(s.walk) for s in self._streams)
        total = self._total() if more else len(hits)
        reason = self._plan.is_empty or "nothing that is still true matches"
        with_suspect = self._plan.bands is None
        told = (reason, self._end)
        return finish(self._handle, hits, rows, total, budget, told, is_partial=is_partial, with_suspect=with_suspect)

    def _total(self) -> int:
        """How many rows there are after the handle, counted far enough to say "1000+"."""
        total = self._ahead
        for stream in self._streams:
            if total <= _ENOUGH:
                total += self._count(stream.walk, _ENOUGH - total + 1)
        return total

    def _count(self, walk: Walk, limit: int) -> int:
        """Where every row holds, a walk has as many of them as before for as long as nobody writes."""
        if not walk.all_hold:
            return self._store.walks.count(walk, self._now, limit)
        key = (walk.fixed, walk.band, walk.low, walk.high, walk.tests, walk.args, walk.cap, limit)
        if key not in self._memo:
            self._memo[key] = self._store.walks.count(walk, self._now, limit)
        return int(self._memo[key])


class _Stream(NamedTuple):
    """A walk under way."""

    walk: Walk
    rows: Generator[Hit, None, None]


def _behind(walk: Walk, after: Position) -> Walk:
    """The rest of a walk after a row of this score and id."""
    top = after.score + walk.base
    high = top if walk.high is None else min(top, walk.high)
    tests = (*walk.tests, "(l.rank_key < :top OR l.id > :behind)")
    return walk._replace(high=high, tests=tests, args=(*walk.args, ("top", top), ("behind", after.id)))


def received(engine: Engine) -> Received:
    """The facts that a session was given, by the journal of deliveries."""

    def facts(session: str) -> Iterable[str]:
        from muniment.engine import deliveries  # most questions ask for no session

        return deliveries.given(engine, session).facts

    return facts


def naming(engine: Engine, memo: dict[Any, Any] | None = None) -> Entities:
    """What a selector's words name in this store; a path may also be written absolutely, or with dots.

    `memo` remembers it, for callers who empty it when the store changes.
    """
    root, lookup = engine.workspace.root, engine.store().lookup

    def numbers(key: str, value: selectors.Value) -> list[int]:
        if memo is not None and (key, value) in memo:
            return list(memo[key, value])
        asked = value
        if key == "path" and not value.is_glob:
            asked = selectors.Value(path_key(value.text, root, root), False)
        found = lookup.numbers(key, asked)
        if memo is not None:
            memo[key, value] = tuple(found)
        return found

    return numbers


def checked(freshness: Freshness, store: Store, row: Hit) -> str:
    """The line of a row, marked if the file that it is about is no longer what it was."""
    if row.anchor == LEANS:
        from muniment.engine import leaning  # few facts name evidence

        mark = leaning.mark(freshness, store, row.id) if row.band != _SUSPECT else None  # that says why already
    elif row.anchor is None or row.object is None:
        return row.line
    else:
        mark = freshness.mark(store, row.object, row.anchor, row.from_ms)
    if mark is None:
        return row.line
    return row.line + mark if row.line.endswith("\t") else f"{row.line} {mark}"


def finish(  # noqa: PLR0913 - one end for every sort of answer
    handle: Handle,
    hits: list[Hit],
    rows: list[str],
    total: int,
    budget: int,
    told: tuple[str, End],
    *,
    is_partial: bool,
    with_suspect: bool,
    place: Callable[[list[Hit], int], Handle] | None = None,
) -> Answer:
    """The answer: rows that fit together with the trailer, which says what was left out and how to go on.

    `total` is how many rows there are beyond the handle; `told` is why there are none if so, and how going on is worded.
    With `with_suspect` the suspect rows are a list of their own, which has its own place in the handle. `place` makes the
    handle behind so many rows where each source has one.
    """

    reason, end = told
    is_stuck = budget > 0 and not rows and total > 0
    handles: dict[int, str] = {}

    def after(shown: int) -> str:
        if shown not in handles:
            behind = place(hits, shown) if place is not None else _after(handle, hits, shown, with_suspect)
            handles[shown] = behind.encode()
        return handles[shown]

    def trailer(shown: int) -> str:
        left = max(total - shown, 0)
        if not left and not is_partial:
            return ""
        many = f"{hydrate.COUNT_LIMIT}+" if left > hydrate.COUNT_LIMIT else str(left)
        cut = "partial: " if is_partial else ""
        return end(f"-- {cut}{shown} shown, {many} more", after(shown))

    least = len(end(_LEAST, "")) + handle.least if total > len(rows) or is_partial else 0
    text, shown = hydrate.close(rows, trailer, budget, least) if budget > 0 else ("", 0)
    left = max(total - shown, 0)
    cursor = after(shown) if left or is_partial or budget == 0 else None
    why = None if shown or budget == 0 or left else reason
    if is_stuck:  # going on from here with the same budget would never end
        why = f"not even the next row fits in {budget} bytes; ask with a larger budget"
    exact = left <= hydrate.COUNT_LIMIT
    counted = min(left, hydrate.COUNT_LIMIT)
    return Answer(text, rows[:shown], hits[:shown], budget, counted, exact, cursor, why, is_partial)


def _after(handle: Handle, hits: list[Hit], shown: int, with_suspect: bool) -> Handle:
    """The same question from the row after the first `shown` of these; suspect rows, if apart, come last."""
    firm, suspect = handle.firm, handle.suspect
    for hit in reversed(hits[:shown]):
        is_apart = with_suspect and hit.band == _SUSPECT
        if is_apart and suspect is handle.suspect:
            suspect = Position(-hit.score, hit.id)
        elif not is_apart:
            firm = Position(-hit.score, hit.id)
            break
    return handle._replace(firm=firm, suspect=suspect)


@lru_cache(maxsize=256)
def _is_state(driver: tuple[tuple[str, object], ...]) -> bool:
    from muniment.model.vocabulary import VOCABULARY

    for column, value in driver:
        if column == "is_state":
            return bool(value)
        if column == "predicate":
            return str(value) in VOCABULARY and VOCABULARY[str(value)].state
        if column == "type":
            return value in ("fact", "preference", "procedure", "pattern")
    return False


def _distinct(stream: Iterator[Hit]) -> Iterator[Hit]:
    """A path may be a row's subject and object at once; the row is shown once."""
    seen: set[bytes] = set()
    for hit in stream:
        if hit.id not in seen:
            seen.add(hit.id)
            yield hit


_HOLDS = """EXISTS (SELECT 1 FROM facts f JOIN entities s ON s.n = f.subject LEFT JOIN entities o ON o.n = f.object
    WHERE f.n = l.fact AND (instr(coalesce(f.literal, o.key), {0}) > 0 OR instr(s.key, {0}) > 0))"""


def text_test(made: Plan, value: selectors.Value) -> str:
    """A bare word: a phrase in the text index, or the very characters where the index holds nothing of it."""
    found = phrase(value.text)
    if found is None:
        return _HOLDS.format(made.arg(value.text))
    return f"l.n IN (SELECT rowid FROM fact_text WHERE fact_text MATCH {made.arg(found)})"  # noqa: S608 - a bound name
