"""`bench mine`: a few questions about one's own history, labelled once and asked again whenever one likes.

Labels and the figures of every run are two small files beside the workspace's store. They are this machine's alone: no
part of the memory, of an export or of the digest.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from muniment import Memory
from muniment.errors import NothingChangedError, UsageError
from muniment.evals.recall import loaders, own
from muniment.evals.recall.asking import place as event_of
from muniment.evals.report import report

LABELS, HISTORY = "questions.jsonl", "quality.jsonl"
_SHOWN = 10
_TOLD = 20
_KEPT_FIGURES = ("questions", "recall_at_10", "hit_at_10", "mrr")
Place = tuple[Path, Path, Path]
"""A folder of the project, the home, and the folder of the workspace's store."""


class Given(NamedTuple):
    """A label as a person gives it."""

    question: str
    relevant: Sequence[str]
    category: str | None = None


def run(
    size: int | None = None, data: Path | None = None, *, place: Place, question: str | None = None,
    relevant: Sequence[str] | None = None, category: str | None = None, progress: Callable[..., None] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Keep a label, if one is given; ask every labelled question; keep the figures, and tell them beside earlier ones."""
    if data is not None:
        raise UsageError(
            "bench mine has its own file", hint="bench recall --data FILE asks those of a file", about="--data"
        )
    if question is None and (relevant or category):
        raise UsageError("--relevant and --category belong to a --question", hint="give it", about="--question")
    if question is not None:
        keep(place, Given(question, relevant or (), category))
    labels = _labels(place)[:size]
    if not labels:
        hint = "bench mine --question TEXT --relevant RECEIPT labels one; at a terminal, bench mine asks for them"
        raise UsageError("there are no labelled questions yet", hint=hint, about=str(place[2] / LABELS))
    if progress is not None:
        progress(0, len(labels), "your questions")
    numbers, missing = own.measure(labels, place[:2])
    found = report("mine", {"labels": len(labels), "not_found": missing[:10]}, numbers)
    if size is None:
        _append(place[2] / HISTORY, _entry(found))
    found["parameters"]["history"] = _rows(place[2] / HISTORY)[-_TOLD:]
    return found


def candidates(place: Place, question: str) -> list[tuple[str, str]]:
    """The receipt and the preview of the first things found, the floor left aside."""
    with Memory.open(place[0], place[1]) as memory:
        found = memory.search(question, limit=_SHOWN, floor=False)
        return [(event_of(hit.receipt), hit.text) for hit in found]


def keep(place: Place, given: Given) -> int:
    """Add a label, its records named by receipt; how many questions there are then.

    NotFoundError if a record is not in the store, NothingChangedError if all of it was there.
    """
    label = loaders.label({"question": given.question, "relevant": list(given.relevant)})
    with Memory.open(place[0], place[1]) as memory:
        receipts = [event_of(memory.read(name).receipt) for name in label.relevant]
    known = next((known for known in _labels(place) if known.question == label.question), None)
    new = [r for r in dict.fromkeys(receipts) if known is None or r not in known.relevant]
    if not new:
        raise NothingChangedError("that label is there already", hint="bench mine asks it", about=label.question)
    row = {"question": label.question, "relevant": new, "category": given.category or "own"}
    _append(place[2] / LABELS, row)
    return len(_labels(place))


def questions(place: Place) -> list[str]:
    """The questions that are labelled so far."""
    return [label.question for label in _labels(place)]


def _labels(place: Place) -> list[loaders.Label]:
    """Every label; what was added to a question later is joined with it."""
    found: dict[str, loaders.Label] = {}
    for row in _rows(place[2] / LABELS):
        label = loaders.label(row)
        known = found.get(label.question)
        relevant = (*(known.relevant if known else ()), *label.relevant)
        found[label.question] = loaders.Label(label.question, relevant, known.category if known else label.category)
    return list(found.values())


def _entry(found: dict[str, Any]) -> dict[str, Any]:
    at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    figures = {name: found["metrics"][name] for name in _KEPT_FIGURES}
    return {"at": at, "version": found["version"], "metrics": figures}


def _rows(path: Path) -> list[dict[str, Any]]:
    """The lines of one of the two files; none if it is not there."""
    if not path.exists():
        return []
    rows = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            rows.append(json.loads(line))
        except ValueError as error:
            hint = "mend the line or remove it"
            raise UsageError(f"{path}, line {number}: {error}", hint=hint, about=f"{path}:{number}") from error
    return rows


def _append(path: Path, row: dict[str, Any]) -> None:
    """One line more, in one write: two runs at once do not tear each other's."""
    line = json.dumps(row, ensure_ascii=False, sort_keys=True).encode("utf-8", "replace") + b"\n"
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(number, line)
        os.fsync(number)
    finally:
        os.close(number)
