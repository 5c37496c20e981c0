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

MOST = 6
"""Promises that are drawn from one turn: who undertakes more is writing a plan."""
SIGNS: Final = ("'ll ", "’ll ", " will ", "oing to ", "romise to ", "werde ")
"""Where none of these stands nothing is promised, and the turn need not be read."""

_ME: Final = Entity("person", "me")
_WILL: Final = re.compile(
    r"\b(?:(?:I|we)(?:['’]ll| will|['’]m going to| am going to|['’]re going to| are going to)|I promise to|ich werde)"
    r"(?: (?:also|now|then|first|just|definitely|certainly|simply|next|myself|quickly|happily))*"
    r" (?P<act>[a-zäöüß][\w-]*)(?P<on>[^\n]*)",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"\b(?:if|once|unless|otherwise|when|whenever|should|would|whether|which|(?<!after )(?<!with )that|who|what|why|how|where|suppose|imagine|say|says|said"
    r"|wrote|writes|think|guess|believe|hope|maybe|perhaps|probably|possibly|might|tell me|let me know|let us know|just (?:give|drop|send)"
    r"|in case|or|example|means|told|asked|please|translate|so far|until|wenn|falls|vielleicht)\b|\*\*|:\*|\x7f *:|https?:",
    re.IGNORECASE,
)
_NO_ACT: Final = frozenset(
    "not never be been need have want assume see wait try attempt probably maybe perhaps likely only keep continue stick focus aim"
    " shoot consider think hope get understand know like prefer love expect remember forget admit say go gain achieve become take rather"
    " lose miss regret pass respect trust believe stay live ever eventually suppose guess always strive work remain nicht"
    " depend require appreciate enjoy benefit spend plan".split()
)
_TO_ACT: Final = re.compile(
    r"(?:go ahead and|take (?:a look|care of (?!it\b|that\b|everything\b))|get (?:you|back|started on)|work on (?:the|that|it)\b"
    r"|keep (?:the|this|that|an eye)|only (?:touch|change)|spend \d)",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"\bunless\b|(?<!\bsee )(?<!\bcheck )(?<!\bverify )(?<!\btest )(?<!\bfind out )(?<!\bas )\bif\b(?! (?:needed|necessary|possible)\b)|\b(?:once|when|whenever|as soon as|after) you\b"
    r"|\bor (?:I|we)\b",
    re.IGNORECASE,
)
_NEW: Final = re.compile(
    r",? (?:and|but|so|then) (?=(?:the|you|we|I|they|it)\b(?:['’]\w+)? \w+)|, (?=(?:just|leave|stop|continue|you|so|but)\b)"
)


def may_promise(text: str) -> bool:
    """Does any sign of an undertaking stand here? For a fraction of what reading costs."""
    return any(sign in text for sign in SIGNS)


def promised(event: Archived, _window: Window) -> Iterator[Draft]:
    """What a reply or a prompt undertakes."""
    if not _speaks(event):
        return
    person = event.kind == Kind.PROMPT and event.origin is Origin.PERSON
    for place in islice(promises(event.text), MOST):
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


def promises(text: str) -> Iterator[Span]:
    """Where the undertakings stand, each from its subject to the end of its clause."""
    for sentence in speech.sentences(text) if may_promise(text) else ():
        at = len(sentence.words) if sentence.asks else 0
        while (found := _WILL.search(sentence.words, at)) is not None:
            at = found.start() + max(_length(found.group()), found.end("act") - found.start())
            if _is_firm(sentence.words, found):
                yield Span(sentence.span.start + found.start(), sentence.span.start + at)


def _is_firm(words: str, found: re.Match[str]) -> bool:
    """An act, and no if, perhaps or other speaker around it."""
    if _BEFORE.search(words[: found.start()]) or _AFTER.search(words, found.end("act")):
        return False
    act = words[found.start("act") :]
    return found["act"].casefold() not in _NO_ACT or _TO_ACT.match(act) is not None


def _length(clause: str) -> int:
    """Up to where another clause with a subject of its own begins."""
    stop = _NEW.search(clause, 12)
    return len((clause[: stop.start()] if stop is not None else clause).rstrip(" ,;:"))
