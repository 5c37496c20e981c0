"""A machine with hooks on it: events go in as harnesses send them, in this process or in one of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.support import archive, ran, said

from muniment.engine.core import Engine, Settings
from muniment.model.scope import workspace_of
from muniment.surfaces.hook import answering

MAIN = Path(answering.__file__).with_name("main.py")
WORDS = "Please keep the retries below five"


class Host:
    """A harness's machine: a home, and a project of which something is remembered."""

    def __init__(self, room: Path) -> None:
        self.home, self.project = room / "memories", room / "project"
        self.project.mkdir(parents=True, exist_ok=True)
        (self.project / ".muniment").touch()
        self.workspace = workspace_of(self.project)

    def engine(self) -> Engine:
        """An engine of this project."""
        return Engine(self.workspace, Settings(self.home))

    def remember(self, words: str = WORDS) -> None:
        """One session was read in."""
        with self.engine() as engine:
            archive(
                engine, [said("s1", 0, "2026-03-05 10:00", words), *ran("s1", 1, "2026-03-05 10:01", "make", "", 2)]
            )

    @property
    def store(self) -> Path:
        """The file of the store."""
        return self.home / "workspaces" / self.workspace.id / "memory.db"

    def event(self, **told: Any) -> dict[str, Any]:
        """An event in this project, in the words of most harnesses."""
        return {"session_id": "h1", "cwd": str(self.project), "transcript_path": str(self.project / "t.jsonl"), **told}

    def variables(self, **more: str) -> dict[str, str]:
        """What the hook's environment says."""
        return {"MUNIMENT_HOME": str(self.home), **more}

    def call(self, harness: str, event: Any, *words: str, **variables: str) -> str:
        """The answer of a hook that runs in this process."""
        text = event if isinstance(event, bytes) else json.dumps(event).encode()
        with tempfile.TemporaryFile() as source:
            source.write(text)
            source.seek(0)
            found = answering.answer([harness, *words], self.variables(**variables), sys.platform, source.fileno())
        return found.decode()

    def run(self, *words: str, event: Any = b"", **more: Any) -> subprocess.CompletedProcess[bytes]:
        """A hook in a process of its own, started as `init` writes it."""
        text = event if isinstance(event, bytes) else json.dumps(event).encode()
        command = [sys.executable, "-S", "-E", "-s", str(MAIN), *words]
        given = {"input": text, "env": self.variables(), "capture_output": True, "timeout": 30, **more}
        return subprocess.run(command, check=False, **given)

    def left(self, kind: str) -> list[dict[str, Any]]:
        """What hooks left of one kind."""
        return [json.loads(path.read_text()) for path in sorted((self.home / "spool" / kind).rglob("*.json"))]

    def journal(self) -> list[dict[str, Any]]:
        """What was given to whom."""
        path = self.home / "journal" / f"{self.workspace.id}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def text_of(answer: str) -> str:
    """What an answer puts before the model, whatever its shape."""
    if not answer.startswith("{"):
        return answer
    told = json.loads(answer)
    inner = told.get("hookSpecificOutput", told)
    return str(inner.get("additionalContext") or inner.get("context") or "")


def is_root() -> bool:
    """May this process write what is write-protected?"""
    return hasattr(os, "geteuid") and os.geteuid() == 0
