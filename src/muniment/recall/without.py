"""What a search can be made to do without, to measure what each part brings: one name, one switch.

A lane is not asked. A weight of the said lane is put where it changes nothing. Something that the question was found to be is
taken for not found. `parts` and `order` are left out where they are done, in `ranking` and in the engine's search.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from muniment.errors import UsageError
from muniment.recall.lanes.contract import Lane, Question
from muniment.recall.lanes.said import WEIGHTS, SaidLane

LANES: Final = ("said", "time", "facts", "entity", "work", "prior", "dense")
_WEIGHTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "context": {"before": (), "after": ()},
    "speaker": {"other_speaker": 1.0, "not_user": 1.0},
    "asks": {"asks": 1.0},
    "wishes": {"wishes": 1.0},
    "adjacent": {"side_by_side": 0.0},
    "session": {"session": 0.0},
    "length": {"k1": (1.2, 1.2, 0.0)},
}
_READINGS: Final[Mapping[str, Callable[[Question], Question]]] = {
    "light": lambda q: replace(q, terms=tuple(term._replace(weight=1.0) for term in q.terms)),
    "characters": lambda q: replace(q, by_character=False),
    "many": lambda q: replace(q, wants_many=False),
}
STEPS: Final = ("parts", "order")
NAMES: Final = (*LANES, *_WEIGHTS, *_READINGS, *STEPS)


def demand(names: Iterable[str]) -> None:
    """UsageError that names the first of these which is no part of a search."""
    for name in names:
        if name not in NAMES:
            raise UsageError(f"a search has no part {name!r}", hint="without: " + ", ".join(NAMES), about=name)


def lanes(every: Sequence[Lane], names: Collection[str]) -> tuple[Lane, ...]:
    """The lanes that are left, the said lane with the weights that are left."""
    off = [_WEIGHTS[name] for name in _WEIGHTS if name in names]
    weights = replace(WEIGHTS, **{field: value for each in off for field, value in each.items()})
    kept = (lane for lane in every if lane.name not in names)
    return tuple(SaidLane(weights) if off and lane.name == SaidLane.name else lane for lane in kept)


def questions(every: Sequence[Question], names: Collection[str]) -> list[Question]:
    """The questions as they are read without these parts."""
    kept = list(every[:1] if "parts" in names else every)
    for name, reading in _READINGS.items():
        if name in names:
            kept = [reading(question) for question in kept]
    return kept
