"""The same thing said or read by many at one moment is kept once."""

from __future__ import annotations

import pytest
from tests.faults import children
from tests.faults.checks import digest, facts, sound

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing
from muniment.engine.asking import query
from muniment.testing.transcripts import write_claude_code

MANY = 8


def events(engine) -> int:
    return int(engine.store().db.rows("SELECT count(*) FROM events")[0][0])


@pytest.mark.parametrize("rounds", [8, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.timeout(900)
def test_a_transcript_read_in_by_eight_at_once_is_kept_once(rounds, tmp_path, home, project, opened, born):
    path = tmp_path / "session.jsonl"
    write_claude_code(path, seed=9, turns=2, cwd=str(project))
    alone = opened(tmp_path / "alone")
    indexing.index(alone, indexing.locate(adapters(), [path])[0], named=True)
    barrier = children.context().Barrier(MANY)
    readers = [born(children.reads_in_again, home, project, path, barrier, rounds) for _ in range(MANY)]
    children.start(readers)
    assert [child.hear(600) for child in readers] == ["done"] * MANY
    for n in range(rounds):
        with opened(home / str(n)) as engine:
            assert events(engine) == events(alone)
            assert digest(engine) == digest(alone)
            sound(engine)


@pytest.mark.timeout(600)
def test_a_long_transcript_read_in_by_eight_at_once_is_kept_once(tmp_path, home, project, opened, born):
    path = tmp_path / "session.jsonl"
    write_claude_code(path, seed=8, size_bytes=300_000, cwd=str(project))
    alone = opened(tmp_path / "alone")
    indexing.index(alone, indexing.locate(adapters(), [path])[0], named=True)
    readers = [born(children.reads_in, home, project, path) for _ in range(MANY)]
    children.start(readers)
    assert sum(child.hear() for child in readers) == events(alone)
    assert digest(opened()) == digest(alone)
    sound(opened())


@pytest.mark.timeout(600)
def test_what_eight_say_at_once_is_one_claim_with_eight_receipts(home, project, opened, born):
    rounds = 200
    barrier = children.context().Barrier(MANY)
    speakers = [born(children.states_the_same, home, project, barrier, rounds) for _ in range(MANY)]
    children.start(speakers)
    outcomes = [child.hear(300) for child in speakers]
    # Who came later but looked at the clock before is the first to have said it.
    assert {outcome for each in outcomes for outcome in each} == {"stored", "strengthened"}
    engine = opened()
    assert facts(engine) == MANY * rounds
    assert len(query(engine, "", 10_000_000).hits) == rounds
    sound(engine)
