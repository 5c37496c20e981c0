"""Files that show what is remembered follow it, whoever writes, and are never taken from a person who edited them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.harness.conftest import Place
from tests.surfaces.conftest import Terminal

from muniment import Memory
from muniment.errors import BusyError
from muniment.harness import views

TEXT = '<muniment view="wake" workspace="p" at="{}" note="x">\n- {}\n</muniment>\n'


@pytest.fixture
def shown(place: Place) -> Path:
    """A view of a harness that has no hook."""
    views.remember(str(place.ours), place.install("kiro-cli"), "w", str(place.project))
    return place.project / ".kiro" / "steering" / "muniment.md"


def refreshed(place: Place, text: str, workspace: str = "w") -> list[str]:
    return [each.what for each in views.refresh(str(place.ours), workspace, lambda: text)]


def test_a_view_is_rendered_again_only_when_it_would_say_something_else(place: Place, shown: Path) -> None:
    assert refreshed(place, TEXT.format("1", "one")) == ["written"]
    assert shown.read_text().startswith("---\ninclusion: always\n---\n")
    assert "- one" in shown.read_text()
    before = shown.read_bytes()
    assert refreshed(place, TEXT.format("2", "one")) == ["same"]
    assert shown.read_bytes() == before
    assert refreshed(place, TEXT.format("2", "two"), "another workspace") == []


def test_a_view_that_was_edited_stays_as_it_is_and_init_leaves_it_too(place: Place, shown: Path) -> None:
    shown.write_text("mine, and muniment's no more")
    assert refreshed(place, TEXT.format("1", "one")) == ["left"]
    changes = views.kept(str(place.ours), place.plan("kiro-cli"))
    assert [change.shown for change in changes if change.changes] == []


def test_a_view_that_was_deleted_comes_back_but_not_without_its_project(place: Place, shown: Path) -> None:
    shown.unlink()
    assert refreshed(place, TEXT.format("1", "one")) == ["written"]
    os.rename(place.project, place.project.with_name("moved"))
    assert refreshed(place, TEXT.format("1", "two")) == ["left"]
    assert not place.project.exists()


def test_a_store_that_cannot_be_read_leaves_views_as_they_are(place: Place, shown: Path) -> None:
    def broken() -> str:
        raise BusyError("somebody writes")

    before = shown.read_bytes()
    assert [each.what for each in views.refresh(str(place.ours), "w", broken)] == ["left"]
    assert shown.read_bytes() == before


def test_nothing_is_asked_for_where_there_is_no_view(place: Place) -> None:
    def never() -> str:
        raise AssertionError

    assert views.refresh(str(place.ours), "w", never) == []


def test_a_program_that_writes_leaves_views_behind_it_as_they_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("init", "--yes", "--harness", "kiro-cli")
    view = terminal.project / ".kiro" / "steering" / "muniment.md"
    monkeypatch.setenv("HOME", str(terminal.home))
    with Memory.open(terminal.project, terminal.memories, vouch="person") as memory:
        memory.add("fact", "Vitest", predicate="uses", topic="test_runner")
    assert "Vitest" in view.read_text()
    before = view.stat().st_mtime_ns
    with Memory.open(terminal.project, terminal.memories) as memory:
        assert len(memory.query("p:uses")) == 1
    assert view.stat().st_mtime_ns == before
