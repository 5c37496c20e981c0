"""The views `trace` and `touched`: who did what when, and who touched a file, across sessions and work trees."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from muniment.engine.asking import naming
from muniment.engine.core import Engine
from muniment.engine.covering import coverage
from muniment.engine.doing import ACT_CAP, SessionActs
from muniment.errors import NotFoundError, UsageError
from muniment.model import selector
from muniment.model.activity import Act, Span
from muniment.model.entity import path_key
from muniment.model.event import Action
from muniment.model.expression import parse_range
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.scope import workspace_of_record
from muniment.model.stored import StoredFact
from muniment.model.trace import Told
from muniment.model.tracing import Deed, Touch, Touched, Trace
from muniment.storage.sqlite.activity import ActivityTable
from muniment.views import tracing as view

VERBS = ("touched", "read", "predicted_write", "moved_by")
ACTIONS = (*map(str, Action), "prompt", "command")
TOUCH_CAP = 1000
"""Touches that are shown; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Who:
    """Whose deeds are asked for; None is everybody's. Names may be globs, and case does not count."""

    agent: str | None = None
    session: str | None = None
    action: str | None = None
    tool: str | None = None

    def includes(self, span: Span) -> bool:
        """Is a session asked for: by its harness, its agent or the agent's role, and by its name or the beginning of it?"""
        names = (span.harness, span.agent, span.agent_role)
        is_agent = self.agent is None or any(_fits(name, self.agent) for name in names)
        return is_agent and (self.session is None or _begins(span.id, self.session))

    def did(self, act: Act) -> bool:
        """Is an act asked for?"""
        is_action = self.action is None or self.action in (act.action, act.kind)
        return is_action and (self.tool is None or _fits(act.tool, self.tool))


def trace(engine: Engine, when: str = "today", who: Who = Who(), budget: int | None = None) -> Trace:
    """What was done in the time that `when` names, in the order of time over all sessions, within `budget` bytes.

    NotFoundError if no session of any time is of that agent or has that name.
    """
    _demand_budget(budget)
    if who.action is not None and who.action not in ACTIONS:
        raise UsageError(f"unknown action {who.action!r}", hint=f"actions: {', '.join(ACTIONS)}", about=who.action)
    start, end = parse_range(when, engine.now(), engine.settings.zone)
    store = engine.store()
    with store.reading():
        spans = _asked_for(store, who)
        active = [s for s in spans if s.first_at < end and s.last_at >= start]
        deeds, left_out = _deeds(store, active, who, start, end)
        word, reasons = coverage(engine, start, end)
    sessions = len({deed.session for deed in deeds})
    told = Trace(when, start, end, deeds, sessions, word, reasons, left_out)
    text, lines = view.trace(told, engine.settings.zone, budget)
    return replace(told, text=text, lines_left_out=lines)


def _asked_for(store: Store, who: Who) -> list[Span]:
    spans = ActivityTable(store.db).spans()
    found = [span for span in spans if who.includes(span)]
    if not found and (who.agent or who.session):
        known = sorted({name for s in spans for name in (s.harness, s.agent, s.agent_role) if name})
        hint = f"agents here: {', '.join(known[:20])}" if who.session is None else "`muniment timeline` lists sessions"
        raise NotFoundError("nobody here is called that", hint=hint, about=who.session or who.agent or "")
    return found


def _deeds(store: Store, spans: list[Span], who: Who, start: str, end: str) -> tuple[tuple[Deed, ...], int]:
    """The deeds of these sessions in the order of time, and how many were beyond the cap."""
    table = ActivityTable(store.db)
    cap = max(ACT_CAP // max(len(spans), 1), 5)
    stretches = [SessionActs(store, table, span, cap).stretch(start, end) for span in spans]
    deeds = [_deed(s.session, act) for s in stretches for act in s.acts if who.did(act)]
    deeds.sort(key=lambda deed: (deed.at, deed.session))  # stable: acts of one session keep their order
    return tuple(deeds), sum(s.left_out for s in stretches)


def _deed(span: Span, act: Act) -> Deed:
    return Deed(
        act.at, span.id, span.harness, span.agent, span.agent_role, span.parent, act.kind, act.tool, act.action, act.text,
        act.outcome, act.exit_code, act.duration_ms, act.is_elapsed, act.receipt, act.origin,
    )  # fmt: skip


# --- files ------------------------------------------------------------


def touched(engine: Engine, path: str, when: str | None = None, budget: int | None = None) -> Touched:
    """Who read, wrote or moved the file that `path` names (or those of a glob), the newest first.

    A path within a work tree is one file in all work trees of the repository. NotFoundError if nobody touched it.
    """
    _demand_budget(budget)
    if not path.strip():
        raise UsageError("which file?", hint="muniment view touched src/app.py", about="touched")
    bounds = parse_range(when, engine.now(), engine.settings.zone) if when is not None else None
    store = engine.store()
    with store.reading():
        numbers = naming(engine)("path", _value(engine, path))
        facts = store.facts.numbered(store.traces.touches(numbers, VERBS)).values()
        sessions = {told.id: told for told in store.traces.sessions()}
        found = sorted(_touches(facts, sessions, bounds), key=lambda t: (t.at, t.id), reverse=True)
    if not found:
        hint = "`muniment query 'p:touched path:src/**'` shows what was written"
        raise NotFoundError(f"nobody touched {path}", hint=hint, about=path)
    told = Touched(
        path, tuple(found[:TOUCH_CAP]), len({t.path for t in found}), len({t.session for t in found}),
        len({t.folder for t in found if t.folder}), max(len(found) - TOUCH_CAP, 0),
    )  # fmt: skip
    text, lines = view.touched(told, engine.settings.zone, budget)
    return replace(told, text=text, lines_left_out=lines)


def _touches(facts: Iterable[StoredFact], sessions: dict[str, Told], bounds: tuple[str, str] | None) -> Iterator[Touch]:
    for fact in facts:
        row = fact.row
        if bounds is not None and not bounds[0] <= row.observed_at < bounds[1]:
            continue
        who = sessions.get(fact.session)
        path = row.subject.key if row.predicate == "moved_by" else row.value
        yield Touch(
            row.observed_at, row.predicate, path, fact.session, who.harness if who else "", who.agent if who else None,
            who.agent_role if who else None, who.parent if who else None, (who.root or who.cwd) if who else None,
            row.context, row.anchor, f"{fact.session}:{fact.seq}@{row.span_start}-{row.span_end}", show(row.id),
        )  # fmt: skip


def _value(engine: Engine, path: str) -> selector.Value:
    """A path as a selector has it; one in another work tree of the repository is the same file as here."""
    there = workspace_of_record(os.path.dirname(path)) if os.path.isabs(path) else None
    if there is not None and there.id == engine.workspace.id:
        path = path_key(path, there.root, there.root)
    return selector.Value(path, any(mark in path for mark in "*?["))


# --- pieces ------------------------------------------------------------


def _demand_budget(budget: int | None) -> None:
    if budget is not None and budget < 0:
        raise UsageError(f"a budget cannot be negative: {budget}", hint="0 gives no text")


def _fits(name: str | None, pattern: str) -> bool:
    return name is not None and fnmatchcase(name.casefold(), pattern.casefold())


def _begins(session: str, asked: str) -> bool:
    """A session, its sub-agents, or a beginning of its name that nobody types to the end."""
    return session.startswith(asked) or fnmatchcase(session.casefold(), asked.casefold())
