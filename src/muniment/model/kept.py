"""Values that pass between the engine and a store beside its rows: what a write did, how far a source was read, where to walk."""

from __future__ import annotations

from typing import Any, NamedTuple

from muniment.model.address import UNKNOWN, Address
from muniment.model.stored import Hit, Prepared

Row = tuple[Any, ...]


class SourceState(NamedTuple):
    """What is remembered of one source between passes."""

    adapter: str
    cursor: dict[str, Any]
    read: int
    kept: int
    skipped: dict[str, int]


class VectorModel(NamedTuple):
    """A model that this store has vectors of. `epoch` changes whenever its vectors did otherwise than by growing."""

    n: int
    name: str
    version: str
    dimension: int
    state: str
    epoch: int


class Vector(NamedTuple):
    """The vector of one event."""

    event: int
    signs: bytes
    code: bytes


EPOCH = "1970-01-01T00:00:00.000Z"
"""The order time of records that stand before the first time of their session."""


class Known(NamedTuple):
    """A session's number, whether anything new was said of it, and whether its folder is another now."""

    n: int
    is_changed: bool
    is_moved: bool


class Put(NamedTuple):
    """What archiving one content did: its row, is it new, did a known one change, has the event other contents."""

    row: int
    is_new: bool
    is_changed: bool
    is_revised: bool


class Sighted(NamedTuple):
    """An event that nobody has seen yet: the number of its session, its order time there, and itself."""

    session: int
    order_at: str
    event: Prepared


class Shown(NamedTuple):
    """The rows of the revision that was current and of the one that is, whether anything of it changed, and (session, seq)."""

    old: int | None
    new: int | None
    is_changed: bool
    place: tuple[int, int] | None


INDEXES = {
    "predicate": "lines_predicate",
    "subject": "lines_subject",
    "object": "lines_object",
    "session": "lines_session",
    "type": "lines_type",
    "is_state": "lines_all",
}


class Weather(NamedTuple):
    """Is any open row not firm; is any dated after now; has any ended by now? Mostly nothing, and then walks are bare."""

    has_doubt: int
    has_future: int
    has_ended: int


class Walk(NamedTuple):
    """Where to walk: the columns that are fixed (the first names the index), a range of keys, and tests on each row."""

    fixed: tuple[tuple[str, Any], ...]
    band: int
    low: int | None = None
    high: int | None = None
    tests: tuple[str, ...] = ()
    args: tuple[tuple[str, Any], ...] = ()
    cap: int | None = None
    base: int = 0
    """The rank key of a fact of weight 1 that is new at the reader's clock: scores are counted from there."""
    all_hold: bool = False
    """No row of the store begins after now or has ended: nothing to test."""

    @property
    def over(self) -> str:
        """The index that is walked."""
        return INDEXES[self.fixed[0][0]]


class Last(NamedTuple):
    """A session and when it last said something; None where its records have no times."""

    id: str
    harness: str
    source: str | None
    at: str | None


class OpenLine(NamedTuple):
    """The row of an open fact: its number, its type, and the row as hydration takes it."""

    fact: int
    type: str
    hit: Hit


class Fault(NamedTuple):
    """Something that is wrong with the file; `is_derived` if all of it can be replayed."""

    about: str
    text: str
    is_derived: bool


class Cited(NamedTuple):
    """An address of a fact, and what was found there last; `unknown` if nobody looked yet."""

    address: Address
    state: str = UNKNOWN
    checked_at: str | None = None
    changed_by: str = ""
    place: str = ""
    """Where it is now, if it moved."""


class Checked(NamedTuple):
    """What was found at an address: `now` names what is there, `stamp` is what would have to be the same for it to hold."""

    address: bytes
    state: str
    now: str = ""
    place: str = ""
    changed_by: str = ""
    stamp: str = ""
    checked_at: str = ""
