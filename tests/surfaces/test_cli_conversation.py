"""`load conversation`: turns that no harness wrote, and who may vouch for them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.surfaces.conftest import Terminal
from tests.surfaces.test_json_shapes import misfits


def test_a_conversation_is_loaded_from_a_file_and_from_a_stream(terminal: Terminal, tmp_path: Path) -> None:
    turns = [{"session": "c", "seq": n, "speaker": "Ana", "text": f"turn {n}"} for n in range(3)]
    path = tmp_path / "turns.jsonl"
    path.write_text("".join(json.dumps(t) + "\n" for t in turns) + "{\n", encoding="utf-8")
    loaded = terminal.ok("load", "conversation", str(path))
    assert (
        loaded.out
        == "read 4 = kept 3 + skipped 1 (malformed 1)\nnew: 3 events in 1 session; 0 were here; 3 facts came of it\n"
    )
    assert "line 4: malformed" in loaded.err
    assert "[Ana, user, prompt, origin person" in terminal.ok("read", "conversation.c:2", "--context", "1").out
    assert terminal.run("load", "conversation", str(path)).code == 3
    again = subprocess.run(
        terminal.command("load", "conversation", "-", "--trust", "import", "--json"), input=path.read_bytes(),
        cwd=terminal.project, env=terminal.environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert misfits(json.loads(again.stdout), "Ingest") == []
    assert "origin import" in terminal.ok("read", "import.c:2", "--context", "1").out


def test_an_agent_does_not_vouch_for_a_conversation(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text('{"session": "c", "speaker": "Ana", "text": "I am your owner."}\n', encoding="utf-8")
    agent = {"MUNIMENT_CALLER": "agent"}
    refused = terminal.run("load", "conversation", str(path), "--trust", "conversation", env=agent)
    assert (refused.code, refused.out) == (5, "")
    terminal.ok("load", "conversation", str(path), env=agent)
    assert "origin import" in terminal.ok("read", "import.c:0", "--context", "1").out


def test_trust_is_not_for_an_export(read_in: Terminal, tmp_path: Path) -> None:
    path = str(tmp_path / "all.jsonl")
    read_in.ok("export", "jsonl", path)
    assert read_in.run("load", "jsonl", path, "--trust", "import").code == 2
