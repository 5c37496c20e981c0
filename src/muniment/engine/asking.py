"""The verb `query`: a selector, hydrated to a budget. What is asked about another time goes to `engine.history`."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from functools import lru_cache

from muniment.archive.text_index import phrase
from muniment.engine.core import Engine
from muniment.engine.handle import Handle, Position, decode
from muniment.errors import UsageError
from muniment.model import rank, selector as selectors
from muniment.model.stored import Hit as Row
from muniment.model.time import to_ms
from muniment.recall import hydrate
from muniment.recall.answer import Answer, Found
from muniment.recall.plan import ROW_CAP, Plan, needs_history, plan
from muniment.storage.sqlite.walk import Walk
from muniment.storage.sqlite.whole import SqliteStore

DEFAULT_BUDGET = 4096
FUTURE_CAP = 1000
_FIRM, _SUSPECT, _HYPOTHESIS = 0, 1, 2
_ENTITY_CAP = 1000

Scored = tuple[int, bytes, Row]
"""(minus the score at the reader's clock, id, row): sorts as the answer does."""


def query(
    engine: Engine,
    text: str = "",
    budget: int = DEFAULT_BUDGET,
    *,
    as_of: str | None = None,
    known: str | None = None,
    cursor: str | None = None,
) -> Answer:
    """The open facts that match, best first, within `budget` bytes of UTF-8."""
    if budget < 0:
        raise UsageError(f"a budget cannot be negative: {budget}", hint="0 gives only the handle")
    handle = decode(cursor) if cursor else Handle(text, engine.now(), as_of, known, None, None)
    parsed = _parse(handle.selector)
    if handle.as_of or handle.known or needs_history(parsed):
        from muniment.engine.history import query_history

        return query_history(engine, parsed, handle, budget)
    return _Question(engine, parsed, handle).answer(budget)


@lru_cache(maxsize=256)
def _parse(text: str) -> selectors.Selector:
    return selectors.parse(text)


class _Question:
    """One question about what is open now, over one snapshot."""

    def __init__(self, engine: Engine, parsed: selectors.Selector, handle: Handle) -> None:
        self._engine = engine
        self._store = engine.store()
        self._handle = handle
        self._now = to_ms(handle.now)
        self._base = {False: rank.time_key(self._now, False), True: rank.time_key(self._now, True)}
        times = selectors.times(parsed, handle.now, engine.settings.zone) if parsed.terms else {}
        lookup = Lookup(self._store)
        self._plan = plan(parsed, times, lookup.numbers, text_test, self._store.walks.predicates_of)
        self._freshness = engine.freshness()
        self._walked: list[Walk] = []

    def answer(self, budget: int) -> Answer:
        with self._store.reading(), ExitStack() as streams:
            bands = self._plan.bands
            firm_bands = (_FIRM,) if bands is None else bands
            firm = streams.enter_context(closing(self._merged(firm_bands, self._handle.firm)))
            suspect = list(self._suspects(budget)) if bands is None else []
            hits, rows, more = hydrate.fill(firm, suspect, self._render, budget)
            if not hits and not more and bands is None and self._handle.firm is None:
                firm_bands = (_HYPOTHESIS,)
                firm = streams.enter_context(closing(self._merged(firm_bands, None)))
                hits, rows, more = hydrate.fill(firm, (), self._render, budget)
            return self._close(hits, rows, more, budget, firm_bands, bands is None)

    # -- streams

    def _merged(self, bands: Iterable[int], after: Position | None) -> Iterator[Scored]:
        streams = [self._stream(driver, band, after) for band in bands for driver in self._plan.drivers]
        if after is None:
            streams.append(iter(self._future(bands)))
        merged = heapq.merge(*streams) if len(streams) > 1 else streams[0] if streams else iter(())
        return _distinct(merged) if len(self._plan.drivers) > 1 else merged

    def _stream(self, driver: tuple[tuple[str, object], ...], band: int, after: Position | None) -> Iterator[Scored]:
        is_state = _is_state(driver)
        base = self._base[is_state]
        walk = self._walk(driver, band, is_state)
        if after is not None:
            top = after.score + base
            walk = walk._replace(high=top if walk.high is None else min(top, walk.high))
        self._walked.append(walk)
        for row in self._store.walks.rows(walk, self._now):
            scored = (base - row.rank_key, row.id, row)
            if after is None or scored[:2] > (-after.score, after.id):
                yield scored

    def _walk(self, driver: tuple[tuple[str, object], ...], band: int, is_state: bool) -> Walk:
        low, high = self._plan.key_range(is_state)
        tests = tuple(self._plan.tests)
        only_times = all(t.startswith("l.from_ms") for t in tests)
        cap = None if only_times else ROW_CAP
        return Walk(driver, band, low, high, tests, tuple(self._plan.args.items()), cap)

    def _future(self, bands: Iterable[int]) -> list[Scored]:
        rows = self._store.walks.future(self._plan.tests, self._plan.args, self._now, FUTURE_CAP)
        if not rows:
            return []
        wanted = [r for r in rows if r.band in set(bands) and self._drives(r)]
        return sorted((rank.time_key(r.from_ms, False) - r.rank_key, r.id, r) for r in wanted)

    def _drives(self, row: Row) -> bool:
        return any(self._store.walks.matches(driver, row.fact) for driver in self._plan.drivers)

    def _suspects(self, budget: int) -> Iterator[Scored]:
        """At most as many as could fit: they are read twice, once for their share and once for what is left."""
        stream = self._merged((_SUSPECT,), self._handle.suspect)
        with closing(stream):
            taken = 0
            for scored in stream:
                yield scored
                taken += len(scored[2].line)
                if taken > budget:
                    return

    # -- rows

    def _render(self, scored: Scored) -> str:
        row = scored[2]
        if row.anchor is None or row.object is None:
            return row.line
        mark = self._freshness.mark(self._store, row.object, row.anchor, row.from_ms)
        if mark is None:
            return row.line
        return row.line + mark if row.line.endswith("\t") else f"{row.line} {mark}"

    # -- the end of the text

    def _close(
        self, hits: list[Scored], rows: list[str], more: bool, budget: int, bands: Iterable[int], with_suspect: bool
    ) -> Answer:
        partial = any(w.cap is not None and self._store.walks.is_cut(w) for w in self._walked) if not more else False
        total = self._total(bands, with_suspect) if more else len(hits)

        def trailer(shown: int) -> str:
            left = max(total - shown, 0)
            if not left and not partial:
                return ""
            many = f"{hydrate.COUNT_LIMIT}+" if left > hydrate.COUNT_LIMIT else str(left)
            cut = "partial: " if partial else ""
            return f"-- {cut}{shown} shown, {many} more; --cursor {self._handle_after(hits[:shown]).encode()}"

        text, shown = hydrate.close(rows, trailer, budget) if budget > 0 else ("", 0)
        left = max(total - shown, 0)
        found = [Found(r, -h[0], h[2].origin, None) for h, r in zip(hits[:shown], rows, strict=False)]
        cursor = self._handle_after(hits[:shown]).encode() if left or partial or budget == 0 else None
        reason = None if found or budget == 0 or left else self._plan.is_empty or "nothing that is still true matches"
        exact = left <= hydrate.COUNT_LIMIT
        return Answer(text, found, budget, min(left, hydrate.COUNT_LIMIT), exact, cursor, reason, partial)

    def _total(self, bands: Iterable[int], with_suspect: bool) -> int:
        """How many rows there are beyond the handle, counted far enough to say "1000+"."""
        limit = hydrate.COUNT_LIMIT + 200
        total = 0
        wanted = [*bands, _SUSPECT] if with_suspect and _FIRM in bands else [*bands]
        for walk in [w for w in self._walked if w.band in wanted]:
            total += self._store.walks.count(walk, self._now, limit - total)
            if total >= limit:
                break
        return total

    def _handle_after(self, hits: list[Scored]) -> Handle:
        firm = next((h for h in reversed(hits) if h[2].band != _SUSPECT), None)
        suspect = next((h for h in reversed(hits) if h[2].band == _SUSPECT), None)
        return self._handle._replace(
            firm=Position(-firm[0], firm[1]) if firm else self._handle.firm,
            suspect=Position(-suspect[0], suspect[1]) if suspect else self._handle.suspect,
        )


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


def _distinct(stream: Iterator[Scored]) -> Iterator[Scored]:
    """A path may be a row's subject and object at once; the row is shown once."""
    seen: set[bytes] = set()
    for scored in stream:
        if scored[1] not in seen:
            seen.add(scored[1])
            yield scored


def text_test(made: Plan, value: selectors.Value) -> str:
    """A bare word: a phrase in the text index, or the very characters where the index holds nothing of it."""
    found = phrase(value.text)
    if found is None:
        return f"instr(l.line, {made.arg(value.text)}) > 0"
    return f"l.n IN (SELECT rowid FROM fact_text WHERE fact_text MATCH {made.arg(found)})"


class Lookup:
    """Finds the entities and sessions that a selector's values name."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def numbers(self, key: str, value: selectors.Value) -> list[int]:
        """Numbers of entities (s, o, path) or sessions (session) by key, `kind:key` or glob; at most a thousand."""
        if key == "session":
            return self._sessions(value)
        if value.is_glob:
            return self._globbed(key, value)
        found = self._exact("key = ?", (value.text,), key)
        if not found and ":" in value.text:
            kind, name = value.text.split(":", 1)
            found = self._exact("kind = ? AND key = ?", (kind, name), key)
        return found

    def _exact(self, where: str, args: tuple[str, ...], key: str) -> list[int]:
        only = " AND kind = 'path'" if key == "path" else ""
        sql = f"SELECT n FROM entities WHERE {where}{only} ORDER BY kind, key LIMIT {_ENTITY_CAP}"  # noqa: S608 - fixed texts
        return [int(r[0]) for r in self._store.db.rows(sql, args)]

    def _globbed(self, key: str, value: selectors.Value) -> list[int]:
        pattern = selectors.glob_to_regex(value, "path" if key == "path" else key)
        prefix = selectors.glob_prefix(value)
        only = " AND kind = 'path'" if key == "path" else ""
        sql = f"SELECT n, key FROM entities WHERE key >= ? AND key < ?{only} ORDER BY kind, key"  # noqa: S608 - fixed texts
        rows = self._store.db.rows(sql, (prefix, prefix + "\U0010ffff"))
        return [int(n) for n, text in rows if pattern.fullmatch(text)][:_ENTITY_CAP]

    def _sessions(self, value: selectors.Value) -> list[int]:
        if value.is_glob:
            rows = self._store.db.rows("SELECT n FROM sessions WHERE id GLOB ? ORDER BY id", (value.text,))
        else:
            rows = self._store.db.rows("SELECT n FROM sessions WHERE id = ?", (value.text,))
        return [int(r[0]) for r in rows][:_ENTITY_CAP]

