"""What hooks leave: records of sessions, requests to read transcripts, the journal; and that one moment gives once."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.recipes.support import Says, transcript
from tests.surfaces.conftest import Terminal
from tests.surfaces.hooks import MAIN, WORDS, Host, text_of

from muniment.engine import deliveries, hot, indexing, presence, spool, viewing
from muniment.engine.core import Settings
from muniment.surfaces.hook.table import HARNESSES

START = {"hook_event_name": "SessionStart", "source": "startup"}
PROMPT = {"hook_event_name": "UserPromptSubmit", "prompt": "go on"}


@pytest.fixture
def host(tmp_path: Path) -> Host:
    made = Host(tmp_path)
    made.remember()
    return made


# --- once -------------------------------------------------------------------------------------------------------------


def test_two_files_that_register_one_hook_give_once(host: Host) -> None:
    command = [sys.executable, "-S", "-E", "-s", str(MAIN), "claude-code"]
    event = json.dumps(host.event(**START)).encode()
    hooks = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=host.variables()) for _ in range(4)
    ]
    out = [hook.communicate(event)[0] for hook in hooks]
    assert sorted(map(bool, out)) == [False, False, False, True]
    assert len(host.journal()) == 1


def test_another_moment_or_session_gives_again(host: Host) -> None:
    events = [host.event(**START), host.event(**{**START, "source": "compact"}), host.event(**START, session_id="h2")]
    out = [host.call("claude-code", event) for event in [*events, *events]]
    assert [bool(text) for text in out] == [True, True, True, False, False, False]
    assert [(j["session"], j["moment"]) for j in host.journal()] == [
        ("h1", "start"),
        ("h1", "compact"),
        ("h2", "start"),
    ]


def test_a_moment_that_comes_again_later_gives_again(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    compact = host.event(hook_event_name="SessionStart", source="compact")
    assert host.call("claude-code", compact)
    now = time.time() + 10
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setattr(time, "time_ns", lambda: int(now * 1e9))
    assert host.call("claude-code", compact)


def test_a_harness_that_is_run_again_at_once_is_given_the_view_again(host: Host) -> None:
    command = [sys.executable, "-S", "-E", "-s", str(MAIN), "claude-code"]
    event = json.dumps(host.event(hook_event_name="SessionStart", source="resume"))
    harness = f"import subprocess; subprocess.run({command!r}, input={event!r}, text=True); print('ran')"
    run = [sys.executable, "-c", harness]
    out = [
        subprocess.run(run, env=host.variables(), capture_output=True, text=True, check=True).stdout for _ in range(2)
    ]
    assert [WORDS in text for text in out] == [True, True]


def test_a_session_that_was_given_the_view_after_a_compaction_is_not_given_it_twice(host: Host) -> None:
    sent = {"sessionId": "c1", "cwd": str(host.project)}
    names = [("preCompact", ""), ("sessionStart", "resume"), ("userPromptSubmitted", "")]
    out = [host.call("copilot-cli", {**sent, "source": source}, name) for name, source in names]
    assert [WORDS in text for text in out] == [False, True, False]


def test_a_session_without_a_start_is_given_the_view_at_its_first_prompt_alone(host: Host) -> None:
    out = [host.call("openhands", {**host.event(), "event_type": "UserPromptSubmit"}) for _ in range(3)]
    assert [WORDS in text for text in out] == [True, False, False]


def test_where_nothing_follows_a_compaction_the_next_prompt_is_given_the_view(host: Host) -> None:
    sent = {"sessionId": "c1", "cwd": str(host.project)}
    names = ["sessionStart", "userPromptSubmitted", "preCompact", "userPromptSubmitted", "userPromptSubmitted"]
    out = [host.call("copilot-cli", {**sent, "source": "new"}, name) for name in names]
    assert [bool(text) for text in out] == [True, False, False, True, False]
    assert [j["moment"] for j in host.journal()] == ["start", "before-compact", "compact"]


def test_a_file_that_another_harness_runs_as_well_is_silent_there(host: Host) -> None:
    """The other harness drops this shape, and runs its own file: to answer here would take the moment from that."""
    event = host.event(**START)
    assert host.call("claude-code", event, COPILOT_CLI="1") == ""
    assert host.call("claude-code", {**event, "cursor_version": "3"}) == ""
    assert host.left("queue") == []
    assert host.call("claude-code", event, COPILOT_CLI="1", CLAUDE_CODE_SESSION_ID="h1") != ""


# --- the journal ------------------------------------------------------------------------------------------------------


def test_every_injected_byte_is_in_the_journal_with_session_moment_and_agent_role(host: Host) -> None:
    given = {}
    for harness, row in HARNESSES.items():
        for event, moment in row["events"].items():
            for source in moment if isinstance(moment, dict) else [""]:
                told = host.event(hook_event_name=event, source=source, session_id=f"{harness}-{event}-{source}")
                out = host.call(harness, {**told, "agent_type": "reviewer"})
                if text := text_of(out):
                    given[told["session_id"]] = len(text.encode())
    journal = [j for j in host.journal() if j["moment"] != "before-compact"]
    assert {j["session"]: j["bytes"] for j in journal} == given
    assert len(journal) == len(given) > 20
    assert {(j["surface"], j["agent_role"]) for j in journal} == {("hook", "reviewer")}
    assert all(j["moment"] in ("start", "resume", "compact", "prompt") and j["fact_ids"] for j in journal)


def test_what_a_hook_gave_counts_as_seen(host: Host) -> None:
    host.call("claude-code", host.event(**START))
    with host.engine() as engine:
        assert deliveries.given(engine, "h1").facts == set(host.journal()[0]["fact_ids"])


def test_what_a_compaction_takes_counts_as_not_received(host: Host) -> None:
    def seen() -> frozenset[str]:
        with host.engine() as engine:
            return deliveries.given(engine, "h1").facts

    host.call("claude-code", host.event(**START))
    before = seen()
    host.call("claude-code", host.event(hook_event_name="PreCompact", session_id="other"))
    assert seen() == before != set()
    host.call("claude-code", host.event(hook_event_name="PreCompact"))
    assert seen() == set()
    host.call("claude-code", host.event(hook_event_name="SessionStart", source="compact"))
    assert seen() == before


def test_the_hook_gives_what_wake_says(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    (host.project / "purpose.md").write_text("Ship the <muniment> parser.\n\nNever break \x1b[0m it.\n")
    now = 1_772_800_000_123
    with host.engine() as engine:
        ours = hot.wake(str(host.home), hot.ground(str(host.project)), now)
        engine.settings = Settings(host.home, clock=lambda: hot.stored(now))
        assert viewing.wake(engine) == ours.text
    assert "purpose:\n- Ship the \\u003cmuniment> parser. (origin:repository) " in ours.text


def test_a_purpose_in_the_home_is_the_person_s_and_stands_first(host: Host) -> None:
    (host.project / "purpose.md").write_text("of the repository\n")
    (host.store.parent / "purpose.md").write_text("of the person\n")
    text = text_of(host.call("claude-code", host.event(**START)))
    assert text.splitlines()[1:3] == ["purpose:", next(line for line in text.splitlines() if "of the person" in line)]
    assert "of the repository" not in text
    assert "[home:purpose.md:1]" in text


# --- the spool --------------------------------------------------------------------------------------------------------


def test_a_session_is_recorded_while_it_lasts(host: Host) -> None:
    host.call("claude-code", host.event(**START))
    record = host.left("sessions")[0]
    assert {k: record[k] for k in ("harness", "session", "cwd", "transcript")} == {
        "harness": "claude-code", "session": "h1", "cwd": str(host.project), "transcript": str(host.project / "t.jsonl"),
    }  # fmt: skip
    assert (host.home / "spool/sessions" / f"claude-code-{record['pid']}.json").exists()
    host.call("claude-code", host.event(hook_event_name="SessionEnd", reason="exit"))
    assert host.left("sessions") == []


def test_whoever_runs_below_the_harness_finds_its_session(host: Host) -> None:
    """The hook's nearest ancestor that is no shell is the harness, and so it is for a server that it started."""
    host.run("claude-code", event=host.event(**START))
    found = presence.around(host.home, [os.getpid(), 1])
    assert [(f.harness, f.session) for f in found] == [("claude-code", "h1")]
    assert presence.around(host.home, [1]) == []


def test_a_process_number_that_is_used_again_is_not_taken_for_the_harness(host: Host) -> None:
    host.run("claude-code", event=host.event(**START))
    path = next((host.home / "spool/sessions").iterdir())
    path.write_text(json.dumps({**json.loads(path.read_text()), "started": "1"}))
    assert presence.around(host.home, [os.getpid()]) == []


def test_what_hooks_named_is_read_by_index_once(host: Host, tmp_path: Path) -> None:
    path = transcript("claude-code", tmp_path / "odd place", host.project, [Says("Where is the retry policy?")])
    host.call("claude-code", host.event(hook_event_name="Stop", transcript_path=str(path)))
    assert [q["moment"] for q in host.left("queue")] == ["stop"]
    with host.engine() as engine:
        report = indexing.index(engine, [], named=False)
        assert (report.new_events, host.left("queue")) == (1, [])
        assert indexing.index(engine, [], named=False).harnesses == {}


def test_an_event_during_the_reading_waits_for_the_next(host: Host) -> None:
    host.call("claude-code", host.event(hook_event_name="Stop"))
    with host.engine() as engine:
        waiting = spool.waiting(engine)
        host.call("claude-code", host.event(hook_event_name="Stop"))
        spool.let_go(engine, waiting.files)
    assert len(host.left("queue")) == 1


def test_a_store_that_somebody_holds_is_left_alone_and_that_is_told_once(host: Host) -> None:
    db = sqlite3.connect(host.store, isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    done = host.run("claude-code", event=host.event(**START))
    db.close()
    assert (done.returncode, done.stdout) == (0, b"")
    assert [m["why"] for m in host.left("missed")] == ["the store was busy"]
    with host.engine() as engine:
        first, second = (indexing.index(engine, [], named=False).notes for _ in range(2))
    assert ["h1 was given nothing at start" in note and "busy" in note for note in first] == [True]
    assert second == []


def test_rubbish_in_the_spool_is_passed_over(host: Host) -> None:
    folder = host.home / "spool" / "queue" / host.workspace.id
    folder.mkdir(parents=True)
    for number, data in enumerate([b"", b"{", b"[]", b'{"transcript":7}', b"\xff" * 100, b'{"transcript":"/no/such"}']):
        (folder / f"{number}.json").write_bytes(data)
    with host.engine() as engine:
        assert indexing.index(engine, [], named=False).new_events == 0


def test_index_says_it_on_the_command_line(terminal: Terminal) -> None:
    host = Host(terminal.project.parent)
    host.home = terminal.memories
    hook = hot.Hook("claude-code", "start", "h9", str(host.project), host.workspace.id, 1_772_800_000_000)
    hot.miss(str(host.home), hook, "the store was busy")
    transcript("claude-code", terminal.home / ".claude/projects/x", terminal.project, [Says("hello")])
    told = [terminal.ok("index").err for _ in range(2)]
    assert ["h9 was given nothing at start" in text for text in told] == [True, False]


def test_what_is_left_does_not_grow_for_ever(host: Host) -> None:
    for number in range(5):
        host.call("claude-code", host.event(**START, session_id=f"old{number}"))
    old = time.time() - 40 * 86_400
    for kind in ("claims", "sessions"):
        for path in (host.home / "spool" / kind).iterdir():
            os.utime(path, (old, old))
    host.call("claude-code", host.event(**START, session_id="new"))
    with host.engine() as engine:
        indexing.index(engine, [], named=False)
    claims = [path.name for path in (host.home / "spool" / "claims").iterdir()]
    assert len(claims) == 2
    assert [s["session"] for s in host.left("sessions")] == ["new"]
