"""What trace questions are answered with: who did what when, who touched a file, what was spent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from muniment.model.activity import Coverage


class Price(NamedTuple):
    """Dollars for a million tokens, as a person wrote them down. `cached` tokens in cost as others where it is not given."""

    tokens_in: float
    tokens_out: float
    cached: float | None = None

    def of(self, tokens_in: int, cached: int, tokens_out: int) -> int:
        """What so many tokens cost, in millionths of a dollar. Cached ones are among those that went in."""
        fresh = max(tokens_in - cached, 0)
        paid = self.tokens_in if self.cached is None else self.cached
        return round(fresh * self.tokens_in + min(cached, tokens_in) * paid + tokens_out * self.tokens_out)


class Spending(NamedTuple):
    """A record that tells tokens or a cost; `session` is its session's number, `at` the order time."""

    session: int
    at: str
    model: str | None
    tokens_in: int | None
    tokens_out: int | None
    flags: str


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that an agent did, or was asked, with who it was."""

    at: str
    session: str
    harness: str
    agent: str | None
    agent_role: str | None
    parent: str | None
    kind: str
    tool: str
    action: str
    text: str
    outcome: str
    exit_code: int | None
    duration_ms: int | None
    is_elapsed: bool
    receipt: str
    origin: str = ""
    """How the words of a turn came to be, where that is not what one would think."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Who did what in [start, end), in the order of time. `left_out` deeds were beyond the cap, `lines_left_out` the budget."""

    when: str
    start: str
    end: str
    deeds: tuple[Deed, ...]
    sessions: int
    coverage: Coverage
    reasons: tuple[str, ...]
    left_out: int = 0
    text: str = ""
    lines_left_out: int = 0


@dataclass(frozen=True, slots=True)
class Touch:
    """A file read, written or moved: when, by whom, in which work tree (`folder`), and the receipt that proves it."""

    at: str
    verb: str
    path: str
    session: str
    harness: str
    agent: str | None
    agent_role: str | None
    parent: str | None
    folder: str | None
    context: str
    anchor: str | None
    receipt: str
    id: str


@dataclass(frozen=True, slots=True)
class Touched:
    """Who touched what a path names, the newest first."""

    path: str
    touches: tuple[Touch, ...]
    paths: int
    sessions: int
    folders: int
    left_out: int = 0
    text: str = ""
    lines_left_out: int = 0


@dataclass(slots=True)
class Spent:
    """Sums of one group. `cost` is in dollars; None where nothing is known of it.

    `is_estimated`: some of it by prices of the reader's own. `is_whole`: no record in it spent tokens at no known cost.
    """

    by: dict[str, str]
    records: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    cost: float | None = None
    is_estimated: bool = False
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent, grouped. `untold` counts sessions of that time, by harness, that say nothing of tokens."""

    when: str
    by: tuple[str, ...]
    groups: tuple[Spent, ...]
    total: Spent
    untold: dict[str, int]
    unread: tuple[str, ...] = ()
    """Memories that could not be read, and why."""
    coverage: Coverage = Coverage.UNKNOWN
    reasons: tuple[str, ...] = field(default=())
    text: str = ""
    lines_left_out: int = 0
