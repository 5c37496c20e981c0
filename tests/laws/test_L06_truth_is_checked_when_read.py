"""L6. A fact about a file carries the file's hash; an answer compares it and names the session that changed it."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, rejects, replaced
from tests.support import archive, wrote

from muniment.engine import asking
from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.engine.truth import Freshness

PATH = "src/it.py"


def _put(engine: Engine, text: str) -> str:
    """The file with this content; its hash."""
    file = Path(engine.workspace.root) / PATH
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    os.utime(file, (1_700_000_000, 1_700_000_000 + len(text)))  # long ago: nothing has to be doubted for being fresh
    return sha256(text.encode()).hexdigest()


def _marks(engine: Engine) -> dict[str, list[str]]:
    """The marks of staleness of each write, by its session."""
    hits = query(engine, "p:touched", LARGE).hits
    return {h.receipt.split(":")[0]: [m for m in h.marks if m.startswith("stale")] for h in hits}


def check_a_file_that_is_as_it_was_bears_no_mark(world: World) -> None:
    engine = world.engine()
    archive(engine, wrote("s1", 0, "2026-03-01 10:00", PATH, "one\n", _put(engine, "one\n")))
    assert _marks(engine) == {"s1": []}


def check_the_session_that_changed_it_is_named(world: World) -> None:
    engine = world.engine()
    first = _put(engine, "one\n")
    archive(engine, wrote("s1", 0, "2026-03-01 10:00", PATH, "one\n", first))
    assert _marks(engine) == {"s1": []}
    archive(engine, wrote("s2", 0, "2026-03-02 10:00", PATH, "two and\n", _put(engine, "two and\n")))
    assert _marks(engine) == {"s1": ["stale:s2"], "s2": []}
    _put(engine, "one\n")
    assert _marks(engine)["s1"] == [], "what was put back is as it was"


def check_a_change_that_no_session_made_is_told_as_from_outside(world: World) -> None:
    engine = world.engine()
    archive(engine, wrote("s1", 0, "2026-03-01 10:00", PATH, "one\n", _put(engine, "one\n")))
    assert _marks(engine) == {"s1": []}
    _put(engine, "by hand, later\n")
    assert _marks(engine) == {"s1": ["stale:outside"]}
    (Path(engine.workspace.root) / PATH).unlink()
    assert _marks(engine) == {"s1": ["stale:outside"]}


def check_another_way_to_ask_sees_it_too(world: World) -> None:
    engine = world.engine()
    archive(engine, wrote("s1", 0, "2026-03-01 10:00", PATH, "one\n", _put(engine, "one\n")))
    _put(engine, "by hand, later\n")
    for selector in ("", f"path:{PATH}", "session:s1", "type:event", "it.py", "standing:any", "as-of:2026-03-04"):
        assert "stale:outside" in query(engine, selector, LARGE).text, selector


CHECKS = (
    check_a_file_that_is_as_it_was_bears_no_mark,
    check_the_session_that_changed_it_is_named,
    check_a_change_that_no_session_made_is_told_as_from_outside,
    check_another_way_to_ask_sees_it_too,
)


def _remembered(patch: pytest.MonkeyPatch) -> None:
    look, known = Freshness._sha256, {}
    patch.setattr(Freshness, "_sha256", lambda self, full: known.setdefault(full, look(self, full)))


MUTANTS: Mutants = {
    "every file is stale": Mutant(CHECKS[0], replaced(Freshness, "mark", lambda *_: "stale:outside")),
    "nothing is ever stale": Mutant(CHECKS[1], replaced(Freshness, "mark", lambda *_: None)),
    "the culprit is not looked for": Mutant(
        CHECKS[1], lambda patch: patch.setattr(Freshness, "mark", _outside(Freshness.mark))
    ),
    "a file is looked at once": Mutant(CHECKS[2], _remembered),
    "the last session is blamed for everything": Mutant(
        CHECKS[2], lambda patch: patch.setattr(Freshness, "mark", _blamed(Freshness.mark))
    ),
    "only some answers are checked": Mutant(CHECKS[3], replaced(asking, "checked", lambda _f, _s, row: row.line)),
}


def _outside(mark):
    return lambda *args: mark(*args) and "stale:outside"


def _blamed(mark):
    return lambda *args: mark(*args) and "stale:s1"


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
