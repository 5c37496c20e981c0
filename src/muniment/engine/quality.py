"""The verb `doctor --quality`: what the store holds that deserves a look. It reads, and changes nothing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from muniment.engine.core import Engine
from muniment.engine.health import MethodHealth, methods
from muniment.engine.verdicts import VerdictBook
from muniment.gate.intake import MASKED_BY
from muniment.model.english import STOP
from muniment.model.event import AUTHORITY
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.model.kept import Row
from muniment.model.ports import Store
from muniment.model.time import from_ms, to_ms
from muniment.storage.sqlite.census import Census
from muniment.storage.sqlite.quality import QualityReads

SHOWN = 20
"""Ids of one sort that are named; the others are counted."""
_DAY = 86_400_000
_OLD_DAYS = 180
_AGES = ((1, "under a day"), (7, "under a week"), (30, "under a month"), (90, "under three months"))
_COMPARED = 2_000
_ALIKE, _NEAR = 0.5, 0.8
_COMMON = 60
"""A word that so many statements have brings no two of them together."""
_WORD = re.compile(r"[^\W_]+")
_UNKNOWN = "unknown:"


@dataclass(frozen=True, slots=True)
class Sort:
    """How many there are, and the ids of the first."""

    count: int = 0
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Alike:
    """Two open statements with most of their words in common. Nothing merges them."""

    first: str
    second: str
    share: float


@dataclass(frozen=True, slots=True)
class Yield:
    """A method: what was measured of it, and how many facts it has here."""

    name: str
    version: int
    precision: float
    interval: tuple[float, float]
    sample: int
    may_write: bool
    facts: int


@dataclass(frozen=True, slots=True)
class Quality:
    """What deserves a look. Shares are of the open facts; `outside` is what nobody here vouches for or observed."""

    without_evidence: Sort = Sort()
    hypotheses: Sort = Sort()
    hypotheses_by_age: dict[str, int] = field(default_factory=dict)
    contested: tuple[tuple[str, str], ...] = ()
    never_confirmed: Sort = Sort()
    alike: tuple[Alike, ...] = ()
    alike_by_share: dict[str, int] = field(default_factory=dict)
    origins: dict[str, float] = field(default_factory=dict)
    outside: float = 0.0
    methods: tuple[Yield, ...] = ()
    proposed: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    writes_per_100_turns: float = 0.0
    masks: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)


def quality(engine: Engine) -> Quality:
    """Look at the store of this workspace."""
    store = engine.store()
    with store.reading():
        return _read(engine, store)


def _read(engine: Engine, store: Store) -> Quality:
    reads, census, now = QualityReads(store.db), Census(store.db), to_ms(engine.now())
    pairs = list(_alike(reads.stated(_COMPARED)))
    guesses = reads.hypotheses()
    origins, turns = reads.origins(), reads.turns()
    total = max(sum(origins.values()), 1)
    near = sorted((p for p in pairs if p.share >= _NEAR), key=lambda p: (-p.share, p.first, p.second))
    return Quality(
        _sort(reads.without_evidence()), _sort(guesses), _by_age(guesses, now),
        tuple((show(a), show(b)) for a, b in reads.contested()), _sort(_never_confirmed(store, reads, now)),
        tuple(near[:SHOWN]), _by_share(pairs), {o: round(n / total, 4) for o, n in origins.items()},
        round(sum(n for o, n in origins.items() if AUTHORITY[o] == 0 or o in ("agent", "repository")) / total, 4),
        tuple(_yields(reads.methods())), reads.proposals(), turns, round(100 * reads.told() / max(turns, 1), 2),
        _flags(census, MASKED_BY), _flags(census, _UNKNOWN),
    )  # fmt: skip


def _sort(rows: Sequence[Row]) -> Sort:
    return Sort(len(rows), tuple(show(row[0]) for row in rows[:SHOWN]))


def _by_age(guesses: Iterable[Row], now: int) -> dict[str, int]:
    found: Counter[str] = Counter()
    for _, at in guesses:
        days = (now - to_ms(at)) / _DAY
        found[next((name for most, name in _AGES if days < most), "older")] += 1
    return {name: found[name] for name in (*(name for _, name in _AGES), "older") if found[name]}


def _never_confirmed(store: Store, reads: QualityReads, now: int) -> list[Row]:
    """Old states that were said once, and that nobody confirmed since."""
    book = VerdictBook(store.facts.verdicts())
    found = []
    for row in reads.old(from_ms(now - _OLD_DAYS * _DAY)):
        rows = [f.row for f in store.facts.with_key(row[2]) if f.row.value_key == row[3]]
        claims = {claim for f in rows for claim in book.claims(f)}
        if len(rows) == 1 and not any(v.action == Action.CONFIRM for c in claims for v in book.on(c)):
            found.append(row)
    return found


def _alike(rows: Sequence[Row]) -> Iterator[Alike]:
    """Pairs of one predicate that share half of their words or more: found by the words that few of them have."""
    words = [(predicate, _words(value)) for _, predicate, _, value in rows]
    holders: dict[tuple[str, str], list[int]] = defaultdict(list)
    for n, (predicate, each) in enumerate(words):
        for word in sorted(each):
            holders[predicate, word].append(n)
    met = {
        (a, b) for held in holders.values() if len(held) <= _COMMON for i, a in enumerate(held) for b in held[i + 1 :]
    }
    for a, b in sorted(met):
        share = len(words[a][1] & words[b][1]) / len(words[a][1] | words[b][1])
        if share >= _ALIKE:
            yield Alike(show(rows[a][0]), show(rows[b][0]), round(share, 3))


def _words(value: str) -> frozenset[str]:
    found = frozenset(_WORD.findall(value.lower()))
    return found - STOP or found


def _by_share(pairs: Iterable[Alike]) -> dict[str, int]:
    counts = Counter(min(int(p.share * 10), 9) for p in pairs)
    return {f"{n / 10:.1f}": counts[n] for n in sorted(counts)}


def _yields(facts: dict[str, int]) -> Iterator[Yield]:
    for m in methods():
        yield Yield(m.name, m.version, m.precision, m.interval, m.sample, m.may_write, facts.get(_name(m), 0))


def _name(method: MethodHealth) -> str:
    return f"{method.name}@{method.version}"


def _flags(census: Census, prefix: str) -> dict[str, int]:
    found: Counter[str] = Counter()
    for _, flag, count in census.flags(prefix):
        found[flag.removeprefix(prefix)] += count
    return dict(sorted(found.items()))
