"""L12. The state is a function of the set of events and verdicts: any order, repetition or batching gives the same.

The small version: few things, every order. `tests/properties` has random worlds.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, ids, rejects
from tests.support import HARNESS, ran, said, state, wrote

from muniment.archive import parts
from muniment.engine import settling, upkeep
from muniment.engine.archiving import Archivist
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.history import history
from muniment.engine.stating import correct, decide
from muniment.gate import admission
from muniment.gate.intake import prepare
from muniment.model.event import Origin, SessionInfo
from muniment.model.fact import Action, Verdict
from muniment.model.stored import Prepared
from muniment.storage.sqlite import events as event_table

Item = Prepared | Verdict
PERSON = Caller(Origin.PERSON)


def _events() -> list[Prepared]:
    found = [*ran("a", 0, "2026-03-01 10:00", "make"), *wrote("b", 0, "2026-03-01 09:00", "a.py", sha256="0" * 64)]
    found += [said("a", 2, "2026-03-01 08:00", "Where is it?"), said("a", 3, None, "And who owns it?")]
    return [prepare(e, HARNESS, parts.encode) for e in found]


def _put(engine: Engine, items: Sequence[Item], per_batch: int = 1) -> None:
    for n in range(0, len(items), per_batch):
        batch = items[n : n + per_batch]
        sessions = {
            i.session: (SessionInfo(i.session, HARNESS, cwd="/w"), "/w") for i in batch if isinstance(i, Prepared)
        }
        archivist = Archivist(engine.store(create=True))
        events = [i for i in batch if isinstance(i, Prepared)]
        archivist.write(sessions, events, durable=False, verdicts=[i for i in batch if isinstance(i, Verdict)])


def _said_and_decided(world: World) -> list[Item]:
    """What commands made in one store, as another store would be handed it."""
    engine = world.engine("source")
    made = []
    for day, (value, origin) in enumerate(
        [("A", Origin.PERSON), ("B", Origin.TOOL), ("A", Origin.AGENT), ("C", Origin.PERSON)], 1
    ):
        world.clock.set(f"2026-02-0{day}")
        made.append(state(engine, value, topic="database", origin=origin).ids[0])
    world.clock.set("2026-02-06")
    decide(engine, PERSON, Action.RETRACT, made[3])
    world.clock.set("2026-02-07")
    correct(engine, PERSON, made[1], "D", "misread")
    store = engine.store()
    uids = [(r[0], r[1]) for r in store.db.rows("SELECT n, uid FROM events ORDER BY n")]
    places = {uid: store.events.place_of(uid) for _, uid in uids}
    events = [store.prepared(n)._replace(session=places[u][0], seq=places[u][1]) for n, u in uids]
    return [*events, *store.facts.verdicts()]


def told(engine: Engine) -> tuple:
    """The digest, what is answered on both clocks, and the life of every belief."""
    engine_ids = ids(engine, "standing:any")
    return (
        upkeep.digest(engine), query(engine, "", LARGE).text, query(engine, "standing:any", LARGE).text,
        query(engine, "as-of:2026-02-03", LARGE).text, query(engine, "known:2026-02-05", LARGE).text,
        [history(engine, i).steps for i in sorted(engine_ids)],
    )  # fmt: skip


def _same_in_every_order(world: World, items: Sequence[Item], orders: list[tuple[Item, ...]]) -> None:
    one = world.engine("one")
    _put(one, items, len(items))
    expected = told(one)
    for n, order in enumerate(orders):
        for size in (1, 3):
            engine = world.engine(f"o{n}-{size}")
            _put(engine, order, size)
            assert told(engine) == expected, (n, size)
            engine.close()


def check_records_in_every_order(world: World) -> None:
    items = _events()
    orders = list(itertools.permutations(items))[::43]
    _same_in_every_order(world, items, [*orders, tuple(items[::-1]), (*items, *items[::-1])])


def check_statements_and_verdicts_in_every_order(world: World) -> None:
    items = _said_and_decided(world)
    world.clock.set("2026-03-05")
    turns = [tuple(items[n:] + items[:n]) for n in range(len(items))]
    _same_in_every_order(world, items, [*turns, tuple(items[::-1]), (*items[::2], *items[1::2], *items)])


def check_the_union_of_two_stores_is_the_store_that_saw_both(world: World) -> None:
    items = _events() + _said_and_decided(world)
    world.clock.set("2026-03-05")
    half = len(items) // 2
    _same_in_every_order(world, items, [(*items[half:], *items[:half]), (*items[: half + 2], *items[half - 2 :])])


CHECKS = (
    check_records_in_every_order,
    check_statements_and_verdicts_in_every_order,
    check_the_union_of_two_stores_is_the_store_that_saw_both,
)


def _as_they_came(patch: pytest.MonkeyPatch) -> None:
    """What arrives last is what was said last."""
    settle = settling.settle

    def wrong(statements, *more):
        return settle([s._replace(at=f"2026-02-01T00:00:00.{n:03}Z") for n, s in enumerate(statements)], *more)

    patch.setattr(settling, "settle", wrong)


def _numbered(patch: pytest.MonkeyPatch) -> None:
    made, number = admission.fact_id, itertools.count()
    patch.setattr(admission, "fact_id", lambda *args: made(*args[:-1], str(next(number))))


def _first_seen(patch: pytest.MonkeyPatch) -> None:
    """Times within a session are not put in order again when a record comes late."""
    patch.setattr(event_table.EventTable, "reorder", lambda self, session: [])


MUTANTS: Mutants = {
    "times are left as they came": Mutant(CHECKS[0], _first_seen),
    "an id says when something came": Mutant(CHECKS[0], _numbered),
    "the last to arrive has the last word": Mutant(CHECKS[1], _as_they_came),
    "the last store has the last word": Mutant(CHECKS[2], _as_they_came),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
