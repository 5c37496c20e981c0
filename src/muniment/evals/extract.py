"""How right the structural extractors are: each draft from a labelled item is held against the labels.

    python -m muniment.evals.extract [--labels FILE] [--write]

A draft is right when an expected one has the same event, predicate, subject, value, context, anchor and witness; every
draft that nobody expected counts against its method, on whatever item. The interval is Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from muniment.capture.extract import registry
from muniment.errors import UsageError
from muniment.evals import report as reports
from muniment.evals import told
from muniment.model.event import Action, Argument, Call, Origin, Result, Role, Span
from muniment.model.fact import Archived, Draft

BAR = 0.80
"""The precision from which a method may write."""

LABELS = Path("benchmarks/extract/labels.jsonl")
"""Where the labelled sample stands in a checkout."""

_Z = 1.959963984540054
_METHODS = Path(registry.__file__).with_name("methods.json")


@dataclass(slots=True)
class Calls:
    """The window over one item: all its events are of one session."""

    events: Sequence[Archived]

    def call(self, call_id: str) -> tuple[Archived, Call] | None:
        """The event that made this call."""
        return next(((event, c) for event in self.events for c in event.calls if c.call_id == call_id), None)

    def result(self, call_id: str) -> tuple[Archived, Result] | None:
        """The event that answered it."""
        return next(((event, r) for event in self.events for r in event.results if r.call_id == call_id), None)


def events_of(item: Mapping[str, Any]) -> list[Archived]:
    """The events of a labelled item, as the archive would hold them."""
    return [_archived(item, seq, row) for seq, row in enumerate(item["events"])]


def _archived(item: Mapping[str, Any], seq: int, row: Mapping[str, Any]) -> Archived:
    return Archived(
        uid=_uid(item, seq),
        session=item["id"],
        seq=seq,
        harness=item["harness"],
        role=Role(row["role"]),
        origin=Origin(row["origin"]),
        kind=row["kind"],
        text=row["text"],
        order_at=f"2026-01-01T00:00:{seq % 60:02}.000Z",
        cwd=row.get("cwd"),
        root=row.get("root"),
        calls=tuple(_call(call) for call in row.get("calls", ())),
        results=tuple(_result(result) for result in row.get("results", ())),
        flags=tuple(row.get("flags", ())),
        masked=row.get("masked", False),
    )


def _uid(item: Mapping[str, Any], seq: int) -> bytes:
    return f"{item['source']}/{item['id']}/{seq}".encode()


def _call(row: Mapping[str, Any]) -> Call:
    args: dict[str, Argument] = {
        name: Span(*value) if isinstance(value, list) else value for name, value in row["args"].items()
    }
    return Call(row["id"], row.get("tool", row["action"]), Action(row["action"]), args)


def _result(row: Mapping[str, Any]) -> Result:
    known = {name: row.get(name) for name in ("ok", "exit_code", "duration_ms", "sha256")}
    return Result(row["id"], Span(*row["span"]), **known)


Key = tuple[object, ...]
_MEASURED_ELSEWHERE = ("told.", "said.")
"""What reads sentences has samples of its own."""


def drawn(item: Mapping[str, Any]) -> Iterator[tuple[str, Key]]:
    """The method and the key of each draft of an item."""
    events = events_of(item)
    for seq, event in enumerate(events):
        for extractor, draft in registry.draw(event, Calls(events)):
            if extractor.name.startswith(_MEASURED_ELSEWHERE):
                continue
            yield f"{extractor.name}@{extractor.version}", _key(seq, draft)


def expected(item: Mapping[str, Any]) -> Iterator[tuple[str, Key]]:
    """The method and the key of each draft that the labels expect."""
    methods = {predicate: f"{e.name}@{e.version}" for e in registry.EXTRACTORS for predicate in e.predicates}
    for row in item["expected"]:
        value = tuple(row["object"]) if "object" in row else row["literal"]
        witness = _uid(item, row["witness"]) if "witness" in row else None
        key = (row["event"], row["predicate"], tuple(row["subject"]), value, row.get("context", ""))
        yield methods[row["predicate"]], (*key, row.get("anchor"), witness)


def _key(seq: int, draft: Draft) -> Key:
    value = draft.literal if draft.object is None else tuple(draft.object)
    return (seq, draft.predicate, tuple(draft.subject), value, draft.context, draft.anchor, draft.witness)


@dataclass(slots=True)
class Tally:
    """Counts of one method: right, wrong and missed drafts, and the items that were labelled for it."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, other: Tally) -> None:
        """Take another tally's counts in."""
        self.right, self.wrong, self.missed = (
            self.right + other.right,
            self.wrong + other.wrong,
            self.missed + other.missed,
        )

    @property
    def drawn(self) -> int:
        """How many drafts there were."""
        return self.right + self.wrong

    @property
    def precision(self) -> float | None:
        """Right drafts among the drawn, None without any."""
        return round(self.right / self.drawn, 4) if self.drawn else None

    @property
    def recall(self) -> float | None:
        """Right drafts among the expected, None without any."""
        known = self.right + self.missed
        return round(self.right / known, 4) if known else None


@dataclass(slots=True)
class Count:
    """The tallies of one method, real and scripted items apart."""

    real: Tally = field(default_factory=Tally)
    scripted: Tally = field(default_factory=Tally)


def wilson(right: int, sample: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not sample:
        return 0.0, 1.0
    share, square = right / sample, _Z * _Z
    middle = share + square / (2 * sample)
    spread = _Z * math.sqrt(share * (1 - share) / sample + square / (4 * sample * sample))
    low, high = ((middle + sign * spread) / (1 + square / sample) for sign in (-1, 1))
    return round(max(0.0, low), 4), round(min(1.0, high), 4)


def measure(labels: Path) -> dict[str, dict[str, Any]]:
    """Precision, interval and recall of every method over the label file."""
    counts = {f"{e.name}@{e.version}": Count() for e in registry.EXTRACTORS}
    for line in labels.read_text("utf-8").splitlines():
        item = json.loads(line)
        for method, tally in _tallies(item).items():
            (counts[method].real if item["source"] == "real" else counts[method].scripted).add(tally)
    return {method: _row(count) for method, count in counts.items()}


def _tallies(item: Mapping[str, Any]) -> dict[str, Tally]:
    got, want = Counter(drawn(item)), Counter(expected(item))
    found: dict[str, Tally] = {}
    for (method, _), number in (got & want).items():
        found.setdefault(method, Tally()).right += number
    for (method, _), number in (got - want).items():
        found.setdefault(method, Tally()).wrong += number
    for (method, _), number in (want - got).items():
        found.setdefault(method, Tally()).missed += number
    return found


def _row(count: Count) -> dict[str, Any]:
    both = Tally()
    both.add(count.real)
    both.add(count.scripted)
    low, high = wilson(both.right, both.drawn)
    precision = both.precision if both.precision is not None else 0.0
    return {
        "precision": precision,
        "interval_low": low,
        "interval_high": high,
        "sample": both.drawn,
        "recall": both.recall,
        "real": {"n": count.real.drawn, "precision": count.real.precision, "recall": count.real.recall},
        "scripted": {"n": count.scripted.drawn, "precision": count.scripted.precision, "recall": count.scripted.recall},
        "may_write": both.drawn > 0 and precision >= BAR,
    }


def misses(labels: Path) -> Iterator[str]:
    """One line for each draft too many (`+`) or too few (`-`)."""
    for line in labels.read_text("utf-8").splitlines():
        item = json.loads(line)
        got, want = Counter(drawn(item)), Counter(expected(item))
        yield from (f"+ {item['id']} {key}" for _, key in (got - want).elements())
        yield from (f"- {item['id']} {key}" for _, key in (want - got).elements())


def report(rows: Mapping[str, Mapping[str, Any]], out: TextIO) -> None:
    """Print the table."""
    out.write(
        f"{'method':26} {'n':>5} {'precision':>9} {'interval':>15} {'recall':>7} {'real':>12} {'scripted':>13}  may\n"
    )
    for method, row in rows.items():
        interval = f"{row['interval_low']:.3f}-{row['interval_high']:.3f}"
        real, scripted = (f"{row[kind]['n']}/{row[kind]['precision']}" for kind in ("real", "scripted"))
        out.write(f"{method:26} {row['sample']:5} {row['precision']:9.3f} {interval:>15} {row['recall']!s:>7}")
        out.write(f" {real:>12} {scripted:>13}  {'write' if row['may_write'] else 'propose'}\n")


def run(size: int = 0, data: Path | None = None) -> dict[str, Any]:
    """`bench extract`: pooled precision (with the low end of its interval) and recall, and each method's. `size` is unused."""
    labels = data or LABELS
    if not labels.is_file():
        raise UsageError(
            f"no labelled sample at {labels}", hint="give one: --data FILE, as in benchmarks/extract", about=str(labels)
        )
    if told.is_told(labels.read_text("utf-8").split("\n", 1)[0]):
        return told.run(size, labels)
    all_ = Tally()
    for line in labels.read_text("utf-8").splitlines():
        for tally in _tallies(json.loads(line)).values():
            all_.add(tally)
    low, _ = wilson(all_.right, all_.drawn)
    metrics = {"precision": all_.precision or 0.0, "precision_low": low, "recall": all_.recall or 0.0}
    for method, row in measure(labels).items():
        metrics |= {f"{method}_{k}": row[k] for k in ("precision", "interval_low", "sample") if row[k] is not None}
    return reports.report("extract", {"labels": labels.name, "size": size}, metrics)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and with `--write` put the figures beside the extractors."""
    parser = argparse.ArgumentParser(prog="python -m muniment.evals.extract", description="measure the extractors")
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--write", action="store_true", help="write methods.json")
    options = parser.parse_args(arguments)
    rows = measure(options.labels)
    report(rows, sys.stdout)
    for line in misses(options.labels):
        sys.stdout.write(line[:300] + "\n")
    if options.write:
        _METHODS.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
