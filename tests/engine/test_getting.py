"""`get`: the documented profile over the lanes of search; use weighs a tenth and makes nothing newer."""

from __future__ import annotations

import pytest
from tests.support import archive, ran, said, state

from muniment.engine import getting, uses
from muniment.engine.asking import query
from muniment.engine.upkeep import verify
from muniment.errors import UsageError
from muniment.model.event import Origin
from muniment.recall import profile


def ids(found) -> list[str]:
    return [hit.id for hit in found]


def test_the_profile_adds_up_to_one():
    assert sum(profile.WEIGHTS.values()) == pytest.approx(1.0)
    assert profile.WEIGHTS == {"keyword": 0.40, "tags": 0.25, "confidence": 0.15, "recency": 0.10, "use": 0.10}
    whole = profile.Fit({"a"}, {"a"}, "confirmed", 0, True, 10_000)
    assert profile.score(profile.parts({("a",): 1.0}, whole)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"words": {"a", "b"}}, {"words": {"a"}}),
        ({"tags": {"a"}}, {"tags": set()}),
        ({"standing": "confirmed"}, {"standing": "suspect"}),
        ({"standing": "suspect"}, {"standing": "hypothesis"}),
        ({"age_ms": 0}, {"age_ms": 86_400_000}),
        ({"uses": 3}, {"uses": 2}),
    ],
)
def test_each_part_moves_the_score(better, worse):
    plain = {"words": {"a"}, "tags": set(), "standing": "confirmed", "age_ms": 1000, "is_state": True, "uses": 0}
    asked = {("a",): 1.0, ("b",): 2.0}
    scores = [profile.score(profile.parts(asked, profile.Fit(**{**plain, **each}))) for each in (better, worse)]
    assert scores[0] > scores[1]


def test_words_in_any_form_and_tags_lead_to_a_statement(engine):
    by_words = state(engine, "Always run tests before committing", "practises", type_="procedure").ids[0]
    by_tag = state(
        engine, "Prefers prose over bullets", "prefers", type_="preference", tags=("style.tone", "formatting")
    ).ids[0]
    for words in ("committing tests", "test commit", "what do we test before a commit?"):
        assert ids(getting.get(engine, words)) == [by_words]
    assert ids(getting.get(engine, "formatting tone")) == [by_tag]
    got = getting.get(engine, "zebra crossing")
    assert (ids(got), got.text) == ([], "")
    assert got.reason
    with pytest.raises(UsageError):
        getting.get(engine, "  ")


def test_what_was_done_and_asked_is_left_to_search(engine):
    archive(
        engine,
        [
            said("s", 0, "2026-03-01 10:00", "Where is the deploy script?"),
            *ran("s", 1, "2026-03-01 10:01", "make deploy"),
        ],
    )
    kept = state(engine, "deploy on Fridays", "noted").ids[0]
    assert ids(getting.get(engine, "deploy")) == [kept]


def test_what_is_over_is_not_got_and_a_hypothesis_is_marked(engine, clock):
    old = state(engine, "Postgres for the database", topic="database").ids[0]
    clock.forward(hours=1)
    new = state(engine, "SQLite for the database", topic="database").ids[0]
    guess = state(engine, "the database is slow", "noted", origin=Origin.AGENT).ids[0]
    got = getting.get(engine, "database")
    assert set(ids(got)) == {new, guess}
    assert old not in ids(got)
    assert {h.standing for h in got if h.id == guess} == {"hypothesis"}


def test_being_got_is_noted_and_weighs_and_makes_nothing_newer(engine, clock):
    texts = ("the api port is 8080", "the api port range begins there")
    first, second = (state(engine, text, "noted").ids[0] for text in texts)
    before = (verify(engine).digest, query(engine, "").text)
    for _ in range(3):
        assert set(ids(getting.get(engine, "api port"))) == {first, second}
    for _ in range(5):
        uses.record(engine, second, "success")
    found = {h.id: h for h in getting.get(engine, "api port")}
    assert found[second].lanes["use"][1] > found[first].lanes["use"][1]
    assert found[first].lanes["recency"] == found[second].lanes["recency"]
    uses.record(engine, second, "failure")
    assert uses.counted(engine)[second] == 3 + 5 + 1 - 1
    assert (verify(engine).digest, query(engine, "").text) == before


def test_the_budget_holds_and_what_is_left_out_is_counted(engine):
    for n in range(12):
        state(engine, f"the release checklist has step {n}", "noted")
    whole = getting.get(engine, "release checklist", 1 << 16, 50)
    assert (len(whole), whole.left_out) == (12, 0)
    for budget in range(0, 700, 23):
        got = getting.get(engine, "release checklist", budget)
        assert got.bytes <= budget
        assert len(got) + got.left_out == 12
    assert len(getting.get(engine, "release checklist", 1 << 16, 5)) == 5


def test_the_same_store_and_question_give_the_same_bytes(engine):
    for n in range(6):
        state(engine, f"the cache holds {n} things", "noted")
    texts = {getting.get(engine, "cache things").text for _ in range(4)}
    assert len(texts) == 1
