"""Shell sessions as documents show them: a ```console block, commands after `$ `, what they print below.

`…` stands for anything within a line, and alone on a line for any number of lines. Blanks and tabs are all alike.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
AS_PERSON = ROOT / "tests" / "surfaces" / "as_person.py"

_BLOCK = re.compile(r"^```(\w+)[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_END = "\x1e"
_ANY = "…"


@dataclass
class Step:
    """One command and the lines that it prints."""

    command: str
    expected: list[str] = field(default_factory=list)

    @property
    def may_fail(self) -> bool:
        """Does the document show it failing?"""
        return any(line.startswith("muniment:") for line in self.expected)


def documents() -> list[Path]:
    """Every Markdown file that is written for readers."""
    folders = [ROOT / "docs", ROOT / "benchmarks"]
    return sorted([*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))])


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of one language, in order."""
    return [body for kind, body in _BLOCK.findall(path.read_text("utf-8")) if kind == language]


def steps(path: Path) -> list[Step]:
    """All commands of a document, in order. A line that ends in a backslash goes on in the next."""
    found: list[Step] = []
    for block in blocks(path, "console"):
        is_open = False
        for line in block.splitlines():
            if is_open:
                found[-1].command += "\n" + line
            elif line.startswith("$ "):
                found.append(Step(line[2:]))
            else:
                assert found, f"{path.name}: output before any command: {line!r}"
                found[-1].expected.append(line)
                continue
            is_open = line.endswith("\\")
    return found


class Machine:
    """Somebody's machine: an empty home, a clone to stand in, `muniment` and `python` on the path."""

    def __init__(self, room: Path) -> None:
        self.room = room
        self.clone = room / "clone"
        for folder in (room / "home", room / "bin", room / "tmp", self.clone):
            folder.mkdir(parents=True)
        (self.clone / "src").symlink_to(ROOT / "src", target_is_directory=True)
        self._shim("muniment", f'"{AS_PERSON}"')
        self._shim("muniment-hook", f'-S -E -s "{ROOT / "src/muniment/surfaces/hook/main.py"}"')
        self._shim("python", "")

    def _shim(self, name: str, words: str) -> None:
        path = self.room / "bin" / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        path.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        """The variables of every command: nothing of whoever runs the tests."""
        path = f"{self.room / 'bin'}{os.pathsep}{os.environ['PATH']}"
        places = {"HOME": str(self.room / "home"), "TMPDIR": str(self.room / "tmp"), "PYTHONPATH": str(ROOT / "src")}
        return {
            "PATH": path,
            "TZ": "UTC",
            "LANG": "C.UTF-8",
            "PYTHONWARNINGS": "error",
            "PYTHONUNBUFFERED": "1",
            **places,
        }

    def run(self, commands: list[str]) -> list[tuple[str, int]]:
        """Run all in one shell, so that folders and variables last; what each printed, and its exit code."""
        script = "".join(f"{{ {command}\n}} 2>&1\nprintf '{_END}%d{_END}' $?\n" for command in commands)
        done = subprocess.run(
            ["sh", "-c", script], cwd=self.clone, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
            check=False, timeout=110,
        )  # fmt: skip
        pieces = done.stdout.decode("utf-8").split(_END)
        assert len(pieces) == 2 * len(commands) + 1, done
        return [(pieces[at], int(pieces[at + 1])) for at in range(0, len(pieces) - 1, 2)]


def matches(expected: list[str], printed: str) -> bool:
    """Is this what the document says?"""
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    pattern = "".join(_line(" ".join(line.split())) for line in _trimmed(expected))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _trimmed(lines))) is not None


def _line(expected: str) -> str:
    if expected == _ANY:
        return r"(?:[^\n]*\n)*"
    return r"[^\n]*".join(re.escape(part) for part in expected.split(_ANY)) + r"\n"


def _trimmed(lines: list[str]) -> list[str]:
    """Without empty lines at the end, which only part a command from the next."""
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept


def differences(path: Path, room: Path) -> Iterator[str]:
    """Where a document and the program disagree."""
    wanted = steps(path)
    for step, (printed, code) in zip(wanted, Machine(room).run([s.command for s in wanted]), strict=True):
        if not matches(step.expected, printed):
            said = "\n".join(step.expected)
            yield f"$ {step.command}\n--- the document says\n{said}\n--- it prints\n{printed}"
        if code and not step.may_fail:
            yield f"$ {step.command}\nends with {code}:\n{printed}"
