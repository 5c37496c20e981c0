"""Source turns beside the hits of an answer, under three caps.

A hit may be offered turns that explain it: the turn that a fact was drawn from, the reply to a turn that only asks. An offer is
taken if it is worth its bytes: its share of the best score is high enough, it is not shown already, and no cap is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from muniment.model.receipt import event_of


@dataclass(frozen=True, slots=True)
class Caps:
    """What limits decoration: the least share of the best score, turns of one hit, turns of one answer."""

    turn_min_score: float = 0.2
    turns_per_fact: int = 2
    turns_total: int = 12


CAPS = Caps()


class Offer(NamedTuple):
    """A turn that could stand beside a hit: its receipt, and its score as a share (0 to 1) of the best hit's."""

    receipt: str
    share: float


class Offered(NamedTuple):
    """A hit by its receipt, with what it is offered."""

    receipt: str
    offers: Sequence[Offer]


def decorate(hits: Iterable[Offered], caps: Caps = CAPS) -> list[tuple[str, ...]]:
    """For every hit, best first, the receipts of the turns to show with it, the best first; no turn is shown twice."""
    listed = list(hits)
    shown = {event_of(hit.receipt) for hit in listed}
    taken: list[tuple[str, ...]] = []
    left = caps.turns_total
    for hit in listed:
        found = _worthwhile(hit.offers, shown, min(caps.turns_per_fact, left), caps.turn_min_score)
        shown.update(event_of(receipt) for receipt in found)
        left -= len(found)
        taken.append(found)
    return taken


def _worthwhile(offers: Sequence[Offer], shown: set[str], count: int, least: float) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for offer in sorted(offers, key=lambda offer: (-offer.share, offer.receipt)):
        event = event_of(offer.receipt)
        if offer.share >= least and event not in shown and event not in found and len(found) < count:
            found[event] = offer.receipt
    return tuple(found.values())
