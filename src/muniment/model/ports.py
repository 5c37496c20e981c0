"""What the engine asks of a store: one port a group of rows. Every kind of store fulfils all of them, and one suite tests it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # every question loads this module: it costs what `Protocol` costs
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from muniment.errors import MunimentError
    from muniment.model.fact import Archived
    from muniment.model.kept import Row, VectorModel
    from muniment.model.stored import (
        Message,
        Prepared,
        Record,
    )
    from muniment.model.tables import (
        Events,
        Facts,
        Inspection,
        Lookups,
        Search,
        Sources,
        Traces,
        Transfer,
        Turns,
        Vectors,
        Walks,
    )
    from muniment.model.tables_of_truth import Erasure, Evidence
    from muniment.model.tombstones import Tombstones

    Embed = Callable[[VectorModel, Sequence[str]], dict[str, bytes]]
    """Turns texts into vectors of a model."""


class Bare(Protocol):
    """A connection with nothing around it, for reads that have no time to lose."""

    def execute(self, sql: str, args: Sequence[Any] | dict[str, Any] = (), /) -> Any:
        """The rows of one statement, with `fetchone`."""


class Rows(Protocol):
    """An open database: whole transactions and plain rows; what the tables are made of."""

    @property
    def db(self) -> Any:
        """The bare connection (a `Bare`)."""

    @property
    def place(self) -> str:
        """Where the store is, for people."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What `cursor` raises."""

    def close(self) -> None:
        """Close the file. Harmless when closed already."""

    def rows(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """All rows of a query."""

    def one(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Row | None:
        """The first row of a query, or None."""

    def cursor(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """The rows of a query as the engine gives them: whoever reads them turns `failures` into what `failed` says."""

    def journal(self) -> str:
        """How what is written is kept from being torn."""

    def failed(self, error: Exception) -> MunimentError:
        """The engine's error as one of ours."""

    def stream(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """The rows of a query, read as they are asked for."""

    def version(self) -> tuple[int, int]:
        """Changes whenever another connection, or this one, has written."""

    def run(self, sql: str, args: Sequence[Any] | dict[str, Any] = ()) -> int:
        """Execute one statement; the number of rows it changed."""

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute one statement for each row."""

    def insert(self, sql: str, args: Sequence[Any]) -> int:
        """Insert one row; its row number."""

    def last_row(self) -> int:
        """The number of the row inserted last."""

    def reading(self) -> AbstractContextManager[None]:
        """One snapshot for several reads."""

    def decoding(self) -> AbstractContextManager[None]:
        """What was stored can be decoded; where it cannot, its bytes are no longer those that were written."""

    @property
    def is_frozen(self) -> bool:
        """Is it read without locks, since nobody can write beside it?"""

    def is_free(self) -> bool:
        """Would a write at this moment wait for nobody?"""

    def writing(self, durable: bool = True) -> AbstractContextManager[None]:
        """One transaction: all of it or nothing; `durable` waits for the disk."""


class Store(Protocol):
    """All tables of one workspace over one connection."""

    embed: Embed | None
    erasure_key: Callable[[], bytes | None]
    """The key to the names of what was erased; None where this home has none."""

    @property
    def db(self) -> Rows:
        """What the tables are made of."""

    @property
    def events(self) -> Events:
        """Sessions, events and sightings."""

    @property
    def turns(self) -> Turns:
        """The text indexes and the turns."""

    @property
    def facts(self) -> Facts:
        """What is drawn from the archive, and verdicts."""

    @property
    def walks(self) -> Walks:
        """Index walks over the open facts."""

    @property
    def lookup(self) -> Lookups:
        """Entities and sessions by name."""

    @property
    def search(self) -> Search:
        """What the lanes ask."""

    @property
    def sources(self) -> Sources:
        """How far transcripts were read."""

    @property
    def transfer(self) -> Transfer:
        """Primary rows as plain records."""

    @property
    def traces(self) -> Traces:
        """Whole sessions."""

    @property
    def vectors(self) -> Vectors:
        """Vectors and their models."""

    @property
    def evidence(self) -> Evidence:
        """What facts depend on in the world."""

    @property
    def erasure(self) -> Erasure:
        """What lets go of rows for good."""

    def tombstones(self) -> Tombstones | None:
        """What was erased here; None if nothing was, or if the key to its names is not in this home."""

    def tombstones_with_key(self) -> Tombstones:
        """The same, for who is about to erase and has seen to the key."""

    def writing(self, durable: bool = True) -> AbstractContextManager[None]:
        """One transaction: all of it or nothing; `durable` waits for the disk."""

    def reading(self) -> AbstractContextManager[None]:
        """One snapshot for several reads."""

    def close(self) -> None:
        """Let go of the store."""

    def inspection(self) -> Inspection:
        """Looks for what does not fit together."""

    def second(self) -> Store:
        """A second reader of the same store, which does not see what this one has not yet committed."""

    def begin_batch(self) -> None:
        """Call first in every writing transaction: another process may have written since."""

    def archived(self, uid: bytes) -> Archived | None:
        """An event as extractors see it."""

    def all_uids(self) -> list[bytes]:
        """Every event, in an order that does not depend on arrival."""

    def all_sessions(self) -> list[int]:
        """Numbers of every session."""

    def drop_derived(self) -> None:
        """Empty everything that can be replayed."""

    def call_ids(self, uid: bytes) -> list[tuple[str, bool]]:
        """(call id, is it a result) of everything that any content of an event named."""

    def prepared(self, n: int) -> Prepared:
        """One content of an event as the gate made it."""

    def messages(self, session: str, low: int, high: int) -> list[Message]:
        """The events sighted in a session with low <= seq <= high, in order."""

    def records(self, events: Iterable[int]) -> dict[int, Record]:
        """The events with these rows that are shown, with their words."""

    def neighbours(self, session: str, seq: int, count: int) -> tuple[int, int]:
        """The least and greatest seq of the window of `count` events on each side."""

    def source_of(self, session: str) -> str | None:
        """Where the transcript of a session was read from."""

    def blob_problems(self, uid: bytes, digest: Callable[[bytes], bytes]) -> list[str]:
        """What is wrong with the bytes of an event: unreadable, or not what their address says."""
