"""Putting prepared events into the archive and deriving what they imply, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from muniment.archive import parts
from muniment.archive.turns import searchable
from muniment.engine import drafts
from muniment.engine.derive import Derived, Deriver, is_silent
from muniment.engine.vectors import Ahead, VectorWriter
from muniment.engine.verdicts import VerdictBook
from muniment.gate.joining import joined
from muniment.model.event import Origin, Role, SessionInfo
from muniment.model.fact import Archived, Verdict
from muniment.model.kept import EPOCH, Known, Put, Sighted
from muniment.model.ports import Store
from muniment.model.stored import Prepared


@dataclass(slots=True)
class Archiving:
    """What one batch did."""

    new: int = 0
    changed: int = 0
    seen: int = 0
    erased: int = 0
    """Records that were erased here and stay so."""
    derived: Derived = field(default_factory=Derived)


class Archivist:
    """Writes batches into one store. `also` runs last, inside the same transaction; raising there undoes it all."""

    def __init__(self, store: Store) -> None:
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
        ahead = VectorWriter.ahead(self._store, events)
        with self.batch(durable=durable, ahead=ahead) as batch:
            for info, root in sessions.values():
                batch.session(info, root)
            batch.events(events)
            for verdict in verdicts:
                batch.verdict(verdict)
            done = batch.finish()
            if also is not None:
                also(done)
            return done

    @contextmanager
    def batch(self, *, durable: bool, ahead: Ahead | None = None) -> Iterator[Batch]:
        """One writing transaction, for who puts rows down one by one and calls `finish` itself."""
        with self._store.writing(durable):
            self._store.begin_batch()
            yield Batch(self._store, ahead)


class Batch:
    """The state of one writing transaction. What came in is put down at once; `finish` decides what it means.

    `event` is for records that are read: most are new, come in order and are held until they are drawn. `revision` and
    `sighting` are for rows of another store, in any order and number; nothing of them is held but names.
    """

    def __init__(self, store: Store, ahead: Ahead | None = None) -> None:
        self._store = store
        self._vectors = VectorWriter(store, ahead)
        self._sessions: dict[str, tuple[int, str | None, str | None]] = {}
        self._fresh: dict[bytes, Prepared] = {}
        self._order: dict[bytes, str] = {}
        self._first: set[bytes] = set()
        self._again: set[bytes] = set()
        self._moved: set[bytes] = set()
        self._changed: set[bytes] = set()
        self._disordered: set[int] = set()
        self._verdicts: list[Verdict] = []
        self._erased = store.tombstones()
        self._kept_out: set[bytes] = set()
        self._unopened: dict[str, tuple[SessionInfo, str | None]] = {}
        self.done = Archiving()

    def session(self, info: SessionInfo, root: str | None) -> Known:
        """Know a session; if its folder changed, every path in it may have another key. One that was erased is known
        again with the first event in it that is new."""
        if self._erased is not None and self._erased.waits(info.id) and self._find(info.id) is None:
            self._unopened[info.id] = (info, root)
            return Known(-1, False, False)
        return self._put_session(info, root)

    def is_erased(self, uid: bytes) -> bool:
        """Was the event with this name, or the record that this batch had under it, erased?"""
        return uid in self._kept_out or (self._erased is not None and self._erased.holds(uid))

    def _keeps_out(self, event: Prepared) -> bool:
        if self._erased is None or not self._erased.covers(event):
            return False
        self._kept_out.add(event.uid)
        self.done.erased += 1
        return True

    def _find(self, session: str) -> object:
        return self._sessions.get(session) or self._store.events.find_session(session)

    def _put_session(self, info: SessionInfo, root: str | None) -> Known:
        known = self._store.events.put_session(info, root)
        self._sessions[info.id] = (known.n, *self._store.events.session_place(known.n))
        if known.is_moved:
            self._again.update(self._store.events.uids_of_session(known.n))
        return known

    def event(self, event: Prepared) -> None:
        """Archive one event and note what has to be looked at again because of it."""
        if self._keeps_out(event):
            return
        n = self._session_of(event)
        in_order = self._store.events.in_order(n, event.seq)
        event, put = self._put(event)
        order_at = self._store.events.place(n, event.seq, event.uid, event.at)
        is_sighted = order_at is not None
        self._count(put, seen=not is_sighted)
        if is_sighted and (put.is_revised or not in_order):
            self._disordered.add(n)
        if event.uid not in self._first and self._store.events.show_first(event.uid, put.row, n, event.seq):
            self._fresh[event.uid] = event
            self._order[event.uid] = order_at or EPOCH
            self._first.add(event.uid)
            self._store.turns.put(put.row, searchable(event), n, event.seq)
            self._vectors.note(put.row)
        elif put.is_new or put.is_changed or is_sighted:
            self._moved.add(event.uid)
            if is_sighted and self._meets(event, put, n):
                self._again.add(event.uid)

    def events(self, events: Sequence[Prepared]) -> None:
        """The same for many, in order. Those that nobody has seen and that go on with their session, as most do, are
        put down together."""
        if self._erased is not None:
            events = [event for event in events if not self._keeps_out(event)]
        unknown = self._store.events.unknown({e.uid for e in events})
        run: list[Sighted] = []
        for event in events:
            n = self._session_of(event)
            order_at = self._store.events.follow(n, event.seq, event.at) if event.uid in unknown else None
            unknown.discard(event.uid)
            if order_at is not None:
                run.append(Sighted(n, order_at, event))
                continue
            self._append(run)
            run = []
            self.event(event)
        self._append(run)

    def _append(self, run: Sequence[Sighted]) -> None:
        if not run:
            return
        rows = self._store.events.append(run)
        placed = zip(rows, run, strict=True)
        self._store.turns.put_many([(n, searchable(s.event), s.session, s.event.seq) for n, s in placed])
        for n in rows:
            self._vectors.note(n)
        for _, order_at, event in run:
            self._fresh[event.uid] = event
            self._order[event.uid] = order_at
            self._first.add(event.uid)
        self.done.new += len(run)

    def revision(self, event: Prepared) -> Put:
        """Archive one content of an event; where it was seen is told by `sighting`."""
        if self._keeps_out(event):
            return Put(-1, False, False, False)
        _, put = self._put(event)
        self._count(put, seen=True)
        if put.is_new or put.is_changed:
            self._moved.add(event.uid)
        return put

    def sighting(self, session: str, seq: int, uid: bytes) -> bool:
        """Record where an archived event was seen; False if that is known."""
        if self.is_erased(uid):
            return False
        n = self._number(session)
        if self._store.events.place(n, seq, uid, None) is None:
            return False
        self._disordered.add(n)
        self._moved.add(uid)
        self._again.add(uid)
        return True

    def verdict(self, verdict: Verdict) -> bool:
        """Append a verdict; False if it is known, or speaks of what was erased."""
        if self._erased is not None and any(map(self.is_erased, drafts.named(verdict))):
            return False
        is_new = self._store.facts.put_verdict(verdict)
        if is_new:
            self._verdicts.append(verdict)
        return is_new

    def finish(self) -> Archiving:
        """Order, show, derive and settle."""
        for session in sorted(self._disordered):
            self._again.update(self._store.events.reorder(session))
        for uid in sorted(self._moved):
            self._show(uid)
        book = VerdictBook(self._store.facts.verdicts())
        spoken = {u: e for u, e in self._fresh.items() if u not in self._moved and not is_silent(e, book)}
        deriver = Deriver(self._store, book, {u: self._archived(e) for u, e in spoken.items()})
        again = self._again | (self._moved & self._fresh.keys())
        self.done.derived = deriver.run(again, self._verdicts, self._first)
        self._vectors.write()
        return self.done

    def _session_of(self, event: Prepared) -> int:
        return self._number(event.session, SessionInfo(event.session, event.harness))

    def _number(self, session: str, info: SessionInfo | None = None) -> int:
        """The number of a session, which is put down now if nothing of it was kept so far."""
        known = self._sessions.get(session)
        if known is not None:
            return known[0]
        told = self._unopened.pop(session) if info is None else self._unopened.pop(session, (info, None))
        return self._put_session(*told).n

    def _put(self, event: Prepared) -> tuple[Prepared, Put]:
        """Archive a content, joined with those that differ from it only in what is masked."""
        known = self._store.events.revisions(event.uid)
        gone: list[int] = []
        if known and all(content != event.content_hash for _, content in known):
            event, gone = self._joined(event, known)
        put = self._store.events.put_revision(event, known)
        if put.is_new:
            self._store.events.put_calls(event.uid, event.calls, event.results)
        for n in gone:
            self._store.events.drop_revision(n)
        if gone:
            self._show(event.uid)  # at once: a row number that became free may be given to another event
            self._again.add(event.uid)
        if put.is_revised and (put.is_new or put.is_changed):
            self._disordered.update(self._store.events.sessions_of(event.uid))
        if put.is_changed:
            self._again.add(event.uid)
            self._changed.add(event.uid)
        return event, put

    def _joined(self, event: Prepared, known: Sequence[tuple[int, bytes]]) -> tuple[Prepared, list[int]]:
        """The union of masks with every content that differs in nothing else, and the rows that it replaces."""
        rest = {n: self._store.prepared(n) for n, _ in known}
        gone: list[int] = []
        while True:
            found = next(((n, u) for n, r in rest.items() if (u := joined(event, r, parts.encode)) is not None), None)
            if found is None:
                return event, gone
            n, event = found
            if rest.pop(n).content_hash != event.content_hash:
                gone.append(n)

    def _count(self, put: Put, *, seen: bool) -> None:
        self.done.new += put.is_new
        self.done.changed += put.is_changed
        self.done.seen += seen and not put.is_new and not put.is_changed

    def _meets(self, event: Prepared, put: Put, session: int) -> bool:
        """Does this sighting bring a call together with a result that it was never seen with?

        An event is sighted, not a content of it: where it has several, the current one may name what this one does not.
        """
        meets = self._store.events.meets
        named = self._store.call_ids(event.uid) if put.is_revised else _call_ids(event)
        return any(meets(call_id, event.uid, session, result=not is_result) for call_id, is_result in named)

    def _show(self, uid: bytes) -> None:
        """Show an event where it is seen first, in its current revision; only that one is searchable."""
        shown = self._store.events.show(uid)
        if shown.old is None:
            self._first.add(uid)
        if shown.is_changed:
            self._again.add(uid)
        if shown.old != shown.new or self._is_disowned(uid, shown.new):
            if shown.old is not None:
                self._store.turns.drop(shown.old)
            if shown.new is not None and shown.place is not None:
                self._store.turns.put(shown.new, searchable(self._store.prepared(shown.new)), *shown.place)
                self._vectors.note(shown.new)
        elif shown.is_changed and shown.new is not None and shown.place is not None:
            self._store.turns.move(shown.new, *shown.place)

    def _is_disowned(self, uid: bytes, row: int | None) -> bool:
        """Of words that are here already another record may say that they were put there: then they are nobody's."""
        return uid in self._changed and row is not None and "injected" in self._store.prepared(row).flags.split()

    def _archived(self, event: Prepared) -> Archived:
        n, cwd, root = self._sessions[event.session]
        order_at = self._store.events.order_at(event.uid) if n in self._disordered else self._order[event.uid]
        head = (
            event.uid,
            event.session,
            event.seq,
            event.harness,
            Role(event.role),
            Origin(event.origin),
            event.kind,
            event.text,
        )
        return Archived(
            *head,
            order_at,
            cwd,
            root,
            event.calls,
            event.results,
            tuple(event.flags.split()),
            bool(event.masks),
            event.speaker,
        )


def _call_ids(event: Prepared) -> list[tuple[str, bool]]:
    return [*((c.call_id, False) for c in event.calls), *((r.call_id, True) for r in event.results)]
