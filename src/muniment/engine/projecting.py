"""Views by name: what each takes, and its text within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from muniment.engine import spending, tracing, viewing
from muniment.engine.core import Engine
from muniment.errors import UsageError
from muniment.model.activity import Timeline
from muniment.model.tracing import Touched, Trace, Usage

Words = Mapping[str, Any]
"""What is said to a view, by name; None where nothing is."""

TAKEN: Mapping[str, tuple[str, ...]] = {
    "trace": ("at", "agent", "session", "action", "tool"),
    "touched": ("what", "at"),
    "usage": ("at", "by", "everywhere"),
    "wake": (),
    "handoff": ("session",),
    "timeline": ("at",),
    "rules": (),
}
"""The views, and which words each takes."""


class Text(NamedTuple):
    """A view that is nothing but text."""

    view: str
    budget: int
    bytes: int
    text: str


def project(engine: Engine, name: str, budget: int | None, words: Words) -> Any:
    """A view with all its values, its `text` among them.

    UsageError for a view that nobody knows, and for a word that it does not take.
    """
    if name not in TAKEN:
        raise UsageError(f"unknown view {name!r}", hint=f"views: {', '.join(TAKEN)}", about=name)
    odd = next((word for word, value in words.items() if value is not None and word not in TAKEN[name]), None)
    if odd is not None:
        taken = ", ".join(TAKEN[name]) or "nothing but a budget"
        raise UsageError(f"the view {name} takes no {odd}", hint=f"it takes {taken}", about=odd)
    return _VIEWS[name](engine, budget, words)


def text(engine: Engine, name: str, budget: int, words: Words) -> str:
    """The same as text alone."""
    return str(project(engine, name, budget, words).text)


def _trace(engine: Engine, budget: int | None, words: Words) -> Trace:
    who = tracing.Who(*(words.get(word) for word in ("agent", "session", "action", "tool")))
    return tracing.trace(engine, words.get("at") or "today", who, budget)


def _touched(engine: Engine, budget: int | None, words: Words) -> Touched:
    return tracing.touched(engine, words.get("what") or "", words.get("at"), budget)


def _usage(engine: Engine, budget: int | None, words: Words) -> Usage:
    by, everywhere = words.get("by") or spending.DEFAULT, bool(words.get("everywhere"))
    return spending.usage(engine, by, words.get("at"), budget, everywhere=everywhere)


def _wake(engine: Engine, budget: int | None, _: Words) -> Text:
    budget = viewing.WAKE_BUDGET if budget is None else budget
    told = viewing.wake(engine, budget)
    return Text("wake", budget, len(told.encode()), told)


def _handoff(engine: Engine, budget: int | None, words: Words) -> Text:
    budget = viewing.HANDOFF_BUDGET if budget is None else budget
    told = viewing.handoff(engine, budget, session=words.get("session"))
    return Text("handoff", budget, len(told.encode()), told)


def _timeline(engine: Engine, budget: int | None, words: Words) -> Timeline:
    return viewing.timeline(engine, words.get("at") or "today", budget)


def _rules(engine: Engine, budget: int | None, _: Words) -> Text:
    """What a person stated or accepted, as lines of an instruction file; whole lines, as many as fit."""
    from muniment.engine import ruling

    told, room = "", viewing.WAKE_BUDGET if budget is None else budget
    for rule in ruling.rules(engine):
        line = f"- {rule.text} <!-- {rule.short} -->\n"
        if len((told + line).encode()) > room:
            break
        told += line
    return Text("rules", room, len(told.encode()), told)


_VIEWS: Mapping[str, Callable[[Engine, int | None, Words], Any]] = {
    "trace": _trace, "touched": _touched, "usage": _usage, "wake": _wake, "handoff": _handoff, "timeline": _timeline,
    "rules": _rules,
}  # fmt: skip
