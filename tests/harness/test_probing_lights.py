"""Which lights the requests of a harness turn on: what it sent counts, and the prompt that asked for it does not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from muniment.harness import lights, registry
from muniment.surfaces.cli import probing

AT = "2026-03-05T12:00:00.000Z"
ROOM = SimpleNamespace(words=SimpleNamespace(mark="heron-1"))
SCRIPT = 'Go. [[stub {"tool": "memory_query$"}]]'
VIEW = '<muniment view="wake" workspace="p">\n- heron-1\n</muniment>'


def request(**body: Any) -> dict[str, Any]:
    return {"number": 0, "method": "POST", "body": {"messages": [{"role": "user", "content": SCRIPT}], **body}}


@pytest.mark.parametrize(
    ("name", "body", "state"),
    [
        ("claude-code", {"tools": [{"name": "mcp__muniment__memory_query"}]}, lights.ON),
        ("codex", {"instructions": "tools that are deferred: memory_query, memory_search"}, lights.ON),
        ("claude-code", {"tools": [{"name": "Bash"}]}, lights.OUT),
        ("mistral-vibe", {"more": [{"role": "assistant", "content": "memory_query()"}]}, lights.OUT),
        ("aider", {}, lights.UNPROVED),
    ],
)
def test_a_harness_is_reachable_if_our_tools_stand_in_a_request(name: str, body: dict[str, Any], state: str) -> None:
    lamp = probing._reachable(registry.HARNESSES[name], [request(**body)], AT)
    assert (lamp.harness, lamp.name, lamp.state, lamp.at) == (name, "reachable", state, AT)
    assert "1 requests, offline" in lamp.proof


@pytest.mark.parametrize(
    ("body", "state", "told"),
    [
        ({"system": VIEW}, lights.ON, "stands in request 0 at $.system, role system"),
        ({"input": "a tool said heron-1"}, lights.ON, "by its tools alone"),
        (
            {"system": '<muniment view="wake" workspace="p">\n- osprey\n</muniment>'},
            lights.OUT,
            "in none of its requests",
        ),
    ],
)
def test_what_was_planted_is_recalled_if_it_stands_in_a_request(body: dict[str, Any], state: str, told: str) -> None:
    lamp = probing._recalled(registry.HARNESSES["codex"], [request(**body)], ROOM, AT)  # type: ignore[arg-type]
    assert lamp.state == state
    assert told in lamp.proof


def test_what_cannot_be_run_here_is_unproved_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    for name, why in (("cursor", "without its vendor"), ("codex", "not on the PATH")):
        lamps = probing.probe(registry.HARNESSES[name], AT)
        assert [lamp.name for lamp in lamps] == ["reachable", "recalled"]
        assert all(lamp.state == lights.UNPROVED and why in lamp.proof for lamp in lamps)


def test_a_proof_is_not_put_out_by_nobody_having_looked(tmp_path: Any) -> None:
    home = str(tmp_path)
    proved = lights.Lamp("codex", "recalled", lights.ON, "seen", AT)
    lights.save(home, [proved])
    lights.save(home, [lights.unproved("codex", "recalled", "not looked at", AT)])
    assert lights.load(home) == {("codex", "recalled"): proved}
    lights.save(home, [lights.Lamp("codex", "recalled", lights.OUT, "gone", AT)])
    assert lights.load(home)["codex", "recalled"].state == lights.OUT
    lights.forget(home, ["codex"])
    assert lights.load(home) == {}
