"""What is told of a belief: its life (`history`) and the account of one fact (`why`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """A verdict as it is told: what was done, by which origin, when and why, and the receipt of the command."""

    action: str
    by: str
    at: str
    reason: str
    receipt: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """How two facts stand to each other, read from `id` to `other`."""

    id: str
    relation: str
    other: str


@dataclass(frozen=True, slots=True)
class Step:
    """One saying in the life of a belief. `intervals` are the times in which it held; none if it never took hold."""

    id: str
    at: str
    role: str
    origin: str
    value: str
    standing: str
    receipt: str
    intervals: tuple[tuple[str, str | None], ...]
    marks: tuple[str, ...]
    verdicts: tuple[Decision, ...]
    links: tuple[Link, ...]
    is_subject: bool


@dataclass(frozen=True, slots=True)
class History:
    """The life of a belief, in the order in which it was told. `id` is the fact that was asked about."""

    id: str
    predicate: str
    topic: str
    subject: str
    is_state: bool
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Support:
    """Another saying of the same, which keeps the same interval up."""

    id: str
    at: str
    role: str
    origin: str
    receipt: str


@dataclass(frozen=True, slots=True)
class Rank:
    """The numbers of the rank: `score` is role_weight * (1 + rung) * precision * 2 ** (-age_ms / half_life_ms)."""

    role_weight: float
    rung: int
    precision: float
    age_ms: int
    half_life_ms: int
    key: int
    score: float


@dataclass(frozen=True, slots=True)
class Why:
    """Why a fact is believed and stands where it stands. `shown_by` is the fact that speaks for it, if another does."""

    id: str
    predicate: str
    topic: str
    subject: str
    value: str
    receipt: str
    witness: str | None
    method: str
    precision_interval: tuple[float, float] | None
    sample: int
    role: str
    origin: str
    authority: int
    stated: str
    standing: str
    said_at: str
    newest_at: str
    intervals: tuple[tuple[str, str | None], ...]
    marks: tuple[str, ...]
    rank: Rank
    shown_by: str | None
    supports: tuple[Support, ...]
    verdicts: tuple[Decision, ...]
    links: tuple[Link, ...]
    tags: tuple[str, ...]
    evidence: tuple[tuple[str, str], ...]
    source_url: str | None = None
    checks: tuple[tuple[str, str, str | None, str], ...] = ()
    """(address, state, when somebody looked last, who changed it) of its evidence."""
    is_checkable: bool = True
    """False for a state that names no evidence: nothing in the world would tell that it is over."""
