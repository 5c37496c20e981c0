"""`muniment sql`, and the tool server that has nothing but `memory_sql`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support import archive, ran, state
from tests.surfaces.conftest import Terminal
from tests.surfaces.mcp.wire import MODERN, STDIO, talk

from muniment.engine import profiles, scoped
from muniment.engine.core import Engine
from muniment.errors import NotFoundError, ScopeError, UsageError
from muniment.surfaces.mcp import main
from muniment.surfaces.mcp.caller import Surroundings
from muniment.surfaces.mcp.server import MemoryServer

WALLED = 'memory_sql = true\n[relations.v_now]\ncolumns = ["predicate", "object"]\nredact = { object = "mask" }\n'


def profile(home: Path, text: str, name: str = "p") -> None:
    (home / "profiles").mkdir(parents=True, exist_ok=True)
    (home / "profiles" / f"{name}.toml").write_text(text, encoding="utf-8")


def test_rows_stand_under_the_names_of_their_columns(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "Vitest", "--predicate", "uses", "--topic", "test_runner")
    terminal.ok("add", "fact", "two\nlines\tand a tab", "--predicate", "uses")
    query = "SELECT object, topic, NULL AS empty, 1.5 AS n, x'0aff' AS raw FROM v_now ORDER BY object"
    done = terminal.ok("sql", "--profile", "project", query)
    assert done.out.splitlines() == [
        "object\ttopic\tempty\tn\traw",
        "Vitest\ttest_runner\t\t1.5\t0aff",
        "two\\nlines\\tand a tab\t\t\t1.5\t0aff",
    ]
    told = terminal.ok("sql", "--profile", "project", query, "--json").json
    assert told == {
        "profile": "project", "columns": ["object", "topic", "empty", "n", "raw"], "partial": False,
        "rows": [["Vitest", "test_runner", None, 1.5, "0aff"], ["two\nlines\tand a tab", "", None, 1.5, "0aff"]],
    }  # fmt: skip


def test_what_is_refused_is_refused_in_the_same_words(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "Vitest")
    refused = [
        terminal.run("sql", "--profile", "project", query)
        for query in ("SELECT * FROM facts", "nonsense", "SELECT 1; SELECT 2", "DROP TABLE facts")
    ]
    assert {(r.code, r.out) for r in refused} == {(6, "")}
    assert len({r.err for r in refused}) == 1


def test_what_was_cut_is_said(terminal: Terminal) -> None:
    for n in range(3):
        terminal.ok("add", "fact", f"number {n}")
    profile(terminal.home / "memories", "[relations.events]\n[limits]\nrows = 2\n")
    done = terminal.ok("sql", "--profile", "p", "SELECT seq FROM events")
    assert done.out == "seq\n0\n0\n"
    assert "cut at the limits of profile p" in done.err


def test_without_a_store_or_a_profile_it_says_what_to_do(terminal: Terminal) -> None:
    assert terminal.run("sql", "--profile", "project", "SELECT 1").code == 3
    assert terminal.run("sql", "--profile", "missing", "SELECT 1").code == 3
    assert terminal.run("sql", "SELECT 1").code == 2


@pytest.fixture
def serve(engine: Engine, tmp_path: Path):
    """A server of a profile."""

    def made(name: str) -> MemoryServer:
        place = Surroundings({}, tmp_path, "linux", engine.settings.home, None, ())
        view = scoped.scoped(engine, name)
        profiles.demand_tool(view.profile)
        return MemoryServer(engine, place, "1", view)

    archive(engine, ran("s", 0, "2026-03-01 10:00", "make it"))
    state(engine, "Postgres", topic="database")
    return made


def asked(server: MemoryServer, name: str, **arguments: object) -> tuple[bool, str]:
    result = server.answer(name, arguments)
    return bool(result.is_error), result.content[0].text


def test_a_walled_server_has_one_tool_and_no_resource(engine: Engine, serve) -> None:
    profile(engine.settings.home, WALLED)
    server = serve("p")
    assert [tool.name for tool in server._listed.tools] == ["memory_sql"]
    with pytest.raises(NotFoundError):
        server.resource("memory://wake")
    assert "memory_search" not in server.protocol.instructions
    is_error, text = asked(server, "memory_sql", query="SELECT predicate, object FROM v_now ORDER BY predicate")
    assert not is_error
    assert text.splitlines()[1:] == ["predicate\tobject", "ran\t[redacted]", "uses\t[redacted]", "2 rows"]


def test_a_refusal_tells_a_model_where_to_begin(engine: Engine, serve) -> None:
    profile(engine.settings.home, WALLED)
    is_error, text = asked(serve("p"), "memory_sql", query="SELECT * FROM events")
    assert is_error
    assert text.startswith("query_refused: ")
    assert "SELECT * FROM relations" in text


def test_an_empty_answer_names_one_step(serve) -> None:
    _, text = asked(serve("project"), "memory_sql", query="SELECT id FROM v_now WHERE 0")
    assert text.endswith('id\n0 rows\nNext: memory_sql(query="SELECT * FROM relations")\n')


def test_beside_the_other_tools_it_is_listed_last(engine: Engine, serve) -> None:
    server = serve("project")
    assert [tool.name for tool in server._listed.tools][-2:] == ["memory_revise", "memory_sql"]
    assert server.resource("memory://wake")


def test_an_answer_keeps_to_the_bytes_of_its_profile(engine: Engine, serve) -> None:
    profile(engine.settings.home, "memory_sql = true\n[relations.events]\n[limits]\nbytes = 400\n")
    archive(engine, [event for n in range(30) for event in ran(f"t{n}", 0, "2026-03-01 10:00", "a\tb\n" * 10)])
    for query in ("SELECT text FROM events", "SELECT * FROM events", "SELECT seq FROM events"):
        _, text = asked(serve("p"), "memory_sql", query=query)
        assert len(text.encode()) <= 400


def test_a_profile_that_does_not_grant_the_tool_starts_no_server(terminal: Terminal) -> None:
    profile(terminal.home / "memories", "[relations.v_now]\n")
    done = terminal.run("mcp", "--profile", "p")
    assert done.code == 6
    assert "does not grant the tool memory_sql" in done.err


def test_the_settings_name_a_profile_too(tmp_path: Path) -> None:
    from muniment import config

    assert config.tool_profile(tmp_path) is None
    (tmp_path / "config.toml").write_text('[mcp]\nprofile = "p"\n', encoding="utf-8")
    assert config.tool_profile(tmp_path) == "p"
    (tmp_path / "config.toml").write_text("[mcp]\nprofile = 3\n", encoding="utf-8")
    with pytest.raises(UsageError):
        config.tool_profile(tmp_path)


def test_no_profile_serves_no_sql(engine: Engine, tmp_path: Path) -> None:
    assert main._view(engine, None) is None
    profile(engine.settings.home, "[relations.v_now]\n")
    with pytest.raises(ScopeError):
        main._view(engine, "p")


def test_on_the_wire_a_walled_server_lists_and_answers_nothing_else(terminal: Terminal) -> None:
    terminal.ok("add", "fact", "Vitest", "--predicate", "uses")
    profile(terminal.home / "memories", WALLED)
    (terminal.home / "memories" / "config.toml").write_text('[mcp]\nprofile = "p"\n', encoding="utf-8")

    async def doing(client: Any) -> Any:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        resources = (await client.list_resources()).resources
        answer = await client.call_tool("memory_sql", {"query": "SELECT predicate, object FROM v_now"})
        with pytest.raises(Exception, match="no tool memory_search"):
            await client.call_tool("memory_search", {"words": "Vitest"})
        return listed, resources, answer.content[0].text

    listed, resources, text = talk(terminal, STDIO, MODERN, doing)
    assert (listed, resources) == (["memory_sql"], [])
    assert text.endswith("predicate\tobject\nuses\t[redacted]\n1 row\n")
