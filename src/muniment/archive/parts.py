"""Tool calls and results of an event as one small JSON text. Strings stay in the event's text: here are their spans."""

from __future__ import annotations

import json
from typing import Any

from muniment.model.event import Action, Argument, Call, Result, Span

_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode  # json.dumps would make one at every call


def encode(calls: tuple[Call, ...], results: tuple[Result, ...]) -> str | None:
    """The JSON text, or None if there is nothing to keep."""
    if not calls and not results:
        return None
    parts: dict[str, Any] = {}
    if calls:
        parts["calls"] = [[c.call_id, c.tool, str(c.action), dict(c.args)] for c in calls]
    if results:
        parts["results"] = [list(r) for r in results]
    return _encode(parts)


def decode(text: str | None) -> tuple[tuple[Call, ...], tuple[Result, ...]]:
    """The calls and results that `encode` was given."""
    if not text:
        return (), ()
    parts = json.loads(text)
    calls = tuple(
        Call(i, tool, Action(action), {k: _argument(v) for k, v in args.items()})
        for i, tool, action, args in parts.get("calls", ())
    )
    results = tuple(Result(i, Span(*span), *rest) for i, span, *rest in parts.get("results", ()))
    return calls, results


def _argument(value: Any) -> Argument:
    return Span(*value) if isinstance(value, list) else value
