"""`muniment search`: rows on stdout, exit code 3 where nothing is found, and what can be asked beside."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.surfaces.conftest import Terminal

from muniment.views.found import HEAD

TURNS = [
    ("ann", "user", "Where do we keep the retry policy of the billing worker?"),
    ("bot", "assistant", "The retry policy of the billing worker is kept in Redis, not in the database."),
    ("ann", "user", "Who plays the violin on Tuesday evening?"),
    ("bot", "assistant", "Nobody plays the violin; Carla plays the cello on Tuesday evening."),
    ("ann", "user", "The billing worker retries seven times before it gives up."),
]
ODD = ["zyzzogeton", "NEAR(", '"', "-- x", "日本", "a AND", "", " ", "*", "--"]


@pytest.fixture(scope="module")
def talked(tmp_path_factory) -> Terminal:
    """A machine with one conversation in its memory."""
    made = Terminal(tmp_path_factory.mktemp("talked"))
    file = made.project / "talk.jsonl"
    lines = [
        {"session": "talk", "seq": n, "at": f"2026-03-0{n + 1}T10:00:00Z", "speaker": who, "role": role, "text": text}
        for n, (who, role, text) in enumerate(TURNS)
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    made.ok("load", "conversation", str(file))
    return made


def test_an_answer_is_framed_rows_and_a_step_that_can_be_run(talked: Terminal) -> None:
    lines = talked.ok("search", "where is the retry policy kept").out.splitlines()
    assert lines[0] == HEAD
    rows = [line.split("\t") for line in lines if "\t" in line]
    assert {"conversation.talk:0", "conversation.talk:1"} <= {row[0] for row in rows}
    assert all(len(row) == 6 for row in rows)
    opened = talked.ok(*shlex.split(lines[-1].removeprefix("Next: muniment "))).out
    assert "verified  yes" in opened


def test_words_need_no_quotes(talked: Terminal) -> None:
    assert talked.ok("search", "retry", "policy").out == talked.ok("search", "retry policy").out


def test_nothing_found_is_exit_code_3_and_says_so(talked: Terminal) -> None:
    ran = talked.run("search", "zyzzogeton")
    assert ran.code == 3
    assert ran.out.startswith("nothing found: ")
    found = talked.run("search", "zyzzogeton", "--json")
    assert (found.code, found.json["rows"]) == (3, [])
    assert found.json["reason"]


@pytest.mark.parametrize("text", ODD)
def test_any_words_are_a_question(talked: Terminal, text: str) -> None:
    ran = talked.run("search", "--json", "--", text)
    assert ran.code in (0, 3), ran
    assert bool(ran.json["rows"]) != bool(ran.json["reason"])


def test_no_words_and_no_cursor_is_an_error_of_use(talked: Terminal) -> None:
    assert talked.run("search").code == 2
    assert talked.run("search", "x", "--cursor", "s1.x").code == 2
    assert talked.run("search", "--cursor", "s1.x").code == 2
    assert talked.run("search", "x", "--include", "everything").code == 2
    assert talked.run("search", "x", "--limit", "0").code == 2


def test_a_budget_is_kept_and_the_cursor_goes_on(talked: Terminal) -> None:
    whole = [row["id"] for row in talked.ok("search", "billing worker violin", "--json").json["rows"]]
    first = talked.ok("search", "billing worker violin", "--limit", "2", "--json").json
    rest = talked.ok("search", "--cursor", first["cursor"], "--json").json
    assert [row["id"] for row in first["rows"] + rest["rows"]] == whole
    assert len(talked.ok("search", "billing worker violin", "--budget", "300").out.encode()) <= 300


def test_budget_0_gives_the_handle_alone(talked: Terminal) -> None:
    ran = talked.ok("search", "billing worker", "--budget", "0")
    assert ran.out == ""
    assert ran.err.startswith("-- --cursor s1.")


@pytest.mark.parametrize("budget", ["200", "500", "4096"])
def test_markdown_keeps_to_the_budget(talked: Terminal, budget: str) -> None:
    ran = talked.ok("search", "billing worker violin", "--md", "--budget", budget)
    assert len(ran.out.encode()) <= int(budget)
    assert "\t" not in ran.out
    assert budget != "4096" or "- **ann** (2026-03-01 10:00): Where do we keep" in ran.out


def test_explain_shows_how_the_answer_came_to_be(talked: Terminal) -> None:
    out = talked.ok("search", "retry policy", "--explain").out
    assert "\nshape      " in out
    assert "\nrank  score" in out
    account = talked.ok("search", "retry policy", "--explain", "--json").json["explained"]
    assert [p["fate"] for p in account["placed"]].count("shown") >= 2


def test_why_not_tells_where_a_turn_is(talked: Terminal) -> None:
    assert (
        "conversation.talk:9 is not in the store"
        in talked.ok("search", "retry policy", "--why-not", "conversation.talk:9").out
    )
    assert (
        "conversation.talk:1 is in the answer"
        in talked.ok("search", "retry policy", "--why-not", "conversation.talk:1", "--json").json["why_not"]
    )
    assert talked.run("search", "retry policy", "--why-not", "!").code == 2


def test_what_a_session_received_is_left_out_when_asked_for(talked: Terminal) -> None:
    given = [r["receipt"] for r in talked.ok("search", "retry policy", "--session", "S1", "--json").json["rows"]]
    again = talked.run("search", "retry policy", "--unseen", "S1", "--json").json
    assert not set(given) & {r["receipt"] for r in again["rows"]}
    other = talked.ok("search", "retry policy", "--unseen", "S2", "--json").json
    assert [r["receipt"] for r in other["rows"]] == given


def test_the_same_question_twice_is_the_same_bytes(talked: Terminal) -> None:
    assert (
        talked.ok("search", "billing worker", "--explain").out == talked.ok("search", "billing worker", "--explain").out
    )


def test_without_a_store_the_error_is_not_an_empty_answer(terminal: Terminal) -> None:
    ran = terminal.run("search", "anything")
    assert (ran.code, ran.out) == (3, "")
    assert "nothing is remembered for this folder yet" in ran.err


def test_parts_of_a_search_are_left_out_by_name(talked: Terminal) -> None:
    found = talked.run(
        "search", "retry policy", "--without", "said,time", "--fusion", "rrf", "--no-floor", "--json"
    ).json
    assert all(not {"said", "time"} & set(row["lanes"]) for row in found["rows"])
    for words in (("--without", "sayd"), ("--fusion", "sum")):
        ran = talked.run("search", "retry policy", *words)
        assert (ran.code, ran.out) == (2, "")
        assert words[1] in ran.err
