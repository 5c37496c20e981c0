"""Do two short statements speak against each other, and how alike are they? By their words alone, the same on every machine.

What is found is a pair to be looked at, never a decision: statements that are alike but for a negation, a word and its
opposite, a number, a version or a name, or that hold in a narrower scope than each other.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from muniment.model.english import NEGATION, STOP
from muniment.model.inflection import forms

VALUE, NEGATED, ANTONYM, NUMBER, VERSION, NAME, NARROWER, WIDER = (
    "value", "negation", "antonym", "number", "version", "name", "narrower", "wider",
)  # fmt: skip
KINDS = (VALUE, NEGATED, ANTONYM, NUMBER, VERSION, NAME, NARROWER, WIDER)
"""`value`: the same question (subject, predicate, topic) with another answer; it is known from the key, not from words."""

_ALIKE: Final = 0.6
"""Of the words that two statements have between them, how many they must share, what differs left aside."""
_WORD = re.compile(r"[^\W_](?:[\w.+#/@:-]*[\w+#])?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[a-z0-9.-]*|v\d+[a-z0-9.-]*")
_NUMBER = re.compile(r"[#$]?\d[\d,:]*(?:st|nd|rd|th|%|[kmgt]b?|ms|s|h|px)?")
_REFUSING: Final = "avoid dislike hate refuse forbid forbidden stop disallow ban banned exclude drop"
_WISHING: Final = "prefer like love want always must should use using favour favor choose pick"
"""Verbs of wishing and of use: whether one stands there or another, the statement is about the same thing."""
_MONTHS: Final = frozenset(
    """january february march april june july august september october november december
    jan feb mar apr jun jul aug sep oct nov dec""".split()
)
_TELLING: Final = frozenset({"before", "after"})
"""Words of grammar that turn a statement into another."""
_SCOPE = re.compile(
    r"\b(?:only\s+)?(in|for|when|whenever|within|inside|under|during|except|unless|if|on)\s",
    re.IGNORECASE,
)
_OPPOSITES: Final = """tab space; enable disable; on off; allow deny; allow forbid; true false; yes no; dark light; sync async
    synchronous asynchronous; public private; include exclude; before after; start end; open closed; open close; up down
    left right; increase decrease; min max; minimum maximum; first last; ascending descending; asc desc; strict lax
    strict loose; long short; verbose terse; verbose concise; lengthy concise; detailed brief; formal casual; formal informal
    manual automatic; local remote; static dynamic; mutable immutable; optional required; optional mandatory; add remove
    with without; single double; upper lower; uppercase lowercase; fast slow; high low; internal external; new old
    accept reject; merge rebase; squash merge; monolith microservice; monorepo polyrepo; server client; stable unstable
    default custom; named default; push pull; read write; success failure; pass fail; safe unsafe; free paid; black white
    early late; morning evening; weekly daily; online offline; active inactive; present absent; hot cold; rich poor
    camelcase snake_case; camelcase kebab-case; snake_case kebab-case; inline separate; eager lazy; serial parallel
    blocking nonblocking; prose bullet; functional oop; compiled interpreted; signed unsigned; encrypted plain"""


class Saying(NamedTuple):
    """A statement as it is compared. `refuses`: what says it is a predicate that turns it round (avoids, rejected)."""

    text: str
    refuses: bool = False


class _Words(NamedTuple):
    content: frozenset[str]
    marks: frozenset[str]
    """Numbers and versions."""
    refuses: bool
    names: frozenset[str]
    order: tuple[str, ...]


def similarity(a: str, b: str) -> float:
    """How many of the content words of two texts are common to both: 0 to 1."""
    first, second = _words(a), _words(b)
    mine, theirs = first.content | first.marks, second.content | second.marks
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0


def opposites(text: str) -> list[str]:
    """The opposites of the words of a text, in the forms in which they are written: where to look for what speaks against it."""
    stems = _words(text).content
    found = (other for one, other in _both_ways() if _stem(one) in stems)
    return list(dict.fromkeys(f"{word}{ending}" for word in found for ending in ("", "s", "d", "ed", "es")))


def common(texts: list[str]) -> str:
    """The words that all texts have, as the last of them writes and orders them; without words of grammar."""
    shared = frozenset.intersection(*(frozenset(map(_bare, text.split())) for text in texts)) - STOP
    return " ".join(w for w in texts[-1].split() if _bare(w) in shared).strip(".,;: ")


def _bare(word: str) -> str:
    low = word.strip(".,;:!?\"'()").lower()
    return low if low in STOP or low in NEGATION else _stem(low)


def contrast(new: Saying, old: Saying) -> str | None:
    """In what the new statement speaks against the old one, as one of KINDS; None if they go together."""
    if new == old or (_plain(new.text) == _plain(old.text) and new.refuses == old.refuses):
        return None
    (mine, my_scope), (theirs, their_scope) = _parted(new.text), _parted(old.text)
    if bool(my_scope) != bool(their_scope):
        core = _against(Saying(mine, new.refuses), Saying(theirs, old.refuses))
        if core is not None or _is_alike(_words(mine), _words(theirs)):
            return NARROWER if my_scope else WIDER
    elif my_scope and (inside := _inside(my_scope, their_scope)) and _is_same_core(mine, theirs):
        return inside
    elif my_scope and not _words(my_scope).content & _words(their_scope).content:
        return _against(new, old) if _is_same_core(mine, theirs) else None
    return _against(new, old)


def _inside(mine: str, theirs: str) -> str | None:
    """Is one scope a part of the other? The one that says more is."""
    a, b = _words(mine), _words(theirs)
    first, second = a.content | a.marks, b.content | b.marks
    return NARROWER if first > second else WIDER if first < second else None


def _is_same_core(mine: str, theirs: str) -> bool:
    """Said of two scopes that have nothing in common, the same thing is no conflict unless a day or number tells them apart."""
    a, b = _words(mine), _words(theirs)
    return a.content == b.content and a.refuses == b.refuses


def _against(new: Saying, old: Saying) -> str | None:
    a, b = _words(new.text), _words(old.text)
    only_a, only_b, both = a.content - b.content, b.content - a.content, a.content & b.content
    refuses = (a.refuses != new.refuses) != (b.refuses != old.refuses)
    if refuses and _share(a.content, b.content) >= _ALIKE:
        return NEGATED
    opposite = [(x, y) for x in only_a for y in only_b if frozenset((x, y)) in _pairs()]
    if opposite and not refuses:
        taken = frozenset(word for pair in opposite for word in pair)
        rest = _share(a.content - taken, b.content - taken)
        if rest >= _ALIKE or not (a.content | b.content) - taken:
            return ANTONYM
    if refuses or not both:
        return None
    return _marked(a, b, only_a, only_b)


def _marked(a: _Words, b: _Words, only_a: frozenset[str], only_b: frozenset[str]) -> str | None:
    """Alike but for a number, a version or one name."""
    is_one_thing = not (only_a and only_b)  # where each has words of its own, they may be about two things
    if is_one_thing and a.marks - b.marks and b.marks - a.marks and _share(a.content, b.content) >= _ALIKE:
        differing = (a.marks | b.marks) - (a.marks & b.marks)
        return VERSION if any(_VERSION.fullmatch(m) for m in differing) else NUMBER
    is_few = 0 < len(only_a) <= 2 and 0 < len(only_b) <= 2
    shared = len(a.content & b.content)
    if is_few and a.marks == b.marks and only_a <= a.names and only_b <= b.names:
        return NAME if shared >= max(len(only_a), len(only_b)) else None
    return NAME if a.marks == b.marks and shared > 1 and _is_put_in_place(a.order, b.order) else None


def _is_put_in_place(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Is one word of a statement another word, and all else the same? What it is about stands first."""
    return len(a) == len(b) and a[0] == b[0] and sum(x != y for x, y in zip(a, b, strict=True)) == 1


def _is_alike(a: _Words, b: _Words) -> bool:
    return a.refuses == b.refuses and a.marks == b.marks and _share(a.content, b.content) >= _ALIKE


def _share(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".!")


def _parted(text: str) -> tuple[str, str]:
    """A statement without the words that say where or when it holds, and these. A place that a verb needs is no scope."""
    for found in _SCOPE.finditer(text):
        core, scope = text[: found.start()], text[found.start() :]
        if _words(core).content and _words(scope).content | _words(scope).marks:
            return core, scope
    return text, ""


@lru_cache(maxsize=4096)
def _words(text: str) -> _Words:
    content, marks, names, order = set[str](), set[str](), set[str](), list[str]()
    spoken = text.replace("’", "'")
    refuses = bool(re.search(r"\w+n't\b", spoken))
    for found in _WORD.finditer(re.sub(r"(\w+)n't\b", r"\1", spoken)):
        word = found.group()
        low = word.lower().removesuffix("'s")
        if _VERSION.fullmatch(low) or _NUMBER.fullmatch(low) or low in _MONTHS:
            marks.add(low.removeprefix("v") if "." in low else low)
            continue
        stem = _stem(low)
        if low in NEGATION or stem in _stems(_REFUSING):
            refuses = True
        elif (low not in STOP or low in _TELLING) and stem not in _stems(_WISHING):
            content.add(stem)
            order.append(stem)
            names.update([stem] if not word.isalpha() or word != low else [])
    return _Words(frozenset(content), frozenset(marks), refuses, frozenset(names), tuple(order))


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """One form for the forms of a word; good enough to compare by."""
    word = min(forms(word.removesuffix("'s")))
    for ending, put in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(ending) + put
            break
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=2)
def _stems(words: str) -> frozenset[str]:
    return frozenset(map(_stem, words.split()))


@lru_cache(maxsize=1)
def _both_ways() -> tuple[tuple[str, str], ...]:
    pairs = (pair.split() for line in _OPPOSITES.splitlines() for pair in line.split(";"))
    return tuple(each for pair in pairs if len(pair) == 2 for each in ((pair[0], pair[1]), (pair[1], pair[0])))


@lru_cache(maxsize=1)
def _pairs() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(map(_stem, pair)) for pair in _both_ways())
