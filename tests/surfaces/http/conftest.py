"""A served project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.surfaces.http.served import Served, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server for an empty project."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".muniment").touch()
    with serving(tmp_path / "home", tmp_path / "project") as made:
        yield made
