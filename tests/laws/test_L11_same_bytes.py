"""L11. Same store, same question, same clock: same bytes, in any process, after reopening and after a rebuild."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, rejects
from tests.support import archive, ran, said, state, wrote

import muniment
from muniment.engine import upkeep
from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.engine.handle import Handle
from muniment.engine.searching import Asking, search
from muniment.engine.viewing import wake
from muniment.model.event import Event
from muniment.model.stored import Position
from muniment.storage.sqlite.search import SearchReads
from muniment.storage.sqlite.walk import Walks

WORDS = ("policy", "make part", "which rule holds now", "src/f3.py", "rule make policy 2026", "nothing of it, zebra")
QUESTIONS = (
    "",
    "p:ran",
    "type:event",
    "make",
    "session:s",
    "path:src/**",
    "standing:any",
    "as-of:2026-03-04",
    "p:requires",
    "s:project",
)
BUDGETS = (0, 300, 1000, 4096, LARGE)

ASK = """
import sys
from pathlib import Path
from muniment.engine.asking import query
from muniment.engine.core import Engine, Settings
from muniment.engine.searching import Asking, search
from muniment.engine.viewing import wake
from muniment.model.scope import workspace_of
folder, home, now, words, *questions = sys.argv[1:]
budgets = (0, 300, 1000, 4096, 1000000)
with Engine(workspace_of(folder), Settings(Path(home), clock=lambda: now)) as engine:
    for question in questions:
        for budget in budgets:
            answer = query(engine, question, budget)
            sys.stdout.buffer.write(f"{answer.text}\\n{answer.cursor}\\n{answer.left_out}\\n".encode())
    for asked in words.split("|"):
        for budget in budgets:
            answer = search(engine, asked, Asking(budget, floor=False))
            sys.stdout.buffer.write(f"{answer.text}\\n{answer.cursor}\\n{answer.left_out}\\n".encode())
    sys.stdout.buffer.write(wake(engine).encode())
"""


def events() -> list[Event]:
    """Many rows that rank the same: of one moment, one session, one kind."""
    at = "2026-03-01 10:00"
    found = [
        said("s", 0, at, "Where is the policy?"),
        *(e for n in range(12) for e in ran("s", 1 + n * 2, at, f"make part-{n}")),
    ]
    return [*found, *(e for n in range(6) for e in wrote("s", 40 + n * 2, at, f"src/f{n}.py", sha256="0" * 64))]


def _filled(world: World, name: str = "project") -> Engine:
    engine = world.engine(name)
    archive(engine, events())
    for n in range(6):
        state(engine, f"rule {n}", "requires", topic="t")
    return engine


def answers(engine: Engine) -> list[str]:
    """Everything that is said to all questions, with what goes on from there."""
    found = [query(engine, q, b) for q, b in itertools.product(QUESTIONS, BUDGETS)]
    words = [search(engine, w, Asking(b, floor=False)) for w, b in itertools.product(WORDS, BUDGETS)]
    return [f"{a.text}\n{a.cursor}\n{a.left_out}\n" for a in [*found, *words]] + [wake(engine)]


def check_asked_twice_and_after_reopening(world: World) -> None:
    engine = _filled(world)
    first = answers(engine)
    assert answers(engine) == first
    assert answers(world.engine()) == first
    engine.close()
    assert answers(engine) == first


def check_another_process_with_another_hash_seed_says_the_same(world: World) -> None:
    engine = _filled(world)
    first = "".join(answers(engine)).encode()
    for seed in ("0", "1", "4242"):
        command = [
            sys.executable,
            "-c",
            ASK,
            engine.workspace.root,
            str(engine.settings.home),
            world.clock(),
            "|".join(WORDS),
            *QUESTIONS,
        ]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(muniment.__file__).parent.parent)}
        said_there = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
        assert said_there == first


def check_a_rebuild_changes_no_answer(world: World) -> None:
    engine = _filled(world)
    first = answers(engine)
    assert upkeep.verify(engine, rebuild=True).ok
    assert answers(engine) == first


def check_rows_that_rank_the_same_stand_in_the_order_of_their_ids(world: World) -> None:
    engine = _filled(world)
    for question in QUESTIONS:
        hits = query(engine, question, LARGE).hits
        by_score = [(h.standing == "suspect", -h.score, h.id) for h in hits]
        assert by_score == sorted(by_score), question


def check_what_is_found_the_same_comes_as_it_happened_in_whatever_order_it_came(world: World) -> None:
    found = []
    for order in (1, -1):
        engine = world.make(home=world.engine().settings.home / f"order{order}")
        for event in events()[::order]:
            archive(engine, [event])
        found.append([search(engine, words, Asking(LARGE, limit=100, floor=False)).text for words in WORDS])
    assert found[0] == found[1]


CHECKS = (
    check_asked_twice_and_after_reopening,
    check_another_process_with_another_hash_seed_says_the_same,
    check_a_rebuild_changes_no_answer,
    check_rows_that_rank_the_same_stand_in_the_order_of_their_ids,
    check_what_is_found_the_same_comes_as_it_happened_in_whatever_order_it_came,
)


def _as_they_came(patch: pytest.MonkeyPatch) -> None:
    """Rows that rank the same come in the order in which they were put down."""
    rows = Walks.rows

    def wrong(self, walk, now):
        came = {r[0]: r[1] for r in self._db.rows("SELECT id, n FROM lines")}
        yield from sorted(rows(self, walk, now), key=lambda row: (row.score, came[row.id]))

    patch.setattr(Walks, "rows", wrong)


def _numbered(patch: pytest.MonkeyPatch) -> None:
    encode, number = Handle.encode, itertools.count()
    patch.setattr(Handle, "encode", lambda self: f"{encode(self)}{next(number)}")


def _by_address(patch: pytest.MonkeyPatch) -> None:
    """Rows that rank the same come in an order of this process."""
    rows = Walks.rows

    def wrong(self, walk, now):
        yield from sorted(rows(self, walk, now), key=lambda row: (row.score, hash(row.line)))

    patch.setattr(Walks, "rows", wrong)


def _as_archived(patch: pytest.MonkeyPatch) -> None:
    """What is found and scores the same comes in the order of its rows."""
    positions = SearchReads.positions

    def wrong(self, events):
        found = positions(self, events)
        return {n: Position(f"{n:09d}", at.session, at.seq, at.uid) for n, at in found.items()}

    patch.setattr(SearchReads, "positions", wrong)


MUTANTS: Mutants = {
    "a handle knows how often it was asked for": Mutant(CHECKS[0], _numbered),
    "ties are broken by the hash of this process": Mutant(CHECKS[1], _by_address),
    "ties are broken by arrival": Mutant(CHECKS[3], _as_they_came),
    "what was archived first is found first": Mutant(CHECKS[4], _as_archived),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
