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
    new_name = counting_names()

    def make(name: str = "project", **settings: object) -> Engine:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / MARKER).touch()
        fields: dict[str, object] = {
            "home": tmp_path / "home", "clock": clock, "new_name": new_name, "server": address, **settings,
        }  # fmt: skip
        made.append(Engine(workspace_of(folder), Settings(**fields)))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for engine in made:
        engine.close()
