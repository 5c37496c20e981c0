"""Checks the labelled turns (shape, verbatim literals, no copies), counts them and measures how well two labellings agree.

python benchmarks/told/check.py            names what is wrong, prints counts and agreement; exit code 1 if anything is wrong
python benchmarks/told/check.py --write    puts counts and agreement into README.md
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import match

Row = Mapping[str, Any]

SPLITS = ("dev", "test")
ITEM = {"id", "origin", "licence", "split", "role", "text", "facts", "kind"}
FACT = {"category", "type", "literal", "key", "topic", "tags", "polarity", "outcome", "scope"}
ROOTS = {"identity", "style", "code", "infra", "workflow", "project", "tools"}
CLOSED = {
    "category": set(match.CATEGORIES),
    "type": {"fact", "preference", "procedure", "pattern"},
    "polarity": {"+", "-"},
    "outcome": {"confirmed", "hypothesis"},
    "scope": {"person", "workspace"},
}
TOO_LIKE = 0.45
BEGIN, END = "<!-- counts: check.py --write -->", "<!-- end -->"
_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL)


def load(split: str, folder: Path = HERE) -> list[dict[str, Any]]:
    """The items of one file, in order; none where there is no such file (a split that is still to be labelled)."""
    if not (folder / f"{split}.jsonl").exists():
        return []
    with (folder / f"{split}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def problems(items: Sequence[Row]) -> list[str]:
    """Everything that is wrong, one sentence each; empty if the set is sound."""
    found = [f"{name}: the id stands twice" for name, n in Counter(item.get("id") for item in items).items() if n > 1]
    for item in items:
        found += [f"{item.get('id')}: {what}" for what in _of_item(item)]
    return found + [f"{one} and {two} are near-copies ({like:.2f})" for one, two, like in copies(items)]


def _of_item(item: Row) -> Iterator[str]:
    if missing := ITEM - set(item):
        yield f"lacks {', '.join(sorted(missing))}"
        return
    if item["role"] != "user" or item["split"] not in SPLITS or not item["id"].startswith(item["split"] + "-"):
        yield "role, split or id do not fit"
    if not item["text"].strip() or not item["licence"] or not item["origin"]:
        yield "text, licence or origin is empty"
    open_text = _PRIVATE.sub("", item["text"])
    for fact in item["facts"]:
        yield from (f"{fact.get('literal')!r} {what}" for what in _of_fact(fact, open_text))
    if len({json.dumps(fact, sort_keys=True) for fact in item["facts"]}) < len(item["facts"]):
        yield "one fact stands twice"


def _of_fact(fact: Row, text: str) -> Iterator[str]:
    if missing := FACT - set(fact):
        yield f"lacks {', '.join(sorted(missing))}"
        return
    yield from (f"has a strange {name}" for name, words in CLOSED.items() if fact[name] not in words)
    if not fact["literal"] or fact["literal"] not in text:
        yield "does not stand in the text (private spans aside)"
    if fact["key"] not in fact["literal"] or not match.tokens(fact["key"]):
        yield "does not hold its key"
    if not fact["tags"] or {str(tag).split(".")[0] for tag in fact["tags"]} - ROOTS:
        yield "has no tag or one of an unknown root"
    if not match.matches(fact, as_draft(fact)):
        yield "does not match itself"


def _grams(text: str) -> frozenset[str]:
    plain = " ".join(match.tokens(text))
    return frozenset(plain[at : at + 4] for at in range(max(1, len(plain) - 3)))


def copies(items: Sequence[Row]) -> Iterator[tuple[str, str, float]]:
    """Pairs of texts that share too many of their runs of four characters."""
    texts = sorted(
        ((item.get("id", ""), _grams(item.get("text", ""))) for item in items), key=lambda pair: len(pair[1])
    )
    for (one, few), (two, many) in combinations(texts, 2):
        if len(few) < TOO_LIKE * len(many):
            continue
        shared = len(few & many)
        if (like := shared / (len(few) + len(many) - shared)) >= TOO_LIKE:
            yield one, two, like


def as_draft(fact: Row) -> dict[str, Any]:
    """A label worded as what an extractor prints."""
    predicate = {"identity": "is", "remember": "noted", "correction": "corrected"}.get(fact["category"])
    predicate = predicate or min(match.PREDICATES[fact["category"]] - {"avoids", "rejected"})
    return {**fact, "predicate": "avoids" if fact["polarity"] == "-" else predicate}


def counts(items: Sequence[Row]) -> str:
    """Tables of items by split and origin, and of facts by split and category, in Markdown."""
    lines = ["| | " + " | ".join(SPLITS) + " |", "| --- |" + " ---: |" * len(SPLITS)]

    def row(name: str, values: Mapping[str, int]) -> None:
        lines.append(f"| {name} | " + " | ".join(str(values.get(split, 0)) for split in SPLITS) + " |")

    row("turns", Counter(i["split"] for i in items))
    row("with facts", Counter(i["split"] for i in items if i["facts"]))
    row("without", Counter(i["split"] for i in items if not i["facts"]))
    row("not English", Counter(i["split"] for i in items if i.get("language")))
    for family in sorted({_family(i["origin"]) for i in items}):
        row(f"from {family}", Counter(i["split"] for i in items if _family(i["origin"]) == family))
    kept = [(i["split"], fact) for i in items for fact in i["facts"] if not fact.get("optional")]
    row("**facts**", Counter(split for split, _ in kept))
    for category in match.CATEGORIES:
        row(category, Counter(split for split, fact in kept if fact["category"] == category))
    row("of them hypotheses", Counter(split for split, fact in kept if fact["outcome"] == "hypothesis"))
    row("of them negative", Counter(split for split, fact in kept if fact["polarity"] == "-"))
    row("optional, beside these", Counter(i["split"] for i in items for fact in i["facts"] if fact.get("optional")))
    for kind in sorted({i["kind"] for i in items if not i["facts"]}):
        row(f"nothing: {kind}", Counter(i["split"] for i in items if not i["facts"] and i["kind"] == kind))
    return "\n".join(lines)


def _family(origin: str) -> str:
    if origin == "written":
        return "our own pen"
    return origin.split(maxsplit=1)[0] if origin.startswith(("BEAM", "MADial")) else "transcripts of agents"


def _keeps(facts: Sequence[Row]) -> bool:
    return any(not fact.get("optional") for fact in facts)


def agreement(first: Sequence[Row], second: Sequence[Row]) -> dict[str, float]:
    """Two labellings of the same items: is there anything (share and kappa), and which facts (F1)."""
    known = {item["id"]: item["facts"] for item in first}
    pairs = [(known[item["id"]], item["facts"]) for item in second]
    votes = [(_keeps(one), _keeps(two)) for one, two in pairs]
    same = sum(one == two for one, two in votes) / len(votes)
    ones, twos = (sum(vote[at] for vote in votes) / len(votes) for at in (0, 1))
    chance = ones * twos + (1 - ones) * (1 - twos)
    tally = match.Tally()
    for one, two in pairs:
        given = match.of_item(one, [as_draft(fact) for fact in two])
        given.false = [draft for draft in given.false if not draft.get("optional")]
        tally.add(given)
    kappa = (same - chance) / (1 - chance) if chance < 1 else 1.0
    return {"items": len(pairs), "same": same, "kappa": kappa, "f1": tally.f1}


def report(items: Sequence[Row], second: Sequence[Row]) -> str:
    """The part of README.md that is generated."""
    both = agreement(items, second)
    told = "Second labelling of {items:.0f} turns of the first test: {same:.2f} the same on whether anything is there, "
    told += "kappa {kappa:.2f},"
    return f"{counts(items)}\n\n{told.format(**both)} F1 of the facts {both['f1']:.2f}."


def _main(words: Sequence[str]) -> int:
    items = [item for split in SPLITS for item in load(split)]
    wrong, text = problems(items), report(items, load("second"))
    page = HERE / "README.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    fresh = f"{before}{BEGIN}\n{text}\n{END}{rest.partition(END)[2]}"
    if "--write" in words:
        page.write_text(fresh, encoding="utf-8")
    elif fresh != page.read_text(encoding="utf-8"):
        wrong.append("README.md: the counts are old; run check.py --write")
    sys.stdout.write("\n".join([*wrong, text, ""]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
