"""The rank as a stored order key.

w = role_weight * (1 + rung) * precision * 2^(-age / lambda). Taking log2, the part that depends on the reader's clock is
the same for all facts of one lambda, so `log2(role_weight * (1 + rung) * precision) + newest / lambda` orders facts at
every moment and can stand under an index. Keys are integers in millionths of a halving.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

MICRO = 1_000_000
DAY_MS = 86_400_000
OCCURRENCE_HALF_LIFE_MS = 7 * DAY_MS
STATE_HALF_LIFE_MS = 180 * DAY_MS
ROLE_WEIGHT: Mapping[str, float] = {"user": 1.0, "tool": 0.8, "assistant": 0.5, "harness": 0.2}
_LEAST_PRECISION = 0.01

LIGHTEST = round(MICRO * math.log2(ROLE_WEIGHT["harness"] * _LEAST_PRECISION))
HEAVIEST = 2 * MICRO
"""No weight lies outside [LIGHTEST, HEAVIEST]: a time range is therefore also a range of keys."""


def weight_key(role: str, rung: int, precision: float) -> int:
    """The part of the key that does not depend on time."""
    return round(MICRO * math.log2(ROLE_WEIGHT[role] * (1 + rung) * max(precision, _LEAST_PRECISION)))


def time_key(ms: int, is_state: bool) -> int:
    """The part of the key that an instant (epoch milliseconds) gives; exact integer arithmetic."""
    return ms * MICRO // (STATE_HALF_LIFE_MS if is_state else OCCURRENCE_HALF_LIFE_MS)
