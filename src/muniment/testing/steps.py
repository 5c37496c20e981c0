"""What can happen in a session, independent of the harness that records it: frozen values, one type for each kind."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from muniment.testing.runners import Counts


@dataclass(frozen=True, slots=True)
class Prompt:
    """The person speaks."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """The model reasons; harnesses keep it as text, as a signature or as ciphertext."""

    text: str


@dataclass(frozen=True, slots=True)
class Say:
    """The agent speaks; the last one of a turn ends it."""

    text: str
    final: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """Lines of a file, numbered from 1; `content` is what stands there, `lines` counts as harnesses do (newlines + 1)."""

    path: str
    content: str
    start: int
    lines: int
    total: int


@dataclass(frozen=True, slots=True)
class Hunk:
    """One hunk of a unified diff; each line has its mark."""

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement in a file that exists."""

    path: str
    old: str
    new: str
    before: str
    after: str
    hunks: tuple[Hunk, ...]
    replace_all: bool

    @property
    def sha256(self) -> str:
        """Hash of the whole file after this step."""
        return hashlib.sha256(self.after.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Write:
    """A whole file; `before` is None when it is new."""

    path: str
    after: str
    before: str | None

    @property
    def sha256(self) -> str:
        """Hash of the whole file after this step."""
        return hashlib.sha256(self.after.encode()).hexdigest()

    @property
    def hunks(self) -> tuple[Hunk, ...]:
        """One hunk that exchanges everything; none for a new file."""
        if self.before is None:
            return ()
        old, new = self.before.split("\n")[:-1], self.after.split("\n")[:-1]
        return (Hunk(1, len(old), 1, len(new), (*(f"-{line}" for line in old), *(f"+{line}" for line in new))),)


@dataclass(frozen=True, slots=True)
class Run:
    """A shell command that ended. The optional fields say what it meant."""

    command: str
    description: str
    stdout: str
    stderr: str
    exit_code: int
    seconds: float
    tests: Counts | None = None
    commit: str | None = None
    moved: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Fetch:
    """A page was fetched and read."""

    url: str
    question: str
    text: str


@dataclass(frozen=True, slots=True)
class Todo:
    """The plan changed: (text, pending | in_progress | completed) for each item; `changed` is the item this was about."""

    items: tuple[tuple[str, str], ...]
    changed: int
    created: bool


@dataclass(frozen=True, slots=True)
class Delegate:
    """A sub-agent was sent and came back with a report; its own steps never delegate again."""

    description: str
    prompt: str
    steps: tuple[Step, ...]
    report: str


@dataclass(frozen=True, slots=True)
class Compact:
    """The harness replaced the conversation so far by a summary."""

    summary: str
    automatic: bool


Step = Prompt | Think | Say | Read | Edit | Write | Run | Fetch | Todo | Delegate | Compact


def hunk(lines: list[str], start: int, end: int, new: list[str], shift: int) -> Hunk:
    """The hunk that exchanges lines[start:end] for `new`, with three lines of context."""
    top, bottom = max(0, start - 3), min(len(lines) - 1, end + 3)
    head, tail = [f" {line}" for line in lines[top:start]], [f" {line}" for line in lines[end:bottom]]
    body = [*head, *(f"-{line}" for line in lines[start:end]), *(f"+{line}" for line in new), *tail]
    kept = len(head) + len(tail)
    return Hunk(top + 1, kept + end - start, top + 1 + shift, kept + len(new), tuple(body))


def weight(step: Step) -> int:
    """About how many bytes of the context window a step takes."""
    match step:
        case Read():
            return len(step.content)
        case Run():
            return len(step.stdout) + len(step.stderr)
        case Edit() | Write():
            return len(step.after) // 4
        case _:
            return 400
