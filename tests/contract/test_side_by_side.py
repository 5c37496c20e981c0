"""A plain model, a file and a server take the same steps, and agree after each: on what holds, on every byte of an answer,
on what a search finds in which order with which score, and on the digest."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import server
from tests.support import Clock, archive, counting_names, ran, replied, said, state

from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.revising import revise
from muniment.engine.searching import search
from muniment.engine.upkeep import digest, verify
from muniment.errors import MunimentError
from muniment.model.event import Origin
from muniment.model.scope import MARKER, workspace_of

TOPICS = ("database", "ci", "language")
VALUES = ("postgres", "sqlite", "rust", "odd\ue000\0one", "Größe")
WORDS = "where do we keep the retry policy of the gateway 数据库 tests failed".split()
STEPS = st.one_of(
    st.tuples(st.just("state"), st.sampled_from(TOPICS), st.sampled_from(VALUES)),
    st.tuples(st.just("claim"), st.sampled_from(TOPICS), st.sampled_from(VALUES)),
    st.tuples(st.just("say"), st.lists(st.sampled_from(WORDS), min_size=2, max_size=6), st.booleans()),
    st.tuples(st.just("run"), st.sampled_from(("pytest -q", "ls")), st.integers(0, 1)),
    st.tuples(st.just("retract"), st.sampled_from(TOPICS), st.none()),
    st.tuples(st.just("pass"), st.integers(1, 40), st.none()),
)
SELECTORS = (
    "",
    "p:uses",
    "topic:ci",
    "standing:superseded",
    "o:post*",
    "as-of:2026-03-06",
    "gateway",
    "-p:asked since:2d",
)
QUESTIONS = ("retry policy gateway", "数据", "which tests failed?", "postgres", "where is it kept")


class World:
    """One store with its clock, and the ids of what a person states."""

    def __init__(self, place: Path, address: str) -> None:
        self.clock, self.said = Clock(), 0
        self.engine = Engine(
            workspace_of(place / "project"),
            Settings(home=place / "home", clock=self.clock, new_name=counting_names(), server=address),
        )
        self.ids: dict[str, str] = {}

    def take(self, step: tuple[object, ...]) -> object:
        """Do it; what came of it, or the code of the error."""
        self.clock.forward(minutes=1)
        try:
            return self._take(*step)
        except MunimentError as error:
            return error.code

    def _take(self, verb: str, first: object, second: object) -> object:
        if verb in ("state", "claim"):
            origin = Origin.PERSON if verb == "state" else Origin.AGENT
            done = state(self.engine, str(second), topic=str(first), origin=origin)
            if verb == "state":
                self.ids[str(first)] = done.ids[0] if done.ids else self.ids.get(str(first), "")
            return done.outcome, done.ids, done.superseded
        if verb == "pass":
            return self.clock.forward(hours=float(str(first)))
        if verb == "retract":
            return (
                revise(self.engine, Caller(Origin.PERSON), self.ids[str(first)], "retract").ids
                if self.ids.get(str(first))
                else ()
            )
        self.said += 4
        return self._archive(verb, first, second)

    def _archive(self, verb: str, first: object, second: object) -> object:
        if verb == "run":
            made = ran(
                "s2", self.said, self.clock(), str(first), "2 failed" if second else "3 passed", int(bool(second))
            )
        else:
            speak = said if second else replied
            made = [speak("s1", self.said, self.clock(), " ".join(first) + "?")]  # type: ignore[call-overload]
        archive(self.engine, made)
        return self.said

    def seen(self) -> list[object]:
        """All that a reader can see."""
        found: list[object] = [query(self.engine, selector, 4096).text for selector in SELECTORS]
        for question in QUESTIONS:
            answer = search(self.engine, question)
            found.append([(hit.id, hit.receipt, hit.score, hit.lanes) for hit in answer])
        return [*found, digest(self.engine)]


@pytest.fixture(scope="module")
def address() -> str:
    """One tenant; each example has a project of its own."""
    return server.tenant()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=1, max_size=6))
def test_a_model_a_file_and_a_server_agree_after_each_step(
    steps: list[tuple[object, ...]], tmp_path_factory: pytest.TempPathFactory, address: str
) -> None:
    place = tmp_path_factory.mktemp("world")
    (place / "project").mkdir()
    (place / "project" / MARKER).touch()
    file, there = World(place, ""), World(place, address)
    for world in (file, there):
        state(world.engine, "first", topic="ci")
    model = {"ci": "first"}
    try:
        for step in steps:
            assert file.take(step) == there.take(step)
            if step[0] == "state":
                model[str(step[1])] = str(step[2])
            elif step[0] == "retract" and str(step[1]) in file.ids:
                model.pop(str(step[1]), None)
            assert file.seen() == there.seen()
            assert _holding(file.engine) >= {(t, v) for t, v in model.items() if v.isalpha()}
        assert verify(there.engine, rebuild=True).problems == ()
    finally:
        file.engine.close()
        there.engine.close()


def _holding(engine: Engine) -> set[tuple[str, str]]:
    rows = [row.split("\t") for row in query(engine, "p:uses", 100_000).text.splitlines() if not row.startswith("-- ")]
    return {(row[0].partition(".")[2], row[2]) for row in rows}
