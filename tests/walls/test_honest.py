"""What is documented works: every query of the reference, and every column that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import state
from tests.walls import world

from muniment.engine import profiles, scoped
from muniment.engine.scoped import Scoped
from muniment.storage.sqlite.relations import LISTED, RELATIONS

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "sql.md"
_BLOCK = re.compile(r"```sql\n(.*?)```", re.DOTALL)
_MAY_BE_EMPTY = (
    "valid_to IS NOT NULL",
    "superseded",
    "topic",
    "prefers",
    "preference",
    "<> 'confirmed'",
    "EXCEPT",
    "decided",
)
"""What the store of these tests happens to have none of."""


def queries() -> list[str]:
    """The documented queries."""
    (block,) = _BLOCK.findall(PAGE.read_text("utf-8"))
    return [query for query in block.splitlines() if query]


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scoped]:
    engine = world.build(tmp_path_factory.mktemp("honest") / "w", "SECRET", has_bo=False)
    state(engine, "PostgreSQL", topic="database")
    state(engine, "SQLite", topic="database")
    with scoped.scoped(engine, profiles.PROJECT) as made:
        yield made
    engine.close()


def test_there_are_sixty_documented_queries() -> None:
    assert len(set(queries())) >= 60


@pytest.mark.parametrize("query", queries())
def test_a_documented_query_works(query: str, view: Scoped) -> None:
    rows = view.sql(query).rows
    assert rows or any(sign in query for sign in _MAY_BE_EMPTY)


def test_the_page_names_every_column_and_no_other() -> None:
    page = PAGE.read_text("utf-8")
    for relation in (*RELATIONS.values(), LISTED):
        section = page.split(f"### {relation.name}\n")[1].split("\n#")[0]
        assert re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", section, re.MULTILINE) == [
            (c.name, c.type, c.about) for c in relation.columns
        ]


def test_an_agent_learns_the_schema_by_asking(view: Scoped) -> None:
    rows = view.sql('SELECT relation, "column" FROM relations').rows
    assert set(rows) == {(r.name, c.name) for r in RELATIONS.values() for c in r.columns}


def test_the_same_query_gives_the_same_rows(view: Scoped) -> None:
    for query in queries():
        assert view.sql(query) == view.sql(query)
