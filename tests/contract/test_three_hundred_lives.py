"""300 supersessions, corrections, narrowings, look-alikes, recurrences and retractions in one store: all right, no wrong end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.contract.cases import Case, Do, Say, cases
from tests.support import Clock, counting_names, values

from muniment.engine import adding, finding, history, revising
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.revising import Words
from muniment.engine.stating import Statement
from muniment.engine.upkeep import verify
from muniment.model.event import Origin
from muniment.model.scope import MARKER, workspace_of

PERSON = Caller(Origin.PERSON)
CASES = tuple(cases())
_TYPE = {"noted": "fact", "uses": "fact", "requires": "fact"}


def _day(day: int) -> str:
    return f"2026-03-{day:02}"


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, dict[tuple[str, int], dict[str, str]]]]:
    """All cases in one store, day by day as a life goes, with the id of each thing said by its name."""
    room: Path = tmp_path_factory.mktemp("lives")
    (room / MARKER).touch()
    clock = Clock()
    with Engine(workspace_of(room), Settings(room / "home", clock=clock, new_name=counting_names())) as engine:
        ids: dict[tuple[str, int], dict[str, str]] = {(c.kind, c.number): {} for c in CASES}
        for day in range(1, 10):
            clock.set(_day(day))
            for case in CASES:
                for step in (s for s in case.steps if s.day == day):
                    _take(engine, case, step, ids[case.kind, case.number])
        clock.set(_day(12))
        yield engine, ids


def _take(engine: Engine, case: Case, step: Say | Do, ids: dict[str, str]) -> None:
    if isinstance(step, Say):
        said = Statement(_TYPE[step.predicate], step.value, step.subject or case.subject, step.predicate, step.topic)
        ids[step.name] = adding.add(engine, PERSON, said).ids[0]
        return
    words = Words(claim=step.value, new_id=ids.get(step.other, ""), reason=step.reason)
    done = revising.revise(engine, PERSON, ids[step.on], step.action, words)
    if step.action == "correct":
        ids[step.other] = next(i for i in done.ids if i != ids[step.on])


def test_there_are_fifty_of_each_kind() -> None:
    assert Counter(c.kind for c in CASES) == dict.fromkeys(
        ("supersession", "correction", "narrowing", "look-alike", "recurrence", "retraction"), 50
    )


def test_everything_stands_as_it_was_told(lived) -> None:
    engine, ids = lived
    wrong = [
        (case.kind, case.number, name, standing, case.ends.get(name, "confirmed"))
        for case in CASES
        for name, id_ in ids[case.kind, case.number].items()
        if (standing := finding.fact(engine, id_).standing) != case.ends.get(name, "confirmed")
    ]
    assert wrong == []


def test_nothing_ended_that_was_not_to_end(lived) -> None:
    engine, ids = lived
    told = {ids[c.kind, c.number][name] for c in CASES for name in c.ends}
    rows = query(engine, "standing:superseded,retracted,expired", 1 << 22).hits
    assert {hit.id for hit in rows} - told == set()


def test_each_day_shows_what_held_then(lived) -> None:
    engine, _ = lived
    wrong = []
    for case in CASES:
        for day, held in case.at.items():
            subjects = {case.subject, *(s.subject for s in case.steps if isinstance(s, Say) and s.subject)}
            listed = ",".join(s.partition(":")[2] for s in sorted(subjects))
            shown = frozenset(values(query(engine, f"s:{listed}", 1 << 20, as_of=_day(day)).text))
            if {v.lower() for v in shown} != {v.lower() for v in held}:
                wrong.append((case.kind, case.number, day, sorted(shown), sorted(held)))
    assert wrong == []


def test_what_belongs_together_is_linked_and_says_why(lived) -> None:
    engine, ids = lived
    for case in CASES:
        named = ids[case.kind, case.number]
        for first, relation, second in case.links:
            told = history.why(engine, named[first])
            links = {(link.id, link.relation, link.other) for link in told.links}
            assert (named[first], relation, named[second]) in links, case
        fix = next((s for s in case.steps if isinstance(s, Do) and s.action == "correct"), None)
        if fix is not None:
            assert fix.reason in [v.reason for v in history.why(engine, named[fix.on]).verdicts], case
        for name in case.marked:
            row = next(h for h in query(engine, f"id:{named[name]}", 1 << 16).hits)
            assert "narrowed" in row.marks, case


def test_a_rebuild_tells_the_same(lived) -> None:
    engine, _ = lived
    told = verify(engine, rebuild=True)
    assert (told.ok, told.digest) == (True, told.rebuilt_digest), told.problems
