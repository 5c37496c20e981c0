"""Near-copies among the candidates of one answer: the best ranked stands for all of them.

Two texts are copies if they are the same but for case, signs and spaces, or if their runs of three words are the same to nine
parts in ten. They never are where a number, a negation or a hedge differs, however long the rest is: those are the
differences that matter. Pairs whose words differ too much to be copies are told apart before their runs are made.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import NamedTuple

from muniment.model.markers import folded, markers

LEAST = 0.9
"""The Jaccard index of two texts' shingles from which on they are copies."""
_SIZE = 3
_WORD = re.compile(r"[^\W_]+")
_SIGNS = {n: " " for n in range(128) if not chr(n).isalnum()}
"""The same of plain text, in a way that costs a third."""
_EPSILON = 1e-9

Shingle = tuple[str, ...]


class Group(NamedTuple):
    """The place of the one that is shown, and the places of those it stands for, in order."""

    first: int
    others: tuple[int, ...]


class Item(NamedTuple):
    """A candidate's text. Those that differ in `apart` (standing, kind) never stand for each other."""

    text: str
    apart: Hashable = None


def groups(items: Sequence[Item]) -> list[Group]:
    """The items, best first, each once: as the first of a group or as one of its others."""
    prints = [_Print(item) for item in items]
    others: dict[int, list[int]] = {}
    for n, each in enumerate(prints):
        first = next((m for m in others if each.may_copy(prints[m]) and each.is_copy_of(prints[m])), n)
        others.setdefault(first, []).extend([n] if first != n else [])
    return [Group(first, tuple(rest)) for first, rest in others.items()]


class _Print:
    """A text as it is compared: by its words first, which costs little, and then by its shingles."""

    def __init__(self, item: Item) -> None:
        self.item = item
        text = folded(item.text)
        self.words = text.translate(_SIGNS).split() if text.isascii() else _WORD.findall(text)
        self.vocabulary = frozenset(self.words)

    @cached_property
    def shingles(self) -> frozenset[Shingle]:
        """Runs of words; of a text with fewer than one takes, all its words or, without any, its signs."""
        words = self.words
        if len(words) < _SIZE:
            return frozenset({tuple(words) if words else (self.item.text.strip(),)})
        return frozenset(zip(words, words[1:], words[2:], strict=False))

    @cached_property
    def turning(self) -> tuple[str, ...]:
        """Numbers, negations and hedges, which have to be the same. Looked for only where the rest is alike."""
        numbers = (w for w in self.words if not w.isalpha())
        return tuple(sorted([*numbers, *(m.word for m in markers(self.item.text))]))

    def may_copy(self, other: _Print) -> bool:
        """False only where it cannot: a word that one text alone has makes a shingle differ, and three make one at least."""
        mine, others = self.vocabulary, other.vocabulary
        most = _SIZE * (1 - LEAST) * (len(self.words) + len(other.words)) + _EPSILON
        if abs(len(mine) - len(others)) > most or self.item.apart != other.item.apart:
            return False
        return len(mine) + len(others) - 2 * len(mine & others) <= most

    def is_copy_of(self, other: _Print) -> bool:
        """Are the shingles nearly all the same, and all that turns a statement round?"""
        shared = len(self.shingles & other.shingles)
        if shared < LEAST * (len(self.shingles) + len(other.shingles) - shared) - _EPSILON:
            return False
        return self.turning == other.turning
