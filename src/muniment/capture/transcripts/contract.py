"""The contract of a transcript adapter: what a new harness has to say about itself.

A line-wise harness (JSON Lines) is one function: `record -> events`; `lines.py` does the files. A database or a
single JSON document implements `read` itself. An adapter knows formats and nothing else: no store, no clock, no
network, no environment (it is handed the home folder and the variables it may look at).

What holds for every adapter:

- **read = kept + skipped.** Each raw record gives exactly one `Event` (kept) or is counted in one `Skipped`, whose
  `count` says for how many it stands. Their sum is the rise of `Cursor.ordinal` over a read, plus one if the last line
  was `unfinished`.
- `seq` is the ordinal of the raw record in its file, from 0, and skipped records count: in JSON Lines it is the line
  number (of two records on one line each has its own). A record's session is decided by its file, not by what a copied
  record says, so that `(session, seq)` names one record.
- A record that cannot be read as JSON becomes an `UNKNOWN` event with the flag `malformed` and its raw bytes; one of a
  type nobody knows, an `UNKNOWN` event with the flag `unknown:<type>`. A record known to hold no words is `Skipped`
  with the reason `noise:<type>`.
- `Skipped` reasons: `noise:...`, `own` (a background session of ours), `blank`, `nul`, `oversize` (detail: bytes),
  `malformed` (only while no session is known; detail: the text), `unfinished` (the last line has no newline yet: it is
  seen, left where it is, and read again next time), `unreadable` (count 0; detail: the error).
- Flags: `injected` (put there by the harness, a hook or us: nobody's words), `compaction`, `interrupted`, `malformed`,
  `cost.<n>` (what it cost, in millionths of a dollar, where the harness says so), `cached.<n>` (how many of its tokens in
  came from the provider's cache),
  `unknown:<type>`, `drift` (a known type in a shape that the adapter could not take; the raw bytes are kept), `usage`
  (tokens and no words), `copy` (the head of a copied session), `refused` (the person refused the call), `answer` (the
  person's answers to what the agent asked).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from muniment.model.event import Event, SessionInfo, Skipped


class Cursor(NamedTuple):
    """How far a source has been read. Opaque to everybody but `lines.py` and the adapter that made it.

    `offset` is the byte after the last whole record, `ordinal` the number of raw records so far, `head` and `tail`
    hashes of the first and last bytes before `offset`, `state` what the adapter must remember (JSON values only).
    """

    device: int = 0
    inode: int = 0
    size: int = 0
    mtime_ns: int = 0
    offset: int = 0
    ordinal: int = 0
    head: str = ""
    tail: str = ""
    state: Mapping[str, Any] = {}


class Checkpoint(NamedTuple):
    """Everything yielded since the last checkpoint may be committed, together with this cursor."""

    cursor: Cursor


class Reset(NamedTuple):
    """The source was replaced, rewound or rewritten and is read again from its start (ids make that harmless).

    What was yielded since the last checkpoint is void: the file changed under the reader, so it may be torn.
    """

    reason: str


OWN_MARK = "<muniment"
"""How every frame begins that we put before a model: a block of text that begins so is never captured as words."""

OWN_SESSION = "<muniment-background"
"""How the first prompt of a background session of ours begins: nothing of such a session is captured."""

OWN_SERVER = "muniment"
"""The name of our MCP server in a harness's settings, and of our command."""

Item = Event | SessionInfo | Skipped | Checkpoint | Reset


@dataclass(slots=True)
class Source:
    """One file or database to read, and what the engine lends for it.

    `open_database(path)` gives a read-only connection-like object with `execute(sql, params) -> iterable of tuples` and
    `close()`: adapters never name a database driver. `finished` says that nobody writes to the file any more (the
    engine says so of files that were left alone for ten minutes): a last line without a newline is then a record like
    the others. If it goes on after all, that is a `Reset`.
    """

    path: Path
    open_database: Any = None
    max_record_bytes: int = 64 * 1024 * 1024
    batch_bytes: int = 4 * 1024 * 1024
    extra: dict[str, Any] = field(default_factory=dict)
    finished: bool = False


class Adapter(Protocol):
    """One harness."""

    name: str
    checked: tuple[str, ...]
    """Harness versions whose files were read when this adapter was last checked."""

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """Folders or files where this harness keeps transcripts on `platform` (linux, darwin, win32)."""
        ...

    def sources(self, place: Path) -> Iterator[Path]:
        """The files under `place` (or `place` itself) that this adapter reads, in a stable order."""
        ...

    def recognises(self, path: Path, head: bytes) -> bool:
        """True if the file, by its name and its first bytes, is one of ours (for files named by a person)."""
        ...

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """Everything new since `cursor`, with a `Checkpoint` at least every `batch_bytes` and at the end."""
        ...
