"""L10. Never a byte over the budget on the final text; at 0 only the handle; too little room gives rows first."""

from __future__ import annotations

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, rejects, replaced
from tests.support import state

from muniment.engine import viewing
from muniment.engine.asking import Answer, query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import decide
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.recall import hydrate

TEXTS = (
    "plain",
    "Zürich – naïve",
    "日本語の行です",
    "👩‍👩‍👧‍👦 now",
    "שלום עולם",
    "tab\tand\nline",
    "half \ud83d",
    "ends with é",
)
MEGABYTE = 1_000_000


def _filled(world: World) -> Engine:
    engine = world.engine()
    for n, text in enumerate(TEXTS):
        made = state(engine, f"{text} {n}", "noted", topic=text[:3].strip())
        world.clock.forward(hours=1)
        if n % 4 == 3:
            decide(engine, Caller(Origin.PERSON), Action.SUSPECT, made.ids[0])
    return engine


def _rows(answer: Answer) -> list[str]:
    return [line for line in answer.text.splitlines() if not line.startswith("-- ")]


def check_no_budget_is_exceeded_by_a_byte(world: World) -> None:
    engine = _filled(world)
    whole = query(engine, "", LARGE)
    for budget in range(whole.bytes + 50):
        answer = query(engine, "", budget)
        assert len(answer.text.encode("utf-8")) <= budget
        assert all(row.count("\t") == 8 for row in _rows(answer))
        assert len(_rows(answer)) + answer.left_out == len(whole)


def check_what_fits_to_the_byte_is_given(world: World) -> None:
    engine = _filled(world)
    whole = query(engine, "", LARGE)
    assert query(engine, "", whole.bytes).text == whole.text
    assert query(engine, "", whole.bytes - 1).left_out > 0
    first = len((_rows(query(engine, "p:noted standing:confirmed", LARGE))[0] + "\n").encode())
    assert _rows(query(engine, "standing:confirmed", first)), "rows first, where there is no room for the last line"
    assert not _rows(query(engine, "standing:confirmed", first - 1))


def check_nothing_is_said_at_nought_and_the_handle_goes_on(world: World) -> None:
    engine = _filled(world)
    none = query(engine, "", 0)
    assert (none.text, none.bytes, len(none)) == ("", 0, 0)
    assert none.left_out == len(TEXTS)
    assert none.cursor is not None
    assert query(engine, "", LARGE, cursor=none.cursor).text == query(engine, "", LARGE).text


def check_a_row_of_a_megabyte_breaks_nothing(world: World) -> None:
    engine = _filled(world)
    for sign in ("x", "é", "日", "\x00", "\t"):
        state(engine, "long " + sign * (MEGABYTE // len(sign.encode())), "noted", topic="long")
        world.clock.forward(hours=1)
    for budget in (*range(0, 3000, 37), 4096, 10_000, 100_000):
        answer = query(engine, "", budget)
        assert len(answer.text.encode("utf-8")) <= budget
        assert len(_rows(answer)) + answer.left_out == len(TEXTS) + 5
    assert len(query(engine, "topic:long", 4096)) >= 1


def check_what_a_session_starts_with_is_within_its_budget(world: World) -> None:
    engine = _filled(world)
    for budget in range(0, 3000, 7):
        assert len(viewing.wake(engine, budget).encode("utf-8")) <= budget


CHECKS = (
    check_no_budget_is_exceeded_by_a_byte,
    check_what_fits_to_the_byte_is_given,
    check_nothing_is_said_at_nought_and_the_handle_goes_on,
    check_a_row_of_a_megabyte_breaks_nothing,
    check_what_a_session_starts_with_is_within_its_budget,
)


def _generous(by: int):
    def mutate(patch: pytest.MonkeyPatch) -> None:
        fill, close = hydrate.fill, hydrate.close
        patch.setattr(
            hydrate, "fill", lambda firm, doubted, render, budget: fill(firm, doubted, render, budget and budget + by)
        )
        patch.setattr(hydrate, "close", lambda rows, trailer, budget, least=0: close(rows, trailer, budget + by, least))

    return mutate


def _no_last_line(patch: pytest.MonkeyPatch) -> None:
    """A row is shown only where the last line fits too."""
    close = hydrate.close

    def wrong(rows, trailer, budget, least=0):
        text, shown = close(rows, trailer, budget, least)
        return (text, shown) if not trailer(shown) or trailer(shown) in text else ("", 0)

    patch.setattr(hydrate, "close", wrong)


def _at_nought(patch: pytest.MonkeyPatch) -> None:
    fill = hydrate.fill
    patch.setattr(
        hydrate,
        "fill",
        lambda firm, doubted, render, budget: fill(firm, doubted, render, budget) if budget else ([], [], False),
    )


MUTANTS: Mutants = {
    "one byte too many": Mutant(CHECKS[0], _generous(1)),
    "one byte too few": Mutant(CHECKS[1], _generous(-1)),
    "characters are counted, not bytes": Mutant(CHECKS[0], replaced(hydrate, "size", len)),
    "the last line comes before rows": Mutant(CHECKS[1], _no_last_line),
    "nothing asked, nothing counted": Mutant(CHECKS[2], _at_nought),
    "a large row is shown whole": Mutant(
        CHECKS[3], lambda patch: patch.setattr("muniment.views.rows.VALUE_CAP", 10 * MEGABYTE)
    ),
    "a wake view as long as it likes": Mutant(
        CHECKS[4], replaced(viewing, "wake", lambda engine, _budget, wake=viewing.wake: wake(engine, 4096))
    ),
}


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
