"""The verb `search`: words to hits. Ranked by lanes, put in order by what is true, refused where nothing answers, laid out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from muniment.archive.turns import OWN_HARNESS, states_a_wish
from muniment.engine import floor as floors
from muniment.engine import place as places
from muniment.engine import standing, verbatim
from muniment.engine.answering import CUT, SEEN, Choice, Door, Form, Laid, abstain, lay_out, placed
from muniment.engine.core import Engine
from muniment.engine.place import Place
from muniment.errors import MunimentError, UsageError
from muniment.gate.masks import mask
from muniment.model.event import Role
from muniment.model.ids import show
from muniment.model.kept import EPOCH
from muniment.model.receipt import event_of
from muniment.model.stored import Record, StoredFact
from muniment.model.time import to_ms
from muniment.recall import abstention, doubt, fusion, shares, truth
from muniment.recall import without as leaving
from muniment.recall.found import Explained, Finding, Placed
from muniment.recall.fusion import Candidate, Method
from muniment.recall.lanes.contract import WeighedLane
from muniment.recall.ranking import Ranking, rank
from muniment.views import found as rows
from muniment.views.found import statement

__all__ = ["DEFAULT_BUDGET", "DEFAULT_LIMIT", "Asking", "Finding", "search"]

DEFAULT_BUDGET = 4096
DEFAULT_LIMIT = 10
"""Rows where the caller does not say how many: they cost about 450 tokens."""
_DEEPEST = 400
"""Candidates of which more is read, at most, to find others than those of one source."""
_SPARE, _BEHIND = 4, 20
"""Candidates read beyond those that are asked for, since some fall away; and how many where more do than these."""
_NOTHING = "nothing in this store holds what was asked"
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
    without: Sequence[str] = ()
    fusion: Method = "weighted"


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
    place = _place(engine, words, asking)
    leaving.demand(place.without)
    fusion.demand(place.fusion)
    return _Search(engine, place, asking).answer()


def _place(engine: Engine, words: str, asking: Asking) -> Place:
    """What is asked; or, with a cursor, what was asked and how far it was answered. A secret is looked for as it is kept."""
    asked = Place(
        mask(verbatim.as_archived(words))[0], engine.now(), include=tuple(sorted(set(asking.include))),
        floor=asking.floor, unseen=asking.unseen, without=tuple(sorted(set(asking.without))), fusion=asking.fusion,
    )  # fmt: skip
    if not asking.cursor:
        return asked
    place = places.decode(asking.cursor, engine.workspace.id)
    as_before = replace(place, words="", now="", shown=0, last="", held=())
    plain = replace(asked, words="", now="")
    if (asked.words and asked.words != place.words) or plain not in (as_before, Place("", "")):
        hint = "give the cursor alone, or ask again without it"
        raise UsageError("a cursor goes on with its own question, asked as it was", hint=hint, about="cursor")
    return place


class _Search:
    """One search over one snapshot."""

    def __init__(self, engine: Engine, place: Place, asking: Asking) -> None:
        self._engine = engine
        self._store = engine.store()
        self._place = place
        self._asking = asking
        self._filtered: dict[str, int] = {}
        self._floor = floors.in_force(engine)
        self._warnings: list[str] = [self._floor.warning] if self._floor.warning else []
        self._read = 0
        """Candidates of which more was read than how they ranked."""

    def answer(self) -> Finding:
        """Rank, read what may be shown, lay it out."""
        reads, place = self._store.search, self._place
        reads.prepare()
        with self._store.reading():
            reads.begin(to_ms(place.now), with_hypotheses="hypothesis" in place.include)
            ranking = rank(
                place.words, place.now, self._engine.settings.zone, reads, method=place.fusion, dense=self._dense(),
                without=place.without,
            )  # fmt: skip
            if verbatim.is_odd(place.words):
                ranking.candidates = verbatim.ranked_first(self._store, place.words, ranking.candidates)
            choices, laid = self._laid(ranking)
            told = self._told(laid, ranking, choices)
        self._note(ranking)
        confidence = abstention.confidence(ranking.signals) if ranking.signals else 0.0
        found = replace(told, confidence=confidence, warnings=(*told.warnings, *self._warnings))
        return self._doubted(found, ranking)

    def _doubted(self, found: Finding, ranking: Ranking) -> Finding:
        """What of the question no turn holds is said before the rows, where it takes the room of none."""
        words, question = ranking.words, ranking.parts[0]
        if words is None or question.is_context or not found.hits:
            return found
        told = doubt.told(doubt.unknown(question, words), (hit.text for hit in found.hits))
        is_first = not self._place.shown
        return replace(
            found, doubt=told, text=rows.doubted(found.text, told, found.budget) if told and is_first else found.text
        )

    def _note(self, ranking: Ranking) -> None:
        """Count the search; not one that goes on with an answer, or that asks again with the floor left aside."""
        if ranking.signals and self._place.floor and not self._asking.cursor:
            is_judged = abstention.is_judged(ranking.parts[0]) and not ranking.is_sure
            floors.note(self._engine, abstention.signal(ranking.signals), is_judged=is_judged)

    def _dense(self) -> WeighedLane | None:
        """The dense lane, if it is switched on; where it cannot be used, the answer goes without it and says so."""
        if "dense" in self._place.without or self._store.vectors.model("active") is None:
            return None
        from muniment.engine import embedding

        try:
            return embedding.lane(self._engine)
        except MunimentError as problem:
            self._warnings.append(f"found by words alone: {problem}")
            return None

    def _second_look(self, choices: list[Choice]) -> list[Choice]:
        """In the order of the server that was named for it, if one was; else as they are."""
        service = self._engine.services().rerank
        if not service.url:
            return choices
        from muniment.recall.reranking import rerank

        looked = rerank(service, self._place.words, [c.text for c in choices])
        if looked.warning is not None:
            self._warnings.append(looked.warning)
        places = {n: place for place, n in enumerate(looked.order, 1)}
        return [
            replace(choices[n], lanes={**choices[n].lanes, "rerank": (places[n], looked.scores[n])})
            if n in looked.scores
            else choices[n]
            for n in looked.order
        ]

    def _laid(self, ranking: Ranking) -> tuple[list[Choice], Laid]:
        """The answer, and what it was chosen from: read on where so much fell away that there is room."""
        wanted = self._place.shown + (self._asking.limit or DEFAULT_LIMIT)
        # The first hits are put in order among each other, and looked at again by a server, however few are asked for.
        server = self._engine.services().rerank
        read = max(wanted, truth.TOP, server.top if server.url else 0) + _SPARE
        choices, form = self._choices(ranking, read), self._form(ranking, read)
        if reason := self._refused(ranking):
            return choices, Laid(abstain(form, reason, next((c for c in choices if not c.fate), None)))
        laid = lay_out(choices, form)
        if laid.is_short and form.unread:
            choices = self._choices(ranking, read + _BEHIND)
            laid = lay_out(choices, self._form(ranking, read + _BEHIND))
        deep = read + _BEHIND
        while laid.is_short and shares.is_crowded([c.origin for c in choices if not c.fate]) and deep < _DEEPEST:
            deep = min(deep * 3, _DEEPEST)  # what crowds stands before the others: they are looked for
            if self._read >= len(ranking.candidates):
                break
            choices = self._choices(ranking, deep)
            laid = lay_out(choices, self._form(ranking, deep))
        if not laid.finding.hits and not laid.finding.left_out and not laid.finding.reason and self._asking.budget:
            laid = Laid(abstain(form, self._nothing_left(choices)), laid.fates)
        return choices, laid

    def _nothing_left(self, choices: Sequence[Choice]) -> str:
        """Why there are no rows although something was found."""
        if any(choice.fate == SEEN for choice in choices):
            return f"session {self._place.unseen} has received all that was found"
        return "there is nothing more" if self._place.shown else _NOTHING

    def _refused(self, ranking: Ranking) -> str | None:
        """Why nothing is shown, if so."""
        words = ranking.words
        if verbatim.has_found(ranking.candidates[:1]):
            return None
        if words is not None and self._place.floor and not ranking.is_sure:
            return abstention.refusal(ranking.parts[0], words, ranking.signals, self._floor.value)
        return None if ranking.candidates else _NOTHING

    # -- what holds now comes first

    def _in_order(
        self, choices: list[Choice], listed: list[int], ranking: Ranking, records: Mapping[int, Record]
    ) -> list[Choice]:
        """The later of two statements before the earlier, which says so; what speaks against each other says so too."""
        events = listed[: truth.TOP]
        held = ranking.words.held if ranking.words else ()
        statements = [_statement(records[n]) for n in events] if truth.compares(self._place.words) else []
        for a, b in truth.against(self._place.words, statements, held):
            choices[a] = _marked(choices[a], f"against:{records[events[b]].receipt}")
            choices[b] = _marked(choices[b], f"against:{records[events[a]].receipt}")
        moves = [*truth.current_first(self._place.words, statements, held), *self._replaced(events)]
        order = list(range(len(choices)))
        for later, earlier in moves:
            choices[earlier] = _marked(choices[earlier], f"later:{records[events[later]].receipt}")
            if order.index(later) > order.index(earlier):
                order.remove(later)
                order.insert(order.index(earlier), later)
        return [choices[n] for n in order]

    def _replaced(self, events: list[int]) -> list[tuple[int, int]]:
        """(later, earlier) places of events of which one holds the fact that replaced the other's."""
        places = {event: place for place, event in enumerate(events)}
        found = self._store.search.replaced(events)
        return sorted({(places[r.by], places[r.event]) for r in found if r.by in places})

    # -- what may be shown

    def _choices(self, ranking: Ranking, count: int) -> list[Choice]:
        """The first so many candidates as they may be shown, what holds now first."""
        top = ranking.candidates[:count]
        self._read = len(top)
        records = self._store.records(c.event for c in top)
        numbers = self._facts_of(records, ranking)
        facts = self._store.facts.numbered(numbers.values())
        top = [c for c in top if c.event in records and (c.event in numbers or not _is_command(records[c.event]))]
        found = [_choice(c, records[c.event], facts.get(numbers.get(c.event, 0))) for c in top]
        receipts = {records[c.event].receipt: c.event for c in top}
        found = self._second_look(found)
        events = [receipts[event_of(choice.receipt)] for choice in found]
        ordered = found if "order" in self._place.without else self._in_order(found, events, ranking, records)
        return self._unseen(self._with_closed(verbatim.exact_first(ordered, self._place.words), ranking))

    def _facts_of(self, records: Mapping[int, Record], ranking: Ranking) -> dict[int, int]:
        """The fact as which each event is shown: what a lane found it by, else what a command stated and still holds."""
        commands = [event for event, record in records.items() if _is_command(record)]
        stated = self._store.search.open_facts(commands) if commands else {}
        return stated | {event: ranking.facts[event] for event in records if event in ranking.facts}

    def _with_closed(self, choices: list[Choice], ranking: Ranking) -> list[Choice]:
        """What its standing keeps out, where that is asked for: shown, or only named and counted."""
        is_shown, asking = "superseded" in self._place.include, self._asking
        if ranking.words is None or not (is_shown or asking.explain or asking.why_not is not None):
            return choices
        top = {c.event: c for c in ranking.candidates[: self._read]}
        stems = frozenset(stem for group in ranking.words.groups for stem in group.stems)
        found = standing.closed(self._store, top, self._place.now, stems)
        kept_out = [c for c in found if not (is_shown and c.standing == standing.SUPERSEDED)]
        self._filtered = standing.counted(kept_out)
        records = self._store.records({c.event for c in found})
        return standing.beside(
            choices, found, lambda c: _choice(top[c.event], records[c.event], c.fact), self._store, is_shown=is_shown
        )

    def _unseen(self, choices: list[Choice]) -> list[Choice]:
        """What the named session already received stays out."""
        if self._place.unseen is None:
            return choices
        from muniment.engine.deliveries import given

        known = given(self._engine, self._place.unseen)
        return [replace(c, fate=SEEN) if not c.fate and known.holds(c.id, c.receipt) else c for c in choices]

    def _form(self, ranking: Ranking, read: int) -> Form:
        place, asking = self._place, self._asking
        within = place.shown + (asking.limit or DEFAULT_LIMIT) + _BEHIND
        memory = self._engine.workspace.id
        forms = tuple(dict.fromkeys(form for part in ranking.parts for term in part.terms for form in term.forms))
        return Form(
            place.words, lambda count, last, held=(): place.after(count, last, held).encode(memory), asking.budget, forms,
            asking.limit or DEFAULT_LIMIT, self._engine.settings.zone, place.shown, place.last, place.held, asking.door,
            is_partial=ranking.words is not None and ranking.words.is_partial,
            unread=max(0, min(len(ranking.candidates), within) - read),
        )  # fmt: skip

    def _told(self, laid: Laid, ranking: Ranking, choices: Sequence[Choice]) -> Finding:
        """The answer with what was asked about it."""
        finding, asking = laid.finding, self._asking
        if not asking.explain and asking.why_not is None:
            return finding
        fates = laid.fates or ("below the floor",) * len(choices)
        listed = (*placed(choices, fates), *self._unshown(ranking))
        if asking.explain:
            finding = replace(finding, explained=_explained(ranking, listed, self._filtered, self._floor))
        if asking.why_not is not None:
            from muniment.engine.absence import why_not

            stems = self._store.search.stems
            told = why_not(
                self._engine, asking.why_not, self._place.words, listed, session=self._place.unseen, stems=stems
            )
            finding = replace(finding, why_not=told)
        return finding

    def _unshown(self, ranking: Ranking) -> Iterator[Placed]:
        """Candidates behind those that were read."""
        read = self._read
        within = self._place.shown + (self._asking.limit or DEFAULT_LIMIT) + _BEHIND
        positions = self._store.search.positions(c.event for c in ranking.candidates[read:])
        for n, c in enumerate(ranking.candidates[read:], read):
            if at := positions.get(c.event):
                receipt = f"{at.session}:{at.seq}"
                yield Placed(receipt, receipt, c.score, c.lanes, CUT if n < within else "below")


def _is_command(record: Record) -> bool:
    """Is it a command of ours, of which nobody said the words? It counts as what it states, while that holds."""
    return record.harness == OWN_HARNESS


def _choice(candidate: Candidate, record: Record, fact: StoredFact | None) -> Choice:
    """An event as it was said; or the fact that was drawn from it, where that is what was found."""
    common = (candidate.score, candidate.lanes)
    marks = () if record.is_sound else ("damaged",)
    if fact is None:
        return Choice(
            "event", record.receipt, record.text, *common, record.role, record.origin, speaker=record.speaker or "",
            at=_time(record.at), marks=marks,
        )  # fmt: skip
    row = fact.row
    receipt = f"{record.receipt}@{row.span_start}-{row.span_end}"
    subject = "" if row.subject.kind in _QUIET else row.subject.key
    text = statement(row.predicate, row.topic, subject, row.value)
    return Choice(
        "fact", receipt, text, *common, row.role, row.origin, show(row.id), record.speaker or "",
        _time(row.observed_at), fact.standing, marks=marks,
    )  # fmt: skip


def _statement(record: Record) -> truth.Statement:
    low = record.text.lower()
    wishes = record.role == Role.USER and states_a_wish(record.text)
    return truth.Statement(
        record.event, (record.role, record.speaker or ""), (record.at, record.session, record.seq), low, wishes
    )


def _marked(choice: Choice, mark: str) -> Choice:
    """With the mark, unless one of its kind is there: the first names what matters most."""
    kind = mark.partition(":")[0] + ":"
    return choice if any(m.startswith(kind) for m in choice.marks) else replace(choice, marks=(*choice.marks, mark))


def _time(at: str) -> str | None:
    return None if at == EPOCH else at


def _explained(
    ranking: Ranking, listed: tuple[Placed, ...], filtered: Mapping[str, int], floor: floors.Floor
) -> Explained:
    whole = ranking.parts[0]
    return Explained(
        whole.shape, tuple(part.words for part in ranking.parts[1:]), tuple(term.forms[0] for term in whole.terms),
        ranking.words.unknown if ranking.words else (), tuple((r.since, r.until) for r in whole.ranges), ranking.weights,
        listed, filtered, ranking.signals, abstention.signal(ranking.signals) if ranking.signals else None, floor.value,
        floor.is_own,
    )  # fmt: skip
