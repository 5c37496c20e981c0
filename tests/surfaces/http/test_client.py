"""A remote memory is used as a local one, and gives the same."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.surfaces.http.served import TOKEN, Served

from muniment import Memory
from muniment.client import connect
from muniment.errors import EndpointError, NotFoundError, NothingChangedError, UsageError
from muniment.surfaces.http import routes

OWN = {"open", "close"}
"""What a remote memory has of its own."""


def public() -> list[str]:
    """The verbs of the library."""
    return [
        name
        for name, _ in inspect.getmembers(Memory, inspect.isfunction)
        if not name.startswith("_") and name not in OWN
    ]


def test_every_verb_of_the_library_has_a_route() -> None:
    assert sorted(routes.by_verb()) == sorted(public())


@pytest.fixture
def told(served: Served) -> Served:
    """A server of a memory that holds something."""
    memory = served.memory()
    memory.ingest([
        {"session": "a", "role": "user", "speaker": "Bo", "at": "2026-01-01T10:00:00Z",
         "text": "We keep the retry policy in retry.toml"},
        {"session": "a", "role": "assistant", "speaker": "bot", "at": "2026-01-01T10:01:00Z",
         "text": "Noted: retry.toml"},
    ])  # fmt: skip
    memory.add("preference", "Prefers concise replies", "user", ["style.tone"], topic="style.tone")
    old = memory.add("fact", "PostgreSQL", predicate="uses", topic="database", since="2026-01-01")
    memory.add("fact", "SQLite", predicate="uses", topic="database", since="2026-06-01")
    assert old.ids
    return served


ASKED: dict[str, Callable[[Any], Any]] = {
    "query": lambda m: m.query("type:fact", 300),
    "query as of": lambda m: m.query("p:uses", as_of="2026-03-01"),
    "search": lambda m: m.search("where do we keep the retry policy", explain=True, include=["hypothesis"], turns=True),
    "search for nothing": lambda m: m.search("zebra crossing on Mars"),
    "list": lambda m: m.list("preference"),
    "read": lambda m: m.read("conversation.a:0", 1),
    "history": lambda m: m.history(next(iter(m.query("p:uses"))).id),
    "conflicts": lambda m: m.conflicts("We use MySQL as database"),
    "similar": lambda m: m.similar("concise replies please", 0.2),
    "extract": lambda m: m.extract("We use Vitest, not Jest.", previous="I set up Jest."),
    "review": lambda m: m.review(everything=True),
    "verify": lambda m: m.verify(),
    "timeline": lambda m: m.view("timeline", at="2026-01-01"),
}


@pytest.mark.parametrize("name", ASKED)
def test_an_answer_from_afar_is_the_answer_from_here(told: Served, name: str) -> None:
    with Memory.open(told.folder, home=told.home, vouch="person", zone="UTC") as local, told.memory() as remote:
        here, there = _plain(ASKED[name](local)), _plain(ASKED[name](remote))
    assert there == here
    assert type(there) is type(here)


def _plain(value: Any) -> Any:
    """A result by its fields, classes kept; scores at the clock of the question are not compared to the last digit."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        shown = {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value) if f.name != "ranked"}
        return (type(value).__name__, shown)
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, tuple | list) else value


def test_an_answer_from_afar_is_looked_through_as_one_from_here(told: Served) -> None:
    with Memory.open(told.folder, home=told.home, vouch="person", zone="UTC") as local, told.memory() as remote:
        here, there = local.query("type:fact"), remote.query("type:fact")
        assert [hit.id for hit in there] == [hit.id for hit in here]
        assert (there.bytes, len(there), there.cursor) == (here.bytes, len(here), here.cursor)
        assert [round(hit.score, 3) for hit in there] == [round(hit.score, 3) for hit in here]


def test_errors_from_afar_are_those_from_here(told: Served) -> None:
    remote = told.memory()
    for error, doing in (
        (NotFoundError, lambda: remote.read("7ZZZZZZZ")),
        (UsageError, lambda: remote.query("nope:x")),
        (NothingChangedError, lambda: remote.revise(next(iter(remote.query("p:uses"))).id, "unpin")),
        (TypeError, lambda: remote.query(colour="red")),
        (AttributeError, lambda: getattr(remote, "paint")),  # noqa: B009 - what a type checker would not let through
    ):
        with pytest.raises(error):
            doing()
    with pytest.raises(EndpointError):
        connect("http://127.0.0.1:1", TOKEN).query()
    with pytest.raises(UsageError):
        connect("ftp://example.org", TOKEN)


def test_files_travel_as_files(told: Served, tmp_path: Path) -> None:
    remote = told.memory()
    report = remote.export("jsonl", tmp_path / "all.jsonl")
    assert report.counts["events"] == (tmp_path / "all.jsonl").read_text().count('"kind": "event"') or report.bytes > 0
    assert (tmp_path / "all.jsonl").stat().st_size == report.bytes
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    with Memory.open(fresh, home=tmp_path / "home2", vouch="person") as other:
        assert other.load("jsonl", tmp_path / "all.jsonl").new["events"] == report.counts["events"]
    turns = tmp_path / "turns.jsonl"
    turns.write_text('{"session": "b", "role": "user", "text": "I live in Porto"}\n', encoding="utf-8")
    assert remote.ingest(turns).kept == 1


# --- repeating and revising


def test_a_write_that_is_sent_again_is_done_once_and_answered_the_same(served: Served) -> None:
    body = {"type": "fact", "content": "The API port is 8080"}
    first, again = (served.ask("POST", "/v1/facts", body, idempotency_key="k1") for _ in range(2))
    assert (first.status, again.status, again.body) == (201, 201, first.body)
    assert again.headers["idempotency-replayed"] == "true"
    told = served.ask("POST", "/v1/facts", {**body, "content": "another"}, idempotency_key="k1")
    assert (told.status, told.json["code"]) == (422, "key_reused")
    failed = served.ask("POST", "/v1/facts", {"type": "fact", "content": " "}, idempotency_key="k2")
    assert failed.status == 400
    assert served.ask("POST", "/v1/facts", body, idempotency_key="k2").status in (201, 409, 422)
    assert served.memory().verify().counts["events"] <= 2


def test_a_revision_of_a_state_that_passed_is_refused(served: Served) -> None:
    memory = served.memory()
    id_ = memory.add("fact", "The API port is 8080").ids[0]
    seen = served.ask("GET", f"/v1/facts/{id_}/history")
    tag = seen.headers["etag"]
    assert served.ask("GET", f"/v1/facts/{id_}/why").headers["etag"] == tag
    assert served.ask("GET", f"/v1/facts/{id_}/history", if_none_match=tag).status == 304
    memory.update(id_, "tags", "infra.port")
    given = {"field": "topic", "value": "port"}
    stale = served.ask("PATCH", f"/v1/facts/{id_}", given, if_match=tag, muniment_vouch="person")
    assert (stale.status, stale.json["code"]) == (412, "changed_meanwhile")
    now = served.ask("GET", f"/v1/facts/{id_}/history").headers["etag"]
    assert now != tag
    assert served.ask("PATCH", f"/v1/facts/{id_}", given, if_match=now, muniment_vouch="person").status == 200
