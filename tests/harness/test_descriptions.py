"""Descriptions of harnesses agree with the hook's table and with each other."""

from __future__ import annotations

import json
import subprocess

import pytest
from tests.harness.conftest import Place

from muniment.harness import hooked, plugins, registry
from muniment.surfaces.hook.table import HARNESSES as ROWS

EVENTS = {
    "claude-code": hooked.CLAUDE, "codex": hooked.CLAUDE, "qwen-code": hooked.CLAUDE, "factory-droid": hooked.CLAUDE,
    "letta-code": hooked.CLAUDE, "gemini-cli": hooked.GEMINI, "copilot-cli": hooked.COPILOT, "openhands": hooked.OPENHANDS,
    "hermes": hooked.HERMES, "kimi-cli": hooked.KIMI,
}  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_that_is_registered_is_one_that_the_hook_knows(name: str) -> None:
    assert set(EVENTS[name]) <= set(ROWS[name]["events"])


@pytest.mark.parametrize("name", EVENTS)
def test_every_moment_at_which_something_is_given_is_registered(name: str) -> None:
    row, moments = ROWS[name], set()
    for event in EVENTS[name]:
        found = row["events"][event]
        moments |= set(found.values()) if isinstance(found, dict) else {found}
    assert set(row["gives"]) <= moments
    assert not row.get("first") or "prompt" in moments
    assert not row.get("again") or "before-compact" in moments


@pytest.mark.parametrize("name", registry.HARNESSES)
def test_how_a_harness_is_given_something_agrees_with_the_hook_s_table(name: str) -> None:
    each, row = registry.HARNESSES[name], ROWS.get(name)
    assert each.gives in ("hook", "plugin", "file", "tools")
    if each.gives in ("hook", "plugin"):
        assert row is not None
        assert row["gives"] or row.get("first")
        assert each.grounds == row["grounds"]


def test_each_harness_that_gives_by_a_file_has_one_in_the_project(place: Place) -> None:
    for each in registry.HARNESSES.values():
        views = [part for part in each.parts(place.site()) if getattr(part, "is_view", False)]
        assert len(views) == (each.gives == "file"), each.name
        assert each.parts(place.site()), each.name


def test_a_plugin_is_only_for_those_who_have_its_kit_and_never_beside_the_file(place: Place) -> None:
    plugin = place.home / ".config" / "opencode" / "plugin" / "muniment.js"
    lock = place.write(
        ".config/opencode/package-lock.json", b'{"packages": {"": {"dependencies": {"@opencode-ai/plugin": "1"}}}}'
    )
    place.install("opencode")
    assert not plugin.exists()
    (lock.parent / "node_modules").mkdir()
    assert place.install("opencode") == []
    place.undo()
    place.install("opencode")
    assert plugin.exists()
    assert "instructions" not in (lock.parent / "opencode.json").read_text()
    assert not (place.project / "muniment.wake.md").exists()


@pytest.mark.parametrize("text", [plugins.opencode(["/a b/py", "-S", 'q"', "pi"]), plugins.pi(["py", "pi"])])
def test_a_plugin_names_us_and_its_command(text: str) -> None:
    assert text.startswith("// muniment:")
    line = next(line for line in text.splitlines() if line.startswith("const HOOK = "))
    assert json.loads(line.removeprefix("const HOOK = "))[-1] == "pi"
    assert text.count("{") == text.count("}")
    assert text.count("(") == text.count(")")


def test_the_parts_of_windows_are_quoted_for_its_shells(place: Place) -> None:
    place.platform = "win32"
    site = place.site(hook="C:\\Program Files\\py\\python.exe")
    line = site.commands.hook_line("claude-code")
    assert line == '"C:/Program Files/py/python.exe" -S /opt/lib/muniment/surfaces/hook/main.py claude-code'


def test_a_line_for_a_shell_is_read_back_as_its_words(place: Place) -> None:
    site = place.site(hook="/it's a/py$thon")
    line = site.commands.hook_line("codex", "Stop")
    words = subprocess.run(f"printf '%s\\n' {line}", shell=True, capture_output=True, text=True, check=True).stdout
    assert words.splitlines() == site.commands.hook_words("codex", "Stop")
