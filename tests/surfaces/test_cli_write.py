"""`add`, `confirm`, `suspect`, `retract`, `restore`, `supersede`, `correct`, and with whose authority."""

from __future__ import annotations

import json

import pytest
from tests.surfaces.conftest import Terminal

DATABASE = "p:uses topic:database"


def values(terminal: Terminal, *words: str) -> list[str]:
    """What the project uses, as an answer shows it."""
    return [row["text"] for row in terminal.ok("query", DATABASE, *words, "--json").json["rows"]]


def test_a_statement_names_its_id_and_its_receipt_opens(terminal: Terminal) -> None:
    ran = terminal.ok(
        "add", "preference", "Prefers concise replies", "user", "style.tone,brief", "--topic", "style.tone"
    )
    outcome, id_ = ran.out.rstrip("\n").split("\t")
    assert outcome == "stored"
    assert terminal.ok("query", "tag:brief", "--json").json["rows"][0]["id"] == id_
    record = terminal.ok("read", id_, "--verify", "--json").json
    assert record["text"] == "Prefers concise replies"
    assert record["verified"]


def test_all_places_of_add_are_kept(terminal: Terminal) -> None:
    id_ = terminal.ok(
        "add", "ingested", "A page on retries", "web", "net.retry, io", "https://example.org/retry", "chapter:2",
        "--evidence", "README.md", "--evidence", "docs/a.md", "--expires", "in 30 days",
    ).ids[0]  # fmt: skip
    told = terminal.ok("why", id_, "--json").json
    assert told["tags"] == ["io", "net.retry"]
    assert told["evidence"] == [["file", "README.md"], ["file", "docs/a.md"]]
    assert told["origin"] == "web"
    assert told["source_url"] == "https://example.org/retry"


def test_what_is_superseded_is_shown_at_its_time(terminal: Terminal) -> None:
    old = terminal.state("PostgreSQL", "--since", "2026-01-01")
    ran = terminal.ok("add", "fact", "SQLite", "--predicate", "uses", "--topic", "database", "--since", "2026-02-01")
    assert ran.out.splitlines()[0].startswith("superseded\t")
    assert ran.ids[1] == old
    assert values(terminal) == ["SQLite"]
    assert values(terminal, "--as-of", "2026-01-15") == ["PostgreSQL"]


def test_a_correction_takes_the_wrong_out_of_every_time(terminal: Terminal) -> None:
    wrong = terminal.state("PostgreSQL", "--since", "2026-01-01")
    before = terminal.ok("why", wrong, "--json").json["said_at"]
    right, ended = terminal.ok("correct", wrong, "DuckDB", "misread the ticket", "from.ticket").ids
    assert ended == wrong
    assert values(terminal) == ["DuckDB"]
    assert values(terminal, "--as-of", "2026-01-15") == ["DuckDB"]
    assert values(terminal, "--known", before) == ["PostgreSQL"]
    assert terminal.ok("why", right, "--json").json["tags"] == ["from.ticket"]


def test_decisions_change_the_standing_and_name_what_they_changed(terminal: Terminal) -> None:
    id_ = terminal.state("PostgreSQL")
    for command, done in (
        ("suspect", "suspected"),
        ("confirm", "confirmed"),
        ("retract", "retracted"),
        ("restore", "restored"),
    ):
        assert terminal.ok(command, id_, "--reason", f"because of {command}").out == f"{done}\t{id_}\n"
    verdicts = terminal.ok("history", id_, "--json").json["steps"][0]["verdicts"]
    assert [v["reason"] for v in verdicts] == [f"because of {c}" for c in ("suspect", "confirm", "retract", "restore")]


def test_one_fact_supersedes_another_by_command(terminal: Terminal) -> None:
    old = terminal.ok("add", "fact", "deploys happen on Friday").ids[0]
    new = terminal.ok("add", "fact", "deploys happen on Monday").ids[0]
    assert terminal.ok("supersede", old, new, "--reason", "new rule").ids == [new, old]
    assert [r["id"] for r in terminal.ok("query", "deploys", "--json").json["rows"]] == [new]


def test_the_unsure_is_a_hypothesis(terminal: Terminal) -> None:
    id_ = terminal.state("PostgreSQL", "--unsure")
    assert terminal.ok("query", f"id:{id_}", "--json").json["rows"][0]["standing"] == "hypothesis"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("add", "nonsense", "x"), 2),
        (("add", "fact", "   "), 2),
        (("add", "fact", "x", "--predicate", "nonsense"), 2),
        (("add", "fact", "x", "nobody"), 2),
        (("add", "fact", "x", "--since", "notatime"), 2),
        (("add", "fact"), 2),
        (("confirm", "ZZ"), 2),
        (("retract", "7ZZZZZZZ"), 3),
        (("correct", "7ZZZZZZZ", "x", "y"), 3),
        (("supersede", "7ZZZZZZZ", "7ZZZZZZY"), 3),
    ],
)
def test_what_makes_no_sense_or_does_not_exist_writes_nothing(
    terminal: Terminal, words: tuple[str, ...], code: int
) -> None:
    id_ = terminal.state("PostgreSQL")
    everything = terminal.ok("query", "standing:any").out
    ran = terminal.run(*words)
    assert ran.code == code, ran
    assert ran.out == ""
    assert ran.err.startswith("muniment: ")
    assert "Traceback" not in ran.err
    assert terminal.ok("query", "standing:any").out == everything
    assert id_ in everything


def test_a_decision_without_effect_is_an_error(terminal: Terminal) -> None:
    id_ = terminal.state("PostgreSQL")
    terminal.ok("retract", id_)
    assert terminal.run("retract", id_).code == 3
    assert terminal.run("correct", terminal.state("SQLite"), "SQLite", "same").code == 3


# --- authority -------------------------------------------------------------------------------------------------


def test_whose_words_is_said_only_where_something_was_recorded(terminal: Terminal) -> None:
    ran = terminal.run("retract", "01JZZZZZZZZZZZZZZZZZZZZZZZ", env={"MUNIMENT_CALLER": "agent"})
    assert ran.code == 3
    assert "recorded" not in ran.err


def test_an_agent_around_us_is_an_agent_whatever_it_says(terminal: Terminal) -> None:
    mine = terminal.state("PostgreSQL")
    ran = terminal.ok(
        "add", "fact", "Oracle", "user", "--predicate", "uses", "--topic", "database", env={"CLAUDECODE": "1"}
    )
    assert "recorded as the words of agent (CLAUDECODE is set)" in ran.err
    assert "source user was not taken" in ran.err
    assert values(terminal) == ["PostgreSQL"]
    for words in (("confirm", mine), ("retract", mine), ("correct", mine, "Oracle", "because")):
        assert terminal.ok(*words, env={"CODEX_THREAD_ID": "x"}).out.startswith("proposed\t")
    assert values(terminal) == ["PostgreSQL"]


@pytest.mark.parametrize(
    ("wish", "origin"), [("agent", "agent"), ("import", "import"), ("person", "person"), ("", "person")]
)
def test_a_caller_may_ask_for_less_authority(terminal: Terminal, wish: str, origin: str) -> None:
    id_ = terminal.ok("add", "fact", "a thing", env={"MUNIMENT_CALLER": wish}).ids[0]
    assert terminal.ok("why", id_, "--json").json["origin"] == origin


@pytest.mark.parametrize(("wish", "origin"), [("person", "agent"), ("import", "import")])
def test_a_variable_never_gives_an_agent_more(terminal: Terminal, wish: str, origin: str) -> None:
    id_ = terminal.ok("add", "fact", "a thing", env={"MUNIMENT_CALLER": wish, "OPENCODE": "1"}).ids[0]
    assert terminal.ok("why", id_, "--json").json["origin"] == origin


def test_an_unknown_wish_is_refused(terminal: Terminal) -> None:
    assert terminal.run("add", "fact", "x", env={"MUNIMENT_CALLER": "root"}).code == 2


def test_a_person_may_pass_on_what_an_agent_said(terminal: Terminal) -> None:
    id_ = terminal.ok("add", "fact", "the build is slow", "agent").ids[0]
    assert terminal.ok("why", id_, "--json").json["origin"] == "agent"


def test_what_was_written_is_told_as_json_too(terminal: Terminal) -> None:
    told = terminal.ok("add", "fact", "x y", "--json").json
    assert told["outcome"] == "stored"
    ran = terminal.run("retract", "7ZZZZZZZ", "--json")
    assert json.loads(ran.err)["error"]["code"] == "not_found"
