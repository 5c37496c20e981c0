"""What a run adds up to: rows of figures, by method and by category, and the numbers they come to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from muniment.evals.recall import metrics
from muniment.evals.recall.asking import Asked
from muniment.evals.recall.data import Question, Turn
from muniment.evals.report import share

BUDGETS = (1024, 2048, 4096, 8192, 16384)
_BY_CATEGORY = ("recall_at_10", "hit_at_10", "all_at_10", "mrr", "recall_at_50")
_WITH_INTERVAL = ("recall_at_10", "hit_at_10", "mrr")
_EXTRA = "adversarial"
"""LoCoMo's questions that name the wrong speaker on purpose: figures are told with and without them."""


@dataclass(slots=True)
class Method:
    """The rows of one way to search."""

    rows: list[tuple[str, metrics.Row]] = field(default_factory=list)

    def add(self, question: Question, order: Sequence[str], sessions: Mapping[str, str]) -> None:
        """One question's ranking, held against its labels."""
        row: metrics.Row = {}
        if question.gold:
            row |= metrics.of_question(order, question.gold)
            row |= metrics.of_roles(order, question.roles, question.category)
        gold = question.sessions or frozenset(sessions[id_] for id_ in question.gold)
        seen = list(dict.fromkeys(sessions[id_] for id_ in order))
        self.rows.append((question.category, row | metrics.of_sessions(seen, gold)))

    def numbers(self) -> dict[str, float]:
        """Means over all, the intervals of some, and the main ones by category."""
        all_ = [row for _, row in self.rows]
        out = metrics.means(all_) | self._counts(all_)
        for name in _WITH_INTERVAL:
            if values := [row[name] for row in all_ if name in row]:
                out[f"{name}_low"], out[f"{name}_high"] = metrics.interval(values)
        for category, rows in self._categories():
            means = metrics.means(rows)
            out[f"{category}_n"] = float(len(rows))
            out |= {f"{category}_{name}": means[name] for name in _BY_CATEGORY if name in means}
        return out

    def _counts(self, rows: Sequence[metrics.Row]) -> dict[str, float]:
        """How many questions stand behind the figures that are not about all of them."""
        names = ("current_before_stale", "both_sides_at_10")
        found = {f"{name}_n": float(sum(name in row for row in rows)) for name in names}
        found["update_undecidable_n"] = math.fsum(row.get("update_undecidable", 0.0) for row in rows)
        return {name: count for name, count in found.items() if count}

    def _categories(self) -> Iterator[tuple[str, list[metrics.Row]]]:
        names = sorted({category for category, _ in self.rows})
        for name in names if len(names) > 1 else ():
            yield name, [row for category, row in self.rows if category == name]
        if _EXTRA in names:
            yield f"without_{_EXTRA}", [row for category, row in self.rows if category != _EXTRA]


@dataclass(slots=True)
class Signals:
    """Which questions were answered, of those that have an answer and of those that have none."""

    own: list[Asked] = field(default_factory=list)
    foreign: list[Asked] = field(default_factory=list)
    near: list[Asked] = field(default_factory=list)

    def numbers(self) -> dict[str, float]:
        """How well the confidence tells them apart, and what the floor makes of it; and what an answer costs."""
        out = {"lost_at_floor": _refused(self.own)} if self.own else {}
        for name, area, asked in (("foreign", "abstain_auc", self.foreign), ("near_miss", "near_miss_auc", self.near)):
            found = metrics.auc(_confidences(self.own), _confidences(asked))
            if asked:
                out |= {f"{name}_n": float(len(asked)), f"refused_{name}_at_floor": _refused(asked)}
            if found is not None:
                out[area] = found
        return out | self._costs()

    def _costs(self) -> dict[str, float]:
        if not self.own:
            return {}
        ms, tokens = sorted(a.ms for a in self.own), sorted(a.tokens for a in self.own)
        times = {"search_p50_ms": share(ms, 0.5), "search_p90_ms": share(ms, 0.9), "search_p99_ms": share(ms, 0.99)}
        return times | {"tokens_mean": metrics.mean(tokens), "tokens_p95": share(tokens, 0.95)}


def _refused(asked: Sequence[Asked]) -> float:
    return metrics.mean([float(a.is_refused) for a in asked])


def _confidences(asked: Sequence[Asked]) -> list[float]:
    return [a.confidence for a in asked if a.confidence is not None]


@dataclass(slots=True)
class Budgets:
    """Recall against tokens: previews within a budget, beside the same ranking as whole turns."""

    rows: list[metrics.Row] = field(default_factory=list)

    def add(
        self, question: Question, order: Sequence[str], turns: Mapping[str, Turn], asked: Mapping[int, Asked]
    ) -> None:
        """One question at every budget. `order` is the ranking that whole turns are given out in."""
        row: metrics.Row = {}
        for budget, answer in asked.items():
            whole, size = packed(order, turns, budget)
            row[f"budget_{budget}_recall"] = _share(answer.order, question.gold)
            row[f"budget_{budget}_tokens"] = answer.tokens
            row[f"whole_{budget}_recall"] = _share(whole, question.gold)
            row[f"whole_{budget}_tokens"] = size / 4
        self.rows.append(row)

    def numbers(self) -> dict[str, float]:
        """Their means."""
        return metrics.means(self.rows)


def packed(order: Sequence[str], turns: Mapping[str, Turn], budget: int) -> tuple[list[str], int]:
    """The turns, best first, that a budget holds whole (one that is too long is passed over), and their bytes."""
    kept, size = [], 0
    for id_ in order:
        more = len(turns[id_].line.encode()) + 1
        if size + more <= budget:
            kept.append(id_)
            size += more
    return kept, size


def _share(order: Sequence[str], gold: frozenset[str]) -> float:
    return len(gold.intersection(order)) / len(gold)
