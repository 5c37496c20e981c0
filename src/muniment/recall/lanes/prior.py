"""The lane of the prior: of what other lanes found, the newer is likelier to be meant. It finds nothing by itself."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from muniment.recall.lanes.contract import Question, Ranked, Reach

_WEIGHED = 50
"""The likeliest of what was found: so small a weight changes nothing further down."""


class PriorLane:
    """What was found, the latest first."""

    name = "prior"

    def rank(self, question: Question, reach: Reach, found: Iterable[int] = ()) -> Ranked:  # noqa: ARG002 - whatever is asked
        """A share between 0 and 1 by place in time among what was found, so that it reads no clock."""
        positions = reach.positions(islice(found, _WEIGHED))
        times = {event: position.order_at for event, position in positions.items()}
        places = {at: place for place, at in enumerate(sorted(set(times.values())), 1)}
        return Ranked({event: places[at] / len(places) for event, at in times.items()})
