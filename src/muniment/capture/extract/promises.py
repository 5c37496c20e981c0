"""What somebody undertakes to do: an act of their own, to come, without an if and without a perhaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from muniment.capture.extract import speech
from muniment.capture.extract.contract import Window
from muniment.model.entity import SELF, Entity
from muniment.model.event import Kind, Origin, Role, Span
from muniment.model.fact import ASSERTED, SAID_BY_PERSON, Archived, Draft

_OPEN_QUOTE: Final = re.compile('["“”]')
"""A quotation that begins or ends elsewhere: whose words these are is not known."""
MOST = 6
"""Promises that are drawn from one turn: who undertakes more is writing a plan."""
SIGNS: Final = (
    "I'll ",
    "I’ll ",
    "I will ",
    "I'm going to ",
    "I’m going to ",
    "I am going to ",
    "I promise to ",
    "ch werde ",
)
"""Where none of these stands an agent promises nothing, and the turn need not be read."""
_SIGNS_OF_PEOPLE: Final = (
    "i'll ",
    "i’ll ",
    "i will ",
    "'m going to ",
    "e'll ",
    "e’ll ",
    "e will ",
    "e're going to ",
    "i promise to ",
)
"""People say `we` of themselves, and write it small."""

_WE: Final = re.compile(r"we\b", re.IGNORECASE)
"""What an assistant says of `us` tells the reader what comes next in its text, far oftener than what it will do."""
_TELLS: Final = re.compile(
    r"I(?:['’]ll| will|['’]m going to| am going to) (?:\w+ )?(?:provide|outline|describe|explain|suggest|give|show"
    r"|walk|discuss|list|go (?:through|over)|break"
    r"|illustrate|present|offer|summari[sz]e|demonstrate|guide|use an? example)\b"
)
_LATER: Final = re.compile(
    r"\w\.[a-z]{1,5}\b|\b(?:changelog|readme|docs|when(?:ever)?|moving forward"
    r"|going forward|from (?:now|here) on|in (?:the )?future|every time|always"
    r"|tomorrow|tonight|later|next|once|after|monday"
    r"|tuesday|wednesday|thursday|friday|this (?:week|afternoon|evening))\b",
    re.IGNORECASE,
)
"""A verb of telling announces the rest of the same reply, unless a time or a file stands by it."""
_HEAD, _TAIL, _LONGEST = 400, 600, 1000

_DRAFTED: Final = re.compile(
    r"\[(?:Your|My|Name|Date|Company|Recipient)\b[^\]\n]*\]|^(?:\*\*)?(?:Dear |Subject:)|\bSincerely\b", re.MULTILINE
)
_ME: Final = Entity("person", "me")
_WILL: Final = re.compile(
    r"\b(?:(?:I|we)(?:['’]ll| will|['’]m going to| am going to|['’]re going to| are going to)|I promise to|ich werde)"
    r"(?: (?:also|now|then|first|just|definitely|certainly|simply|next|myself|quickly|happily))*"
    r" (?P<act>[a-zäöüß][\w-]*)(?P<on>[^\n]*)",
    re.IGNORECASE,
)
_LEADS: Final = re.compile(
    r"(?:^|[,;:)\x7f–—]|\s-|\b(?:and|but|so|then|next|now|also|first|finally|later|tomorrow|tonight|today|meanwhile"
    r"|ok|okay|sure|yes|yeah|no"
    r"|thanks|great|perfect|noted|done|alright))[,.!]?\s*$"
    r"|^(?:after|before|for|with|in|on|at|to|as|since|given|during|instead|starting|by|this|next|from)\b[^,]{0,60}$",
    re.IGNORECASE,
)
"""What may stand before the subject of an undertaking: nothing, the end of another clause, a word or two that lead in."""
_BEFORE: Final = re.compile(
    r"\b(?:if|once|unless|otherwise|when|whenever|should|would|whether|which|(?<!after )(?<!with )that|who|what|why"
    r"|how|where|suppose|imagine|say|says|said"
    r"|wrote|writes|think|guess|believe|hope|maybe|perhaps|probably|possibly|might|tell me|let me know|let us know"
    r"|just (?:give|drop|send)"
    r"|in case|or|example|means|told|asked|please|translate|so far|until|wenn|falls|vielleicht)\b|\*\*|:\*|\x7f *:|https?:",
    re.IGNORECASE,
)
_NO_ACT: Final = frozenset(
    "not never be been need have want assume see wait try attempt probably maybe perhaps likely only keep continue stick focus aim"
    " shoot consider think hope get understand know like prefer love expect remember forget admit say go gain achieve"
    " become take rather"
    " lose miss regret pass respect trust believe stay live ever eventually suppose guess always strive work remain nicht"
    " practice practise follow depend require appreciate enjoy benefit spend plan".split()
)
_TO_ACT: Final = re.compile(
    r"(?:go ahead and|take (?:a look|care of (?!it\b|that\b|everything\b))|get (?:you|back|started on)|work on (?:the|that|it)\b"
    r"|keep (?:the|this|that)\b|only (?:touch|change)|spend \d)",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"\bunless\b|(?<!\bsee )(?<!\bcheck )(?<!\bverify )(?<!\btest )(?<!\bfind out )(?<!\bas )\bif\b(?! (?:needed"
    r"|necessary|possible)\b)|\b(?:once|when|whenever|as soon as|after) you\b"
    r"|\bor (?:I|we)\b",
    re.IGNORECASE,
)
_NEW: Final = re.compile(
    r",? (?:and then|and|but|so|then) (?=(?:the|you|we|I|they|it)\b(?:['’]\w+)? \w+)"
    r"|, (?=(?:just|leave|stop|continue|you|so|but)\b)"
)


def may_promise(text: str, *, person: bool = True) -> bool:
    """Does any sign of an undertaking stand here? For a fraction of what reading costs."""
    return any(sign in text for sign in SIGNS) or (person and any(sign in text for sign in _SIGNS_OF_PEOPLE))


def promised(event: Archived, _window: Window) -> Iterator[Draft]:
    """What a reply or a prompt undertakes."""
    if not _speaks(event):
        return
    person = event.kind == Kind.PROMPT and event.origin is Origin.PERSON
    places = (p for p in promises(event.text) if event.kind == Kind.PROMPT or _is_agents_own(event.text, p))
    for place in islice(places, MOST):
        yield Draft(
            "promised",
            _ME if person else SELF,
            place,
            literal=event.text[place.start : place.end],
            rung=SAID_BY_PERSON if person else ASSERTED,
        )


def _speaks(event: Archived) -> bool:
    if event.kind == Kind.REPLY:
        return event.role is Role.ASSISTANT
    return event.kind == Kind.PROMPT and event.role is Role.USER and event.origin is not Origin.HARNESS


def _is_agents_own(text: str, place: Span) -> bool:
    """Is this the agent's, and no `we` of a lesson nor an `I` of a letter drafted for somebody? Those stand in the middle."""
    is_near_an_end = place.start < _HEAD or len(text) - place.end < _TAIL
    if _TELLS.match(text, place.start, place.end) and not _LATER.search(text, place.start, place.end):
        return False
    return is_near_an_end and not _WE.match(text, place.start) and _DRAFTED.search(text) is None


def promises(text: str) -> Iterator[Span]:
    """Where the undertakings stand, each from its subject to the end of its clause."""
    for sentence in speech.sentences(text):
        at = len(sentence.words) if sentence.asks or len(sentence.words) > _LONGEST else 0
        while (found := _WILL.search(sentence.words, at)) is not None:
            at = found.start() + max(_length(found.group()), found.end("act") - found.start())
            if _is_firm(sentence.words, found):
                yield Span(sentence.span.start + found.start(), sentence.span.start + at)


def _is_firm(words: str, found: re.Match[str]) -> bool:
    """An act, and no if, perhaps or other speaker around it."""
    before = words[: found.start()]
    if (
        _BEFORE.search(before)
        or _LEADS.search(before) is None
        or _OPEN_QUOTE.search(words)
        or _AFTER.search(words, found.end("act"))
    ):
        return False
    act = words[found.start("act") :]
    return found["act"].casefold() not in _NO_ACT or _TO_ACT.match(act) is not None


def _length(clause: str) -> int:
    """Up to where another clause with a subject of its own begins."""
    stop = _NEW.search(clause, 12)
    return len((clause[: stop.start()] if stop is not None else clause).rstrip(" ,;:"))
