"""What `conflicts` finds against a text that gives no predicate."""

from __future__ import annotations

import pytest

from muniment.engine import adding, comparing, stating
from muniment.engine.core import Caller, Engine
from muniment.errors import ConflictError


def _uses(value: str, topic: str = "database") -> stating.Statement:
    return stating.Statement("fact", value, predicate="uses", topic=topic)


def _against(engine: Engine, text: str) -> list[str]:
    return [p.text for p in comparing.conflicts(engine, text).pairs]


@pytest.mark.parametrize("topic", ["database", "database.backend", "db"])
@pytest.mark.parametrize(
    "text", ["MySQL", "we use MySQL as database", "project uses MySQL database", "The project uses MySQL database"]
)
def test_a_text_stands_against_what_a_statement_of_it_would(
    engine: Engine, person: Caller, text: str, topic: str
) -> None:
    stating.add(engine, person, _uses("PostgreSQL", topic))
    with pytest.raises(ConflictError):
        adding.add(engine, person, _uses("MySQL", topic), adding.How(if_clear=True))
    found = comparing.conflicts(engine, text)
    assert (found.answer, [p.text for p in found.pairs]) == (comparing.POTENTIAL, ["PostgreSQL"])


@pytest.mark.parametrize(
    "text", ["PostgreSQL", "Postgres", "we use postgres as the database", "pytest", "we use Redis as a cache",
             "The moon is round"],
)  # fmt: skip
def test_the_same_tool_and_one_of_another_kind_stand_against_nothing(engine: Engine, person: Caller, text: str) -> None:
    stating.add(engine, person, _uses("PostgreSQL"))
    stating.add(engine, person, _uses("npm", "package_manager.js"))
    assert _against(engine, text) == []


def test_tools_that_live_side_by_side_are_no_rivals(engine: Engine, person: Caller) -> None:
    stating.add(engine, person, _uses("npm", "package_manager.js"))
    assert _against(engine, "we use uv as the package manager") == []
    assert _against(engine, "we use pnpm as the package manager") == ["npm"]


def test_a_preference_stands_against_another_of_its_topic(engine: Engine, person: Caller) -> None:
    stating.add(engine, person, stating.Statement("preference", "spaces", topic="code.style"))
    assert _against(engine, "I prefer tabs") == ["spaces"]
