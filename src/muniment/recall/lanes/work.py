"""The lane of what was done: tool calls, their results, and what the harness noted, by the words as they stand."""

from __future__ import annotations

from collections.abc import Iterable

from muniment.recall.lanes.contract import Question, Ranked, Reach

_CAP = 40
_WORDS = 4
"""The rarest words of a question that are looked for; in tools' output common ones stand everywhere."""


class WorkLane:
    """Calls and results that hold the rarest words of the question."""

    name = "work"

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:  # noqa: ARG002 - it finds by itself
        """The best of them with their score, as the full-text engine gives it (BM25)."""
        expression = reach.rarest("work", " ".join(term.forms[0] for term in question.terms), _WORDS)
        return Ranked(dict(reach.work(expression, _CAP))) if expression else Ranked()
