"""Rows as they pass between the engine and a store: plain values, the same for every store."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from muniment.model.entity import Entity
from muniment.model.event import Call, Result

_WORD = re.compile(r"[^\W_]+")


class Prepared(NamedTuple):
    """An event that has passed the gate: masked, named, ready to be archived."""

    uid: bytes
    content_hash: bytes
    session: str
    seq: int
    harness: str
    role: str
    origin: str
    kind: str
    at: str | None
    updated_at: str | None
    text: str
    raw: bytes
    parts: str | None
    calls: tuple[Call, ...]
    results: tuple[Result, ...]
    native_id: str | None
    parent_id: str | None
    model: str | None
    tokens_in: int | None
    tokens_out: int | None
    flags: str
    masks: int
    vouched: str | None = None
    speaker: str | None = None


def beside(a: Prepared, b: Prepared) -> dict[str, Any]:
    """What two records of one event say together beside its content, whatever their order.

    The latest update, the most masks, all flags; the rest is the greater record's.
    """
    flags = a.flags if a.flags == b.flags else " ".join(sorted({*a.flags.split(), *b.flags.split()}))
    greater = max(a, b, key=_rest)
    together = {
        "updated_at": max(a.updated_at or "", b.updated_at or "") or None,
        "masks": max(a.masks, b.masks),
        "flags": flags,
    }
    return together | {name: getattr(greater, name) for name in _REST}


_REST = ("native_id", "parent_id", "model", "tokens_in", "tokens_out", "vouched")


def _rest(event: Prepared) -> tuple[Any, ...]:
    return tuple((value is not None, value if value is not None else 0) for value in (getattr(event, n) for n in _REST))


class FactRow(NamedTuple):
    """A fact as the gate admitted it. `key` is None for occurrences; `subject` and `object` are resolved entities."""

    id: bytes
    subject: Entity
    predicate: str
    topic: str
    object: Entity | None
    literal: str | None
    value_key: str
    key: bytes | None
    uid: bytes
    witness: bytes | None
    span_start: int
    span_end: int
    method: str
    rung: int
    stated: str
    role: str
    origin: str
    observed_at: str
    valid_from: str | None
    valid_until: str | None
    anchor: str | None
    text_hash: bytes
    expires_at: str | None
    weight: int
    context: str
    source_url: str | None
    tags: tuple[str, ...] = ()
    evidence: tuple[tuple[str, str], ...] = ()

    @property
    def value(self) -> str:
        """The value as a person reads it."""
        return self.object.key if self.object is not None else self.literal or ""


class StoredFact(NamedTuple):
    """A fact as a store gives it back, with where its event is shown."""

    n: int
    row: FactRow
    standing: str
    session: str
    seq: int


LEANS = "evidence"
"""The anchor of a line whose fact leans on files that its evidence names."""


class Line(NamedTuple):
    """One rendered row of an open fact, and what ordering and filtering need.

    `from_ms` is the later of its newest evidence and the start of its interval, `until_ms` the earlier of its end and its
    expiry (epoch milliseconds): it is open at `now` iff from_ms <= now < until_ms; and what was said
    after `now` counts as said now, unless it `is_plan`: words about a later time than their own.
    """

    fact: int
    id: bytes
    predicate: str
    type: str
    is_state: bool
    subject: int
    object: int | None
    topic: str
    session: int
    role: str
    origin: str
    method: str
    rung: int
    band: int
    rank_key: int
    from_ms: int
    until_ms: int | None
    is_plan: bool
    is_pinned: bool
    anchor: str | None
    line: str


class Hit(NamedTuple):
    """What a walk over the open facts yields for one row; hits sort as an answer does.

    `score` is the rank turned round (the least comes first), as of the reader's clock, in millionths of a halving.
    """

    score: int
    id: bytes
    line: str
    band: int
    from_ms: int
    object: int | None
    anchor: str | None
    origin: str


class PathState(NamedTuple):
    """What the store knows of a file: its key, and its newest write (when, the hash it left if proved, by which session)."""

    key: str
    written_ms: int | None
    anchor: str | None
    session: str | None


class Message(NamedTuple):
    """An archived event as it is read back: where it is shown, whose it is, and its text."""

    uid: bytes
    session: str
    seq: int
    harness: str
    role: str
    origin: str
    kind: str
    at: str | None
    order_at: str
    text: str
    tool: str | None
    exit_code: int | None
    model: str | None
    tokens_in: int | None
    tokens_out: int | None
    flags: str
    speaker: str | None = None


class Record(NamedTuple):
    """An archived event as a search shows it. `event` is its row."""

    event: int
    session: str
    seq: int
    role: str
    origin: str
    kind: str
    at: str
    speaker: str | None
    harness: str
    text: str
    is_sound: bool = True
    """Is the text what its hash says?"""

    @property
    def receipt(self) -> str:
        """Where it stands."""
        return f"{self.session}:{self.seq}"


class Replaced(NamedTuple):
    """An event whose fact was replaced: by which fact, and from which event that came."""

    event: int
    fact: bytes
    by: int


class Position(NamedTuple):
    """Where an event is shown. These sort as things happened, and tell any two events apart whatever their row numbers."""

    order_at: str
    session: str
    seq: int
    uid: bytes


class Searchable(NamedTuple):
    """The words of an event as an index gets them. `speaker` is (role, name) of a turn, None for work.

    `asks`: it is short and only asks. `wishes`: it says what shall hold from now on.
    """

    text: str
    speaker: tuple[str, str] | None
    asks: bool = False
    wishes: bool = False


class Turn(NamedTuple):
    """Where a turn stands, whose it is, how many words it has; does it only ask, does it say what holds from now on?"""

    event: int
    session: int
    seq: int
    speaker: int
    words: int
    asks: bool
    wishes: bool


class Around(NamedTuple):
    """A turn between the turns before it, the nearest first, and those after it."""

    before: tuple[Turn, ...]
    turn: Turn
    after: tuple[Turn, ...]


class Speaker(NamedTuple):
    """Somebody who has turns; `name` is empty where the source has none."""

    n: int
    role: str
    name: str
    turns: int


class Speakers:
    """Everybody who has turns, arranged so that a question looks at those alone whom it may name."""

    def __init__(self, listed: Iterable[Speaker] = ()) -> None:
        self.listed = tuple(listed)
        self.persons = frozenset(s.n for s in self.listed if s.role == "user")
        self.person_turns = sum(s.turns for s in self.listed if s.role == "user")
        self.has_assistant = any(s.role == "assistant" for s in self.listed)
        self._by_start: dict[str, list[Speaker]] = {}
        for speaker in self.listed:
            start = _WORD.search(speaker.name.casefold())
            if start is not None:
                self._by_start.setdefault(start.group(), []).append(speaker)

    def beginning_with(self, words: str) -> list[Speaker]:
        """Those whose name begins with a word of a text in lower case."""
        return [speaker for word in dict.fromkeys(_WORD.findall(words)) for speaker in self._by_start.get(word, ())]


class Sought(NamedTuple):
    """A full-text expression. `is_common`: of words so common that all of them have to be there, and only the newest are read."""

    expression: str
    is_common: bool = False


class Spread(NamedTuple):
    """How a word is spread: turns that hold it, those of them that are a person's, and how often it is said."""

    turns: int
    person: int
    uses: int
