"""What the world makes doubtful: facts whose evidence changed or is gone, until a person says that they hold all the same.

A pure function of verdicts and of the addresses of facts, so it is the same in whatever order they came. A finding speaks of
every fact that cites the address, whoever stated it: what they lean on is not there any more, and nothing is ended by saying
so. It spreads to other statements of the same value only where whoever cited the address might have overruled them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from muniment.engine import lineage
from muniment.engine.verdicts import VerdictBook
from muniment.model.address import BROKEN
from muniment.model.event import Origin
from muniment.model.fact import Action, Verdict
from muniment.model.ports import Store
from muniment.model.settle import Ruling, outranks
from muniment.model.stored import FactRow, StoredFact

DOUBT = "doubt"
"""The kind of ruling that the world gives."""
_SILENCING = frozenset({Action.CONFIRM.value, Action.RESTORE.value})


class Found(NamedTuple):
    """What a check found: when, in which state, what names that which is there now, and who changed it."""

    at: str
    state: str
    now: str
    by: str

    @property
    def mark(self) -> str:
        """As a row shows it."""
        return f"{self.state}:{self.by or 'outside'}".replace(" ", "_")


def found_in(verdict: Verdict) -> Found:
    """What a verdict of a check says."""
    told = json.loads(verdict.draft)
    return Found(verdict.at, told["state"], told["now"], told["by"])


Parent = Callable[[bytes, str | None], Found | None]
"""Says of a fact, as known at an instant, whether what rests on it can no longer be relied on, and since when."""


class Doubts:
    """The doubts about facts of one store, as known at an instant (None: all that is known)."""

    def __init__(self, store: Store, book: VerdictBook, parent: Parent | None = None) -> None:
        self._store = store
        self._book = book
        self._parent = parent
        self._found: dict[bytes, list[Found]] = {}

    def about(self, facts: Sequence[StoredFact], known: str | None = None) -> dict[bytes, Found]:
        """The doubt that is in force about each of these facts: by what it rests on, or by its own evidence."""
        return {**self._inherited(facts, known), **self._own(facts, known)}

    def _inherited(self, facts: Sequence[StoredFact], known: str | None) -> dict[bytes, Found]:
        """Trust of what derives is the lowest of its lineage, until a person says that it holds all the same."""
        found: dict[bytes, Found] = {}
        parent = self._parent
        if parent is None:
            return found
        for row in (f.row for f in facts):
            told = [parent(id_, known) for id_ in lineage.parents(self._store, row.id)]
            doubts = [doubt for doubt in told if doubt is not None]
            if doubts and not any(at >= max(doubts).at for at in self._silenced(row, known)):
                found[row.id] = max(doubts)
        return found

    def _own(self, facts: Sequence[StoredFact], known: str | None) -> dict[bytes, Found]:
        if not self._book.has(Action.CHECK):
            return {}
        cited = self._store.evidence.cited(f.row.id for f in facts)
        rows = {f.row.id: f.row for f in facts}
        found = {id_: self._doubt(rows[id_], names, known) for id_, names in cited.items()}
        return {id_: doubt for id_, doubt in found.items() if doubt is not None}

    def by(self, name: bytes, facts: Sequence[StoredFact]) -> list[StoredFact]:
        """Those of the facts that the finding at one address makes doubtful."""
        return [f for f in facts if self._doubt(f.row, [name], None) is not None]

    def spread(self, facts: Sequence[StoredFact], own: Mapping[bytes, Found]) -> dict[bytes, Found]:
        """Those and the doubts about statements of the same value in the same key that name no evidence themselves."""
        if not own:
            return {}
        named = self._store.evidence.cited(f.row.id for f in facts)
        rows = [f.row for f in facts]
        found = dict(own)
        for row in rows:
            over = [own[r.id] for r in rows if r.id in own and row.id not in named and _carries(r, row, own[r.id])]
            if over:
                found[row.id] = max(over)
        return found

    def _doubt(self, row: FactRow, names: Iterable[bytes], known: str | None) -> Found | None:
        silenced = self._silenced(row, known)
        doubts = (self._in_force(name, silenced, known) for name in names)
        return max((d for d in doubts if d is not None), default=None)

    def _silenced(self, row: FactRow, known: str | None) -> list[str]:
        """When a person said that the fact holds."""
        spoken = [v for claim in self._book.claims(row) for v in self._book.on(claim)]
        return [
            v.at
            for v in spoken
            if v.action in _SILENCING and v.by == Origin.PERSON and (known is None or v.at <= known)
        ]

    def _in_force(self, name: bytes, silenced: Sequence[str], known: str | None) -> Found | None:
        """The last finding, if it is a bad one and nobody confirmed a fact that knew the same of the world."""
        past = [f for f in self._findings(name) if known is None or f.at <= known]
        if not past or past[-1].state not in BROKEN:
            return None
        last = past[-1]
        first = next(f.at for f in past if (f.state, f.now) == (last.state, last.now))
        return None if any(at >= first for at in silenced) else last

    def _findings(self, name: bytes) -> list[Found]:
        if name not in self._found:
            self._found[name] = [found_in(v) for v in self._book.on(name) if v.action == Action.CHECK]
        return self._found[name]


def rulings(doubts: Mapping[bytes, Found], facts: Sequence[StoredFact]) -> list[Ruling]:
    """Doubts as settling takes them: each about one fact, and whoever repeats it by name."""
    values = {f.row.id: f.row.value_key for f in facts}
    return [Ruling(d.at, DOUBT, values[id_], Origin.TOOL.value, frozenset({id_})) for id_, d in doubts.items()]


def _carries(cites: FactRow, other: FactRow, doubt: Found) -> bool:
    is_same = cites.key is not None and cites.value_key == other.value_key and cites.id != other.id
    return is_same and other.observed_at <= doubt.at and outranks(cites.origin, other.origin)
