"""`wake`, `timeline`: views as text."""

from __future__ import annotations

from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation


def wake(run: Invocation) -> int:
    """What a new session should know: exactly these bytes."""
    from muniment.engine import viewing

    text = viewing.wake(run.engine, run.words.budget)
    if run.json:
        output.record({"view": "wake", "budget": run.words.budget, "bytes": len(text.encode()), "text": text})
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
    return output.OK
