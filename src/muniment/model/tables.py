"""The ports of each group of rows: what the engine asks of events, facts, turns and the rest of a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from muniment.model.entity import Entity
from muniment.model.event import Call, Result, SessionInfo
from muniment.model.fact import Verdict
from muniment.model.kept import (
    Fault,
    Known,
    Put,
    Row,
    Shown,
    Sighted,
    SourceState,
    Vector,
    VectorModel,
    Walk,
    Weather,
)
from muniment.model.selector import Value
from muniment.model.stored import (
    Around,
    FactRow,
    Hit,
    Line,
    PathState,
    Position,
    Prepared,
    Replaced,
    Searchable,
    Sought,
    Speakers,
    Spread,
    StoredFact,
    Turn,
)
from muniment.model.trace import Recorded, Told
from muniment.model.tracing import Spending

W = TypeVar("W")


class Events(Protocol):
    """What is kept verbatim. Every method runs inside the caller's transaction."""

    def put_blob(self, data: bytes) -> int:
        """Store bytes once; their row number."""

    def drop_blob(self, n: int) -> None:
        """Remove bytes that no event names any more."""

    def was_flagged(self, flag: str) -> Callable[[str, str], bool]:
        """Asks whether a call that was seen in a session has this flag."""

    def begin_batch(self) -> None:
        """Forget what another process may have changed since the last transaction."""

    def blob(self, n: int) -> tuple[bytes, bytes]:
        """The bytes of a blob, and the BLAKE3 it is addressed by. ValueError if its frame is damaged."""

    def text(self, blob: int) -> str:
        """The text of an event."""

    def put_session(self, info: SessionInfo, root: str | None) -> Known:
        """Add a session or fill in what was not known of it.

        The merge does not depend on order: the least of each field, the last end; folder and root are one.
        """

    def session_number(self, session: str) -> int:
        """The number of a known session."""

    def find_session(self, session: str) -> tuple[str | None, str | None] | None:
        """(cwd, root) of a session that is known, else None."""

    def session_place(self, n: int) -> tuple[str | None, str | None]:
        """(cwd, root) of a session."""

    def revisions(self, uid: bytes) -> list[tuple[int, bytes]]:
        """(row, content hash) of every content that an event was seen with."""

    def put_revision(self, event: Prepared, known: Sequence[tuple[int, bytes]]) -> Put:
        """Archive one content of an event beside its `known` revisions; of a known one, join what the two records say."""

    def unknown(self, uids: Iterable[bytes]) -> set[bytes]:
        """Those of these events that the archive does not have."""

    def append(self, run: Sequence[Sighted]) -> list[int]:
        """Archive unknown events, each the last of its session so far, and show them; their rows.

        Step by step for all of them: what compresses, and each table, is then found warm, which is worth a tenth of a
        pass.
        """

    def drop_revision(self, n: int) -> None:
        """Remove one content that a more masked one replaces; its text must not stay anywhere."""

    def place(self, session: int, seq: int, uid: bytes, at: str | None) -> str | None:
        """Record a sighting; its order time, the running maximum over the session, or None if the sighting is known.

        The time is final unless something of the session comes out of order.
        """

    def follow(self, session: int, seq: int, at: str | None) -> str | None:
        """The order time of a sighting that goes on with its session, which `append` will put down; None if it does not."""

    def in_order(self, session: int, seq: int) -> bool:
        """Would a record with this seq be the last of its session?"""

    def sessions_of(self, uid: bytes) -> list[int]:
        """The sessions in which an event was sighted."""

    def order_times(self, session: int) -> Iterator[tuple[int, bytes, str, str]]:
        """(seq, uid, stored order time, true order time) of every sighting of a session."""

    def reorder(self, session: int) -> list[bytes]:
        """Compute the order times of a session again; the uids whose time changed."""

    def true_place(self, uid: bytes) -> tuple[int, int, int] | None:
        """(row of the current revision, session, seq) where an event is to be shown."""

    def show(self, uid: bytes) -> Shown:
        """Decide where an event is shown and which revision is current."""

    def show_first(self, uid: bytes, event: int, session: int, seq: int) -> bool:
        """The same for an event just archived; False if it was seen before, then `show` has to decide."""

    def order_at(self, uid: bytes) -> str:
        """The order time of an event where it is shown."""

    def place_of(self, uid: bytes) -> tuple[str, int] | None:
        """(session, seq) where an event is shown."""

    def put_calls(self, uid: bytes, calls: Iterable[Call], results: Iterable[Result]) -> None:
        """Index the tool calls and results of an event by call id."""

    def partners(self, call_id: str, uid: bytes, *, result: bool) -> list[bytes]:
        """The events that answer (or made) a call, within a session that both were seen in; the event itself first."""

    def holders(self, call_ids: Iterable[str]) -> dict[tuple[str, bool], list[bytes]]:
        """For each call id, the events that made it (False) and those that answered it (True), by uid; one query."""

    def together(self, uid: bytes, other: bytes) -> bool:
        """Were both events seen in one session?"""

    def meets(self, call_id: str, uid: bytes, session: int, *, result: bool) -> bool:
        """Is there a partner for this call that this session alone brings together with the event?"""

    def uids_of_session(self, session: int) -> list[bytes]:
        """The events shown in a session."""


class Turns(Protocol):
    """Keeps the text indexes and the table of turns. Every method runs inside the caller's transaction."""

    def begin_batch(self) -> None:
        """Forget what another process may have changed since the last transaction."""

    def put(self, event: int, words: Searchable, session: int, seq: int) -> None:
        """Make a current revision searchable where it is shown."""

    def put_many(self, rows: Sequence[tuple[int, Searchable, int, int]]) -> None:
        """The same for many, index by index: each is then found warm."""

    def drop(self, event: int) -> None:
        """The revision is current no more, or shown elsewhere."""

    def move(self, event: int, session: int, seq: int) -> None:
        """The event is shown at another place."""


class Facts(Protocol):
    """What is drawn from the archive. Every method that writes runs inside the caller's transaction."""

    def begin_batch(self) -> None:
        """Forget what a rolled-back transaction may have numbered."""

    def entity(self, entity: Entity) -> int:
        """The number of an entity, made if it is new."""

    def find_entity(self, entity: Entity) -> int | None:
        """The number of an entity if it is known."""

    def of_event(self, uid: bytes) -> dict[bytes, int]:
        """Ids and numbers of the facts drawn from an event."""

    def put(self, row: FactRow, standing: str) -> int:
        """Insert a fact; its number."""

    def put_proposals(self, uid: bytes, proposals: Mapping[bytes, tuple[str, str]]) -> None:
        """Replace what an event may only propose: (draft, reason) by what it says."""

    def has_proposal(self, group: bytes) -> bool:
        """Does any event propose this?"""

    def proposed(self) -> list[Row]:
        """(group, event, draft, reason, origin, harness, session, seq, time) of all that events propose."""

    def proposals(self) -> list[tuple[bytes, str, str]]:
        """(event, draft, reason) of every open proposal."""

    def withdraw(self, n: int, id_: bytes) -> list[Row]:
        """Remove a fact that its event no longer gives; (predicate, subject, value_key, key) if it was a state."""

    def values_of(self, key: bytes) -> list[Row]:
        """(predicate, subject, value_key) of the claims of a settle key."""

    def keys_with(self, predicate: str, subject: int, value_key: str) -> list[bytes]:
        """The settle keys under which a predicate says this value of a subject."""

    def fact(self, id_: bytes) -> StoredFact | None:
        """One fact by id."""

    def facts(self, ids: Iterable[bytes]) -> list[StoredFact]:
        """Facts by ids, in the order given; unknown ones are left out."""

    def numbered(self, numbers: Iterable[int]) -> dict[int, StoredFact]:
        """The facts with these row numbers."""

    def with_key(self, key: bytes) -> list[StoredFact]:
        """All facts of one settle key, in no particular order."""

    def between(self, low: bytes, high: bytes, limit: int = 20) -> list[StoredFact]:
        """Facts whose id lies in [low, high]."""

    def select(self, where: str, args: Sequence[object] | dict[str, object], limit: int) -> list[StoredFact]:
        """Facts by a condition over f (facts), s and o (entities), h (shown), e (sessions); newest first, then by id."""

    def set_standing(self, n: int, standing: str) -> None:
        """Record what settling says of a fact."""

    def opposite_key_rows(self, predicate: str, subject: Entity, value_key: str) -> list[StoredFact]:
        """Facts of another predicate with the same subject and value."""

    def tags(self, id_: bytes) -> list[str]:
        """The tags of a fact."""

    def evidence(self, id_: bytes) -> list[tuple[str, str]]:
        """(kind, address) of what in the world a fact depends on."""

    def intervals(self, key: bytes) -> list[Row]:
        """What settling says of a key, in time order: (valid_from, valid_to, fact, standing, rung, newest_at, marks) each."""

    def put_intervals(self, key: bytes, rows: Sequence[Row]) -> None:
        """Replace the intervals of a key: (valid_from, valid_to, fact, standing, rung, newest_at, marks) each."""

    def put_links(self, fact: bytes, relation: str, others: Iterable[bytes]) -> None:
        """Replace the links of one relation from a fact."""

    def links(self, id_: bytes) -> list[Row]:
        """(fact, other, relation) of every link that touches a fact."""

    def put_lines(self, rows: Sequence[tuple[Line, str]]) -> None:
        """Add the rendered rows of open facts, each with the text that the index gets."""

    def drop_lines(self, fact: int) -> None:
        """Remove the rendered rows of a fact."""

    def put_verdict(self, v: Verdict) -> bool:
        """Append a verdict; False if it was there."""

    def verdicts(self) -> list[Verdict]:
        """Every verdict, in the order of time and id."""


class Walks(Protocol):
    """Runs walks."""

    def rows(self, walk: Walk, now: int) -> Generator[Hit, None, None]:
        """The rows of a walk in falling order of rank key, then id; read lazily."""

    def count(self, walk: Walk, now: int, limit: int) -> int:
        """How many rows a walk has, counted to `limit`."""

    def weather(self, now: int) -> Weather:
        """What the whole store says about this moment, in one probe of three small indexes."""

    def path_state(self, path: int) -> PathState:
        """The key of a path, and its newest write that is not retracted."""

    def is_cut(self, walk: Walk) -> bool:
        """Did the cap end this walk before its index range did?"""

    def predicates_of(self, subject: int) -> list[str]:
        """The predicates under which a subject has open facts: one step of the index for each."""

    def matches(self, fixed: Sequence[tuple[str, Any]], id_: bytes) -> bool:
        """Does an open fact stand on the index range that these columns name?"""

    def future(self, tests: Sequence[str], args: dict[str, Any], now: int, limit: int) -> list[Hit]:
        """Rows said after the reader's clock, scored as if they were said now. (A plan is not yet true.)"""


class Lookups(Protocol):
    """Finds the entities and sessions that a selector's values name."""

    def numbers(self, key: str, value: Value) -> list[int]:
        """Numbers of entities (s, o, path) or sessions (session) by key, `kind:key` or glob; at most a thousand."""


class Search(Protocol):
    """What the lanes ask a store."""

    def prepare(self) -> None:
        """Call before a search begins its snapshot: what rolls back would take the views of the index with it."""

    def begin(self, now_ms: int, *, with_hypotheses: bool = False) -> None:
        """Call first within the snapshot: what is known of words holds until somebody writes. Facts are open at `now_ms`."""

    def stems(self, text: str) -> list[str]:
        """The words of a text as the index of turns holds them, in order."""

    def stems_of(self, word: str) -> list[str]:
        """The same of a word that is written as the index has it: pairs of characters are not taken apart again."""

    def extent(self) -> tuple[int, int]:
        """How many turns there are, and how many words they have together."""

    def spread(self, stem: str) -> Spread:
        """How a word is spread over the turns. In a large store a common word is counted in the newest turns alone."""

    def rarest(self, index: Literal["work", "fact"], text: str, most: int) -> Sought | None:
        """The rarest words of a text that stand in an index at all; None if none does."""

    def postings(self, stem: str) -> Counter[int]:
        """The turns that hold a word, and how often each does."""

    def count_beginning(self, start: str) -> int:
        """How many turns hold words that begin so, at most (a turn counts once for each such word)."""

    def postings_beginning(self, start: str) -> Counter[int]:
        """The turns that hold words that begin so, and how often."""

    def newest(self, expression: str, cap: int, share: float = 1.0) -> list[int]:
        """At most `cap` turns that match a full-text expression, those archived last first; of the newest share of all turns."""

    def holds_work(self, event: int, expression: str) -> bool:
        """Does this tool call or result match a full-text expression?"""

    def work(self, sought: Sought, cap: int) -> list[tuple[int, float]]:
        """At most `cap` tool calls and results that match, best first, with their score; of common words the newest."""

    def turns(self, events: Iterable[int]) -> dict[int, Turn]:
        """The turns among these events."""

    def around(self, turns: Iterable[int], count: int) -> dict[int, Around]:
        """Each of these turns with up to `count` turns before and after it in its session."""

    def windows(self, turns: Iterable[int], count: int, made: Callable[[Around], W]) -> dict[int, W]:
        """The same, as what `made` makes of each, which is remembered."""

    def latest(self, cap: int) -> list[int]:
        """At most `cap` turns, those archived last first."""

    def speakers(self) -> Speakers:
        """Everybody who has turns, in an order that does not depend on arrival."""

    def said_between(self, since: str, until: str, cap: int) -> list[int]:
        """At most `cap` turns said within a range of time, the latest first."""

    def positions(self, events: Iterable[int]) -> dict[int, Position]:
        """Where each event is shown, and when that was said or done, in the order of its session."""

    def facts_with(self, sought: Sought, cap: int, *, told: bool = True) -> list[tuple[int, int, float]]:
        """(event, fact, score) of at most `cap` open facts that match, best first; of common words the newest."""

    def facts_about(self, name: str, cap: int) -> list[tuple[int, int]]:
        """(event, fact) of at most `cap` open facts about the entity of that name, the newest first."""

    def closed(self, events: Iterable[int]) -> list[tuple[int, int]]:
        """(event, fact) of the facts drawn from these events that no open row tells, in the order of their ids."""

    def open_facts(self, events: Iterable[int]) -> dict[int, int]:
        """For each of these events of which a fact is open, that fact."""

    def replaced(self, events: Iterable[int]) -> list[Replaced]:
        """Which of these events hold facts that others superseded or corrected."""


class Sources(Protocol):
    """Cursors and skips."""

    def named(self, start: str) -> list[str]:
        """The sources whose name begins so."""

    def all(self) -> dict[str, SourceState]:
        """Every source by its uri, in one query: a pass over a thousand unchanged files must be cheap."""

    def find(self, uri: str) -> SourceState | None:
        """One source, if it was read before."""

    def totals(self, reason: str) -> tuple[int, int]:
        """How many records were kept, and how many skipped for one reason, over all sources."""

    def put(self, uri: str, state: SourceState, now: str) -> None:
        """Remember a cursor, in the transaction that stored what it covers."""

    def put_skips(self, uri: str, skips: list[tuple[int, str, str]]) -> None:
        """Remember where a record stands that could not be read: (offset, reason, detail) each."""

    def drop_skips(self, uri: str) -> None:
        """Forget the places in a file that is read again from its start."""

    def skips(self) -> list[tuple[str, int, str, str]]:
        """Everything that could not be read."""


class Transfer(Protocol):
    """Reads every primary row in an order that does not depend on arrival."""

    def erased_at(self, target: bytes) -> str | None:
        """When the thing with that keyed name was erased; None if it was not."""

    def sessions(self) -> Iterator[dict[str, Any]]:
        """Every session by id."""

    def events(self) -> Iterator[tuple[dict[str, Any], bytes, bytes]]:
        """Every event revision by uid and content hash, with its text and raw record."""

    def positions(self) -> Iterator[tuple[str, int, bytes]]:
        """Every sighting by session and seq."""

    def verdicts(self) -> Iterator[Verdict]:
        """Every verdict by id."""

    def tombstones(self) -> Iterator[dict[str, Any]]:
        """Every tombstone by target."""

    def put_tombstone(self, target: bytes, at: str) -> bool:
        """Remember that something was erased; the earliest time is kept. False if that is known."""

    def digest_rows(self) -> Iterator[Row]:
        """What the digest is taken over: primary names and the facts drawn from them, never arrival or row numbers."""

    def counts(self) -> dict[str, int]:
        """How many rows each table has."""


class Traces(Protocol):
    """Sessions from their first record to their last."""

    def sessions(self) -> list[Told]:
        """Every session of which something is archived, by its name."""

    def records(self, session: int) -> Iterator[Recorded]:
        """Every record seen in a session, in order."""

    def spendings(self, start: str, end: str) -> list[Spending]:
        """The records shown with start <= order time < end that tell tokens or a cost, in order."""

    def models(self) -> dict[int, str]:
        """The one model of each session that knows no other."""

    def touches(self, paths: Sequence[int], predicates: Sequence[str]) -> list[int]:
        """The facts with these predicates about files with these numbers, and those that say they were moved."""


class Vectors(Protocol):
    """Vectors and their models. What writes runs inside the caller's transaction."""

    def models(self) -> list[VectorModel]:
        """Every model that has vectors here: the active one, one that is being built, old ones that are being let go."""

    def model(self, state: str) -> VectorModel | None:
        """The active model, or the staged one."""

    def stage(self, name: str, version: str, dimension: int) -> VectorModel:
        """Begin to build a model beside the active one."""

    def activate(self, model: int) -> None:
        """From now on this one answers, and the one before it is old."""

    def retire(self, model: int) -> None:
        """It answers no more; `purge` lets it go."""

    def purge(self, most: int) -> int:
        """Let go of at most `most` vectors of one old model, and of the model with its last one; how many went."""

    def put(self, model: int, vectors: Sequence[Vector]) -> None:
        """Keep vectors of one model; an event has one of each model."""

    def drop(self, events: Iterable[int]) -> None:
        """The events are shown no more in that content: their vectors go, of whatever model."""

    def prune(self) -> None:
        """After a replay: vectors of what is no turn any more go."""

    def count(self, model: int) -> int:
        """How many vectors a model has here."""

    def lacking(self, model: int, after: int, most: int) -> list[tuple[int, int]]:
        """(event, blob of its text) of the next events that were turns and have no vector of this model."""

    def waiting(self, model: int) -> int:
        """How many of what was said have no vector of this model."""

    def said(self) -> int:
        """How many turns get a vector where a model is on."""

    def lacking_among(self, model: int, events: Iterable[int]) -> list[tuple[int, int]]:
        """(event, blob of its text) of those of the events that are turns and have no vector of this model."""

    def signs(self, model: int, after: int) -> Iterator[tuple[bytes, bytes]]:
        """(event numbers of eight bytes, sign bits) of what comes after an event: page by page, then the rest as one."""

    def codes(self, model: int, events: Sequence[int]) -> dict[int, bytes]:
        """The vectors of these events, where there are any."""


class Inspection(Protocol):
    """Looks at a store; changes nothing."""

    def file_faults(self) -> Iterator[Fault]:
        """What the engine itself finds: pages, indexes, constraints, text indexes, references, shapes of tables."""

    def nowhere(self) -> Iterator[tuple[str, str]]:
        """(uid, what is wrong) of primary rows that refer to nothing."""

    def stray(self) -> Iterator[tuple[str, str]]:
        """(id, what it is) of derived rows that belong to nothing."""

    def events(self) -> Iterator[Row]:
        """Every content of every event, without its bytes."""

    def has_call(self, call_id: str, uid: bytes, *, is_result: bool) -> bool:
        """Is a call of an event in the index of calls?"""

    def call_count(self) -> int:
        """How many calls the index has."""

    def shown_of(self, uid: bytes) -> Row | None:
        """(event, session, seq) as it is stored."""

    def unindexed(self) -> Iterator[tuple[str, int, bool]]:
        """(text index, row, is it missing) where an index and its rows differ."""

    def facts(self) -> Iterator[Row]:
        """(id, uid, span start, span end, text hash, literal, method) of every fact, by event."""

    def settle_keys(self) -> Iterator[bytes]:
        """Every settle key."""

    def occurrences(self) -> Iterator[bytes]:
        """Ids of the facts that never settle."""

    def lines_of(self, fact: int) -> list[Line]:
        """The rendered rows of a fact."""
