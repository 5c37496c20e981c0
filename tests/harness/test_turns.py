"""Setting up, undoing and being watched are one at a time; what a crash left is cleared, and a moved hook goes too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.surfaces.conftest import SOURCE, Terminal

from muniment.errors import BusyError
from muniment.harness import files, installing, turns
from muniment.harness.record import Record


def test_who_comes_meanwhile_is_told_that_somebody_is_at_work(place):
    script = (
        "import sys\nfrom muniment.harness.turns import turn\n"
        f"with turn({str(place.ours)!r}):\n print('in', flush=True)\n sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(SOURCE)}, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "in\n"
        with pytest.raises(BusyError) as caught, turns.turn(str(place.ours), wait=0.1):
            raise AssertionError("two at once")
        assert caught.value.exit_code == 7
    finally:
        holder.communicate("")
    with turns.turn(str(place.ours)), turns.turn(str(place.ours)):
        assert list(place.ours.iterdir()) == [place.ours / "setup.lock"]
    assert not place.ours.exists()


def test_of_two_who_planned_at_once_the_second_writes_nothing_and_no_record_is_lost(place):
    place.write(".claude/settings.json", b"{}")
    first, second = place.plan("claude-code"), place.plan("claude-code", "cursor")
    installing.install(str(place.ours), first)
    written = (place.home / ".claude/settings.json").read_bytes()
    with pytest.raises(BusyError):
        installing.install(str(place.ours), second)
    assert (place.home / ".claude/settings.json").read_bytes() == written
    assert set(Record(str(place.ours)).entries) == {change.settings.path for change in first if change.changes}
    assert place.undo()[".claude/settings.json"] == "restored"
    assert (place.home / ".claude/settings.json").read_bytes() == b"{}"


def test_two_inits_at_once_leave_a_record_of_everything_that_was_written(tmp_path: Path):
    terminal = Terminal(tmp_path)
    for name in (".claude", ".cursor", ".codex", ".gemini"):
        (terminal.home / name).mkdir()
    before = {p: p.read_bytes() for p in terminal.home.rglob("*") if p.is_file()}
    runs = [
        subprocess.Popen(
            terminal.command("init", "--yes", "--harness", name), cwd=terminal.project, env=terminal.environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        )
        for name in ("claude-code", "cursor", "codex", "claude-code")
    ]  # fmt: skip
    codes = [(run.communicate()[1], run.returncode) for run in runs]
    assert all(code in (0, 3, 7) for _, code in codes), codes
    terminal.run("init", "--undo")
    after = {p: p.read_bytes() for p in terminal.home.rglob("*") if p.is_file() and terminal.memories not in p.parents}
    assert after == before


@pytest.mark.parametrize("moment", ["before the file", "after the file"])
def test_a_setup_that_was_killed_can_be_done_again_and_undone_to_the_byte(place, monkeypatch, moment):
    path = place.write(".claude/settings.json", b"{}")
    real = files.replace

    def dying(file, raw, mode, expected):
        if str(file).endswith("settings.json"):
            if moment == "after the file":
                real(file, raw, mode, expected)
            (path.parent / ".muniment-left").write_bytes(b"half")
            raise SystemExit
        return real(file, raw, mode, expected)

    with monkeypatch.context() as patch:
        patch.setattr(installing.files, "replace", dying)
        with pytest.raises(SystemExit):
            place.install("claude-code")
    left = path.parent / ".muniment-left"
    os.utime(left, (time.time() - 3600,) * 2)
    place.install("claude-code")
    assert not left.exists()
    place.undo()
    assert path.read_bytes() == b"{}"
    assert not place.ours.exists()


def test_a_hook_of_ours_that_a_person_moved_to_another_event_goes_with_the_rest(place):
    path = place.write(
        ".claude/settings.json", b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}'
    )
    place.install("claude-code")
    told = json.loads(path.read_text())
    told["hooks"]["PostToolUse"] = told["hooks"].pop("SessionStart")
    path.write_text(json.dumps(told))
    place.undo()
    assert "muniment" not in path.read_text()
    assert json.loads(path.read_text())["hooks"]["Stop"] == [{"hooks": [{"type": "command", "command": "beep"}]}]


def test_the_doctor_misses_a_file_of_the_project_that_was_deleted(tmp_path: Path):
    terminal = Terminal(tmp_path)
    (terminal.project / ".muniment").unlink()
    subprocess.run(["git", "init", "-q", str(terminal.project)], check=True)
    (terminal.home / ".cursor").mkdir()
    terminal.ok("init", "--yes")
    assert "OUT  cursor" not in terminal.run("doctor").out
    (terminal.project / ".cursor" / "rules" / "muniment.mdc").unlink()
    assert "muniment.mdc" in next(
        line for line in terminal.run("doctor").out.splitlines() if line.startswith("OUT  cursor")
    )


@pytest.mark.parametrize("variable", ["HOME", "MUNIMENT_HOME"])
def test_a_home_whose_name_is_not_utf8_is_a_clear_error(tmp_path: Path, variable: str):
    terminal = Terminal(tmp_path)
    odd = os.fsencode(tmp_path) + b"/h\xff"
    os.mkdir(odd)
    variables = {os.fsencode(k): os.fsencode(v) for k, v in terminal.environment().items() if k != "MUNIMENT_HOME"}
    variables[variable.encode()] = odd
    for words in (("add", "fact", "x"), ("query", ""), ("init", "--print"), ("doctor",)):
        done = subprocess.run(
            terminal.command(*words), cwd=terminal.project, env=variables, capture_output=True, check=False
        )
        assert b"unexpected" not in done.stderr, done.stderr
        assert done.returncode in (0, 1, 2, 3), done.stderr
