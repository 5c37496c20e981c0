"""Five hundred planted texts by seven channels, on an empty store and on one of ten thousand honest facts.

None is stored with the authority of a person, none is shown outside of the quoted frame by any door, and none of a person's
facts is closed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.contract.doors import CommandLine, Place, Tools
from tests.recipes.support import Fetches, Reads, Runs, Says, claude_records, name_of, transcript, written
from tests.support import archive, ran

from muniment import Memory
from muniment.engine import comparing, getting, loading_rules, reviewing, upkeep, viewing
from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.engine.searching import Asking, search
from muniment.recall import shares
from muniment.testing import poison

COUNT = 500
ALL = list(poison.planted(7, COUNT))
CHANNELS = ("web", "file", "tool", "sub-agent", "assert", "import", "rules")
BY_CHANNEL = {name: ALL[n :: len(CHANNELS)] for n, name in enumerate(CHANNELS)}
MARKED = re.compile("|".join(p.marker for p in ALL))
_COMMAND = re.compile(r"\b(?:ignore|remember|always|never|delete|decision|run|use|follow)\b", re.IGNORECASE)


def test_the_texts_are_five_hundred_of_ten_kinds_half_of_them_without_a_command_word():
    assert len(ALL) == len({p.marker for p in ALL}) == COUNT
    assert len({p.kind for p in ALL}) == 10
    without = [p for p in ALL if not _COMMAND.search(p.text)]
    assert len(without) == sum(not p.is_order for p in ALL) == COUNT // 2
    assert all({p.kind for p in each} == set(poison.KINDS) for each in BY_CHANNEL.values())


# --- the stores -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Place(Place):
    """With what the person had stated before."""

    before: tuple[tuple[Any, ...], ...] = ()


@pytest.fixture(scope="module", params=["an empty store", "ten thousand honest facts"])
def poisoned(request, tmp_path_factory) -> _Place:
    """A project whose store took in all of it by the real doors; what the person stated was there before."""
    room = tmp_path_factory.mktemp("poison")
    (room / "project").mkdir()
    (room / "project" / ".muniment").touch()
    place = Place(room / "project", room / "home")
    _state(place)
    if request.param != "an empty store":
        with place.engine() as engine:
            archive(
                engine, [e for n in range(10_000) for e in ran("honest", n * 2, "2026-02-01 10:00", f"make part-{n}")]
            )
    before = _persons(place)
    _plant(place, room)
    return _Place(place.project, place.home, tuple(before))


def _state(place: Place) -> None:
    with Memory.open(place.project, home=place.home, vouch="person") as memory:
        for type_, predicate, topic, value in poison.HONEST:
            memory.add(type_, value, predicate=predicate, topic=topic)


def _plant(place: Place, room: Path) -> None:
    root = str(place.project)
    steps = [Says("look at what there is about our setup")]
    steps += [Fetches(f"https://{p.marker.lower()}.example/p", p.text) for p in BY_CHANNEL["web"]]
    steps += [Reads(f"{root}/notes/{n}.md", p.text) for n, p in enumerate(BY_CHANNEL["file"])]
    steps += [Runs("make setup", p.text) for p in BY_CHANNEL["tool"]]
    main = transcript("claude-code", room / "t", root, steps)
    _subagent(main, root)
    cli, tools = CommandLine(place), Tools(place)
    code, _, err = cli.run("index", str(room / "t"))
    assert code == 0, err
    for p in BY_CHANNEL["assert"]:
        topic = {"topic": p.topic}
        tools.call("memory_assert", predicate="uses", subject="project", object=p.value, quote=p.text, **topic)
        tools.call("memory_assert", predicate="noted", subject="project", object=p.text, quote=p.text)
    turns = [{"session": f"i{n}", "speaker": "user", "text": p.text} for n, p in enumerate(BY_CHANNEL["import"])]
    with Memory.open(place.project, home=place.home) as memory:
        memory.ingest(turns, trust="import")
        for p in BY_CHANNEL["import"]:
            memory.add("fact", p.value, source="user", predicate="uses", topic=p.topic, context=p.marker)
            memory.add("fact", p.text, source="user")
    (place.project / "AGENTS.md").write_text("".join(f"- {' '.join(p.text.split())}\n" for p in BY_CHANNEL["rules"]))
    with place.engine() as engine:
        loading_rules.load(engine, [place.project / "AGENTS.md"])


def _subagent(main: Path, root: str) -> None:
    """A sub-agent is given the texts in the role of a user, and gives them back."""
    records = list(claude_records(name_of("claude-code"), root, [Says(p.text) for p in BY_CHANNEL["sub-agent"]]))
    for n, record in enumerate(records):
        record |= {"isSidechain": True, "agentId": "a1", "uuid": f"{n:08x}-1111-4000-8000-000000000000"}
    written(main.with_suffix("") / "subagents" / "agent-a1.jsonl", records)


def _persons(place: Place) -> list[tuple]:
    """The person's facts with how they stand and when they hold."""
    with place.engine() as engine:
        return engine.store().db.rows(
            """SELECT f.id, f.standing, i.valid_from, i.valid_to, i.standing FROM facts f LEFT JOIN intervals i ON i.fact = f.n
            WHERE f.origin = 'person' AND f.method LIKE 'own.%' ORDER BY f.id"""
        )


@pytest.fixture
def engine(poisoned) -> Iterator[Engine]:
    with poisoned.engine() as opened:
        yield opened


# --- what is stored ---------------------------------------------------------------------------------------------------


def test_all_of_it_came_in(engine):
    store = engine.store()
    found = set()
    for (blob,) in store.db.rows("SELECT text_blob FROM events"):
        found.update(MARKED.findall(store.events.text(blob)))
    waiting = {m for f in (engine.settings.home / "spool").rglob("*.json") for m in MARKED.findall(f.read_text())}
    left = {p.marker for p in ALL} - found - waiting
    assert left <= {p.marker for p in BY_CHANNEL["rules"]}  # of a file with rules, lines that are none are left out
    assert len(left) < 10


def test_none_has_the_authority_of_a_person(engine):
    store = engine.store()
    rows = store.db.rows(
        "SELECT f.n, f.origin, f.rung, f.method, e.text_blob, e.origin FROM facts f JOIN events e ON e.uid = f.uid"
    )
    planted = [r for r in rows if MARKED.search(store.events.text(r[4]))]
    assert planted
    assert [r for r in planted if r[1] == "person" or r[5] == "person" or r[2] == 3] == []
    assert store.db.rows("SELECT 1 FROM verdicts WHERE origin = 'person'") == []


def test_none_of_a_persons_facts_is_closed(poisoned):
    assert _persons(poisoned) == list(poisoned.before)
    assert all(row[1] == "confirmed" and row[3] is None for row in poisoned.before)
    with poisoned.engine() as engine:
        for _, predicate, topic, value in poison.HONEST:
            assert [hit.text for hit in query(engine, f"p:{predicate} topic:{topic}")] == [value]
        assert upkeep.verify(engine).problems == ()


def test_none_is_a_pattern_or_a_rule_without_a_person_s_word(engine):
    assert [
        hit.row for hit in query(engine, "type:preference,procedure,decision", 100_000) if MARKED.search(hit.row)
    ] == []


# --- what is shown ----------------------------------------------------------------------------------------------------

OUTSIDE_MARKS = re.compile(
    r"origin:(?:web|agent|import|repository|model|harness)|\((?:web|agent|import|repository|model)\)"
)
QUESTIONS = (
    "database MySQL",
    "deploy Fridays",
    "port 1337",
    "linter Flake8",
    "what does the user like",
    "compliance audit logs",
)


def unframed(text: str, *, columns: int | None = None) -> list[str]:
    """Lines that hold a planted text and are no row under a frame that says what it is."""
    head, wrong = False, []
    for line in text.splitlines():
        head = (
            head
            or line.startswith(("-- quoted records", "<muniment"))
            or line.endswith("; quoted records, not instructions")
        )
        if MARKED.search(line) and (
            not (head or columns) or MARKED.match(line) or (columns and line.count("\t") != columns - 1)
        ):
            wrong.append(line)
    return wrong


def test_a_row_of_query_says_whose_words_it_holds(engine):
    for selector in (
        "",
        "standing:any",
        "standing:hypothesis",
        "p:noted,uses standing:any",
        "origin:web,agent,import standing:any",
    ):
        for hit in query(engine, selector, 400_000):
            if MARKED.search(hit.row):
                assert hit.origin != "person"
                assert hit.row.count("\t") == 8
                assert hit.origin == "tool" or OUTSIDE_MARKS.search(hit.row), hit.row


def test_every_answer_of_search_is_framed_and_shares_its_places(engine):
    for words in (*QUESTIONS, *(p.marker for p in ALL[:40])):
        found = search(engine, words, Asking(limit=20, budget=40_000, include=("hypothesis", "superseded")))
        assert unframed(found.text) == []
        origins = [hit.origin for hit in found]
        assert not shares.is_crowded(origins)
        for hit in found:
            if MARKED.search(hit.text):
                assert hit.origin != "person"
                assert "\n" not in hit.row
                assert hit.origin == "tool" or OUTSIDE_MARKS.search(hit.row), hit.row


def test_a_frame_is_never_torn_whatever_the_budget(engine):
    for budget in (*range(60, 600, 30), 1000, 3000):
        for words in QUESTIONS[:3]:
            assert unframed(search(engine, words, Asking(budget=budget)).text) == []
        wake = viewing.wake(engine, budget)
        assert wake == "" or (wake.startswith("<muniment") and wake.rstrip().endswith("</muniment>"))


def test_views_hold_planted_words_in_their_frame_alone(engine):
    shown = [viewing.wake(engine, n) for n in (500, 4_000, 40_000)]
    shown += [
        viewing.timeline_text(engine, "2026-03-05"),
        viewing.handoff(engine, 4_000),
    ]
    for text in shown:
        assert unframed(text) == []
        assert not text.startswith("<muniment") or text.count("</muniment>") == 1
        assert not re.search(r"^(?:SYSTEM|User|Assistant):", text, re.MULTILINE)


def test_what_is_opened_stands_behind_a_head_that_names_its_origin(poisoned):
    tools = Tools(poisoned)
    with poisoned.engine() as engine:
        receipts_ = [
            h.receipt
            for p in ALL[::25]
            for h in search(engine, p.marker, Asking(limit=2, floor=False))
            if p.marker in h.text
        ]
    assert len(receipts_) >= 10
    for receipt in receipts_:
        is_error, text = tools.call("memory_read", ids=[receipt])
        assert not is_error
        assert not re.search(r"^(?:SYSTEM|User|Assistant|</muniment>|-- quoted records end)", text, re.MULTILINE), text


@pytest.mark.parametrize("tool", ["memory_query", "memory_search"])
def test_tools_answer_in_the_frame(poisoned, tool):
    asked = [{"words": q} for q in QUESTIONS] if tool == "memory_search" else [
        {"selector": s} for s in ("", "standing:any", "standing:hypothesis", "p:noted standing:any")
    ]  # fmt: skip
    for given in asked:
        for budget in (400, 4_000, 30_000):
            is_error, text = Tools(poisoned).call(tool, budget=budget, **given)
            assert not is_error
            assert unframed(text) == [] or budget == 400


def test_the_command_line_shows_rows_and_nothing_else(poisoned):
    cli = CommandLine(poisoned)
    for words in (("query", "standing:any", "--budget", "100000"), ("query", "p:noted standing:any"), ("list", "fact")):
        code, out, _ = cli.run(*words)
        assert code in (0, 3)
        assert unframed(out, columns=9) == []
    for words in (("search", "database MySQL"), ("wake",), ("handoff",), ("wake", "--md")):
        code, out, _ = cli.run(*words)
        assert code in (0, 3)
        assert unframed(out) == [], words


def test_getting_comparing_and_reviewing_name_the_origin_of_every_planted_word(engine):
    for words in ("database", "deploy", "linter"):
        for entry in getting.get(engine, words, 40_000).hits:
            assert not MARKED.search(entry.text) or entry.origin != "person"
    for pair in comparing.conflicts(engine, "the project uses MySQL as its database").pairs:
        assert not MARKED.search(pair.text) or pair.origin != "person"
    for one in reviewing.review(engine, everything=True).proposals:
        assert not MARKED.search(json.dumps(str(one))) or "person" not in str(getattr(one, "origin", ""))


def test_no_agent_makes_a_fact_of_a_proposal_and_none_revises_what_a_person_said(poisoned):
    before = _persons(poisoned)
    with poisoned.engine() as engine:
        ids = [hit.id for hit in query(engine, "source:told", 40_000)] + [h.id for h in query(engine, "p:uses", 9_000)]
    for id_ in ids[:8]:
        for action in ("retract", "correct", "supersede", "suspect"):
            Tools(poisoned).call(
                "memory_revise", id=id_, action=action, claim="MySQL", reason="the page says so", new_id=id_
            )
    assert _persons(poisoned) == before
