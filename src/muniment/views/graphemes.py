"""Where a text may be cut: between what a reader sees as one character each, never inside one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_JOINER = "\u200d"
_MARKS = frozenset({"Mn", "Me", "Mc"})
_VIRAMA = 9
_FLAG = range(0x1F1E6, 0x1F200)
_AFTER = (range(0x1F3FB, 0x1F400), range(0xE0020, 0xE0080), range(0xFF9E, 0xFFA0))
"""Skin tones, tags of sub-national flags, half-width voicing marks: they belong to what stands before them."""


def graphemes(text: str) -> Iterator[str]:
    """The text in pieces that may not be cut further; joined they are the text again."""
    start, flags = 0, 0
    for at in range(1, len(text) + 1):
        flags = flags + 1 if ord(text[at - 1]) in _FLAG else 0
        if at == len(text) or not _belong_together(text[at - 1], text[at], flags):
            yield text[start:at]
            start = at


def snapped(text: str, at: int) -> int:
    """The nearest place at or before `at` where the text may be cut."""
    at = min(at, len(text))
    while 0 < at < len(text):
        start = at
        while start > 0 and ord(text[start - 1]) in _FLAG:
            start -= 1
        if not _belong_together(text[at - 1], text[at], at - start):
            return at
        at -= 1
    return at


def _belong_together(left: str, right: str, flags: int) -> bool:
    if left.isascii() and right.isascii():
        return left == "\r" and right == "\n"
    if right == _JOINER or unicodedata.category(right) in _MARKS or any(ord(right) in r for r in _AFTER):
        return True
    if left == _JOINER or unicodedata.combining(left) == _VIRAMA:
        return not right.isspace()
    if ord(right) in _FLAG:
        return flags % 2 == 1
    return _are_jamo(ord(left), ord(right))


def _are_jamo(left: int, right: int) -> bool:
    """Letters of one Korean syllable: leading ones, then vowels, then trailing ones."""
    leads, vowels, trails = (0x1100 <= left < 0x1160), (0x1160 <= left < 0x11A8), (0x11A8 <= left < 0x1200)
    syllable = 0xAC00 <= left < 0xD7A4
    if 0x1100 <= right < 0x1160:
        return leads
    if 0x1160 <= right < 0x11A8:
        return leads or vowels or (syllable and (left - 0xAC00) % 28 == 0)
    return 0x11A8 <= right < 0x1200 and (vowels or trails or syllable)
