"""The command line in processes of its own, each with an empty home and no variables of whoever runs the tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parent.parent / "src"
SAMPLES = SOURCE / "muniment" / "samples"


@dataclass(frozen=True)
class Ran:
    """What a run of the command line left: its exit code, and the bytes of both streams as text."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on stdout."""
        lines = self.out.splitlines()
        assert len(lines) == 1, self
        return json.loads(lines[0])

    @property
    def problem(self) -> dict[str, str]:
        """The error that `--json` puts on stderr."""
        return json.loads(self.err.splitlines()[-1])["error"]

    @property
    def ids(self) -> list[str]:
        """The second column of stdout: what a write names."""
        return [line.split("\t")[1] for line in self.out.splitlines()]


class Terminal:
    """One person's machine: a home folder, a project in it, and commands run there."""

    def __init__(self, room: Path) -> None:
        self.home = room / "home"
        self.project = room / "project"
        for folder in (self.home, self.project):
            folder.mkdir(parents=True, exist_ok=True)
        (self.project / ".muniment").touch()

    @property
    def memories(self) -> Path:
        """Where the memories of this home are."""
        return self.home / "memories"

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The variables of a run."""
        keep = {k: os.environ[k] for k in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if k in os.environ}
        own = {"HOME": str(self.home), "USERPROFILE": str(self.home), "MUNIMENT_HOME": str(self.memories)}
        fixed = {"PYTHONPATH": str(SOURCE), "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONWARNINGS": "error"}
        return {**keep, **own, **fixed, **(more or {})}

    def command(self, *words: str, person: bool = True) -> list[str]:
        """The command line's command line."""
        program = [str(HERE / "as_person.py")] if person else ["-m", "muniment"]
        return [sys.executable, *program, *words]

    def run(
        self, *words: str, env: Mapping[str, str] | None = None, person: bool = True, cwd: Path | None = None
    ) -> Ran:
        """Run to the end."""
        done = subprocess.run(
            self.command(*words, person=person), cwd=cwd or self.project, env=self.environment(env),
            stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=90,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    def ok(self, *words: str, **more: Any) -> Ran:
        """Run; it must end well."""
        ran = self.run(*words, **more)
        assert ran.code == 0, ran
        return ran

    def state(self, value: str, *more: str) -> str:
        """State which database the project uses; the id of the new fact."""
        return self.ok("add", "fact", value, "--predicate", "uses", "--topic", "database", *more).ids[0]


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A machine with nothing remembered."""
    return Terminal(tmp_path)


@pytest.fixture(scope="session")
def read_in(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """A machine where the sample transcripts were read, shared by the tests that only look at it."""
    made = Terminal(tmp_path_factory.mktemp("read-in"))
    made.ok("index", str(SAMPLES))
    return made


@pytest.fixture
def own_read_in(terminal: Terminal) -> Terminal:
    """A machine where the sample transcripts were read, for one test to do with as it likes."""
    terminal.ok("index", str(SAMPLES))
    return terminal


@pytest.fixture
def make_terminal(tmp_path: Path) -> Callable[[str], Terminal]:
    """Makes machines by the name of a folder."""
    return lambda name: Terminal(tmp_path / name)
