"""What a check may do beyond files and git, as the person's own configuration allows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Declared:
    """A command that may be run: its words (`{id}` stands for a ticket), how long it may take, and in which folder."""

    words: tuple[str, ...]
    timeout: float = 60.0


@dataclass(frozen=True, slots=True)
class Allowed:
    """The beginnings of URLs that may be fetched, and commands by name: those that are evidence, and those of trackers."""

    urls: tuple[str, ...] = ()
    commands: Mapping[str, Declared] = field(default_factory=dict)
    trackers: Mapping[str, Declared] = field(default_factory=dict)
