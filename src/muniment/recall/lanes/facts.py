"""The lane of facts: what is still true, by its words. A fact that is no longer open is not in it."""

from __future__ import annotations

from collections.abc import Iterable

from muniment.recall.lanes.contract import Question, Ranked, Reach, Scores

_CAP = 60
_WORDS = 12
"""Words that are looked for, the rarest of the question and their forms."""


class FactLane:
    """Events whose open facts hold the question's words."""

    name = "facts"

    def __init__(self, *, is_told_read: bool = True) -> None:
        """`is_told_read`: also what is drawn from a person's turn in its own words. Where turns are searched as well it says
        what they say, and would count twice."""
        self._is_told_read = is_told_read

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:  # noqa: ARG002 - it finds by itself
        """The best fact of each event, with its score as the full-text engine gives it (BM25)."""
        words = " ".join(form for term in question.terms for form in term.forms)
        sought = reach.rarest("fact", words, _WORDS)
        scores, facts = Scores(), dict[int, int]()
        for event, fact, score in reach.facts_with(sought, _CAP, told=self._is_told_read) if sought else ():
            if score > scores.get(event, 0.0):
                scores[event], facts[event] = score, fact
        return Ranked(scores, facts=facts)
