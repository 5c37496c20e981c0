"""The world in which laws are checked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.laws.mutants import World
from tests.support import Clock

from muniment.engine.core import Engine


@pytest.fixture
def world(make_engine: Callable[..., Engine], clock: Clock) -> World:
    """Fresh folders, and a clock that stands still."""
    return World(make_engine, clock)
