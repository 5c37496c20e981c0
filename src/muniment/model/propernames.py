"""Proper names: words that are capitalised though nothing but their being names asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from muniment.model.english import OPENERS, STOP
from muniment.model.timewords import MONTH, WEEKDAY

_WORD: Final = re.compile(r"[^\W\d_][^\W_]*(?:[-'’][^\W_]+)*")
_JOINS: Final = frozenset("of de del der den van von da di la le el bin ibn y &".split())
_TITLES: Final = frozenset("mr mrs ms dr prof st sr jr vs no".split())
_TIME_CUES: Final = frozenset("in on since until till before after by last this next every during of to from".split())
_MAY_BE_PEOPLE: Final = frozenset("april may june august jan".split())
_NO_NAMES: Final = frozenset("i ok okay hi hey hello thanks yes no pm am tv".split())
_SENTENCE_ENDS: Final = '.!?:;\n"“”\u2018«»(*•-–—>'
_QUARTER: Final = re.compile("[qh][1-4]")
_LONGEST_RUN: Final = 8


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    opens: bool
    """Does it stand where any word would be capitalised?"""


def proper_names(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans of proper names outside the spans that are taken, runs such as `Ada Lovelace` as one."""
    words = list(_words(text, taken))
    if _is_shouted(words):
        return
    at = 0
    while at < len(words):
        stop = _run(text, words, at)
        if stop > at and not _is_other(words, at, stop):
            yield words[at].start, words[stop - 1].end
        at = max(stop, at + 1)


def _words(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[_Word]:
    spans, at, last = list(taken), 0, ""
    end = 0
    for match in _WORD.finditer(text):
        start, stop = match.span()
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        opens = _opens(text, end, start, last)
        end, last = stop, match[0]
        if at < len(spans) and spans[at][0] < stop:
            continue
        bare = match[0].removesuffix("'s").removesuffix("’s")
        yield _Word(bare, start, start + len(bare), opens)


def _opens(text: str, end: int, start: int, last: str) -> bool:
    between = text[end:start].strip(" \t")
    if end == 0 or (between and between[-1] in _SENTENCE_ENDS):
        return not (between == "." and (last.lower() in _TITLES or len(last) == 1))
    return False


def _is_shouted(words: list[_Word]) -> bool:
    # Where most words are in capitals, capitals name nothing.
    long = [word for word in words if len(word.text) > 1]
    return len(long) > 3 and 2 * sum(word.text.isupper() for word in long) > len(long)


def _is_name(word: _Word) -> bool:
    low = word.text.lower()
    if not word.text[0].isupper() or low in _NO_NAMES or low.split("'")[0].split("’")[0] in _NO_NAMES:
        return False
    if not word.opens:
        return low not in STOP or (word.text.isupper() and len(low) > 2)
    return low.split("'")[0].split("’")[0] not in OPENERS and not low.endswith(("ing", "ly", "ed"))


def _run(text: str, words: list[_Word], at: int) -> int:
    """The end of the run of names that begins at a word; the word itself when there is none."""
    if not _is_name(words[at]):
        return at
    stop = at + 1
    while stop < min(len(words), at + _LONGEST_RUN) and _joined(text, words[stop - 1], words[stop]):
        if _is_name(words[stop]) and not words[stop].opens:
            stop += 1
        elif _is_join(text, words, stop):
            stop += 2
        else:
            break
    return stop


def _is_join(text: str, words: list[_Word], at: int) -> bool:
    if words[at].text not in _JOINS or at + 1 >= len(words):
        return False
    return _is_name(words[at + 1]) and _joined(text, words[at], words[at + 1])


def _joined(text: str, one: _Word, other: _Word) -> bool:
    between = text[one.end : other.start]
    return between.isspace() or (between.strip() == "." and (len(one.text) == 1 or one.text.lower() in _TITLES))


def _is_other(words: list[_Word], at: int, stop: int) -> bool:
    """Is a lone capitalised word a month, a weekday, a quarter or a letter?"""
    if stop - at > 1:
        return False
    low, before = words[at].text.lower(), words[at - 1].text.lower() if at else ""
    if len(low) == 1 or _QUARTER.fullmatch(low):
        return True
    if low in _MAY_BE_PEOPLE:
        return before in _TIME_CUES
    return low in MONTH or low in WEEKDAY
