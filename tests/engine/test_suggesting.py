"""A model only points at words: what it does not quote is dropped, whatever it answers writes no fact, and it costs no more
than it may."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.recall.server import Asked, answered, serving

from muniment import Memory
from muniment.engine.core import Caller, Engine, Settings
from muniment.errors import EndpointError, NothingChangedError, UsageError
from muniment.model.event import Origin
from muniment.model.scope import workspace_of
from muniment.model.services import ModelService, Services

TURNS = [
    ("user", "By the way, our database is PostgreSQL 15 and I never deploy on Fridays."),
    ("assistant", "Noted. I will remember that you like MySQL."),
    ("user", "Rename the function to load_all."),
]
GOOD = {"turn": 1, "quote": "our database is PostgreSQL 15", "predicate": "uses", "subject": "project", "topic": "database",
        "object": "PostgreSQL 15"}  # fmt: skip
FRIDAY = {
    "turn": 1,
    "quote": "I never deploy on Fridays",
    "predicate": "practises",
    "subject": "person",
    "object": "never deploy on Fridays",
}
Said = Callable[[Asked], tuple[int, bytes]]


def chat(*facts: Any, usage: dict[str, int] | None = None) -> tuple[int, bytes]:
    """An OpenAI-compatible answer."""
    return text(json.dumps({"facts": list(facts)}), usage)


def text(said: str, usage: dict[str, int] | None = None) -> tuple[int, bytes]:
    return answered({"choices": [{"message": {"content": said}}], **({"usage": usage} if usage else {})})


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Callable[..., Memory]]:
    """Opens the memory of one project, with a conversation in it and a model at an address."""
    (tmp_path / "project").mkdir()
    opened: list[Memory] = []

    def make(url: str, **more: Any) -> Memory:
        service = replace(ModelService(url, "stub", timeout=2.0), **more)
        settings = Settings(tmp_path / "home", services=lambda: Services(model=service))
        opened.append(Memory(Engine(workspace_of(str(tmp_path / "project")), settings), Caller(Origin.PERSON, "test")))
        return opened[-1]

    with Memory.open(tmp_path / "project", home=tmp_path / "home") as memory:
        memory.ingest([
            {"session": "a", "seq": n, "role": role, "text": said, "at": f"2026-01-01T10:0{n}:00Z"}
            for n, (role, said) in enumerate(TURNS)
        ])  # fmt: skip
    yield make
    for memory in opened:
        memory.close()


def states(memory: Memory) -> int:
    return len(memory.query("p:uses,practises,prefers,noted standing:confirmed,hypothesis,suspect", 100_000))


def test_what_a_model_quotes_waits_for_a_person_and_becomes_a_fact_when_accepted(place: Callable[..., Memory]) -> None:
    with serving(lambda _: chat(GOOD, FRIDAY, usage={"prompt_tokens": 300, "completion_tokens": 40})) as server:
        memory = place(server.url)
        report = memory.suggest()
        assert (report.windows, report.turns, report.suggested, report.tokens) == (1, 3, 2, 340)
        assert not report.dropped
        assert states(memory) == 0
        waiting = {one.id: one for one in memory.review().proposals}
        assert set(waiting) == set(report.ids)
        database = next(one for one in waiting.values() if one.predicate == "uses")
        assert (database.text, database.topic, database.origin) == ("PostgreSQL 15", "database", "model")
        start = TURNS[0][1].index("PostgreSQL")
        assert f"stub points at conversation.a:0@{start}-{start + 13}" in database.reason
        (fact,) = memory.decide(database.id, "accept").ids
        assert next(iter(memory.query("p:uses"))).id == fact
        with pytest.raises(NothingChangedError):
            memory.suggest()
        assert memory.verify(rebuild=True).ok


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({**GOOD, "quote": "our database is MySQL"}, "quote"),
        ({**GOOD, "object": "MySQL"}, "object"),
        ({**GOOD, "turn": 2}, "quote"),
        ({**GOOD, "turn": 9}, "turn"),
        ({**GOOD, "turn": True}, "turn"),
        ({**GOOD, "predicate": "ran"}, "vocabulary"),
        ({**GOOD, "predicate": "is_admin"}, "vocabulary"),
        ({**GOOD, "subject": "everyone"}, "vocabulary"),
        ({**GOOD, "topic": "a b\n"}, "topic"),
        ({**GOOD, "object": " "}, "empty"),
        ({"turn": 1}, "shape"),
        ("uses PostgreSQL", "shape"),
        (None, "shape"),
    ],
)
def test_what_a_model_invents_is_dropped_and_counted(place: Callable[..., Memory], given: Any, reason: str) -> None:
    with serving(lambda _: chat(given)) as server:
        memory = place(server.url)
        report = memory.suggest()
        assert (report.suggested, dict(report.dropped)) == (0, {reason: 1})
        assert not memory.review().proposals


@pytest.mark.parametrize(
    "said",
    [
        "I cannot help with that.", "", "{", '{"facts": 3}', "[]", '{"facts": [}', "[" * 100_000, "{" * 100_000 + "}",
        'Sure! Run `muniment retract --source person`. {"action": "retract"}',
    ],
)  # fmt: skip
def test_an_answer_of_no_use_is_counted_and_changes_nothing(place: Callable[..., Memory], said: str) -> None:
    with serving(lambda _: text(said)) as server:
        memory = place(server.url)
        report = memory.suggest()
        assert (report.suggested, dict(report.dropped), report.windows) == (0, {"form": 1}, 1)
        assert states(memory) == 0


def test_a_fence_around_the_answer_is_no_hindrance(place: Callable[..., Memory]) -> None:
    with serving(lambda _: text("Here you are:\n```json\n" + json.dumps({"facts": [GOOD]}) + "\n```")) as server:
        assert place(server.url).suggest().suggested == 1


@pytest.mark.parametrize(
    "reply",
    [
        lambda _: (500, b"out of memory"), lambda _: (200, b"<html>"), lambda _: answered({"choices": []}),
        lambda _: answered({"choices": [{"message": {"content": None}}]}), lambda _: (307, b""), lambda _: (429, b"{}"),
    ],
)  # fmt: skip
def test_a_server_that_does_not_do_its_part_is_an_error_and_the_turns_wait(
    place: Callable[..., Memory], reply: Said
) -> None:
    with serving(reply) as server:
        memory = place(server.url, window=1)
        with pytest.raises(EndpointError):
            memory.suggest()
        assert len(server.asked) == 3
        server.reply = lambda _: chat(GOOD)
        assert memory.suggest().turns >= 3


def test_a_server_that_is_silent_is_given_up(place: Callable[..., Memory]) -> None:
    def late(_: Asked) -> tuple[int, bytes]:
        time.sleep(0.6)
        return chat(GOOD)

    with serving(late) as server, pytest.raises(EndpointError):
        place(server.url, timeout=0.2, window=1).suggest()


def test_the_days_ceiling_stops_it_and_the_next_day_goes_on(place: Callable[..., Memory]) -> None:
    with serving(lambda _: chat(usage={"prompt_tokens": 700, "completion_tokens": 50})) as server:
        memory = place(server.url, window=1, overlap=0, tokens_per_day=1000)
        report = memory.suggest()
        assert (report.windows, report.tokens) == (1, 750)
        assert report.stopped is not None
        assert "1,000" in report.stopped
        with pytest.raises(EndpointError, match="spent"):
            memory.suggest()
        later = place(server.url, window=1, overlap=0, tokens_per_day=1000)
        later._engine.settings = replace(later._engine.settings, clock=lambda: "2199-01-01T00:00:00.000Z")  # type: ignore[misc]
        assert later.suggest().windows == 1


def test_windows_overlap_each_turn_is_new_once_and_a_second_look_asks_for_what_was_left_out(
    place: Callable[..., Memory],
) -> None:
    with serving(lambda asked: chat(FRIDAY if len(asked.body["messages"]) > 2 else GOOD)) as server:
        report = place(server.url, window=2, overlap=1, gleaning=1).suggest()
        shown = [asked.body["messages"][1]["content"] for asked in server.asked]
    assert [text.count('"turn"') for text in shown] == [2, 2, 2, 2]
    assert "MySQL" in shown[0]
    assert "MySQL" in shown[2]
    assert [len(asked.body["messages"]) for asked in server.asked] == [2, 4, 2, 4]
    assert report.suggested == 2


def test_the_purpose_rides_along_and_anthropic_is_asked_in_its_own_way(
    place: Callable[..., Memory], tmp_path: Path
) -> None:
    (tmp_path / "project" / "purpose.md").write_text("We build a billing service.\n", encoding="utf-8")
    said = {
        "content": [{"type": "text", "text": json.dumps({"facts": [GOOD]})}],
        "usage": {"input_tokens": 9, "output_tokens": 3},
    }
    with serving(lambda _: answered(said)) as server:
        report = place(server.url, kind="anthropic", key="k").suggest()
    (asked,) = server.asked
    assert (asked.path, report.suggested, report.tokens) == ("/v1/messages", 1, 12)
    assert "We build a billing service." in asked.body["messages"][0]["content"]
    assert asked.body["system"].startswith("You read turns")


def test_no_model_is_asked_that_nobody_named(tmp_path: Path) -> None:
    with Memory.open(tmp_path, home=tmp_path / "home") as memory, pytest.raises(UsageError, match="no model is named"):
        memory.suggest()


def test_what_was_pointed_at_before_or_decided_is_not_proposed_again(
    place: Callable[..., Memory], tmp_path: Path
) -> None:
    with serving(lambda _: chat(GOOD)) as server:
        memory = place(server.url)
        (id_,) = memory.suggest().ids
        memory.decide(id_, "decline", reason="no")
        for state in (tmp_path / "home" / "journal").glob("*.model.json"):
            state.unlink()
        report = memory.suggest()
        assert (report.suggested, report.known) == (0, 1)
