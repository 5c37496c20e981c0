"""R50: what was remembered is found at once: here, in another handle, in another process, by another surface."""

from __future__ import annotations

import pytest
from tests.support import state
from tests.surfaces.conftest import Terminal

from muniment import Memory
from muniment.engine.asking import query


@pytest.mark.parametrize("words", ["heliotrope", "p:noted", "heliotrope lamp", "type:fact"])
def test_in_this_process_and_in_another_handle_on_the_same_store(make_engine, words):
    here, there = make_engine(), make_engine()
    state(here, "first", "noted")
    assert len(query(there, words)) == (1 if ":" in words else 0)
    state(here, "the heliotrope lamp is in the hall", "noted")
    for engine in (here, there):
        assert "heliotrope" in query(engine, words).text


def test_in_another_process_and_by_another_surface(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.ok("add", "fact", "the heliotrope lamp is in the hall")
    assert "heliotrope" in terminal.ok("query", "lamp").out
    with Memory.open(terminal.project, home=terminal.memories) as memory:
        assert "heliotrope" in memory.query("heliotrope").text
        memory.add("fact", "the amaranth chair is in the attic")
        assert "amaranth" in terminal.ok("query", "amaranth standing:any").out
