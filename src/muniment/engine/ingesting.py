"""The verb `ingest`: conversations that no harness wrote, from a chat product, an export or a program.

Who owns a conversation may vouch for the roles in it (`trust="conversation"`, recorded with every event): then the
user's turns are a person's words and the assistant's a model's. Otherwise all of it is an import. Each way has its own
names for sessions, so that the one never changes what the other is worth.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from muniment.archive import parts
from muniment.capture import conversation
from muniment.engine.archiving import Archiving, Archivist
from muniment.engine.core import Caller, Engine
from muniment.engine.given import demand_regular
from muniment.errors import NotFoundError, NothingChangedError, RefusedError, UsageError
from muniment.gate.intake import name, prepare, prepare_session
from muniment.gate.joining import joined
from muniment.model.event import SessionInfo
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.stored import Prepared
from muniment.model.time import canonical

TRUSTS = ("conversation", "import")
"""Who answers for the roles: the owner of the conversation, or nobody."""

Progress = Callable[[int, int, str], None]
"""Called with (bytes or turns done, bytes in all, what)."""

_BATCH = 1_000
_BATCH_BYTES = 4 << 20
_LONGEST = 64 << 20
_TOLD = 20
_NO_JSON = "malformed"
_ELSEWHERE = "other turn there"
_ERASED = "erased"


@dataclass(slots=True)
class IngestReport:
    """What an ingest did. Every turn is kept or skipped for a reason: read = kept + the sum of skipped."""

    read: int = 0
    kept: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    new_events: int = 0
    known_events: int = 0
    changed_events: int = 0
    """Turns that were there, of which something beside the words is new."""
    revised: int = 0
    """Turns that were there with other words: both contents are kept, the newer by `updated_at` is shown."""
    facts: int = 0
    withdrawn: int = 0
    proposed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    sessions: dict[str, str] = field(default_factory=dict)
    """Each session as it was given, and the name its receipts have."""
    ids: list[str] = field(default_factory=list)
    """The facts that came of it."""
    notes: list[str] = field(default_factory=list)
    """The first turns that were skipped or revised, each with its place and why."""


class _Taken(NamedTuple):
    """A turn that passed the first half of the gate, and whether its place in the session was given or counted."""

    number: int
    is_numbered: bool
    event: Prepared


class _Given(NamedTuple):
    """A turn as it comes: its number (of the line, where it is one) from 1, and the object, or why there is none."""

    number: int
    value: Any


def ingest(
    engine: Engine, caller: Caller, turns: Iterable[Any] | Path | BinaryIO, trust: str = TRUSTS[0], *, may_vouch: bool,
    progress: Progress | None = None,
) -> IngestReport:  # fmt: skip
    """Take in turns: a file of JSON Lines, or objects. In batches, each a transaction; once more is harmless.

    RefusedError where the caller may not vouch, NothingChangedError where nothing was new.
    """
    vouched = vouching(trust, caller, may_vouch)
    with ExitStack() as stack:
        uri = None
        if isinstance(turns, Path):
            uri = str(turns.absolute())
            turns = stack.enter_context(_opened(turns))
        given = _lines(turns) if hasattr(turns, "readline") else _objects(turns)
        ingester = _Ingester(engine, vouched, uri)
        size = Path(uri).stat().st_size if uri else 0
        while ingester.take(islice(given, _BATCH)):
            if progress is not None:
                progress(turns.tell() if uri else ingester.report.read, size, uri or "turns")  # type: ignore[union-attr]
    _demand_effect(ingester.report, uri)
    return ingester.report


def vouching(trust: str, caller: Caller, may_vouch: bool) -> bool:
    """L2: an agent's word about roles counts no more than any other word of it."""
    if trust not in TRUSTS:
        raise UsageError(f"unknown trust {trust!r}", hint="trust: " + ", ".join(TRUSTS), about="trust")
    if trust == "conversation" and not may_vouch:
        message = f"a caller of origin {caller.origin} cannot vouch for who said what in a conversation"
        raise RefusedError(message, hint="take it in with trust import, or let its owner do it", about="trust")
    return trust == "conversation"


class _Ingester:
    """Reads turns, batch by batch, and counts every one."""

    def __init__(self, engine: Engine, vouched: bool, uri: str | None) -> None:
        self._engine = engine
        self._vouched = vouched
        self._uri = uri and name(uri)
        self._counts: dict[str, tuple[int, bool | None]] = {}
        self.report = IngestReport()

    def take(self, given: Iterable[_Given]) -> bool:
        """One batch, stored in one transaction; False at the end."""
        read, size = 0, 0
        taken: list[_Taken] = []
        for turn in given:
            read += 1
            event = self._event(turn)
            if event is not None:
                taken.append(event)
                size += len(event.event.raw)
            if size >= _BATCH_BYTES:
                break
        self.report.read += read
        if taken:
            self._write(taken)
        return read > 0

    @property
    def _store(self) -> Store:
        """Made with the first turn that can be kept."""
        return self._engine.store(create=True)

    def _event(self, given: _Given) -> _Taken | None:
        turn = given.value
        if not isinstance(turn, conversation.Refused):
            turn = conversation.read(turn, lambda value: canonical(value, self._engine.settings.zone))
        if isinstance(turn, conversation.Refused):
            self._refused(given, turn)
            return None
        seq = self._seq(turn.session, turn.seq)
        if seq is None:
            self._skip(given.number, "bad seq", f"session {turn.session} has turns with seq and turns without")
            return None
        event = conversation.event(turn, seq, vouched=self._vouched)
        if turn.session not in self.report.sessions and name(event.session) != event.session:
            self._skip(given.number, "secret session", "its name looks like a secret and would be masked; give another")
            return None
        self.report.sessions.setdefault(turn.session, event.session)
        vouched = "conversation" if self._vouched else None
        return _Taken(given.number, turn.seq is not None, prepare(event, conversation.HARNESS, parts.encode, vouched))

    def _seq(self, session: str, seq: int | None) -> int | None:
        """The turn's place in its session; None where some of a session's turns are numbered and some are not."""
        count, is_numbered = self._counts.get(session, (0, None))
        if is_numbered is None:
            is_numbered = seq is not None
        self._counts[session] = (count + 1, is_numbered)
        if is_numbered != (seq is not None):
            return None
        return count if seq is None else seq

    def _refused(self, given: _Given, refused: conversation.Refused) -> None:
        self._skip(given.number, refused.reason, refused.detail)
        session = None if isinstance(given.value, conversation.Refused) else conversation.session_of(given.value)
        if session is not None:  # it keeps its place, so that it can be put right without moving those after it
            count, is_numbered = self._counts.get(session, (0, None))
            self._counts[session] = (count + 1, is_numbered)

    def _skip(self, number: int, reason: str, detail: str) -> None:
        self.report.skipped[reason] += 1
        self._note(number, f"{reason}{f': {name(detail)}' if detail else ''}")

    def _note(self, number: int, text: str) -> None:
        if len(self.report.notes) < _TOLD:
            self.report.notes.append(f"{'line' if self._uri else 'turn'} {number}: {text}")

    def _write(self, taken: list[_Taken]) -> None:
        seen: dict[bytes, bytes] = {}
        kept = [each.event for each in taken if self._fits(each, seen)]
        sessions = {key: (self._info(key), None) for key in dict.fromkeys(e.session for e in kept)}
        done = Archivist(self._store).write(sessions, kept, durable=True)
        self._tell(done)
        self.report.kept += len(kept) - done.erased
        if done.erased:
            self.report.skipped[_ERASED] += done.erased

    def _info(self, session: str) -> SessionInfo:
        return prepare_session(SessionInfo(session, conversation.HARNESS), self._uri)

    def _fits(self, taken: _Taken, seen: dict[bytes, bytes]) -> bool:
        """Another text under a seq that was given is an edit. Under one that was counted it is another conversation."""
        number, is_numbered, event = taken
        known = [content for _, content in self._store.events.revisions(event.uid)]
        known += [seen[event.uid]] if event.uid in seen else []
        is_other = bool(known) and event.content_hash not in known and not self._differs_in_masks(event)
        if is_other and not is_numbered:
            detail = f"{event.session}:{event.seq} holds other words; give each turn its seq"
            self._skip(number, _ELSEWHERE, detail)
            return False
        if is_other:
            self.report.revised += 1
            self._note(number, f"{event.session}:{event.seq} was there with other words; both are kept")
        seen[event.uid] = event.content_hash
        return True

    def _differs_in_masks(self, event: Prepared) -> bool:
        rows = self._store.events.revisions(event.uid)
        return any(joined(event, self._store.prepared(n), parts.encode) is not None for n, _ in rows)

    def _tell(self, done: Archiving) -> None:
        report, derived = self.report, done.derived
        report.new_events += done.new
        report.known_events += done.seen
        report.changed_events += done.changed
        report.facts += len(derived.stored)
        report.ids.extend(map(show, derived.stored))
        report.withdrawn += len(derived.withdrawn)
        report.proposed += derived.proposed
        report.refused.update(derived.refused)


def _demand_effect(report: IngestReport, uri: str | None) -> None:
    """L9: an ingest that added nothing says so."""
    if report.new_events or report.changed_events:
        return
    about = uri or "turns"
    if not report.read:
        raise NothingChangedError("there are no turns", hint="one object a turn, with session and text", about=about)
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(report.skipped.items()))
    told = f"{report.read} turns read, {report.known_events} of them known{f'; skipped: {reasons}' if reasons else ''}"
    raise NothingChangedError(
        f"nothing was new: {told}", hint=report.notes[0] if report.notes else "it is all here already", about=about
    )


# --- what comes in ------------------------------------------------------------


def _opened(path: Path) -> BinaryIO:
    if path.is_dir():
        raise UsageError(f"{path} is a folder", hint="name a file of JSON Lines, one turn a line", about=str(path))
    if not path.exists():
        raise NotFoundError(f"no such file: {path}", hint="name a file of JSON Lines, one turn a line", about=str(path))
    demand_regular(path)
    return path.open("rb")


def _objects(turns: Iterable[Any]) -> Iterator[_Given]:
    if isinstance(turns, str | bytes) or hasattr(turns, "keys") or not hasattr(turns, "__iter__"):
        message = f"turns are a list (or any iterable) of turns, or a path, not {type(turns).__name__}"
        raise UsageError(message, hint='[{"session": "s", "speaker": "Ana", "text": "..."}]', about="turns")
    for number, value in enumerate(turns, 1):
        yield _Given(number, value)


def _lines(stream: Any) -> Iterator[_Given]:
    """The objects of JSON Lines; blank lines are none. A line beyond all measure is passed over, not held."""
    number = 0
    while line := stream.readline(_LONGEST):
        number += 1
        if len(line) >= _LONGEST and not line.endswith(b"\n"):
            size = len(line)
            while (piece := stream.readline(_LONGEST)) and not piece.endswith(b"\n"):
                size += len(piece)
            yield _Given(number, conversation.Refused("oversize", f"{size + len(piece)} bytes"))
        elif line.strip():
            yield _Given(number, _object(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line))


def _object(line: bytes) -> Any:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return conversation.Refused(_NO_JSON, str(error))
    return value if isinstance(value, dict) else conversation.Refused(_NO_JSON, "it is no JSON object")
