"""The verb `get`: statements that a few words lead to, by the profile that `recall.profile` documents; their use is noted.

What is noted stands in a journal beside the store: it weighs a tenth the next time, and makes no fact newer or truer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from muniment.engine import uses
from muniment.engine.asking import checked
from muniment.engine.core import Engine
from muniment.errors import ReadOnlyStoreError, UsageError
from muniment.gate.masks import mask
from muniment.model.ids import show
from muniment.model.kept import OpenLine
from muniment.model.ports import Store
from muniment.model.stored import StoredFact
from muniment.model.text_index import indexed
from muniment.model.time import to_ms
from muniment.recall import hydrate, profile
from muniment.recall.answer import Found, Hit
from muniment.recall.answer import hit as as_hit
from muniment.recall.lanes.facts import FactLane
from muniment.recall.planning import read_question
from muniment.recall.ranking import rank
from muniment.recall.reading import questions
from muniment.storage.sqlite.memories import MemoryReads

DEFAULT_BUDGET, DEFAULT_LIMIT = 4096, 10
KINDS = frozenset({"fact", "preference", "procedure", "pattern", "decision", "promise", "ingested"})
"""Types of which something is remembered; what was merely done or asked is found by `query` and `search`."""
_CAP = 300
_EVENTS = 60
_BANDS = ("confirmed", "suspect", "hypothesis")


@dataclass(frozen=True, slots=True)
class Got:
    """What was found, best first, in at most `budget` bytes; `reason` says why there is nothing."""

    words: str
    budget: int
    text: str
    hits: tuple[Hit, ...]
    left_out: int
    reason: str | None = None
    warnings: tuple[str, ...] = field(default=())

    @property
    def bytes(self) -> int:
        """The size of the text in UTF-8."""
        return len(self.text.encode("utf-8"))

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


class _Fitting(NamedTuple):
    score: float
    parts: dict[str, float]
    line: OpenLine


def get(
    engine: Engine, words: str, budget: int = DEFAULT_BUDGET, limit: int = DEFAULT_LIMIT, session: str | None = None
) -> Got:  # fmt: skip
    """The statements that fit the words, best first. Those that are shown are noted as returned."""
    if not words.strip():
        raise UsageError("no words to look for", hint="two to four meaningful nouns", about="words")
    if budget < 0 or limit < 1:
        raise UsageError("a budget is not negative and a limit is positive", about="budget" if budget < 0 else "limit")
    store = engine.store()
    store.search.prepare()
    with store.reading():
        getter = _Getter(engine, store, mask(words)[0])
        found = getter.found()
        got = getter.laid(found, budget, limit)
    return _noted(engine, got, session)


def _noted(engine: Engine, got: Got, session: str | None) -> Got:
    try:
        uses.note_all(engine, (hit.id for hit in got.hits), uses.RETURNED, session=session)
    except ReadOnlyStoreError as problem:
        return Got(got.words, got.budget, got.text, got.hits, got.left_out, got.reason, (problem.message,))
    return got


class _Getter:
    """One question over one snapshot."""

    def __init__(self, engine: Engine, store: Store, words: str) -> None:
        self._engine, self._store, self._words = engine, store, words
        self._now = engine.now()
        store.search.begin(to_ms(self._now), with_hypotheses=True)
        self._freshness = engine.freshness()
        self._freshness.begin(store)
        self._reads = MemoryReads(store.db, to_ms(self._now))
        question = questions(read_question(words), self._now, engine.settings.zone)[0]
        self._question = question
        stems = [(tuple(s for form in t.forms for s in store.search.stems(form)), t.weight) for t in question.terms]
        self._asked = {group: weight * self._rarity(group) for group, weight in stems if group}

    def _rarity(self, group: tuple[str, ...]) -> float:
        return profile.rarity(self._store.search.extent()[0], max(self._store.search.spread(s).turns for s in group))

    def found(self) -> list[_Fitting]:
        """Every statement that fits at all, best first; a total order."""
        lines = [line for line in self._reads.lines(self._candidates()) if line.type in KINDS]
        facts = self._store.facts.numbered(line.fact for line in lines)
        counts = uses.counted(self._engine)
        fitting = (self._fitting(line, facts[line.fact], counts) for line in lines if line.fact in facts)
        return sorted((f for f in fitting if profile.is_found(f.parts)), key=lambda f: (-f.score, f.line.hit.id))

    def _candidates(self) -> set[int]:
        """By the lane of facts, by the turns that search finds, and by tags."""
        store = self._store
        ranking = rank(self._words, self._now, self._engine.settings.zone, store.search)
        lane = FactLane().rank(self._question, store.search)
        events = [c.event for c in ranking.candidates[:_EVENTS]]
        wanted = {stem for group in self._asked for stem in group}
        tags = [tag for tag in self._reads.tags() if not wanted.isdisjoint(self._stems(_spoken(tag)))]
        return {
            *ranking.facts.values(), *lane.facts.values(), *self._reads.of_events([*events, *lane.scores], _CAP),
            *self._reads.tagged(tags, _CAP),
        }  # fmt: skip

    def _fitting(self, line: OpenLine, fact: StoredFact, counts: dict[str, int]) -> _Fitting:
        row = fact.row
        words = self._stems(f"{row.subject.key} {row.predicate} {row.topic} {row.value} {row.context}")
        tags = self._stems(" ".join(map(_spoken, self._store.facts.tags(row.id))))
        age = to_ms(self._now) - line.hit.from_ms
        standing = _BANDS[line.hit.band] if line.hit.band < len(_BANDS) else ""
        fit = profile.Fit(words, tags, standing, age, row.key is not None, counts.get(show(row.id), 0))
        parts = profile.parts(self._asked, fit)
        return _Fitting(profile.score(parts), parts, line)

    def _stems(self, text: str) -> frozenset[str]:
        return frozenset(self._store.search.stems(indexed(text)))

    def laid(self, found: list[_Fitting], budget: int, limit: int) -> Got:
        """As many whole rows as fit."""
        rows = [checked(self._freshness, self._store, f.line.hit) for f in found[:limit]]
        taken, left = [], budget
        for row in rows:
            left -= hydrate.size(row) + 1
            if left < 0:
                break
            taken.append(row)
        places = {name: _places([f.parts[name] for f in found]) for name in profile.WEIGHTS}
        hits = tuple(
            _shown(row, f, {name: (places[name][n], f.parts[name]) for name in places})
            for n, (row, f) in enumerate(zip(taken, found, strict=False))
        )
        text = "".join(f"{row}\n" for row in taken)
        reason = None if hits or budget == 0 else _why(found, budget)
        return Got(self._words, budget, text, hits, len(found) - len(hits), reason)


def _why(found: list[_Fitting], budget: int) -> str:
    if found:
        return f"not even the first row fits in {budget} bytes; ask with a larger budget"
    return "no statement holds these words or is tagged with them"


def _shown(row: str, fitting: _Fitting, lanes: dict[str, tuple[int, float]]) -> Hit:
    made = as_hit(Found(row, 0, fitting.line.hit.origin, None), 1)
    return Hit(
        made.id, made.kind, made.receipt, made.text, round(fitting.score, 6), lanes, made.origin, made.role,
        made.standing, made.checked_at, made.marks, made.row,
    )  # fmt: skip


def _places(scores: list[float]) -> list[int]:
    ordered = sorted(set(scores), reverse=True)
    return [ordered.index(score) + 1 for score in scores]


def _spoken(tag: str) -> str:
    return tag.replace(".", " ").replace("_", " ").replace("-", " ")
