"""Which project a server serves that was started in the folder of its own plugin."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from muniment.engine.ancestry import Ancestor
from muniment.engine.packing import Installation, export_plugin
from muniment.errors import NotFoundError
from muniment.surfaces.mcp import project


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    export_plugin(tmp_path / "packs", Installation("python", "hook"))
    return str(tmp_path / "packs" / "plugin")


def test_a_folder_that_is_no_plugin_of_ours_is_the_project(tmp_path: Path) -> None:
    (tmp_path / "plugin.json").write_text('{"name": "another"}')
    assert project.here(str(tmp_path), {"CLAUDE_PROJECT_DIR": "/"}, ()) == str(tmp_path)
    (tmp_path / "plugin.json").write_text("{")
    assert project.here(str(tmp_path), {}, ()) == str(tmp_path)


def test_in_a_plugin_the_harness_tells_the_project(plugin: str, tmp_path: Path) -> None:
    place = str(tmp_path)
    for folder in ("plugin", "gemini", "mcpb"):
        assert project.here(str(Path(plugin).parent / folder), {"CLAUDE_PROJECT_DIR": place}, ()) == place
    assert project.here(plugin, {"PWD": place}, ()) == place
    told = {"CLAUDE_PROJECT_DIR": f"{place}/gone", "PWD": place}
    assert project.here(plugin, told, ()) == place


def test_a_harness_around_us_has_its_folder(plugin: str) -> None:
    around = [Ancestor(os.getpid(), "sh", ["sh"]), Ancestor(os.getpid(), "claude", ["claude"])]
    found = project.here(plugin, {"PWD": plugin}, around)
    assert found == os.getcwd()


def test_where_nothing_tells_it_nothing_is_served(plugin: str) -> None:
    with pytest.raises(NotFoundError) as raised:
        project.here(plugin, {"PWD": plugin}, ())
    assert "-C" in raised.value.hint
