"""Everything derived, emptied and replayed from what is primary. Runs inside the caller's writing transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from muniment.archive import parts
from muniment.archive.turns import searchable
from muniment.engine.derive import Derived, Deriver
from muniment.engine.verdicts import VerdictBook
from muniment.model.kept import Row
from muniment.model.ports import Store
from muniment.storage.sqlite.transfer import DERIVED_ROWS

Step = Callable[[int, int, str], None]
"""Called with (events done, events in all, what is being done)."""

_Name = tuple[tuple[bool, Any], ...]
_AT_ONCE = 500


def replay(store: Store, step: Step, *, backwards: bool = False) -> None:
    """Order, places, calls, text index, facts, states and rows. `backwards` takes the events in the opposite order."""
    store.drop_derived()
    store.begin_batch()
    uids = sorted(store.all_uids(), reverse=backwards)
    step(0, len(uids), "ordering")
    for session in store.all_sessions():
        store.events.reorder(session)
    for uid in uids:
        store.events.show(uid)
    for uid, written in store.db.stream("SELECT uid, parts FROM events WHERE parts IS NOT NULL"):
        store.events.put_calls(uid, *parts.decode(written))
    for n, session, seq in store.db.rows("SELECT event, session, seq FROM shown ORDER BY event"):
        store.turns.put(n, searchable(store.prepared(n)), session, seq)
    store.vectors.prune()
    _derive(store, uids, step)


def _derive(store: Store, uids: Sequence[bytes], step: Step) -> None:
    """Batch by batch, holding nothing between them but the names of keys; settled once, at the end."""
    deriver, keys = Deriver(store, VerdictBook(store.facts.verdicts())), set[bytes]()
    for start in range(0, len(uids), _AT_ONCE):
        step(start, len(uids), "deriving")
        done = Derived()
        deriver.derive(uids[start : start + _AT_ONCE], done)
        keys |= done.keys
    deriver.settle(keys)
    step(len(uids), len(uids), "settled")


def differences(old: Store, new: Store) -> Iterator[tuple[str, str]]:
    """(what it is about, how it differs) of every derived row that is not the same in both, read side by side."""
    for sort, (width, sql) in DERIVED_ROWS.items():
        left, right = old.db.stream(sql), new.db.stream(sql)
        a, b = next(left, None), next(right, None)
        while a is not None or b is not None:
            if b is None or (a is not None and _name(a, width) < _name(b, width)):
                yield _shown(_name(a or (), width)), f"this {sort} was stored and is not derived"
                a = next(left, None)
            elif a is None or _name(b, width) < _name(a, width):
                yield _shown(_name(b, width)), f"this {sort} is derived and was not stored"
                b = next(right, None)
            else:
                if a != b:
                    yield _shown(_name(a, width)), f"this {sort} was stored with {_changes(a, b)}"
                a, b = next(left, None), next(right, None)


def _name(row: Row, width: int) -> _Name:
    return tuple((cell is not None, cell if cell is not None else 0) for cell in row[1 : 1 + width])


def _shown(name: _Name) -> str:
    cells = (cell for _, cell in name)
    return " ".join(cell.hex() if isinstance(cell, bytes) else str(cell) for cell in cells)


def _changes(a: Row, b: Row) -> str:
    return ", ".join(f"{x!r} for {y!r}" for x, y in zip(a, b, strict=True) if x != y)[:400]
