"""A thousand subjects, each corrected three times: no lane, view or verb shows what was closed, unless it is asked for."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from tests.support import Clock, state

from muniment import Memory
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import correct, supersede
from muniment.model.event import Origin

SUBJECTS = int(os.environ.get("MUNIMENT_SUBJECTS", "40"))
"""`make histories` asks for a thousand, and for fifty answers about each."""
ANSWERS = 50
PERSON = Caller(Origin.PERSON)
WORDS = ("amber", "birch", "cedar", "delta", "ember", "flint", "grove", "heron", "ivory", "jade")


@pytest.fixture
def memory(engine: Engine) -> Memory:
    """The library over the engine of the test."""
    return Memory(engine, PERSON)


def corrected(engine: Engine, clock: Clock, rng: random.Random, number: int) -> tuple[str, set[str], str]:
    """(subject, the ids and words that are over, the word that holds) of one subject."""
    subject, days = f"service{number}", iter(range(1, 9))
    words = [f"{word}{number}" for word in rng.sample(WORDS, 4)]
    clock.set(f"2026-02-0{next(days)}T00:00:00.000Z")
    id_ = state(engine, words[0], "is", topic="port", subject=f"project:{subject}").ids[0]
    over = {id_}
    for word in words[1:]:
        clock.set(f"2026-02-0{next(days)}T00:00:00.000Z")
        if rng.random() < 0.5:
            new = correct(engine, PERSON, id_, word, "misread").ids[0]
        else:
            new = state(engine, word, "is", topic="port", subject=f"project:{subject}").ids[0]
            if rng.random() < 0.3:
                clock.set(f"2026-02-0{next(days)}T00:00:00.000Z")
                _again(engine, id_, new)
        over.add(id_)
        id_ = new
    return subject, over - {id_}, words[-1]


def _again(engine: Engine, old: str, new: str) -> None:
    from muniment.errors import NothingChangedError

    try:
        supersede(engine, PERSON, old, new)
    except NothingChangedError:
        return


def answers(memory: Memory, subject: str, word: str, rng: random.Random) -> Iterator[list[str]]:
    """The ids of facts that one question shows, by one way of asking out of all."""
    asked = rng.choice(("query", "subject", "search", "words", "get", "list", "budget", "as of now"))
    if asked == "query":
        yield [hit.id for hit in memory.query(f"s:{subject}")]
    elif asked == "subject":
        yield [hit.id for hit in memory.query(f"p:is topic:port s:{subject}", rng.choice((200, 1000, 4096)))]
    elif asked == "search":
        yield [hit.id for hit in memory.search(f"which port has {subject}").hits if hit.kind == "fact"]
    elif asked == "words":
        yield [hit.id for hit in memory.search(word, floor=False).hits if hit.kind == "fact"]
    elif asked == "get":
        yield [hit.id for hit in memory.get(f"{subject} port").hits]
    elif asked == "list":
        yield [hit.id for hit in memory.list("fact", 2000)]
    elif asked == "budget":
        yield [hit.id for hit in memory.query("p:is", rng.choice((300, 3000)))]
    else:
        yield [hit.id for hit in memory.query(f"s:{subject}", as_of="2026-03-01", known="2026-03-01")]


def test_nothing_that_was_closed_is_shown(engine: Engine, clock: Clock, memory: Memory) -> None:
    rng = random.Random(7)
    told = [corrected(engine, clock, rng, number) for number in range(SUBJECTS)]
    closed = set[str]().union(*(over for _, over, _ in told))
    clock.set("2026-03-01T00:00:00.000Z")
    shown = 0
    for subject, _, word in told:
        (row,) = memory.query(f"p:is s:{subject}")
        assert row.text == word
        for _ in range(ANSWERS):
            for ids in answers(memory, subject, word, rng):
                shown += len(ids)
                assert not closed & set(ids)
    assert shown > SUBJECTS * ANSWERS // 4
    for name in ("wake", "timeline", "rules"):
        text = memory.view(name, 100_000, **({"at": "2026-03-01"} if name == "timeline" else {}))
        assert not [id_ for id_ in closed if id_ in text], name
