"""The floor that is in force, and the journal of the signals that searches met it with.

The journal is one byte a search, in a file beside the deliveries: which quarter of a log-odds the signal fell in, and whether the
floor was asked at all. It holds no words, is no part of the store, of an export or of a digest, and a search does not fail
where it cannot be written.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from muniment.engine.core import JOURNAL, Engine
from muniment.errors import UsageError
from muniment.recall.abstention import FLOOR, SIGNAL_VERSION

SHIPPED = FLOOR
LOWEST, WIDTH = -16.0, 0.25
"""The lower edge of the first bucket, and how wide each of the 128 is; the outer two take what lies beyond."""
_BUCKETS = 128
_LAST_READ = 1 << 20
"""Searches that are counted, the latest."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What a question's signal must reach. `warning` says why one's own, if there is one, is not used."""

    value: float = FLOOR
    is_own: bool = False
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many searches fell in each bucket (by its lower edge), under a floor.

    `judged` met the floor; `unjudged` did not have to: keywords, contexts, and what names something that is known.
    """

    floor: Floor = Floor()
    judged: Mapping[float, int] = field(default_factory=dict)
    unjudged: int = 0

    @property
    def total(self) -> int:
        """The searches that met the floor."""
        return sum(self.judged.values())

    def below(self, floor: float) -> int:
        """How many of them a floor refuses, as nearly as buckets tell."""
        return sum(count for edge, count in self.judged.items() if edge + WIDTH / 2 < floor)


def in_force(engine: Engine) -> Floor:
    """One's own floor from the configuration, else the shipped one; a bad value is told, and then not used."""
    try:
        own = engine.settings.floor()
    except UsageError as error:
        return Floor(warning=f"{error.message}; the shipped floor of {FLOOR:g} is used")
    return Floor() if own is None else Floor(own, is_own=True)


def path_of(engine: Engine) -> Path:
    """The journal of signals of the engine's workspace; its name says which version of the signal it counts."""
    return engine.settings.home / JOURNAL / f"{engine.workspace.id}.floor{SIGNAL_VERSION}"


def note(engine: Engine, signal: float, *, is_judged: bool) -> None:
    """Append one search. Nothing is said where that cannot be done."""
    bucket = min(max(int((signal - LOWEST) // WIDTH), 0), _BUCKETS - 1)
    path = path_of(engine)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        try:
            number = os.open(path, flags, 0o600)
        except FileNotFoundError:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            number = os.open(path, flags, 0o600)
        try:
            os.write(number, bytes((bucket + (0 if is_judged else _BUCKETS),)))
        finally:
            os.close(number)
    except OSError:
        return


def histogram(engine: Engine) -> Histogram:
    """What was counted so far, the latest million searches; empty where nothing was."""
    counts = Counter(_tail(path_of(engine)))
    judged = {LOWEST + bucket * WIDTH: counts[bucket] for bucket in range(_BUCKETS) if counts[bucket]}
    unjudged = sum(count for byte, count in counts.items() if byte >= _BUCKETS)
    return Histogram(in_force(engine), judged, unjudged)


def _tail(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _LAST_READ, 0))
            return file.read()
    except OSError:
        return b""
