"""Where somebody speaks in their own voice: sentences without what they quote, paste, fence or show as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from muniment.model.event import Span

LOOK_AT = 16 * 1024
"""Characters of a turn that are read; what is undertaken or answered stands near its ends or its beginning."""

_FOREIGN = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*|<(\w[\w-]{0,40})>.{0,1000}?</\1>"
    r"|\"[^\"\n]{2,600}\"|“[^”\n]{2,600}”|«[^»\n]{2,600}»|„[^“”\n]{2,600}[“”]|(?<![\w’'])'(?!\s)[^'\n]{2,200}'(?!\w)",
    re.DOTALL | re.MULTILINE,
)
_END = re.compile(r"[.!?…](?=[\s)*_]|[A-Z][a-z’' ]|\Z)|\n|(?<=[.!?])\Z|[;\u3002\uff01\uff1f]")
_EDGE = " \t\r*_-•#.!?…;"


class Sentence(NamedTuple):
    """A sentence: where it stands, its own words (what is foreign is blank, length kept), and how it ends."""

    span: Span
    words: str
    asks: bool


def own_words(text: str) -> str:
    """The text with everything that is quoted, fenced or code blotted out; nothing moves."""
    if not any(mark in text for mark in "`>\"“«„'~"):
        return text
    return _FOREIGN.sub(lambda found: re.sub(r"[^\n]", "\x7f", found.group()), text)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a turn in order, those without a word of their own aside."""
    own, at = own_words(text[:LOOK_AT]), 0
    while at < len(own):
        found = _END.search(own, at)
        end, after = (found.start(), found.end()) if found is not None else (len(own), len(own))
        piece = own[at:end]
        start = at + len(piece) - len(piece.lstrip(_EDGE))
        end = at + len(piece.rstrip(_EDGE))
        if start < end:
            yield Sentence(Span(start, end), own[start:end], own[after - 1 : after] in ("?", "\uff1f"))
        at = after
