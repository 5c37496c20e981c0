"""Profiles of scoped SQL: what a file grants, and what is wrong with one, said with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import archive, ran, said, state

from muniment.engine import profiles, scoped
from muniment.engine.core import Engine
from muniment.errors import MunimentError, NotFoundError, QueryRefusedError, ScopeError, UsageError

GOOD = "[relations.v_now]\n"


def write(engine: Engine, text: str, name: str = "p") -> Path:
    path = engine.settings.home / "profiles" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "relations names no relation"),
        ("colour = 1\n" + GOOD, "colour is unknown"),
        ("[relations.facts]\n", "relations.facts is unknown"),
        ("[relations]\nv_now = 3\n", "relations.v_now must be a table"),
        (GOOD + "columns = ['line']\n", "columns: line is unknown"),
        (GOOD + "columns = []\n", "columns must be a list of names"),
        (GOOD + "columns = 'id'\n", "columns must be a list of names"),
        (GOOD + "only = { colour = 'x' }\n", "only.colour is no column of v_now"),
        (GOOD + "[relations.deliveries]\n[only]\nrole = 'user'\n", "only.role is no column of deliveries"),
        (GOOD + "only = { role = [] }\n", "only.role is an empty list"),
        (GOOD + "only = { role = 1.5 }\n", "only.role must be a text"),
        (GOOD + "only = { role = true }\n", "only.role must be a text"),
        (GOOD + 'only = { role = "a\\u0000b" }\n', "or a NUL"),
        (GOOD + "redact = { object = 'blur' }\n", "redact.object is 'blur'"),
        (GOOD + "columns = ['id']\nredact = { object = 'mask' }\n", "redact.object is unknown"),
        (GOOD + "since = 'yesterday'\n", "since is no time"),
        (GOOD + "[limits]\nrows = 0\n", "limits.rows must be a whole number from 1"),
        (GOOD + "[limits]\nseconds = 1\n", "limits.seconds is unknown"),
        (GOOD + "[limits]\nmilliseconds = 99999\n", "limits.milliseconds must be"),
        ("memory_sql = 'yes'\n" + GOOD, "memory_sql must be true or false"),
        ("not toml", "Expected"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_said_with_file_and_key(engine: Engine, text: str, said: str) -> None:
    path = write(engine, text)
    with pytest.raises(UsageError) as raised:
        profiles.profile(engine, "p")
    assert str(path) in raised.value.message
    assert said in raised.value.message


@pytest.mark.parametrize("name", ["../p", "P", "", "a/b", "a.toml", "x" * 65, "a\0", "ä"])
def test_a_name_is_a_name_and_no_path(engine: Engine, name: str) -> None:
    with pytest.raises(UsageError):
        profiles.profile(engine, name)


def test_one_that_is_not_there_names_those_that_are(engine: Engine) -> None:
    write(engine, GOOD, "other")
    with pytest.raises(NotFoundError, match="no profile p") as raised:
        profiles.profile(engine, "p")
    assert raised.value.hint.endswith("there are: other, project")


def test_the_tool_is_granted_in_so_many_words(engine: Engine) -> None:
    write(engine, GOOD)
    with pytest.raises(ScopeError):
        profiles.demand_tool(profiles.profile(engine, "p"))
    write(engine, "memory_sql = true\n" + GOOD)
    profiles.demand_tool(profiles.profile(engine, "p"))


def filled(engine: Engine) -> Engine:
    archive(engine, [said("ann's", 0, "2026-03-01 10:00", "Where is it?"), *ran("b[1]", 0, "2026-03-02 10:00", "make")])
    state(engine, "Vitest", topic="test_runner")
    return engine


@pytest.mark.parametrize(
    ("relation", "seen"),
    [
        ("", {"ann's", "b[1]", "cli"}),
        ('only = { session = "ann\'s" }', {"ann's"}),
        ('only = { session = "b[1*" }', {"b[1]"}),
        ('only = { session = ["ann*", "b[1]"] }', {"ann's", "b[1]"}),
        ('never = { session = ["ann*", "b[1]"] }', {"cli"}),
        ('never = { agent = "x" }', {"ann's", "b[1]", "cli"}),
        ('only = { agent = "x" }', set()),
        ('since = "2026-03-02"', {"b[1]", "cli"}),
        ('until = "2026-03-02"', {"ann's"}),
    ],
)  # fmt: skip
def test_rows_are_those_that_the_filters_leave(engine: Engine, relation: str, seen: set[str]) -> None:
    write(filled(engine), f"[relations.events]\n{relation}\n")
    with scoped.scoped(engine, "p") as view:
        found = {row[0] for row in view.sql("SELECT session FROM events").rows}
    assert {"cli" if name.startswith("cli") else name for name in found} == seen


def test_redactions_stand_in_the_place_of_values(engine: Engine) -> None:
    columns = 'redact = { object = "mask", subject = "null", predicate = "hash" }'
    write(filled(engine), f"[relations.v_now]\n{columns}\n[relations.v_history]\n")
    with scoped.scoped(engine, "p") as view:
        rows = view.sql("SELECT object, subject, predicate FROM v_now").rows
        real = view.sql("SELECT predicate FROM v_history ORDER BY predicate").rows
    assert {row[:2] for row in rows} == {("[redacted]", None)}
    assert len({row[2] for row in rows}) == len(set(real))
    assert not {row[2] for row in rows} & {row[0] for row in real}
    with scoped.scoped(engine, "p") as other:
        assert not set(rows) & set(other.sql("SELECT object, subject, predicate FROM v_now").rows)


def test_an_answer_is_cut_at_rows_and_bytes_and_says_so(engine: Engine) -> None:
    write(filled(engine), "[relations.events]\n[limits]\nrows = 2\n")
    with scoped.scoped(engine, "p") as view:
        answer = view.sql("SELECT seq FROM events")
        assert (len(answer.rows), answer.is_partial) == (2, True)
        assert not view.sql("SELECT seq FROM events LIMIT 2").is_partial
    write(engine, "[relations.events]\n[limits]\nbytes = 30\n")
    with scoped.scoped(engine, "p") as view:
        answer = view.sql("SELECT seq FROM events ORDER BY seq")
        assert (len(answer.rows), answer.is_partial) == (3, True)
        assert view.sql("SELECT kind || kind || kind || kind || kind || kind FROM events").is_partial


def test_a_view_sees_what_was_written_and_delivered_since(engine: Engine) -> None:
    from muniment.engine import deliveries

    with scoped.scoped(filled(engine), profiles.PROJECT) as view:
        assert view.sql("SELECT count(*) FROM deliveries").rows == ((0,),)
        before = view.sql("SELECT count(*) FROM v_now").rows[0][0]
        state(engine, "SQLite", topic="database")
        for n in range(3):
            deliveries.record(engine, deliveries.Delivery(f"s{n}", "mcp", "q", ("A",), (), 3))
            assert view.sql("SELECT count(*) FROM deliveries").rows == ((n + 1,),)
        assert view.sql("SELECT count(*) FROM v_now").rows == ((before + 1,),)


def test_ids_are_those_of_everywhere_else(engine: Engine) -> None:
    made = state(engine, "Vitest", topic="test_runner")
    with scoped.scoped(engine, profiles.PROJECT) as view:
        assert view.sql("SELECT id, receipt, valid_from, valid_to FROM v_now").rows == (
            (*made.ids, made.receipt, "2026-03-05T12:00:00.000Z", None),
        )


def test_a_replaced_store_is_opened_anew(engine: Engine, make_engine) -> None:
    view = scoped.scoped(filled(engine), profiles.PROJECT)
    assert view.sql("SELECT count(*) FROM events").rows[0][0] > 0
    engine.close()
    for each in engine.path.parent.iterdir():
        each.unlink()
    with pytest.raises(NotFoundError):
        view.sql("SELECT count(*) FROM events")
    state(engine, "one")
    assert view.sql("SELECT count(*) FROM events").rows == ((1,),)
    view.close()


def test_a_store_in_a_place_that_cannot_be_written_is_read(engine: Engine) -> None:
    filled(engine).close()
    folder = engine.path.parent
    for each in folder.iterdir():
        if each.name != "memory.db":
            each.unlink()
    engine.path.chmod(0o400)
    with scoped.scoped(engine, profiles.PROJECT) as view:
        assert view.sql("SELECT count(*) FROM events").rows[0][0] > 0


def test_no_query_is_no_text(engine: Engine) -> None:
    with scoped.scoped(filled(engine), profiles.PROJECT) as view, pytest.raises(MunimentError):
        view.sql(None)  # type: ignore[arg-type]
    with scoped.scoped(engine, profiles.PROJECT) as view, pytest.raises(QueryRefusedError):
        view.sql("SELECT \ud800")


def test_on_a_server_it_is_refused_with_what_to_do_instead(make_engine) -> None:
    there = make_engine("elsewhere", server="postgresql://nobody@127.0.0.1:1/none")
    with scoped.scoped(there, profiles.PROJECT) as view, pytest.raises(ScopeError, match="stores in files"):
        view.sql("SELECT 1")
