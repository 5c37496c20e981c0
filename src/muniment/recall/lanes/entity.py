"""The lane of names: what the question names exactly (a path, a ticket, a person), and the facts about it, one hop away."""

from __future__ import annotations

from collections.abc import Iterable

from muniment.recall.lanes.contract import Question, Ranked, Reach, Scores

_CAP = 20


class EntityLane:
    """Events with open facts about what the question names."""

    name = "entity"

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:  # noqa: ARG002 - it finds by itself
        """Newer facts about a name come before older ones; each further one tells less."""
        scores, facts = Scores(), dict[int, int]()
        for name in question.named:
            for place, (event, fact) in enumerate(reach.facts_about(name, _CAP)):
                scores[event] = scores.get(event, 0.0) + 1 / (1 + place)
                facts.setdefault(event, fact)
        return Ranked(scores, facts=facts, is_sure=bool(scores))
