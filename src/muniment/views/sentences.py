"""A text in sentences, cut only where what follows can do without what stands before.

A full stop after an abbreviation ends nothing, nor does a line end alone (lines are wrapped), and the items of a list
belong to the line with the colon that leads it: "never use:" has to stay with what must not be used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LONG = 600
"""Characters from which on a line end is taken for the end of a sentence after all: code and logs have no full stops."""
_END = re.compile(r"[.!?…]+[\"'”’)\]*_`]*(?=\s)|[。\uff01\uff1f\uff1b｡]+[」』”’\uff09]*|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'])(?:[^\W\d_]|e\.g|i\.e|etc|vs|cf|approx|ca|mr|mrs|ms|dr|prof|st|no|nr|fig|sec|vol|incl|excl|z\.B|d\.h"
    r"|bzw|usw|p\.ex|resp)\.$",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\s*(\S?)")
_ITEM = re.compile(r"[ \t]*(?:[-*+•–—>|#]|\(?\w{1,3}[.)])[ \t]")
_LEADS = re.compile(r"[:\uff1a][\"'”’)\]*_`]*[ \t]*$")
_LOOK_BACK, _LONGEST = 24, 7
"""How far abbreviations are looked for; so many letters in a row are none."""


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences as ranges that cover the text, in order; blank ones are part of their neighbours."""
    ends = list(_ends(text))
    starts = [0, *ends]
    return [(a, b) for a, b in zip(starts, [*ends, len(text)], strict=True) if text[a:b].strip()] or [(0, len(text))]


def _ends(text: str) -> Iterator[int]:
    start, leads = 0, False
    for match in _END.finditer(text):
        at = match.end()
        if at <= start:
            continue
        if match.group() != "\n":
            is_end = not leads and _is_end(text, match)
        elif _LEADS.search(text, max(start, match.start() - _LOOK_BACK), match.start()):
            leads, is_end = True, False
        else:
            is_end = _is_line_end(text, start, at, leads)
        if is_end:
            yield at
            start, leads = at, False


def _is_end(text: str, match: re.Match[str]) -> bool:
    """Does a stop end the sentence? Not after an abbreviation, and not before a small letter."""
    at = match.start()
    if text[at] != ".":
        return True
    if not text[max(0, at - _LONGEST) : at].isalpha() and _ABBREVIATION.search(text[max(0, at - _LOOK_BACK) : at + 1]):
        return False
    end = match.end()
    next_ = text[end + 1 : end + 2]
    if next_.strip():  # one blank, and then it goes on
        return not next_.islower()
    following = _NEXT.match(text, end, end + _LOOK_BACK)
    return following is None or not following.group(1).islower()


def _is_line_end(text: str, start: int, at: int, leads: bool) -> bool:
    """Does a line end? After a colon, only where a paragraph ends that is no item of the list."""
    stop = at + 2 * _LOOK_BACK
    after = text.find("\n", at, stop)
    is_blank = not text[at : stop if after < 0 else after].strip() or not text[max(start, at - 2) : at - 1].strip()
    if not leads and (is_blank or at - start > _LONG):
        return True
    is_item = _ITEM.match(text, at if after != at else _past_lines(text, at, stop), stop) is not None
    return (is_blank and not is_item and bool(text[at:stop].strip()) and at - start > 2) if leads else is_item


def _past_lines(text: str, at: int, stop: int) -> int:
    near = text[at:stop]
    return at + len(near) - len(near.lstrip("\n"))
