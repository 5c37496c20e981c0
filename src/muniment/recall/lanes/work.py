"""The lane of what was done: tool calls, their results, and what the harness noted, by the words as they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.model.text_index import phrase
from muniment.recall.lanes.contract import Question, Ranked, Reach

_CAP, _BEST = 40, 3
_WORDS = 4
"""The rarest words of a question that are looked for; in tools' output common ones stand everywhere."""


class WorkLane:
    """Calls and results that hold the rarest words of the question."""

    name = "work"

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:  # noqa: ARG002 - it finds by itself
        """The best of them with their score, as the full-text engine gives it (BM25)."""
        sought = reach.rarest("work", " ".join(term.forms[0] for term in question.terms), _WORDS)
        hits = reach.work(sought, _CAP) if sought else []
        return Ranked(dict(hits), is_sure=bool(hits) and self._is_sure(question, reach, hits))

    def _is_sure(self, question: Question, reach: Reach, hits: Sequence[tuple[int, float]]) -> bool:
        """Are a few words all that is asked? Does one of the best hold every word, or what shows by its shape that it is a name?"""
        if question.is_keywords:
            return True
        named = [sought for name in question.named if not name.istitle() and (sought := phrase(name))]
        forms = [[sought for form in term.forms if (sought := phrase(form))] for term in question.terms]
        every = " AND ".join(f"({' OR '.join(one)})" for one in forms if one)
        return any(reach.holds_work(n, sought) for n, _ in hits[:_BEST] for sought in (*named, every) if sought)
