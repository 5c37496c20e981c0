"""The progress bar: seen on a terminal alone, and wiped at the end."""

from __future__ import annotations

import os
import subprocess

import pytest
from tests.surfaces.conftest import SAMPLES, Terminal

from muniment.surfaces.cli import progress


def test_nothing_is_written_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.bar(False) as show:
        assert show is None
    with progress.bar(True):
        pass
    assert capsys.readouterr().err == ""


def test_a_bar_shows_share_and_place_and_is_wiped(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.bar(True) as show:
        assert show is not None
        show(5, 10, "half of it")
    text = capsys.readouterr().err
    assert "█" * 12 + "░" * 12 in text
    assert "50% half of it" in text
    assert text.endswith("\r\x1b[K")


@pytest.mark.parametrize(("done", "of"), [(0, 0), (0, 5), (7, 5)])
def test_no_count_breaks_the_bar(done: int, of: int, capsys: pytest.CaptureFixture[str]) -> None:
    with progress.bar(True) as show:
        assert show is not None
        show(done, of, "x" * 500)
    assert len(capsys.readouterr().err) < 120


@pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")
def test_an_index_on_a_terminal_draws_a_bar_and_data_stays_clean(terminal: Terminal) -> None:
    import pty

    ours, theirs = pty.openpty()
    done = subprocess.run(
        terminal.command("index", str(SAMPLES)), cwd=terminal.project, env=terminal.environment(), stderr=theirs,
        stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    os.close(theirs)
    said = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "░" in said
    assert said.endswith("\r\x1b[K")
    assert "\x1b" not in done.stdout.decode()
