"""What `verify` looks at, one check a function: the file, what is primary, and what was derived from it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

from muniment.archive import parts
from muniment.capture.extract import own
from muniment.engine.settling import Settler, intervals_of, standings
from muniment.engine.verdicts import VerdictBook
from muniment.errors import MunimentError
from muniment.gate.intake import content_hash
from muniment.model.fact import Archived
from muniment.model.ids import hash128, hash256, show
from muniment.model.kept import Fault
from muniment.model.ports import Store
from muniment.model.stored import Line, StoredFact

FILE, PRIMARY, DERIVED = "file", "primary", "derived"
MOST = 20
"""Problems of one kind that are named one by one; the rest are counted."""

Found = tuple[str, str]
"""(what it is about, what is wrong)"""


class Problem(NamedTuple):
    """One thing that does not hold. `part` tells what it takes to mend it: derived rows can be replayed, others not."""

    part: str
    about: str
    text: str
    repaired: bool = False

    def as_dict(self) -> dict[str, str | bool]:
        """As `--json` prints it."""
        return self._asdict()


class Checks:
    """All checks over one snapshot of a store. A check that cannot be run is a problem itself."""

    def __init__(self, store: Store, step: Callable[[str], None] = lambda _: None) -> None:
        self._store = store
        self._look = store.inspection()
        self._step = step
        self._faults: list[Fault] | None = None

    def primary(self) -> list[Problem]:
        """What cannot be derived again: the file, the bytes of events, what rows refer to."""
        found = self._run(FILE, "the file", self._file)
        found += self._run(PRIMARY, "events", self._events)
        found += self._run(PRIMARY, "verdicts", self._verdicts)
        return found + self._run(PRIMARY, "positions and verdicts", self._look.nowhere)

    def derived(self) -> list[Problem]:
        """What a rebuild replays: order, places, calls, receipts, settled states, rows and text indexes."""
        found = self._run(DERIVED, "derived tables", self._file_derived)
        for name, check in (
            ("order of sessions", self._order),
            ("places", self._places),
            ("calls", self._calls),
            ("receipts", self._receipts),
            ("rows of nothing", self._look.stray),
            ("states", self._states),
            ("occurrences", self._occurrences),
            ("text indexes", self._indexes),
        ):
            found += self._run(DERIVED, name, check)
        return found

    def _run(self, part: str, name: str, check: Callable[[], Iterator[Found]]) -> list[Problem]:
        self._step(name)
        found: list[Problem] = []
        try:
            listed = iter(check())
            found.extend(Problem(part, about, text) for about, text in itertools.islice(listed, MOST))
            rest = sum(1 for _ in listed)
        except (MunimentError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            return [*found, Problem(part, name, f"cannot be checked: {error}")]
        return [*found, Problem(part, name, f"{rest} more of this kind")] if rest else found

    # -- the file

    def _file(self) -> Iterator[Found]:
        self._faults = list(self._look.file_faults())
        return ((f.about, f.text) for f in self._faults if not f.is_derived)

    def _file_derived(self) -> Iterator[Found]:
        faults = self._faults if self._faults is not None else list(self._look.file_faults())
        self._faults = None
        return ((f.about, f.text) for f in faults if f.is_derived)

    # -- primary

    def _events(self) -> Iterator[Found]:
        """Every blob opens and is what its address says; every content is what it is named by."""
        for _, uid, content, role, origin, kind, at, written, text_blob, raw_blob, speaker in self._look.events():
            about = self._about(uid)
            text = yield from self._bytes(about, "text", text_blob)
            yield from self._bytes(about, "raw record", raw_blob)
            said = (role, origin, kind, at, (text or b"").decode("utf-8", "replace"), written, speaker)
            if text is not None and content_hash(*said) != content:
                yield about, "the event is not what its content hash says"

    def _bytes(self, about: str, name: str, blob: int) -> Generator[Found, None, bytes | None]:
        try:
            data, address = self._store.events.blob(blob)
        except ValueError as error:
            yield about, f"the {name} cannot be read: {error}"
            return None
        if hash256(data) != address:
            yield about, f"the {name} is not what its hash says"
        return data

    def _about(self, uid: bytes) -> str:
        place = self._store.events.place_of(uid)
        return f"{place[0]}:{place[1]}" if place else uid.hex()

    def _verdicts(self) -> Iterator[Found]:
        """A verdict is named by what it decides and by the command that gave it."""
        for verdict in self._store.facts.verdicts():
            if hash128("verdict", verdict.action, verdict.target, verdict.uid) != verdict.id:
                yield self._about(verdict.uid), f"its verdict ({verdict.action}) is not what it is named by"

    # -- derived

    def _order(self) -> Iterator[Found]:
        for session in self._store.all_sessions():
            for seq, uid, stored, true in self._store.events.order_times(session):
                if stored != true:
                    yield f"{uid.hex()} at {seq}", f"its place in time is {true}, not {stored}"

    def _places(self) -> Iterator[Found]:
        for uid in self._store.all_uids():
            true = self._store.events.true_place(uid)
            if self._look.shown_of(uid) != true and true is not None:
                yield uid.hex(), "it is not shown where it was first seen, or not in its current revision"

    def _calls(self) -> Iterator[Found]:
        known: set[tuple[str, bool]] = set()
        count, last = 0, b""
        for _, uid, *_, written, _, _, _ in self._look.events():
            known = known if uid == last else set()
            last = uid
            calls, results = parts.decode(written)
            named = {*((c.call_id, False) for c in calls), *((r.call_id, True) for r in results)} - known
            known |= named
            count += len(named)
            for call_id, is_result in named:
                if not self._look.has_call(call_id, uid, is_result=is_result):
                    yield (
                        self._about(uid),
                        f"the {'result' if is_result else 'call'} {call_id!r} is not in the index of calls",
                    )
        if self._look.call_count() > count:
            yield "calls", f"{self._look.call_count() - count} rows that no event names"

    def _receipts(self) -> Iterator[Found]:
        """Every fact's event opens, and holds the words of the fact at its span."""
        event: Archived | None = None
        for id_, uid, start, end, text_hash, literal, method in self._look.facts():
            if event is None or event.uid != uid:
                event = self._store.archived(uid)
            if event is None:
                yield show(id_), "its receipt does not open"
            elif not 0 <= start <= end <= len(event.text):
                yield show(id_), f"its span {start}-{end} is outside the event's {len(event.text)} characters"
            elif hash128(event.text[start:end]) != text_hash:
                yield show(id_), "the span does not hold the words that the fact was drawn from"
            elif literal is not None and not _says(event.text[start:end], literal, method):
                yield show(id_), "the fact does not say what stands at its receipt"

    def _states(self) -> Iterator[Found]:
        """What is stored of each key is what settling says of its facts."""
        settler = self._settler()
        for key in self._look.settle_keys():
            state = settler.state(key)
            if not state.facts:
                continue
            about = show(min(f.row.id for f in state.facts))
            if self._store.facts.intervals(key) != intervals_of(state):
                yield about, "its key is not settled as its statements say"
            true = standings(state)
            for fact in state.facts:
                if fact.standing != true[fact.row.id]:
                    yield show(fact.row.id), f"it stands as {fact.standing}, not as {true[fact.row.id]}"
            yield from self._lines(state.facts, [line for line, _ in settler.lines_of(state)])

    def _occurrences(self) -> Iterator[Found]:
        settler = self._settler()
        for id_ in self._look.occurrences():
            fact = self._store.facts.fact(id_)
            if fact is None:
                yield show(id_), "its subject or its event is not there"
                continue
            standing, row = settler.occurrence_of(fact)
            if fact.standing != standing:
                yield show(id_), f"it stands as {fact.standing}, not as {standing}"
            yield from self._lines([fact], [row[0]] if row is not None else [])

    def _lines(self, facts: list[StoredFact], true: list[Line]) -> Iterator[Found]:
        """An open fact has its row, and nothing else has one."""
        for fact in facts:
            wanted = sorted((line for line in true if line.fact == fact.n), key=lambda line: (line.from_ms, line.line))
            have = self._look.lines_of(fact.n)
            if len(have) != len(wanted):
                yield show(fact.row.id), f"it has {len(have)} rows among the open facts, not {len(wanted)}"
            elif have != wanted:
                yield show(fact.row.id), "its row among the open facts does not say what the fact says"

    def _indexes(self) -> Iterator[Found]:
        for index, n, is_missing in self._look.unindexed():
            yield index, f"row {n} is {'missing' if is_missing else 'there for nothing'}"

    def _settler(self) -> Settler:
        return Settler(self._store, VerdictBook(self._store.facts.verdicts()))


def _says(words: str, literal: str, method: str) -> bool:
    """A literal is the words at the span; what an agent asserts stands among the words that it quotes."""
    return literal == words or (method.startswith(f"{own.ASSERTED}@") and literal in words)
