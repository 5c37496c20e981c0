"""Where somebody is, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import drawing, lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Told
from muniment.capture.extract.told.identity import _HEADS, _ORGS

_PLACE: Final = re.compile(
    r"(?:\b(?:i|we|i'm|im|we're|i am|i've|we've|who)\b[^.;?]{0,60}?|^(?:\w+ )?(?:here )?)\b(?:liv(?:e|ing)|based|located|moved|relocated|reside|residing|settled|stationed|situated|born and raised|a (?:\w+[- ]){0,4}?(?:"
    + _HEADS
    + "|"
    + _ORGS
    + r")|flat|apartment|house|cottage|cabin|practice|shop|studio|farm|office|lab|clinic)\b[^.;?,]{0,40}?\b(?:in|to|near|outside|out of|around) (?P<v>)"
)
_LIVES: Final = re.compile(
    r"\b(?:i|we) (?:currently |now |still |both )?(?:live|work|moved|teach|run|own|farm|reside|stay|study)\b"
)
_FROM: Final = re.compile(
    r"\b(?:i'm|i am|im|we're|we are|this is|it's)(?: [\w'-]+){0,3}? (?:writing |calling |here )?(?:from|in) (?P<v>)|^\W*(?:writing|calling|typing|posting|joining|greetings|hello|hi|working)(?: this| to you| in| remotely)? from (?P<w>)"
)
CAPITALS: Final = re.compile(
    r"[^\W\d_a-zß-ÿ][\w'’&-]+(?:(?: |-)(?:(?:of|de|la|le|del|am|an der|upon|sur|den|el|los|las|do|da) )?[^\W\d_a-zß-ÿ][\w'’-]+)*(?:, [^\W\d_a-zß-ÿ][\w'-]+(?: [^\W\d_a-zß-ÿ][\w'-]+)?(?=$|[,.]| and | but | so ))?"
)
NO_PLACE: Final = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday english german"
    " french spanish italian dutch portuguese chinese japanese i it pr prs ci api ui qa hr pdf json csv xml html ok q1 q2 q3 q4 sql ai ml url http".split()
)
_NEAR: Final = re.compile(
    r"\b(?:in|near|outside|out of|around|based in|from|of) (?P<v>)|\((?P<w>)(?=[A-Z][a-zà-ÿ]{2,}\))"
)


_BEFORE_PLACE: Final = re.compile(r"[^.;?]{0,50}?\b(?:in|near|outside|to|around|of)\s(?=[A-ZÀ-Ý])")
_WITHOUT_ME: Final = (
    "based", "living", "work ", "here in", "writing", "calling", "typing", "posting", "joining", "greetings", "hello from",
    "hi from", "working from",
)  # fmt: skip


def places(clause: Clause, *, is_mine: bool) -> Iterator[Told]:
    """Where I or we live, work or write from, written as a name."""
    for pattern in (_FROM, _PLACE, _LIVES):
        for found in pattern.finditer(clause.low):
            end = found.end()
            if pattern is _LIVES:
                at = _BEFORE_PLACE.match(clause.raw, end)
                if at is None:
                    continue
                end = at.end()
            if not is_mine and not clause.low.startswith(_WITHOUT_ME):
                continue
            name = CAPITALS.match(clause.raw, end)
            if (
                name is None
                or name.group().lower() in lexicon.names()
                or name.group().split()[0].lower().strip(",") in NO_PLACE
            ):
                continue
            if clause.asks and (
                pattern is _FROM
                or not re.search(r"\b(?:i|we) (?:live|moved|work)|\b(?:based|living|located)\b", clause.low[:end])
            ):
                continue
            if len(name.group()) > 2 and re.search(r"\b(?:in|from|near|outside|to|around) $", clause.low[:end]):
                yield from drawing.of_self(
                    clause, name.start(), name.end(), "located_in", "location", "identity.location"
                )
                return


def near(clause: Clause, here: list[Told]) -> Iterator[Told]:
    """The place that stands behind a job, an employer or a name in the same clause."""
    if (
        clause.asks
        or not any(t.topic in ("job", "employer", "name", "age") or t.predicate == "building" for t in here)
        or any(t.topic == "location" for t in here)
    ):
        return
    for found in _NEAR.finditer(clause.raw):
        name = CAPITALS.match(clause.raw, found.end())
        if (
            name is None
            or len(name.group()) < 3
            or name.group().lower() in lexicon.names()
            or name.group().split()[0].lower().strip(",") in NO_PLACE
        ):
            continue
        start = clause.start + name.start()
        if any(t.start <= start < t.end for t in here if t.topic != "job"):
            continue
        yield from drawing.of_self(clause, name.start(), name.end(), "located_in", "location", "identity.location")
        return
