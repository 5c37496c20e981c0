"""The verbs `conflicts` and `similar`, and the same look before a write. They show pairs; the writer decides.

A conflict is another answer to the same question (subject, predicate, topic), or words that are alike but for a negation, an
opposite, a number, a version or a name, or that hold in a narrower or wider scope. Nothing is weighed, merged or averaged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muniment.engine import extraction, rivals
from muniment.engine.core import Engine
from muniment.engine.getting import KINDS
from muniment.errors import NotFoundError, UsageError
from muniment.gate.admission import Refusal, settle_key, written
from muniment.gate.masks import mask
from muniment.model.entity import SELF, Entity
from muniment.model.event import Call, Kind, Origin, Result, Role
from muniment.model.fact import Archived, Draft
from muniment.model.ids import show
from muniment.model.ports import Store
from muniment.model.stored import StoredFact
from muniment.model.time import to_ms
from muniment.model.values import normalised
from muniment.model.vocabulary import OPPOSITE, VOCABULARY
from muniment.recall import contrast
from muniment.recall.contrast import Saying
from muniment.recall.lanes.facts import FactLane
from muniment.recall.planning import read_question
from muniment.recall.reading import questions
from muniment.storage.sqlite.memories import MemoryReads

POTENTIAL, NO_CONFLICTS = "POTENTIAL_CONFLICTS", "NO_CONFLICTS"
SIMILAR, NONE = "SIMILAR_ENTRIES", "NONE"
THRESHOLD = 0.10
_CAP, _SHOWN = 400, 20
_REFUSING = frozenset({"avoids", "rejected"})
_NOBODY = Entity("", "")
CHOICES = (
    "both hold: leave them",
    "the new one from now on: supersede OLD NEW",
    "the old one never was true: correct OLD CLAIM REASON",
    "the old one: leave the new one out",
)
"""What a writer who is shown a pair can do."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A statement that another one would stand against: which, in what, and how it stands."""

    id: str
    kind: str
    text: str
    predicate: str
    topic: str
    standing: str
    origin: str
    receipt: str


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The answer of `conflicts`: a word for the first line, the pairs, and the choices where there is one to make."""

    text: str
    answer: str
    pairs: tuple[Pair, ...]
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """A statement that has words in common with a text, and the share of them."""

    id: str
    score: float
    type: str
    text: str
    standing: str
    origin: str
    receipt: str


@dataclass(frozen=True, slots=True)
class Similar:
    """The answer of `similar`: a word for the first line, what is alike, best first, and types with three or more."""

    text: str
    threshold: float
    answer: str
    entries: tuple[Alike, ...]
    patterns: dict[str, int]


@dataclass(frozen=True, slots=True)
class Said:
    """A statement that is about to be made. Without a predicate it is only a text."""

    text: str
    predicate: str = ""
    subject: Entity = _NOBODY
    topic: str = ""


def conflicts(engine: Engine, text: str) -> Conflicts:
    """What the statements that hold say against a text."""
    _demand(text)
    pairs = against(engine, Said(mask(text)[0]))
    return Conflicts(text, POTENTIAL if pairs else NO_CONFLICTS, pairs, CHOICES if pairs else ())


def similar(engine: Engine, text: str, threshold: float = THRESHOLD, only: str | None = None) -> Similar:
    """The statements that have at least that share of their words in common with a text."""
    _demand(text)
    if not 0.0 < threshold <= 1.0:
        raise UsageError(f"a threshold is above 0 and at most 1, not {threshold}", about="threshold")
    found = tuple(a for a in alike(engine, mask(text)[0], threshold) if only in (None, a.type))
    counts = {type_: n for type_, n in sorted(Counter(a.type for a in found).items()) if n >= 3}
    return Similar(text, threshold, SIMILAR if found else NONE, found[:_SHOWN], counts)


def _demand(text: str) -> None:
    if not text.strip():
        raise UsageError("nothing to compare: the text is empty", about="text")


def against(engine: Engine, said: Said, leaving: Iterable[str] = ()) -> tuple[Pair, ...]:
    """The open statements that a new one would stand against, those of the same question first."""
    try:
        store = engine.store()
    except NotFoundError:
        return ()
    store.search.prepare()
    with store.reading():
        comparer = _Comparer(engine, store)
        left = set(leaving)
        found = {p.id: p for p in (*comparer.by_words(said), *comparer.by_key(said)) if p.id not in left}
    return tuple(sorted(found.values(), key=lambda p: (contrast.KINDS.index(p.kind), p.id)))[:_SHOWN]


def alike(engine: Engine, text: str, threshold: float) -> tuple[Alike, ...]:
    """The open statements at least so much like a text, the most alike first."""
    try:
        store = engine.store()
    except NotFoundError:
        return ()
    store.search.prepare()
    with store.reading():
        found = [
            Alike(show(f.row.id), round(score, 4), VOCABULARY[f.row.predicate].type, f.row.value, f.standing,
                  f.row.origin, _receipt(f))
            for f in _Comparer(engine, store).near(text)
            if (score := contrast.similarity(text, f.row.value)) >= threshold
        ]  # fmt: skip
    return tuple(sorted(found, key=lambda a: (-a.score, a.id)))


class _Comparer:
    """Looks for what a text may stand against, over one snapshot."""

    def __init__(self, engine: Engine, store: Store) -> None:
        self._engine, self._store, self._now = engine, store, engine.now()
        store.search.begin(to_ms(self._now), with_hypotheses=True)
        self._reads = MemoryReads(store.db, to_ms(self._now))

    def near(self, text: str) -> list[StoredFact]:
        """Statements that share a word with the text."""
        question = questions(read_question(text), self._now, self._engine.settings.zone)[0]
        lane = FactLane().rank(question, self._store.search)
        numbers = {*lane.facts.values(), *self._reads.of_events(lane.scores, _CAP)}
        return self._open(numbers)

    def by_words(self, said: Said) -> Iterator[Pair]:
        """Those whose words speak against it."""
        new = Saying(said.text, said.predicate in _REFUSING)
        against = " ".join(contrast.opposites(said.text))
        rivals = self.near(against) if against else []
        for fact in {f.n: f for f in (*self.near(said.text), *rivals)}.values():
            row = fact.row
            if said.predicate and (row.subject.kind == "person") != (said.subject.kind == "person"):
                continue
            kind = contrast.contrast(new, Saying(row.value, row.predicate in _REFUSING))
            if kind is not None:
                yield _pair(fact, kind)

    def by_key(self, said: Said) -> Iterator[Pair]:
        """Those that answer the same question otherwise, or the same topic of another subject."""
        if said.predicate:
            yield from self._answers(said)
            return
        for each in self._read(said.text):
            found = (*self._answers(each), *self._rivals(each))
            yield from (p for p in found if p.predicate != rivals.USES or not rivals.are_one(p.text, each.text))

    def _rivals(self, said: Said) -> Iterator[Pair]:
        """Those that a reader of the text would have filed under another name of the same question."""
        if said.predicate != rivals.USES:
            return
        for fact in self._open(self._reads.stated(rivals.USES, _CAP)):
            row = fact.row
            if row.subject == said.subject and rivals.are_rivals(said.topic, said.text, row.topic, row.value):
                yield _pair(fact, contrast.VALUE)

    def _answers(self, said: Said) -> Iterator[Pair]:
        verb, value = VOCABULARY[said.predicate], normalised(said.text)
        if not verb.state:
            return
        if verb.is_single(said.topic):
            key = settle_key(verb, said.subject, said.topic, value)
            yield from (_pair(f, contrast.VALUE) for f in self._held(key) if f.row.value_key != value)
        if said.topic:
            for fact in self._open(self._reads.under(verb.name, said.topic, _CAP)):
                if fact.row.subject != said.subject and fact.row.value_key != value:
                    yield _pair(fact, contrast.WIDER if said.subject.kind == "person" else contrast.NARROWER)
        if verb.name in OPPOSITE:
            rows = self._store.facts.opposite_key_rows(OPPOSITE[verb.name], said.subject, value)
            yield from (_pair(f, contrast.NEGATED) for f in self._open(f.n for f in rows))

    def _held(self, key: bytes) -> list[StoredFact]:
        return self._open(f.n for f in self._store.facts.with_key(key))

    def _open(self, numbers: Iterable[int]) -> list[StoredFact]:
        lines = [line.fact for line in self._reads.lines(numbers) if line.type in KINDS]
        return list(self._store.facts.numbered(lines).values())

    def _read(self, text: str) -> Iterator[Said]:
        """What the extractors of people's turns make of the text."""
        for draft in read_turn(text, self._now):
            if draft.predicate in VOCABULARY and draft.subject != SELF:
                yield Said(written(draft), draft.predicate, draft.subject, draft.topic)
        if (named := rivals.tool(text)) is not None:
            yield Said(named[0], rivals.USES, rivals.PROJECT, named[1])


class _Alone:
    """The window of a turn that nothing belongs to."""

    def call(self, _: str) -> tuple[Archived, Call] | None:
        """None."""
        return None

    def result(self, _: str) -> tuple[Archived, Result] | None:
        """None."""
        return None


ALONE = _Alone()


def read_turn(text: str, now: str) -> Iterator[Draft]:
    """What the extractors would draw from a text if a person said it. Nothing is stored."""
    event = Archived(bytes(16), "", 0, "", Role.USER, Origin.PERSON, Kind.PROMPT.value, text, now)
    yield from (draft for _, draft in extraction.draw(event, ALONE) if not isinstance(draft, Refusal))
    yield from rivals.told(event, ALONE)


def _pair(fact: StoredFact, kind: str) -> Pair:
    row = fact.row
    return Pair(show(row.id), kind, row.value, row.predicate, row.topic, fact.standing, row.origin, _receipt(fact))


def _receipt(fact: StoredFact) -> str:
    return f"{fact.session}:{fact.seq}@{fact.row.span_start}-{fact.row.span_end}"
