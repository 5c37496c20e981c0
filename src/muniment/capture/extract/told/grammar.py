"""The grammar of a statement: who or what it is about, its verb, whether it is denied, and classes of verbs and nouns.

A class stands for a kind of word, not for a sentence: what lasts is told by verbs of being, having, placing and habit about
me, us, or something of ours; what does not last by verbs of failing, trying, seeing and feeling.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import compiled


class Subject(Enum):
    """What a statement is about."""

    ME = "me"
    US = "us"
    OURS = "ours"
    """Something with `my` or `our` before it."""
    THING = "thing"
    """A thing that is named, with or without an article."""
    IT = "it"
    THERE = "there"


class Statement(NamedTuple):
    """A clause with a subject and a finite verb: the places are in the clause."""

    subject: Subject
    start: int
    """Where the subject begins, behind words that only lead in."""
    head: str
    """The subject's words."""
    verb: str
    rest: int
    """Where what follows the verb begins."""
    is_denied: bool


_NEG: Final = r"(?:not|never|n't|no longer)"
_ADVERBS: Final = (
    r"(?:(?:also|always|usually|normally|typically|generally|still|only|just|now|currently|mostly|mainly|really|actually|all|both|never|ever|already"
    r"|often|sometimes|basically|strictly|simply|normally|all|generally|deliberately|officially|regularly|quite|pretty much|kind of|kinda|sort of|more or less|tend to|not)\s+)*"
)
_BE: Final = r"(?:is|are|'s|'re|am|'m|isn't|aren't|ain't|was|were)"
_MODAL: Final = r"(?:must(?:n't)?|has to|have to|had to|needs? to|can(?:'t|not)?|may|might|should(?:n't)?|will|won't|shall|would|could)"
VERBS: Final = (
    "run live go sit come ship use need get have take hold keep stay mean start end close open happen work belong talk write read return handle"
    " store send speak cost serve support target require depend rely land leave ask call share count expect want allow forbid do make build sell"
    " deploy host release merge review test lint format commit push tag branch freeze import export publish print sign teach own manage lead"
    " coordinate report maintain develop design typeset edit translate bake cook grow breed roast brew draw play collect study lecture coach"
    " consult treat supervise oversee train drive farm weave sew repair restore fly sail climb paint volunteer freelance write store log track"
    " plan meet pair rotate back archive import validate verify check approve accept bill charge pay ship pack deliver order buy rent feed milk"
    " water harvest clean wash label name number sort group batch wrap render cache queue stream sync mirror replicate encrypt hash mask"
    " connect listen bind mount include contain consist cover offer accept reject drop skip avoid ban prefer like love hate dislike enjoy"
    " switch migrate move plan expire reset rebuild wipe tick fit weigh measure last take open handle belong follow apply process receive"
    " collect gather submit file record register schedule book invoice post announce notify inform escalate triage squash rebase cherry-pick"
    " bump pin vendor generate compile package sell trade list score grade mark assess examine prescribe dose triage visit walk ride swim"
    " sleep wake eat drink fast smoke wear carry share join leave found direct produce film shoot record perform conduct compose sing dance"
    " vote alternate quote round price index prescribe bill score live reside commute travel speak learn know say show give put let look"
).split()


@cache
def _forms() -> str:
    """The present forms of the verbs, the longest first."""
    found = set()
    for verb in VERBS:
        found |= {verb, _third(verb)}
    return "|".join(sorted(found, key=lambda w: (-len(w), w)))


def _third(verb: str) -> str:
    if verb == "have":
        return "has"
    if verb.endswith(("s", "sh", "ch", "x", "o", "z")):
        return verb + "es"
    return verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "aeou" else verb + "s"


_NP: Final = r"(?:(?!(?:i|we|you|he|she|they|it|what|how|why|when|if|please|can|could|should|would|do|does|did|don't|let's|and|but|so|to|is|are|must|has|have)\b)[\w'’/&.+#-]+(?:\s|$)){1,7}?"


@cache
def _pattern() -> re.Pattern[str]:
    finite = rf"(?:{_MODAL}(?: not| never)?(?: {_ADVERBS}\w+)?|{_BE}(?: not| never)?|(?:don't|doesn't|do not|does not|dont) \w+|(?:{_forms()}))"
    return re.compile(
        r"(?P<s>i|we|you|it|this|that|these|those|they|everything|nothing|nobody|everyone|everybody|anything|somebody|both|all|there|(?:my|our)\s"
        rf"{_NP}|(?:the|this|these|all|every|each|any|no|most|some|a|an)\s{_NP}|{_NP})"
        rf"\s*(?<![\w])(?P<a>{_ADVERBS})(?P<v>{finite})(?![\w-])\s*"
    )


_KINDS: Final = {
    "i": Subject.ME, "we": Subject.US, "it": Subject.IT, "this": Subject.IT, "that": Subject.IT, "there": Subject.THERE,
    "everything": Subject.IT, "nothing": Subject.IT, "both": Subject.IT, "all": Subject.IT, "anything": Subject.IT,
}  # fmt: skip
_OTHERS: Final = frozenset("you they these those somebody he she".split())
_SHORT: Final = re.compile(
    r"\b(i|we|it|that|this|there|everything|nobody|everyone)('m|'re|'s|'ve)(?=\s)|\b(im|ive)(?=\s)"
)


_CLOSE: Final = re.compile(
    r"(?P<s>(?:(?:the|our|my) )?(?:[\w-]+ ){0,2}?[\w-]{3,})'s (?=(?:in|on|an?|all|written|done|run|kept|built|called|still|just|now|at|due|from|via|\d)\b)"
)
"""A thing with its verb drawn close: `the worker's in Rust`."""
_NOT_THINGS: Final = frozenset(
    "that what who there here how where when why let it he she everything everyone nobody one something".split()
)


def statement(clause: Clause, at: int = 0) -> Statement | None:
    """The statement of a clause; None where it has no subject with a finite verb, or is about you or them. `at`: where in
    the clause it begins, if not at its beginning."""
    if at:
        return _read(clause, at)
    if not clause.stated:
        clause.stated = (_read(clause, _lead(clause)),)
    return clause.stated[0]  # type: ignore[return-value]  # what was put there above


def _read(clause: Clause, lead: int) -> Statement | None:
    short = _SHORT.match(clause.low, lead)
    if short is not None:
        word = short[1] or "i"
        verb = {"'ve": "have", "'m": "am", "'re": "are", "'s": "is"}.get(short[2] or "'m", "am")
        return Statement(_KINDS.get(word, Subject.THING), lead, word, verb, _past_space(clause.low, short.end()), is_denied=_denied(clause.low[short.end() : short.end() + 8]))  # fmt: skip
    close = _CLOSE.match(clause.low, lead)
    if close is not None and close["s"].split()[-1] not in _NOT_THINGS:
        kind = Subject.OURS if close["s"].startswith(("my ", "our ")) else Subject.THING
        return Statement(kind, lead, close["s"], "is", close.end(), is_denied=False)
    found = _pattern().match(clause.low, lead)
    if found is None:
        return None
    words = found["s"].strip()
    if (
        words in ("i", "we")
        and found["v"].endswith("s")
        and found["v"] not in ("does", "has")
        and " " not in found["v"]
    ):
        return None
    if words in _OTHERS or (_is_order(words, found["v"])):
        return None
    kind = _KINDS.get(words) or (Subject.OURS if words.startswith(("my ", "our ")) else Subject.THING)
    middle = found["a"] + " " + found["v"] + " " + clause.low[found.end() : found.end() + 6]
    return Statement(kind, lead, words, found["v"], found.end(), is_denied=_denied(middle) or words.startswith(("no ", "nobody", "nothing")))  # fmt: skip


_ORDERS: Final = frozenset(
    "fix add refactor implement create update check remove rename find debug make change convert generate review delete install extract revert use"
    " look give show tell try go help compare draft sketch design set figure explain rewrite translate summarise summarize turn order plot bump put delete"
    " insert pick list count solve prove compute calculate estimate describe outline improve optimise optimize shorten expand continue stop start run"
    " commit push merge rebase open close save print sort filter move copy split join replace format lint test deploy wire hook port migrate clean keep"
    " leave skip drop ignore forget remember note write read say send call ask answer let get take see think imagine suppose pretend please thanks thank"
    " fill cut undo redo retry rerun restart reset draw sing say point mark highlight swap switch wrap round name rate rank".split()
)


def _is_order(words: str, verb: str) -> bool:
    """Do the words give an order rather than name a thing: `show me the list`?"""
    first = words.split(" ", 1)[0]
    return first in _ORDERS and not re.match(r"(?:is|are|has|have|must|needs?|can|may)\b", verb)


def _denied(low: str) -> bool:
    return re.search(r"\b(?:not|never|no longer)\b|n't\b|\bcannot\b|\bdont\b", low) is not None


def _past_space(low: str, at: int) -> int:
    while at < len(low) and low[at] == " ":
        at += 1
    return at


def _lead(clause: Clause) -> int:
    found = compiled("{START}").match(clause.low)
    at = found.end() if found is not None else 0
    before = _FRONTED.match(clause.low, at)
    return before.end() if before is not None else at


_FRONTED: Final = re.compile(
    r"(?:in|on|for|at|with|after|before|during|from|as) (?!(?:i|we|it|you|they|he|she)\b)[\w'# .+-]{2,40}?(?:, | )(?=(?:i|we|my|our|it|you|i'm|we're|someone|nobody|everyone)\b)"
)


# --- what does not last

REQUEST: Final = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|also|now|then|please|pls|just|hey|hi|yes|no)[,\s]+)*(?:can|could|would|will|please|pls|let's|lets|help|write|make|add|fix|create|show|give|tell|explain|convert|generate|implement|build|use|set|find|check|update|change|run|try|draft|design|how|what|why|where|which|when|who|is there|are there|do you|does|should|i want|i need|i'd like|i would like|we want|we need|i'm trying|we're trying|trying)\b"
)

FAULTS: Final = re.compile(
    r"\b(?:fail(?:s|ed|ing|ure)?|crash(?:es|ed|ing)?|broke(?:n)?|breaks?|errors?|exceptions?|throws?|threw|bugs?|stuck|hangs?|leaks?|wrong|weird|odd|strange|slow(?:er)?|flaky|empty"
    r"|missing|undefined|null|nan|timeouts?|times? out|timing out|drops? (?:the |my |our )?(?:rows?|bytes|packets|session|connection)|nothing happens|does nothing|doesn't (?:work|help|show|load|start|compile|build|run|match|find|update|save|render|respond)"
    r"|don't work|won't (?:start|load|compile|build|run|work|boot)|can't (?:find|see|get|figure|reproduce|connect|open|save|log|read|understand|tell|decide)|no idea|keeps? \w+ing|twice now|flickers?|freezes up|loops forever|blank|corrupt\w*|(?:4|5)\d\d\b(?= error|$|s\b)|shows? up|off by|out of memory|oom|deadlocks?|race|segfault\w*|warnings?|conflicts?|red again|still)\b"
)
FEELINGS: Final = re.compile(
    r"\b(?:confus\w+|worri\w+|curious|stressed|overwhelmed|nervous|excited|frustrat\w+|tired|happy|glad|sad|upset|afraid|scared|sorry|wonder\w*|struggl\w+|not sure|unsure|lost|stuck|hop(?:e|ing)|wish\w*|bored|angry|impressed|surprised|feel(?:s|ing)?|thankful|grateful|interested|looking forward|amazing|awesome|lovely|perfect|brilliant)\b"
)
PASSING: Final = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|just (?:now|merged|pushed|upgraded|restarted|installed|tried|did|got|saw|finished|started)|this (?:time|morning|afternoon|evening|week)|in the middle of|for a (?:minute|second|moment|while|few \w+)|in (?:a|an|one|two|five|ten|\d+) (?:minutes?|hours?|seconds?|sec|min)\b(?! (?:slots?|steps|blocks|intervals|increments|chunks|windows|sprints|units))|since (?:noon|this|yesterday|the (?:upgrade|update|deploy|merge|last))|again|running late|waiting|hold on|takes? (?:about |around |over |almost |only |like )?\d+ ?(?:seconds?|secs?|minutes?|mins?|hours?|ms|s)\b|so far|meanwhile|any longer|yet)\b"
)


def is_passing(low: str) -> bool:
    """Do the words tell of a fault, a feeling or the moment?"""
    return FAULTS.search(low) is not None or FEELINGS.search(low) is not None or PASSING.search(low) is not None
