"""Statements that no frame opens, read by their grammar: what lasts about me, us, or something of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import (
    general_acts,
    general_places,
    general_right,
    general_self,
    general_turns,
    general_work,
    signs,
)
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Told


def read(found: list[Clause], told: list[Told]) -> Iterator[Told]:
    """What the sentences tell beside what the frames have read."""
    groups = list(_sentences(found))
    right = list(general_right.read([group for group, _ in groups], told))
    yield from right
    told = [*told, *right]
    for sentence, after in groups:
        start, end = sentence[0].start, sentence[-1].end
        inside = [t for t in told if t.start < end and start < t.end]
        acts = list(general_acts.read(sentence, after, inside))
        yield from acts
        if (
            acts
            or inside
            or right
            or len(told) > len(inside)
            or re.search(
                r"\b(?:i|we|my|our|it's|is|are)\b.*\bso no\b|\b(?:settled|agreed|reasons?|policy|rule|forbidden|decided)\b.*\bno \w+",
                sentence[0].whole,
            )
        ):
            ruled = list(
                general_turns.without(
                    sentence, [*inside, *acts], is_styled=any(t.family == "preference" for t in (*inside, *acts))
                )
            )
            yield from ruled
            acts += ruled
        if any(t.start <= start + 60 and t.end >= end - 3 for t in acts):
            continue
        for clause in sentence:
            here = [t for t in (*inside, *acts) if t.start < clause.end and clause.start < t.end]
            if not signs.is_task(clause):
                own = list(general_self.read(clause, here))
                yield from own
                here += own
                placed = list(general_places.near(clause, here))
                yield from placed
                here += placed
                yield from general_work.read(clause, here)


def _sentences(found: list[Clause]) -> Iterator[tuple[list[Clause], list[Clause]]]:
    """Each sentence with the one behind it."""
    groups: list[list[Clause]] = []
    for clause in found:
        if groups and groups[-1][0].sentence == clause.sentence:
            groups[-1].append(clause)
        else:
            groups.append([clause])
    for n, group in enumerate(groups):
        yield group, groups[n + 1] if n + 1 < len(groups) else []


TAIL: Final = re.compile(r"[\s.!?,;:]+$")
