"""What a text would say if a person said it, and which answers to one question rule each other out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from muniment.capture.extract import registry
from muniment.capture.extract.contract import Window
from muniment.model.entity import Entity
from muniment.model.fact import Archived, Draft
from muniment.model.values import normalised

USES = "uses"
PROJECT = Entity("project", "project")
_BARE = re.compile(r"(?=(?:project|workspace|repo|repository|team)\s+uses?\b)", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:ql|db|lang|\.?js)$")


def told(event: Archived, window: Window) -> Iterator[Draft]:
    """The drafts of the readers of what people tell, of those that are not kept where turns come in too."""
    text = event.text.strip()
    said = replace(event, text=_BARE.sub("the ", text, count=1) if _BARE.match(text) else text)
    for extractor in registry.TELLING:
        yield from extractor.draw(said, window)


def tool(text: str) -> tuple[str, str] | None:
    """A text that is no more than the name of a tool: the name, and the kind of tool."""
    kind = kind_of(text)
    return (text.strip(), kind) if kind else None


def kind_of(value: str) -> str:
    """What a tool of that name is for; empty where the name is not known."""
    from muniment.capture.extract.told import lexicon  # the table of names is read only where texts are compared

    known = lexicon.names().get(value.strip().lower())
    return known.kind if known else ""


def are_rivals(topic: str, value: str, other_topic: str, other: str) -> bool:
    """Do two answers to what is used rule each other out: topics of one stem, or tools of one kind, and two names?"""
    if not topic or not other_topic or are_one(value, other):
        return False
    kinds = kind_of(value), kind_of(other)
    if all(kinds):
        return kinds[0] == kinds[1]
    return _stem(topic) == _stem(other_topic)


def are_one(value: str, other: str) -> bool:
    """Are two values one tool by its name?"""
    return _name(value) == _name(other)


def _stem(topic: str) -> str:
    return topic.partition(".")[0]


def _name(value: str) -> str:
    """One name for the ways to write it: PostgreSQL and Postgres, Vue and Vue.js."""
    return _SUFFIX.sub("", normalised(value).lower())
