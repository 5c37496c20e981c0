"""From what was read in a turn to drafts: whose it is, under which predicate, topic and tags, and how sure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from muniment.capture.extract.contract import Window
from muniment.capture.extract.told.frame import ME, PROJECT, TEAM, Told
from muniment.capture.extract.told.preference import matter
from muniment.capture.extract.told.reading import read
from muniment.model.entity import Entity
from muniment.model.event import Kind, Origin, Role, Span
from muniment.model.fact import ASSERTED, SAID_BY_PERSON, Archived, Draft, Standing
from muniment.model.vocabulary import VOCABULARY

MASK: Final = "\u2588"
"""What stands where a secret or a private span was: nothing that holds one is told."""

_WE: Final = re.compile(
    r"\b(?:we|our|us|the team|my team|everyone|nobody|somebody|someone|the on-call)\b", re.IGNORECASE
)
_I: Final = re.compile(r"\b(?:i|my|me|i'm|i've)\b", re.IGNORECASE)
_HERE: Final = re.compile(
    r"\b(?:this (?:repo|repository|project|codebase|app|workspace|package)|the (?:repo|repository|codebase|project)|we|our|in here)\b",
    re.IGNORECASE,
)


def drafts_of(family: str, event: Archived, _window: Window) -> Iterator[Draft]:
    """The drafts of one family from a person's own turn; from nobody else's."""
    if event.kind == Kind.PROMPT and event.role is Role.USER and event.origin is Origin.PERSON:
        for told in _read(event.text):
            if told.family == family and MASK not in event.text[told.start : told.end]:
                yield _draft(told, event)


@lru_cache(maxsize=8)
def _read(text: str) -> tuple[Told, ...]:
    """Each family asks in turn for the same text."""
    return tuple(read(text))


def _draft(told: Told, event: Archived) -> Draft:
    literal = event.text[told.start : told.end]
    topic, tags = told.topic, told.tags
    if told.family == "preference":
        topic, found = matter(literal.lower())
        tags = tuple(dict.fromkeys((*found, *(told.tags or ()))))
    hedged = told.hedged
    return Draft(
        told.predicate,
        _subject(told, event),
        Span(told.start, told.end),
        topic=topic,
        literal=literal,
        rung=ASSERTED if hedged else SAID_BY_PERSON,
        standing=Standing.HYPOTHESIS if hedged else Standing.CONFIRMED,
        context=f"wrong:{told.wrong[0]}-{told.wrong[1]}" if told.wrong is not None else "",
        tags=tags,
    )


def _subject(told: Told, event: Archived) -> Entity:
    """Me, my team or the project: by what the predicate allows and whom the words around the value name."""
    kinds = VOCABULARY[told.predicate].subjects
    me = Entity("person", event.speaker or "me")
    if told.predicate == "practises":
        return Entity("team", "team") if _is_of_team(told, event.text) else me
    if told.family == "preference":
        if "project.constraint" in told.tags:
            return Entity("project", "project")
        return Entity("project", "project") if _HERE.search(_around(told, event.text)) else me
    if told.subject == ME and "person" in kinds:
        return me
    if (
        told.family == "remember"
        and _I.search(event.text[told.start : told.end])
        and not _WE.search(event.text[told.start : told.end])
    ):
        return me
    if told.subject == TEAM and "team" in kinds:
        return Entity("team", "team")
    return Entity(PROJECT, PROJECT) if "project" in kinds else me


def _is_of_team(told: Told, text: str) -> bool:
    around = _around(told, text)
    return _WE.search(around) is not None or _I.search(around) is None


def _around(told: Told, text: str) -> str:
    """The value and the words before it in its sentence."""
    begin = max(told.near, told.start - 80) if told.near else told.start - 40
    return text[max(begin, 0) : told.end]


def is_of_person(draft: Draft) -> bool:
    """Does a statement hold for the person everywhere? What somebody corrects is about the work unless it is about him."""
    if draft.predicate == "corrected":
        return _I.search(draft.literal or "") is not None
    return draft.subject.kind == "person"
