"""One statement from a clause: its place without what clings to it, and whether it was hedged."""

from __future__ import annotations

from collections.abc import Iterator

from muniment.capture.extract.told import signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, Told
from muniment.capture.extract.told.slots import span


def one(
    clause: Clause,
    family: str,
    predicate: str,
    start: int,
    end: int,
    subject: str,
    topic: str,
    *tags: str,
    keep: bool = True,
) -> Iterator[Told]:
    """The place as a statement."""
    place = span(clause, start, end, keep_article=keep)
    if place is not None and place[1] - place[0] > 2:
        yield Told(family, predicate, subject, *place, topic, tags, signs.is_hedged(clause), None, False, clause.start)


def of_self(
    clause: Clause, start: int, end: int, predicate: str, topic: str, tag: str, subject: str = ME
) -> Iterator[Told]:
    """The place as a statement."""
    place = span(clause, start, end)
    if place is not None:
        yield Told(
            "identity",
            predicate,
            subject,
            *place,
            topic,
            (tag,),
            signs.is_hedged(clause) and topic not in ("name", "age"),
            None,
            subject == ME,
            clause.start,
        )
