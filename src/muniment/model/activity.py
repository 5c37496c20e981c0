"""What was going on at a time: sessions, what was asked and done in them, and how much of it the archive has."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Coverage(StrEnum):
    """Was the archive complete for what was asked?"""

    COMPLETE = "complete"
    PARTIAL = "partial"
    UNKNOWN = "unknown"


class Span(NamedTuple):
    """A session and the first and last time in it; `n` is its number in the store, `last_seq` its last record."""

    n: int
    id: str
    harness: str
    version: str | None
    agent: str | None
    agent_role: str | None
    parent: str | None
    source: str | None
    first_at: str
    last_at: str
    last_seq: int


class Tally(NamedTuple):
    """Sums over the events of a session in a range of time. Tokens are None where no record told them."""

    events: int
    tokens_in: int | None
    tokens_out: int | None
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """A prompt, a command to us, or a tool call with its outcome. `is_elapsed`: timed by its records, told by none."""

    at: str
    kind: str
    receipt: str
    text: str
    tool: str = ""
    action: str = ""
    outcome: str = ""
    exit_code: int | None = None
    duration_ms: int | None = None
    is_elapsed: bool = False
    origin: str = ""
    """How the words of a turn came to be, where that is not what one would think."""


@dataclass(frozen=True, slots=True)
class File:
    """A file that was written, and the receipt of the last write."""

    path: str
    receipt: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """A session as far as it lies in the time that is shown. `left_out` counts acts beyond the cap."""

    session: Span
    receipt: str
    tally: Tally
    acts: tuple[Act, ...]
    files: tuple[File, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Timeline:
    """What was going on then. [start, end) is what the words name, [shown_from, shown_to) what is shown.

    They differ where the words name less than an hour: then the hour around is shown and `moment` is marked in it.
    """

    when: str
    start: str
    end: str
    shown_from: str
    shown_to: str
    moment: str | None
    sessions: tuple[Stretch, ...]
    coverage: Coverage
    reasons: tuple[str, ...]
    text: str = ""
    left_out: int = 0
