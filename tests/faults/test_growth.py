"""What a fact costs on disk, and where the data lies."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.faults import children
from tests.faults.checks import facts, sound, stray

import muniment
from muniment import config
from muniment.engine.stating import Statement, add

LEAST, MOST = 800, 3000
"""Bytes of the store for each small fact added by a command: event, record, fact, row, indexes."""
LOG = 8 << 20
"""The log is copied into the file every thousand pages; it never holds much more."""


@pytest.mark.parametrize("count", [1000, pytest.param(100_000, marks=[pytest.mark.slow, pytest.mark.timeout(7200)])])
def test_the_store_grows_by_so_much_for_each_fact_and_nothing_beside_it_grows(count, home, project, opened):
    engine = opened()
    engine.store(create=True)
    empty, largest = engine.path.stat().st_size, 0
    log = engine.path.with_name("memory.db-wal")
    for n in range(count):
        add(engine, children.PERSON, Statement("fact", f"small fact number {n}"))
        largest = max(largest, log.stat().st_size)
    assert facts(engine) == count
    engine.close()
    each = (engine.path.stat().st_size - empty) / count
    print(f"{count} facts: {each:.0f} bytes each, log at most {largest} bytes")
    assert LEAST < each < MOST
    assert largest < LOG
    assert not log.exists()
    assert stray(home) == []
    if count <= 1000:
        sound(opened())


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_what_is_remembered_never_lies_in_the_folder_of_the_package(platform, tmp_path):
    package = Path(muniment.__file__).resolve().parent
    settings = config.read({}, tmp_path, platform)
    assert package != settings.home
    assert package not in settings.home.parents
