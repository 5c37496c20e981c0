"""What an agent asserts against a person's own words: the opposite of what the quoted event says, or of what the person holds.

By quoting a part of a sentence its sense can be turned round. The person's fact stands whatever is asserted; the assertion
is a hypothesis that says what it contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from muniment.capture.extract import own
from muniment.model.english import NEGATION, STOP
from muniment.model.event import Origin
from muniment.model.ports import Store
from muniment.model.stored import FactRow, StoredFact
from muniment.model.vocabulary import OPPOSITE

_TURNED = frozenset({"avoids", "rejected"})
_WORD = re.compile(r"\w+")


def against(
    store: Store, facts: Iterable[StoredFact], is_firm: Callable[[FactRow], bool]
) -> Mapping[bytes, list[bytes]]:  # fmt: skip
    """The facts of persons that each of these assertions speaks against, by id; other facts speak for themselves."""
    found: dict[bytes, list[bytes]] = {}
    for fact in facts:
        if is_asserted(fact.row) and fact.row.origin != Origin.PERSON:
            rivals = sorted({r.id for r in _rivals(store, fact.row, is_firm)})
            found.update({fact.row.id: rivals} if rivals else {})
    return found


def is_asserted(row: FactRow) -> bool:
    """Is it the reading that somebody gave of words that he quotes?"""
    return row.method.startswith(f"{own.ASSERTED}@")


def _rivals(store: Store, row: FactRow, is_firm: Callable[[FactRow], bool]) -> Iterable[FactRow]:
    """Of the same event, what says the opposite of the same thing; and the person's word for the very opposite."""
    same = store.facts.numbered(store.facts.of_event(row.uid).values()).values()
    yield from (f.row for f in same if f.row.origin == Origin.PERSON and _is_opposite(row, f.row))
    if row.predicate in OPPOSITE:
        others = store.facts.opposite_key_rows(OPPOSITE[row.predicate], row.subject, row.value_key)
        yield from (o.row for o in others if o.row.origin == Origin.PERSON and is_firm(o.row))


def _is_opposite(row: FactRow, other: FactRow) -> bool:
    if _refuses(row) == _refuses(other):
        return False
    return not _words(row.value).isdisjoint(_words(other.value))


def _refuses(row: FactRow) -> bool:
    words = set(_WORD.findall(row.value.lower()))
    is_negated = not words.isdisjoint(NEGATION) or "n't" in row.value.lower().replace("’", "'")
    return (row.predicate in _TURNED) != is_negated


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - STOP - NEGATION
