"""What a late, repeated, copied or edited record does to what was drawn before it came."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.support import Clock, answered, archive, called, said, state

from muniment.archive import parts
from muniment.engine.archiving import Archivist
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import decide
from muniment.engine.upkeep import digest, verify
from muniment.gate.intake import prepare
from muniment.model.event import Action, Event, SessionInfo
from muniment.model.fact import Action as Decision

DAY = "2026-03-04"
CALL, OTHER_CALL, RESULT, OTHER_RESULT = (f"record-00000000000000{n}" for n in range(4))


def run(seq: int, command: str, native: str = CALL, at: str = "10:00", session: str = "s1") -> Event:
    args = {"command": command}
    return called(session, seq, f"{DAY} {at}", "call-1", Action.RUN, "Bash", args, native_id=native)


def gave(seq: int, output: str, native: str = RESULT, at: str = "10:01", session: str = "s1", code: int = 0) -> Event:
    event = answered(session, seq, f"{DAY} {at}", "call-1", output, ok=code == 0, exit_code=code)
    return dataclasses.replace(event, native_id=native)


def write(seq: int) -> Event:
    args = {"path": "src/a.py", "content": "a = 1\n"}
    return called("s1", seq, f"{DAY} 10:00", "call-1", Action.WRITE, "Write", args, native_id=CALL)


def either_way(make_engine: Callable[..., Engine], tmp_path: Path, batches: Sequence[Sequence[Event]]) -> Engine:
    """The batches in their order, which must end as in the opposite order, and as all at once."""
    found = []
    for name, order in (("on", batches), ("back", batches[::-1]), ("once", [[e for b in batches for e in b]])):
        engine = make_engine(home=tmp_path / name)
        for batch in order:
            archive(engine, batch)
        assert verify(engine, rebuild=True).problems == ()
        found.append(engine)
    assert len({digest(engine) for engine in found}) == 1
    return found[0]


def test_a_result_that_comes_first_waits_for_its_call(make_engine: Callable[..., Engine], tmp_path: Path) -> None:
    engine = either_way(make_engine, tmp_path, [[gave(1, "done", code=2)], [run(0, "make")]])
    assert [h.marks for h in query(engine, "p:ran").hits] == [("exit:2",)]


def test_of_two_results_of_a_call_one_counts_whichever_came_last(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    later = gave(2, "done", OTHER_RESULT, "10:02", code=3)
    engine = either_way(make_engine, tmp_path, [[run(0, "make")], [gave(1, "done")], [later]])
    assert len(query(engine, "p:ran").hits) == 1


@pytest.mark.parametrize("results", [(RESULT, OTHER_RESULT), (OTHER_RESULT, RESULT)])
@pytest.mark.parametrize("calls", [(CALL, OTHER_CALL), (OTHER_CALL, CALL)])
def test_two_calls_of_one_name_share_the_result_that_counts(
    make_engine: Callable[..., Engine], tmp_path: Path, calls: tuple[str, str], results: tuple[str, str]
) -> None:
    first = [run(0, "make", calls[0]), run(1, "make test", calls[1]), gave(2, "done", results[0])]
    engine = either_way(make_engine, tmp_path, [first, [gave(3, "", results[1], code=4)]])
    assert sorted(h.text for h in query(engine, "p:ran").hits) == ["make", "make test"]
    assert len({h.marks for h in query(engine, "p:ran").hits}) == 1


def test_a_copy_in_a_fork_brings_a_call_together_with_its_result(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    alone = gave(0, "done", session="z-fork")
    engine = either_way(make_engine, tmp_path, [[run(0, "make")], [alone], [run(1, "make", session="z-fork")]])
    assert [h.text for h in query(engine, "p:ran").hits] == ["make"]


def test_an_edited_result_that_names_no_call_any_more_lets_go_of_it(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    edited = said("s1", 1, f"{DAY} 10:01", "done", native_id=RESULT, updated_at="2026-03-05T00:00:00.000Z")
    engine = either_way(make_engine, tmp_path, [[run(0, "make")], [gave(1, "done")], [edited]])
    assert query(engine, "p:ran").hits == ()


def test_an_edit_moves_what_follows_in_every_session_that_saw_it(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    early, late = f"{DAY}T10:00:00.000Z", "2026-03-09T10:00:00.000Z"
    first = [said(s, 0, early, "is it late?", native_id=CALL) for s in ("s1", "s2")]
    then = [said("s2", 1, f"{DAY} 11:00", "and is this after it?", native_id=OTHER_CALL)]
    edited = said("s1", 0, late, "is it late?", native_id=CALL, updated_at=late)
    engine = either_way(make_engine, tmp_path, [first, then, [edited]])
    assert {h.row.split("\t")[6] for h in query(engine, "p:asked").hits} == {late}


def test_copies_that_differ_beside_their_words_are_joined(make_engine: Callable[..., Engine], tmp_path: Path) -> None:
    one = dataclasses.replace(said("s1", 0, DAY, "is it?", native_id=CALL, tokens_in=3), raw=b"one")
    two = dataclasses.replace(one, session="s2", raw=b"other", flags=("injected",), tokens_in=None)
    engine = either_way(make_engine, tmp_path, [[one], [two]])
    assert query(engine, "p:asked").hits == ()
    assert engine.store().db.rows("SELECT flags, tokens_in FROM events") == [("injected", 3)]
    assert engine.store().transfer.counts()["blobs"] == 2


def test_only_the_current_words_of_an_edited_event_are_searchable(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    old = said("s1", 0, DAY, "tulips", native_id=CALL, updated_at="2026-03-04T00:00:00.000Z")
    new = said("s1", 0, DAY, "daffodils", native_id=CALL, updated_at="2026-03-05T00:00:00.000Z")
    engine = either_way(make_engine, tmp_path, [[old], [new]])
    matching = "SELECT count(*) FROM said_text WHERE said_text MATCH ?"
    assert [engine.store().db.one(matching, (word,)) for word in ("tulips", "daffodils")] == [(0,), (1,)]


def test_the_folder_of_a_session_and_its_root_stay_together(engine: Engine) -> None:
    for cwd, root in (("/b", "/a"), ("/a", "/z")):
        with engine.store(create=True).writing():
            engine.store().events.put_session(SessionInfo("s1", "handmade", cwd=cwd), root)
    assert engine.store().events.find_session("s1") == ("/a", "/z")


# --- what verdicts keep ------------------------------------------------------------


def answered_write(seq: int) -> Event:
    return gave(seq, "wrote src/a.py")


def test_a_fact_that_a_verdict_speaks_of_stays_when_its_event_gives_it_no_more(engine: Engine, person: Caller) -> None:
    archive(engine, [write(0)])
    planned = query(engine, "p:predicted_write standing:any").hits[0].id
    decide(engine, person, Decision.SUSPECT, planned, "was it written?")
    archive(engine, [answered_write(1)])
    assert [h.standing for h in query(engine, "p:predicted_write standing:any").hits] == ["suspect"]
    assert len(query(engine, "p:touched").hits) == 1
    assert verify(engine, rebuild=True).problems == ()
    assert query(engine, "p:predicted_write standing:any").hits[0].id == planned


def test_without_a_verdict_it_is_withdrawn(engine: Engine) -> None:
    archive(engine, [write(0)])
    archive(engine, [answered_write(1)])
    assert query(engine, "p:predicted_write standing:any").hits == ()


def test_a_kept_fact_goes_when_its_words_go(engine: Engine, person: Caller) -> None:
    archive(engine, [said("s1", 0, DAY, "why is it slow?", native_id=CALL)])
    asked = query(engine, "p:asked").hits[0].id
    decide(engine, person, Decision.CONFIRM, asked, "indeed")
    edited = said("s1", 0, DAY, "never mind the speed", native_id=CALL, updated_at="2026-03-05T00:00:00.000Z")
    archive(engine, [edited])
    assert asked not in [h.id for h in query(engine, "standing:any").hits]
    assert verify(engine, rebuild=True).problems == ()


def test_a_preference_ended_by_its_opposite_holds_again_when_that_is_retracted(
    engine: Engine, clock: Clock, person: Caller
) -> None:
    clock.set("2026-03-01")
    state(engine, "tabs", "prefers", type_="preference")
    clock.set("2026-03-02")
    opposite = state(engine, "tabs", "avoids", type_="preference")
    clock.set("2026-03-03")
    assert query(engine, "p:prefers").hits == ()
    decide(engine, person, Decision.RETRACT, opposite.ids[0], "never said so")
    assert [h.text for h in query(engine, "p:prefers").hits] == ["tabs"]
    assert verify(engine, rebuild=True).problems == ()


def test_a_name_with_nothing_open_is_answered_with_nothing(engine: Engine, person: Caller) -> None:
    archive(engine, [run(0, "make"), gave(1, "done")])
    tabs = state(engine, "tabs", "prefers", type_="preference")
    decide(engine, person, Decision.RETRACT, tabs.ids[0], "never said so")
    answer = query(engine, "s:me")
    assert answer.text == ""
    assert answer.reason == "nothing that is still true is known of s:me"


def test_a_folder_that_is_learnt_later_renames_what_was_drawn(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    unknown, known = SessionInfo("s1", "handmade"), SessionInfo("s1", "handmade", cwd="/home/dev/demo")
    engine, at_once = make_engine(home=tmp_path / "one"), make_engine(home=tmp_path / "other")
    put(engine, unknown, None, [write(0), answered_write(1)])
    assert query(engine, "path:src/a.py").hits != ()
    put(engine, known, "/home/dev/demo/src", [])
    assert [h.text for h in query(engine, "p:touched path:a.py").hits] == ["a.py"]
    put(at_once, known, "/home/dev/demo/src", [write(0), answered_write(1)])
    assert digest(engine) == digest(at_once)


def put(engine: Engine, info: SessionInfo, root: str | None, events: Sequence[Event]) -> None:
    """What one read of a transcript brings."""
    prepared = [prepare(event, "handmade", parts.encode) for event in events]
    Archivist(engine.store(create=True)).write({info.id: (info, root)}, prepared, durable=False)


def test_a_verdict_on_a_claim_settles_it_where_another_fact_says_the_same(
    make_engine: Callable[..., Engine], tmp_path: Path, clock: Clock, person: Caller
) -> None:
    here, there = make_engine(home=tmp_path / "here"), make_engine(home=tmp_path / "there")
    clock.set("2026-03-01")
    first = state(there, "PostgreSQL", topic="database")
    clock.set("2026-03-02")
    state(here, "PostgreSQL", topic="database")
    clock.set("2026-03-03")
    decide(there, person, Decision.RETRACT, first.ids[0], "never")
    assert len(query(here, "p:uses").hits) == 1
    with Archivist(here.store()).batch(durable=False) as batch:
        for verdict in there.store().facts.verdicts():
            batch.verdict(verdict)
        batch.finish()
    assert query(here, "p:uses").hits == ()
