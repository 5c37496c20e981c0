"""The suites of the engine, its laws and its properties once more, with every store on a PostgreSQL server.

The modules here only name what is run again; what is about files is taken out by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests import server
from tests.laws.conftest import world
from tests.support import Clock, counting_names

from muniment.engine.core import Engine, Settings
from muniment.model.scope import MARKER, workspace_of

__all__ = ["world"]


@pytest.fixture(scope="session")
def address() -> str:
    """A tenant of the server; every test has workspaces of its own."""
    return server.tenant()


@pytest.fixture
def make_engine(tmp_path: Path, clock: Clock, address: str) -> Iterator[Callable[..., Engine]]:
    """As in the engine's own tests, on the server."""
    made: list[Engine] = []
    elsewhere: dict[str, str] = {}
    new_name = counting_names()

    def make(name: str = "project", **settings: object) -> Engine:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / MARKER).touch()
        # Another home is another machine with stores of its own: here, another tenant.
        home = str(settings.get("home", tmp_path / "home"))
        at = address if home == str(tmp_path / "home") else elsewhere.setdefault(home, server.tenant())
        fields: dict[str, object] = {
            "home": tmp_path / "home", "clock": clock, "new_name": new_name, "server": at, **settings,
        }  # fmt: skip
        made.append(Engine(workspace_of(folder), Settings(**fields)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for engine in made:
        engine.close()


ABOUT_FILES = frozenset(
    """
    test_mutant_is_rejected
    test_a_long_time_shows_some_acts_of_each_session_and_counts_the_rest
    test_a_secret_in_a_rule_is_masked_before_anything_is_kept
    test_a_store_that_cannot_be_written_answers_the_same_and_stays_as_it_is
    test_a_question_after_the_file_was_opened_anew_finds_what_is_there_now
    test_where_there_is_no_store_it_says_so
    test_a_damaged_store_is_an_error_and_no_empty_answer
    test_a_store_that_somebody_keeps_to_himself_is_busy_and_not_empty
    test_only_the_current_words_of_an_edited_event_are_searchable
    test_no_budget_is_exceeded_and_no_frame_or_line_is_torn
    test_a_budget_is_kept_by_whole_lines
    test_everywhere_is_every_memory_of_the_home
    test_every_column_of_every_table_is_exported_derived_or_local
    test_a_store_that_has_the_unmasked_record_gets_the_masked_one_in_its_place
    check_reading_changes_no_byte
    check_another_process_with_another_hash_seed_says_the_same
    """.split()
)
"""Tests of what a file alone has: its bytes, its damage, its locks, its schema; mutants of the file's own
statements; and two that ask a thousand times, about rendering alone."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They are run where the file is."""
    here = Path(__file__).parent
    items[:] = [
        item for item in items
        if here not in item.path.parents
        or not ({getattr(item, "originalname", ""), *item.name.strip("]").split("[")} & ABOUT_FILES)
    ]  # fmt: skip
