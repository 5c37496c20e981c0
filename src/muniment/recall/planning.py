"""What a question asks: its shape, its parts, its terms, and whose and which time it is about. No model, no store."""

from __future__ import annotations

import re
from dataclasses import dataclass

from muniment.model.english import NEGATION, STOP
from muniment.recall.compound import asked_sentences, parts_of
from muniment.recall.shapes import CURRENT, PAST, Shape, shape_of

_FIRST_PERSON = frozenset("i me my mine myself we us our ours ourselves".split())
_WORD = re.compile(r"[^\W_]+(?:[-.'_/:]+[^\W_]+)*|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is read.

    `parts` are the questions it is made of, in order; the question alone when it is not compound. `terms` are its words
    that carry a topic, in lower case, each once, in order. `is_past` and `is_current` say which time it is about, where
    it says so. `is_negated` keeps what the terms lose: that it says `not`, `never`, `without`.
    """

    text: str
    shape: Shape
    parts: tuple[str, ...]
    terms: tuple[str, ...]
    is_first_person: bool
    is_past: bool
    is_current: bool
    is_negated: bool


def read_question(words: str) -> Asked:
    """What a question asks. Any text is one; never raises, and time grows with the length."""
    text = _tidy(words)
    low = text.lower()
    spoken = _WORD.findall(low)
    lines = words.replace("’", "'")  # line ends part sentences
    parts = parts_of(lines) or (text,)
    return Asked(
        text=text,
        shape=shape_of(_asking(parts, text).lower()),
        parts=parts,
        terms=content_terms(" ".join(asked_sentences(lines)) or text),
        is_first_person=any(word.partition("'")[0] in _FIRST_PERSON for word in spoken),
        is_past=PAST.search(low) is not None,
        is_current=CURRENT.search(low) is not None,
        is_negated=any(word in NEGATION or word.endswith("n't") for word in spoken),
    )


def _asking(parts: tuple[str, ...], text: str) -> str:
    """What decides the shape: of several sentences the first that asks, otherwise the whole."""
    if len(parts) > 1 and text.startswith(parts[0]) and not parts[0].endswith("?"):
        is_said = parts[0].endswith((".", "!", ";"))
        return next((part for part in parts if part.endswith("?")), text) if is_said else text
    return text


def content_terms(text: str) -> tuple[str, ...]:
    """The words that carry a topic, in lower case, each once, in order; all words when none does.

    A stop word in capitals is kept inside a sentence, where it is a name (`Will`, `May`).
    """
    spoken = _WORD.findall(_tidy(text))
    is_title = sum(word[0].isupper() for word in spoken) * 2 > len(spoken)
    kept = [
        word for at, word in enumerate(spoken) if not _is_stop(word) or (at and not is_title and _is_name_like(word))
    ]
    return tuple(dict.fromkeys(word.lower().removesuffix("'s") for word in kept or spoken))


def _tidy(text: str) -> str:
    return " ".join(text.replace("’", "'").split())


def _is_stop(word: str) -> bool:
    low = word.lower()
    stem = low.partition("'")[0]
    return low.endswith("n't") or stem in STOP or stem in NEGATION


def _is_name_like(word: str) -> bool:
    return word[0].isupper() and word[1:].islower() and len(word) > 2 and "'" not in word.removesuffix("'s")
