"""What an agent with scoped SQL may see: relations, columns, rows, what is redacted, and how much of it at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

MOST = {"milliseconds": 10_000, "rows": 100_000, "bytes": 16_000_000, "memory": 1_000_000_000}
"""The most that a profile may allow."""


class Redaction(StrEnum):
    """What stands in the place of a value: nothing, one word for all, or a name that equal values share until closing."""

    NULL = "null"
    MASK = "mask"
    HASH = "hash"


@dataclass(frozen=True, slots=True)
class Filter:
    """Rows by the values of one column: any of `values` (`*` and `?` stand for anything), or with `is_never` none of them."""

    column: str
    values: tuple[str | int, ...]
    is_never: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """One relation: its columns in their order, the filters that all hold, what is redacted, and the span of its time."""

    relation: str
    columns: tuple[str, ...]
    filters: tuple[Filter, ...] = ()
    redact: Mapping[str, Redaction] = field(default_factory=dict)
    since: str | None = None
    until: str | None = None

    @property
    def is_filtered(self) -> bool:
        """Are there rows of the relation that are not granted?"""
        return bool(self.filters or self.since or self.until)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may take. An answer is cut at rows and bytes, and says so; time and memory end the query."""

    milliseconds: int = 250
    rows: int = 1000
    bytes: int = 65_536
    memory: int = 64_000_000


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile by its name. `memory_sql`: may it be served as a tool? `beside`: next to the other tools, which see all?"""

    name: str
    grants: tuple[Grant, ...]
    limits: Limits = Limits()
    memory_sql: bool = False
    beside: bool = False
    about: str = ""
