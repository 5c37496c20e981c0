"""Turns of everyday talk: what people and agents say to each other, with what tools say in between, as `ingest` takes it.

Words follow Zipf's law over a few thousand English words between function words, as in real talk; names, paths, identifiers,
numbers and dates stand among them. Nothing depends on the clock or on hash order: the same seed gives the same turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from muniment.testing.lexicon import ADJECTIVES, ADVERBS, NOUNS, VERBS, Dice, derive, lexicon, zipf

_THINGS = (
    "people time day year week friend family work home house book music trip dinner weekend morning night story game movie dog "
    "cat garden kitchen car train city beach mountain lake river park school class teacher student child mother father sister "
    "brother wife husband baby birthday party wedding holiday summer winter spring autumn rain snow sun weather food bread "
    "coffee tea cake recipe restaurant market shop shirt shoe dress bag phone letter photo picture camera paint drawing art song "
    "guitar piano concert dance team match race run swim hike yoga health doctor hospital medicine sleep dream habit goal "
    "plan idea advice help support career interview office boss colleague meeting project report email call deadline budget "
    "money bank loan rent tax insurance salary gift charity volunteer community neighbour street bridge museum library "
    "language culture history science nature animal bird fish horse tree flower leaf seed forest island desert sky star moon "
    "planet energy water fire stone wood glass paper metal plastic colour shape size weight height distance speed heart hand "
    "head eye ear hair face voice smile laugh tear fear hope love anger pride trust doubt luck choice chance change reason "
    "result problem answer lesson skill talent effort challenge success failure mistake accident event news war peace law "
    "right duty vote election party leader group member club church faith prayer festival tradition costume mask mirror lamp "
    "table chair bed wall floor roof window door garage bicycle bus flight ticket passport luggage hotel map route border "
    "village farm field harvest apple orange lemon berry potato onion rice pasta soup salad cheese butter sugar salt spice"
).split()
_DOINGS = (
    "go come see look want think feel talk tell ask try start finish help learn teach play sing cook bake eat drink buy sell "
    "pay save spend earn visit travel walk drive ride climb jump rest relax enjoy like love hate miss remember forget hope "
    "wish plan decide choose agree argue promise join leave meet invite thank celebrate share give take bring carry hold "
    "build paint draw plant grow pick clean wash repair break lose find win practise train study pass fail improve change"
).split()
_KINDS = (
    "good bad great little big happy sad tired excited proud nervous busy free kind warm cold hot wet dry bright dark quiet "
    "loud easy hard rich poor young early late whole real true favourite amazing beautiful delicious funny strange special "
    "healthy sick strong weak brave honest patient curious creative careful gentle serious simple difficult different"
).split()
_LINKS = (
    "the a to and of in it is that for on with was my we at but so this have be just not are they from about".split()
)
_GIVEN = (
    "Ada Amir Anna Boris Carla Chen Clara Daniel Dina Elena Emil Erik Farid Flora Gita Hana Hugo Ines Ivan Jana Jonas Julia "
    "Karim Klara Lena Leo Lina Luis Maja Marco Mila Mona Nadia Nils Nina Oskar Paula Petra Priya Rafael Rosa Samir Sara "
    "Selma Sven Tara Theo Tomas Vera Viktor Wanda Yara Yusuf Zoe"
).split()
_FAMILY = (
    "Abbott Baker Berg Braun Carter Costa Dahl Diaz Ellis Fischer Frost Garcia Grant Haas Hale Ito Jansen Keller Khan Kim "
    "Larsen Lopez Marsh Meyer Novak Olsen Ortiz Park Patel Quinn Reed Rossi Sato Silva Stone Torres Vance Weber Wolf Young"
).split()
_ENDINGS = ("", "s", "ing", "er", "less", "able", "ful", "ness", "ish", "like")
_FIRST = datetime(2021, 3, 1, 8, 0, tzinfo=UTC)
_TURNS_OF_SESSION = 60
TOOLS = 0.15
"""The share of turns that are a tool's."""


@lru_cache(maxsize=1)
def words() -> tuple[str, ...]:
    """Words that carry a topic, the common ones first."""
    dice = Dice(derive("talk"))
    roots = dict.fromkeys(
        w for w in (*_THINGS, *_DOINGS, *_KINDS, *NOUNS, *VERBS, *ADJECTIVES, *ADVERBS) if w.isalpha()
    )
    heads = sorted(roots, key=lambda _: dice.random())
    tail = sorted((root + end for root in roots for end in _ENDINGS[1:]), key=lambda _: dice.random())
    return tuple(dict.fromkeys([*heads, *tail]))


def names(size: int) -> list[str]:
    """Who talks in a store of so many turns: few in a small one, thousands in a large one."""
    every = [f"{given} {family}" for family in _FAMILY for given in _GIVEN]
    return every[: max(2, min(len(every), size // 300))]


def turns(size: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """So many turns, in sessions of about sixty, each between two speakers or between a person and an agent."""
    dice, people, at, done, number = Dice(derive("talk", seed)), names(size), _FIRST, 0, 0
    step = timedelta(days=1600) / max(1, size)
    while done < size:
        number += 1
        count = min(dice.between(_TURNS_OF_SESSION // 2, _TURNS_OF_SESSION * 3 // 2), size - done)
        for turn in _session(dice, f"talk-{number}", count, at, step, people):
            at = turn.pop("time")
            yield turn
        done += count


def _session(
    dice: Dice, session: str, count: int, at: datetime, step: timedelta, people: list[str]
) -> Iterator[dict[str, Any]]:
    first, second = dice.pick(people), dice.pick(people)
    is_chat = dice.chance(0.5)
    topic = dice.choices(words(), k=12)
    for seq in range(count):
        at += step
        is_tool = dice.chance(TOOLS)
        is_first = seq % 2 == 0
        role = "tool" if is_tool else "user" if is_first or is_chat else "assistant"
        who = {} if is_tool else {"speaker": (first if is_first else second) if is_chat else role}
        said = output(dice) if is_tool else spoken(dice, topic, people)
        yield {"session": session, "seq": seq, "role": role, "at": at.isoformat(), "text": said, "time": at, **who}


def spoken(dice: Dice, topic: list[str], people: list[str]) -> str:
    """One turn: a few sentences, some of them about the session's topic."""
    size = max(3, dice.lognormal(22, 110, 600))
    common = dice.choices(words(), cum_weights=_weights(), k=size)
    links = dice.choices(_LINKS, cum_weights=zipf(_LINKS), k=size)
    told = [_told(dice, word, link, topic, people) for word, link in zip(common, links, strict=True)]
    sentences = [" ".join(told[n : n + 9]) for n in range(0, len(told), 9)]
    return " ".join(s[:1].upper() + s[1:] + dice.pick((".", ".", ".", "?", "!")) for s in sentences)


def _told(dice: Dice, word: str, link: str, topic: list[str], people: list[str]) -> str:
    part = dice.random()
    if part < 0.5:
        return link
    if part < 0.93:
        return word
    if part < 0.96:
        return dice.pick(topic)
    return _exact(dice, people) if part < 0.98 else dice.pick(people).split()[0]


def _exact(dice: Dice, people: list[str]) -> str:
    """A path, an identifier, a number, a date or a full name."""
    pool = lexicon(0)
    kind = dice.below(6)
    if kind == 0:
        return dice.pick(pool.paths)
    if kind == 1:
        return dice.pick(pool.identifiers)
    if kind == 2:
        return camel(dice.pick(pool.identifiers))
    if kind == 3:
        return str(dice.between(2, 5000))
    return f"{dice.between(1, 28)} May 2023" if kind == 4 else dice.pick(people)


def camel(name: str) -> str:
    """`load_user_name` as `loadUserName`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def output(dice: Dice) -> str:
    """What a tool said: a few lines of a log."""
    pool = lexicon(0)
    return "\n".join(dice.choices(pool.lines, k=dice.lognormal(4, 20, 60) + 1)) + f"\nrun {dice.hex(10)}"


@lru_cache(maxsize=1)
def _weights() -> list[float]:
    return zipf(words())
