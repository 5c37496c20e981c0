"""Which floor is proposed, and on what."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from muniment.evals import floor


class Told(NamedTuple):
    kind: str
    signal: float


def test_the_proposed_floor_loses_at_most_three_percent() -> None:
    own = [float(n) for n in range(100)]
    found = floor.proposed(own, [50.0] * 40)
    assert found is not None
    assert floor.below(own, found) <= 0.03
    assert floor.below(own, found + 1) > 0.03


def test_it_is_no_higher_than_it_takes_to_refuse_nearly_all_foreign_ones() -> None:
    found = floor.proposed([10.0] * 50, [n / 100 for n in range(-200, -100)])
    assert found == pytest.approx(-1.01, abs=0.02)


@pytest.mark.parametrize(("own", "foreign"), [(29, 100), (100, 29), (0, 0)])
def test_nothing_is_proposed_on_few_questions(own: int, foreign: int) -> None:
    assert floor.proposed([1.0] * own, [0.0] * foreign) is None


def test_enough_labels_decide_alone() -> None:
    own = [Told("label", 5.0)] * 30 + [Told("masked", -5.0)] * 30
    few = own[10:]
    foreign = [Told("foreign", -4.0)] * 30
    found = floor.run(own=own, foreign=foreign, floor=-1.38, shipped=-1.38)
    assert found["parameters"]["basis"] == "labels"
    assert found["metrics"]["abstain_auc"] == 1.0
    assert floor.run(own=few, foreign=foreign, floor=-1.38, shipped=-1.38)["metrics"]["own_n"] == 50.0


def test_the_shipped_questions_are_many_and_in_several_scripts() -> None:
    questions = floor.foreign_questions()
    assert len(set(questions)) == len(questions) >= 150
    assert any("ß" in q or "ü" in q for q in questions)
    assert any(ord(q[0]) > 0x3000 for q in questions)
