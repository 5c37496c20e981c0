"""`view NAME`: projections of the archive. `wake`, `handoff` and `timeline` are commands of their own as well."""

from __future__ import annotations

import os

from muniment.errors import ScopeError
from muniment.surfaces.cli import caller, output, showing
from muniment.surfaces.cli.invocation import Invocation

_WORDS = ("what", "at", "agent", "session", "action", "tool", "by", "everywhere")


def view(run: Invocation) -> int:
    """One projection, as text or as an object."""
    from muniment.engine import projecting

    words = run.words
    if words.everywhere and (run.config.caller is not None or caller.agent_around(os.environ)):
        message = "what other projects spent is not for an agent of this one"
        raise ScopeError(message, hint="leave out --everywhere, or let the person ask", about="--everywhere")
    told = projecting.project(run.engine, words.name, words.budget, {word: getattr(words, word) for word in _WORDS})
    if run.json:
        output.record(output.plain(told))
    else:
        output.data(told.text)
    showing.say_where_nothing_fits(told.text, told.budget if isinstance(told, projecting.Text) else words.budget)
    return output.OK
