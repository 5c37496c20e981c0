"""What its standing keeps out of an answer: facts of the events that were found, which are open no more.

They are counted, and named where that is asked for. With `superseded` included they are shown, each behind what replaced it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from muniment.engine.answering import Choice
from muniment.engine.verdicts import VerdictBook
from muniment.gate.admission import claim_id
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.receipt import event_of
from muniment.model.stored import FactRow, StoredFact

SUPERSEDED = "superseded"
_OVER = frozenset({SUPERSEDED, "retracted", "expired", "hypothesis"})
_REPLACING = frozenset({Action.SUPERSEDE.value, Action.CORRECT.value})


class Closed(NamedTuple):
    """A fact that is not open, why, and the event that it was drawn from."""

    event: int
    fact: StoredFact
    standing: str


def closed(store: Store, events: Iterable[int], now: str, stems: frozenset[str]) -> list[Closed]:
    """The facts of these events that hold one of the stems and are open no more at `now`, in the order of their ids."""
    found = store.search.closed(events)
    facts = store.facts.numbered(number for _, number in found)
    judged = [Closed(event, facts[n], standing) for event, n in found if (standing := _standing(facts[n], now))]
    return [c for c in judged if not stems.isdisjoint(store.search.stems(_words(c.fact.row)))]


def counted(found: Iterable[Closed]) -> dict[str, int]:
    """How many there are of each standing."""
    return dict(sorted(Counter(c.standing for c in found).items()))


def beside(
    choices: Sequence[Choice], found: Iterable[Closed], made: Callable[[Closed], Choice], store: Store, *,
    is_shown: bool,
) -> list[Choice]:  # fmt: skip
    """The choices with what was superseded, each behind its event and what replaced it; kept out unless `is_shown`."""
    listed, over = list(choices), [c for c in found if c.standing == SUPERSEDED]
    book = VerdictBook(store.facts.verdicts()) if over else VerdictBook(())
    for each in over:
        newer = store.facts.facts(replacements(store, book, each.fact.row))
        by = [show(f.row.id) for f in newer]
        fate = "" if is_shown else ":".join([SUPERSEDED, *by[:1]])
        marks = tuple(f"by:{id_}" for id_ in by)
        choice = replace(made(each), standing=SUPERSEDED, marks=marks, fate=fate)
        receipts = {event_of(choice.receipt), *(f"{f.session}:{f.seq}" for f in newer)}
        places = [n for n, c in enumerate(listed) if event_of(c.receipt) in receipts]
        listed.insert(max(places, default=len(listed) - 1) + 1, choice)
    return listed


def replacements(store: Store, book: VerdictBook, row: FactRow) -> list[bytes]:
    """The facts that came in the place of this one: by settling, or because a command named them."""
    linked = {a for a, b, relation in store.facts.links(row.id) if b == row.id and relation == "supersedes"}
    named = [v for v in book.on(claim_id(row)) if v.action in _REPLACING and v.at >= row.observed_at]
    return sorted(linked | {bytes.fromhex(i) for v in named for i in v.value.split()})


def _standing(fact: StoredFact, now: str) -> str:
    """Why a fact has no open row; empty where it is told by another row, or is yet to come."""
    row = fact.row
    if fact.standing in ("superseded", "retracted"):
        return fact.standing
    if row.expires_at is not None and row.expires_at <= now:
        return "expired"
    is_ended = row.valid_until is not None and row.valid_until <= now
    return "ended" if is_ended else fact.standing if fact.standing in _OVER else ""


def _words(row: FactRow) -> str:
    return f"{row.predicate} {row.topic} {row.subject.key} {row.value}"
