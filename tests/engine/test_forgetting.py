"""What is erased stands in no byte of the home, and nothing that is read, loaded or derived again brings it back."""

from __future__ import annotations

import contextlib

import pytest
from tests.engine.erased_worlds import PERSON, World, names_of, traces

from muniment.engine import forgetting, transfer, upkeep
from muniment.engine.forgetting import Target
from muniment.errors import NotFoundError, NothingChangedError

RUNS = 100


@pytest.mark.parametrize("seed", range(RUNS))
def test_erased_words_are_in_no_file_and_nothing_brings_them_back(make_engine, tmp_path, clock, seed):
    engine = make_engine()
    world = World(engine, tmp_path / "outside", seed).filled()
    home, old = engine.settings.home, tmp_path / "old.jsonl"
    transfer.export_jsonl(engine, old)
    names = names_of(engine, world.word)
    assert traces(home, world.word, names), "the word must have been there"
    clock.forward(minutes=1)
    done = forgetting.erase(engine, PERSON, Target("match", world.word))
    assert done.facts
    assert done.events
    assert not done.left
    assert traces(home, world.word, names) == []
    before = upkeep.digest(engine)
    world.index()
    with pytest.raises(NothingChangedError):
        world.ingest()
    with pytest.raises(NothingChangedError, match="erased here"):
        transfer.load_jsonl(engine, old)
    assert upkeep.digest(engine) == before
    checked = upkeep.verify(engine, rebuild=True)
    assert checked.ok
    assert not checked.problems
    assert checked.rebuilt_digest == before
    more = Target(
        *world.dice.choice([("session", "work"), ("session", "chat"), ("source", "model"), ("subject", "me")])
    )
    with contextlib.suppress(NotFoundError):
        forgetting.erase(engine, PERSON, more)
    checked = upkeep.verify(engine, rebuild=True)
    assert (checked.ok, checked.problems) == (True, ())
    engine.close()
    assert traces(home, world.word, names) == []
    with pytest.raises(NotFoundError):
        forgetting.erase(make_engine(), PERSON, Target("match", world.word))
