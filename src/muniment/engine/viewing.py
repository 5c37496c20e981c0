"""The verbs `wake` and `timeline`, and rows as Markdown: what views show, gathered from the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from muniment.engine import covering
from muniment.engine.core import Engine
from muniment.engine.doing import timeline
from muniment.engine.extraction import OWN_HARNESS
from muniment.model.activity import Span
from muniment.model.ids import show
from muniment.model.stored import Hit, StoredFact
from muniment.model.time import from_ms, to_ms
from muniment.model.vocabulary import predicates_of
from muniment.recall.answer import Answer
from muniment.storage.sqlite.activity import ActivityTable
from muniment.storage.sqlite.walk import Walk
from muniment.views import markdown as lists
from muniment.views import wake as waking
from muniment.views.wake import Entry, Header, Section
from muniment.views.words import counted

__all__ = ["WAKE_BUDGET", "markdown", "timeline", "timeline_text", "wake"]

WAKE_BUDGET = 4096
_DEPTH = 120
"""Rows of one predicate that are looked at, in the order of their rank; what is old enough to fall off is not news."""
_ASKED, _DECIDED, _DONE, _COMMITS, _STALE = 5, 10, 12, 5, 10
_STATES = ("requires", "prefers", "avoids", "practises", "uses", "targets")


def wake(engine: Engine, budget: int = WAKE_BUDGET) -> str:
    """What a new session should know, framed as quoted records, in at most `budget` bytes; empty where nothing fits."""
    store = engine.store()
    with store.reading():
        return _Waking(engine).text(budget)


def markdown(answer: Answer) -> str:
    """The rows of an answer as a Markdown list with receipts. The budget was kept by the rows, not by this form."""
    left = f"{answer.left_out}{'' if answer.left_out_is_exact else '+'} more" if answer.left_out else ""
    return lists.listing((found.row for found in answer.found), left)


def timeline_text(engine: Engine, when: str | None = None, budget: int | None = None) -> str:
    """`timeline` as text alone; without a time, today's."""
    return timeline(engine, when or "today", budget).text


class _Waking:
    """One wake view, over one snapshot."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._store = engine.store()
        self._now = engine.now()
        self._freshness = engine.freshness()
        self._freshness.begin(self._store)

    def text(self, budget: int) -> str:
        """The view within so many bytes."""
        return waking.render(self._header(), list(self._sections()), self._engine.settings.zone, budget)

    def _header(self) -> Header:
        spans = ActivityTable(self._store.db).spans()
        counts = self._store.transfer.counts()
        states = self._store.sources.all()
        read, kept = sum(s.read for s in states.values()), sum(s.kept for s in states.values())
        worked = [s for s in spans if s.harness != OWN_HARNESS]
        own = len(spans) - len(worked)
        told = [
            counted(counts["sessions"] - own, "session"),
            *([counted(own, "command given here", "commands given here")] if own else []),
            counted(counts["events"], "event"),
            counted(counts["facts"], "fact"),
        ]
        told.append(f"records read {read:,} = kept {kept:,} + skipped {read - kept:,}")
        behind = covering.unread(states)
        told += [f"{counted(len(behind), 'source holds', 'sources hold')} more than was read"] if behind else []
        last = max(worked, key=lambda s: (s.last_at, s.id), default=None)
        return self._titled(last, ", ".join(told))

    def _titled(self, last: Span | None, counts: str) -> Header:
        name = self._engine.workspace.name
        if last is None:
            return Header(name, self._now, "", None, "", counts)
        who = f"{last.id} ({last.harness})"
        return Header(name, self._now, who, last.last_at, f"{last.id}:{last.last_seq}", counts)

    # -- sections

    def _sections(self) -> Iterator[Section]:
        yield Section("asked last", self._asked(), "muniment query 'p:asked origin:person'")
        yield Section(
            "decided and in force", self._in_force(), "muniment query 'type:decision,preference,procedure,fact'"
        )
        yield Section("done last, failures first", self._done(), "muniment query 'p:ran,touched'")
        yield Section("test runs", self._newest("passed", 3), "muniment query 'p:passed'")
        yield Section("commits", self._newest("committed", _COMMITS), "muniment query 'p:committed'")
        yield Section("stale or suspect", self._stale(), "muniment query 'standing:suspect'")

    def _asked(self) -> list[Entry]:
        found = self._facts(self._open("asked", ("l.origin = 'person'",)))
        return [_entry(f, words="") for f in _by_time(found)[:_ASKED]]

    def _in_force(self) -> list[Entry]:
        """Decisions first, then confirmed states by rank."""
        decided = self._facts(h for p in ("decided", "rejected") for h in self._open(p))
        states = [p for t in ("fact", "preference", "procedure", "pattern") for p in predicates_of(t)]
        hits = sorted(h for p in states for h in self._open(p))
        held = [_entry(f, at=from_ms(h.from_ms)) for h in hits for f in self._facts([h])]
        return [_entry(f) for f in _by_time(decided)[:_DECIDED]] + held

    def _done(self) -> list[Entry]:
        """The last outcome of each command and the last write of each file; what failed stands first."""
        facts = _by_time(self._facts([*self._open("ran"), *self._open("touched")]))
        last = list({(f.row.predicate, f.row.value): f for f in reversed(facts)}.values())[::-1]
        newest = _by_time(last)[:_DONE]
        return [_entry(f, marks=self._fresh(f)) for f in sorted(newest, key=lambda f: not _failed(f))]

    def _newest(self, predicate: str, count: int) -> list[Entry]:
        return [_entry(f) for f in _by_time(self._facts(self._open(predicate)))[:count]]

    def _stale(self) -> list[Entry]:
        """Files that are no longer as the newest fact about them says, and states under suspicion."""
        seen = _by_time(self._facts([*self._open("touched"), *self._open("read")]))
        newest = list({f.row.value: f for f in reversed(seen)}.values())
        stale = [_entry(f, marks=marks) for f in _by_time(newest) if (marks := self._fresh(f))]
        doubted = [p for t in ("fact", "preference", "procedure", "pattern") for p in predicates_of(t)]
        suspect = self._facts(h for p in doubted for h in self._open(p, band=1))
        return [_entry(f, marks=("suspect",)) for f in _by_time(suspect)[:_STALE]] + stale[:_STALE]

    # -- rows

    def _open(self, predicate: str, tests: tuple[str, ...] = (), band: int = 0) -> list[Hit]:
        """The best of the open rows of a predicate."""
        walk = Walk((("predicate", predicate),), band, tests=tests, cap=_DEPTH * 10 if tests else None)
        found = []
        rows = self._store.walks.rows(walk, to_ms(self._now))
        for hit in rows:
            found.append(hit)
            if len(found) == _DEPTH:
                rows.close()
                break
        return found

    def _facts(self, hits: Iterable[Hit]) -> list[StoredFact]:
        return self._store.facts.facts(h.id for h in hits)

    def _fresh(self, fact: StoredFact) -> tuple[str, ...]:
        row = fact.row
        number = self._store.facts.find_entity(row.object) if row.anchor and row.object is not None else None
        if row.anchor is None or number is None:
            return ()
        mark = self._freshness.mark(self._store, number, row.anchor, to_ms(row.observed_at))
        return (mark,) if mark else ()


def _by_time(facts: Iterable[StoredFact]) -> list[StoredFact]:
    """Newest first; a total order."""
    return sorted(sorted(facts, key=lambda f: f.row.id), key=lambda f: f.row.observed_at, reverse=True)


def _failed(fact: StoredFact) -> bool:
    words = fact.row.context.split()
    return any(w.startswith("exit:") and w != "exit:0" for w in words)


def _entry(fact: StoredFact, *, words: str | None = None, at: str | None = None, marks: Sequence[str] = ()) -> Entry:
    row = fact.row
    verb = f"{row.predicate}.{row.topic}" if row.topic else row.predicate
    if row.key is not None or row.subject.kind not in ("session", "person"):
        verb = f"{row.subject.key} {verb}"
    receipt = f"{fact.session}:{fact.seq}@{row.span_start}-{row.span_end}"
    own = [] if row.origin in ("person", "tool") else [f"origin:{row.origin}"]
    told = (*marks, *own, *row.context.split())
    return Entry(verb if words is None else words, row.value, at or row.observed_at, receipt, show(row.id), told)
