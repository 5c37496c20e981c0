"""`index`: what is read, what is said of it, and when it is an error."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.surfaces.conftest import SAMPLES, Terminal

CLAUDE = SAMPLES / "claude-code" / "fd0ab82e-7e65-461f-a09c-565be7be11e7.jsonl"
LINE = re.compile(r"^(\S+) +read (\d+) = kept (\d+) \+ skipped (\d+)")


def record(number: int, text: str, cwd: Path) -> str:
    """One turn of a person, as Claude Code writes it."""
    fields = {
        "type": "user", "uuid": f"00000000-0000-4000-8000-{number:012}", "version": "2.1.197", "userType": "external",
        "sessionId": "11111111-1111-4111-8111-111111111111", "timestamp": f"2026-03-01T10:00:{number % 60:02}.000Z",
        "cwd": str(cwd), "parentUuid": None, "isSidechain": False, "message": {"role": "user", "content": text},
    }  # fmt: skip
    return json.dumps(fields)


def transcript(terminal: Terminal, *lines: str) -> Path:
    """A transcript where Claude Code keeps them in this home."""
    folder = terminal.home / ".claude" / "projects" / "-project"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "11111111-1111-4111-8111-111111111111.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_every_record_is_kept_or_skipped_and_the_sums_are_printed(terminal: Terminal) -> None:
    lines = terminal.ok("index", str(SAMPLES)).out.splitlines()
    found = {m[1]: [int(m[n]) for n in (2, 3, 4)] for line in lines if (m := LINE.match(line))}
    assert list(found) == ["claude-code", "codex", "copilot-cli", "opencode", "all"]
    for read, kept, skipped in found.values():
        assert read == kept + skipped
    assert sum(found[name][0] for name in found if name != "all") == found["all"][0]
    assert re.match(r"\d+ new events, \d+ facts", lines[-1])


def test_a_second_pass_finds_nothing_new_and_is_no_error(own_read_in: Terminal) -> None:
    ran = own_read_in.ok("index", str(SAMPLES))
    assert ran.out.splitlines()[-1].startswith("nothing new")


def test_transcripts_are_found_where_harnesses_keep_them(terminal: Terminal) -> None:
    transcript(terminal, *(record(n, f"Question {n}?", terminal.project) for n in range(3)))
    terminal.ok("index")
    assert len(terminal.ok("query", "p:asked", "--json").json["rows"]) == 3


def test_no_transcript_at_all_is_an_error_with_advice_and_makes_nothing(terminal: Terminal) -> None:
    ran = terminal.run("index")
    assert ran.code == 3
    assert "muniment index PATH" in ran.err
    assert not terminal.memories.exists()


def test_nothing_of_this_folder_is_an_error_that_says_whose_they_are(terminal: Terminal) -> None:
    elsewhere = terminal.home / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ".muniment").touch()
    transcript(terminal, record(1, "Where?", elsewhere))
    for _ in range(2):
        ran = terminal.run("index")
        assert ran.code == 3
        assert "1 records belong to sessions of other folders" in ran.err
    assert terminal.ok("index", "--adopt").out.splitlines()[-1].startswith("1 new event, ")


def test_a_path_that_is_not_there_is_not_found(terminal: Terminal) -> None:
    assert terminal.run("index", "no/such/place").code == 3


@pytest.mark.parametrize("broken", ['{"type": "user", "mess', "\0\0\0\0", "[1, 2", "no json at all"])
def test_a_damaged_record_is_said_and_strict_makes_it_an_error(terminal: Terminal, broken: str) -> None:
    whole = [record(n, f"Question {n}?", terminal.project) for n in range(4)]
    path = transcript(terminal, *whole[:2], broken, *whole[2:])
    ran = terminal.run("index", "--strict", str(path))
    assert ran.code == 1
    assert "could not be read" in ran.err
    other = ("--home", str(terminal.home / "other"), "--json")
    told = terminal.ok("index", str(path), *other)
    assert "could not be read" in told.err
    assert told.json["read"] == told.json["kept"] + sum(told.json["skipped"].values()) == 5
    assert sum(told.json["damaged"].values()) == 1
    assert len(terminal.ok("query", "p:asked", *other).json["rows"]) == 4


def test_the_doctor_shows_where_damaged_records_stand(terminal: Terminal) -> None:
    path = transcript(terminal, record(1, "Where?", terminal.project), "{torn", "\0" * 64)
    terminal.ok("index")
    told = terminal.ok("doctor", "--json").json
    found = {r["reason"]: r for r in told["damaged"]}
    assert found["malformed"]["receipt"] == "11111111-1111-4111-8111-111111111111:1"
    assert found["malformed"]["file"].endswith(path.name)
    assert found["nul"]["file"].endswith(path.name)
    assert found["nul"]["receipt"] is None
    assert found["nul"]["offset"] > 0
    assert told["harnesses"][0]["damaged"] == {"malformed": 1, "nul": 1}
    text = terminal.ok("doctor").out
    assert "malformed 1, nul 1" in text
    assert f"muniment read {found['malformed']['receipt']}" in text
    assert f"{path.name}, byte {found['nul']['offset']}" in text


@pytest.mark.parametrize("cut", [1, 40, 200])
def test_a_record_cut_at_the_end_waits_for_its_rest(terminal: Terminal, cut: int) -> None:
    path = transcript(terminal, record(1, "First?", terminal.project), record(2, "Second?", terminal.project))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    terminal.ok("index", "--strict")
    assert len(terminal.ok("query", "p:asked", "--json").json["rows"]) == 1
    path.write_bytes(whole)
    terminal.ok("index", "--strict")
    assert len(terminal.ok("query", "p:asked", "--json").json["rows"]) == 2


def test_files_that_no_harness_claims_are_counted(terminal: Terminal) -> None:
    folder = terminal.home / "mixed"
    folder.mkdir()
    (folder / CLAUDE.name).write_bytes(CLAUDE.read_bytes())
    (folder / "notes.txt").write_text("nothing of a harness\n")
    ran = terminal.ok("index", str(folder))
    assert "1 file that no harness claims" in ran.out
    assert terminal.ok("index", str(folder), "--json").json["unclaimed"] == [str(folder / "notes.txt")]


@pytest.mark.skipif(os.name == "nt", reason="signals are delivered differently there")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_watching_takes_in_what_is_written_and_ends_cleanly(terminal: Terminal, sign: signal.Signals) -> None:
    path = transcript(terminal, record(1, "First?", terminal.project))
    command = terminal.command("index", "--watch", "--every", "0.05", "--json")
    with subprocess.Popen(
        command, cwd=terminal.project, env=terminal.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as watcher:
        assert watcher.stdout is not None
        assert json.loads(watcher.stdout.readline())["new_events"] == 1
        with path.open("a", encoding="utf-8") as file:
            file.write(record(2, "Second?", terminal.project) + "\n")
        assert json.loads(watcher.stdout.readline())["new_events"] == 1
        watcher.send_signal(sign)
        rest, said = watcher.communicate(timeout=30)
        assert watcher.returncode == 0
        assert rest == b""
        assert said == b""
    assert len(terminal.ok("query", "p:asked", "--json").json["rows"]) == 2


@pytest.mark.skipif(os.name == "nt", reason="as above")
def test_watching_waits_for_a_first_transcript(terminal: Terminal) -> None:
    command = terminal.command("index", "--watch", "--every", "0.05", "--json")
    with subprocess.Popen(command, cwd=terminal.project, env=terminal.environment(), stdout=subprocess.PIPE) as watcher:
        assert watcher.stdout is not None
        time.sleep(0.3)
        transcript(terminal, record(1, "First?", terminal.project))
        assert json.loads(watcher.stdout.readline())["new_events"] == 1
        watcher.send_signal(signal.SIGTERM)
        assert watcher.wait(30) == 0


def test_a_log_that_lies_in_the_project_is_found_from_any_folder(terminal: Terminal, tmp_path: Path) -> None:
    log = "# aider chat started at 2026-03-01 10:00:00\n\n#### Use tabs here\n\nDone.\n"
    (terminal.project / ".aider.chat.history.md").write_text(log, encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    told = terminal.ok("-C", str(terminal.project), "index", cwd=elsewhere, env={"PWD": str(elsewhere)}).out
    assert told.startswith("aider")


def test_files_whose_folders_look_like_secrets_are_told_apart_and_read_once(terminal: Terminal) -> None:
    for number in (1, 2):
        folder = base64.urlsafe_b64encode(b"conversation:local-conv-%d" % number).decode().rstrip("=")
        place = terminal.home / ".letta" / "lc-local-backend" / "conversations" / folder
        place.mkdir(parents=True)
        about = {"agent_id": "agent-local-1", "conversation_id": f"local-conv-{number}"}
        words = f"**Current working directory**: {terminal.project}\nNumber {number}"
        said = {
            "id": f"ui-msg-{number}",
            "role": "user",
            "metadata": about,
            "content": [{"type": "text", "text": words}],
        }
        (place / "messages.jsonl").write_text(json.dumps(said) + "\n", encoding="utf-8")
    assert "2 new events" in terminal.ok("index").out
    again = terminal.ok("index")
    assert "nothing new" in again.out
    assert "read again" not in again.err
