"""The words of a question, looked up in the index of turns: the rarest first, within an allowance.

A word weighs what it tells: the logarithm of how few turns hold it (inverse document frequency, Robertson and Sparck Jones,
1976, in the form that is never negative). What one question may read is bounded, so that common words in a large store cost
no more than rare ones: they are looked up only where rare ones stand, or in the newest turns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from muniment.model.stored import Spread
from muniment.recall.lanes.contract import Group, Held, Looked, Question, Reach

_LEAST, _MOST, _SHARE = 3_000, 20_000, 0.06
_NEWEST = 1_000
SMALL = 5_000
"""Turns up to which a store is searched with the greatest care, since that costs little."""
_SIDE_BY_SIDE_CAP, _SIDE_BY_SIDE_READ = 1_000, 5_000
"""Turns with two words side by side that are taken, and about how many turns with the rarer one are looked at."""
_LONE = 0.4
"""What one character of a script without spaces weighs, beside the pairs of characters."""
_HAN = re.compile("[\u3400-\u9fff]")
HAN_LIGHT = frozenset(
    "的了是我你他她它们在有和就不也都很吗呢吧啊这那个一上下到说要会可以么什怎样着过给得为让呀哦哈嘿还真多好没去来对"
)
"""Characters that are nearly always grammar."""


@dataclass(slots=True)
class Allowance:
    """How many postings may still be read for one question."""

    left: int

    @classmethod
    def of(cls, turns: int) -> Allowance:
        """A share of the turns, within bounds."""
        least = _LEAST if turns <= SMALL else _LEAST // 2
        return cls(min(max(least, int(turns * _SHARE)), _MOST))

    def takes(self, count: int) -> bool:
        """Take so many, if they are there."""
        if count > self.left:
            return False
        self.left -= count
        return True


def lookup(question: Question, reach: Reach) -> Looked:
    """What the store holds of each word, of lone characters, and of words side by side."""
    turns, uses = reach.extent()
    person = reach.speakers().person_turns
    looked = Looked(_groups(question, reach), [], turns, person or turns, uses)
    allowance, rare = Allowance.of(turns), list[str]()
    for group in sorted((g for g in looked.groups if g.spread.turns), key=lambda g: g.spread.turns):
        if allowance.takes(group.spread.turns):
            events = _merged([reach.postings(stem) for stem in group.stems])
            rare.extend(group.stems)
        else:
            events, looked.is_partial = _beside(group.stems, rare, reach), True
        weight = group.weight * tells(turns, max(group.spread.turns, len(events)))
        looked.held.append(Held(group.words, weight, events, is_topic=group.is_topic))
    if question.by_character:
        looked.held += _lone(question.words, reach, turns, allowance)
    _pairs(question, reach, looked, frozenset(rare))
    return looked


def tells(turns: int, count: int) -> float:
    """What a word held by `count` of `turns` turns tells, in nats."""
    return math.log(1 + (max(turns - count, 0) + 0.5) / (count + 0.5))


def _groups(question: Question, reach: Reach) -> list[Group]:
    """The question's words as groups of stems, each group once."""
    groups: dict[tuple[str, ...], Group] = {}
    for forms, weight, is_time, is_name in question.terms:
        stems = tuple(dict.fromkeys(stem for form in forms for stem in reach.stems_of(form)))
        if stems and stems not in groups:
            spreads = [reach.spread(stem) for stem in stems]
            spread = Spread(*(sum(column) for column in zip(*spreads, strict=True)))
            groups[stems] = Group(forms, stems, weight, spread, is_time, is_name)
    return list(groups.values())


def _merged(postings: Sequence[Mapping[int, int]]) -> Mapping[int, int]:
    if len(postings) == 1:
        return postings[0]
    merged: dict[int, int] = {}
    for each in postings:
        for event, count in each.items():
            merged[event] = merged.get(event, 0) + count
    return merged


def _beside(stems: Sequence[str], rare: Sequence[str], reach: Reach) -> Mapping[int, int]:
    """Where a common word stands together with a rare one, or else in the newest turns."""
    near = f" AND ({_any(rare)})" if rare else ""
    return dict.fromkeys(reach.newest(f"({_any(stems)}){near}", _NEWEST), 1)


def _any(stems: Sequence[str]) -> str:
    return " OR ".join(f'"{stem}"' for stem in stems)


def _lone(words: str, reach: Reach, turns: int, allowance: Allowance) -> list[Held]:
    """Characters of a script without spaces, one by one: two writers may put them together differently."""
    held = []
    for character in sorted(set(_HAN.findall(words)) - HAN_LIGHT):
        count = reach.count_beginning(character)
        if count and allowance.takes(count):
            events = reach.postings_beginning(character)
            held.append(Held((character,), _LONE * tells(turns, len(events)), events, is_topic=False))
    return held


def _are_apart(first: str, second: str, reach: Reach) -> bool:
    return reach.postings(first).keys().isdisjoint(reach.postings(second))


def _pairs(question: Question, reach: Reach, looked: Looked, is_read: Collection[str]) -> None:
    """Words that stand side by side in the question and in a turn. Those that were read are known where they never meet."""
    known = {stem: group.spread.turns for group in looked.groups if group.spread.turns for stem in group.stems}
    for first, second, is_topic in question.pairs:
        one, two = reach.stems_of(first)[:1], reach.stems_of(second)[:1]
        if not one or not two or one == two:
            continue
        rarer = min(known.get(one[0], 0), known.get(two[0], 0))
        share = min(1.0, _SIDE_BY_SIDE_READ / max(rarer, 1))
        may_meet = rarer and not (one[0] in is_read and two[0] in is_read and _are_apart(one[0], two[0], reach))
        events = reach.newest(f'NEAR("{one[0]}" "{two[0]}", 1)', _SIDE_BY_SIDE_CAP, share) if may_meet else []
        count = min(round(len(events) / share), _SIDE_BY_SIDE_CAP)
        if is_topic:
            looked.pairs.append(count)
        if events:
            weight = tells(looked.turns, count)
            looked.held.append(Held((first, second), weight, dict.fromkeys(events, 1), is_pair=True))
