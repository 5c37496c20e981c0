"""An engine over a temporary folder, with a clock and names that tests decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support import Clock, counting_names

from muniment.engine.core import Caller, Engine, Settings
from muniment.model.event import Origin
from muniment.model.scope import MARKER, workspace_of


@pytest.fixture
def clock() -> Clock:
    """Stands at 2026-03-05 12:00 UTC."""
    return Clock()


@pytest.fixture
def make_engine(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., Engine]]:
    """Makes engines: `make_engine("name", zone=...)`. One name is one workspace, a second engine a second process."""
    made: list[Engine] = []
    new_name = counting_names()

    def make(name: str = "project", **settings: object) -> Engine:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / MARKER).touch()
        fields: dict[str, object] = {"home": tmp_path / "home", "clock": clock, "new_name": new_name, **settings}
        made.append(Engine(workspace_of(folder), Settings(**fields)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for engine in made:
        engine.close()


@pytest.fixture
def engine(make_engine: Callable[..., Engine]) -> Engine:
    """One engine of one workspace, with nothing in its store yet."""
    return make_engine()


@pytest.fixture
def person() -> Caller:
    """The person at the terminal."""
    return Caller(Origin.PERSON)
