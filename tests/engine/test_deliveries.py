"""The journal of deliveries: written where a session is named, read whatever a crash left, and never in the store."""

from __future__ import annotations

import json
import os
import stat
from hashlib import sha256
from multiprocessing import get_context

import pytest
from tests.support import state, values

from muniment.engine.asking import query
from muniment.engine.core import Engine, Settings
from muniment.engine.deliveries import Delivery, deliver, given, path_of, record
from muniment.errors import UsageError


@pytest.fixture
def filled(engine):
    """Three facts."""
    for n in range(3):
        state(engine, f"rule {n}", "requires")
    return engine


def given_first(engine, session="s1"):
    """The best row of everything, delivered to a session; its id."""
    hit = query(engine, "p:requires").hits[0]
    record(engine, Delivery(session, "cli", "p:requires", (hit.id,), ("t:4",), 120))
    return hit


def test_what_a_session_was_given_is_known_and_what_others_were_is_not(filled):
    hit = given_first(filled)
    assert given(filled, "s1") == (frozenset({hit.id}), frozenset({"t:4"}))
    assert given(filled, "s2") == (frozenset(), frozenset())
    assert given(filled, "s1").holds("", "t:4@0-9")
    assert not given(filled, "s1").holds("", "t:5")


def test_a_selector_leaves_out_what_a_session_was_given(filled):
    hit = given_first(filled)
    assert hit.text not in values(query(filled, "p:requires unseen:s1").text)
    assert len(query(filled, "p:requires unseen:s1")) == 2
    assert len(query(filled, "p:requires unseen:s2")) == 3
    assert values(query(filled, "p:requires -unseen:s1").text) == [hit.text]
    assert len(query(filled, "p:requires unseen:s1,s2 as-of:now")) == 2


def test_an_entry_holds_what_the_data_model_says(filled):
    given_first(filled)
    told = json.loads(path_of(filled).read_text())
    wanted = "v session at surface moment agent_role query fact_ids events bytes arm"
    assert " ".join(told) == wanted
    assert (told["at"], told["bytes"]) == ("2026-03-05T12:00:00.000Z", 120)


def test_a_secret_in_a_question_is_masked_in_the_journal(filled):
    secret = "ghp_" + "a1B2" * 9
    record(filled, Delivery("s1", "cli", f"where is {secret}", ("0" * 26,), (), 1))
    assert secret not in path_of(filled).read_text()


def test_the_journal_is_its_owners_alone(filled):
    given_first(filled)
    if os.name == "posix":
        assert stat.S_IMODE(path_of(filled).stat().st_mode) == 0o600
        assert stat.S_IMODE(path_of(filled).parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("torn", [b'{"v":1,"session":"s1","fact', b"\0\0\0", b'["s1"]', b'"s1"', b"[" * 100_000])
def test_what_a_crash_tore_hides_nothing_else(filled, torn):
    hit = given_first(filled)
    with path_of(filled).open("ab") as file:
        file.write(torn)
    record(filled, Delivery("s1", "cli", "again", ("1" * 26,), (), 1))
    assert given(filled, "s1").facts == {hit.id, "1" * 26}


def test_entries_of_other_makers_are_read_as_far_as_they_make_sense(filled):
    path_of(filled).parent.mkdir(parents=True)
    path_of(filled).write_text('{"session":"s1","fact_ids":[1,"x",null],"events":{"a":1},"more":true}\n')
    assert given(filled, "s1") == (frozenset({"x"}), frozenset())


def test_an_answer_without_rows_and_one_to_nobody_are_not_recorded(filled):
    assert deliver(filled, None, "cli", "q", [("0" * 26, "t:1")], 9) == ()
    assert deliver(filled, "s1", "cli", "q", [], 0) == ()
    assert not path_of(filled).exists()


def test_a_session_without_a_name_is_refused(filled):
    with pytest.raises(UsageError, match="a session needs a name"):
        given(filled, " ")


def test_a_journal_that_cannot_be_written_is_a_warning_and_no_failure(filled):
    path_of(filled).mkdir(parents=True)
    (warning,) = deliver(filled, "s1", "cli", "q", [("0" * 26, "t:1")], 9)
    assert "journal of deliveries cannot be written" in warning


def test_delivering_writes_no_byte_of_the_store(filled):
    before = sha256(filled.path.read_bytes()).hexdigest()
    given_first(filled)
    query(filled, "unseen:s1")
    assert sha256(filled.path.read_bytes()).hexdigest() == before


def _write(engine_parts, name, count):
    workspace, home = engine_parts
    with Engine(workspace, Settings(home)) as engine:
        for n in range(count):
            record(engine, Delivery("s1", "cli", "x" * 3000, (f"{name}{n}",), (), 1))


def test_several_processes_write_whole_lines(filled):
    parts = (filled.workspace, filled.settings.home)
    context = get_context("spawn")
    running = [context.Process(target=_write, args=(parts, name, 40)) for name in "ab"]
    for process in running:
        process.start()
    for process in running:
        process.join()
    assert given(filled, "s1").facts == {f"{name}{n}" for name in "ab" for n in range(40)}
