"""When a draft matches a label, as section 4 of RULES.md says it, and the count over many items."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]

CATEGORIES = ("identity", "stack", "preference", "procedure", "project", "decision", "remember", "correction")
TAGS = {
    "identity": {"identity"},
    "stack": {"code", "infra", "tools"},
    "preference": {"style", "code", "workflow", "tools", "identity"},
    "procedure": {"workflow"},
    "project": {"project"},
    "decision": {"project"},
}
PREDICATES = {
    "identity": {"named", "is", "member_of", "located_in", "speaks"},
    "stack": {"uses", "version_of", "runs_on", "depends_on", "owns"},
    "preference": {"prefers", "avoids"},
    "procedure": {"practises"},
    "project": {"building", "migrating", "requires", "targets", "is", "owns"},
    "decision": {"decided", "rejected", "because"},
}
ANY_FAMILY = {"remember", "correction"}
NEIGHBOURS = {"preference", "procedure"}
NEGATIONS = frozenset(
    "not no never none nothing without avoid avoids avoiding stop dont don't doesn't isn't aren't won't can't cannot "
    "shouldn't mustn't didn't haven't hasn't wasn't nobody nor neither "
    "skip drop ban kein keine keinen keinem keiner nicht nie niemals ohne "
    "pas jamais sans aucun aucune nunca sin jamás ningún ninguna".split()
)
NEGATIVE_SIGNS = frozenset("不别没无勿非")
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:['’]t)?", re.UNICODE
)
_SPARE = {"identity": 8, "stack": 8}
_SPARE_ELSE = 25


def tokens(text: str) -> list[str]:
    """Case-folded words and numbers; one token a character where words are not spaced."""
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _holds(whole: Sequence[str], part: Sequence[str]) -> bool:
    """Does `part` stand as a run inside `whole`?"""
    size = len(part)
    return bool(size) and any(list(whole[at : at + size]) == list(part) for at in range(len(whole) - size + 1))


def _roots(row: Row) -> set[str]:
    return {str(tag).split(".")[0] for tag in row.get("tags") or ()}


def same_family(label: Row, draft: Row) -> bool:
    """Rule 1: tag roots, type or predicate."""
    category = label["category"]
    if category in ANY_FAMILY:
        return True
    if _roots(draft) & (_roots(label) | TAGS[category]):
        return True
    if category in NEIGHBOURS and draft.get("type") in NEIGHBOURS:
        return True
    return draft.get("predicate") in PREDICATES[category]


def same_words(label: Row, draft: Row) -> bool:
    """Rule 2: the key in the draft, or the draft in the label with half of the key; never the whole message."""
    said, full, key = tokens(draft.get("literal") or ""), tokens(label["literal"]), tokens(label["key"])
    if not said or len(said) > len(full) + _SPARE.get(label["category"], _SPARE_ELSE):
        return False
    if _holds(said, key):
        return True
    return _holds(full, said) and 2 * len(set(said) & set(key)) >= len(set(key))


def _negations(words: Sequence[str], key: Sequence[str]) -> int:
    """Words of negation up to the end of the key, or in all where the key does not stand: what follows is another thing."""
    size = len(key)
    ends = [at + size for at in range(len(words) - size + 1) if list(words[at : at + size]) == list(key)]
    return sum(word in NEGATIONS or word in NEGATIVE_SIGNS for word in words[: ends[0] if ends else None])


def same_polarity(label: Row, draft: Row) -> bool:
    """Rule 3: neither a negation lost nor one too many."""
    key = tokens(label["key"])
    own = _negations(tokens(label["literal"]), key)
    said = _negations(tokens(draft.get("literal") or ""), key)
    turned = draft.get("predicate") in ("avoids", "rejected") or draft.get("polarity") == "-"
    if label["polarity"] == "-":
        return turned or said > own
    if own:
        return said < own if turned else said >= own
    return not turned and not said


def matches(label: Row, draft: Row) -> bool:
    """Do family, words and polarity agree?"""
    return same_family(label, draft) and same_words(label, draft) and same_polarity(label, draft)


@dataclass(slots=True)
class Tally:
    """What one item or many gave."""

    hits: list[tuple[Row, Row]] = field(default_factory=list)
    missed: list[Row] = field(default_factory=list)
    false: list[Row] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Matched drafts among those that count; 1 where there is none."""
        return len(self.hits) / ((len(self.hits) + len(self.false)) or 1) if self.hits or self.false else 1.0

    @property
    def recall(self) -> float:
        """Labels met among those that are not optional; 1 where there is none."""
        return len(self.hits) / (len(self.hits) + len(self.missed)) if self.hits or self.missed else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def add(self, other: Tally) -> None:
        """Takes the other's counts over."""
        self.hits += other.hits
        self.missed += other.missed
        self.false += other.false


def of_item(labels: Sequence[Row], drafts: Iterable[Row]) -> Tally:
    """One item: each label is met once, a second draft on it is passed over, a third is false."""
    tally = Tally()
    met: defaultdict[int, int] = defaultdict(int)
    for draft in drafts:
        fitting = [at for at, label in enumerate(labels) if matches(label, draft)]
        at = min(fitting, key=lambda n: (met[n], bool(labels[n].get("optional"))), default=None)
        if at is None or met[at] > 1:
            tally.false.append(draft)
            continue
        met[at] += 1
        if met[at] == 1 and not labels[at].get("optional"):
            tally.hits.append((labels[at], draft))
    tally.missed = [label for at, label in enumerate(labels) if not met[at] and not label.get("optional")]
    return tally
