"""From a question to one ranking: parts together, several things spread out, ties as things happened."""

from __future__ import annotations

from datetime import UTC

import pytest
from tests.recall.stores import NOW, placed, talked, turn

from muniment.engine.core import Engine
from muniment.model.time import to_ms
from muniment.recall import ranking as module
from muniment.recall.lanes.registry import LANES
from muniment.recall.ranking import Ranking, rank


def ranking(engine: Engine, words: str, **more: object) -> Ranking:
    """One ranking over one snapshot."""
    store = engine.store()
    store.search.prepare()
    with store.reading():
        store.search.begin(to_ms(NOW))
        return rank(words, NOW, UTC, store.search, **more)  # type: ignore[arg-type]


def order(engine: Engine, words: str, **more: object) -> list[tuple[str, int]]:
    """Places of the candidates, best first."""
    made = ranking(engine, words, **more)
    return list(placed(engine, {c.event: c.score for c in made.candidates}))


@pytest.fixture
def two_themes(engine: Engine) -> Engine:
    talked(engine, [
        turn("a", 0, "The violin concert was loud."), turn("b", 0, "The copper lamp broke in the garden."),
        turn("c", 0, "The violin and the lamp were sold together with salad, tulips and much more beside."),
        turn("d", 0, "Nothing of the kind."),
    ])  # fmt: skip
    return engine


def test_the_whole_question_comes_first_and_its_parts_add_to_it(two_themes: Engine) -> None:
    made = ranking(two_themes, "What did Ana say about the violin and how did the lamp break?")
    assert [part.words for part in made.parts[1:]] == ["What did Ana say about the violin", "how did the lamp break?"]
    alone = ranking(two_themes, "What did Ana say about the violin?")
    assert alone.parts[1:] == []
    places = placed(two_themes, {c.event: c.score for c in made.candidates})
    assert {("a", 0), ("b", 0), ("c", 0)} <= places.keys()
    top = max(places.values())
    assert 1.0 < top <= 1.2 + 1e-9, "a share of the whole, and a tenth for each of two parts at most"


def test_parts_are_what_the_whole_and_each_part_find_for_themselves(two_themes: Engine) -> None:
    words = "What did Ana say about the violin and how did the lamp break?"
    whole = ranking(two_themes, words)
    expected: dict[int, float] = {}
    for weight, text in ((1.0, None), (0.1, "What did Ana say about the violin"), (0.1, "how did the lamp break?")):
        one = ranking(two_themes, text) if text else _alone(two_themes, words)
        best = max(c.score for c in one.candidates)
        for each in one.candidates:
            expected[each.event] = expected.get(each.event, 0.0) + weight * each.score / best
    assert {c.event: c.score for c in whole.candidates} == pytest.approx(expected, abs=1e-9)


def _alone(engine: Engine, words: str) -> Ranking:
    """The whole question as if it were not compound."""
    with pytest.MonkeyPatch.context() as patch:
        questions = module.questions
        patch.setattr(module, "questions", lambda *args: questions(*args)[:1])
        return ranking(engine, words)


def test_every_candidate_knows_its_lanes(two_themes: Engine) -> None:
    made = ranking(two_themes, "violin")
    assert made.candidates
    assert all({"said", "prior"} == c.lanes.keys() for c in made.candidates)


def test_the_newer_of_two_that_are_else_the_same_comes_first(engine: Engine) -> None:
    days = {"a": "03", "b": "01", "c": "02"}
    talked(engine, [turn(s, 0, "violin", at=f"2026-03-{day}T10:00:00Z") for s, day in days.items()])
    talked(engine, [turn("z", 0, "lamp")])
    assert order(engine, "violin") == [("a", 0), ("c", 0), ("b", 0)]


def test_the_prior_decides_nothing_but_ties(engine: Engine) -> None:
    talked(engine, [turn("old", 0, "violin lamp", at="2020-01-01"), turn("new", 0, "violin copper", at="2026-01-01"),
                    turn("x", 0, "copper"), turn("y", 0, "salad")])  # fmt: skip
    assert order(engine, "violin lamp")[0] == ("old", 0)


def test_what_scores_the_same_comes_as_it_happened_whatever_came_first_into_the_store(engine: Engine) -> None:
    same = [turn(s, 0, "violin", at="2026-03-01T10:00:00Z") for s in "dacb"]
    talked(engine, [*same, turn("z", 0, "lamp")])
    for method in ("weighted", "rrf"):
        assert order(engine, "violin", method=method) == [(s, 0) for s in "abcd"]


def test_where_several_things_are_wanted_neighbours_of_the_chosen_come_later(engine: Engine) -> None:
    texts = ["violin copper", "violin", "zinc violin salad", "tin violin"]
    talked(engine, [turn(s, 2 * n, t) for s in "abc" for n, t in enumerate(texts[: 4 - "abc".index(s)])])
    talked(engine, [turn("z", n, "lamp") for n in range(20)])
    words = "both violin"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_spread", lambda candidates, _: candidates)
        plain = placed(engine, {c.event: c.score for c in ranking(engine, words).candidates})
    spread = order(engine, words)
    assert spread == _greedy(plain)
    assert spread != list(plain)


def _greedy(left: dict[tuple[str, int], float]) -> list[tuple[str, int]]:
    """The best first; each time what stands within three places of it in its session is worth a tenth less."""
    left, chosen = dict(left), list[tuple[str, int]]()
    while left:
        best = min(left, key=lambda place: (-left[place], place))
        del left[best]
        chosen.append(best)
        for session, seq in left:
            if session == best[0] and abs(seq - best[1]) <= 3:
                left[session, seq] *= 0.9
    return chosen


@pytest.mark.parametrize("left", [lane.name for lane in LANES])
def test_a_lane_less_is_a_ranking_still(two_themes: Engine, left: str) -> None:
    lanes = [lane for lane in LANES if lane.name != left]
    made = ranking(two_themes, "where is the copper lamp", lanes=lanes)
    assert all(left not in c.lanes for c in made.candidates)
    assert bool(made.candidates) == (left != "said")
