"""What a frame is: words that open a statement, the slot behind them, and what fills it means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from muniment.capture.extract.told import signs
from muniment.capture.extract.told.clauses import Clause

ME, PROJECT, TEAM = "me", "project", "team"


class Told(NamedTuple):
    """One statement as read from a turn: `start` and `end` are the place of its value."""

    family: str
    predicate: str
    subject: str
    start: int
    end: int
    topic: str = ""
    tags: tuple[str, ...] = ()
    hedged: bool = False
    wrong: tuple[int, int] | None = None
    """Of a correction: where the value stands that was wrong."""
    of_person: bool = False
    """Does it hold for the person everywhere?"""
    near: int = 0
    """Where its clause begins."""


class Value(NamedTuple):
    """What fills a slot: its place in the turn, with a topic and tags of its own where it brings them."""

    start: int
    end: int
    topic: str | None = None
    tags: tuple[str, ...] = ()
    personal: bool = False


Slot = Callable[[Clause, re.Match[str]], Iterable[Value]]

_PARTS: Final = {
    "ADV": r"(?:(?:really|just|also|mostly|mainly|only|currently|actually|now|still|already|all|both|usually|generally|typically|normally|primarily|basically|always|exclusively|simply|sadly|luckily|obviously|recently|finally|officially|internally|pretty much|kind of|kinda|sort of|sorta|definitely|strongly|much|very much|personally|honestly|probably|maybe|thankfully|unfortunately|tend to|try to|do|'ve|have|heavily|purely|happily|proudly|largely|at work|at home|here|fully|entirely|no longer) )*",
    "I": r"(?:i|ive|i've)",
    "IM": r"(?:i'm|im|i am)",
    "WE": r"(?:we|we all|our (?:team|company|shop|org|startup|project|app|product|codebase|repo|backend|frontend|service|services|platform|site|website|system|department|studio|group|squad|side|devs|engineers|data team|infra|monorepo|api|server|servers|pipeline|pipelines)|my (?:team|company|project|app|startup|shop|site|website|codebase|repo|side project|server|blog)|(?:this|the) (?:whole |entire )?(?:project|repo|repository|codebase|app|application|backend|back-end|back end|frontend|front-end|front end|service|api|site|website|team|company|product|system|platform|monorepo|server|servers|worker|workers|client|bot|game|cli|library|package|pipeline|firmware|cluster|infra|infrastructure|dashboard|web app|mobile app|desktop app|stack|database|db|ui)|everything|it|all of it|the whole thing)",
    "WERE": r"(?:we're|we are|were all|we're all)",
    "START": r"^(?:(?:and|but|so|ok|okay|well|hey|hi|hello|yeah|yes|yep|no|nope|nah|oh|hm+|uh|um|btw|by the way|fyi|also|plus|actually|please|pls|plz|just|right|sorry|wait|look|listen|anyway|basically|for context|context|some context|background|quick context|for reference|for the record|heads up that|heads up|heads-up|reminder|so you know|just so you know|note|note that|remember|remember that|keep in mind|keep in mind that|again|like|i mean|honestly|personally|fwiw|imo|imho|tbh|generally|in general|usually|of course|currently|here|here at work|at work|at home|today|as i said|as mentioned|you know|first off|first of all|to be clear|one more thing|another thing|one thing|i think|i guess|i believe|maybe|probably|because|since|cause|cuz|that|then|now|my bad|correction|in this (?:repo|project|codebase)|on this project|in our (?:team|project|company|repo|codebase)|on my machine|on our side|for this project|on the backend|on the frontend|in prod|in production|for the (?:backend|frontend|record)|locally|at our company|at my company)[,:\s-]+)*",
}


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern with the named parts put in: `{WE} use `."""
    for name, part in _PARTS.items():
        pattern = pattern.replace("{" + name + "}", part)
    return re.compile(pattern)


_START: Final = "{START}"


def match(pattern: str, clause: Clause) -> re.Match[str] | None:
    """Where a pattern stands in a clause. One that begins with `{START}` stands behind the words that only lead in, or
    at the very beginning: those words are read once a clause."""
    own, leads = _prepared(pattern)
    if not leads:
        return own.search(clause.low)
    if clause.lead < 0:
        lead = compiled(_START).match(clause.low)
        clause.lead = lead.end() if lead is not None else 0
    return own.match(clause.low, clause.lead) or (own.match(clause.low) if clause.lead else None)


@cache
def _prepared(pattern: str) -> tuple[re.Pattern[str], bool]:
    """A pattern without its `{START}`, and whether it had one."""
    leads = pattern.startswith(_START)
    return compiled(pattern[len(_START) :] if leads else pattern), leads


@dataclass(frozen=True, slots=True)
class Frame:
    """One row of a family's table. `cues`: one of these words stands in the clause, or it is not looked at."""

    cues: frozenset[str]
    pattern: str
    slot: Slot
    predicate: str
    topic: str = ""
    tags: tuple[str, ...] = ()
    subject: str = PROJECT
    weak: bool = False
    """Implied rather than said: a hypothesis."""
    in_question: bool = False
    """Does a question tell it as well?"""
    guarded: bool = True
    """Is it silent where the clause is supposed, over, temporary or somebody else's?"""


def frame(
    cues: str, pattern: str, slot: Slot, predicate: str, topic: str = "", tags: str = "", **more: object
) -> Frame:
    """A frame from its row: words separated by blanks."""
    return Frame(frozenset(cues.split()), pattern, slot, predicate, topic, tuple(tags.split()), **more)  # type: ignore[arg-type]


_MINE: Final = frozenset("i i'm im ive i've me my mine".split())


class Table:
    """The frames of all families, found by the words of a clause: most of them need not be looked at."""

    def __init__(self, families: Iterable[tuple[str, Iterable[Frame]]]) -> None:
        self._rows = [(family, f) for family, frames in families for f in frames]
        self._open = tuple(n for n, (_, f) in enumerate(self._rows) if not f.cues)
        self._open_to_questions = tuple(n for n in self._open if self._rows[n][1].in_question)
        self._by_word: dict[str, tuple[int, ...]] = {}
        for n, (_, f) in enumerate(self._rows):
            for word in f.cues:
                self._by_word[word] = (*self._by_word.get(word, ()), n)

    def read(self, clause: Clause) -> Iterator[Told]:
        """What the frames read in a clause, family by family."""
        numbers = set(self._open_to_questions if clause.asks else self._open)
        for word in clause.words & self._by_word.keys():
            numbers.update(self._by_word[word])
        for n in sorted(numbers):
            family, f = self._rows[n]
            if not clause.asks or f.in_question:
                yield from _told(family, f, clause)


def _told(family: str, f: Frame, clause: Clause) -> Iterator[Told]:
    found = match(f.pattern, clause)
    if found is None or (f.guarded and signs.is_barred(clause)):
        return
    for value in f.slot(clause, found):
        is_own = value.personal and not _MINE.isdisjoint(clause.words)
        of_person = f.subject == ME or is_own
        subject = ME if of_person and f.subject != TEAM else f.subject
        topic = f.topic if value.topic is None else value.topic
        tags, is_weak = value.tags or f.tags, signs.is_hedged(clause) or f.weak
        yield Told(
            family, f.predicate, subject, value.start, value.end, topic, tags, is_weak, None, of_person, clause.start
        )
