"""Two people work apart on copies of one memory, with every verb there is; joined in either order the two are the same.

Whatever was stated, amended, pinned, expired, doubted, proposed, accepted, declined and undone: the union has one digest, and
a rebuild of it, forwards or backwards, gives the same.
"""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.support import state

from muniment.engine import adding, amending, proposing, reviewing, revising
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.revising import Words
from muniment.engine.stating import Statement
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.engine.upkeep import verify
from muniment.errors import MunimentError, NothingChangedError
from muniment.model.event import Origin

CALLERS = (Caller(Origin.PERSON), Caller(Origin.PERSON), Caller(Origin.AGENT), Caller(Origin.WEB))
VALUES = ("Postgres", "SQLite", "always squash merges", "always squash merges for hotfixes", "tabs", "no tabs")
PREDICATES = (
    ("uses", "database", "fact"),
    ("requires", "", "fact"),
    ("prefers", "code.indent", "preference"),
    ("noted", "", "fact"),
)
TIMES = ("2026-03-04", "2026-04-01", "never")
SEEDS = (109, 150, *range(10))


def _ids(engine: Engine) -> list[str]:
    return sorted(h.id for h in query(engine, "standing:any", 1 << 20).hits)


def _say(engine: Engine, rng: random.Random) -> None:
    predicate, topic, type_ = rng.choice(PREDICATES)
    statement = Statement(type_, rng.choice(VALUES), predicate=predicate, topic=topic)
    adding.add(engine, rng.choice(CALLERS), statement)


def _revise(engine: Engine, rng: random.Random) -> None:
    ids = _ids(engine)
    action = rng.choice(("confirm", "suspect", "retract", "restore", "expire", "pin", "unpin", "correct", "supersede"))
    words = Words(claim=rng.choice(VALUES), new_id=rng.choice(ids), reason="so")
    revising.revise(engine, rng.choice(CALLERS), rng.choice(ids), action, words)


def _update(engine: Engine, rng: random.Random) -> None:
    field, values = rng.choice((
        ("tags", ("a", "b,c", "")), ("topic", ("database", "x", "")), ("context", ("k:1", "")), ("expiry", TIMES),
        ("confidence", ("sure", "uncertain")),
    ))  # fmt: skip
    amending.update(engine, rng.choice(CALLERS), rng.choice(_ids(engine)), field, rng.choice(values))


def _decide(engine: Engine, rng: random.Random) -> None:
    states = rng.choice(("open", "open", "accepted", "declined"))
    found = reviewing.review(engine, everything=True, state=states).proposals
    verb = rng.choice((reviewing.accept, reviewing.decline)) if states == "open" else reviewing.undo
    verb(engine, CALLERS[0], rng.choice(found).id)


def _propose(engine: Engine, rng: random.Random) -> None:
    proposing.propose(engine, CALLERS[2], rng.choice(_ids(engine)), rng.choice(("confirm", "retract", "suspect")))


VERBS: tuple[Callable[[Engine, random.Random], None], ...] = (
    _say,
    _say,
    _revise,
    _revise,
    _update,
    _update,
    _propose,
    _decide,
    _decide,
)


def _live(engine: Engine, clock: Any, rng: random.Random, steps: int) -> int:
    """So many things done; those that make no sense are refused and leave nothing."""
    done = 0
    for _ in range(steps):
        clock.forward(minutes=rng.choice((0, 1, 7, 60, 60 * 24)))
        try:
            rng.choice(VERBS)(engine, rng)
            done += 1
        except (MunimentError, IndexError):
            continue
    return done


def _exported(engine: Engine) -> bytes:
    stream = io.BytesIO()
    export_jsonl(engine, stream)
    return stream.getvalue()


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_done_apart_joins_to_one_memory(seed: int, make_engine: Callable[..., Engine], clock: Any) -> None:
    rng = random.Random(seed)
    mine, yours = make_engine("mine"), make_engine("yours")
    for value in VALUES[:3]:
        state(mine, value, "noted")
    _live(mine, clock, rng, 20)
    load_jsonl(yours, io.BytesIO(_exported(mine)))
    done = _live(mine, clock, rng, 14) + _live(yours, clock, rng, 14)
    assert done > 8
    ours, theirs = _exported(mine), _exported(yours)
    for engine, other in ((mine, theirs), (yours, ours)):
        with contextlib.suppress(NothingChangedError):  # where one of them did nothing
            load_jsonl(engine, io.BytesIO(other))
    clock.forward(days=1)
    told = [verify(engine, rebuild=True) for engine in (mine, yours)]
    assert [t.problems for t in told] == [(), ()]
    assert len({t.digest for t in told} | {t.rebuilt_digest for t in told}) == 1
    shown = [query(engine, "standing:any", 1 << 20).text for engine in (mine, yours)]
    assert shown[0] == shown[1]
    assert _states(mine) == _states(yours)


def _states(engine: Engine) -> dict[str, str]:
    found = (reviewing.review(engine, everything=True, state=s) for s in ("open", "accepted", "declined"))
    return {p.id: p.state for r in found for p in r.proposals}
