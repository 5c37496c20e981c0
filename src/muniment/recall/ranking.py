"""From a question to one ranking: each part through every lane, fused; then the parts together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any, NamedTuple

from muniment.recall import abstention, fusion
from muniment.recall import without as leaving
from muniment.recall.fusion import WEIGHTS, Candidate, Found, Method
from muniment.recall.lanes.contract import Lane, Looked, Question, Ranked, Reach, WeighedLane
from muniment.recall.lanes.registry import LANES
from muniment.recall.planning import Asked, read_question
from muniment.recall.reading import questions

_TIED = 1_000
"""Events of one score that are told apart by when they happened; of more, those archived first come first."""
_SPREAD_OVER = 50
_SPREAD_WITHIN = 3
_SPREAD = 0.9
"""A question for several things: a turn this near to one that is already chosen is worth this share of itself."""


@dataclass(slots=True)
class Ranking:
    """Candidates best first, and how they came about."""

    asked: Asked
    parts: Sequence[Question]
    candidates: list[Candidate]
    words: Looked | None = None
    """What the words of the whole question were found to be."""
    is_sure: bool = False
    """Is just what the question names known here, whatever its other words are?"""
    facts: dict[int, int] = field(default_factory=dict)
    """The fact that made a lane find an event."""
    signals: dict[str, float] = field(default_factory=dict)
    """What abstention looked at."""
    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)


def rank(  # noqa: PLR0913 - what was asked, and what it is asked of and by
    words: str, now: str, zone: tzinfo, reach: Reach, *, lanes: Sequence[Lane] = LANES, method: Method = "weighted",
    weights: Mapping[str, float] = WEIGHTS, dense: WeighedLane | None = None, without: Collection[str] = (),
) -> Ranking:  # fmt: skip
    """Rank everything that the question's words, names and times (and its meaning, with `dense`) lead to,
    but for the parts of a search that it is to do `without`."""
    asked = read_question(words)
    parts = leaving.questions(questions(asked, now, zone), without)
    made = Ranking(asked, parts, [])
    if dense is not None:
        lanes, weights = (*lanes, dense), {**weights, dense.name: dense.weight(parts[0])}
    lanes = leaving.lanes(lanes, without)
    fusing = _Fusing(_as_it_happened(reach), method, weights)
    rankings = [_of_part(part, reach, lanes, fusing, made) for part in parts]
    made.weights = weights
    made.candidates = rankings[0] if len(rankings) == 1 else fusion.together(rankings, fusing.tie)
    if made.words is not None:
        made.signals = abstention.signals(made.words)
    if parts[0].wants_many:
        made.candidates = _spread(made.candidates, reach)
    return made


class _Fusing(NamedTuple):
    """How lanes are fused."""

    tie: fusion.Tie
    method: Method
    weights: Mapping[str, float]


def _as_it_happened(reach: Reach) -> fusion.Tie:
    """What scores the same comes in the order in which it happened, whatever order it was archived in."""

    def keys(events: Sequence[int]) -> Mapping[int, Any]:
        return reach.positions(events) if len(events) <= _TIED else dict(zip(events, events, strict=True))

    return keys


def _of_part(
    part: Question, reach: Reach, lanes: Sequence[Lane], fusing: _Fusing, made: Ranking
) -> list[Candidate]:  # fmt: skip
    placed: dict[str, Found] = {}
    for lane in lanes:
        each = lane.rank(part, reach, _likely(placed, fusing))
        if each.scores:
            placed[lane.name] = Found(each.scores, fusing.tie)
        _take(each, made, is_whole=part is made.parts[0])
    return fusion.fused(placed, *fusing)


def _take(each: Ranked, made: Ranking, *, is_whole: bool) -> None:
    """What a lane found out beside its scores."""
    made.is_sure |= each.is_sure
    for event, fact in each.facts.items():
        made.facts.setdefault(event, fact)
    if is_whole and each.words is not None:
        made.words = each.words


def _likely(placed: Mapping[str, Found], fusing: _Fusing) -> Iterator[int]:
    """What was found so far, the likeliest first. Most lanes do not ask, and then nothing is worked out."""
    yield from fusion.likely(placed, *fusing) if placed else ()


def _spread(candidates: list[Candidate], reach: Reach) -> list[Candidate]:
    """The best first, each time lowering what stands close to it: several things stand in several places."""
    head, tail = candidates[:_SPREAD_OVER], candidates[_SPREAD_OVER:]
    turns, positions = reach.turns(c.event for c in head), reach.positions(c.event for c in head)
    order: list[Candidate] = []
    while head:
        best = min(head, key=lambda c: (-c.score, positions[c.event]))
        head.remove(best)
        order.append(best)
        place = turns.get(best.event)
        for each in head:
            other = turns.get(each.event)
            if place and other and place.session == other.session and abs(place.seq - other.seq) <= _SPREAD_WITHIN:
                each.score *= _SPREAD
    return order + tail
