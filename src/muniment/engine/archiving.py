"""Putting prepared events into the archive and deriving what they imply, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from muniment.archive.text_index import TOOL_TEXT_CAP, indexed
from muniment.engine.derive import Derived, Deriver
from muniment.engine.verdicts import VerdictBook
from muniment.model.event import Kind, Origin, Role, SessionInfo
from muniment.model.fact import Archived, Verdict
from muniment.model.stored import Prepared
from muniment.storage.sqlite.whole import SqliteStore

_CAPPED = frozenset({Kind.CALL.value, Kind.RESULT.value, Kind.HOOK.value, Kind.UNKNOWN.value})


@dataclass(slots=True)
class Archiving:
    """What one batch did."""

    new: int = 0
    seen: int = 0
    derived: Derived = field(default_factory=Derived)


class Archivist:
    """Writes batches into one store. `also` runs last, inside the same transaction; raising there undoes it all."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    def write(
        self,
        sessions: Mapping[str, tuple[SessionInfo, str | None]],
        events: Sequence[Prepared],
        *,
        durable: bool,
        verdicts: Iterable[Verdict] = (),
        also: Callable[[Archiving], None] | None = None,
    ) -> Archiving:
        """Archive and derive; all of it or nothing."""
        with self._store.writing(durable):
            self._store.begin_batch()
            batch = _Batch(self._store)
            for info, root in sessions.values():
                batch.session(info, root)
            for event in events:
                batch.event(event)
            done = batch.finish(tuple(verdicts))
            if also is not None:
                also(done)
            return done


class _Batch:
    """The state of one transaction."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._sessions: dict[str, tuple[int, str | None, str | None]] = {}
        self._fresh: dict[bytes, Prepared] = {}
        self._again: set[bytes] = set()
        self._moved: set[bytes] = set()
        self._disordered: set[int] = set()
        self._done = Archiving()

    def session(self, info: SessionInfo, root: str | None) -> int:
        """Know a session; if its folder changed, every path in it may have another key."""
        n, moved = self._store.events.put_session(info, root)
        self._sessions[info.id] = (n, *self._store.events.session_place(n))
        if moved:
            self._again.update(self._store.events.uids_of_session(n))
        return n

    def event(self, event: Prepared) -> None:
        """Archive one event and note what has to be looked at again because of it."""
        known = self._sessions.get(event.session)
        n = known[0] if known else self.session(SessionInfo(event.session, event.harness), None)
        in_order = self._store.events.in_order(n, event.seq)
        row, is_new, is_sighted = self._store.events.put_event(event, n)
        if not is_new and not is_sighted:
            self._done.seen += 1
            return
        self._done.new += is_new
        if not in_order:
            self._disordered.add(n)
        if event.uid in self._fresh or not self._store.events.show_first(event.uid, row, n, event.seq):
            self._moved.add(event.uid)
        else:
            self._fresh[event.uid] = event
        if is_new:
            self._store.events.put_calls(event)
            self._store.events.index_text(row, indexed(searchable(event.kind, event.text)))

    def finish(self, verdicts: Sequence[Verdict]) -> Archiving:
        """Order, show and derive."""
        for session in sorted(self._disordered):
            self._again.update(self._store.events.reorder(session))
        for uid in self._moved:
            if self._store.events.show(uid):
                self._again.add(uid)
        book = VerdictBook(self._store.facts.verdicts())
        for verdict in verdicts:
            self._store.facts.put_verdict(verdict)
            book.add(verdict)
        fresh = {u: self._archived(e) for u, e in self._fresh.items() if u not in self._moved}
        deriver = Deriver(self._store, book)
        self._done.derived = deriver.run(fresh, self._again | (self._moved & set(self._fresh)))
        deriver.apply(verdicts)
        return self._done

    def _archived(self, event: Prepared) -> Archived:
        _, cwd, root = self._sessions[event.session]
        order_at = self._store.events.order_at(event.uid)
        head = (event.uid, event.session, event.seq, event.harness, Role(event.role), Origin(event.origin), event.kind, event.text)
        return Archived(*head, order_at, cwd, root, event.calls, event.results, tuple(event.flags.split()), bool(event.masks))


def searchable(kind: str, text: str) -> str:
    """What of an event's text goes into the index: all of what people and agents say, the head of tool text."""
    return text[:TOOL_TEXT_CAP] if kind in _CAPPED else text
