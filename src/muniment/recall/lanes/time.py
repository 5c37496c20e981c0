"""The lane of time: what was said within the times that a question names.

A range weighs like a word that only the turns within it hold: "in May 2023" tells much where little was said then.
"""

from __future__ import annotations

from collections.abc import Iterable

from muniment.recall.lanes.contract import Question, Range, Ranked, Reach, Scores
from muniment.recall.lanes.words import tells

_WEIGHT = 1.5
_CAP = 2_000
"""Turns of one range; a range that holds more tells next to nothing."""
_YEARS = 12
"""Years back in which the same days are looked for where the question names no year."""


class TimeLane:
    """Turns said when the question asks about."""

    name = "time"

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:  # noqa: ARG002 - it finds by itself
        """Every turn of each range; those in several ranges add up."""
        scores = Scores()
        turns = reach.extent()[0] if question.ranges else 0
        for each in question.ranges:
            events = list(dict.fromkeys(e for r in _years(each) for e in reach.said_between(r.since, r.until, _CAP)))
            told = _WEIGHT * tells(turns, len(events)) if 0 < len(events) < _CAP else 0.0
            for event in events if told else ():
                scores[event] = scores.get(event, 0.0) + told
        return Ranked(scores)


def _years(each: Range) -> list[Range]:
    """The range, and the same days of earlier years if no year was named. Texts of times compare as times do."""
    back = range(_YEARS) if each.is_year_open else range(1)
    return [Range(_earlier(each.since, n), _earlier(each.until, n), False) for n in back]


def _earlier(at: str, years: int) -> str:
    return f"{max(int(at[:4]) - years, 0):04d}{at[4:]}"
