"""The verb behind `bench floor`: the signals of questions that this store can answer, and of questions that it cannot.

Questions with an answer are the person's labelled ones, and those that the store itself provides. *Asked*: a question that
somebody asked in a session and another answered, asked of the store as it is without that turn. *Masked*: the topic words of
a statement that its neighbours go on about, asked of the store as it is without that statement. Foreign ones are given, and
those are left out whose words this store knows. What the floor would not judge (keywords, names of known things) is no part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from muniment.engine.core import Engine
from muniment.model.stored import Turn
from muniment.model.time import to_ms
from muniment.recall import abstention
from muniment.recall.lanes.contract import Group, Looked, Question, Reach
from muniment.recall.lanes.entity import EntityLane
from muniment.recall.lanes.hidden import Hidden
from muniment.recall.lanes.said import SaidLane
from muniment.recall.planning import read_question
from muniment.recall.reading import questions

_LATEST = 20_000
"""Turns that are looked through for questions, those archived last."""
EACH = 150
"""Questions of each kind that are built at most, spread evenly over those turns."""
_TRIED = 4
"""Turns that are read for one that can be used."""
_SHORT, _LONG = 5, 60
"""Words of a turn that a question is made of."""
_KEYS = 8
_LEAST_TOPICS, _LEAST_KEYS = 2, 4
_NEAR = 3
_MET = 2
"""Topic words of a masked statement that one neighbour must share."""
_KNOWN_IN, _KNOWN_SHARE = 2, 0.5


class Told(NamedTuple):
    """A question with its kind (label, asked, masked or foreign) and its signal."""

    kind: str
    words: str
    signal: float


@dataclass(slots=True)
class Gathered:
    """The questions of both sorts. `known` are foreign ones that were left out, `unjudged` labels that meet no floor."""

    own: list[Told] = field(default_factory=list)
    foreign: list[Told] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    unjudged: int = 0
    unheard: int = 0
    """Foreign ones of which not one word stands here: no floor is needed to refuse them."""


def gather(engine: Engine, labels: Sequence[str], foreign: Sequence[str], each: int = EACH) -> Gathered:
    """Ask everything; nothing is written and nothing counted."""
    store, gathered = engine.store(), Gathered()
    store.search.prepare()
    with store.reading():
        store.search.begin(to_ms(engine.now()))
        asking = _Asking(engine, store.search)
        for words in labels:
            signal = asking.signal(words, store.search)
            gathered.unjudged += signal is None
            gathered.own += [] if signal is None else [Told("label", words, signal)]
        gathered.own += _first(asking.asked(each), each)
        gathered.own += _first(asking.masked(each), each)
        for words in foreign:
            asking.foreign(words, gathered)
    return gathered


def _first(found: Iterator[Told], most: int) -> list[Told]:
    return [told for told, _ in zip(found, range(most), strict=False)]


class _Asking:
    """One snapshot of a store, of which questions are made and asked."""

    def __init__(self, engine: Engine, reach: Reach) -> None:
        self._engine = engine
        self._reach = reach
        self._said, self._entity = SaidLane(), EntityLane()
        self._store = engine.store()
        self._turns = self._reach.turns(self._store.search.latest(_LATEST))
        speakers = reach.speakers()
        self._persons = {s.n for s in speakers.listed if s.role == "user" or not speakers.has_assistant}

    def signal(self, words: str, reach: Reach) -> float | None:
        """The signal of a question; None where the floor does not judge it."""
        question = self._read(words)
        if not abstention.is_judged(question) or self._entity.rank(question, reach).scores:
            return None
        looked = self._said.rank(question, reach).words
        return None if looked is None else abstention.signal(abstention.signals(looked))

    def asked(self, each: int) -> Iterator[Told]:
        """Questions that somebody asked and another answered."""
        able = [t for t in self._spoken() if t.asks and t.words >= _SHORT and self._is_answered(t)]
        for turn, text in self._texts(_spread(able, each)):
            question = self._read(text)
            if question.terms and sum(term.weight >= 1 for term in question.terms) >= _LEAST_TOPICS:
                yield from self._told("asked", text, turn)

    def masked(self, each: int) -> Iterator[Told]:
        """Statements whose neighbours go on about the same, as their topic words."""
        able = [t for t in self._spoken() if not t.asks and _SHORT <= t.words <= _LONG]
        for turn, text in self._texts(_spread(able, each)):
            keys = [term.forms for term in self._read(text).terms if term.weight >= 1][:_KEYS]
            if len(keys) >= _LEAST_KEYS and self._is_gone_on_about(turn, keys):
                yield from self._told("masked", " ".join(forms[0] for forms in keys), turn)

    def foreign(self, words: str, gathered: Gathered) -> None:
        """A question about something else, unless this store knows of it."""
        looked = self._said.rank(self._read(words), self._reach).words
        if looked is None or not looked.held:  # refused whatever the floor
            gathered.unheard += 1
        elif _is_known(looked):
            gathered.known.append(words)
        else:
            gathered.foreign.append(Told("foreign", words, abstention.signal(abstention.signals(looked))))

    def _told(self, kind: str, words: str, hidden: Turn) -> Iterator[Told]:
        signal = self.signal(words, Hidden(self._reach, hidden.event))
        if signal is not None:
            yield Told(kind, words, signal)

    def _read(self, words: str) -> Question:
        return questions(read_question(words), self._engine.now(), self._engine.settings.zone)[0]

    def _spoken(self) -> Iterator[Turn]:
        return (turn for _, turn in sorted(self._turns.items()) if turn.speaker in self._persons)

    def _texts(self, turns: Sequence[Turn]) -> Iterator[tuple[Turn, str]]:
        """Their words, those that were said twice once."""
        records, seen = self._store.records(turn.event for turn in turns), set[str]()
        for turn in turns:
            text = records[turn.event].text if turn.event in records else ""
            if text and text not in seen:
                seen.add(text)
                yield turn, text

    def _is_answered(self, turn: Turn) -> bool:
        after = self._next(turn)
        return after is not None and after.speaker != turn.speaker and not after.asks

    def _next(self, turn: Turn) -> Turn | None:
        found = self._reach.around([turn.event], 1).get(turn.event)
        return found.after[0] if found is not None and found.after else None

    def _around(self, turn: Turn, count: int) -> list[Turn]:
        found = self._reach.around([turn.event], count).get(turn.event)
        return [] if found is None else [*found.before, *found.after]

    def _is_gone_on_about(self, turn: Turn, keys: Iterable[tuple[str, ...]]) -> bool:
        near = self._around(turn, _NEAR)
        held = [self._holding(forms) for forms in keys]
        return any(sum(event in events for events in held) >= _MET for event in (n.event for n in near))

    def _holding(self, forms: Iterable[str]) -> set[int]:
        stems = {stem for form in forms for stem in self._reach.stems(form)}
        return {event for stem in stems for event in self._reach.postings(stem)}


def _spread(turns: Sequence[Turn], each: int) -> list[Turn]:
    """Some more of them than are wanted, so that the first ones already come from all of the time."""
    wanted = min(each * _TRIED, len(turns))
    step = len(turns) / wanted if wanted else 1.0
    return [turns[int(n * step)] for first in range(_TRIED) for n in range(first, wanted, _TRIED)]


def _is_known(words: Looked) -> bool:
    """Does one turn hold much of the question, and the store each of its topic words more than once?"""
    topics: list[Group] = [g for g in words.groups if g.weight >= 1] or words.groups
    return words.best_share >= _KNOWN_SHARE and all(g.spread.turns >= _KNOWN_IN for g in topics)
