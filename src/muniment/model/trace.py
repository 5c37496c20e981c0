"""A session as a whole, for those who tell all of it: its records in order, and what sub-agents did in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from muniment.model.event import Call, Result

COST = "cost."
"""A flag that begins so tells what a record cost, in millionths of a dollar: told by the harness, computed by nobody."""
CACHED = "cached."
"""A flag that begins so tells how many of a record's tokens in were read from the provider's cache."""


class Recorded(NamedTuple):
    """An event where it was seen in a session. `is_copy`: it is shown elsewhere, so this sighting is a copy of it."""

    session: str
    seq: int
    uid: bytes
    role: str
    origin: str
    kind: str
    at: str | None
    text: str
    calls: tuple[Call, ...]
    results: tuple[Result, ...]
    model: str | None
    tokens_in: int | None
    tokens_out: int | None
    flags: tuple[str, ...]
    speaker: str | None
    is_copy: bool

    @property
    def receipt(self) -> str:
        """Where it stands."""
        return f"{self.session}:{self.seq}"


class Told(NamedTuple):
    """A session as a store knows it; `n` is its number there."""

    n: int
    id: str
    harness: str
    version: str | None
    agent: str | None
    agent_role: str | None
    parent: str | None
    cwd: str | None
    root: str | None = None
    """The top of the work tree that its paths are keyed by."""


@dataclass(frozen=True, slots=True)
class Run:
    """A session, its records in order, and the runs of the sub-agents that it started."""

    session: Told
    records: tuple[Recorded, ...]
    children: tuple[Run, ...] = ()


def told(flags: tuple[str, ...], mark: str) -> int | None:
    """The number that flags tell behind a mark; the greatest, where records of one event differ."""
    numbers = [int(n) for flag in flags if flag.startswith(mark) and (n := flag[len(mark) :]).isdecimal()]
    return max(numbers, default=None)
