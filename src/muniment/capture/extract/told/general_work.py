"""What a clause tells of the work: tools, choices, likes, what is made, what binds it and how it goes, the first that it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import (
    general_choices,
    general_habits,
    general_likes,
    general_project,
    general_tools,
    general_turns,
    signs,
)
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Told


def read(clause: Clause, here: list[Told]) -> Iterator[Told]:
    """What a clause tells of the work, beside what stands in `here`."""
    over = list(general_turns.no_more(clause))
    yield from over
    if over or (signs.is_barred(clause) and not _given(clause)):
        return
    if not clause.asks and not here and _ONLY_SO.search(clause.low):
        ruled = list(general_habits.habitual(clause))
        if ruled:
            yield from ruled
            return
    families = {t.family for t in here}
    tools = list(general_tools.read(clause)) if "decision" not in families and "preference" not in families else []
    yield from (
        t for t in tools if not any(t.start < o.end and o.start < t.end and o.family != "identity" for o in here)
    )
    if clause.asks or families & {"procedure", "decision", "preference", "project", "remember", "correction"}:
        late = [] if clause.asks else list(general_turns.dated(clause))
        yield from (
            t
            for t in (*general_project.budget(clause), *late[:1])
            if not any(t.start < o.end and o.start < t.end for o in here)
        )
        return
    if families & {"stack", "identity"} or any(t.family == "stack" for t in tools):
        yield from general_project.budget(clause)
        return
    yield from _one(clause)


_ONLY_SO: Final = re.compile(r"\b(?:is|are|gets?|get|may|must|can) (?:only ever|always|never|only) (?:be )?\w+")


def _given(clause: Clause) -> bool:
    return general_choices.GIVEN_UP.match(clause.low) is not None and not signs.is_temporary(clause.low)


def _one(clause: Clause) -> Iterator[Told]:
    """The first kind of statement that a clause is."""
    for kind in (
        general_choices.given_up,
        general_project.labelled,
        general_turns.decided,
        general_choices.taken,
        general_likes.liked,
        general_likes.suits,
        general_project.made,
        general_project.budget,
        general_habits.ruled,
        general_project.bound,
        general_habits.habitual,
        general_turns.dated,
        general_project.valued,
        general_project.stated,
    ):
        told = list(kind(clause))
        if told:
            yield from told
            return
