"""The verb `search`: words to hits. Ranked by lanes, put in order by what is true, refused where nothing answers, laid out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.engine import place as places
from muniment.engine.answering import SEEN, Choice, Door, Form, Laid, abstain, lay_out, placed
from muniment.engine.core import Engine
from muniment.engine.place import Place
from muniment.errors import UsageError
from muniment.model.ids import show
from muniment.model.stored import Record, StoredFact
from muniment.model.time import to_ms
from muniment.recall.found import Explained, Finding, Placed
from muniment.recall.fusion import WEIGHTS, Candidate, Method
from muniment.recall.ranking import Ranking, rank
from muniment.storage.sqlite.events import EPOCH
from muniment.views.found import statement

__all__ = ["DEFAULT_BUDGET", "DEFAULT_LIMIT", "Asking", "Finding", "search"]

DEFAULT_BUDGET = 4096
DEFAULT_LIMIT = 10
"""Rows where the caller does not say how many: they cost about 450 tokens."""
_BEHIND = 20
"""Candidates read beyond those that are asked for, since some fall away."""
_NOTHING = "no word of the question stands in this store"
_NO_WORDS = "the question has no words to look for"
_QUIET = frozenset({"session", "person"})
_INCLUDABLE = ("hypothesis", "superseded")


@dataclass(frozen=True, slots=True)
class Asking:
    """How a search is to be answered, beside its words."""

    budget: int = DEFAULT_BUDGET
    limit: int | None = None
    cursor: str | None = None
    include: Sequence[str] = ()
    explain: bool = False
    why_not: str | None = None
    floor: bool = True
    unseen: str | None = None
    door: Door = Door.SHELL
    method: Method = "weighted"


_PLAIN = Asking()


def search(engine: Engine, words: str, asking: Asking = _PLAIN) -> Finding:
    """What the store holds about `words`, best first, within the budget; or that it holds nothing, and why."""
    if asking.budget < 0:
        raise UsageError(f"a budget cannot be negative: {asking.budget}", hint="0 gives only the handle")
    if asking.limit is not None and asking.limit < 1:
        raise UsageError(f"a limit must be positive: {asking.limit}", about="limit")
    unknown = [name for name in asking.include if name not in _INCLUDABLE]
    if unknown:
        raise UsageError(f"cannot include {unknown[0]!r}", hint="include: " + ", ".join(_INCLUDABLE), about=unknown[0])
    include, now = tuple(sorted(set(asking.include))), engine.now()
    place = (
        places.decode(asking.cursor)
        if asking.cursor
        else Place(words, now, include=include, floor=asking.floor, unseen=asking.unseen)
    )
    return _Search(engine, place, asking).answer()


class _Search:
    """One search over one snapshot."""

    def __init__(self, engine: Engine, place: Place, asking: Asking) -> None:
        self._engine = engine
        self._store = engine.store()
        self._place = place
        self._asking = asking
        self._filtered: dict[str, int] = {}

    def answer(self) -> Finding:
        """Rank, read what may be shown, lay it out."""
        reads, place = self._store.search, self._place
        reads.prepare()
        with self._store.reading():
            reads.begin(to_ms(place.now), with_hypotheses="hypothesis" in place.include)
            ranking = rank(place.words, place.now, self._engine.settings.zone, reads, method=self._asking.method)
            choices = self._unseen(self._choices(ranking))
        form = self._form(ranking)
        reason = self._refused(ranking)
        laid = Laid(abstain(form, reason, choices[0] if choices else None)) if reason else lay_out(choices, form)
        return self._told(laid, ranking, choices)

    def _refused(self, ranking: Ranking) -> str | None:
        """Why nothing is shown, if so."""
        if not ranking.candidates:
            return _NOTHING if ranking.parts[0].terms else _NO_WORDS
        return None

    # -- what may be shown

    def _choices(self, ranking: Ranking) -> list[Choice]:
        wanted = self._place.shown + (self._asking.limit or DEFAULT_LIMIT) + _BEHIND
        top = ranking.candidates[:wanted]
        read = self._store.records(c.event for c in top)
        facts = self._store.facts.numbered(ranking.facts[c.event] for c in top if c.event in ranking.facts)
        return [_choice(c, read[c.event], facts.get(ranking.facts.get(c.event, 0))) for c in top if c.event in read]

    def _unseen(self, choices: list[Choice]) -> list[Choice]:
        """What the named session already received stays out."""
        if self._place.unseen is None:
            return choices
        from muniment.engine.deliveries import given

        known = given(self._engine, self._place.unseen)
        return [replace(c, fate=SEEN) if not c.fate and known.holds(c.id, c.receipt) else c for c in choices]

    def _form(self, ranking: Ranking) -> Form:
        place, asking = self._place, self._asking
        forms = tuple(dict.fromkeys(form for part in ranking.parts for term in part.terms for form in term.forms))
        return Form(
            place.words, lambda count, last: place.after(count, last).encode(), asking.budget, forms,
            asking.limit or DEFAULT_LIMIT, self._engine.settings.zone, place.shown, place.last, asking.door,
            is_partial=ranking.is_partial,
        )  # fmt: skip

    def _told(self, laid: Laid, ranking: Ranking, choices: Sequence[Choice]) -> Finding:
        """The answer with what was asked about it."""
        finding, asking = laid.finding, self._asking
        if not asking.explain and asking.why_not is None:
            return finding
        fates = laid.fates or ("below the floor",) * len(choices)
        listed = (*placed(choices, fates), *_below(ranking.candidates[len(choices) :]))
        if asking.explain:
            finding = replace(finding, explained=_explained(ranking, listed, self._filtered))
        if asking.why_not is not None:
            from muniment.engine.absence import why_not

            stems = self._store.search.stems
            told = why_not(
                self._engine, asking.why_not, self._place.words, listed, session=self._place.unseen, stems=stems
            )
            finding = replace(finding, why_not=told)
        return finding


def _choice(candidate: Candidate, record: Record, fact: StoredFact | None) -> Choice:
    """An event as it was said; or the fact that was drawn from it, where that is what was found."""
    common = (candidate.score, candidate.lanes)
    if fact is None:
        return Choice(
            "event", record.receipt, record.text, *common, record.role, record.origin, speaker=record.speaker or "",
            at=_time(record.at),
        )  # fmt: skip
    row = fact.row
    receipt = f"{record.receipt}@{row.span_start}-{row.span_end}"
    subject = "" if row.subject.kind in _QUIET else row.subject.key
    text = statement(row.predicate, row.topic, subject, row.value)
    return Choice(
        "fact", receipt, text, *common, row.role, row.origin, show(row.id), record.speaker or "",
        _time(row.observed_at), fact.standing,
    )  # fmt: skip


def _time(at: str) -> str | None:
    return None if at == EPOCH else at


def _below(candidates: Sequence[Candidate]) -> tuple[Placed, ...]:
    """Candidates that were ranked and not read."""
    return tuple(Placed(f"#{c.event}", f"#{c.event}", c.score, c.lanes, "below") for c in candidates)


def _explained(ranking: Ranking, listed: tuple[Placed, ...], filtered: Mapping[str, int]) -> Explained:
    whole = ranking.parts[0]
    return Explained(
        whole.shape, tuple(part.words for part in ranking.parts[1:]), tuple(term.forms[0] for term in whole.terms),
        ranking.unknown, tuple((r.since, r.until) for r in whole.ranges), WEIGHTS, listed, filtered, ranking.signals,
    )  # fmt: skip
