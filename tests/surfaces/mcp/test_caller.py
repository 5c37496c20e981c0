"""Whose call it is: by what stands beside the call, the environment, the hook's record, and the processes around us."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from muniment.engine import presence
from muniment.engine.ancestry import Ancestor, started_at
from muniment.surfaces.mcp.caller import HARNESSES, VARIABLES, Surroundings

AT = "2026-03-05T12:00:00.000Z"
CLAUDE = Ancestor(41, "claude", ["claude"])


def around(tmp_path: Path, *ancestors: Ancestor, **variables: str) -> Surroundings:
    return Surroundings(variables, tmp_path, "linux", tmp_path / "home", AT, ancestors)


@pytest.mark.parametrize(
    ("client", "harness"),
    [
        ("claude-code", "claude-code"), ("codex-mcp-client", "codex"), ("gemini-cli-mcp-client", "gemini-cli"),
        ("qwen-cli-mcp-client", "qwen-code"), ("Cline", "cline"), ("opencode", "opencode"), ("inspector", None), ("", None),
    ],
)  # fmt: skip
def test_the_client_tells_the_harness(tmp_path, client, harness):
    assert around(tmp_path).harness(client) == harness


def test_the_process_that_started_us_tells_it_where_the_client_does_not(tmp_path):
    assert around(tmp_path, Ancestor(7, "sh", ["sh"]), CLAUDE).harness("mcp") == "claude-code"


@pytest.mark.parametrize(
    "meta",
    [
        {"threadId": "t1"}, {"ai.opencode/sessionID": "t1"}, {"antigravity.google/conversation_id": "t1"},
        {"x-codex-turn-metadata": {"session_id": "t1"}}, {"x-codex-turn-metadata": json.dumps({"thread_id": "t1"})},
    ],
)  # fmt: skip
def test_what_stands_beside_the_call_comes_first(tmp_path, meta):
    place = around(tmp_path, CLAUDE, CLAUDE_CODE_SESSION_ID="env", MUNIMENT_SESSION="ours")
    assert place.calling("claude-code", meta).sessions == ("t1",)
    assert place.session("claude-code", meta) == "t1"


def test_the_id_of_the_call_is_kept(tmp_path):
    assert around(tmp_path).calling("claude-code", {"claudecode/toolUseId": "toolu_1"}).call_id == "toolu_1"


@pytest.mark.parametrize(("variable", "harness"), VARIABLES.items())
def test_a_variable_counts_for_the_harness_that_sets_it(tmp_path, variable, harness):
    place = around(tmp_path, **{variable: "s1"})
    client = next(name for name, known in HARNESSES.items() if known == harness)
    assert place.calling(client, {}).sessions == ("s1",)
    assert place.calling(None, {}).sessions == ("s1",)


def test_a_variable_inherited_from_another_harness_does_not_count(tmp_path):
    place = around(tmp_path, CLAUDE_CODE_SESSION_ID="theirs")
    assert place.calling("codex-mcp-client", {}).sessions == ()
    both = around(tmp_path, CLAUDE_CODE_SESSION_ID="a", CODEX_THREAD_ID="b")
    assert both.calling("unheard-of", {}).sessions == ()


def test_whoever_starts_the_server_may_name_the_session(tmp_path):
    assert around(tmp_path, MUNIMENT_SESSION="ours", CLAUDE_CODE_SESSION_ID="x").calling(
        "claude-code", {}
    ).sessions == ("ours",)


def leave(tmp_path: Path, session: str, pid: int, **more: str) -> None:
    """What a hook leaves of a session."""
    folder = tmp_path / "home" / "spool" / presence.FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    told = {"v": 1, "harness": "claude-code", "session": session, "transcript": None, "cwd": None, "pid": pid}
    (folder / f"claude-code-{pid}-{session}.json").write_text(json.dumps({**told, "started": None, "at": AT, **more}))


def test_the_hooks_record_is_found_by_the_process_that_both_descend_from(tmp_path):
    leave(tmp_path, "mine", 41, transcript=str(tmp_path / "mine.jsonl"))
    leave(tmp_path, "other", 55)
    found = around(tmp_path, Ancestor(99, "sh", ["sh"]), CLAUDE).calling("claude-code", {})
    assert found.sessions == ("mine",)
    assert found.transcript == tmp_path / "mine.jsonl"


def test_two_sessions_in_one_process_are_nobodys(tmp_path):
    leave(tmp_path, "a", 41)
    leave(tmp_path, "b", 41)
    assert around(tmp_path, CLAUDE).calling("claude-code", {}).sessions == ()


def test_a_number_that_was_used_again_is_another_process(tmp_path):
    mine = os.getpid()
    here = Ancestor(mine, "claude", ["claude"])
    leave(tmp_path, "mine", mine, started=started_at(mine))
    assert around(tmp_path, here).calling("claude-code", {}).sessions == ("mine",)
    leave(tmp_path, "mine", mine, started="1")
    assert around(tmp_path, here).calling("claude-code", {}).sessions == ()


def test_a_torn_record_is_passed_over(tmp_path):
    folder = tmp_path / "home" / "spool" / presence.FOLDER
    folder.mkdir(parents=True)
    (folder / "x.json").write_text('{"harness": "claude-c')
    assert around(tmp_path, CLAUDE).calling("claude-code", {}).sessions == ()


def test_every_harness_that_is_named_has_a_reader():
    from muniment.engine.locating import readers

    assert set(HARNESSES.values()) <= {adapter.name for adapter in readers()}
