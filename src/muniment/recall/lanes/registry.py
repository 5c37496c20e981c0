"""The lanes of a search, in the order in which they are asked: those that only weigh come last."""

from __future__ import annotations

from muniment.recall.lanes.contract import Lane
from muniment.recall.lanes.entity import EntityLane
from muniment.recall.lanes.facts import FactLane
from muniment.recall.lanes.prior import PriorLane
from muniment.recall.lanes.said import SaidLane
from muniment.recall.lanes.time import TimeLane
from muniment.recall.lanes.work import WorkLane

LANES: tuple[Lane, ...] = (SaidLane(), TimeLane(), FactLane(is_told_read=False), EntityLane(), WorkLane(), PriorLane())
