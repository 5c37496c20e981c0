"""`query`, `list`, `read`, `history`, `why`, `wake`, `timeline` as a person types them."""

from __future__ import annotations

import re

import pytest
from tests.surfaces.conftest import Terminal

LONG = ("--budget", "100000")


def test_rows_have_nine_columns_and_nothing_else_is_on_stdout(read_in: Terminal) -> None:
    ran = read_in.ok("query", "p:ran", *LONG)
    rows = ran.out.splitlines()
    assert rows
    assert {row.count("\t") for row in rows} == {8}
    assert ran.err == ""


@pytest.mark.parametrize("budget", [1, 50, 137, 500, 1000, 4096])
def test_no_answer_has_a_byte_over_its_budget(read_in: Terminal, budget: int) -> None:
    for form in ((), ("--md",)):
        ran = read_in.ok("query", "type:question", "--budget", str(budget), *form)
        assert len(ran.out.encode()) <= budget
    assert read_in.ok("query", "type:question", "--budget", str(budget), "--json").json["bytes"] <= budget


def test_a_budget_of_nothing_gives_the_handle_alone(read_in: Terminal) -> None:
    ran = read_in.ok("query", "p:ran", "--budget", "0")
    assert ran.out == ""
    cursor = ran.err.split("--cursor ")[1].strip()
    assert read_in.ok("query", "--cursor", cursor, *LONG).out == read_in.ok("query", "p:ran", *LONG).out
    assert read_in.ok("query", "p:ran", "--budget", "0", "--json").json["cursor"].startswith("m1.")


@pytest.mark.parametrize("form", [(), ("--md",)])
def test_cursors_lead_through_all_rows_once(read_in: Terminal, form: tuple[str, ...]) -> None:
    ids = []
    words = ["query", "p:ran"]
    for _ in range(60):
        ran = read_in.ok(*words, "--budget", "700", *form)
        ids += re.findall(r"\b[0-9A-HJKMNP-TV-Z]{26}\b", ran.out.partition("\n-- ")[0].replace("\\", ""))
        cursor = re.search(r"--cursor (\S+)", ran.out.replace("\\", ""))
        if cursor is None:
            break
        words = ["query", "--cursor", cursor[1]]
    everything = [row["id"] for row in read_in.ok("query", "p:ran", *LONG, "--json").json["rows"]]
    assert ids == everything


@pytest.mark.parametrize("words", [("query", "p:ran"), ("query", "p:ran", "--md"), ("list", "event")])
@pytest.mark.parametrize("budget", ["1", "150", "300"])
def test_a_cut_answer_never_looks_whole(read_in: Terminal, words: tuple[str, ...], budget: str) -> None:
    ran = read_in.ok(*words, "--budget", budget)
    told = re.findall(r"\d+ more.*--cursor (\S+)", ran.out.replace("\\", "") + ran.err)
    assert len(told) == 1
    assert read_in.ok("query", "--cursor", told[0]).out


def test_a_view_that_does_not_fit_says_so(read_in: Terminal) -> None:
    ran = read_in.ok("wake", "--budget", "20")
    assert ran.out == ""
    assert "--budget" in ran.err


def test_what_cannot_be_an_id_is_told_from_what_is_none(read_in: Terminal) -> None:
    for words in (("read", "ZZZZZZ"), ("retract", "ZZZZZ")):
        ran = read_in.run(*words)
        assert ran.code == 3
        assert "no fact ZZZZZ" in ran.err
    assert read_in.ok("query", "id:ZZZZZ").out == ""
    assert "no U" in read_in.run("read", "UUUUUU").err
    assert "SESSION:SEQ" in read_in.run("read", "web_sample_session").err


def test_what_a_session_was_given_is_left_out_when_asked_for(own_read_in: Terminal) -> None:
    given = own_read_in.ok("query", "p:ran", "--session", "S1", "--json").json["rows"]
    rest = own_read_in.ok("query", "p:ran,passed unseen:S1", "--json").json["rows"]
    assert given
    assert not {row["id"] for row in given} & {row["id"] for row in rest}
    other = own_read_in.ok("query", "p:ran unseen:S2", "--json").json["rows"]
    assert [row["id"] for row in other] == [row["id"] for row in given]


def test_a_cursor_and_a_selector_together_are_refused(read_in: Terminal) -> None:
    assert read_in.run("query", "p:ran", "--cursor", "m1.x").code == 2


def test_an_answer_without_rows_is_no_error_and_says_why(read_in: Terminal) -> None:
    ran = read_in.ok("query", "p:decided topic:nothing.of.this.name")
    assert ran.out == ""
    assert ran.err.startswith("muniment: ")


def test_a_selector_may_begin_with_a_dash(read_in: Terminal) -> None:
    assert read_in.ok("query", "-role:assistant", "p:ran").out == read_in.ok("query", "p:ran -role:assistant").out


def test_words_of_a_selector_may_be_given_one_by_one(read_in: Terminal) -> None:
    assert read_in.ok("query", "p:ran", "since:2026-01-01").out == read_in.ok("query", "p:ran since:2026-01-01").out


def test_a_selector_that_does_not_parse_is_pointed_at(read_in: Terminal) -> None:
    ran = read_in.run("query", "p:ran rolle:user")
    assert ran.code == 2
    assert ran.out == ""
    line, pointer = ran.err.splitlines()[1:3]
    assert line == "p:ran rolle:user"
    assert pointer.index("^") == line.index("rolle")


@pytest.mark.parametrize("selector", ["p:nonsense", "since:notatime", "standing:odd", 'p:ran "open', "id:!!"])
def test_words_that_make_no_sense_end_with_two(read_in: Terminal, selector: str) -> None:
    ran = read_in.run("query", selector, "--json")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.problem["code"] == "usage"


def test_a_folder_of_which_nothing_is_known_says_what_to_do(terminal: Terminal) -> None:
    for words in (("query", "p:ran"), ("read", "AAAAA"), ("list", "fact"), ("history", "AAAAA"), ("wake",)):
        ran = terminal.run(*words)
        assert ran.code == 3, words
        assert "muniment index" in ran.err
    assert not terminal.memories.exists()


def test_list_gives_what_the_selector_gives(read_in: Terminal) -> None:
    assert read_in.ok("list", "question", *LONG).out == read_in.ok("query", "type:question", *LONG).out
    assert read_in.run("list", "nonsense").code == 2


def test_read_opens_ids_and_receipts_and_proves_them(read_in: Terminal) -> None:
    (hit,) = read_in.ok("query", "p:passed", "--json").json["rows"]
    by_id = read_in.ok("read", hit["id"], "--verify", "--json").json
    by_receipt = read_in.ok("read", hit["receipt"], "--verify", "--json").json
    assert by_id["text"] == by_receipt["text"] == hit["text"]
    assert by_id["verified"]
    text = read_in.ok("read", hit["id"][:8], "--context", "2").out
    assert text.startswith(f"receipt   {hit['receipt']}\n")
    assert text.count("] web_sample_session:") == 5


def test_read_of_a_long_text_goes_on_at_its_cursor(terminal: Terminal) -> None:
    words = " ".join(f"word{n}" for n in range(4000))
    id_ = terminal.ok("add", "fact", words).ids[0]
    pieces, cursor = [], 0
    while cursor is not None:
        record = terminal.ok("read", id_, "--cursor", str(cursor), "--json").json
        pieces.append(record["text"])
        cursor = record["cursor"]
    assert len(pieces) > 1
    assert "".join(pieces) == words


@pytest.mark.parametrize(("words", "code"), [(("read", "7ZZZZZZZ"), 3), (("read", "nosuch:4"), 3), (("read", "x"), 2)])
def test_what_does_not_exist_is_told_from_what_is_no_name(read_in: Terminal, words: tuple[str, ...], code: int) -> None:
    assert read_in.run(*words).code == code


def test_history_and_why_tell_of_a_belief(terminal: Terminal) -> None:
    old, new = terminal.state("PostgreSQL"), terminal.state("SQLite")
    told = terminal.ok("history", old, "--json").json
    assert [step["id"] for step in told["steps"]] == [old, new]
    assert [step["standing"] for step in told["steps"]] == ["superseded", "confirmed"]
    assert "PostgreSQL" in terminal.ok("history", new).out
    assert terminal.ok("why", new, "--json").json["rank"]["rung"] == 3
    assert new in terminal.ok("why", new).out


def test_wake_keeps_its_budget_and_its_frame(read_in: Terminal) -> None:
    text = read_in.ok("wake", "--budget", "900").out
    assert 0 < len(text.encode()) <= 900
    assert text.startswith("<muniment")
    assert text.endswith("</muniment>\n")
    assert read_in.ok("wake", "--json").json["bytes"] <= 4096


def test_timeline_shows_what_went_on_at_a_time(read_in: Terminal) -> None:
    text = read_in.ok("timeline", "--at", "2025-12-24 10:00").out
    assert "python -m pytest" in text
    assert read_in.ok("timeline", "--at", "2025-12-24", "--json").json["sessions"]
    assert read_in.run("timeline", "--at", "not a time at all").code == 2


def test_the_reader_s_zone_decides_what_a_day_is(terminal: Terminal) -> None:
    id_ = terminal.ok("add", "fact", "late", "--since", "2026-01-01 00:30", "--zone", "Pacific/Auckland").ids[0]
    (row,) = terminal.ok("query", f"id:{id_}", "--json").json["rows"]
    assert row["row"].split("\t")[6] == "2025-12-31T11:30:00.000Z"
    assert terminal.run("query", "--zone", "Nowhere/Town").code == 2


def test_all_of_this_reads_and_writes_nothing(read_in: Terminal) -> None:
    (hit,) = read_in.ok("query", "p:passed", "--json").json["rows"]
    before = {p: p.read_bytes() for p in read_in.memories.rglob("memory.db")}
    for words in (("query", "p:ran"), ("read", hit["id"]), ("wake",), ("history", hit["id"]), ("why", hit["id"])):
        read_in.ok(*words)
    assert {p: p.read_bytes() for p in read_in.memories.rglob("memory.db")} == before
