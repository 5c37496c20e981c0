"""What `forget` means by an id, a session, a source, a subject; what only hides; and who else holds the same."""

from __future__ import annotations

import pytest
from tests.engine.erased_worlds import traces
from tests.support import archive, replied, said

from muniment.engine import evidence, forgetting, health, stating, transfer, upkeep
from muniment.engine.asking import query
from muniment.engine.core import Caller
from muniment.engine.forgetting import Target
from muniment.engine.receipts import read
from muniment.engine.stating import Statement, add
from muniment.errors import (
    BusyError,
    MunimentError,
    NotFoundError,
    NothingChangedError,
    RefusedError,
    ScopeError,
    UsageError,
)
from muniment.model.event import Origin
from muniment.model.fact import Action

DAY = "2026-03-04T10"
LONG = "The staging password lives in the blue folder"


@pytest.fixture
def told(engine, person):
    """A memory of two sessions and three statements: the ids of the statements."""
    archive(engine, [
        said("one", 0, f"{DAY}:00:00.000Z", "We use Vitest for the tests of this project."),
        replied("one", 1, f"{DAY}:01:00.000Z", "Good, the runner is Vitest then."),
        said("one/helper", 0, f"{DAY}:02:00.000Z", "Look at the tests of the helper"),
        said("two", 0, f"{DAY}:03:00.000Z", f"As I said: {LONG}."),
    ])  # fmt: skip
    kept = [add(engine, person, Statement("fact", text)) for text in (LONG, "The port is open")]
    page = add(engine, person, Statement("ingested", "A page on caching", source_url="https://example.org/cache"))
    return [made.ids[0] for made in (*kept, page)]


def sound(engine) -> None:
    """All of it can be derived again and is the same."""
    found = upkeep.verify(engine, rebuild=True)
    assert found.ok
    assert not found.problems


def test_what_is_hidden_is_not_shown_and_comes_back_with_restore(engine, person, clock, told):
    before = sorted(query(engine).text.splitlines())
    made = forgetting.hide(engine, person, Target("id", told[1]), "too much")
    assert made.outcome == "hidden"
    assert made.ids == (told[1],)
    assert "port is open" not in query(engine).text
    assert query(engine, f"id:{told[1]}", as_of=engine.now()).text.count("port is open") == 0
    clock.forward(minutes=1)
    stating.decide(engine, person, Action.RESTORE, told[1])
    assert sorted(query(engine).text.splitlines()) == before
    sound(engine)


def test_a_dry_run_of_either_kind_writes_nothing(engine, person, told):
    before = upkeep.digest(engine)
    assert forgetting.hide(engine, person, Target("match", "port"), dry_run=True).ids == (told[1],)
    ahead = forgetting.outlook(engine, person, Target("id", told[0]))
    assert told[0] in ahead.facts
    assert "two:0" in ahead.events
    assert upkeep.digest(engine) == before


def test_hiding_what_is_hidden_is_an_error(engine, person, told):
    forgetting.hide(engine, person, Target("id", told[1]))
    with pytest.raises(NothingChangedError):
        forgetting.hide(engine, person, Target("id", told[1]))


def test_an_agent_erases_nothing_and_hides_no_fact_of_a_person(engine, told):
    agent = Caller(Origin.AGENT)
    with pytest.raises(ScopeError):
        forgetting.erase(engine, agent, Target("id", told[0]))
    with pytest.raises(ScopeError):
        forgetting.outlook(engine, agent, Target("id", told[0]))
    with pytest.raises(RefusedError):
        forgetting.hide(engine, agent, Target("id", told[0]))


def test_a_long_statement_takes_with_it_what_repeats_it_word_for_word(engine, person, told):
    done = forgetting.erase(engine, person, Target("id", told[0]))
    assert {receipt for receipt, _ in done.events} >= {"two:0"}
    assert "staging" not in query(engine).text
    assert traces(engine.settings.home, "staging") == []
    assert "port is open" in query(engine).text
    sound(engine)


@pytest.mark.parametrize(
    ("how", "what", "gone", "stays"),
    [
        ("session", "one", "one:0 one:1 one/helper:0", "two:0"),
        ("session", "one/helper", "one/helper:0", "one:0 one:1 two:0"),
        ("id", "one:1", "one:1", "one:0 two:0"),
        ("source", "model", "one:1", "one:0 two:0"),
        ("source", "two", "two:0", "one:0 one:1"),
        ("match", "RUNNER is\nvitest", "one:1", "one:0 two:0"),
    ],
)
def test_each_way_of_naming_takes_what_it_names_and_nothing_else(engine, person, told, how, what, gone, stays):
    done = forgetting.erase(engine, person, Target(how, what))
    assert {receipt for receipt, _ in done.events} == set(gone.split())
    for receipt in gone.split():
        with pytest.raises(MunimentError):
            read(engine, receipt, 0)
    assert all(read(engine, receipt, 0).verified for receipt in stays.split())
    sound(engine)


def test_a_url_and_a_subject_name_what_is_stated_of_them(engine, person, told):
    done = forgetting.erase(engine, person, Target("source", "https://example.org/cache"))
    assert done.facts == (told[2],)
    add(engine, person, Statement("fact", "Runs on two hosts", subject="project:billing"))
    done = forgetting.erase(engine, person, Target("subject", "project:billing"))
    assert len(done.facts) == 1
    assert "billing" not in query(engine).text
    sound(engine)


@pytest.mark.parametrize("how", ["match", "session", "source", "subject"])
def test_what_is_nowhere_is_not_found_rather_than_erased(engine, person, told, how):
    before = upkeep.digest(engine)
    with pytest.raises(NotFoundError):
        forgetting.erase(engine, person, Target(how, "qqqqqqqq"))
    assert upkeep.digest(engine) == before


def test_two_letters_are_too_few_to_erase_by(engine, person, told):
    with pytest.raises(UsageError):
        forgetting.erase(engine, person, Target("match", "a b"))


def test_a_command_that_names_an_erased_fact_goes_with_it(engine, person, told):
    new = add(engine, person, Statement("fact", "The port is shut")).ids[0]
    stating.supersede(engine, person, told[1], new)
    forgetting.erase(engine, person, Target("id", new))
    assert traces(engine.settings.home, new.lower()) == []
    assert "The port is open" in query(engine).text
    sound(engine)


def test_an_erased_session_takes_in_what_comes_later_and_nothing_from_before(engine, person, clock, told):
    forgetting.erase(engine, person, Target("session", "one"))
    before = upkeep.digest(engine)
    late = said("one", 7, f"{DAY}:30:00.000Z", "This was said before the erasure and read after it.")
    assert archive(engine, [late]).erased == 1
    assert upkeep.digest(engine) == before
    clock.forward(days=1)
    assert archive(engine, [said("one", 8, clock.at, "This is said today.")]).new == 1


def test_the_same_long_words_from_before_stay_out_under_another_name(engine, person, clock, told):
    forgetting.erase(engine, person, Target("id", "two:0"))
    copy = f"As I said: {LONG}."
    assert archive(engine, [said("copy", 0, f"{DAY}:03:00.000Z", copy)], harness="other").erased == 1
    clock.forward(days=1)
    assert archive(engine, [said("copy", 1, clock.at, copy)], harness="other").new == 1


def test_the_union_with_a_store_that_was_erased_is_the_same_in_either_order(
    make_engine, tmp_path, person, told, engine
):
    old, erased = tmp_path / "old.jsonl", tmp_path / "erased.jsonl"
    transfer.export_jsonl(engine, old)
    forgetting.erase(engine, person, Target("match", "staging password"))
    transfer.export_jsonl(engine, erased)
    digests = []
    for name, order in (("a", (old, erased)), ("b", (erased, old))):
        other = make_engine(name)
        for path in order:
            transfer.load_jsonl(other, path, allow_nothing=True)
        digests.append(upkeep.digest(other))
        assert not list(traces(other.path.parent, "staging"))
        assert "staging" not in query(other).text
        sound(other)
    assert digests[0] == digests[1] == upkeep.digest(engine)


def test_another_store_that_holds_the_same_is_named_and_erased_when_asked(make_engine, tmp_path, person, told, engine):
    path = tmp_path / "all.jsonl"
    transfer.export_jsonl(engine, path)
    other = make_engine("other")
    transfer.load_jsonl(other, path)
    add(other, person, Statement("fact", "Something of the other's own"))
    target = Target("id", "two:0")
    (held,) = forgetting.outlook(engine, person, target).others
    assert held.events == 1
    assert held.store == f"workspaces/{other.workspace.id}/memory.db"
    done = forgetting.erase(engine, person, target, everywhere=True)
    assert done.others[0].erased
    with pytest.raises(MunimentError):
        read(other, "two:0", 0)
    sound(other)
    with pytest.raises(NothingChangedError):
        transfer.load_jsonl(other, path)


def test_while_somebody_reads_all_the_time_it_says_so_and_the_next_write_finishes_it(engine, make_engine, person, told):
    reader = make_engine()
    with reader.store().reading():
        query(reader)
        with pytest.raises(BusyError, match="not yet gone from the file"):
            forgetting.erase(engine, person, Target("id", told[0]))
        assert "staging" not in query(engine).text
    assert any("cut off" in warning for warning in health.doctor(engine).warnings)
    assert traces(engine.settings.home, "staging")
    reader.close()
    add(engine, person, Statement("fact", "Something else"))
    assert traces(engine.settings.home, "staging") == []


def test_a_file_of_the_person_that_holds_the_words_is_named(engine, person, told):
    (engine.path.parent / "purpose.md").write_text("Mind the staging  password.\n")
    done = forgetting.erase(engine, person, Target("match", "staging password"))
    assert any("purpose.md" in what for what in done.left)


def test_what_a_look_found_stays_true_of_the_fact_that_is_left(engine, person, clock, told):
    from pathlib import Path

    file = Path(engine.workspace.root) / "port.txt"
    file.write_text("8080")
    one, two = (
        add(engine, person, Statement("fact", text, evidence=["port.txt"])).ids[0]
        for text in ("The port is in the file", "The file is of one line")
    )
    clock.forward(minutes=1)
    file.write_text("9090 and more")
    evidence.check(engine)
    assert "suspect" in query(engine, f"id:{two}").text
    forgetting.erase(engine, person, Target("id", one))
    assert "suspect" in query(engine, f"id:{two}").text
    assert traces(engine.settings.home, "port is in the file") == []
    sound(engine)
    forgetting.erase(engine, person, Target("id", two))
    assert not [v for v in engine.store().facts.verdicts() if v.action == Action.CHECK]


def test_a_store_whose_project_is_gone_and_a_copy_are_named_and_left_alone(make_engine, tmp_path, person, told, engine):
    path = tmp_path / "all.jsonl"
    transfer.export_jsonl(engine, path)
    other = make_engine("other")
    transfer.load_jsonl(other, path)
    add(other, person, Statement("fact", "Something of the other's own"))
    other.close()
    (tmp_path / "other" / ".muniment").unlink()
    (tmp_path / "other").rename(tmp_path / "moved")
    engine.store().erasure.compact()
    copy = engine.path.with_name("memory.db.bak")
    copy.write_bytes(engine.path.read_bytes())
    before = copy.read_bytes()
    done = forgetting.erase(engine, person, Target("id", "two:0"), everywhere=True)
    assert sorted((held.store, held.erased) for held in done.others) == sorted(
        (each.relative_to(engine.settings.home).as_posix(), False) for each in (other.path, copy)
    )
    assert copy.read_bytes() == before
