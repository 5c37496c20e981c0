"""Abstention: the signals are what they say, and a few words that stand in the store are never refused."""

from __future__ import annotations

import math

import pytest
from tests.recall.stores import question

from muniment.model.stored import Spread
from muniment.recall import abstention
from muniment.recall.abstention import DETAILS, FLOOR, WEIGHTS, confidence, refusal, signal, signals
from muniment.recall.lanes.contract import Group, Looked


def group(word: str, turns: int, person: int, uses: int, weight: float = 1.0) -> Group:
    return Group((word,), (word,), weight, Spread(turns, person, uses))


def looked(*groups: Group, pairs: tuple[int, ...] = (), share: float = 0.0) -> Looked:
    return Looked(list(groups), [], 100, 50, 1000, list(pairs), best_share=share)


FOREIGN = looked(group("photosynthesis", 0, 0, 0), group("chlorophyll", 0, 0, 0), group("leaf", 1, 0, 1), pairs=(0, 0))
KNOWN = looked(group("kitchen", 30, 20, 60), group("budget", 20, 18, 40), pairs=(9, 4), share=1.0)
LONG = "Which pigment makes photosynthesis in a leaf possible?"


def test_signals_are_shares_of_what_could_be() -> None:
    found = signals(looked(group("kitchen", 30, 20, 60), group("at", 4, 2, 5), pairs=(9, 0), share=0.5))
    told = 7 * math.log1p(20) + 2 * math.log1p(2)
    assert found["familiar_person"] == pytest.approx(told / (9 * math.log1p(50)))
    assert found["familiar"] == pytest.approx((7 * math.log1p(60) + 2 * math.log1p(5)) / (9 * math.log1p(1000)))
    assert found["covered"] == pytest.approx(0.5 * math.log1p(2) / 3)
    assert found["pairs"] == pytest.approx(math.log1p(9) / 2 / 3)
    assert found["pairs_sum"] == pytest.approx(math.log1p(9) / 8)
    assert found.keys() == WEIGHTS.keys() | DETAILS.keys()


def test_words_that_keep_talk_going_are_no_part_of_it_where_others_are() -> None:
    assert signals(looked(group("kitchen", 3, 3, 3), group("really", 90, 50, 200, 0.3))) == signals(
        looked(group("kitchen", 3, 3, 3))
    )


def test_only_a_question_all_of_whose_names_are_known_speaks_for_the_store() -> None:
    known, unknown = (Group((w,), (w,), 1.0, Spread(n, n, n), is_name=True) for w, n in (("ada", 5), ("boris", 0)))
    told = [
        signals(looked(*groups))["names"]
        for groups in ([known], [known, unknown], [unknown], [group("kitchen", 5, 5, 5)])
    ]
    assert told == [1.0, 0.0, 0.0, 0.0]


def test_words_that_stand_nowhere_are_counted_up_to_three_but_not_pairs_of_characters() -> None:
    nowhere = [group(f"word{n}", 0, 0, 0) for n in range(5)]
    told = [signals(looked(*nowhere[:n], group("kitchen", 5, 5, 5)))["strange"] for n in range(5)]
    assert told == pytest.approx([0, 1 / 3, 2 / 3, 1, 1])
    assert signals(looked(group("\u5c0f\u63d0", 0, 0, 0)))["strange"] == 0


def test_what_is_foreign_is_refused_with_a_reason_that_names_the_unknown_words() -> None:
    reason = refusal(question(LONG), FOREIGN, signals(FOREIGN))
    assert reason == 'this store does not seem to know what is asked; no turn holds "photosynthesis"'


def test_what_is_known_is_not_refused() -> None:
    assert refusal(question("What is our budget for the new kitchen now?"), KNOWN, signals(KNOWN)) is None
    assert confidence(signals(KNOWN)) > 0.9
    assert confidence(signals(FOREIGN)) < 0.2


def test_keywords_and_context_are_never_refused_while_a_word_of_them_is_known() -> None:
    assert signal(signals(FOREIGN)) < FLOOR
    assert refusal(question("photosynthesis leaf"), FOREIGN, signals(FOREIGN)) is None
    context = "I went out. It rained on every leaf. Then chlorophyll came up. We talked about photosynthesis."
    assert question(context).is_context
    assert refusal(question(context), FOREIGN, signals(FOREIGN)) is None


@pytest.mark.parametrize("words", ["photosynthesis", LONG])
def test_where_no_word_is_known_nothing_is_found(words: str) -> None:
    unknown = looked(group("photosynthesis", 0, 0, 0))
    assert refusal(question(words), unknown, signals(unknown)) == "no word of the question stands in this store"
    nothing = looked()
    assert refusal(question(words), nothing, signals(nothing)) == "the question has no words to look for"


def test_the_floor_decides_and_may_be_another() -> None:
    at = signal(signals(FOREIGN))
    assert refusal(question(LONG), FOREIGN, signals(FOREIGN), floor=at) is None
    assert refusal(question(LONG), FOREIGN, signals(FOREIGN), floor=at + 1e-9) is not None


def test_confidence_is_a_probability_however_far_off() -> None:
    extreme = dict.fromkeys([*WEIGHTS, *DETAILS], 1e6)
    assert 0 <= confidence({n: -v for n, v in extreme.items()}) < 1e-9
    assert 1 - 1e-9 < confidence(extreme) <= 1
    assert abstention.confidence(signals(looked())) < 0.5
