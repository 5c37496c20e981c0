"""A home and a project in a temporary folder, and every child of a test ended with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.faults import children
from tests.faults.children import Child

from muniment.engine.core import Engine
from muniment.model.scope import MARKER


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where memories live."""
    return tmp_path / "home"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder that the memory is of."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / MARKER).touch()
    return folder


@pytest.fixture
def opened(home: Path, project: Path) -> Iterator[Callable[..., Engine]]:
    """Opens engines over that home; each is as good as a process of its own."""
    made: list[Engine] = []

    def open_(at: Path = home, **settings: Any) -> Engine:
        made.append(children.open_engine(at, project, **settings))
        return made[-1]

    yield open_
    for engine in made:
        engine.close()


@pytest.fixture
def born() -> Iterator[Callable[..., Child]]:
    """Starts children: `born(children.reads_in, home, project, path)`."""
    made: list[Child] = []

    def start(target: Any, *args: Any) -> Child:
        made.append(Child(target, *args))
        return made[-1]

    yield start
    for child in made:
        if child.process._closed:
            continue
        children.resume(child) if child.process.is_alive() else None
        child.kill()
        child.process.close()
        child.pipe.close()
