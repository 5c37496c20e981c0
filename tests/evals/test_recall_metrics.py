"""The figures, worked out by hand."""

from __future__ import annotations

import math

import pytest

from muniment.evals.recall import metrics
from muniment.evals.recall.asking import Asked
from muniment.evals.recall.baselines import BASELINES, words_of
from muniment.evals.recall.data import Question, Turn
from muniment.evals.recall.tally import Method, Signals, packed

TURNS = [
    Turn("1", "a", 0, "We planted tulips and daffodils.", None, "Ana"),
    Turn("2", "a", 1, "The tulips are red.", None, "Ben"),
    Turn("3", "b", 0, "I sold the boat.", None, "Ana"),
]


def test_recall_hit_and_all_differ_where_two_turns_are_needed() -> None:
    row = metrics.of_question(["x", "a", "y", "z", "w", "b"], frozenset("ab"))
    assert [row[f"{name}_at_{k}"] for k in (1, 5, 10) for name in ("recall", "hit", "all")] == [
        0,
        0,
        0,
        0.5,
        1,
        0,
        1,
        1,
        1,
    ]
    assert row["mrr"] == 0.5
    best = 1 + 1 / math.log2(3)
    assert row["ndcg_at_10"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(7)) / best)


def test_nothing_found_is_zero_everywhere() -> None:
    assert set(metrics.of_question([], frozenset("a")).values()) == {0.0}


def test_a_session_is_ranked_by_its_best_turn() -> None:
    method = Method()
    method.add(Question("q", "c", frozenset({"3"})), ["2", "1", "3"], {t.id: t.session for t in TURNS})
    numbers = method.numbers()
    assert (numbers["session_hit_at_1"], numbers["session_hit_at_5"]) == (0, 1)


def test_an_update_counts_where_both_statements_are_found() -> None:
    roles = {"original_info": frozenset("o"), "updated_info": frozenset("n")}
    assert metrics.of_roles(["n", "o"], roles, "knowledge_update")["current_before_stale"] == 1
    assert metrics.of_roles(["o", "n"], roles, "knowledge_update")["current_before_stale"] == 0
    assert "current_before_stale" not in metrics.of_roles(["n"], roles, "knowledge_update")
    assert metrics.of_roles(["n"], roles, "knowledge_update")["update_current_at_10"] == 1
    assert metrics.of_roles([*"abcdefghi", "n", "o"], roles, "knowledge_update")["update_both_at_10"] == 0


def test_an_update_is_left_out_where_one_turn_is_labelled_as_both() -> None:
    roles = {"original_info": frozenset("o"), "updated_info": frozenset("no")}
    assert metrics.of_roles(["n", "o"], roles, "knowledge_update") == {"update_undecidable": 1.0}
    method = Method()
    for gold in (roles, roles | {"updated_info": frozenset("n")}):
        method.add(Question("When?", "knowledge_update", frozenset("no"), gold), ["n", "o"], {"n": "s", "o": "s"})
    numbers = method.numbers()
    assert (numbers["update_undecidable_n"], numbers["current_before_stale_n"]) == (1.0, 1.0)


def test_both_sides_of_a_contradiction_must_be_found() -> None:
    roles = {"first_statement": frozenset("ab"), "second_statement": frozenset("c")}
    assert metrics.of_roles(["c", "b"], roles, "contradiction_resolution") == {"both_sides_at_10": 1.0}
    assert metrics.of_roles(["c"], roles, "contradiction_resolution") == {"both_sides_at_10": 0.0}
    assert metrics.of_roles(["c"], {"first_statement": frozenset("c")}, "contradiction_resolution") == {}


def test_an_area_of_one_tells_apart_and_a_half_does_not() -> None:
    assert metrics.auc([2, 3], [0, 1]) == 1
    assert metrics.auc([0, 1], [2, 3]) == 0
    assert metrics.auc([1, 1], [1]) == 0.5
    assert metrics.auc([0, 2], [1]) == 0.5
    assert metrics.auc([], [1]) is None


def test_an_interval_is_the_same_each_time_and_holds_the_mean() -> None:
    values = [0.0, 1.0] * 50
    low, high = metrics.interval(values)
    assert (low, high) == metrics.interval(values)
    assert 0.35 < low < 0.5 < high < 0.65
    assert metrics.interval([1.0] * 5) == (1.0, 1.0)


def test_a_floor_is_judged_on_both_kinds_of_question() -> None:
    def asked(confidence: float, refused: bool) -> Asked:
        return Asked([], 400, 1.0, confidence, refused)

    own = [asked(0.9, False), asked(0.2, True)]
    numbers = Signals(own, [asked(0.1, True), asked(0.1, False)], [asked(0.5, False)]).numbers()
    assert numbers["lost_at_floor"] == 0.5
    assert numbers["refused_foreign_at_floor"] == 0.5
    assert (numbers["abstain_auc"], numbers["near_miss_auc"]) == (1.0, 0.5)
    assert numbers["tokens_mean"] == 100


def test_whole_turns_are_given_out_as_far_as_they_fit() -> None:
    turns = {t.id: t for t in TURNS}
    assert packed(["2", "1", "3"], turns, 50) == (["2", "3"], 25 + 22)
    assert packed(["1"], turns, 5) == ([], 0)


def test_the_baselines_find_what_has_the_words() -> None:
    for make in BASELINES.values():
        ranked = make(TURNS).rank("What colour are the tulips?")
        assert ranked[0] == "2"
        assert "3" not in ranked
        assert make(TURNS).rank("?!") == []
    assert BASELINES["bm25"](TURNS).rank("planting")[0] == "1"
    assert BASELINES["grep"](TURNS).rank("planting") == []


def test_a_question_of_dull_words_keeps_them() -> None:
    assert words_of("Who is it?") == ["who", "is", "it"]
    assert words_of("Where is the boat, the boat?") == ["boat"]
