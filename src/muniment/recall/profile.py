"""The profile of `get`: how well a statement fits a few words, in five parts that are added up.

    keyword      40 %   of what the words tell together, the share that stands in the statement, its subject or topic
    tags         25 %   the share of the words that stand in its tags
    confidence   15 %   confirmed 1, suspect 0.5, hypothesis 0.4
    recency      10 %   2 ** (-age / half-life), of its newest evidence; being read makes nothing newer
    use          10 %   1 - 2 ** (-uses / 4): how often it was returned, opened or led to success; a failure takes one away

It stands apart from `search`, which looks for what was said and goes by lanes that are measured against labelled questions;
the words are read as search reads them, and candidates come from its lanes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from muniment.model.rank import OCCURRENCE_HALF_LIFE_MS, STATE_HALF_LIFE_MS

WEIGHTS: Mapping[str, float] = {"keyword": 0.40, "tags": 0.25, "confidence": 0.15, "recency": 0.10, "use": 0.10}
CONFIDENCE: Mapping[str, float] = {"confirmed": 1.0, "suspect": 0.5, "hypothesis": 0.4}
_USES = 4.0


@dataclass(frozen=True, slots=True)
class Fit:
    """What a statement is looked at by: the words of it and of its tags, its standing, its age and its uses."""

    words: Collection[str]
    tags: Collection[str]
    standing: str
    age_ms: int
    is_state: bool
    uses: int


Asked = Mapping[tuple[str, ...], float]
"""The words that are looked for, each in all its forms, with what it tells."""


def parts(asked: Asked, fit: Fit) -> dict[str, float]:
    """Each part between 0 and 1."""
    half_life = STATE_HALF_LIFE_MS if fit.is_state else OCCURRENCE_HALF_LIFE_MS
    return {
        "keyword": _share(asked, fit.words),
        "tags": _share(dict.fromkeys(asked, 1.0), fit.tags),
        "confidence": CONFIDENCE.get(fit.standing, 0.0),
        "recency": 2.0 ** (-max(0, fit.age_ms) / half_life),
        "use": 1.0 - 2.0 ** (-max(0, fit.uses) / _USES),
    }


def score(found: Mapping[str, float]) -> float:
    """All parts together, between 0 and 1."""
    return sum(weight * found[name] for name, weight in WEIGHTS.items())


def is_found(found: Mapping[str, float]) -> bool:
    """Do the words lead to it at all? The other parts only order what is found."""
    return found["keyword"] > 0 or found["tags"] > 0


def _share(asked: Asked, words: Collection[str]) -> float:
    whole = sum(asked.values())
    met = sum(weight for word, weight in asked.items() if any(form in words for form in word))
    return met / whole if whole else 0.0


def rarity(turns: int, holding: int) -> float:
    """What a word tells that stands in so many of the turns."""
    return math.log2(2.0 + turns / (1.0 + holding))
