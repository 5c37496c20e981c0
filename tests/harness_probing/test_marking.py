"""The marking hook: started anywhere, it answers in the harness's form and names the event and its source."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.harness.probing import marking


def marked(shape: str, event: str, told: str, folder: Path) -> str:
    command = [sys.executable, "-I", marking.__file__, shape, "POINT", event]
    done = subprocess.run(
        command, input=told, capture_output=True, text=True, check=True, cwd=folder, env={}, timeout=60
    )
    assert done.stderr == ""
    return done.stdout


def test_the_source_of_a_start_is_part_of_the_mark(tmp_path: Path) -> None:
    told = marked("nested", "SessionStart", '{"source": "resume"}', tmp_path)
    inner = {"hookEventName": "SessionStart", "additionalContext": "POINT-SessionStart-resume;"}
    assert json.loads(told) == {"hookSpecificOutput": inner}


@pytest.mark.parametrize("shape", marking.SHAPES)
@pytest.mark.parametrize("told", ["", "no JSON", "[1]", '{"source": 3}'])
def test_every_shape_holds_the_mark_whatever_the_event_says(shape: str, told: str, tmp_path: Path) -> None:
    assert "POINT-PreToolUse;" in marked(shape, "PreToolUse", told, tmp_path)
