"""Does this store know anything of what is asked? A calibrated signal, from how the question's words are spread in it.

How well the best turn matches says little: a question about something else still finds turns that share its common words.
What tells is familiarity: whether its words, the long ones above all, are words that this store uses. The signals are put
together by logistic regression, with weights fitted on development data (docs/explanation/search.md).

This is about *foreign* questions. One about a matter that is discussed, but for a detail that is not, looks like any other;
its unknown words are named instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from muniment.recall.lanes.contract import Group, Looked, Question

FLOOR: Final = -1.35
"""Where the signal is lower, nothing is said to be found: about 3 % of what could be answered is lost."""
WEIGHTS: Final[Mapping[str, float]] = {
    "familiar_person": 8.11, "familiar": 3.21, "covered": 6.07, "pairs": 1.82, "pairs_sum": 2.01, "bias": -4.90
}  # fmt: skip
_NO_PAIR = 0.25
_MOST_PAIRS = 8.0


def signals(words: Looked) -> dict[str, float]:
    """What the decision is made of, each about 0 to 1; the words that keep talk going are left out of it."""
    groups = [g for g in words.groups if g.weight >= 1] or words.groups
    pairs = [math.log1p(count) for count in words.pairs]
    return {
        "familiar_person": _familiar(groups, [g.spread.person for g in groups], words.person),
        "familiar": _familiar(groups, [g.spread.uses for g in groups], words.uses),
        "covered": words.best_share * math.log1p(len(groups)) / 3,
        "pairs": sum(pairs) / len(pairs) / 3 if pairs else _NO_PAIR,
        "pairs_sum": min(_MOST_PAIRS, sum(pairs)) / _MOST_PAIRS,
        "bias": 1.0,
    }


def signal(found: Mapping[str, float], weights: Mapping[str, float] = WEIGHTS) -> float:
    """The log-odds that the store can answer."""
    return sum(weight * found[name] for name, weight in weights.items())


def confidence(found: Mapping[str, float]) -> float:
    """The signal as a probability."""
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, signal(found)))))


def refusal(question: Question, words: Looked, found: Mapping[str, float], floor: float = FLOOR) -> str | None:
    """Why nothing should be shown, or None. A few words that stand in the store are always looked for."""
    groups = [g for g in words.groups if g.weight >= 1] or words.groups
    if all(not g.spread.turns for g in groups):
        return "no word of the question stands in this store" if groups else "the question has no words to look for"
    if question.is_keywords or question.is_context or signal(found) >= floor:
        return None
    unknown = [g.words[0] for g in groups if not g.spread.turns]
    named = f"; it holds nothing of {', '.join(unknown)}" if unknown else ""
    return f"this store does not seem to know what is asked{named}"


def _familiar(groups: Sequence[Group], counts: Sequence[int], among: int) -> float:
    """How common the words are here, longer words weighing more."""
    lengths = [max(map(len, g.stems)) for g in groups]
    told = sum(length * math.log1p(count) for length, count in zip(lengths, counts, strict=True))
    return told / (sum(lengths) * math.log1p(among)) if among and lengths else 0.0
