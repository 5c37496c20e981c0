"""Fusion: many lanes, one ranking, and beside it what each lane thought.

Two ways, both kept. `weighted` adds up scores: lanes that count in nats (said, time) as they are, the others brought to
[0, 1] and given a share of the best. `rrf` is reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009) with k = 60, which
looks at places alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from muniment.errors import UsageError
from muniment.recall.lanes.contract import Scores

Tie = Callable[[Sequence[int]], Mapping[int, Any]]
"""What tells events apart that score the same: for each of them something to sort by."""
Method = Literal["weighted", "rrf"]
METHODS: Final[tuple[Method, ...]] = get_args(Method)
RRF_K = 60
WEIGHTS: Mapping[str, float] = {
    "said": 1.0, "time": 1.0, "facts": 0.2, "entity": 0.3, "work": 0.4, "prior": 0.001
}  # fmt: skip
"""What a lane adds: in nats for lanes that count so, else as a share of the best score."""
_PART = 0.1
"""What one part of a compound question weighs beside the whole."""
IN_NATS = frozenset({"said", "time"})


class Candidate:
    """An event that some lane found: its fused score, and each lane's rank and score."""

    __slots__ = ("_found", "_lanes", "event", "score")

    def __init__(self, event: int, score: float = 0.0, found: Mapping[str, Found] = MappingProxyType({})) -> None:
        self.event, self.score = event, score
        self._found = found
        self._lanes: dict[str, tuple[int, float]] | None = None

    @property
    def lanes(self) -> dict[str, tuple[int, float]]:
        """Worked out where it is looked at: most candidates are never shown."""
        if self._lanes is None:
            event = self.event
            self._lanes = {n: (f.place(event), f.scores[event]) for n, f in self._found.items() if event in f.scores}
        return self._lanes


class Found:
    """What one lane found: its scores, and the events in the order of these."""

    def __init__(self, scores: Scores, tie: Tie) -> None:
        self.scores = scores
        self.order = _ordered(scores, tie)

    def place(self, event: int) -> int:
        """Its place in the order, from 1."""
        return self._places[event]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {event: place for place, event in enumerate(self.order, 1)}


def demand(method: str) -> None:
    """UsageError unless it is a way of fusion."""
    if method not in METHODS:
        raise UsageError(f"unknown fusion {method!r}", hint="fusion: " + ", ".join(METHODS), about=method)


def fuse(
    ranked: Mapping[str, Scores], tie: Tie, method: Method = "weighted",
    weights: Mapping[str, float] = WEIGHTS,
) -> list[Candidate]:  # fmt: skip
    """All candidates, best first; equal scores by `tie`, which must tell any two events apart."""
    return fused({lane: Found(scores, tie) for lane, scores in ranked.items()}, tie, method, weights)


def fused(found: Mapping[str, Found], tie: Tie, method: Method, weights: Mapping[str, float]) -> list[Candidate]:
    """The same of what is in order already."""
    total = _totals(found, method, weights)
    return [Candidate(event, total[event], found) for event in _ordered(total, tie)]


def likely(found: Mapping[str, Found], tie: Tie, method: Method, weights: Mapping[str, float]) -> list[int]:
    """The events alone, best first."""
    return next(iter(found.values())).order if len(found) == 1 else _ordered(_totals(found, method, weights), tie)


def _totals(found: Mapping[str, Found], method: Method, weights: Mapping[str, float]) -> Scores:
    """What the lanes together give each event."""
    best = max((f.scores[f.order[0]] for lane, f in found.items() if lane in IN_NATS and f.order), default=0.0) or 1.0
    total: Scores = {}
    for lane, each in sorted(found.items(), key=lambda item: item[0]):  # sums of the same are the same to the last bit
        weight = weights[lane]
        shares = _by_place(each) if method == "rrf" else _by_score(each, best if lane in IN_NATS else None)
        for event, share in zip(each.order, shares, strict=True):
            total[event] = total.get(event, 0.0) + weight * share
    return total


def _ordered(scores: Scores, tie: Tie) -> list[int]:
    """Best first. Only what scores the same is asked what tells it apart."""
    ordered = sorted(sorted(scores), key=scores.__getitem__, reverse=True)
    if len(set(scores.values())) == len(scores):
        return ordered
    for start, end in _runs([scores[event] for event in ordered]):
        keys = tie(ordered[start:end])
        ordered[start:end] = sorted(ordered[start:end], key=keys.__getitem__)
    return ordered


def _runs(scores: Sequence[float]) -> list[tuple[int, int]]:
    """Where the same score stands more than once: [start, end) of each run."""
    found, start = list[tuple[int, int]](), 0
    for at in range(1, len(scores) + 1):
        if at == len(scores) or scores[at] != scores[start]:
            if at - start > 1:
                found.append((start, at))
            start = at
    return found


def _by_place(found: Found) -> list[float]:
    return [1 / (RRF_K + place) for place in range(1, len(found.order) + 1)]


def _by_score(found: Found, best: float | None) -> list[float]:
    """The share of the best that is counted in nats; in other lanes, where a score stands between nothing (or, below it,
    the least) and the best of its lane."""
    scores, order = found.scores, found.order
    if best is not None:
        return [scores[event] / best for event in order]
    low, high = (min(0.0, scores[order[-1]]), scores[order[0]]) if order else (0.0, 0.0)
    return [(scores[event] - low) / (high - low) if high > low else 0.0 for event in order]


def together(parts: Sequence[Sequence[Candidate]], tie: Tie) -> list[Candidate]:
    """A compound question: the ranking of the whole, in which what its parts find too gains a little."""
    found: dict[int, Candidate] = {}
    for weight, ranking in zip((1.0, *[_PART] * len(parts)), parts, strict=False):
        best = ranking[0].score if ranking and ranking[0].score > 0 else 1.0
        for each in ranking:
            gain = weight * each.score / best
            if each.event in found:
                found[each.event].score += gain
            else:
                each.score = gain
                found[each.event] = each
    return [found[event] for event in _ordered({event: c.score for event, c in found.items()}, tie)]
