"""The verbs `wake`, `handoff` and `timeline`, and rows as Markdown: what views show, gathered from the store."""

from __future__ import annotations

import os
from collections.abc import Callable

from muniment.engine import hot, waking
from muniment.engine.core import Engine
from muniment.engine.doing import timeline
from muniment.engine.handing import HANDOFF_BUDGET, Handoff
from muniment.errors import NotFoundError, UsageError
from muniment.model.time import from_ms, local, to_ms
from muniment.recall.answer import Answer
from muniment.storage.sqlite.hot import Reads
from muniment.views import markdown as lists
from muniment.views.wake import FORMS, render

__all__ = ["HANDOFF_BUDGET", "WAKE_BUDGET", "handoff", "markdown", "timeline", "timeline_text", "wake"]

WAKE_BUDGET = hot.BUDGET


def wake(engine: Engine, budget: int = WAKE_BUDGET, form: str = "list") -> str:
    """What a new session should know, framed as quoted records, in at most `budget` bytes; empty where nothing fits."""
    _demand_form(form)
    store, now, told = engine.store(), to_ms(engine.now()), _told(engine)
    with store.reading():
        view = waking.Wake(Reads(store.db.db), now, told, _mark(engine))
        places = hot.purpose_places(os.fspath(engine.path.parent), engine.workspace.root)
        head = view.header(engine.workspace.name, waking.purposes(places, told))
        return render(head, view.sections(), budget, form)


def handoff(engine: Engine, budget: int = HANDOFF_BUDGET, form: str = "list", session: str | None = None) -> str:
    """What a session leaves to the next one: task, state, decisions, files, open loops and next steps, in the same frame.

    Of the last session unless one is named; NotFoundError if there is none.
    """
    _demand_form(form)
    store, now, told = engine.store(), to_ms(engine.now()), _told(engine)
    with store.reading():
        found = Reads(store.db.db).last_session(now, waking.OWN, session)
        if found is None:
            raise NotFoundError(
                f"no session {session!r}" if session else "no session was read yet",
                hint="`muniment timeline` lists those of a day; `muniment index` reads transcripts", about=session or "",
            )  # fmt: skip
        view = Handoff(store, now, told, _mark(engine), found)
        return render(view.header(engine.workspace.name), view.sections(), budget, form)


def markdown(answer: Answer) -> str:
    """The rows of an answer as a Markdown list with receipts. The budget was kept by the rows, not by this form."""
    left = f"{answer.left_out}{'' if answer.left_out_is_exact else '+'} more" if answer.left_out else ""
    return lists.listing((found.row for found in answer.found), left)


def timeline_text(engine: Engine, when: str | None = None, budget: int | None = None) -> str:
    """`timeline` as text alone; without a time, today's."""
    return timeline(engine, when or "today", budget).text


def _told(engine: Engine) -> Callable[[int], str]:
    """Times in the reader's zone."""
    return lambda ms: local(from_ms(ms), engine.settings.zone)


def _mark(engine: Engine) -> Callable[[int, str, int], str | None]:
    """How files stand now."""
    freshness, store = engine.freshness(), engine.store()
    freshness.begin(store)
    return lambda path, anchor, ms: freshness.mark(store, path, anchor, ms)


def _demand_form(form: str) -> None:
    if form not in FORMS:
        raise UsageError(f"unknown form {form!r}", hint=f"forms: {', '.join(FORMS)}", about=form)
