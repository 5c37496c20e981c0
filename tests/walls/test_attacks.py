"""The wall of scoped SQL against everything that was tried, and the suite against walls with a hole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from tests.walls import attacks, mutants, world


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[world.World, world.World]]:
    with world.worlds(tmp_path_factory.mktemp("walls")) as made:
        yield made


def test_there_are_as_many_attacks_as_in_the_proof() -> None:
    assert len({*attacks.REFUSED, *attacks.ALIKE, *attacks.HEAVY}) >= 138


def test_whatever_is_not_granted_is_refused_in_the_same_words(worlds) -> None:
    found = {sql: faults for sql in attacks.REFUSED if (faults := world.faults(worlds, sql, must_refuse=True))}
    assert found == {}


def test_nothing_that_is_answered_tells_who_else_is_there(worlds) -> None:
    found = {sql: faults for sql in attacks.ALIKE if (faults := world.faults(worlds, sql))}
    assert found == {}
    answered = [sql for sql in attacks.ALIKE if world.ask(worlds[0].view, sql).rows is not None]
    assert len(answered) > len(attacks.ALIKE) * 0.9


def test_no_query_takes_more_than_its_limits(worlds) -> None:
    limit = worlds[0].view._profile.limits.memory
    for sql in attacks.HEAVY:
        apsw.memory_high_water(True)
        before = apsw.memory_used()
        assert world.faults(worlds, sql) == [], sql
        assert apsw.memory_high_water() - before < limit + 24_000_000, sql


def test_nothing_was_written_and_no_file_appeared(worlds) -> None:
    for sql in (*attacks.REFUSED, *attacks.ALIKE):
        world.ask(worlds[0].view, sql)
    engine = worlds[0].engine
    assert engine.store().db.one("SELECT count(*) FROM facts WHERE literal = 'x'") == (0,)
    assert engine.store().db.one("PRAGMA integrity_check") == ("ok",)
    assert not list(Path(".").glob("leak.db*"))
    assert world.ask(worlds[0].view, "SELECT count(*) FROM deliveries").rows.rows == ((2,),)


def test_an_answer_in_the_middle_of_an_attack_holds_no_log(worlds) -> None:
    engine = worlds[0].engine
    world.ask(worlds[0].view, "SELECT a.text FROM events a, events b, events c")
    with engine.store().writing():
        engine.store().db.run("INSERT INTO meta VALUES ('probe', 'x')")
    assert engine.store().db.db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)[0] in (0, -1)
    assert not engine.path.with_name("memory.db-wal").stat().st_size


@pytest.mark.parametrize("mutant", mutants.MUTANTS)
def test_a_wall_with_a_hole_is_found(mutant, tmp_path: Path) -> None:
    with world.worlds(tmp_path, mutant) as made:
        tried = [(sql, True) for sql in attacks.REFUSED] + [(sql, False) for sql in attacks.ALIKE]
        assert any(world.faults(made, sql, must_refuse=must) for sql, must in tried)


def test_words_of_joins_may_stand_in_a_text(worlds) -> None:
    ask = worlds[0].view.query
    assert ask("SELECT count(*) FROM events WHERE text LIKE '%using it''s natural%'").rows == ((0,),)
    assert ask("SELECT 'natural' AS a, 'USING' AS b").rows == (("natural", "USING"),)
