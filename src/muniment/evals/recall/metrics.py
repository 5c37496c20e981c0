"""Figures over ranked lists. Words: recall is the share of what is relevant that was found, hit is 1 if any of it was,
all is 1 if all of it was; each within the first k. They differ where a question needs more than one turn.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

KS = (1, 5, 10, 20, 50)
DEPTH = max(KS)
SESSION_KS = (1, 5, 10)
_NDCG = 10
_ROUNDS, _SEED = 1_000, 7

Row = dict[str, float]


def of_question(order: Sequence[str], gold: frozenset[str]) -> Row:
    """Every figure of one question over its ranked turns."""
    ranks = [rank for rank, id_ in enumerate(order, 1) if id_ in gold]
    row: Row = {}
    for k in KS:
        found = sum(rank <= k for rank in ranks)
        row |= {f"recall_at_{k}": found / len(gold), f"hit_at_{k}": float(found > 0)}
        row[f"all_at_{k}"] = float(found == len(gold))
    row["mrr"] = 1 / ranks[0] if ranks else 0.0
    ideal = sum(1 / math.log2(n + 2) for n in range(min(_NDCG, len(gold))))
    row["ndcg_at_10"] = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= _NDCG) / ideal
    return row


def of_sessions(order: Sequence[str], gold: frozenset[str]) -> Row:
    """The same of sessions, each ranked by its best turn."""
    row: Row = {}
    for k in SESSION_KS:
        found = len(gold.intersection(order[:k]))
        row |= {f"session_recall_at_{k}": found / len(gold), f"session_hit_at_{k}": float(found > 0)}
        row[f"session_all_at_{k}"] = float(found == len(gold))
    return row


def means(rows: Sequence[Row]) -> Row:
    """The mean of every figure over the questions that have it."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: mean([row[name] for row in rows if name in row]) for name in names}


def mean(values: Sequence[float]) -> float:
    """Zero of none."""
    return math.fsum(values) / len(values) if values else 0.0


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, by bootstrap: a thousand rounds from one seed."""
    dice = random.Random(_SEED)
    found = sorted(mean(dice.choices(values, k=len(values))) for _ in range(_ROUNDS))
    return found[int(0.025 * _ROUNDS)], found[int(0.975 * _ROUNDS) - 1]


def auc(found: Sequence[float], missing: Sequence[float]) -> float | None:
    """How likely an answerable question has a higher signal than one without an answer; a tie counts half."""
    if not found or not missing:
        return None
    low = sorted(missing)
    wins = sum(bisect_left(low, value) + bisect_right(low, value) for value in found)
    return wins / (2 * len(found) * len(missing))


def of_roles(order: Sequence[str], roles: Mapping[str, frozenset[str]], category: str, k: int = 10) -> Row:
    """What the order does to an update (is the current statement before the stale one, where both are found) and to a
    contradiction (are both sides found). An update of which one and the same turn is labelled as both says nothing."""
    if category == "knowledge_update" and _is_undecidable(roles):
        return {"update_undecidable": 1.0}
    best = {
        part: min((order.index(i) for i in ids if i in order), default=len(order) + k)
        for part, ids in roles.items()
        if ids
    }
    if category == "knowledge_update" and {"original_info", "updated_info"} <= best.keys():
        new, old = best["updated_info"], best["original_info"]
        found = {"update_undecidable": 0.0}
        found |= {"update_both_at_10": float(max(new, old) < k), "update_current_at_10": float(new < k)}
        return found | ({"current_before_stale": float(new < old)} if max(new, old) < k else {})
    if category == "contradiction_resolution" and len(best) > 1:
        return {"both_sides_at_10": float(max(best.values()) < k)}
    return {}


def _is_undecidable(roles: Mapping[str, frozenset[str]]) -> bool:
    """Is a turn labelled as what holds now and as what held before?"""
    return bool(roles.get("updated_info", frozenset()) & roles.get("original_info", frozenset()))
