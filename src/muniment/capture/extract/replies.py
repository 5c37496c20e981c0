"""What a reply says by itself: that it answers, and what it claims of the project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from muniment.capture.extract import speech
from muniment.capture.extract.contract import Window
from muniment.model.entity import SELF
from muniment.model.event import Kind, Role
from muniment.model.fact import Archived, Draft

CLAIMS = 6
"""Claims that are drawn from one reply."""

_LEAD: Final = 64
_OPENS: Final = re.compile(
    r"\s*[*_]{0,2}(?:(?:yes|yeah|yep|no|nope|correct|not (?:quite|yet|really|necessarily|exactly"
    r"|any ?more))\b[*_]{0,2}\s?(?:[,.:;]|[-–—] ?)"
    r"|(?:short|quick) answer\b|in short\b|the (?:short )?answer is\b|the (?:reason|difference) is\b|because\b"
    r"|it depends on\b|only if\b)",
    re.IGNORECASE,
)
_ASSENT: Final = re.compile(
    r"\b(?:I['’]ll|I will|I['’]ve|I have|I can help|I['’]d|let me|let['’]s|let us|sorry|apolog\w+|happy to|glad"
    r"|of course|done|thank\w*|here (?:is|are|it)"
    r"|here['’]s|you can find|will do|right away|on it|please|good idea to ask)\b|[,.:–—-]\s*(?:running|adding|doing"
    r"|fixing|checking|looking|working|updating)\b",
    re.IGNORECASE,
)
_CODE: Final = re.compile(
    r"`[^`\n]+`|\b[\w-]+\.(?:py|js|ts|tsx|rs|go|c|h|cpp|java|rb|toml|ya?ml|json|md|sql|sh|cfg|lock)\b|\b\w+_\w+\b|\b\w+\(\)"
)
_STATES: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|does|returns?|contains?|uses?|reads?|runs?|fails?|skips?|needs?|provides?|checks?"
    r"|takes?|lists?|points?"
    r"|raises?|calls?|includes?|compares?|ran|produced?|responded|ignores?|indicates|pass(?:es)?)\b"
)
_HEDGED: Final = re.compile(
    r"\b(?:seems?|likely|should|may|might|appears?|probably|perhaps|maybe|suggests?|could|would|will|looks? like|if"
    r"|whether|I|we|you|your|let|please"
    r"|can|must|expects?|need to|possible|assum\w+)\b|['’]ll\b",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“]")


def may_answer(text: str) -> bool:
    """Does a reply begin as answers do?"""
    return _OPENS.match(text, 0, _LEAD) is not None


def answered(event: Archived, _window: Window) -> Iterator[Draft]:
    """The sentence by which a reply answers. Which question: the last that was asked before it in its session."""
    opens = _OPENS.match(event.text, 0, _LEAD) if event.kind == Kind.REPLY and event.role is Role.ASSISTANT else None
    first = next(iter(speech.sentences(event.text)), None) if opens is not None else None
    if opens is None or first is None:
        return
    start, end = first.span
    if end <= opens.end():  # `No. Safari 17 ships it.`
        end = _next_end(event.text, end)
    said = event.text[start:end]
    if len(event.text[opens.end() : end].split()) > 1 and not first.asks and not _ASSENT.search(said):
        yield Draft("answered", SELF, first.span._replace(end=end), literal=said)


def _next_end(text: str, end: int) -> int:
    """The end of the sentence after the one that ends here, if it is on the same line."""
    rest = next((s for s in speech.sentences(text) if s.span.start >= end), None)
    return end if rest is None or rest.asks or "\n" in text[end : rest.span.start] else rest.span.end


def asserted(event: Archived, _window: Window) -> Iterator[Draft]:
    """Flat statements about something with a name in code: never more than a proposal."""
    if event.kind == Kind.REPLY and event.role is Role.ASSISTANT:
        for sentence in islice(filter(lambda s: _claims(event.text, s), speech.sentences(event.text)), CLAIMS):
            said = event.text[sentence.span.start : sentence.span.end]
            yield Draft("asserted", SELF, sentence.span, literal=said, proposes="a claim of an assistant only proposes")


def _claims(text: str, sentence: speech.Sentence) -> bool:
    said, words = text[sentence.span.start : sentence.span.end], sentence.words
    if sentence.asks or _HEDGED.search(words) or _QUOTED.search(said) or not _CODE.search(said):
        return False
    return _STATES.search(words) is not None and text[sentence.span.end : sentence.span.end + 1] != ":"
