"""Histories written through the engine, in any order, and asked about on both clocks: the answer is the oracle's."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field

import pytest
from tests.properties import settle_oracle as oracle
from tests.properties.settle_oracle import Ruled, Said
from tests.support import Clock, stamp, state

from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import correct, decide, supersede
from muniment.errors import MunimentError
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import parse
from muniment.model.time import from_ms, to_ms

FIRST = to_ms(stamp("2026-01-01"))
DAY = 86_400_000
ORIGINS = (Origin.PERSON, Origin.PERSON, Origin.TOOL, Origin.MODEL, Origin.AGENT, Origin.IMPORT)
BUDGET = 100_000
HISTORIES = 60
PARTS = int(os.environ.get("MUNIMENT_PARTS", "4"))
"""Each with so many histories in a store of its own; `make histories` asks for 10,000 in all."""
LAST = 31
KINDS = {"confirm": ("clear",), "restore": ("restore", "clear")}


def moment(day: int) -> str:
    return from_ms(FIRST + day * DAY)


DAYS = {None: None, **{moment(day): day for day in range(-10, 100)}}


@dataclass
class Told:
    """A history as it is written: through the engine, and as the oracle takes it."""

    engine: Engine
    clock: Clock
    rng: random.Random
    predicate: str
    topic: str
    said: list[Said] = field(default_factory=list)
    ruled: list[Ruled] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    """(id, value) of every fact that was stored."""
    days: list[int] = field(default_factory=lambda: list(range(1, LAST)))

    def day(self, after: int = 0) -> int:
        """A day on which nothing was said so far: the history is not told in its order."""
        day = self.rng.choice([d for d in self.days if d > after] or [LAST + len(self.said) + len(self.ruled)])
        self.days = [d for d in self.days if d != day]
        self.clock.set(moment(day))
        return day

    def state(self) -> None:
        day, origin, value = self.day(), self.rng.choice(ORIGINS), self.rng.choice("abc")
        since = self.rng.choice([None, None, None, max(day - 5, 0), day + 3])
        until = self.rng.choice([None, None, None, (day if since is None else since) + self.rng.randint(1, 9)])
        standing = self.rng.choice(["confirmed", "confirmed", "hypothesis"])
        made = state(
            self.engine, value, self.predicate, topic=self.topic, origin=origin, standing=standing,
            valid_from=None if since is None else moment(since), valid_until=None if until is None else moment(until),
        )  # fmt: skip
        is_firm = standing == "confirmed" and origin in (Origin.PERSON, Origin.TOOL)
        self.said.append(Said(day, self.name(made.ids[0]), origin, value, is_firm, since, until))
        self.facts.append((made.ids[0], value))

    def said_on(self, id_: str) -> int:
        return next(s.at for s in self.said if s.name == self.name(id_))

    def name(self, id_: str) -> str:
        fact = self.engine.store().facts.fact(parse(id_) or b"")
        assert fact is not None
        return fact.row.uid.hex()

    def decide(self) -> None:
        (id_, value), (other, other_value) = self.rng.choice(self.facts), self.rng.choice(self.facts)
        caller, day = Caller(self.rng.choice(ORIGINS)), self.day(max(self.said_on(id_), self.said_on(other)))
        by = str(caller.origin)
        again = Said(day, f"again {day}", by, value, caller.origin == Origin.PERSON)
        match self.rng.choice(["confirm", "suspect", "retract", "restore", "supersede", "correct"]):
            case "supersede":
                supersede(self.engine, caller, id_, other)
                self.ruled.append(Ruled(day, "end", value, by))
                theirs = next(s.origin for s in self.said if s.name == self.name(other))
                if caller.origin == Origin.PERSON or theirs != Origin.PERSON:  # nobody speaks in a person's name
                    self.ruled.append(Ruled(day, "clear", other_value, by))
                    self.said.append(again._replace(value=other_value))
            case "correct":
                self.correct(caller, id_, value, day)
            case action:
                decide(self.engine, caller, Action(action), id_)
                self.ruled += [Ruled(day, kind, value, by) for kind in KINDS.get(action, (action,))]
                self.said += [again] if action == "confirm" else []

    def correct(self, caller: Caller, id_: str, value: str, day: int) -> None:
        right = self.rng.choice("abc")
        made = correct(self.engine, caller, id_, right, "it was never so")
        self.ruled.append(Ruled(day, "retract", value, str(caller.origin)))
        fact = self.engine.store().facts.fact(parse(made.ids[0]) or b"")
        assert fact is not None
        since, until = DAYS[fact.row.valid_from], DAYS[fact.row.valid_until]  # the time for which the wrong value stood
        is_firm = caller.origin in (Origin.PERSON, Origin.TOOL)
        self.said.append(Said(day, self.name(made.ids[0]), str(caller.origin), right, is_firm, since, until))
        self.facts.append((made.ids[0], right))

    def tell(self) -> None:
        for _ in range(self.rng.randint(2, 6)):
            self.state()
        for _ in range(self.rng.choice([0, 1, 2, 4])):
            try:
                self.decide()
            except MunimentError:
                continue  # refused for want of right or of effect: then nothing may have changed either

    def answer(self, day: int, known: int | None) -> set[tuple[str, str]]:
        asked = f"p:{self.predicate} topic:{self.topic} standing:confirmed,hypothesis,suspect"
        found = query(self.engine, asked, BUDGET, as_of=moment(day), known=None if known is None else moment(known))
        assert found.left_out == 0
        rows = [(hit.text, hit.standing) for hit in found]
        assert len(rows) == len(set(rows)), rows
        return set(rows)


@pytest.mark.parametrize(
    "part", [*range(PARTS), *(p for p in (113, 142) if p >= PARTS)]
)  # in two a value was shown twice
def test_answers_about_any_time_are_those_of_the_oracle(part: int, engine: Engine, clock: Clock) -> None:
    rng = random.Random(part)
    for n in range(HISTORIES):
        predicate, world = rng.choice([("uses", True), ("is", False)])
        told = Told(engine, clock, rng, predicate, f"t{n}")
        told.tell()
        clock.set(moment(60))
        for known in (None, rng.randint(1, 30), rng.randint(1, 30)):
            blocks = oracle.settle(told.said, told.ruled, known, world)
            for day in (rng.randint(0, 30), rng.randint(0, 40), 60):
                wanted = oracle.shown_at(blocks, told.ruled, day, known)
                assert told.answer(day, known) == wanted, (told.said, told.ruled, day, known)


@pytest.mark.parametrize("part", range(2))
def test_what_is_open_now_is_what_the_oracle_says_of_now(part: int, engine: Engine, clock: Clock) -> None:
    rng = random.Random(100 + part)
    for n in range(HISTORIES):
        predicate, world = rng.choice([("uses", True), ("is", False)])
        told = Told(engine, clock, rng, predicate, f"t{n}")
        told.tell()
        clock.set(moment(60))
        wanted = oracle.shown_at(oracle.settle(told.said, told.ruled, None, world), told.ruled, 60, None)
        asked = f"p:{predicate} topic:t{n} standing:confirmed,hypothesis,suspect"
        assert {(hit.text, hit.standing) for hit in query(engine, asked, BUDGET)} == wanted, (told.said, told.ruled)
