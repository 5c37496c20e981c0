"""`export atif` and `load atif` from a terminal."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from atif import Trajectory
from tests.surfaces.conftest import Terminal
from tests.surfaces.test_json_shapes import misfits


def test_sessions_go_out_and_come_in(read_in: Terminal, terminal: Terminal, tmp_path: Path) -> None:
    out = tmp_path / "out"
    report = read_in.ok("export", "atif", str(out), "--json").json
    assert misfits(report, "Trajectories") == []
    assert sorted(report["files"]) == sorted(map(str, out.iterdir()))
    loaded = terminal.ok("load", "atif", str(out), "--json").json
    assert misfits(loaded, "Ingest") == []
    assert loaded["sessions"]
    again = terminal.run("load", "atif", str(out))
    assert (again.code, again.out) == (3, "")


def test_one_session_goes_to_stdout_and_comes_from_stdin(read_in: Terminal, terminal: Terminal, tmp_path: Path) -> None:
    report = read_in.ok("export", "atif", str(tmp_path / "all"), "--json").json
    session = json.loads(Path(report["files"][0]).read_text("utf-8"))["trajectory_id"]
    printed = read_in.ok("export", "atif", "-", "--session", session, "--version", "1.8")
    assert Trajectory.model_validate(json.loads(printed.out)).schema_version == "ATIF-v1.8"
    assert "ATIF-v1.8" in printed.err
    done = subprocess.run(
        terminal.command("load", "atif", "-", "--trust", "import"), input=printed.out.encode(), cwd=terminal.project,
        env=terminal.environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_words_that_make_no_sense_are_told(read_in: Terminal, tmp_path: Path) -> None:
    file = str(tmp_path / "x")
    for words in [("jsonl", file, "--session", "s"), ("jsonl", file, "--version", "1.7"), ("atif", "-"),
                  ("atif", file, "--version", "9"), ("atif", "-", "--json", "--session", "s")]:  # fmt: skip
        assert read_in.run("export", *words).code == 2, words
    assert read_in.run("export", "atif", file, "--session", "nobody").code == 3
    Path(file).write_text("{}")
    assert "schema_version" in read_in.run("load", "atif", file).err


def test_plugin_folders_are_written_for_this_installation(terminal: Terminal, tmp_path: Path) -> None:
    told = terminal.ok("export", "plugin", str(tmp_path / "out"), "--json").json
    assert misfits(told, "Packs") == []
    python, hook = (tmp_path / "out/plugin/hooks/launch.at").read_text().splitlines()
    assert Path(python).exists()
    assert Path(hook).name == "main.py"
    assert Path(hook).exists()
    assert terminal.run("export", "plugin", str(tmp_path / "out")).code == 3
    assert terminal.run("export", "plugin", str(tmp_path)).code == 5
    for words in [("-",), (str(tmp_path / "x"), "--session", "s")]:
        assert terminal.run("export", "plugin", *words).code == 2
