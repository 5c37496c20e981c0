"""The figures of a run for a person's eyes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from muniment.evals.recall.tally import BUDGETS

_COLUMNS = ("recall_at_1", "recall_at_5", "recall_at_10", "recall_at_50", "hit_at_10", "all_at_10", "mrr", "ndcg_at_10")
_SESSIONS = ("session_recall_at_5", "session_hit_at_5")
_LINES = {
    "abstention": ("abstain_auc", "foreign_n", "lost_at_floor", "refused_foreign_at_floor", "near_miss_auc",
                   "refused_near_miss_at_floor"),
    "truth": ("current_before_stale", "current_before_stale_n", "update_undecidable_n", "both_sides_at_10", "both_sides_at_10_n"),
    "cost": ("tokens_mean", "tokens_p95", "search_p50_ms", "search_p90_ms", "search_p99_ms", "ingest_turns_per_s", "seconds"),
}  # fmt: skip
Numbers = Mapping[str, float]


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """What was measured on what, then the table, then the rest; figures in percent where they are shares."""
    told, numbers = found["parameters"], found["metrics"]
    yield ", ".join(f"{name} {value}" for name, value in told.items() if name != "history" and value not in ([], False))
    yield from _table(numbers)
    for title, names in _LINES.items():
        if shown := [f"{name} {numbers[name]:g}" for name in names if name in numbers]:
            yield f"{title:<11} {', '.join(shown)}"
    yield from _budgets(numbers)
    yield from _history(told.get("history", ()))


def _table(numbers: Numbers) -> Iterator[str]:
    yield f"{'':24} {'n':>5} " + " ".join(f"{name.replace('_at_', '@'):>10}" for name in _COLUMNS)
    yield _row("all", numbers.get("questions"), numbers, "")
    if "recall_at_10_low" in numbers:
        low, high = numbers["recall_at_10_low"], numbers["recall_at_10_high"]
        yield f"{'':24} recall@10 lies between {100 * low:.1f} and {100 * high:.1f} (95 %)"
    for name in numbers:
        category = name.removesuffix("_n")
        if name != category and f"{category}_recall_at_10" in numbers and not category.startswith(("bm25_", "grep_")):
            yield _row(category, numbers[name], numbers, f"{category}_")
    for method in ("bm25", "grep"):
        if f"{method}_recall_at_10" in numbers:
            yield _row(f"baseline {method}", numbers.get("questions"), numbers, f"{method}_")
    yield f"{'sessions':<24} " + ", ".join(f"{n} {100 * numbers[n]:.1f}" for n in _SESSIONS if n in numbers)


def _row(title: str, count: float | None, numbers: Numbers, prefix: str) -> str:
    cells = (numbers.get(f"{prefix}{name}") for name in _COLUMNS)
    shown = " ".join(f"{'' if cell is None else f'{100 * cell:.1f}':>10}" for cell in cells)
    return f"{title:<24} {count or 0:5.0f} {shown}".rstrip()


def _budgets(numbers: Numbers) -> Iterator[str]:
    if f"budget_{BUDGETS[0]}_recall" not in numbers:
        return
    yield f"{'bytes':>8} {'recall':>8} {'tokens':>8}   {'whole turns: recall':>20} {'tokens':>8}"
    for budget in BUDGETS:
        ours, whole = f"budget_{budget}", f"whole_{budget}"
        cells = f"{100 * numbers[f'{ours}_recall']:8.1f} {numbers[f'{ours}_tokens']:8.0f}"
        yield f"{budget:8} {cells}   {100 * numbers[f'{whole}_recall']:20.1f} {numbers[f'{whole}_tokens']:8.0f}"


def _history(runs: Any) -> Iterator[str]:
    for each in runs:
        figures = each["metrics"]
        shares = ", ".join(f"{name.replace('_at_', '@')} {100 * figures[name]:.1f}" for name in ("recall_at_10", "mrr"))
        yield f"{each['at']}  {each['version']:<10} {figures['questions']:.0f} questions, {shares}"
