"""What verdicts change of a fact beside its words: tags, topic, context, and until when it is relied on.

A pure function of the fact as drawn and of the verdicts on it, so that a rebuild, in whatever order, gives the same. The last
word counts, unless who said it has less authority than who spoke before, or than who stated the fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from muniment.engine import drafts
from muniment.engine.verdicts import VerdictBook
from muniment.gate.admission import settle_key
from muniment.model.fact import Action, Verdict
from muniment.model.settle import outranks
from muniment.model.stored import FactRow
from muniment.model.vocabulary import VOCABULARY

TAGS, TOPIC, CONTEXT, EXPIRY = "tags", "topic", "context", "expiry"
FIELDS = (TAGS, TOPIC, CONTEXT, EXPIRY)


def amended(row: FactRow, book: VerdictBook) -> FactRow:
    """The fact as verdicts have it."""
    own = [v for v in book.on(row.id) if v.action == Action.AMEND]
    for field, value in _in_force(own, row):
        row = _with(row, field, value)
    ends = [v for claim in book.claims(row) for v in book.on(claim) if v.action == Action.EXPIRE]
    for _, value in _in_force(ends, row):
        row = row._replace(expires_at=value or None)
    return row


def _in_force(verdicts: Iterable[Verdict], row: FactRow) -> Iterator[tuple[str, str]]:
    """(field, value) of those that count, the last of a field last."""
    by: dict[str, str] = {}
    for verdict in sorted(verdicts, key=lambda v: (v.at, v.id)):
        told = drafts.amendment(verdict)
        if told is None or verdict.at < row.observed_at:
            continue
        if outranks(verdict.by, row.origin) and outranks(verdict.by, by.get(told[0], verdict.by)):
            by[told[0]] = verdict.by
            yield told


def _with(row: FactRow, field: str, value: str) -> FactRow:
    if field == TAGS:
        return row._replace(tags=tuple(value.split()))
    if field == CONTEXT:
        return row._replace(context=value)
    if field == TOPIC:
        key = settle_key(VOCABULARY[row.predicate], row.subject, value, row.value_key) if row.key is not None else None
        return row._replace(topic=value, key=key)
    return row
