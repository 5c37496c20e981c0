"""How right the readers of people's turns are: each draft of a labelled turn is held against its labels.

    python -m muniment.evals.told FILE ... [--write]

A draft meets a label where the family agrees (root of a tag, type or predicate), the words (the label's key stands in the
draft's literal, or the literal in the label's, with half of its key) and the polarity. A label is met once; a second draft
on it, or one on an optional label, is passed over; every other draft is false. The interval is Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from muniment import Memory
from muniment.evals import report as reports

Row = Mapping[str, Any]

BAR = 0.80
"""The precision from which a method may write."""
CATEGORIES = ("identity", "stack", "preference", "procedure", "project", "decision", "remember", "correction")
_TAGS: Mapping[str, frozenset[str]] = {
    "identity": frozenset({"identity"}),
    "stack": frozenset({"code", "infra", "tools"}),
    "preference": frozenset({"style", "code", "workflow", "tools", "identity"}),
    "procedure": frozenset({"workflow"}),
    "project": frozenset({"project"}),
    "decision": frozenset({"project"}),
}
_PREDICATES: Mapping[str, frozenset[str]] = {
    "identity": frozenset({"named", "is", "member_of", "located_in", "speaks"}),
    "stack": frozenset({"uses", "version_of", "runs_on", "depends_on", "owns"}),
    "preference": frozenset({"prefers", "avoids"}),
    "procedure": frozenset({"practises"}),
    "project": frozenset({"building", "migrating", "requires", "targets", "is", "owns"}),
    "decision": frozenset({"decided", "rejected", "because"}),
}
_NEGATIONS = frozenset(
    "not no never none nothing without avoid avoids avoiding stop dont don't doesn't isn't aren't won't can't cannot"
    " shouldn't mustn't didn't haven't hasn't wasn't nobody nor neither skip drop ban"
    " kein keine keinen keinem keiner nicht nie niemals ohne pas jamais sans aucun aucune nunca sin jamás ningún ninguna".split()
)
_NEIGHBOURS = frozenset({"preference", "procedure"})
_NEGATIVE_SIGNS = frozenset("不别没无勿非")
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['’]t)?")
_SPARE = {"identity": 8, "stack": 8}
_SPARE_ELSE = 25
_Z = 1.959963984540054


def is_told(line: str) -> bool:
    """Is this line of a sample a turn with what it tells?"""
    return '"facts"' in line and '"text"' in line and isinstance(json.loads(line).get("facts"), list)


# --- when a draft meets a label


def _tokens(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _holds(whole: Sequence[str], part: Sequence[str]) -> bool:
    size = len(part)
    return size > 0 and any(list(whole[at : at + size]) == list(part) for at in range(len(whole) - size + 1))


def _roots(row: Row) -> set[str]:
    return {str(tag).split(".", maxsplit=1)[0] for tag in row.get("tags") or ()}


def _same_family(label: Row, draft: Row) -> bool:
    category = label["category"]
    if category not in _TAGS or _roots(draft) & (_roots(label) | _TAGS[category]):
        return True
    if category in _NEIGHBOURS and draft["type"] in _NEIGHBOURS:
        return True
    return draft["predicate"] in _PREDICATES[category]


def _same_words(label: Row, draft: Row) -> bool:
    said, full, key = _tokens(draft["literal"]), _tokens(label["literal"]), _tokens(label["key"])
    if not said or len(said) > len(full) + _SPARE.get(label["category"], _SPARE_ELSE):
        return False
    return _holds(said, key) or (_holds(full, said) and 2 * len(set(said) & set(key)) >= len(set(key)))


def _negations(words: Sequence[str], key: Sequence[str]) -> int:
    """Words of negation up to the end of the key, or in all where the key does not stand: what follows is another thing."""
    size = len(key)
    ends = [at + size for at in range(len(words) - size + 1) if list(words[at : at + size]) == list(key)]
    return sum(word in _NEGATIONS or word in _NEGATIVE_SIGNS for word in words[: ends[0] if ends else None])


def _same_polarity(label: Row, draft: Row) -> bool:
    """Neither a negation lost nor one too many."""
    key = _tokens(label["key"])
    own, said = _negations(_tokens(label["literal"]), key), _negations(_tokens(draft["literal"]), key)
    is_turned = draft["predicate"] in ("avoids", "rejected")
    if label["polarity"] == "-":
        return is_turned or said > own
    if own:
        return said < own if is_turned else said >= own
    return not is_turned and not said


def meets(label: Row, draft: Row) -> bool:
    """Do family, words and polarity agree?"""
    return _same_family(label, draft) and _same_words(label, draft) and _same_polarity(label, draft)


# --- counting


@dataclass(slots=True)
class Tally:
    """Drafts that met a label (with it), labels that none met, drafts that met none."""

    hits: list[tuple[Row, Row]] = field(default_factory=list)
    missed: list[Row] = field(default_factory=list)
    false: list[Row] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take another's in."""
        self.hits += other.hits
        self.missed += other.missed
        self.false += other.false


def tally(labels: Sequence[Row], drafts: Iterable[Row]) -> Tally:
    """One turn."""
    found, met = Tally(), defaultdict[int, int](int)
    for draft in drafts:
        fitting = [at for at, label in enumerate(labels) if meets(label, draft)]
        at = min(fitting, key=lambda n: (met[n], bool(labels[n].get("optional"))), default=None)
        if at is None or met[at] > 1:
            found.false.append(draft)
            continue
        met[at] += 1
        if met[at] == 1 and not labels[at].get("optional"):
            found.hits.append((labels[at], draft))
    found.missed = [label for at, label in enumerate(labels) if not met[at] and not label.get("optional")]
    return found


def wilson(right: int, sample: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not sample:
        return 0.0, 1.0
    share, square = right / sample, _Z * _Z
    middle = share + square / (2 * sample)
    spread = _Z * math.sqrt(share * (1 - share) / sample + square / (4 * sample * sample))
    low, high = ((middle + sign * spread) / (1 + square / sample) for sign in (-1, 1))
    return round(max(0.0, low), 4), round(min(1.0, high), 4)


@dataclass(slots=True)
class Measured:
    """A whole sample: the tally of all turns, of negatives how many there are and yield, milliseconds a turn, and lines
    that name what went wrong."""

    all: Tally = field(default_factory=Tally)
    by_origin: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    negatives: int = 0
    yielding: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def measure(paths: Sequence[Path]) -> Measured:
    """Draw from every turn of the samples and count."""
    found = Measured()
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, home=folder) as memory:
        for path in paths:
            for line in path.read_text("utf-8").splitlines():
                _take(found, memory, json.loads(line))
    return found


def _take(found: Measured, memory: Memory, item: Row) -> None:
    begun = time.perf_counter()
    drawn = memory.extract(item["text"], item.get("role", "user"), previous=item.get("previous") or "")
    found.times.append((time.perf_counter() - begun) * 1e3)
    drafts = [asdict(each) for each in drawn]
    one = tally(item["facts"], drafts)
    found.all.add(one)
    found.by_origin["scripted" if item.get("origin") == "written" else "real"].add(one)
    if not item["facts"]:
        found.negatives += 1
        found.yielding[item.get("kind") or "none"] += bool(drafts)
    name = f"{item.get('id')} {item['text'][:80]!r}"
    found.remarks += [f"+ {name} {d['predicate']} {d['literal']!r}" for d in one.false]
    found.remarks += [f"- {name} {label['category']} {label['literal']!r}" for label in one.missed]


def figures(found: Measured) -> dict[str, float]:
    """Plain numbers of a sample: pooled, per category, and what negatives yield."""
    right, false, missed = len(found.all.hits), len(found.all.false), len(found.all.missed)
    times = sorted(found.times) or [0.0]
    numbers = {
        "precision": right / (right + false) if right + false else 0.0,
        "precision_low": wilson(right, right + false)[0],
        "recall": right / (right + missed) if right + missed else 0.0,
        "labels": right + missed,
        "drafts": right + false,
        "negatives": found.negatives,
        "negatives_yielding": sum(found.yielding.values()) / found.negatives if found.negatives else 0.0,
        "turn_p50_ms": times[len(times) // 2],
        "turn_p95_ms": times[len(times) * 95 // 100],
    }
    for category in CATEGORIES:
        met = sum(label["category"] == category for label, _ in found.all.hits)
        wanted = met + sum(label["category"] == category for label in found.all.missed)
        wrong = sum(_category(draft) == category for draft in found.all.false)
        if wanted:
            numbers |= {f"{category}_recall": met / wanted, f"{category}_labels": wanted}
        if met + wrong:
            numbers[f"{category}_precision"] = met / (met + wrong)
    same = [(label, draft) for label, draft in found.all.hits]
    for name in ("outcome", "scope") if same else ():
        numbers[f"same_{name}"] = sum(label[name] == draft[name] for label, draft in same) / len(same)
    if same:
        numbers["same_topic"] = sum(_same_topic(label["topic"], draft["topic"]) for label, draft in same) / len(same)
    return numbers


def _same_topic(label: str, draft: str) -> bool:
    return draft == label or (bool(label) and draft.startswith(f"{label}."))


def _category(draft: Row) -> str:
    """The category that a false draft claims to be of."""
    family = str(draft["method"]).partition(".")[2].partition("@")[0]
    return "decision" if family == "because" else family


def run(size: int = 0, data: Path | None = None) -> dict[str, Any]:
    """The part of `bench extract` for turns of people. `size` is unused."""
    if data is None:
        raise ValueError("a sample is needed")
    return reports.report("extract", {"labels": data.name, "size": size}, figures(measure([data])))


# --- what ships with the methods


def methods(found: Measured) -> dict[str, dict[str, Any]]:
    """One row a method, as the registry reads them."""
    names = sorted({str(d["method"]) for _, d in found.all.hits} | {str(d["method"]) for d in found.all.false})
    return {name: _row(name, found) for name in names}


def _row(name: str, found: Measured) -> dict[str, Any]:
    right, wrong = _counts(name, found.all)
    low, high = wilson(right, right + wrong)
    precision = round(right / (right + wrong), 4) if right + wrong else 0.0
    parts = {origin: _counts(name, found.by_origin[origin]) for origin in ("real", "scripted")}
    return {
        "precision": precision,
        "interval_low": low,
        "interval_high": high,
        "sample": right + wrong,
        **{o: {"n": r + w, "precision": round(r / (r + w), 4) if r + w else None} for o, (r, w) in parts.items()},
        "may_write": right + wrong > 0 and precision >= BAR,
    }


def _counts(name: str, of: Tally) -> tuple[int, int]:
    return sum(d["method"] == name for _, d in of.hits), sum(d["method"] == name for d in of.false)


def lines(found: Measured) -> Iterator[str]:
    """The figures and every remark."""
    for name, number in figures(found).items():
        yield f"{name:28} {number:.4f}"
    yield from found.remarks


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and with `--write` put the figures beside the extractors."""
    parser = argparse.ArgumentParser(prog="python -m muniment.evals.told", description="measure what turns tell")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--write", action="store_true", help="write methods.json")
    options = parser.parse_args(arguments)
    found = measure(options.files)
    for line in lines(found):
        sys.stdout.write(line[:300] + "\n")
    if options.write:
        target = Path(str(package_files("muniment.capture.extract.told").joinpath("methods.json")))
        kept = json.loads(target.read_text("utf-8")) if target.exists() else {}
        target.write_text(json.dumps(kept | methods(found), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
