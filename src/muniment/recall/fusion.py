"""Fusion: many lanes, one ranking, and beside it what each lane thought.

Two ways, both kept. `weighted` adds up scores: lanes that count in nats (said, time) as they are, the others brought to
[0, 1] and given a share of the best. `rrf` is reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009) with k = 60, which
looks at places alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from muniment.recall.lanes.contract import Scores

Tie = Callable[[int], Any]
Method = Literal["weighted", "rrf"]
RRF_K = 60
WEIGHTS: Mapping[str, float] = {
    "said": 1.0, "time": 1.0, "facts": 0.2, "entity": 0.3, "work": 0.4, "prior": 0.001
}  # fmt: skip
"""What a lane adds: in nats for lanes that count so, else as a share of the best score."""
_PART = 0.1
"""What one part of a compound question weighs beside the whole."""
IN_NATS = frozenset({"said", "time"})


@dataclass(slots=True)
class Candidate:
    """An event that some lane found: its fused score, and each lane's rank and score."""

    event: int
    score: float = 0.0
    lanes: dict[str, tuple[int, float]] = field(default_factory=dict)


def fuse(
    ranked: Mapping[str, Scores], tie: Tie, method: Method = "weighted",
    weights: Mapping[str, float] = WEIGHTS,
) -> list[Candidate]:  # fmt: skip
    """All candidates, best first; equal scores by `tie`, which must tell any two events apart."""
    found: dict[int, Candidate] = {}
    orders = {lane: _ordered(scores, tie) for lane, scores in ranked.items()}
    for lane, order in orders.items():
        for place, event in enumerate(order, 1):
            candidate = found.setdefault(event, Candidate(event))
            candidate.lanes[lane] = (place, ranked[lane][event])
    if method == "rrf":
        _by_place(found.values(), weights)
    else:
        _by_score(found.values(), ranked, weights)
    return sorted(found.values(), key=lambda c: (-c.score, tie(c.event)))


def _ordered(scores: Scores, tie: Tie) -> list[int]:
    return sorted(scores, key=lambda event: (-scores[event], tie(event)))


def _by_place(candidates: Iterable[Candidate], weights: Mapping[str, float]) -> None:
    for each in candidates:
        each.score = sum(weights[lane] / (RRF_K + place) for lane, (place, _) in each.lanes.items())


def _by_score(candidates: Iterable[Candidate], ranked: Mapping[str, Scores], weights: Mapping[str, float]) -> None:
    in_nats = [scores for lane, scores in ranked.items() if lane in IN_NATS]
    best = max((score for scores in in_nats for score in scores.values()), default=0.0) or 1.0
    ranges = {lane: _range(scores) for lane, scores in ranked.items() if lane not in IN_NATS}
    for each in candidates:
        for lane, (_, score) in each.lanes.items():
            share = score / best if lane in IN_NATS else _share(score, *ranges[lane])
            each.score += weights[lane] * share


def _range(scores: Scores) -> tuple[float, float]:
    return (min(scores.values()), max(scores.values())) if scores else (0.0, 0.0)


def _share(score: float, low: float, high: float) -> float:
    """Where a score stands between nothing (or, below it, the least) and the best of its lane."""
    low = min(low, 0.0)
    return (score - low) / (high - low) if high > low else 0.0


def together(parts: Sequence[Sequence[Candidate]], tie: Tie) -> list[Candidate]:
    """A compound question: the ranking of the whole, in which what its parts find too gains a little."""
    found: dict[int, Candidate] = {}
    for weight, ranking in zip((1.0, *[_PART] * len(parts)), parts, strict=False):
        best = ranking[0].score if ranking and ranking[0].score > 0 else 1.0
        for each in ranking:
            candidate = found.setdefault(each.event, Candidate(each.event, 0.0, each.lanes))
            candidate.score += weight * each.score / best
    return sorted(found.values(), key=lambda c: (-c.score, tie(c.event)))
