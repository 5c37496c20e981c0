"""Every event of every harness: which moment it is, whether something is given, and in which shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.surfaces.hooks import WORDS, Host, text_of

from muniment.surfaces.hook.answering import MOST_CHARACTERS
from muniment.surfaces.hook.event import Event
from muniment.surfaces.hook.table import HARNESSES, NESTED, PLAIN, TOP

MOMENTS = set(
    "start resume compact prompt tool before-compact after-compact agent-start agent-stop stop end other".split()
)


def pairs() -> list[tuple[str, str, str]]:
    """(harness, event, source) of all rows of the table."""
    return [
        (harness, event, source)
        for harness, row in HARNESSES.items()
        for event, moment in row["events"].items()
        for source in (moment if isinstance(moment, dict) else [""])
    ]


@pytest.fixture
def host(tmp_path: Path) -> Host:
    made = Host(tmp_path)
    made.remember()
    return made


def expected(row: dict[str, Any], event: str, source: str) -> str:
    moment = row["events"][event]
    return moment[source] if isinstance(moment, dict) else moment


@pytest.mark.parametrize(("harness", "event", "source"), pairs())
def test_every_event_gives_the_view_in_its_harness_s_shape_or_is_silent(
    harness: str, event: str, source: str, host: Host
) -> None:
    row = HARNESSES[harness]
    moment = expected(row, event, source)
    out = host.call(harness, host.event(hook_event_name=event, source=source))
    due = moment in row["gives"] or (moment == "prompt" and row.get("first", False))
    if not due:
        assert out == ("" if row["quiet"] is None else json.dumps(row["quiet"], separators=(",", ":")))
        assert host.journal() == []
        return
    shapes = {"nested": {"hookSpecificOutput": {"hookEventName": event}}, "top": {}, "plain": None}
    text = text_of(out)
    assert text.startswith("<muniment view=")
    assert text.endswith("</muniment>\n")
    assert WORDS in text
    if row["answer"] == NESTED:
        told = json.loads(out)
        assert told["hookSpecificOutput"].pop("additionalContext") == text
        assert told == shapes["nested"]
    elif row["answer"] == TOP:
        assert json.loads(out) == {"additionalContext": text}
    elif row["answer"] == PLAIN:
        assert out == text
    else:
        assert json.loads(out) == {"context": text}
    assert len(out) <= MOST_CHARACTERS


@pytest.mark.parametrize("harness", sorted(HARNESSES))
def test_every_row_of_the_table_is_whole(harness: str) -> None:
    row = HARNESSES[harness]
    moments = {m for v in row["events"].values() for m in (v.values() if isinstance(v, dict) else [v])}
    assert moments <= MOMENTS
    assert set(row["gives"]) <= {"start", "resume", "compact"}
    assert all("" in v for v in row["events"].values() if isinstance(v, dict))
    assert row["grounds"] in ("wire", "fires", "read")
    assert (row["answer"] is None) == (not row["gives"] and not row.get("first"))


# As these harnesses sent them to a hook that wrote down what it got.
SENT: dict[str, tuple[dict[str, Any], str, str]] = {
    "claude-code": ({"session_id": "a", "transcript_path": "/t/a.jsonl", "hook_event_name": "SessionStart", "source": "compact",
                     "model": "m", "agent_type": "reviewer"}, "compact", "reviewer"),
    "codex": ({"session_id": "a", "transcript_path": None, "hook_event_name": "SessionStart", "source": "resume", "turn_id": "7",
               "model": "m", "permission_mode": "default"}, "resume", "main"),
    "gemini-cli": ({"session_id": "a", "transcript_path": "/t/a.json", "hook_event_name": "SessionStart", "source": "startup",
                    "timestamp": "2026-11-30T15:03:11.000Z"}, "start", "main"),
    "qwen-code": ({"session_id": "a", "transcript_path": "/t/a.jsonl", "hook_event_name": "UserPromptSubmit", "prompt": "",
                   "timestamp": "2026-11-30T15:03:11.000Z"}, "prompt", "main"),
    "openhands": ({"event_type": "UserPromptSubmit", "session_id": "a", "working_dir": "/w", "message": "do it"}, "prompt", "main"),
    "hermes": ({"hook_event_name": "pre_llm_call", "session_id": "a", "tool_name": None, "extra": {}}, "prompt", "main"),
    "cline": ({"hookName": "TaskStart", "taskId": "a", "clineVersion": "3.0.65", "workspaceRoots": ["/w"], "timestamp": "1"},
              "start", "main"),
    "kimi-cli": ({"hook_event_name": "SessionStart", "session_id": "a", "cwd": "/w", "source": "startup"}, "start", "main"),
    "cursor": ({"hook_event_name": "sessionStart", "conversation_id": "a", "generation_id": "g", "workspace_roots": ["/w"],
                "cursor_version": "3"}, "start", "main"),
    "kiro-cli": ({"hook_event_name": "agentSpawn", "cwd": "/w"}, "start", "main"),
    "windsurf": ({"agent_action_name": "pre_user_prompt", "trajectory_id": "a", "execution_id": "b"}, "prompt", "main"),
}  # fmt: skip


@pytest.mark.parametrize("harness", sorted(SENT))
def test_what_harnesses_send_is_understood(harness: str) -> None:
    sent, moment, agent = SENT[harness]
    event = Event(HARNESSES[harness], harness, [], json.dumps(sent), {})
    assert (event.moment, event.agent) == (moment, agent)
    assert event.session == ("" if harness == "kiro-cli" else "a")


def test_an_event_without_a_name_has_that_of_the_command(host: Host) -> None:
    sent = {
        "sessionId": "c1",
        "timestamp": 1796050648948,
        "cwd": str(host.project),
        "source": "new",
        "initialPrompt": "x",
    }
    out = host.call("copilot-cli", sent, "sessionStart")
    assert WORDS in json.loads(out)["additionalContext"]
    assert host.call("copilot-cli", {**sent, "toolName": "bash"}, "preToolUse") == ""


def test_a_long_view_is_cut_at_a_row(host: Host) -> None:
    """A model must not get half of a row, and hosts drop the middle of what is longer than ten thousand characters."""
    with host.engine() as engine:
        from tests.support import archive, said

        archive(engine, [said("s2", n, f"2026-03-05 11:{n:02}", f'"{n}" ' + '"\\' * 100) for n in range(40)])
    out = host.call("claude-code", host.event(hook_event_name="SessionStart", source="startup"))
    assert len(out) <= MOST_CHARACTERS
    lines = text_of(out).splitlines()
    assert lines[-1] == "</muniment>"
    assert all(line.endswith("]") for line in lines if line.startswith("- "))
