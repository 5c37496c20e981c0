"""The view `usage`: tokens and cost by day, model, project and more.

What harnesses tell is summed, and nothing is guessed. A cost that a session tells stands for its whole run, sub-agents
and all; only for a run that tells none the reader's own prices are used, and the sum is marked as an estimate. Tokens
at no known cost make a sum incomplete, and it says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from muniment.capture import conversation
from muniment.engine.core import DATABASE, Engine
from muniment.engine.covering import coverage
from muniment.engine.waking import OWN
from muniment.errors import MunimentError, UsageError
from muniment.model.activity import Coverage
from muniment.model.expression import parse_range
from muniment.model.kept import EPOCH
from muniment.model.scope import workspace_of_record, workspace_of_store
from muniment.model.time import local
from muniment.model.trace import CACHED, COST, Told, told
from muniment.model.tracing import Price, Spending, Spent, Usage
from muniment.storage.sqlite.activity import ActivityTable
from muniment.views import tracing as view

GROUPS = ("day", "month", "model", "project", "harness", "session", "role")
DEFAULT = ("day", "model", "project")
_NO_AGENTS = (OWN, conversation.HARNESS)
_MILLION = 1_000_000
_DAY, _MONTH = 10, 7
_UNKNOWN = "unknown"
_ALWAYS = ("", "9999-12-31T23:59:59.999Z")


def usage(
    engine: Engine, by: tuple[str, ...] = DEFAULT, when: str | None = None, budget: int | None = None, *,
    everywhere: bool = False,
) -> Usage:  # fmt: skip
    """What was spent in the time that `when` names (all of it without one), by these groups, within `budget` bytes.

    `everywhere`: in every memory of this home, not this project's alone; those that cannot be read are named.
    """
    _demand(by, budget)
    bounds = parse_range(when, engine.now(), engine.settings.zone) if when is not None else _ALWAYS
    here = _Ledger(engine, by, bounds)
    is_here = engine.path.exists() or not everywhere
    if is_here:
        here.read()
    unread: list[str] = []
    for other in _others(engine) if everywhere else ():
        with other:
            try:
                here.add(_Ledger(other, by, bounds, engine))
            except MunimentError as error:
                unread.append(f"{other.path.parent.name}: {error.message}")
    word, reasons = Coverage.UNKNOWN, tuple[str, ...]()
    if is_here:
        with engine.store().reading():
            word, reasons = coverage(engine, *bounds)
    groups = tuple(here.groups[key] for key in sorted(here.groups))
    found = Usage(
        when or "", by, groups, _total(groups), dict(sorted(here.untold.items())), tuple(unread), word, reasons
    )
    text, lines = view.usage(found, budget)
    return replace(found, text=text, lines_left_out=lines)


def _demand(by: tuple[str, ...], budget: int | None) -> None:
    odd = next((name for name in by if name not in GROUPS), None)
    if odd is not None or not by or len(set(by)) < len(by):
        hint = f"one or more of {', '.join(GROUPS)}, each once"
        raise UsageError(f"usage cannot be grouped by {odd or ', '.join(by) or 'nothing'}", hint=hint, about="--by")
    if budget is not None and budget < 0:
        raise UsageError(f"a budget cannot be negative: {budget}", hint="0 gives no text")


def _others(engine: Engine) -> Iterator[Engine]:
    """An engine for every other memory of the home."""
    for path in sorted((engine.settings.home / "workspaces").glob(f"*/{DATABASE}")):
        if path != engine.path:
            yield Engine(workspace_of_store(path.parent.name), engine.settings)


def _total(groups: tuple[Spent, ...]) -> Spent:
    total = Spent({})
    for group in groups:
        _join(total, group)
    return total


def _join(into: Spent, more: Spent) -> None:
    into.records += more.records
    into.tokens_in += more.tokens_in
    into.tokens_cached += more.tokens_cached
    into.tokens_out += more.tokens_out
    if more.cost is not None:
        into.cost = round((into.cost or 0) + more.cost, 6)
    into.is_estimated |= more.is_estimated
    into.is_whole &= more.is_whole


class _Ledger:
    """The sums of one memory. `reader` is the engine of who asks, where that is another's."""

    def __init__(
        self, engine: Engine, by: tuple[str, ...], bounds: tuple[str, str], reader: Engine | None = None
    ) -> None:
        self._engine = engine
        self._reader = reader or engine
        self._by = by
        self._bounds = bounds
        self._projects: dict[str | None, str] = {}
        self.groups: dict[tuple[str, ...], Spent] = {}
        self.untold: Counter[str] = Counter()

    def add(self, other: _Ledger) -> None:
        """Read another memory and take its sums in."""
        other.read()
        self.untold.update(other.untold)
        for key, spent in other.groups.items():
            _join(self.groups.setdefault(key, Spent(spent.by)), spent)

    def read(self) -> None:
        """Everything that this memory tells of the time."""
        store = self._engine.store()
        with store.reading():
            self._sessions = {one.n: one for one in store.traces.sessions()}
            self._models = store.traces.models()
            found = store.traces.spendings(*self._bounds)
            spans = ActivityTable(store.db).spans()
        self._named = {one.id: one for one in self._sessions.values()}
        self._paid = self._runs_that_tell_costs()
        for spending in found:
            self._count(spending)
        telling = {spending.session for spending in found}
        start, end = self._bounds
        for span in spans:
            if (
                span.n not in telling
                and span.harness not in _NO_AGENTS
                and span.first_at < end
                and span.last_at >= start
            ):
                self.untold[span.harness] += 1

    def _runs_that_tell_costs(self) -> set[str]:
        """Runs of which any record of any time tells a cost: their tokens are paid for by it."""
        every = self._engine.store().traces.spendings(*_ALWAYS)
        return {self._run(s.session) for s in every if told(tuple(s.flags.split()), COST) is not None}

    def _run(self, session: int) -> str:
        """The session that started the one that started this one, and so on."""
        one, seen = self._sessions[session], set[str]()
        while one.parent in self._named and one.id not in seen:
            seen.add(one.id)
            one = self._named[one.parent]
        return one.id

    def _count(self, spending: Spending) -> None:
        session = self._sessions[spending.session]
        model = spending.model or self._models.get(session.n, _UNKNOWN)
        more = self._spent(spending, model)
        if not more.records and more.cost is None:
            return  # a record that tells of nothing
        key = tuple(self._name(group, spending, session, model) for group in self._by)
        spent = self.groups.setdefault(key, Spent(dict(zip(self._by, key, strict=True))))
        _join(spent, more)

    def _spent(self, spending: Spending, model: str) -> Spent:
        flags = tuple(spending.flags.split())
        into, out, cached = spending.tokens_in or 0, spending.tokens_out or 0, told(flags, CACHED) or 0
        cost, is_estimated, is_whole = told(flags, COST), False, True
        if cost is None and (into or out) and self._run(spending.session) not in self._paid:
            price = _price(self._reader.settings.prices(), model)
            is_estimated, is_whole = price is not None, price is not None
            cost = price.of(into, cached, out) if price is not None else None
        dollars = None if cost is None else cost / _MILLION
        is_count = bool(into or out)
        return Spent({}, int(is_count), into, cached, out, dollars, is_estimated, is_whole)

    def _name(self, group: str, spending: Spending, session: Told, model: str) -> str:
        match group:
            case "day" | "month":
                is_known = spending.at > EPOCH
                length = _DAY if group == "day" else _MONTH
                return local(spending.at, self._reader.settings.zone)[:length] if is_known else _UNKNOWN
            case "model":
                return model
            case "project":
                return self._project(session)
            case "harness":
                return session.harness
            case "session":
                return session.id
            case _:
                return session.agent_role or session.agent or ("sub-agent" if session.parent else "main")

    def _project(self, session: Told) -> str:
        """The workspace that a session's folder belongs to; its last part where that folder tells nothing here."""
        place = session.root or session.cwd
        if place not in self._projects:
            here, there = self._engine.workspace, workspace_of_record(place)
            is_ours = (place is None or (there is not None and there.id == here.id)) and here.name
            name = here.name if is_ours else there.name if there is not None else re.split(r"[/\\]", place or "")[-1]
            self._projects[place] = name or _UNKNOWN
        return self._projects[place]


def _price(prices: Mapping[str, Price], model: str) -> Price | None:
    """The price of a model by its name, else by the longest pattern that fits it."""
    if model in prices:
        return prices[model]
    return next((prices[p] for p in sorted(prices, key=lambda p: (-len(p), p)) if fnmatchcase(model, p)), None)
