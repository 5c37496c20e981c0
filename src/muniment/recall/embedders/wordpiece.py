"""Words in pieces, as the BERT family of models was trained on them: uncased English and marks, the longest piece first."""

from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

_VOCABULARY = Path(__file__).with_name("wordpiece.txt.gz")
_UNKNOWN, _START, _END = 100, 101, 102
_LONGEST = 100
"""Characters of a word beyond which it is unknown as a whole."""
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


def cut(text: str, most: int) -> list[int]:
    """The numbers of the pieces of a text, between start and end marks; at most `most` in all, the first ones."""
    return [_START, *islice(_numbers(text), most - 2), _END]


def _numbers(text: str) -> Iterator[int]:
    for word in _words(text):
        yield from _pieces(word)


def _words(text: str) -> Iterator[str]:
    """Runs of letters, and every mark and ideograph by itself; lower case, without accents."""
    for run in _spaced(text).split():
        word = ""
        for character in _plain(run):
            if _is_mark(character):
                if word:
                    yield word
                yield character
                word = ""
            else:
                word += character
        if word:
            yield word


def _spaced(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_kept, text))


def _plain(run: str) -> str:
    run = run.lower()
    if run.isascii():
        return run
    return "".join(c for c in unicodedata.normalize("NFD", run) if unicodedata.category(c) != "Mn")


def _kept(character: str) -> str:
    code = ord(character)
    if character.isspace():
        return " "
    if code in (0, 0xFFFD) or unicodedata.category(character) in ("Cc", "Cf", "Cn", "Co"):
        return ""
    return f" {character} " if any(low <= code <= high for low, high in _IDEOGRAPHS) else character


def _is_mark(character: str) -> bool:
    if character.isascii():
        return not character.isalnum() and character.isprintable()
    return unicodedata.category(character).startswith("P")


@cache
def _vocabulary() -> dict[str, int]:
    return {piece: n for n, piece in enumerate(gzip.decompress(_VOCABULARY.read_bytes()).decode("utf-8").split("\n"))}


def _pieces(word: str) -> list[int]:
    known = _vocabulary()
    if (whole := known.get(word)) is not None:
        return [whole]
    if len(word) > _LONGEST:
        return [_UNKNOWN]
    found: list[int] = []
    start = 0
    while start < len(word):
        end = len(word)
        while end > start and ("##" * (start > 0)) + word[start:end] not in known:
            end -= 1
        if end == start:
            return [_UNKNOWN]
        found.append(known[("##" * (start > 0)) + word[start:end]])
        start = end
    return found
