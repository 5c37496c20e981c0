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
    lanes: dict[int, dict[str, tuple[int, float]]] = {}
    total: Scores = {}
    for lane, scores in ranked.items():
        shares = _by_place if method == "rrf" else _by_score
        order = _ordered(scores, tie)
        for place, (event, share) in enumerate(zip(order, shares(lane, order, ranked), strict=True), 1):
            total[event] = total.get(event, 0.0) + weights[lane] * share
            lanes.setdefault(event, {})[lane] = (place, scores[event])
    return [Candidate(event, total[event], lanes[event]) for event in _ordered(total, tie)]


def _ordered(scores: Scores, tie: Tie) -> list[int]:
    """Best first. Sorting twice keeps the order of equals and calls `tie` alone."""
    return sorted(sorted(scores, key=tie), key=scores.__getitem__, reverse=True)


def _by_place(_: str, order: Sequence[int], __: Mapping[str, Scores]) -> Iterable[float]:
    return (1 / (RRF_K + place) for place in range(1, len(order) + 1))


def _by_score(lane: str, order: Sequence[int], ranked: Mapping[str, Scores]) -> Iterable[float]:
    """The share of the best that is counted in nats; in other lanes, where a score stands between nothing (or, below it,
    the least) and the best of its lane."""
    scores = ranked[lane]
    if lane in IN_NATS:
        best = _best(ranked)
        return [scores[event] / best for event in order]
    low, high = (min(0.0, scores[order[-1]]), scores[order[0]]) if order else (0.0, 0.0)
    return [(scores[event] - low) / (high - low) if high > low else 0.0 for event in order]


def _best(ranked: Mapping[str, Scores]) -> float:
    in_nats = [max(scores.values()) for lane, scores in ranked.items() if lane in IN_NATS and scores]
    return max(in_nats, default=0.0) or 1.0


def together(parts: Sequence[Sequence[Candidate]], tie: Tie) -> list[Candidate]:
    """A compound question: the ranking of the whole, in which what its parts find too gains a little."""
    found: dict[int, Candidate] = {}
    for weight, ranking in zip((1.0, *[_PART] * len(parts)), parts, strict=False):
        best = ranking[0].score if ranking and ranking[0].score > 0 else 1.0
        for each in ranking:
            candidate = found.setdefault(each.event, Candidate(each.event, 0.0, each.lanes))
            candidate.score += weight * each.score / best
    return sorted(found.values(), key=lambda c: (-c.score, tie(c.event)))
