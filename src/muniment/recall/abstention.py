"""Does this store know anything of what is asked? A calibrated signal, from how the question's words are spread in it.

How well the best turn matches says little: a question about something else still finds turns that share its common words.
What tells is familiarity: whether its words, the long ones above all, are words that this store uses, and whether all that
it names was named here before. The signals are put together by logistic regression, with weights fitted on development data
(docs/explanation/search.md).

The floor is about *foreign* questions. One about a matter that is discussed, but for a detail that is not, looks like any
other to it. Such a question is not refused: a second signal, which asks how well its least supported word stands among the
others, lowers the confidence, and its unknown words are named (recall/doubt.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from muniment.recall import doubt
from muniment.recall.lanes.contract import Group, Looked, Question

FLOOR: Final = -1.3
"""Where the signal is lower, nothing is said to be found: about 2 % of what could be answered is lost."""
SIGNAL_VERSION: Final = 2
"""Goes up when a change of the signal makes floors and counts of before mean something else."""
WEIGHTS: Final[Mapping[str, float]] = {
    "familiar_person": 6.98, "familiar": 1.17, "covered": 4.86, "pairs": 1.43, "pairs_sum": 2.32, "names": 2.42,
    "strange": -3.01, "bias": -3.95,
}  # fmt: skip
DETAILS: Final[Mapping[str, float]] = {"familiar_person": 12.51, "familiar": 3.84, "together": 1.88, "bias": -4.78}
"""The second signal: no near miss was among what its weights were fitted on."""
_ENOUGH = 1.0
"""A store that knows the matter so well can still lack the detail: more of the first signal says nothing of that."""
_NO_PAIR = 0.25
_MOST_PAIRS = 8.0
_MOST_STRANGE = 3
_UNSPACED = "\u2e80"


def signals(words: Looked) -> dict[str, float]:
    """What the decision is made of, each about 0 to 1; the words that keep talk going are left out of it."""
    groups = [g for g in words.groups if g.is_topic] or words.groups
    pairs = [math.log1p(count) for count in words.pairs]
    return {
        "familiar_person": _familiar(groups, [g.spread.person for g in groups], words.person),
        "familiar": _familiar(groups, [g.spread.uses for g in groups], words.uses),
        "covered": words.best_share * math.log1p(len(groups)) / 3,
        "pairs": sum(pairs) / len(pairs) / 3 if pairs else _NO_PAIR,
        "pairs_sum": min(_MOST_PAIRS, sum(pairs)) / _MOST_PAIRS,
        "names": _known([g for g in words.groups if g.is_name]),
        "strange": min(_MOST_STRANGE, sum(_is_strange(g) for g in groups)) / _MOST_STRANGE,
        "together": words.together,
        "bias": 1.0,
    }


def signal(found: Mapping[str, float], weights: Mapping[str, float] = WEIGHTS) -> float:
    """The log-odds that the store can answer."""
    return sum(weight * found[name] for name, weight in weights.items())


def confidence(found: Mapping[str, float]) -> float:
    """How likely the store holds what is asked, by both signals, as a probability."""
    both = (min(signal(found), _ENOUGH) + signal(found, DETAILS)) / 2
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, both))))


def is_judged(question: Question) -> bool:
    """Does the floor apply? A few words are taken as they are, and a context is no question."""
    return not (question.is_keywords or question.is_context)


def refusal(question: Question, words: Looked, found: Mapping[str, float], floor: float = FLOOR) -> str | None:
    """Why nothing should be shown, or None. A few words that stand in the store are always looked for."""
    groups = [g for g in words.groups if g.is_topic]
    if not groups and question.ranges and words.turns:
        return None  # it asks of a time alone
    groups = groups or words.groups
    if all(not g.spread.turns for g in groups) and not words.held:
        return "no word of the question stands in this store" if groups else "the question has no words to look for"
    if not is_judged(question) or signal(found) >= floor:
        return None
    named = doubt.told(doubt.unknown(question, words))
    return f"this store does not seem to know what is asked{f'; {named}' if named else ''}"


def _known(names: Sequence[Group]) -> float:
    """Is all that is named known here? A name that is not is only a strange word: the rest may well be answered."""
    return float(bool(names) and all(g.spread.turns for g in names))


def _is_strange(group: Group) -> bool:
    """Does a word stand nowhere? Of a script without spaces, pairs of characters are no words."""
    return not group.spread.turns and group.words[0][:1] < _UNSPACED


def _familiar(groups: Sequence[Group], counts: Sequence[int], among: int) -> float:
    """How common the words are here, longer words weighing more."""
    lengths = [max(map(len, g.stems)) for g in groups]
    told = sum(length * math.log1p(count) for length, count in zip(lengths, counts, strict=True))
    return told / (sum(lengths) * math.log1p(among)) if among and lengths else 0.0
