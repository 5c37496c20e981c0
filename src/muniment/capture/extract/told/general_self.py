"""Who somebody is, read from the grammar of a clause: age, health, languages, and what the others here read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from muniment.capture.extract.told import drawing, general_people, general_places, general_roles, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Told
from muniment.capture.extract.told.identity import _ILL, _KIN, _LANGS, _PET, _SICK

_ZONE_OF: Final = re.compile(
    r"\b(?:time ?zone(?: is|'s|:)?|tz|based in|live in|i'm in|i'm on|we're on|we're in|work in) (?P<v>(?:utc|gmt)(?: ?[+-] ?\d{1,2}(?::\d\d)?)?|(?:cet|cest|est|pst|cst|mst|jst|ist|aest|wet|eet|brt)\b)|(?:^|, )(?P<w>utc ?[+-] ?\d{1,2}(?::\d\d)?)(?=$|,)"
)
_AGE: Final = re.compile(
    r"\b(?:(?:i'm|im|i am|someone who's|someone who is) (?P<v>\d{2})(?= ?(?:$|,|\.|and\b|y/?o\b|years? old|yrs|but\b|so\b|now\b|this\b|next\b))|\bin my (?P<x>(?:early |mid |late )?\d0s)|(?:as an?|i'm an?|i am an?|im an?) (?P<w>\d{2}[- ]years?[- ]old))"
)
_INCOME: Final = re.compile(
    r"\b(?P<v>(?:earning|earn|making|make) (?:about |around |roughly |over |~)?[$€£]\s?[\d,.]+k?(?: (?:annually|a year|per year|a month|monthly|yearly|an hour|p\.?a\.?))?)"
)
_HAVE: Final = re.compile(
    rf"\b(?:i have|i've got|we have|we've got|i got|i'm raising|raising|(?:we|i) (?:foster|adopted)|with|have|and|own|keep) (?P<v>(?:my |our )?(?:an? |one |two |three |four |five |\d+ |a pair of |a couple of )(?:(?:very|really|young|small|little|teenage|loud|old|rescue|grown|toddler|twin|big|tiny|adult|blind|deaf|senior|elderly|anxious|\d+[- ]\w+[- ]old)\s)*(?:(?:{_KIN}|{_PET})s?|kids|boys|girls|cats|dogs|parrot|horses|goats|sheep|cows|bees|chickens|hens|ducks|pigs|llamas|alpacas|rabbits|birds|snakes|twins|toddlers))\b(?! (?:in|of) (?:the|a|this) (?:array|list|table|test|query))"
)
_HEALTH: Final = re.compile(
    rf"\b(?:my (?:own |severe |mild |chronic |bad |slight |partial )*(?P<v>{_SICK}|hearing loss|low vision|poor eyesight|bad eyesight|bad (?:back|knee|hip|shoulder)s?|eyesight|pacemaker|stutter|dyscalculia|wheelchair|prosthe\w+|insulin pump|arthritis|tremor|ms|condition)"
    rf"|(?:i'm|im|i am|being)(?: an?)?(?: [\w/-]+)? (?P<w>{_ILL})|(?:i have|i've got|i live with|i suffer from|with my|having) (?:a |an )?(?P<x>{_SICK}|hearing loss|low vision|a stutter))\b"
)
_EATS: Final = re.compile(
    r"\b(?:i|we) (?P<v>(?:don't|do not|never|can't|cannot|dont|cant) (?:eat|drink|tolerate|touch|have|digest) (?!it\b|this\b|that\b|time\b|the\b|to\b|a\b|access\b|any idea)[^,;.]{2,40})"
)
_KEEPS_TO: Final = re.compile(
    r"\b(?:i|we) (?:keep|eat|am on|follow|do) (?:a )?(?:strict(?:ly)? |mostly |only )?(?P<v>kosher|halal|vegan|vegetarian|gluten[- ]free|low[- ]carb|keto|paleo|plant[- ]based|dairy[- ]free|low[- ]fodmap)\b"
)
_LANGUAGE: Final = re.compile(
    rf"\b(?:i (?:only |also |mostly |grew up )?(?:speak(?:ing)?|am (?:fluent|native) in)|my (?:native|first|mother|main|second|home) (?:language|tongue)(?:'s| is)|native speaker of|native|bilingual[,:]|i'm bilingual(?: in)?) (?P<v>[^.;]*?{_LANGS})\b"
)
_MY_LANGUAGE: Final = re.compile(rf"\bmy (?P<v>(?:spoken |written )?{_LANGS}(?: is|'s) (?:\w+ ){{0,3}}\w+)")
_IRREALIS: Final = re.compile(
    r"\b(?:if (?:i|we)|suppose|imagine|pretend|as if|i wish|were (?:i|we)|would be if|used to|back then|when i was|hypothetical\w*|say i)\b"
)
_KIN_ILL: Final = re.compile(
    rf"\bmy (?:\w+ )?{_KIN}\b[^;]{{0,30}}? (?:has|have|is|are|got|'s got) (?:an? )?(?:severe |mild |bad |slight )?(?P<v>{_SICK}|{_ILL}|vegan|vegetarian)\b"
)
_ME: Final = re.compile(r"\b(?:i|i'm|im|i've|my|we|we're|our|me|us)\b")


def read(clause: Clause, here: list[Told]) -> Iterator[Told]:
    """What a clause tells of the person beside what stands in `here`."""
    if signs.is_temporary(clause.low) or _IRREALIS.search(clause.low) or signs.is_secret(clause.low):
        return
    known = {t.topic for t in here}
    yield from (
        t
        for t in _about(clause)
        if not any(t.start < o.end and o.start < t.end and o.family == "identity" for o in here)
        and t.topic not in known
    )


class _Sign(NamedTuple):
    """Words that tell one thing of a person; the value is the first group that is there."""

    pattern: re.Pattern[str]
    predicate: str
    topic: str
    tag: str


_OF_ME: Final = (
    _Sign(_AGE, "is", "age", "identity.age"),
    _Sign(_INCOME, "noted", "", "identity.income"),
    _Sign(_ZONE_OF, "is", "timezone", "identity.timezone"),
)
_PARENT: Final = re.compile(
    r"\b(?P<v>(?:mum|mom|dad|father|mother|parent|grandma|grandpa|aunt|uncle) of (?:\w+ )?(?:\w+)(?: \([^)]{2,20}\))?)"
)
_STATED_OF_ME: Final = (
    _Sign(_PARENT, "noted", "", "identity.family"),
    _Sign(_HAVE, "noted", "", "identity.family"),
    _Sign(_LANGUAGE, "speaks", "language", "identity.language"),
    _Sign(_MY_LANGUAGE, "speaks", "language", "identity.language"),
    _Sign(_KEEPS_TO, "is", "diet", "identity.diet"),
    _Sign(_EATS, "is", "diet", "identity.diet"),
)
_OF_HEALTH: Final = (_Sign(_HEALTH, "noted", "", "identity.health"), _Sign(_KIN_ILL, "noted", "", "identity.health"))
_ANIMAL: Final = re.compile(
    rf"\b(?:{_PET}|cats|dogs|horses|goats|sheep|cows|bees|chickens|hens|ducks|pigs|llamas|alpacas|rabbits|birds|snakes)$"
)


def _about(clause: Clause) -> Iterator[Told]:
    low = clause.low
    is_mine = _ME.search(low) is not None and not signs.is_third(low)
    if is_mine or low.startswith("as "):
        yield from _signed(clause, _OF_ME)
    if is_mine or low.startswith("as ") or clause.sentence <= 1:
        yield from general_roles.roles(clause)
    if is_mine and not clause.asks:
        yield from _signed(clause, _STATED_OF_ME)
        yield from general_people.team(clause)
    yield from _signed(clause, _OF_HEALTH)
    yield from general_people.kin(clause)
    if not clause.asks:
        yield from general_people.bracketed(clause)
    yield from general_places.places(clause, is_mine=is_mine)
    yield from general_people.mates(clause)


def _signed(clause: Clause, table: Iterable[_Sign]) -> Iterator[Told]:
    for sign in table:
        for found in sign.pattern.finditer(clause.low):
            group = next(name for name in ("v", "w", "x") if found.groupdict().get(name))
            tag = "identity.pet" if sign.pattern is _HAVE and _ANIMAL.search(found[group]) else sign.tag
            yield from drawing.of_self(clause, *found.span(group), sign.predicate, sign.topic, tag)
