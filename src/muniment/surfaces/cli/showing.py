"""`wake`, `handoff`, `timeline`: views as text."""

from __future__ import annotations

from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation


def wake(run: Invocation) -> int:
    """What a new session should know: exactly these bytes."""
    from muniment.engine import viewing

    return _view(run, "wake", viewing.wake(run.engine, run.words.budget, _form(run)))


def handoff(run: Invocation) -> int:
    """What a session leaves to the next one: exactly these bytes."""
    from muniment.engine import viewing

    return _view(run, "handoff", viewing.handoff(run.engine, run.words.budget, _form(run), run.words.session))


def _form(run: Invocation) -> str:
    return "md" if run.words.md else "rows" if run.words.rows else "list"


def _view(run: Invocation, name: str, text: str) -> int:
    if run.json:
        output.record({"view": name, "budget": run.words.budget, "bytes": len(text.encode()), "text": text})
    else:
        output.data(text)
    if not text:
        output.say(f"muniment: {run.words.budget} bytes have no room for the frame; give a larger --budget")
    return output.OK


def timeline(run: Invocation) -> int:
    """What was going on then: sessions, what was asked and done, and how complete that is."""
    from muniment.engine import viewing

    told = viewing.timeline(run.engine, run.words.at or "today", run.words.budget)
    if run.json:
        output.record(output.plain(told))
    else:
        output.data(told.text)
    say_where_nothing_fits(told.text, run.words.budget)
    return output.OK


def say_where_nothing_fits(text: str, budget: int | None) -> None:
    """An empty view must never look like one of an empty time."""
    if not text:
        output.say(f"muniment: not even the first line fits in {budget} bytes; ask with a larger --budget")
