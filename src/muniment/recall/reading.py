"""From what was asked to what lanes look for: its words with their forms, words side by side, names, times."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Sequence
from datetime import tzinfo

from muniment.model.english import FUNCTION, LIGHT
from muniment.model.inflection import forms
from muniment.model.named import named
from muniment.model.text_index import indexed
from muniment.model.when import phrases
from muniment.recall.lanes.contract import Pair, Question, Range, Term
from muniment.recall.planning import Asked
from muniment.recall.shapes import wants_many

MOST_WORDS = 256
"""Words of one question that are looked for; a longer text is asked by the words it begins with."""
_LIGHT = 0.3
_WORD = re.compile(r"[^\W_]+")
_KEYWORDS = 3
_CONTEXT = 2
"""Ends of sentences inside a text from which on it is context."""
_SENTENCES = re.compile(r"[.!?]\s+\S|[\u3002\uff01\uff1f]\s*\S")
_NEAR = 2
"""Words that stand at most so far apart in the question count as side by side."""


def questions(asked: Asked, now: str, zone: tzinfo) -> list[Question]:
    """The whole question first, then its parts, if it has several."""
    parts = asked.parts if len(asked.parts) > 1 and _is_one_sentence(asked.text) else ()
    return [_question(text, asked, now, zone) for text in (asked.text, *parts)]


def _is_one_sentence(text: str) -> bool:
    """Sentences that follow each other tell of one thing; what one sentence asks of several can be taken apart."""
    return _SENTENCES.search(text) is None


def _question(text: str, asked: Asked, now: str, zone: tzinfo) -> Question:
    spoken = _spoken(text)
    content = [(place, word) for place, word in enumerate(spoken) if word not in FUNCTION] or list(enumerate(spoken))
    content = content[:MOST_WORDS]
    times = phrases(text, now, zone)
    ranges = tuple(Range(p.since, p.until, p.is_year_open) for p in times)
    telling = frozenset(word for p in times for word in _spoken(text[p.start : p.end]))
    names = named(text)
    called = frozenset(word for n in names if n.kind == "name" for word in _spoken(n.text))
    return Question(
        text, _terms((word for _, word in content), telling, called), _pairs(content), asked.is_first_person,
        wants_many(text.lower()), tuple(dict.fromkeys(n.text for n in names)), ranges, str(asked.shape),
        len(_SENTENCES.findall(text)) >= _CONTEXT, len(spoken) <= _KEYWORDS,
    )  # fmt: skip


def _spoken(text: str) -> list[str]:
    return _WORD.findall(indexed(text).lower())


def _terms(words: Iterable[str], telling: Container[str], called: Container[str]) -> tuple[Term, ...]:
    """Each word once, with the forms that count as the same; words that only keep talk going weigh less, and those `telling`
    when, and those that somebody or something is `called`, are known as such."""
    found: dict[tuple[str, ...], float] = {}
    times, names = set[tuple[str, ...]](), set[tuple[str, ...]]()
    for word in words:
        group = tuple(sorted(forms(word))) if word.isascii() else (word,)
        found[group] = max(found.get(group, 0.0), _LIGHT if word in LIGHT else 1.0)
        times |= {group} if word in telling else set()
        names |= {group} if word in called else set()
    if all(weight < 1 for weight in found.values()):
        found = dict.fromkeys(found, 1.0)
    return tuple(Term(group, weight, group in times, group in names) for group, weight in found.items())


def _pairs(content: Sequence[tuple[int, str]]) -> tuple[Pair, ...]:
    """Words that stand next to each other, or with one word between; and topic words so, whatever light word they meet."""
    topics = [(place, word) for place, word in content if word not in LIGHT]
    told = [_near(content), _near(topics)]
    return tuple(Pair(a, b, (a, b) in told[1]) for a, b in dict.fromkeys([*told[0], *told[1]]))


def _near(words: Sequence[tuple[int, str]]) -> list[tuple[str, str]]:
    return [(a, b) for (i, a), (j, b) in itertools.pairwise(words) if j - i <= _NEAR and a != b]
