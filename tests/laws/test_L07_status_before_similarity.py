"""L7. What was superseded, retracted or has expired is filtered out before anything is ranked or counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, Mutate, World, ids, rejects, replaced
from tests.support import archive, ran, stamp, state

from muniment.engine import past, standing, stating
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.searching import Asking, search
from muniment.engine.settling import Settler
from muniment.engine.stating import correct, decide, supersede
from muniment.engine.verdicts import VerdictBook
from muniment.model import settle
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.storage.sqlite import walk
from muniment.storage.sqlite.walk import Walks

PERSON = Caller(Origin.PERSON)


class Store:
    """What is open and what is not, all of it matching the same questions; what has ended is newer and ranks higher."""

    def __init__(self, world: World) -> None:
        self.engine: Engine = world.engine()
        world.clock.set("2026-02-01")
        self.open = [self._say(f"kept word {n}", f"k{n}") for n in range(4)]
        archive(self.engine, ran("s", 0, "2026-02-02 10:00", "make kept word"))
        self.open += ids(self.engine, "p:ran")
        self.over: list[str] = []
        for n in range(3):
            self._ended(world, n)
        world.clock.set("2026-03-05")

    def _say(self, text: str, topic: str, **more: str) -> str:
        made = state(self.engine, text, topic=topic, tags=["t"], subject="project:p", **more)
        return made.ids[0]

    def _ended(self, world: World, n: int) -> None:
        world.clock.forward(days=1)
        archive(self.engine, ran("s", 10 + n * 2, f"2026-02-1{n} 10:00", f"make ended word {n}"))
        first = [self._say(f"ended word {n}{c}", f"{c}{n}") for c in "abcd"]
        first += [self._say(f"ended word {n}e", f"e{n}", expires_at=stamp("2026-03-01"))]
        first += [self._say(f"ended word {n}f", f"f{n}", valid_until=stamp("2026-03-02"))]
        run = ids(self.engine, f'o:"make ended word {n}"')
        world.clock.forward(hours=1)
        self.open += [self._say(f"kept word {n}a", f"a{n}")]
        decide(self.engine, PERSON, Action.RETRACT, first[1])
        decide(self.engine, PERSON, Action.RETRACT, run[0])
        self.open += [correct(self.engine, PERSON, first[2], f"kept word {n}c", "a slip").ids[0]]
        supersede(self.engine, PERSON, first[3], self.open[n])
        self.over += [*first, *run]

    def selectors(self) -> Iterator[str]:
        yield from (
            "",
            "p:uses",
            "p:uses,ran",
            "type:fact,event",
            "s:p",
            "session:s",
            "word",
            '"kept word"',
            "word -zzz",
            "tag:t",
        )
        yield from (
            "role:user",
            "origin:person",
            "source:told",
            "method:own.state",
            "kind:project",
            "since:2026-01-01",
            "topic:*",
        )
        yield from (
            "until:2026-04-01",
            "s:p*",
            "-p:read",
            "o:*word*",
            "p:uses -topic:zzz",
            "standing:confirmed",
            "path:** word",
        )
        yield from (f"id:{i}" for i in (*self.open[:2], *self.over))


def check_what_has_ended_is_in_no_answer(world: World) -> None:
    store = Store(world)
    for selector in store.selectors():
        found = set(ids(store.engine, selector))
        assert not found & set(store.over), selector
    assert set(ids(store.engine)) == set(store.open)


def check_what_is_open_is_found_beneath_all_that_has_ended(world: World) -> None:
    store = Store(world)
    for selector, expected in (
        ("", store.open),
        ("p:uses", store.open[:4]),
        ("word", store.open),
        ("s:p", store.open[:4]),
    ):
        assert set(expected) <= set(ids(store.engine, selector)), selector
        assert query(store.engine, selector, 300).hits, "also where there is room for one row"


def check_what_has_ended_is_not_counted(world: World) -> None:
    store = Store(world)
    for selector in ("", "word", "p:uses", "s:p"):
        answer = query(store.engine, selector, 300)
        assert len(answer) + answer.left_out == len(ids(store.engine, selector)) <= len(store.open)


def check_what_has_ended_is_given_to_who_asks_for_it(world: World) -> None:
    store = Store(world)
    assert set(store.over) <= set(ids(store.engine, "standing:any"))


def check_what_has_ended_is_no_hit_of_words(world: World) -> None:
    store = Store(world)
    for words in ("word", "ended word", "kept word 1a", "make ended word 2", "what word does p use"):
        for include in ((), ("hypothesis",)):
            found = search(store.engine, words, Asking(LARGE, limit=1000, floor=False, include=include, explain=True))
            assert found.hits, words
            assert not {h.id for h in found} & set(store.over), words
            assert found.explained is not None
            assert found.explained.filtered, words


def check_what_was_superseded_is_marked_where_it_is_asked_for(world: World) -> None:
    store = Store(world)
    found = search(store.engine, "ended word", Asking(LARGE, limit=1000, floor=False, include=("superseded",)))
    by_id = {h.id: h for h in found if h.kind == "fact"}
    superseded = {h.id for h in query(store.engine, "standing:superseded", LARGE)}
    assert superseded
    assert by_id.keys() & set(store.over) == superseded
    assert all(h.marks[0] == "superseded" and h.marks[1].startswith("by:") for i, h in by_id.items() if i in superseded)
    order = [h.id for h in found]
    for id_ in superseded:
        newer = by_id[id_].marks[1].removeprefix("by:")
        assert newer in store.open
        assert newer not in order or order.index(newer) < order.index(id_)


CHECKS = (
    check_what_has_ended_is_in_no_answer,
    check_what_is_open_is_found_beneath_all_that_has_ended,
    check_what_has_ended_is_not_counted,
    check_what_has_ended_is_given_to_who_asks_for_it,
    check_what_has_ended_is_no_hit_of_words,
    check_what_was_superseded_is_marked_where_it_is_asked_for,
)


def _open_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(walk, "_HELD", "1")
    patch.setattr(walk, "_OPEN", "l.from_ms <= :now")


def _every_interval(patch: pytest.MonkeyPatch) -> None:
    """A line is kept for every interval, whether it has ended or not, and none says when."""
    lines_of = Settler.lines_of

    def wrong(self, state):
        shown = [s._replace(interval=s.interval._replace(end=None)) for s in state.shown]
        return lines_of(self, state._replace(shown=shown))

    patch.setattr(Settler, "lines_of", wrong)


def _ranked_first(patch: pytest.MonkeyPatch) -> None:
    """The best three are taken, and only then is looked at what has ended."""
    rows = Walks.rows
    patch.setattr(Walks, "rows", lambda self, at, now: rows(self, at._replace(cap=3, all_hold=False), now))


def _included(patch: pytest.MonkeyPatch) -> None:
    """What is superseded is shown whether it was asked for or not."""
    beside = standing.beside
    patch.setattr(standing, "beside", lambda *args, is_shown: beside(*args, is_shown=True))


def _first(patch: pytest.MonkeyPatch) -> None:
    """What is superseded comes before all that replaced it."""
    beside = standing.beside

    def wrong(choices, *args, is_shown):
        found = beside(choices, *args, is_shown=is_shown)
        return sorted(found, key=lambda choice: choice.standing != "superseded")

    patch.setattr(standing, "beside", wrong)


def _unheard(target: object, name: str, wrong: object) -> Mutate:
    """The verb would notice that nothing came of the verdict: it is made to look away."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(stating.StandsSo, "demand", lambda *_: None)
        patch.setattr(target, name, wrong)

    return mutate


MUTANTS: Mutants = {
    "nobody looks when a row ends": Mutant(CHECKS[0], _open_for_ever),
    "every interval is open": Mutant(CHECKS[0], _every_interval),
    "a retraction is no standing": Mutant(
        CHECKS[0], _unheard(VerdictBook, "occurrence_standing", lambda self, target, stated, known=None: stated)
    ),
    "a retraction does not settle": Mutant(CHECKS[0], _unheard(settle, "is_retracted", lambda *_: False)),
    "ranked before it is filtered": Mutant(CHECKS[1], _ranked_first),
    "the count takes all": Mutant(CHECKS[2], _open_for_ever),
    "words find every interval": Mutant(CHECKS[4], _every_interval),
    "words find what is superseded": Mutant(CHECKS[4], _included),
    "nobody knows what is superseded": Mutant(CHECKS[5], replaced(standing, "closed", lambda *_: [])),
    "the old comes before the new": Mutant(CHECKS[5], _first),
    "what has ended is lost": Mutant(CHECKS[3], replaced(past, "_EVERY", past._OPEN)),
}


def test_the_limit_of_a_question_is_room_for_one_row(world: World) -> None:
    store = Store(world)
    assert query(store.engine, "", LARGE).left_out == 0


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
