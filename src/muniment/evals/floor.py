"""`bench floor`: what floors would lose and refuse on one's own memory, and which of them to set.

Labelled questions (`bench mine`, or a file of them) decide if there are enough; otherwise those that the memory itself provides
do, with what labels there are. Foreign ones are general questions that come with the program.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from muniment.errors import UsageError
from muniment.evals.recall import loaders, metrics, mine
from muniment.evals.report import report

MOST_LOST, ENOUGH_REFUSED = 0.03, 0.99
"""The share of answerable questions that a proposed floor may lose, and of foreign ones beyond which it goes no higher."""
LEAST = 30
"""Questions of each sort without which nothing is proposed; so many labels decide alone."""
_STEP, _ROWS = 0.25, 8
_FILE = Path(__file__).with_name("foreign.txt")


class Told(Protocol):
    """A question with its signal."""

    @property
    def kind(self) -> str:
        """label, asked, masked or foreign."""
        ...

    @property
    def signal(self) -> float:
        """In log-odds."""
        ...


def foreign_questions() -> list[str]:
    """The general questions that come with the program."""
    lines = _FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def labels(place: mine.Place, data: Path | None) -> list[str]:
    """The labelled questions of `bench mine`, or those of a file."""
    if data is None:
        return mine.questions(place)
    loaded = loaders.load(data)
    if not isinstance(loaded, list):
        hint = 'one JSON object a line: {"question": "...", "relevant": ["session:seq"]}'
        raise UsageError(f"{data} holds no questions of your own", hint=hint, about=str(data))
    return [label.question for label in loaded]


def run(
    size: int | None = None, data: Path | None = None, *, own: Sequence[Told], foreign: Sequence[Told],
    floor: float, shipped: float, more: Mapping[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The report: how well the signal parts both sorts, what floors would do, and the one that is proposed, if any is."""
    counts = Counter(told.kind for told in own)
    by_labels = counts["label"] >= LEAST
    judged = [told.signal for told in own if not by_labels or told.kind == "label"]
    others = [told.signal for told in foreign]
    numbers = {f"{kind}_n": float(counts[kind]) for kind in ("label", "asked", "masked")}
    numbers |= {"own_n": float(len(judged)), "foreign_n": float(len(others)), "floor": floor, "shipped_floor": shipped}
    area, chosen = metrics.auc(judged, others), proposed(judged, others)
    numbers |= {} if area is None else {"abstain_auc": area}
    named = {"floor": floor, "shipped": shipped} | ({} if chosen is None else {"proposed": chosen})
    for name, value in named.items():
        numbers |= {f"lost_at_{name}": below(judged, value), f"refused_foreign_at_{name}": below(others, value)}
    numbers |= {} if chosen is None else {"proposed_floor": chosen}
    told: dict[str, Any] = {"basis": "labels" if by_labels else "labels and built questions", **(more or {})}
    told["data"] = data.name if data else None
    told["table"] = [[f, below(judged, f), below(others, f)] for f in _around(floor if chosen is None else chosen)]
    return report("floor", told | ({} if size is None else {"size": size}), numbers)


def proposed(own: Sequence[float], foreign: Sequence[float]) -> float | None:
    """The highest floor that loses no more than it may, but none higher than it takes to refuse nearly all foreign ones."""
    if len(own) < LEAST or len(foreign) < LEAST:
        return None
    loses = sorted(own)[int(MOST_LOST * len(own))]
    refuses = sorted(foreign)[math.ceil(ENOUGH_REFUSED * len(foreign)) - 1] + 0.01
    return math.floor(min(loses, refuses) * 100) / 100


def below(signals: Sequence[float], floor: float) -> float:
    """The share that a floor refuses."""
    return metrics.mean([float(signal < floor) for signal in signals])


def _around(floor: float) -> list[float]:
    middle = round(floor / _STEP) * _STEP
    return [middle + n * _STEP for n in range(-_ROWS // 2, _ROWS // 2 + 1)]


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The report for a person's eyes."""
    numbers, told = found["metrics"], found["parameters"]
    kinds = ", ".join(f"{numbers[f'{kind}_n']:.0f} {kind}" for kind in ("label", "asked", "masked"))
    yield f"answerable   {numbers['own_n']:.0f} questions decide ({told['basis']}); there are {kinds}"
    yield f"foreign      {numbers['foreign_n']:.0f} general questions; left out: {told.get('left_out', 'none')}"
    if "abstain_auc" in numbers:
        yield f"signal       AUC {numbers['abstain_auc']:.3f}"
    yield f"{'floor':>12} {'lost':>7} {'refused':>8}"
    for floor, lost, refused in told["table"]:
        yield _row(f"{floor:.2f}", lost, refused)
    for name, title in (("shipped", "shipped_floor"), ("floor", "floor"), ("proposed", "proposed_floor")):
        if title in numbers:
            shares = numbers[f"lost_at_{name}"], numbers[f"refused_foreign_at_{name}"]
            yield _row(f"{numbers[title]:.2f}", *shares) + f"  {'in force' if name == 'floor' else name}"
    if "proposed_floor" not in numbers:
        yield f"nothing is proposed: it takes {LEAST} questions of each sort"


def _row(floor: str, lost: float, refused: float) -> str:
    return f"{floor:>12} {100 * lost:6.1f}% {100 * refused:7.1f}%"
