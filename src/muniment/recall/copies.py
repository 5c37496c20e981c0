"""Near-copies among the candidates of one answer: the best ranked stands for all of them.

Two texts are copies if they are the same but for case, signs and spaces, or if their runs of three words are the same to nine
parts in ten. They never are where a number, a negation or a hedge differs, however long the rest is: those are the
differences that matter. Pairs are found by prefix filtering, which misses none (Bayardo, Ma and Srikant, 2007).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from muniment.model.markers import folded, markers

LEAST = 0.9
"""The Jaccard index of two texts' shingles from which on they are copies."""
_SIZE = 3
_WORD = re.compile(r"[^\W_]+")
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
    prints = [_Print.of(item) for item in items]
    index: dict[tuple[Hashable, int], list[int]] = {}
    others: dict[int, list[int]] = {}
    for n, each in enumerate(prints):
        keys = [(each.item.apart, shingle) for shingle in each.prefix()]
        found = {m for key in keys if key in index for m in index[key]}
        first = min((m for m in found if each.is_copy_of(prints[m])), default=n) if found else n
        others.setdefault(first, []).extend([n] if first != n else [])
        for key in keys if first == n else ():
            index.setdefault(key, []).append(n)
    return [Group(first, tuple(rest)) for first, rest in others.items()]


@dataclass(frozen=True)
class _Print:
    item: Item
    words: list[str]
    shingles: frozenset[Shingle]

    @classmethod
    def of(cls, item: Item) -> _Print:
        words = _WORD.findall(folded(item.text))
        if len(words) < _SIZE:
            shingles = frozenset({tuple(words) if words else (item.text.strip(),)})
        else:
            shingles = frozenset(zip(words, words[1:], words[2:], strict=False))
        return cls(item, words, shingles)

    @cached_property
    def turning(self) -> tuple[str, ...]:
        """Numbers, negations and hedges, which have to be the same. Looked for only where the rest is alike."""
        numbers = (w for w in self.words if not w.isalpha())
        return tuple(sorted([*numbers, *(m.word for m in markers(self.item.text))]))

    def prefix(self) -> list[int]:
        """The first shingles by hash, so many that two copies share at least one of these. Any one order misses none."""
        count = len(self.shingles) - int(LEAST * len(self.shingles) - _EPSILON)
        return sorted(map(hash, self.shingles))[:count]

    def is_copy_of(self, other: _Print) -> bool:
        shared = len(self.shingles & other.shingles)
        if shared < LEAST * (len(self.shingles) + len(other.shingles) - shared) - _EPSILON:
            return False
        return self.turning == other.turning
