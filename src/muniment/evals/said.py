"""How right the readers of promises, answers and claims are: each draft of a labelled turn is held against its spans.

    python -m muniment.evals.said [FILE ...] [--write]

A draft is right when a label of its predicate shares half of the characters that both cover together; a label is met once,
one that is optional is passed over, and what no label expects counts as false. An item is held only against the predicates
that it was labelled for. The interval is Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment.capture.extract import registry
from muniment.evals.extract import BAR, Calls, Tally, wilson
from muniment.model.event import Kind, Origin, Role
from muniment.model.fact import Archived, Draft

Row = Mapping[str, Any]

LABELS = Path("benchmarks/talk/test.jsonl")
"""Where the labelled turns stand in a checkout; the figures that ship are those of the test."""
LEAST_REAL = 20
"""Labelled spans of turns that others wrote, in all splits, below which a method only proposes."""
ONLY_PROPOSED = frozenset({"asserted"})
"""That a sentence is a claim can be read; that it is true cannot."""
KINDS = ("transcripts", "chats", "written")
"""Where turns come from: agents' transcripts, chats of a public data set, our own pen."""
_METHODS = Path(registry.__file__).with_name("said.json")


def event_of(item: Row) -> Archived:
    """A labelled turn as the archive would hold it."""
    person = item["role"] == "user"
    role, origin = (Role.USER, Origin.PERSON) if person else (Role.ASSISTANT, Origin.MODEL)
    kind = Kind.PROMPT if person else Kind.REPLY
    return Archived(item["id"].encode(), "s", 0, "eval", role, origin, kind, item["text"], "2026-01-01T00:00:00.000Z")


def drawn(item: Row) -> list[Draft]:
    """What the readers make of a turn, of the predicates that it was labelled for."""
    event = event_of(item)
    found = [draft for reader in registry.SAID for draft in reader.draw(event, Calls([event]))]
    return [draft for draft in found if draft.predicate in item["labelled"]]


def kind_of(item: Row) -> str:
    """Where a turn comes from."""
    if item["origin"] == "written":
        return "written"
    return "chats" if item["origin"].startswith("BEAM") else "transcripts"


def _like(label: Row, draft: Draft) -> bool:
    start, end = max(label["start"], draft.span.start), min(label["end"], draft.span.end)
    union = max(label["end"], draft.span.end) - min(label["start"], draft.span.start)
    return bool(draft.predicate == label["predicate"] and 2 * (end - start) >= union)


@dataclass(slots=True)
class Held:
    """One turn held against its labels: by predicate the counts, and the words of what went wrong."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def of(self, predicate: str) -> Tally:
        """The counts of a predicate."""
        return self.tallies.setdefault(predicate, Tally())


def held(item: Row) -> Held:
    """Each label is met once; what meets an optional one, or one that is met, is passed over."""
    found, met = Held(), set[int]()
    for draft in drawn(item):
        fitting = [at for at, label in enumerate(item["spans"]) if _like(label, draft)]
        if not fitting:
            found.of(draft.predicate).wrong += 1
            found.wrong.append(f"+ {item['id']} {draft.predicate}: {draft.literal}")
        elif fitting[0] not in met and not item["spans"][fitting[0]].get("optional"):
            found.of(draft.predicate).right += 1
        met.update(fitting[:1])
    for at, label in enumerate(item["spans"]):
        if at not in met and not label.get("optional"):
            found.of(label["predicate"]).missed += 1
            found.wrong.append(f"- {item['id']} {label['predicate']}: {label['literal']}")
    return found


def load(files: Iterable[Path]) -> list[Row]:
    """The labelled turns of these files."""
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def real_spans(items: Iterable[Row]) -> Counter[str]:
    """How many spans others wrote, by predicate; optional ones aside."""
    spans = (span for item in items if kind_of(item) != "written" for span in item.get("spans", ()))
    return Counter(span["predicate"] for span in spans if not span.get("optional"))


def measure(items: Iterable[Row], real: Mapping[str, int]) -> dict[str, dict[str, Any]]:
    """Precision, interval and recall of every reader, pooled and by where the turns come from; `real` of `real_spans`."""
    counts = {reader.predicates[0]: {kind: Tally() for kind in KINDS} for reader in registry.SAID}
    for item in items:
        for predicate, tally in held(item).tallies.items():
            counts[predicate][kind_of(item)].add(tally)
    return {
        f"{e.name}@{e.version}": _row(e.predicates[0], counts[e.predicates[0]], real[e.predicates[0]])
        for e in registry.SAID
    }


def _row(predicate: str, count: Mapping[str, Tally], known: int) -> dict[str, Any]:
    all_, real = Tally(), Tally()
    for kind, tally in count.items():
        all_.add(tally)
        real.add(tally if kind != "written" else Tally())
    low, high = wilson(all_.right, all_.drawn)
    return {
        "precision": all_.precision or 0.0, "interval_low": low, "interval_high": high, "sample": all_.drawn,
        "recall": all_.recall, "real": _part(real), "scripted": _part(count["written"]),
        "transcripts": _part(count["transcripts"]), "chats": _part(count["chats"]), "real_spans": known,
        "may_write": (all_.precision or 0.0) >= BAR and known >= LEAST_REAL and predicate not in ONLY_PROPOSED,
    }  # fmt: skip


def _part(tally: Tally) -> dict[str, Any]:
    return {"n": tally.drawn, "precision": tally.precision, "recall": tally.recall}


def speed(items: Sequence[Row]) -> float:
    """Milliseconds that a turn costs at the median, signs and all."""
    return statistics.median(_cost(item) for item in items)


def _cost(item: Row) -> float:
    event, begun = event_of(item), time.perf_counter()
    for extractor in registry.suited(event):
        list(extractor.draw(event, Calls([event])))
    return (time.perf_counter() - begun) * 1000


def _lines(rows: Mapping[str, Row]) -> Iterator[str]:
    for method, row in rows.items():
        parts = " ".join(
            f"{k} {row[k]['n']}/{row[k]['precision']}/{row[k]['recall']}" for k in (*KINDS[:2], "scripted")
        )
        yield (
            f"{method:16} n {row['sample']:3} precision {row['precision']:.3f} ({row['interval_low']:.3f}-"
            f"{row['interval_high']:.3f}) recall {row['recall']}  {parts}  {'write' if row['may_write'] else 'propose'}"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and with `--write` put the figures beside the readers."""
    parser = argparse.ArgumentParser(
        prog="python -m muniment.evals.said", description="measure promises, answers, claims"
    )
    parser.add_argument("files", nargs="*", type=Path, default=[LABELS])
    parser.add_argument("--misses", action="store_true", help="print what is wrong or missing")
    parser.add_argument("--write", action="store_true", help="write said.json")
    options = parser.parse_args(arguments)
    items = load(options.files)
    rows = measure(items, real_spans(load(sorted(options.files[0].parent.glob("*.jsonl")))))
    told = [*_lines(rows), f"{speed(items):.3f} ms a turn at the median"]
    told += [line.replace("\n", " ") for item in items if options.misses for line in held(item).wrong]
    sys.stdout.write("\n".join(told) + "\n")
    if options.write:
        _METHODS.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
