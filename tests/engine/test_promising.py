"""Promises in the views: open until an act of their session does what they name."""

from __future__ import annotations

import re

from tests.support import archive, ran, replied, said, wrote

from muniment.engine.viewing import handoff, wake


def loops(engine) -> list[str]:
    text = handoff(engine, 10_000)
    found = re.search(r"open loops:\n((?:- .*\n)*)", text)
    return [] if found is None else re.findall(r"- (?:promised )?(.*?)(?: \([^()]*\))? \d{4}-", found[1])


def test_a_promise_of_the_last_reply_is_an_open_loop_with_its_receipt(engine):
    archive(
        engine,
        [
            said("s1", 0, "2026-03-05 10:00", "Please fix the parser"),
            replied("s1", 1, "2026-03-05 10:01", "It works. I'll add a test for the empty list tomorrow."),
        ],
    )
    assert loops(engine) == ["I'll add a test for the empty list tomorrow"]
    assert "promised I'll add a test for the empty list tomorrow" in wake(engine)


def test_writing_the_file_that_a_promise_names_closes_it(engine):
    root = engine.workspace.root
    archive(
        engine,
        [
            said("s1", 0, "2026-03-05 10:00", "Please write it down"),
            replied("s1", 1, "2026-03-05 10:01", "I'll describe it in docs/retries.md next."),
            replied("s1", 2, "2026-03-05 10:02", "I'll mend src/lexer.py as well."),
            *wrote("s1", 3, "2026-03-05 10:03", f"{root}/docs/retries.md"),
        ],
    )
    assert loops(engine) == ["I'll mend src/lexer.py as well"]


def test_what_is_put_off_stays_open_whatever_is_written_now(engine):
    root = engine.workspace.root
    archive(
        engine,
        [
            replied("s1", 1, "2026-03-05 10:01", "I'll remove src/old.py after the release."),
            *wrote("s1", 2, "2026-03-05 10:02", f"{root}/src/old.py"),
        ],
    )
    assert loops(engine) == ["I'll remove src/old.py after the release"]


def test_a_run_that_was_promised_is_closed_by_the_command_and_not_by_writing(engine):
    root = engine.workspace.root
    first = [replied("s1", 1, "2026-03-05 10:01", "I'll run check.py now.")]
    archive(engine, [*first, *wrote("s1", 2, "2026-03-05 10:02", f"{root}/check.py")])
    assert loops(engine) == ["I'll run check.py now"]
    archive(engine, ran("s1", 4, "2026-03-05 10:04", "python check.py"))
    assert loops(engine) == []


def test_another_session_closes_nothing(engine):
    root = engine.workspace.root
    archive(engine, wrote("s0", 1, "2026-03-05 09:00", f"{root}/docs/retries.md"))
    archive(engine, [replied("s1", 1, "2026-03-05 10:01", "I'll describe it in docs/retries.md.")])
    assert loops(engine) == ["I'll describe it in docs/retries.md"]


def test_what_was_only_announced_before_work_stands_last(engine):
    archive(
        engine,
        [
            replied("s1", 1, "2026-03-05 10:05", "I'll look into the parser."),
            *ran("s1", 2, "2026-03-05 10:06", "grep -n parse src"),
            said("s1", 4, "2026-03-05 10:07", "good"),
            replied("s1", 5, "2026-03-05 10:08", "I'll send the numbers."),
            said("s1", 6, "2026-03-05 10:09", "ok, leave the key to me: I'll rotate it"),
        ],
    )
    assert loops(engine)[-1] == "I'll look into the parser"
    assert {"I'll send the numbers", "I'll rotate it"} < set(loops(engine))


def test_an_answer_is_kept_with_its_receipt(engine):
    archive(
        engine,
        [
            said("s1", 0, "2026-03-05 10:00", "does the worker retry?"),
            replied("s1", 1, "2026-03-05 10:01", "Yes, it retries three times. See the code."),
        ],
    )
    rows = [fact.row for fact in engine.store().facts.facts(_ids(engine)) if fact.row.predicate == "answered"]
    assert [(row.literal, row.origin) for row in rows] == [("Yes, it retries three times", "model")]


def _ids(engine) -> list[bytes]:
    return [row[0] for row in engine.store().db.db.execute("SELECT id FROM facts")]
